"""The commands of the window itself; panes add theirs."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tripscope_gui.actions import Actions, Command
from tripscope_gui.context import UNITS, PaneContext, Unit
from tripscope_gui.theme import MODES, Mode
from tripscope_gui.trace_session import OF_RUN, can_make_session, make_session

if TYPE_CHECKING:
    from tripscope_gui.main_window import MainWindow


_NUMBERED: Final = 9
"""So many panes have their number as a key."""
_PANE_KEYS: Final = {"Rules": ("Alt+0",)}


def register(window: MainWindow) -> None:
    """Put the window's commands into the table of its context."""
    context, actions = window.context, window.context.actions
    for command in (
        *_file(window),
        *_edit(context),
        *_view(window),
        *_run(window),
        *_chain(window),
        *_rules(window),
        *_window(window),
        *_help(window),
    ):
        actions.add(command)


def register_panes(
    actions: Actions, context: PaneContext, titles: list[str], go_to: Callable[[str], object]
) -> None:
    """A command for each pane that calls ``go_to`` with its title; some have a key."""
    for number, title in enumerate(titles, 1):
        keys = (f"Alt+{number}",) if number <= _NUMBERED else _PANE_KEYS.get(title, ())
        actions.add(
            Command(
                f"window.pane.{title.lower()}",
                f"Show {title}",
                "Window",
                partial(go_to, title),
                keys=keys,
                enabled=lambda: context.session.session is not None or context.store is not None,
                group=1,
            )
        )


def _file(window: MainWindow) -> list[Command]:
    documents, context = window.documents, window.context

    def task(make: Callable[[], Coroutine[Any, Any, object]], name: str) -> Callable[[], object]:
        return context.tasks.slot(make, name)

    def has_session() -> bool:
        return context.session.session is not None

    def has_run() -> bool:
        return context.store is not None and bool(context.store.events)

    return [
        Command("file.new", "New session", "File", task(documents.new, "new"), ("Ctrl+N",)),
        Command("file.open", "Open\u2026", "File", task(documents.choose, "open"), ("Ctrl+O",)),
        Command(
            "file.save",
            "Save",
            "File",
            task(documents.save, "save"),
            ("Ctrl+S",),
            enabled=has_session,
            group=1,
        ),
        Command(
            "file.save_as",
            "Save as\u2026",
            "File",
            task(documents.save_as, "save as"),
            ("Ctrl+Shift+S",),
            enabled=has_session,
            group=1,
        ),
        Command(
            "file.save_trace",
            "Save trace of this run\u2026",
            "File",
            task(documents.save_trace, "save trace"),
            enabled=has_run,
            group=1,
        ),
        Command(
            "file.close",
            "Close session",
            "File",
            task(documents.close, "close"),
            ("Ctrl+W",),
            enabled=lambda: has_session() or has_run(),
            group=2,
        ),
        Command("file.quit", "Quit", "File", window.close, ("Ctrl+Q",), group=3),
    ]


def _edit(context: PaneContext) -> list[Command]:
    stack = context.session.undo_stack
    return [
        Command("edit.undo", "Undo", "Edit", stack.undo, ("Ctrl+Z",), enabled=stack.canUndo),
        Command("edit.redo", "Redo", "Edit", stack.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), stack.canRedo),
    ]


def _view(window: MainWindow) -> list[Command]:
    context, selection = window.context, window.context.selection

    def unit_command(unit: Unit) -> Command:
        return Command(
            f"view.unit.{unit}",
            f"Offsets in {unit}",
            "View",
            lambda: context.set_unit(unit),
            checked=lambda: context.unit == unit,
            group=1,
        )

    def theme_command(mode: Mode) -> Command:
        return Command(
            f"view.theme.{mode}",
            f"{mode.capitalize()} theme",
            "View",
            lambda: window.set_theme(mode),
            checked=lambda: context.theme.mode == mode,
            group=2,
        )

    return [
        Command(
            "view.palette", "Find a command\u2026", "View", window.open_palette, ("Ctrl+Shift+P",)
        ),
        Command(
            "view.back",
            "Back",
            "View",
            selection.go_back,
            ("Alt+Left",),
            enabled=lambda: selection.can_go_back,
        ),
        Command(
            "view.forward",
            "Forward",
            "View",
            selection.go_forward,
            ("Alt+Right",),
            enabled=lambda: selection.can_go_forward,
        ),
        *(unit_command(unit) for unit in UNITS),
        *(theme_command(mode) for mode in MODES),
    ]


