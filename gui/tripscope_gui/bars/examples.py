"""The shipped example sessions, and what happens in each when it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tripscope.wording import many
from tripscope_resources import files

if TYPE_CHECKING:
    from tripscope_gui.run_store import RunStore

_SUFFIX: Final = ".tripscope.json"
_FIRST: Final = "support-agent"


class Example(NamedTuple):
    """One shipped session; ``path`` is where it lies on this disk."""

    path: Path
    title: str
    description: str


def examples() -> list[Example]:
    """All shipped sessions, the one to start with first; files that cannot be read are left out."""
    found: list[Example] = []
    folder = files("examples")
    for path in sorted(folder.glob(f"*{_SUFFIX}"), key=lambda p: (_FIRST not in p.name, p.name)):
        try:
            wire = json.loads(path.read_text("utf-8"))
            found.append(Example(path, str(wire["name"]), str(wire.get("description", ""))))
        except (OSError, ValueError, KeyError):
            continue
    return found


def is_example(path: Path) -> bool:
    """Whether a file ships with the program, so that it is not saved over."""
    return path.absolute().parent == files("examples").absolute()


async def run_once(path: Path) -> RunStore:
    """Run an example with its scripted model, its delays passed over.

    Raises:
        TripscopeError: the session cannot be read or built.
    """
    from tripscope.session import load_session, start_run
    from tripscope_gui.run_store import RunStore

    store = RunStore()
    stream = await start_run(load_session(path), trace=store.append, real_time=False)
    async for _chunk in stream.full_stream:
        pass
    await stream.aclose()
    return store


def summary(store: RunStore) -> str:
    """The most telling fact of a run: ``blocked``, ``2 steps``, ``19 chunks``."""
    if store.status in ("blocked", "error"):
        return store.status
    if store.attempts.steps > 1 and len(store.attempts) == store.attempts.steps:
        return many(store.attempts.steps, "step")
    return many(len(store.rows), "chunk")
