"""The state of a processor, compared key by key with what the trace last saw of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

from tripscope.trace.digest import digest, shown
from tripscope.trace.plain import plain
from tripscope.wire import JSON

_Look: TypeAlias = "JSON | tuple[dict[Any, JSON]]"
"""A digest; or alone in a tuple the entries that an object told of itself."""

Change: TypeAlias = tuple[str, JSON, JSON]
"""(key, before, after) as digests without identities; None where the key was not there."""

_NOTHING: Final = object()


class WatchedState:
    """``values`` is what the hooks of one processor id are given as their ``state``.

    An object that has a ``digest()`` of its own, a small flat dict, is shown as one key for each of
    its entries.
    """

    __slots__ = ("_looks", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._looks: dict[Any, _Look] = {}

    def news(self) -> tuple[Change, ...]:
        """What changed since this was last asked, the keys that went last."""
        if self._looks_as_before():
            return ()
        looks = self._looks
        fresh = {key: _look(value) for key, value in self.values.items()}
        self._looks = {key: _kept(look) for key, look in fresh.items()}
        found: list[Change] = []
        for key, look in fresh.items():
            found += _changes(key, looks.get(key, _NOTHING), look)
        for key, was in looks.items():
            if key not in fresh:
                found += _changes(key, was, _NOTHING)
        return tuple(found)

    def _looks_as_before(self) -> bool:
        """Whether nothing changed, as after nearly every call: it makes nothing new to see that."""
        values, looks = self.values, self._looks
        if len(values) != len(looks):
            return False
        try:
            for key, value in values.items():
                was = looks[key]
                if type(was) is tuple:
                    if value.digest() != was[0]:
                        return False
                elif _look(value) != was:
                    return False
        except Exception:  # a new key; or a foreign object, which may do anything
            return False
        return True


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
    return (dict(look[0]),) if type(look) is tuple else look


def _changes(key: Any, was: _Look, now: _Look) -> Iterator[Change]:
    before, after = _entries(key, was), _entries(key, now)
    for name, value in after.items():
        old = before.get(name)
        if name not in before or old != value:
            yield name, shown(old), shown(value)
    for name, value in before.items():
        if name not in after:
            yield name, shown(value), None


def _entries(key: Any, look: _Look) -> dict[str, JSON]:
    if look is _NOTHING:
        return {}
    if type(look) is tuple:
        return {_entry(key, name): item for name, item in look[0].items()}
    return {_name(key): look}


def _name(key: object) -> str:
    try:
        return str(key)
    except Exception:  # a foreign object may do anything
        return str(plain(key))


@lru_cache(maxsize=256, typed=True)
def _entry(key: object, name: object) -> str:
    """The key of an entry: one string for all events of a trace, which keep it."""
    return f"{_name(key)}.{_name(name)}"
