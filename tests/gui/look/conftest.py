"""A dressed application for the tests of the look kit."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tripscope_gui.theme import Theme, apply


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme("dark")
    apply(qapp, made)
    yield made
    qapp.setStyleSheet("")
