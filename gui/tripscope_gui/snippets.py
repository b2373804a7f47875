"""Mastra snippets into the window, and the chain out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWidget

from tripscope.errors import SessionError
from tripscope_gui.context import PaneContext
from tripscope_gui.documents import Documents
from tripscope_gui.snippet_view import SnippetDialog, SnippetView

if TYPE_CHECKING:
    from tripscope.session.model import ProcessorSpec


def connect(view: SnippetView, context: PaneContext, documents: Documents) -> None:
    """Let a view open sessions and add to the chain."""
    view.session_wanted.connect(
        lambda session: context.tasks.start(documents.take(session), "open a snippet")
    )
    view.processors_wanted.connect(lambda specs: add_processors(context, specs))


def open_dialog(context: PaneContext, documents: Documents, window: QWidget) -> SnippetDialog:
    """Show the dialog, with what is on the clipboard if it looks like a snippet."""
    can_add = context.session.session is not None
    dialog = SnippetDialog(context.theme, window, can_add=can_add)
    connect(dialog.view, context, documents)
    clipboard = QApplication.clipboard().text()
    if "Processor" in clipboard and "new " in clipboard:
        dialog.view.edit.setPlainText(clipboard)
    dialog.show()
    dialog.view.edit.setFocus()
    return dialog


def add_processors(context: PaneContext, specs: list[ProcessorSpec]) -> None:
    """Add processors to the end of the chain, as one step that can be undone."""
    from tripscope_gui.store.chain_edits import free_id

    session = context.session.session
    if session is None or not specs:
        return
    changed = session
    for spec in specs:
        one = spec.model_copy(update={"id": free_id(changed, spec.id)})
        changed = changed.model_copy(update={"chain": [*changed.chain, one]})
    words = specs[0].id if len(specs) == 1 else f"{len(specs)} processors"
    context.session.edit(f"add {words}", changed)


def copy_chain(context: PaneContext, kind: str) -> None:
    """Put the chain of the open session onto the clipboard."""
    from tripscope.session.export import to_json, to_python, to_typescript

    session = context.session.session
    if session is None:
        return
    try:
        text = {
            "TypeScript": lambda: to_typescript(session.chain),
            "Python": lambda: to_python(session.chain),
            "JSON": lambda: to_json(session),
        }[kind]()
    except SessionError as error:
        context.say(f"Not copied: {error}")
        return
    QApplication.clipboard().setText(text)
    context.say(f"The chain is on the clipboard as {kind}")
