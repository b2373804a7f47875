"""A form made from the options of a built-in processor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.delegates.texts import shown
from tripscope_gui.fonts import mono_font
from tripscope_gui.store.option_fields import OptionField, fields_of
from tripscope_gui.theme import set_style_property
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.labels import PlainLabel

_UNSET: Final = object()
_NAMES_A_LINE: Final = 2


class OptionForm(QWidget):
    """One line an option; a value that is refused is marked and not taken."""

    edited = Signal(str, object)
    """(option, value): None for its default."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: object = _UNSET
        self._options: Mapping[str, Any] = {}
        self.editors: dict[str, QWidget] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._form = QWidget()
        self._column.addWidget(self._form)
        self.none = PlainLabel("It takes no options.", "t3")
        self._column.addWidget(self.none)

    def show_options(self, kind: str, options: Mapping[str, Any]) -> None:
        """Show the options of a processor of that type."""
        self._options = options
        if kind != self._kind:
            self._kind = kind
            self._build(fields_of(kind))
        for field in fields_of(kind):
            self._show(field, options.get(field.key))

    def mark(self, key: str, wrong: bool) -> None:
        """Mark the field of an option as refused."""
        editor = self.editors.get(key)
        if editor is not None:
            set_style_property(editor, "invalid", wrong)

    def _build(self, fields: tuple[OptionField, ...]) -> None:
        self._column.removeWidget(self._form)
        self._form.hide()
        self._form.deleteLater()
        self._form = QWidget()
        self.editors = {}
        form = QFormLayout(self._form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(Space.BASE)
        form.setVerticalSpacing(Space.SNUG)
        for field in fields:
            editor = self.editors[field.key] = self._editor(field)
            editor.setAccessibleName(field.words)
            if field.kind == "flag":
                form.addRow("", editor)
            else:
                form.addRow(PlainLabel(field.words, "t2", px=TypeSize.LABEL), editor)
        self._column.insertWidget(0, self._form)
        self.none.setVisible(not fields)

    def _editor(self, field: OptionField) -> QWidget:
        if field.kind == "flag":
            box = QCheckBox(field.words)
            box.toggled.connect(
                lambda on, f=field: self.edited.emit(f.key, None if on == f.default else on)
            )
            return box
        if field.kind == "choice":
            combo = QComboBox()
            combo.setProperty("small", True)
            combo.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            combo.setMinimumWidth(120)
            combo.addItems(list(field.choices))
            combo.textActivated.connect(
                lambda text, f=field: self.edited.emit(f.key, None if text == f.default else text)
            )
            return combo
        if field.kind == "names":
            return self._names(field)
        edit = QLineEdit()
        edit.setProperty("small", True)
        if field.mono:
            edit.setFont(mono_font(TypeSize.EDITOR_MONO))
        if field.default is not None:
            edit.setPlaceholderText(str(field.default))
        edit.textEdited.connect(lambda text, f=field: self._on_text(f, text))
        return edit

    def _names(self, field: OptionField) -> QWidget:
        row = QWidget()
        grid = QGridLayout(row)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.BASE)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(_NAMES_A_LINE, 1)
        for number, name in enumerate(field.choices):
            box = QCheckBox(name)
            box.setObjectName(name)
            box.toggled.connect(lambda on, f=field, n=name: self._on_name(f, n, on))
            grid.addWidget(box, *divmod(number, _NAMES_A_LINE))
        return row

    def _show(self, field: OptionField, value: Any) -> None:
        editor = self.editors[field.key]
        value = field.default if value is None else value
        set_style_property(editor, "invalid", False)
        with QSignalBlocker(editor):
            if isinstance(editor, QCheckBox):
                editor.setChecked(bool(value))
            elif isinstance(editor, QComboBox):
                editor.setCurrentText(str(value))
            elif isinstance(editor, QLineEdit):
                given = self._options.get(field.key)
                text = "" if given is None else shown(str(given))
                if editor.text() != text and not (
                    editor.hasFocus() and _same(editor.text(), given)
                ):
                    editor.setText(text)
        for box in editor.findChildren(QCheckBox):
            with QSignalBlocker(box):
                box.setChecked(box.objectName() in (value or ()))

    def _on_text(self, field: OptionField, text: str) -> None:
        if field.kind != "number":
            self.edited.emit(field.key, text if text or field.required else None)
            return
        try:
            number = float(text) if text.strip() else None
        except ValueError:
            self.mark(field.key, True)
            return
        if number is not None and number.is_integer():
            number = int(number)
        self.edited.emit(field.key, number)

    def _on_name(self, field: OptionField, name: str, on: bool) -> None:
        names = [n for n in self._options.get(field.key) or () if n != name]
        if on:
            names.append(name)
        self.edited.emit(field.key, names or None)


def _same(text: str, value: Any) -> bool:
    """Whether a number is only spelled otherwise while it is typed."""
    try:
        return value is not None and float(text) == float(value)
    except (TypeError, ValueError):
        return False
