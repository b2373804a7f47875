"""What can be offered, and the few changes of a session that are."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from tripscope.session.model import ProcessorSpec, Session

MOST_UNITS: Final = 200_000
"""UTF-16 units of a text that is still tried out."""


class Remedy(Struct, frozen=True):
    """One line: ``before`` [``link``] ``after``.

    Attributes:
        session: the changed session; None: the one at hand holds it already, and a replay shows it.
        edit: what the change is called in an undo list.
    """

    before: str
    link: str
    after: str
    session: Session | None = None
    edit: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.before, self.link, self.after) if part)


class Advice(Struct, frozen=True):
    """Why it happened, as far as it can be told, and what helps."""

    why: str = ""
    remedies: tuple[Remedy, ...] = ()


def with_processor(session: Session, spec: ProcessorSpec) -> Session:
    """``session`` with its processor of that id replaced."""
    chain = [spec if old.id == spec.id else old for old in session.chain]
    return session.model_copy(update={"chain": chain})


def with_option(session: Session, spec: ProcessorSpec, name: str, value: Any) -> Session:
    """``session`` with one option of one processor set."""
    return with_processor(
        session, spec.model_copy(update={"options": {**spec.options, name: value}})
    )
