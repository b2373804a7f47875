"""What every test of the window can use."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tripscope_gui.theme import Theme, apply


def pytest_itemcollected(item: pytest.Item) -> None:
    """The offscreen platform warns about each window that has a least size; that is no fault."""
    item.add_marker(pytest.mark.qt_log_ignore("does not support propagateSizeHints"))


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The dark theme, applied to the application."""
    made = Theme("dark")
    apply(qapp, made)
    yield made
    qapp.setStyleSheet("")
