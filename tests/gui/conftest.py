"""What every test of the window can use."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tripscope_gui.collector import collect_due
from tripscope_gui.theme import Theme, apply

_HERE = Path(__file__).parent


def pytest_itemcollected(item: pytest.Item) -> None:
    """The offscreen platform warns about each window that has a least size; that is no fault."""
    item.add_marker(pytest.mark.qt_log_ignore("does not support propagateSizeHints"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(nextitem: pytest.Item | None) -> Iterator[None]:
    """The collector runs between two tests, as it runs between two events of the window.

    What is left of a test's window is garbage as soon as the test is over, and may be on the screen
    still; tests of the engine, with the collector on, find none of it.
    """
    gc.disable()
    result = yield
    if nextitem is not None and nextitem.path.is_relative_to(_HERE):
        collect_due()
    else:
        gc.unfreeze()
        gc.collect()
        gc.enable()
    return result


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The dark theme, applied to the application."""
    made = Theme("dark")
    apply(qapp, made)
    yield made
    qapp.setStyleSheet("")