def _run(window: MainWindow) -> list[Command]:
    context, runs = window.context, window.context.runs

    def has_prompt() -> bool:
        session = context.session.session
        return runs.can_run and session is not None and bool(session.prompts)

    def step(by: int) -> None:
        all_runs = context.workspace.runs
        if context.run in all_runs:
            place = all_runs.index(context.run) + by
            if 0 <= place < len(all_runs):
                context.look_at(all_runs[place])

    return [
        Command(
            "run.start",
            "Run",
            "Run",
            runs.start,
            ("Ctrl+R", "F5"),
            enabled=has_prompt,
            icon="play",
            hint="Ask the model of this session",
        ),
        Command(
            "run.replay",
            "Replay",
            "Run",
            runs.replay,
            ("Ctrl+Return",),
            enabled=lambda: runs.can_replay,
            icon="replay",
            hint="Run the chain as it stands on the recording of this run; asks no model",
        ),
        Command(
            "run.stop",
            "Stop",
            "Run",
            runs.stop,
            ("Shift+F5",),
            enabled=lambda: runs.running,
            icon="stop",
            hint="End the run; what arrived is kept",
        ),
        Command(
            "run.freeze",
            "Freeze",
            "Run",
            lambda: runs.set_frozen(not runs.frozen),
            ("F9",),
            enabled=lambda: runs.running or runs.frozen,
            checked=lambda: runs.frozen,
            icon="freeze",
            hint="Stop the view; the run goes on",
        ),
        Command(
            "run.baseline",
            "Make this run the baseline",
            "Run",
            lambda: context.set_baseline(context.run),
            enabled=lambda: context.run is not None,
            group=1,
        ),
        Command("run.older", "Older run", "Run", lambda: step(-1), ("Ctrl+PgUp",), group=1),
        Command("run.newer", "Newer run", "Run", lambda: step(1), ("Ctrl+PgDown",), group=1),
        Command("run.connect", "Connect a model\u2026", "Run", window.connect_model, group=2),
    ]


def _chain(window: MainWindow) -> list[Command]:
    context = window.context

    def has_session() -> bool:
        return context.session.session is not None

    return [
        Command(
            "chain.edit",
            "Edit the chain",
            "Chain",
            partial(context.show_pane, "Chain"),
            enabled=has_session,
            hint="Add, remove, reorder and switch off processors; their options",
        ),
        Command(
            OF_RUN,
            "Edit the chain of this trace",
            "Chain",
            partial(make_session, context),
            enabled=partial(can_make_session, context),
            hint="Makes a session of the run that is looked at; its recording can be replayed",
        ),
        *(
            Command(
                f"chain.copy_{kind.lower()}",
                f"Copy as {kind}",
                "Chain",
                partial(window.copy_chain, kind),
                enabled=has_session,
                group=1,
            )
            for kind in ("JSON", "Python")
        ),
    ]


def _rules(window: MainWindow) -> list[Command]:
    context = window.context

    def has_session() -> bool:
        return context.session.session is not None

    return [
        Command(
            "rules.edit",
            "Edit the rules",
            "Rules",
            partial(context.show_pane, "Rules"),
            enabled=has_session,
        ),
        Command(
            "rules.paste",
            "Paste Mastra snippet\u2026",
            "Rules",
            window.paste_snippet,
            group=1,
            hint="Read processors out of TypeScript; nothing is executed",
        ),
        Command(
            "rules.copy_typescript",
            "Copy as TypeScript",
            "Rules",
            partial(window.copy_chain, "TypeScript"),
            enabled=has_session,
            group=1,
            hint="The chain as code for Mastra",
        ),
    ]


def _window(window: MainWindow) -> list[Command]:
    return [Command("window.reset", "Reset the docks", "Window", window.reset_docks)]


def _help(window: MainWindow) -> list[Command]:
    return [
        Command("help.keys", "All keys", "Help", window.open_keys, ("?",)),
        Command("help.about", "About Tripscope", "Help", window.open_about, group=1),
    ]
