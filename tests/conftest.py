"""What every test runs under: no display, no outside network, no user settings, no leaks.

The environment is set at import, which is before pytest-qt, Qt or the engine read it.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support import leaks
from tests.support.network import NetworkGuard

_HOME = tempfile.TemporaryDirectory(prefix="tripscope-tests-")

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_API"] = "pyside6"
# A person's own keychain, settings, keys and proxies neither help nor harm a test.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
for _name in ("CONFIG", "DATA", "STATE"):
    os.environ[f"XDG_{_name}_HOME"] = str(Path(_HOME.name, _name.lower()))
for _name in list(os.environ):
    if _name.lower().endswith("_proxy") or _name.startswith(("OPENAI_", "ANTHROPIC_")):
        del os.environ[_name]

settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],  # a loaded machine is no fault of a test
)
# For a search with fresh inputs: HYPOTHESIS_PROFILE=search.
settings.register_profile(
    "search", deadline=None, max_examples=5000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are in no test's name: packed ones hold the second in which they were made.

    Processes that run tests side by side must find the same names.
    """
    return f"{argname} of {len(val)}" if isinstance(val, bytes) else None


def pytest_sessionstart() -> None:
    leaks.watch_tasks()


def pytest_sessionfinish() -> None:
    leaks.unwatch_tasks()


def pytest_unconfigure() -> None:
    _HOME.cleanup()


@pytest.fixture(autouse=True)
def network_guard() -> Iterator[NetworkGuard]:
    """Refuse every connection but loopback, and fail the test even if the refusal was caught."""
    with NetworkGuard() as guard:
        yield guard
    if guard.refused:
        pytest.fail(f"connected beyond loopback: {', '.join(guard.refused)}")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what lives before the test and its fixtures are set up."""
    item.stash[leaks.BEFORE] = leaks.snapshot()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Fail a test after whose fixtures something it began is still alive."""
    result = yield
    found = leaks.find(item.stash[leaks.BEFORE], qt="PySide6.QtWidgets" in sys.modules)
    if found:
        pytest.fail("left behind: " + "; ".join(found), pytrace=False)
    return result
