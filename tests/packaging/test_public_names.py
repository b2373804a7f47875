"""`__all__` is true, and what it names is documented."""

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import tripscope

ROOT = Path(__file__).parents[2]
PACKAGES = (ROOT / "core" / "tripscope", ROOT / "resources" / "tripscope_resources")


def modules() -> Iterator[str]:
    """Names by path, so that one module that fails to import fails alone."""
    for package in PACKAGES:
        for path in package.rglob("*.py"):
            parts = path.relative_to(package.parent).with_suffix("").parts
            if parts[-1] != "__main__":
                yield ".".join(parts).removesuffix(".__init__")


@pytest.fixture(params=sorted(modules()))
def module(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(request.param)


def test_all_is_honest(module: ModuleType) -> None:
    names = list(getattr(module, "__all__", ()))
    assert len(names) == len(set(names)), "a name stands twice"
    assert [name for name in names if not hasattr(module, name)] == []
    assert [n for n in names if n.startswith("_") and n != "__version__"] == []


@pytest.mark.parametrize("name", sorted(set(tripscope.__all__) - {"__version__"}))
def test_public_name_is_documented(name: str) -> None:
    value = getattr(tripscope, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        doc = value.__dict__.get("__doc__") if inspect.isclass(value) else value.__doc__
        assert doc, name
        # The text that @dataclass makes up from the fields tells nothing.
        assert not doc.startswith(f"{name}("), name
