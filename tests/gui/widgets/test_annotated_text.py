import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tripscope.patterns.units import join_surrogates, spread, utf16_len
from tripscope.trace.text_run import TextRun
from tripscope_gui.store.lookalikes import odd_characters
from tripscope_gui.store.point_spans import TextSpan
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.caret_bar import in_units
from tripscope_gui.widgets.line_edges import edge
from tripscope_gui.widgets.span_index import SpanIndex
from tripscope_gui.widgets.text_layout import LONGEST, LineMap

TEXTS = {
    "plain": "one two\nthree\n\nfour",
    "emoji": "a \U0001f9d1\u200d\U0001f4bb b\n\U0001f980\U0001f980 c",
    "combining": "e\u0301e\u0301 a\u0308\nx",
    "lone": "a\ud83e b\udd80\nc",
    "ends": "a\r\nb\u2028c\u2029d\x00e\tf",
    "long": "word " * 1000 + "\n" + "x" * 5000,
    "empty": "",
}


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> AnnotatedText:
    made = AnnotatedText(theme, "text")
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    return made


@pytest.mark.parametrize("name", TEXTS)
def test_offsets_and_positions_agree_for_every_text(view: AnnotatedText, name: str) -> None:
    text = TEXTS[name]
    view.set_text(text)
    assert view.text() == text
    units = utf16_len(text)
    for offset in range(0, units + 1, max(1, units // 400)):
        assert view.offset_of(view.position_of(offset)) == offset
    view.grab()


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("cut", [1, 3, 7])
def test_a_text_that_grows_is_the_same_as_one_set_at_once(
    qtbot: QtBot, theme: Theme, view: AnnotatedText, name: str, cut: int
) -> None:
    text = TEXTS[name] * 3
    other = AnnotatedText(theme, "other")
    qtbot.addWidget(other)
    other.resize(400, 300)
    other.set_text(text)
    for end in range(cut, len(text), max(cut, len(text) // 20)):
        view.set_text(text[:end])
    view.set_text(text)
    assert view.toPlainText() == other.toPlainText()
    assert view._map.starts == other._map.starts


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("cut", [1, 3, 7])
@pytest.mark.parametrize("odd", [False, True])
def test_a_run_that_gets_pieces_is_shown_as_one_at_once(
    qtbot: QtBot, theme: Theme, view: AnnotatedText, name: str, cut: int, odd: bool
) -> None:
    """Halves of a character may come in different pieces."""
    units = spread(TEXTS[name] * 3)
    other = AnnotatedText(theme, "other")
    qtbot.addWidget(other)
    for made in (view, other):
        made.show_odd(odd)
    step = max(cut, len(units) // 20)
    run = TextRun()
    for number, at in enumerate(range(0, len(units), step)):
        run.add(number, units[at : at + step])
        view.show_run(run, SpanIndex())
    other.set_text(join_surrogates(units))
    assert view.toPlainText() == other.toPlainText()
    assert view._map.starts == other._map.starts
    assert view.odd == other.odd
    assert view.text() == other.text() == run.text
    view.show_run(TextRun(), SpanIndex())
    assert view.toPlainText() == view.text() == ""


def test_a_run_that_grows_costs_what_it_got(view: AnnotatedText) -> None:
    """The pieces that are shown are not looked at again."""
    run = TextRun()
    run.add(0, "one ")
    view.show_run(run, SpanIndex())
    run.texts[0] = "not asked for any more"
    run.add(1, "two")
    view.show_run(run, SpanIndex())
    assert view.toPlainText() == view.text() == "one two"


def test_the_caret_stays_while_text_is_appended(view: AnnotatedText) -> None:
    view.set_text("one two three")
    view.set_caret(4)
    view.set_text("one two three four")
    assert view.caret() == 4


def test_lines_have_room_for_two_bands(view: AnnotatedText) -> None:
    view.set_text("word " * 100)
    view.grab()
    layout = view.document().firstBlock().layout()
    tops = [layout.lineAt(n).y() for n in range(3)]
    assert tops[1] - tops[0] == tops[2] - tops[1] == Height.TEXT_LINE
    view.set_text("other " * 100)
    view.grab()
    layout = view.document().firstBlock().layout()
    assert layout.lineAt(1).y() - layout.lineAt(0).y() == Height.TEXT_LINE


def test_no_paragraph_of_the_document_is_long(view: AnnotatedText) -> None:
    lines = LineMap()
    text = "x" * 1_000_000
    assert max(map(len, lines.lines(text))) <= LONGEST
    assert lines.length == 1_000_000
    view.set_text(text)
    view.outline(999_990, 999_999)
    assert view.top_offset() > 900_000


def test_matches_replacements_and_leaks_look_different(view: AnnotatedText) -> None:
    view.set_text("one two three")
    pictures: list[QImage] = [view.viewport().grab().toImage()]
    for kind in ("match", "box", "leak"):
        view.set_spans([TextSpan(4, 7, kind, "r", 0)])
        pictures.append(view.viewport().grab().toImage())
    view.set_spans([TextSpan(4, 7, "match", "r", 0), TextSpan(4, 7, "match", "s", 1, winner="r")])
    pictures.append(view.viewport().grab().toImage())
    assert all(one != other for n, one in enumerate(pictures) for other in pictures[:n])


def test_an_outline_flashes_and_stays(qtbot: QtBot, view: AnnotatedText) -> None:
    view.set_text("word \n" * 400)
    view.outline(2000, 2004, flash=True)
    assert view.flashing
    qtbot.waitUntil(lambda: not view.flashing)
    assert view.outlined == (2000, 2004)
    cursor = view.textCursor()
    assert view.viewport().rect().contains(view.cursorRect(cursor))


def test_enter_and_alt_click_tell_their_offset(qtbot: QtBot, view: AnnotatedText) -> None:
    view.set_text("\U0001f980 two")
    view.set_caret(3)
    told: list[tuple[str, int]] = []
    view.entered.connect(lambda offset: told.append(("enter", offset)))
    view.pointed.connect(lambda offset: told.append(("alt", offset)))
    view.picked.connect(lambda offset: told.append(("click", offset)))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    spot = view.cursorRect().center()
    qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, spot
    )
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert told == [("enter", 3), ("alt", 3), ("click", 3)]


def test_invisible_and_look_alike_characters(view: AnnotatedText) -> None:
    text = "p\u0430y\u200b \U0001d5ba\ud83e\u202e"
    found = odd_characters(text)
    assert [(o.start, o.end, o.kind) for o in found] == [
        (1, 2, "twin"),
        (3, 4, "hidden"),
        (5, 7, "twin"),
        (7, 8, "hidden"),
        (8, 9, "hidden"),
    ]
    assert found[0].words == "U+0430 CYRILLIC SMALL LETTER A, looks like a"
    assert found[1].words == "U+200B ZERO WIDTH SPACE"
    assert found[2].like == "a"
    assert "lone high surrogate" in found[3].name
    view.set_text(text)
    before = view.viewport().grab().toImage()
    view.show_odd(True)
    assert view.odd == found
    assert view.viewport().grab().toImage() != before
    assert view.text() == text
    view.show_odd(False)
    assert view.odd == []


DIRECTIONS = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]
DIRECTIONS += ["\u200e", "\u200f", "\u061c"]


def edges(view: AnnotatedText) -> list[float]:
    """Where each offset of the only line stands, from the left."""
    (line,) = view.lines_in_view(view.height())
    return [edge(line.line, offset) for offset in range(line.end + 1)]


@pytest.mark.parametrize("mark", DIRECTIONS, ids=ascii)
@pytest.mark.parametrize("odd", [False, True])
def test_no_mark_turns_letters_round(view: AnnotatedText, mark: str, odd: bool) -> None:
    view.show_odd(odd)
    view.set_text(f"ab {mark}(c d) 1 2{mark} e")
    assert view.text()[3] == mark
    view.grab()
    assert edges(view) == sorted(edges(view))


@pytest.mark.parametrize(
    "text",
    [
        "flag [\u05e9\u05dc\u05d5\u05dd], \u05e9\u05dc\u05d5\u05dd [\u05d0\u05d1] \u304b\u306a",
        "\u0645\u0631\u062d\u0628\u0627 12 ab \u05d0\u05d1, 3",
        "a (\u05d0 \u05d1) b \u05d2 c",
    ],
    ids=ascii,
)
def test_a_stretch_is_where_its_letters_are_also_from_right_to_left(
    view: AnnotatedText, text: str
) -> None:
    view.set_text(text)
    view.grab()
    (line,) = view.lines_in_view(view.height())
    letters = [next(line.rects(at, at + 1)).center().x() for at in range(line.end)]
    assert len(set(letters)) == len(text)
    split = 0
    for start in range(line.end):
        for end in range(start + 1, line.end + 1):
            parts = list(line.rects(start, end))
            split += len(parts) > 1
            under = {x for x in letters if any(p.left() < x < p.right() for p in parts)}
            assert under == set(letters[start:end])
    assert split


@pytest.mark.parametrize("mark", DIRECTIONS, ids=ascii)
@pytest.mark.parametrize("dark", [False, True])
def test_a_mark_of_direction_is_seen_only_where_invisible_characters_are(
    qtbot: QtBot, mark: str, dark: bool
) -> None:
    made = AnnotatedText(Theme("dark" if dark else "light"), "text")
    qtbot.addWidget(made)
    made.resize(400, 60)

    def picture(text: str) -> QImage:
        made.set_text(text)
        return made.viewport().grab().toImage()

    blank = picture("admin\u2060 // x")
    assert picture(f"admin{mark} // x") == blank
    made.show_odd(True)
    assert picture(f"admin{mark} // x") != blank
    # which one it is can be told from another that stands there
    isolate, override = picture("admin\u2066 // x"), picture("admin\u202e // x")
    assert isolate != override
    assert edges(made)[6] > edges(made)[5], "an arrow has a width"


def test_what_is_copied_is_the_text_and_not_what_stands_for_it(view: AnnotatedText) -> None:
    line = "x" * (LONGEST + 200)
    view.set_text(f"a\u202eb\x07\U0001f980 {line}\nlast\ud83e")
    view.show_odd(True)
    view.selectAll()
    view.copy()
    # half a character is nothing that a clipboard can hold
    assert QApplication.clipboard().text() == f"a\u202eb\x07\U0001f980 {line}\nlast\ufffd"


def test_an_offset_in_all_units() -> None:
    text = "\u00e9\U0001f980a"
    assert in_units(text, 3) == (3, 2, 6)
    assert in_units("\ud83e!", 1) == (1, 1, 3)
