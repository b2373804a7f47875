"""Pictures of the real window in every state: ``python -m tests.gui.look.tour OUT_FOLDER``.

Each state is pictured in both themes and in two sizes, with no display. ``--only main --only lab``
leaves the others out, ``--size 1600x1000`` takes another size. A scene is one window and the
states that it goes through, in order.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests.gui.look import tour_sessions as sessions
from tests.support.window import finished, no_settings, until
from tripscope_gui.aio import run_app
from tripscope_gui.app import make_application
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.findings import FindingsPane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.shot import quiet_offscreen, settle, show_run
from tripscope_gui.theme import Mode, Theme
from tripscope_gui.widgets.annotated_text import AnnotatedText

Size: TypeAlias = tuple[int, int]
SIZES: Final[tuple[Size, ...]] = ((1280, 800), (1920, 1080))
MODES: Final[tuple[Mode, ...]] = ("light", "dark")
Act: TypeAlias = Callable[[MainWindow], Awaitable[None]]


def _stands_still(window: MainWindow) -> bool:
    """Whether no outline flashes any more."""
    return not any(text.flashing for text in window.findChildren(AnnotatedText))


async def _nothing(_window: MainWindow) -> None:
    """The state is there already."""


@dataclass(frozen=True, slots=True)
class State:
    """One picture of each size and theme. ``panes``: brought to the front after ``act``."""

    name: str
    panes: tuple[str, ...] = ()
    act: Act = _nothing


@dataclass(frozen=True, slots=True)
class Scene:
    """One window. ``open`` readies what all its states share, given a folder for files."""

    states: tuple[State, ...]
    open: Callable[[MainWindow, Path], Awaitable[None]] = field(default=lambda w, f: _nothing(w))


def _run(make: Callable[[Path], Path]) -> Callable[[MainWindow, Path], Awaitable[None]]:
    async def run(window: MainWindow, folder: Path) -> None:
        await show_run(window, make(folder))

    return run


def _example(name: str) -> Callable[[MainWindow, Path], Awaitable[None]]:
    return _run(lambda _folder: sessions.example(name))


def _trigger(command: str) -> Act:
    async def trigger(window: MainWindow) -> None:
        assert window.context.actions.trigger(command), command

    return trigger


async def _choose_email(window: MainWindow) -> None:
    context = window.context
    run, store = context.run, context.store
    assert run is not None
    assert store is not None
    found = next(finding for finding in store.findings if finding.rule == "email")
    context.selection.set(selection_of(run.number, store, found))


async def _choose_leak(window: MainWindow) -> None:
    pane = window.work.grid.pane("Findings")
    assert isinstance(pane, FindingsPane)
    await until(lambda: any(row.leak is not None for row in pane.model_rows))
    window.context.show_pane(pane.TITLE)
    pane.table.selectRow(next(n for n, row in enumerate(pane.model_rows) if row.leak is not None))
    await until(lambda: pane.desk.advice is not None and pane.advice.lines)


async def _break_rule(window: MainWindow) -> None:
    desk = desk_of(window.context)
    desk.copy_preset("regex-filter", "pii")
    await _trigger("view.rule_lab")(window)
    await settle()
    desk.choose("regex-filter", "email")
    desk.type_pattern(r"\b(?<local>([\w+-]+\.?)+)@(?<host>[\w-]+(?:\.[a-z]{2,0})+)\b", "gi")
    # the preview runs once typing pauses
    await asyncio.sleep(0.5)


async def _replay_edited(window: MainWindow) -> None:
    window.context.session.undo_stack.undo()
    await _trigger("view.rule_lab")(window)
    desk = desk_of(window.context)
    assert desk.set_option("secrets", "streamCarryoverSize", 256) is None
    desk.add(
        desk.rows[0].rule.model_copy(
            update={"name": "order-id", "pattern": r"ORD-\d{6}", "replacement": "[ORDER_ID]"}
        ),
        "regex-filter",
    )
    await finished(window, lambda: window.context.actions.trigger("run.replay"))
    await settle()
    await _trigger("run.compare")(window)


async def _rechunk(window: MainWindow) -> None:
    await _trigger("run.rechunk")(window)
    await until(lambda: not window.context.tasks.running)


async def _start_slowly(window: MainWindow, folder: Path) -> None:
    window.documents.open_session(sessions.slow(folder))


async def _run_a_while(window: MainWindow) -> None:
    assert window.context.actions.trigger("run.start")
    await until(lambda: window.context.store and len(window.context.store.rows) > 60)


async def _freeze(window: MainWindow) -> None:
    assert window.context.actions.trigger("run.freeze")
    await until(lambda: window.context.runs.behind > 60)


async def _stop(window: MainWindow) -> None:
    window.context.runs.set_frozen(False)
    await finished(window, window.context.runs.stop)


async def _open_raising(window: MainWindow, folder: Path) -> None:
    await show_run(window, await sessions.raising(folder))


SCENES: Final = (
    Scene((State("start"), State("palette", act=_trigger("view.palette")))),
    Scene((State("new", act=lambda w: w.documents.new()),)),
    Scene(
        (
            State("main", ("Timeline", "Chunks", "Text", "Findings", "State", "Rules")),
            State("main-advice", ("Findings",), act=_choose_leak),
            State("main-email", act=_choose_email),
            State("main-event", ("Event", "Advisories", "Tests")),
            State("main-runs", ("Runs", "Chain")),
            State("main-rechunk", ("Re-chunk", "State")),
            State("lab-error", act=_break_rule),
            State("lab-after", ("After replacement", "Groups")),
            State("compare", act=_replay_edited),
            State("compare-chunks", ("Chunks side by side",)),
            State("compare-prompt", ("Prompt",)),
            State("compare-checks", ("Checks",)),
            State("compare-time", ("Time",)),
        ),
        _example("support-agent"),
    ),
    Scene(
        (State("half-address"), State("half-address-cuts", ("Re-chunk",), _rechunk)),
        _example("half-an-address"),
    ),
    Scene(
        (State("blocked"), State("blocked-state", ("Tripwire", "Chunks"))),
        _example("secret-in-prompt"),
    ),
    Scene(
        (
            State("tools-hooks", ("Hooks",)),
            State("tools-messages", ("Messages",)),
            State("tools-request", ("Request",)),
        ),
        _example("tool-loop"),
    ),
    Scene(
        (
            State("running", act=_run_a_while),
            State("frozen", act=_freeze),
            State("stopped", act=_stop),
        ),
        _start_slowly,
    ),
    Scene((State("error-model"),), _run(sessions.failing)),
    Scene((State("error-processor"),), _open_raising),
    Scene(
        (State("odd"), State("odd-request", ("Request", "Event"))),
        _run(sessions.odd),
    ),
)
FRONT: Final = (
    "Pattern",
    "Live preview",
    "Matches",
    "Safety",
    "Text that left",
    "Timelines, aligned",
    "What you changed",
    "First difference",
)
"""Panes of the rule lab and of Compare that are in front without being asked for."""


def states() -> Iterator[State]:
    """All states, scene after scene."""
    for scene in SCENES:
        yield from scene.states


async def tour(theme: Theme, out: Path, only: set[str], sizes: Sequence[Size]) -> int:
    """Save all pictures.

    Returns:
        How many there are.
    """
    made = 0
    for scene in SCENES:
        if only and not any(state.name in only for state in scene.states):
            continue
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                made += await _play(scene, theme, size, Path(folder), out, only)
    return made


async def _play(
    scene: Scene, theme: Theme, size: Size, folder: Path, out: Path, only: set[str]
) -> int:
    window = MainWindow(theme, no_settings())
    window.resize(*size)
    window.show()
    made = 0
    try:
        await settle()
        await scene.open(window, folder)
        for state in scene.states:
            await state.act(window)
            for pane in state.panes:
                window.context.show_pane(pane)
            await settle()
            await until(partial(_stands_still, window))
            for mode in MODES if not only or state.name in only else ():
                theme.set_mode(mode)
                await settle()
                path = out / f"{state.name}-{mode}-{size[0]}x{size[1]}.png"
                if not window.grab().save(str(path), "PNG"):
                    raise OSError(f"the picture cannot be written to {path}")
                made += 1
    finally:
        await window.context.tasks.shutdown()
        window.closed.set()
        window.close()
        window.deleteLater()
    return made


def _size(words: str) -> Size:
    width, _, height = words.partition("x")
    return int(width), int(height)


def main() -> int:
    """Make the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.gui.look.tour", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT_FOLDER")
    parser.add_argument("--only", action="append", default=[], metavar="STATE")
    parser.add_argument("--size", action="append", default=[], type=_size, metavar="WxH")
    wanted = parser.parse_args()
    unknown = set(wanted.only) - {state.name for state in states()}
    if unknown:
        parser.error(f"no state {', '.join(sorted(unknown))}")
    wanted.out.mkdir(parents=True, exist_ok=True)
    quiet_offscreen()
    app = make_application("light")
    theme = app.findChild(Theme, "theme")
    assert isinstance(theme, Theme)

    async def go() -> int:
        made = await tour(theme, wanted.out, set(wanted.only), wanted.size or SIZES)
        sys.stdout.write(f"{made} pictures in {wanted.out}\n")
        return 0 if made else 1

    return run_app(app, go)


if __name__ == "__main__":
    sys.exit(main())
