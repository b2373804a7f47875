"""Files dropped on the window are opened, whatever is under the pointer."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.window import live, until, write_session
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


def drag_onto(widget: QWidget, mime: QMimeData) -> bool:
    """Drag over the middle of a widget and let go, as the window system tells it."""
    window = widget.window()
    at = widget.mapTo(window, QPoint(widget.width() // 2, widget.height() // 2))
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    taken = []
    for event in (
        QDragEnterEvent(at, Qt.DropAction.CopyAction, mime, buttons, keys),
        QDragMoveEvent(at, Qt.DropAction.CopyAction, mime, buttons, keys),
        QDropEvent(QPointF(at), Qt.DropAction.CopyAction, mime, buttons, keys),
    ):
        QApplication.sendEvent(window.windowHandle(), event)
        taken.append(event.isAccepted())
    return all(taken)


def test_a_file_dropped_on_a_field_is_opened(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    first = write_session(tmp_path, "first")
    path = write_session(tmp_path, "second", prompts=["Another?"])

    async def drive(window: MainWindow) -> None:
        await until(lambda: window._drops)
        window.documents.open_session(first)
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        assert drag_onto(window.run_bar.prompt, mime)
        await until(lambda: window.context.session.path == path)
        assert window.run_bar.prompt.text() == "Another?"
        assert not window.context.session.dirty

    live(qapp, theme, drive)


def test_text_dropped_on_a_field_is_typed(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def drive(window: MainWindow) -> None:
        await until(lambda: window._drops)
        window.documents.open_session(write_session(tmp_path))
        mime = QMimeData()
        mime.setText("https://example.test/a")
        assert drag_onto(window.run_bar.prompt, mime)
        assert "https://example.test/a" in window.run_bar.prompt.text()

    live(qapp, theme, drive)
