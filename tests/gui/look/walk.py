"""From "this answer still shows half an e-mail address" to the proof that it no longer does.

``python -m tests.gui.look.walk OUT_FOLDER`` saves a picture of each step. The example is the
complaint of its own description; the hand that is driven reads the window as a person does.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QWidget

from tests.gui.look.hand import Hand
from tests.support.window import no_settings
from tripscope_gui.aio import run_app
from tripscope_gui.app import make_application
from tripscope_gui.main_window import MainWindow
from tripscope_gui.shot import quiet_offscreen
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.chunk_view import ChunkView
from tripscope_gui.widgets.pattern_edit import PatternEdit
from tripscope_gui.widgets.tables import TableView

EXAMPLE: Final = "Half an address"
MOST: Final = 15
"""Clicks and keys that the whole way may take."""
PATTERN: Final = "pattern of the rule, JavaScript syntax"


async def walk(hand: Hand, trace: Path | None = None) -> None:
    """Find out why, fix the rule, prove it; everything asserted is what can be read.

    It begins with the example, or with a trace of it that the command line named.
    """
    window = hand.window
    await hand.begin()
    if trace is None:
        await hand.picture("start")
        await hand.press(f"Open {EXAMPLE}")
    else:
        window.open_paths([trace])
    await hand.see(lambda: over(window, 1))
    await hand.picture("half an address is left")
    assert answer(hand).startswith("You can reach Marie at marie-louise.o'sha[EMAIL] or")
    assert says(hand, "Nothing left before decided: FAIL email, 3 units")

    # why: the check that fails leads to the chunk, the text and the rule
    await hand.press("Nothing left before decided: at chunk 13")
    await hand.picture("why")
    findings = hand.named(TableView, "findings")
    assert "left at 13" in row_of(findings, findings.currentIndex().row())
    chunks = hand.named(ChunkView, "Chunks")
    assert chunks.viewport().rect().contains(chunks.visualRect(chunks.currentIndex()))
    if trace is not None:
        await hand.press("Edit the chain of this trace")
    await hand.see(lambda: says(hand, "Longest match here 32 > window 16"))

    # the first cause is the window; the rule says so and offers the cure
    await hand.press("set window to 32")
    await hand.key("Ctrl+Return")
    await hand.see(lambda: over(window, 2))
    await hand.picture("less is left")
    assert says(hand, "Nothing left before decided: pass was FAIL: email, 3 units")
    assert answer(hand).startswith("You can reach Marie at marie-louise.o'[EMAIL] or")

    # the second is the pattern: in the text before, its match begins behind the apostrophe
    await hand.point(hand.named(AnnotatedText, "Text before"), "shaugh", alt=True)
    await hand.picture("where the match begins")
    pattern = hand.named(PatternEdit, PATTERN)
    cursor = pattern.textCursor()
    cursor.setPosition(pattern.toPlainText().index("."))
    await hand.click(pattern.viewport(), pattern.cursorRect(cursor).center(), "into the pattern")
    await hand.type("'")
    await hand.picture("the pattern is fixed")
    assert says(hand, "Longest match here 47 > window 32")
    await hand.press("set window to 64")
    await hand.key("Ctrl+Return")
    await hand.see(lambda: over(window, 3))
    await hand.picture("nothing is left")
    assert answer(hand).startswith("You can reach Marie at [EMAIL] or [PHONE].")
    assert says(hand, "1 moved")
    assert says(hand, "\u2260 output changed")
    assert says(hand, "Joined = whole: pass")
    assert says(hand, "Nothing left before decided: pass")

    # and so it is wherever the model cuts its answer
    await hand.press("Re-chunk", within=hand.named(QWidget, "what the edit changed"))
    await hand.see(lambda: not window.context.tasks.running)
    await hand.picture("proved at every cut")
    proof = hand.named(TableView, "text blocks and their failing cuts")
    assert "pass  135 cuts" in row_of(proof, 0)
    assert proof.model().rowCount() == 1


def answer(hand: Hand) -> str:
    """What the client got, as the text pane shows it."""
    return hand.named(AnnotatedText, "Text after").toPlainText()


def says(hand: Hand, words: str) -> bool:
    """Whether something in view is announced with these words."""
    return any(words in widget.accessibleName() for widget in hand.in_view(QWidget))


def row_of(view: TableView, row: int) -> list[str]:
    """The cells of a row."""
    model = view.model()
    return [str(model.index(row, c).data() or "") for c in range(model.columnCount())]


def over(window: MainWindow, run: int) -> bool:
    """Whether that run is looked at, and is over."""
    context = window.context
    return (
        context.run is not None
        and context.run.number == run
        and context.run.store.over
        and not context.runs.running
    )


def main() -> int:
    """Save the pictures."""
    parser = argparse.ArgumentParser(prog="python -m tests.gui.look.walk", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT_FOLDER")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--size", default="1280x800", metavar="WxH")
    wanted = parser.parse_args()
    width, height = map(int, wanted.size.split("x"))
    wanted.out.mkdir(parents=True, exist_ok=True)
    quiet_offscreen()
    app = make_application("dark" if wanted.dark else "light")
    theme = app.findChild(Theme, "theme")
    assert isinstance(theme, Theme)

    async def go() -> int:
        window = MainWindow(theme, no_settings())
        window.resize(width, height)
        window.show()
        hand = Hand(window, wanted.out)
        try:
            await walk(hand)
        finally:
            await window.context.tasks.shutdown()
            window.closed.set()
            window.close()
            window.deleteLater()
        sys.stdout.write("".join(f"{n}. {step}\n" for n, step in enumerate(hand.steps, 1)))
        return 0

    return run_app(app, go)


if __name__ == "__main__":
    sys.exit(main())
