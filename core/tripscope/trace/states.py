"""The state of a processor, compared key by key with what the trace last saw of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

from tripscope.trace.digest import changes, digest
from tripscope.trace.plain import plain
from tripscope.wire import JSON

_Look: TypeAlias = "JSON | tuple[dict[Any, JSON]]"
"""A digest; or alone in a tuple the entries that an object told of itself."""

_NOTHING: Final = object()


class WatchedState:
    """``values`` is what the hooks of one processor id are given as their ``state``.

    An object that has a ``digest()`` of its own, a small flat dict, is shown as one key for each of
    its entries.
    """

    __slots__ = ("_looks", "_seen", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._looks: dict[Any, _Look] = {}
        self._seen: dict[str, JSON] = {}

    def news(self) -> tuple[tuple[str, JSON, JSON], ...]:
        """What changed since this was last asked: see `tripscope.trace.digest.changes`."""
        if self._looks_the_same():
            return ()
        before = self._seen
        self.see()
        return changes(before, self._seen)

    def _looks_the_same(self) -> bool:
        values, looks = self.values, self._looks
        if len(values) != len(looks):
            return False
        for key, value in values.items():
            look = looks.get(key, _NOTHING)
            if type(look) is tuple:  # most often, and of the same object as before
                try:
                    if value.digest() != look[0]:
                        return False
                except Exception:  # a foreign object may do anything
                    return False
            elif _look(value) != look:
                return False
        return True

    def see(self) -> None:
        """Take the state as it is for what the trace knows."""
        self._looks = {key: _kept(_look(value)) for key, value in self.values.items()}
        self._seen = digests = {}
        for key, look in self._looks.items():
            if isinstance(look, tuple):
                for name, item in look[0].items():
                    digests[_entry(key, name)] = item
            else:
                digests[_name(key)] = look


def _look(value: Any) -> _Look:
    try:
        own = getattr(value, "digest", None)
        if own is not None and callable(own):
            made = own()
            if isinstance(made, dict):  # not the digest of a hash, say
                return (made,)
        return digest(value)
    except Exception:  # a foreign object may do anything
        return {"type": type(value).__name__, "id": id(value)}


def _kept(look: _Look) -> _Look:
    """The look, safe from an object that goes on filling one and the same dict."""
    return (dict(look[0]),) if isinstance(look, tuple) else look


def _name(key: object) -> str:
    try:
        return str(key)
    except Exception:  # the same
        return str(plain(key))


@lru_cache(maxsize=256, typed=True)
def _entry(key: object, name: object) -> str:
    """The key of an entry: one string for all events of a trace, which keep it."""
    return f"{_name(key)}.{_name(name)}"
