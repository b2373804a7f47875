"""How busy a thread is: what it computed of the time that passed."""

import time

import pytest

from tripscope_gui.load import Load


def test_the_share_is_of_the_time_since_it_was_asked_last(monkeypatch: pytest.MonkeyPatch) -> None:
    now = {"passed": 100.0, "computed": 5.0}
    monkeypatch.setattr(time, "monotonic", lambda: now["passed"])
    monkeypatch.setattr(time, "thread_time", lambda: now["computed"])
    load = Load()
    now.update(passed=100.2, computed=5.05)
    assert load.share() == pytest.approx(0.25)
    now.update(passed=100.4)
    assert load.share() == 0
    assert load.share() == 0
