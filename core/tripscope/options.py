"""The options of a built-in processor as files spell them, in camelCase."""

from __future__ import annotations

from collections.abc import Collection

from tripscope.wire import JSON

_NO_OPTIONS = frozenset({"id", "type"})
"""What a description of a processor has besides its options."""


def given_options(
    options: dict[str, JSON], known: Collection[str], kind: str, *, null_is_default: bool = True
) -> dict[str, JSON]:
    """The options that say something; ``kind`` is the processor's type, for the error.

    Raises:
        ValueError: one of them is not among the ``known``.
    """
    given = {
        key: value
        for key, value in options.items()
        if key not in _NO_OPTIONS and (value is not None or not null_is_default)
    }
    if unknown := [key for key in given if key not in known]:
        if not known:
            raise ValueError(f"{kind} takes no options, but was given {unknown[0]!r}")
        raise ValueError(f"{kind} has no option {unknown[0]!r}; it knows {', '.join(known)}")
    return given
