"""A painter that outlives the drawing it was made for takes the process with it.

An error keeps the frame it was raised in, and the frame its painter. So each painter is ended by
the block that it is made for.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

import tripscope_gui
from tripscope_gui.theme import Theme
from tripscope_gui.widgets import badge
from tripscope_gui.widgets.badge import Badge

_PAINTER = re.compile(r"Q\w*Painter$")


def _made_outside_a_with(tree: ast.AST) -> Iterator[int]:
    """Lines of calls that make a painter, but for those whose painter a ``with`` ends."""
    ended: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.With):
            for item in node.items:
                made = item.context_expr
                ended.add(made.value if isinstance(made, ast.NamedExpr) else made)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node not in ended:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            name = name.id if isinstance(name, ast.Name) else name
            if isinstance(name, str) and _PAINTER.match(name):
                yield node.lineno


def test_each_painter_is_ended_by_its_block() -> None:
    root = Path(tripscope_gui.__file__).parent
    loose = [
        f"{path.relative_to(root)}:{line}"
        for path in sorted(root.rglob("*.py"))
        for line in _made_outside_a_with(ast.parse(path.read_text("utf-8")))
    ]
    assert not loose


def test_a_painter_outside_of_a_block_is_found() -> None:
    source = "p = QPainter(a)\nwith QPainter(a) as p: f(QtGui.QPainter(b))\nQPainterPath()"
    assert list(_made_outside_a_with(ast.parse(source))) == [1, 2]


def test_an_error_while_painting_is_told_and_survived(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: object) -> None:
        raise LookupError("no such look")

    monkeypatch.setattr(badge, "draw_badge", broken)
    widget = Badge(theme, "pass")
    with pytest.raises(LookupError) as kept:
        widget.grab()
    widget.deleteLater()
    del widget
    qtbot.wait(1)
    assert "no such look" in str(kept.value)
    monkeypatch.undo()
    again = Badge(theme, "pass")
    qtbot.addWidget(again)
    assert not again.grab().isNull()
