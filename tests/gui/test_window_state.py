"""Place and size of the window at its first start."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QMainWindow

from tests.support.window import no_settings
from tripscope_gui import window_state


class Screen:
    def __init__(self, room: QRect) -> None:
        self._room = room

    def availableGeometry(self) -> QRect:
        return self._room


@pytest.mark.parametrize(
    ("screen", "size"),
    [((2560, 1400), (1600, 1000)), ((1280, 800), (1280, 768)), ((1366, 740), (1366, 708))],
)
def test_the_first_window_has_its_title_and_its_status_bar_on_the_screen(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], size: object
) -> None:
    window = QMainWindow()
    monkeypatch.setattr(window, "screen", lambda: Screen(QRect(0, 0, *screen)), raising=False)
    window_state.restore_window(no_settings(), window)  # type: ignore[arg-type]
    assert window.size().toTuple() == size
    window.deleteLater()
