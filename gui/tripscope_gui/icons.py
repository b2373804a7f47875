"""Line icons on a 16 grid, drawn in the colour of the text they stand beside."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QPushButton

from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Palette
from tripscope_resources import files

_BUTTON_GAP: Final = 5.0
_INK: Final = "currentColor"
"""What stands in the files for the colour of the text."""


class Icon(StrEnum):
    """Names of the shipped icons; each is a file ``icons/NAME.svg``."""

    ARROW_DOWN = "arrow-down"
    ARROW_LEFT = "arrow-left"
    ARROW_RIGHT = "arrow-right"
    ARROW_UP = "arrow-up"
    CHECK = "check"
    CHEVRON_DOWN = "chevron-down"
    CHEVRON_LEFT = "chevron-left"
    CHEVRON_RIGHT = "chevron-right"
    CHEVRON_UP = "chevron-up"
    CODE = "code"
    COMMAND = "command"
    COPY = "copy"
    CROSS = "cross"
    DRAG = "drag"
    EYE = "eye"
    EYE_CROSSED = "eye-crossed"
    FILE = "file"
    FOLDER = "folder"
    FOLLOW = "follow"
    FREEZE = "freeze"
    GEAR = "gear"
    INFO = "info"
    INVISIBLES = "invisibles"
    LOCK = "lock"
    MINUS = "minus"
    MORE = "more"
    PIN = "pin"
    PLAY = "play"
    PLUG = "plug"
    PLUS = "plus"
    REDO = "redo"
    REPLAY = "replay"
    SAVE = "save"
    SEARCH = "search"
    STOP = "stop"
    SWAP = "swap"
    SYNC = "sync"
    TRASH = "trash"
    UNDO = "undo"
    WARNING = "warning"


@cache
def _source(name: str) -> str:
    return files("icons", f"{name}.svg").read_text("utf-8")


def draw_icon(painter: QPainter, rect: QRectF, name: Icon | str, color: QColor) -> None:
    """Draw an icon into ``rect`` (logical pixels, 16 x 16 is its natural size).

    Raises:
        FileNotFoundError: no icon has that name.
    """
    ratio = painter.device().devicePixelRatioF()
    pixmap = icon_pixmap(name, color, rect.width(), ratio)
    painter.drawPixmap(rect.topLeft(), pixmap)


def icon_pixmap(name: Icon | str, color: QColor, size: float = 16.0, ratio: float = 1.0) -> QPixmap:
    """Picture of an icon, ``size`` logical pixels square, kept in Qt's pixmap cache."""
    key = f"tripscope-icon:{name}:{color.rgba():x}:{size}:{ratio}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    pixmap = _drawing(str(name), max(1, round(size * ratio))).copy()
    if _INK in _source(str(name)):
        with QPainter(pixmap) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
            painter.fillRect(pixmap.rect(), color)
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def _drawing(name: str, edge: int) -> QPixmap:
    """An icon in black: buttons ask for two colours of each, and to read a file takes longest."""
    key = f"tripscope-drawing:{name}:{edge}"
    drawing = QPixmap()
    if QPixmapCache.find(key, drawing):
        return drawing
    drawing = QPixmap(edge, edge)
    drawing.fill(Qt.GlobalColor.transparent)
    text = _source(name).replace(_INK, "#000000")
    with QPainter(drawing) as painter:
        QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(0, 0, edge, edge))
    QPixmapCache.insert(key, drawing)
    return drawing


def make_icon(
    name: Icon | str,
    palette: Palette,
    color: QColor | None = None,
    size: float = 16.0,
    gap: float = 0.0,
) -> QIcon:
    """Icon for buttons and menus in ``color`` (t1), t3 where disabled, sharp on every screen.

    ``gap`` adds empty logical pixels at the right: buttons set no distance to their text.
    """
    made = QIcon()
    for ratio in {screen.devicePixelRatio() for screen in QGuiApplication.screens()}:
        for mode, shade in (
            (QIcon.Mode.Normal, color or palette.t1),
            (QIcon.Mode.Disabled, palette.t3),
        ):
            made.addPixmap(_with_gap(icon_pixmap(name, shade, size, ratio), gap), mode)
    return made


def _with_gap(pixmap: QPixmap, gap: float) -> QPixmap:
    if not gap:
        return pixmap
    ratio = pixmap.devicePixelRatio()
    wide = QPixmap(pixmap.width() + round(gap * ratio), pixmap.height())
    wide.setDevicePixelRatio(ratio)
    wide.fill(Qt.GlobalColor.transparent)
    with QPainter(wide) as painter:
        painter.drawPixmap(0, 0, pixmap)
    return wide


def app_icon() -> QIcon:
    """Icon of the program, the same in both themes."""
    made = QIcon()
    for edge in (16, 24, 32, 48, 64, 128, 256):
        made.addPixmap(icon_pixmap("app", QColor("#FFFFFF"), edge))
    return made


class _Binding(QObject):
    """Owned by the button or action, so that Qt cuts the connection when that goes."""

    def __init__(
        self, owner: QAbstractButton | QAction, theme: Theme, name: str, tone: str, size: float
    ) -> None:
        super().__init__(owner)
        self.setObjectName("icon_binding")
        self._owner, self._theme = owner, theme
        self._name, self._tone, self._size = name, tone, size
        theme.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        palette = self._theme.palette
        owner = self._owner
        spaced = isinstance(owner, QPushButton) and owner.text() != ""
        gap = _BUTTON_GAP if spaced else 0.0
        owner.setIcon(make_icon(self._name, palette, palette.tone(self._tone), self._size, gap))
        if isinstance(owner, QAbstractButton):
            owner.setIconSize(QSize(round(self._size + gap), round(self._size)))


def bind_icon(
    owner: QAbstractButton | QAction,
    theme: Theme,
    name: Icon | str,
    tone: str = "t1",
    size: float = 16.0,
) -> None:
    """Give a button or action an icon that follows the theme; a later call replaces it.

    Set a button's text first: beside text the icon keeps a distance.
    """
    old = owner.findChild(_Binding, "icon_binding", Qt.FindChildOption.FindDirectChildrenOnly)
    if old is not None:
        theme.changed.disconnect(old.refresh)
        old.setParent(None)
        old.deleteLater()
    _Binding(owner, theme, str(name), tone, size)
