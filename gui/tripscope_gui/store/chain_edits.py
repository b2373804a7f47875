"""Edits of a session's chain: each gives a changed copy and leaves the session given alone."""

from __future__ import annotations

from typing import Any, Final

from tripscope.errors import SessionError
from tripscope.processors import BUILT_INS
from tripscope.session.build import build_processor
from tripscope.session.model import ProcessorSpec, Session

# What a new processor starts with where its class cannot do without.
_STARTS: Final[dict[str, dict[str, Any]]] = {
    "regex-filter": {"presets": ["pii"], "strategy": "redact"},
    "redact-tool-result": {"presets": ["pii"]},
    "answer-check": {"pattern": r"\S"},
}


def kinds() -> list[tuple[str, str]]:
    """(type, name) of every built-in processor, by name."""
    found = [(kind, str(getattr(cls, "name", kind))) for kind, cls in BUILT_INS.items()]
    return sorted(found, key=lambda entry: entry[1].lower())


def place_of(session: Session, processor: str) -> int:
    """Place of a processor in the chain, or -1."""
    return next((n for n, spec in enumerate(session.chain) if spec.id == processor), -1)


def added_processor(
    session: Session, kind: str, after: str | None = None
) -> tuple[Session, ProcessorSpec]:
    """``session`` with one more processor, behind another one or at the end."""
    spec = ProcessorSpec(id=free_id(session, kind), type=kind, options=dict(_STARTS.get(kind, {})))
    chain = list(session.chain)
    place = place_of(session, after) if after is not None else -1
    chain.insert(place + 1 if place >= 0 else len(chain), spec)
    return session.model_copy(update={"chain": chain}), spec


def free_id(session: Session, wanted: str) -> str:
    """``wanted``, with a number behind it if a processor has that id."""
    taken = {spec.id for spec in session.chain}
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    return name


def removed_processor(session: Session, processor: str) -> Session:
    """``session`` without one processor."""
    chain = [spec for spec in session.chain if spec.id != processor]
    return session.model_copy(update={"chain": chain})


def moved_processor(session: Session, place: int, to: int) -> Session:
    """``session`` with the processor of one place at another."""
    chain = list(session.chain)
    chain.insert(to, chain.pop(place))
    return session.model_copy(update={"chain": chain})


def renamed_processor(session: Session, processor: str, new: str) -> Session:
    """``session`` with another id for a processor.

    Raises:
        ValueError: the id is empty or taken; the message says what is wrong with it.
    """
    new = new.strip()
    if not new:
        raise ValueError("An id cannot be empty")
    if new != processor and place_of(session, new) >= 0:
        raise ValueError(f"{new} is taken: state is kept by id, so two with one id overwrite it")
    chain = [
        spec.model_copy(update={"id": new}) if spec.id == processor else spec
        for spec in session.chain
    ]
    return session.model_copy(update={"chain": chain})


def with_options(session: Session, processor: str, **changes: Any) -> Session:
    """``session`` with options of a processor set; None takes the default.

    Raises:
        SessionError: the processor refuses them; the message says why.
    """
    place = place_of(session, processor)
    spec = session.chain[place]
    options = {**spec.options, **changes}
    options = {key: value for key, value in options.items() if value is not None}
    changed = spec.model_copy(update={"options": options})
    check(changed)
    chain = list(session.chain)
    chain[place] = changed
    return session.model_copy(update={"chain": chain})


def check(spec: ProcessorSpec) -> None:
    """Make the processor once, for its own opinion of its options.

    Raises:
        SessionError: it refuses them.
    """
    try:
        build_processor(spec)
    except SessionError as error:
        raise SessionError(str(error).removeprefix(f"{error.place}: ")) from error


def enabled_processor(session: Session, processor: str, on: bool) -> Session:
    """``session`` with a processor switched on or off."""
    chain = [
        spec.model_copy(update={"enabled": on}) if spec.id == processor else spec
        for spec in session.chain
    ]
    return session.model_copy(update={"chain": chain})
