from PySide6.QtWidgets import QApplication

from tests.support.window import finished, live, session_wire
from tripscope.session import session_from_wire
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


def set_option(window: MainWindow, **options: object) -> None:
    access = window.context.session
    assert access.session is not None
    (spec,) = access.session.chain
    changed = spec.model_copy(update={"options": spec.options | options})
    access.edit("option", access.session.model_copy(update={"chain": [changed]}))


def facts(window: MainWindow) -> list[str]:
    return [f"{b.fact.number} {b.fact.words}" for b in window.work.changes.buttons]


def test_a_replay_says_what_the_edit_changed(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.session.take(session_from_wire(session_wire()))
        first = await finished(window, window.context.runs.start)
        assert not window.work.changes.isVisible()
        set_option(window, presets=["urls"])
        await finished(window, window.context.runs.replay)
        assert window.work.changes.isVisible()
        assert facts(window)[:2] == ["\u22121 finding", "\u2260 output changed"]
        window.work.changes.buttons[0].click()
        assert window.context.run is first
        assert window.context.selection.current.rule == "email"
        assert not window.work.changes.isVisible()

    live(qapp, theme, drive)


def test_the_same_chain_changes_nothing(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.session.take(session_from_wire(session_wire()))
        await finished(window, window.context.runs.start)
        await finished(window, window.context.runs.replay)
        assert [fact for fact in facts(window) if "text" not in fact] == ["= nothing changed"]
        assert window.work.changes._head.text() == "Replayed unchanged"

    live(qapp, theme, drive)


def test_another_replacement_is_not_a_new_finding(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        rule = {"name": "mail", "pattern": "ann@\\S+", "replacement": "[A]"}
        chain = [{"id": "f", "type": "regex-filter", "rules": [rule]}]
        chain[0]["options"] = {"strategy": "redact"}  # type: ignore[assignment]
        access = window.context.session
        access.take(session_from_wire(session_wire(chain=chain)))
        await finished(window, window.context.runs.start)
        assert access.session is not None
        (spec,) = access.session.chain
        other = spec.rules[0].model_copy(update={"replacement": "[B]"})
        changed = spec.model_copy(update={"rules": [other]})
        access.edit("replacement", access.session.model_copy(update={"chain": [changed]}))
        await finished(window, window.context.runs.replay)
        assert facts(window)[:2] == ["\u22601 replaced", "\u2260 output changed"]

    live(qapp, theme, drive)
