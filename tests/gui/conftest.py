"""What every test of the window can use."""

import gc
from collections.abc import Generator, Iterator
from functools import partialmethod
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.support.patience import PATIENCE, WHOLE
from tripscope.rules import v8
from tripscope_gui import aio, run_controller, run_history
from tripscope_gui.collector import collect_due
from tripscope_gui.theme import Theme, apply

_HERE = Path(__file__).parent


def pytest_itemcollected(item: pytest.Item) -> None:
    """The offscreen platform warns about each window that has a least size; that is no fault."""
    item.add_marker(pytest.mark.qt_log_ignore("does not support propagateSizeHints"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """The collector runs between two tests, as it runs between two events of the window.

    What is left of a test's window is garbage as soon as the test is over, and may be on the screen
    still; tests of the engine, with the collector on, find none of it. (In a run of many processes
    pytest asks this file about them too.)
    """
    if not _is_here(item):
        return (yield)
    gc.disable()
    result = yield
    if nextitem is not None and _is_here(nextitem):
        collect_due()
    else:
        gc.unfreeze()
        gc.collect()
        gc.enable()
    return result


def _is_here(item: pytest.Item) -> bool:
    return item.path.is_relative_to(_HERE)


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The dark theme, applied to the application."""
    made = Theme("dark")
    apply(qapp, made)
    yield made
    qapp.setStyleSheet("")


class PatientBot(QtBot):
    """Waits as long as all tests do."""

    waitUntil = partialmethod(QtBot.waitUntil, timeout=int(PATIENCE * 1000))
    waitSignal = partialmethod(QtBot.waitSignal, timeout=int(PATIENCE * 1000))
    waitActive = partialmethod(QtBot.waitActive, timeout=int(PATIENCE * 1000))
    waitExposed = partialmethod(QtBot.waitExposed, timeout=int(PATIENCE * 1000))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """The bot of pytest-qt, with more patience."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that closes waits for all that ends by itself, be it longer than a person would.

    It is longer than a test waits for the window, so what does not end by itself fails the test.
    """
    monkeypatch.setattr(aio, "SHUTDOWN_SECONDS", WHOLE)
    monkeypatch.setattr(run_controller, "END_SECONDS", WHOLE)
    monkeypatch.setattr(run_history, "SETTLE_SECONDS", WHOLE)
    monkeypatch.setattr(v8, "_STARTING_SECONDS", WHOLE)
