"""Light and dark: which palette holds, and its application to every widget of the program."""

from __future__ import annotations

from string import Template
from typing import Final, Literal, get_args

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from tripscope_gui.fonts import load_fonts, mono_font, ui_font
from tripscope_gui.tokens import DARK, LIGHT, PALETTES, Palette
from tripscope_resources import files

Mode = Literal["system", "dark", "light"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)


class Theme(QObject):
    """The palette in force. Widgets keep it, draw from ``palette`` and repaint on ``changed``."""

    changed = Signal()

    def __init__(self, mode: Mode = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mode: Mode = mode
        self._palette = _palette_of(mode)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)

    @property
    def palette(self) -> Palette:
        """Colours to draw with now; replaced as a whole when the theme changes."""
        return self._palette

    @property
    def name(self) -> str:
        """``dark`` or ``light``, whatever the mode."""
        return self._palette.name

    @property
    def mode(self) -> Mode:
        """What the user chose; ``system`` follows the desktop."""
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Choose ``system``, ``dark`` or ``light``; emits ``changed`` if the palette differs.

        Raises:
            ValueError: another word.
        """
        if mode not in MODES:
            raise ValueError(f"theme mode is {mode!r}, use one of {', '.join(MODES)}")
        self._mode = mode
        self._take(_palette_of(mode))

    def _follow_system(self, _scheme: Qt.ColorScheme) -> None:
        if self._mode == "system":
            self._take(_palette_of("system"))

    def _take(self, palette: Palette) -> None:
        if palette is self._palette:
            return
        self._palette = palette
        self.changed.emit()


class _Applier(QObject):
    """Child of the application: dresses it now and on each change of the theme."""

    def __init__(self, app: QApplication, theme: Theme) -> None:
        super().__init__(app)
        self.setObjectName("theme_applier")
        self._app, self._theme = app, theme
        # first in line, so that widgets repaint with the new style already in force
        theme.changed.connect(self.dress)

    def dress(self) -> None:
        palette = self._theme.palette
        # a sheet in place of another is looked up once per ancestor of each widget, one in place
        # of none only once: 1.1 s against 0.1 s in a window full of panes
        self._app.setStyleSheet("")
        self._app.setPalette(qt_palette(palette))
        self._app.setStyleSheet(style_sheet(palette))

    def retire(self) -> None:
        self._theme.changed.disconnect(self.dress)


def apply(app: QApplication, theme: Theme) -> None:
    """Dress the application: fonts, colours, style sheet, now and on every change.

    Call it once, before the first window; a second call hands the application to another theme.
    """
    load_fonts()
    QDir.setSearchPaths("tripscopetheme", [str(files("themes"))])
    old = app.findChild(_Applier, "theme_applier")
    if old is not None:
        old.retire()
        old.setParent(None)
        old.deleteLater()
    app.setFont(ui_font())
    _Applier(app, theme).dress()


def style_sheet(palette: Palette) -> str:
    """The one style sheet of the program with the palette's colours filled in."""
    values = {
        name: value.name()
        for name in Palette.__dataclass_fields__
        if isinstance(value := getattr(palette, name), QColor)
    }
    values |= {
        f"outcome_{name}".replace("-", "_"): c.name() for name, c in palette.outcomes.items()
    }
    values["theme"] = palette.name
    values["mono"] = ", ".join(f'"{family}"' for family in mono_font().families())
    return Template(files("themes", "tripscope.qss").read_text("utf-8")).substitute(values)


def qt_palette(palette: Palette) -> QPalette:
    """The palette for what the style sheet doesn't reach."""
    role = QPalette.ColorRole
    made = QPalette()
    for key, color in (
        (role.Window, palette.head),
        (role.WindowText, palette.t1),
        (role.Base, palette.pane),
        (role.AlternateBase, palette.alt),
        (role.Text, palette.t1),
        (role.Button, palette.raise_),
        (role.ButtonText, palette.t1),
        (role.BrightText, palette.t1),
        (role.ToolTipBase, palette.raise_),
        (role.ToolTipText, palette.t1),
        (role.PlaceholderText, palette.t3),
        (role.Highlight, palette.sel),
        (role.HighlightedText, palette.t1),
        (role.Link, palette.accent),
        (role.LinkVisited, palette.accent),
        (role.Accent, palette.accent),
        (role.Light, palette.line2),
        (role.Midlight, palette.line),
        (role.Mid, palette.line2),
        (role.Dark, palette.line),
        (role.Shadow, palette.line),
    ):
        made.setColor(key, color)
    for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, key, palette.t3)
    return made


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects on, and have the style looked up again."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    if not widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        return  # its style is looked up when it is first shown
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    widget.update()


def _palette_of(mode: Mode) -> Palette:
    if mode != "system":
        return PALETTES[mode]
    scheme = QGuiApplication.styleHints().colorScheme()
    return DARK if scheme == Qt.ColorScheme.Dark else LIGHT
