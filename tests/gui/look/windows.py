"""A widget on the (offscreen) screen."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def shown(widget: QWidget, qtbot: QtBot) -> None:
    """Show a widget as the active window, so that it can take the focus."""
    qtbot.addWidget(widget)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
