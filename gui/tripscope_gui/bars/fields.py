"""The two fields of the run bar: the prompt and the model of the open session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLineEdit,
    QWidget,
)

from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import elided, one_line, shown
from tripscope_gui.theme import set_style_property
from tripscope_gui.widgets.labels import PlainLabel, plain_tooltip

if TYPE_CHECKING:
    from tripscope.session.model import Session

SCRIPTED: Final = "scripted"
_LABELLED: Final = 170
"""Width in logical pixels from which the field says what it holds, before the text itself."""
_INSET: Final = 2
"""Logical pixels that Qt leaves at both ends of a line's text."""
_BORDER: Final = 1
_PADDING: Final = 9
"""With the border, as the style sheet has them."""


def vertical_rule() -> QFrame:
    """A 1 px line between groups of a bar."""
    rule = QFrame()
    rule.setProperty("kind", "vrule")
    rule.setFixedHeight(18)
    return rule


class PromptField(QLineEdit):
    """The session's first prompt; what is typed becomes part of the session, with undo."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setAccessibleName("prompt")
        self._label = PlainLabel("Prompt", "t3", parent=self)
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textEdited.connect(self._on_edited)
        self.returnPressed.connect(lambda: context.actions.trigger("run.start"))
        context.session.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the prompt of the session as it stands."""
        session = self._context.session.session
        prompt = _first_prompt(session)
        self.setEnabled(session is not None)
        editable = session is None or prompt is None or isinstance(prompt, str)
        self.setReadOnly(not editable)
        text = prompt if isinstance(prompt, str) else ""
        if not editable and isinstance(prompt, list):
            text = f"{len(prompt)} messages, last: {prompt[-1].content}" if prompt else ""
        if shown(text) != self.text():
            self.setText(shown(text))
            self.setCursorPosition(0)
        self.setToolTip(plain_tooltip(text))
        self.setPlaceholderText(
            "Open a session, then type a prompt here" if session is None else "Type a prompt"
        )
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @property
    def is_elided(self) -> bool:
        """Whether the text is wider than the field and drawn with an ellipsis."""
        if not self.text() or self.hasFocus():
            return False
        return elided(*self._drawn()) != one_line(self.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Text that does not fit ends in an ellipsis; while it is edited it scrolls."""
        super().paintEvent(event)
        if not self.is_elided:
            return
        room = self._room()
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        role = QPalette.ColorRole
        with QPainter(self) as painter:
            # over what Qt drew, and not by the style: PySide needs 12 ms for all of `QStyle`
            ground = role.AlternateBase if self.isReadOnly() else role.Base
            drawn = room.adjusted(-_INSET, 0, _INSET, 0)
            painter.fillRect(drawn, self.palette().color(group, ground))
            painter.setPen(self.palette().color(group, role.Text))
            painter.setFont(self.font())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), elided(*self._drawn()))

    def _room(self) -> QRect:
        """Where the text stands, as Qt's own painting has it."""
        margins = self.textMargins()
        left, right = margins.left() + _INSET, margins.right() + _INSET
        inner = self.rect().adjusted(_PADDING, _BORDER, -_PADDING, -_BORDER)
        return inner.adjusted(left, 0, -right, 0)

    def _drawn(self) -> tuple[str, QFont, float]:
        return self.text(), self.font(), self._room().width()

    def _place(self) -> None:
        has_session = self._context.session.session is not None
        self._label.setVisible(has_session and self.width() >= _LABELLED)
        size = self._label.sizeHint()
        self._label.setGeometry(10, (self.height() - size.height()) // 2, size.width() + 2, 16)
        left = size.width() + 8 if not self._label.isHidden() else 0
        self.setTextMargins(left, 0, 0, 0)

    def _on_edited(self, text: str) -> None:
        session = self._context.session.session
        if session is None:
            return
        prompts = [text, *session.prompts[1:]]
        changed = session.model_copy(update={"prompts": prompts})
        self._context.session.edit("edit prompt", changed, merge="prompt")


def _first_prompt(session: Session | None) -> object:
    return session.prompts[0] if session is not None and session.prompts else None


class ModelField(QComboBox):
    """``scripted`` or ``provider/model``; a choice becomes part of the session, with undo."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setAccessibleName("model")
        self.setProperty("invalid", False)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        edit = QLineEdit()
        self.setLineEdit(edit)
        edit.setPlaceholderText("provider/model")
        edit.setAccessibleName("model")
        edit.setFont(self.font())
        edit.editingFinished.connect(self._take)
        self.activated.connect(lambda _index: self._take())
        context.session.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the model of the session as it stands."""
        session = self._context.session.session
        use = session.model.use if session is not None else SCRIPTED
        choices = [SCRIPTED, *self._context.settings.models]
        self.blockSignals(True)
        self.clear()
        self.addItems(list(dict.fromkeys([*choices, use])))
        self.setCurrentText(use)
        self.blockSignals(False)
        self.setEnabled(session is not None)
        self._mark(True)

    def _take(self) -> None:
        session = self._context.session.session
        use = self.currentText().strip()
        if session is None or use == session.model.use:
            self._mark(True)
            return
        provider, slash, model = use.partition("/")
        if use != SCRIPTED and not (provider and slash and model):
            self._mark(False)
            return
        changed = session.model.model_copy(update={"use": use})
        if use != SCRIPTED:
            self._context.settings.add_model(use)
        self._context.session.edit(
            f"use model {use}", session.model_copy(update={"model": changed})
        )

    def _mark(self, right: bool) -> None:
        set_style_property(self, "invalid", not right)
        self.setToolTip(
            "" if right else "A model is 'scripted' or 'provider/model', such as openai/gpt-5-nano"
        )
        if not right:
            self._context.say("A model is named 'scripted' or 'provider/model'")
