"""Chain: the processors of the session, in order, and the options of the selected one."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tripscope.session.model import ProcessorSpec, Session
from tripscope_gui.context import PaneContext
from tripscope_gui.icons import Icon
from tripscope_gui.models.chain_table import ENABLED, NAME, WIDTHS, ChainTable, chain_columns
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.store.chain_edits import (
    added_processor,
    enabled_processor,
    kinds,
    moved_processor,
    place_of,
    removed_processor,
    renamed_processor,
)
from tripscope_gui.theme import set_style_property
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.buttons import IconButton
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.notice import Notice, Severity
from tripscope_gui.widgets.option_form import OptionForm
from tripscope_gui.widgets.reorder_table import ReorderTable

_WIDE: Final = 480


class ChainPane(Pane):
    """Add, remove, reorder, switch off, rename, set options; everything with undo."""

    TITLE = "Chain"
    PLACE = "bottom-right"
    ORDER = 30
    LAB = "lab-low"

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.desk = desk_of(context)
        self._chosen: str | None = None
        self.model = ChainTable(chain_columns(), (), self)
        self.table = ReorderTable(theme, "processors of the chain")
        self.table.setModel(self.model)
        self.table.set_column_widths(WIDTHS, NAME)
        self.id = QLineEdit()
        self.id.setProperty("small", True)
        self.id.setAccessibleName("id of the processor")
        self.form = OptionForm()
        self.notice = Notice(theme)
        self.notice.hide()
        self.add: QToolButton = IconButton(theme, Icon.PLUS, "Add a processor", parent=self)
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add.setMenu(self._kinds_menu())
        self.remove = IconButton(theme, Icon.TRASH, "Remove the selected processor", parent=self)
        self.undo = IconButton(theme, Icon.UNDO, "Undo the last edit", parent=self)
        self.undo.setEnabled(context.session.undo_stack.canUndo())
        self.empty = EmptyState(
            theme, "No processors", "Text goes through as it is.", ("Add a filter",)
        )
        self._lay_out()
        self._connect()
        self._fill()

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(Space.BASE, Space.BASE, Space.BASE, Space.BASE)
        column.setSpacing(Space.SNUG)
        first = QHBoxLayout()
        first.setSpacing(Space.WIDE)
        first.addWidget(PlainLabel("id", "t2", px=TypeSize.LABEL))
        first.addWidget(self.id, 1)
        column.addLayout(first)
        column.addWidget(self.notice)
        column.addWidget(self.form)
        column.addStretch(1)
        self._page = QScrollArea()
        self._page.setFrameShape(QFrame.Shape.NoFrame)
        self._page.setAccessibleName("options of the processor")
        self._page.setWidgetResizable(True)
        self._page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._page.setWidget(page)
        self._rule = QFrame()
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.setSpacing(0)
        self._halves.addWidget(self._stack, 2)
        self._halves.addWidget(self._rule)
        self._halves.addWidget(self._page, 3)
        self.setMinimumSize(200, 60)
        self._stack.setMinimumHeight(42)

    def _connect(self) -> None:
        stack = self.context.session.undo_stack
        self.context.session.changed.connect(self._fill)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.clicked.connect(self._on_clicked)
        self.table.row_dropped.connect(self._on_dropped)
        self.id.textEdited.connect(self._on_id)
        self.form.edited.connect(self._on_option)
        self.remove.clicked.connect(self._remove)
        self.undo.clicked.connect(stack.undo)
        stack.canUndoChanged.connect(self.undo.setEnabled)
        self.empty.button_clicked.connect(lambda _n: self.add_kind("regex-filter"))
        self.desk.chosen.connect(self._follow_desk)
        for keys, act in (
            ("Alt+Up", lambda: self._move(-1)),
            ("Alt+Down", lambda: self._move(1)),
            ("Space", self._toggle),
            ("Delete", self._remove),
        ):
            shortcut = QShortcut(QKeySequence(keys), self.table)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)

    def head_widgets(self) -> list[QWidget]:
        return [self.add, self.remove, self.undo]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _WIDE
        way = QBoxLayout.Direction
        self._halves.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._rule.setProperty("kind", "vrule" if beside else "rule")
        self._rule.setFixedSize(*((1, 16777215) if beside else (16777215, 1)))
        self._rule.style().polish(self._rule)

    # what is shown

    @property
    def _session(self) -> Session | None:
        return self.context.session.session

    @property
    def spec(self) -> ProcessorSpec | None:
        """The selected processor."""
        session = self._session
        if session is None:
            return None
        return next((s for s in session.chain if s.id == self._chosen), None)

    def follow(self) -> None:
        processor = self.context.selection.current.processor
        if processor is not None:
            self.choose(processor)

    def choose(self, processor: str) -> None:
        """Select a processor; nothing happens if the chain has none of that id."""
        session = self._session
        if session is not None and place_of(session, processor) >= 0:
            self._chosen = processor
            self._fill()

    def _follow_desk(self) -> None:
        spec = self.desk.spec
        if spec is not None:
            self.choose(spec.id)

    def _fill(self) -> None:
        session = self._session
        chain = session.chain if session is not None else []
        at = next((n for n, spec in enumerate(chain) if spec.id == self._chosen), -1)
        if at < 0 and chain:
            at = min(max(0, self.table.currentIndex().row()), len(chain) - 1)
        self._chosen = chain[at].id if at >= 0 else None
        with QSignalBlocker(self.table.selectionModel()):
            self.model.reset(list(chain))
            if at >= 0:
                self.table.setCurrentIndex(self.model.index(at, 0))
        self._stack.setCurrentIndex(1 if chain else 0)
        self.set_badge(str(len(chain)) if chain else "")
        self.add.setEnabled(session is not None)
        for button in self.empty.buttons:
            button.setEnabled(session is not None)
        self._show_spec()

    def _show_spec(self) -> None:
        spec = self.spec
        self.remove.setEnabled(spec is not None)
        self._page.setVisible(spec is not None)
        if spec is None:
            return
        if self.id.text() != spec.id:
            self.id.setText(spec.id)
        set_style_property(self.id, "invalid", False)
        self.form.show_options(spec.type, spec.options)
        self.notice.hide()

    def _refuse(self, why: str) -> None:
        self.notice.set_notice(Severity.FAILURE, "", f"{why}; not taken")
        self.notice.setToolTip("")
        self.notice.show()

    # what is done

    def _kinds_menu(self) -> QMenu:
        menu = QMenu(self)
        for kind, name in kinds():
            menu.addAction(name).triggered.connect(lambda _=False, k=kind: self.add_kind(k))
        return menu

    def add_kind(self, kind: str) -> None:
        """Add a processor of a type behind the selected one."""
        session = self._session
        if session is not None:
            changed, spec = added_processor(session, kind, self._chosen)
            self._chosen = spec.id
            self.context.session.edit(f"add {spec.id}", changed)

    def _remove(self) -> None:
        session, spec = self._session, self.spec
        if session is not None and spec is not None:
            self.context.session.edit(f"remove {spec.id}", removed_processor(session, spec.id))

    def _move(self, by: int) -> None:
        session = self._session
        place = place_of(session, self._chosen) if session and self._chosen else -1
        self._move_to(place, place + by)

    def _move_to(self, place: int, to: int) -> None:
        session = self._session
        if session is not None and place >= 0 and 0 <= to < len(session.chain) and place != to:
            words = f"move {session.chain[place].id}"
            self.context.session.edit(words, moved_processor(session, place, to))

    def _on_dropped(self, source: int, target: int) -> None:
        self._move_to(source, target - (1 if target > source else 0))

    def _toggle(self) -> None:
        session, spec = self._session, self.spec
        if session is not None and spec is not None:
            words = f"switch {spec.id} {'off' if spec.enabled else 'on'}"
            changed = enabled_processor(session, spec.id, not spec.enabled)
            self.context.session.edit(words, changed)

    def _on_current(self, now: QModelIndex, _before: QModelIndex) -> None:
        spec = self.model.row(now.row())
        if spec is not None:
            self._chosen = spec.id
            self._show_spec()

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == ENABLED:
            self._toggle()
        elif self.spec is not None:
            self.desk.choose(self.spec.id)

    def _on_id(self, text: str) -> None:
        session, spec = self._session, self.spec
        if session is None or spec is None:
            return
        try:
            changed = renamed_processor(session, spec.id, text)
        except ValueError as error:
            set_style_property(self.id, "invalid", True)
            self._refuse(str(error))
            return
        place = place_of(session, spec.id)
        self._chosen = text.strip()
        self.desk.follow_rename(spec.id, self._chosen)
        self.context.session.edit(f"rename {spec.id}", changed, merge=f"id {place}")
        self.id.setText(text)

    def _on_option(self, key: str, value: object) -> None:
        spec = self.spec
        if spec is None:
            return
        why = self.desk.set_option(spec.id, key, value)
        self.form.mark(key, why is not None)
        if why is not None:
            self._refuse(why)
