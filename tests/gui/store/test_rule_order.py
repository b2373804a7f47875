from tripscope.session.model import ProcessorSpec, Session, SessionRule
from tripscope_gui.store.rule_order import RuleOrder, chosen_looks


def test_numbers_follow_the_first_mention() -> None:
    order = RuleOrder(["a", "b"])
    assert [order.number(name) for name in ("b", "c", "a")] == [1, 2, 0]
    assert order.names == ("a", "b", "c")


def test_a_chosen_look_is_nobody_elses_while_there_are_others() -> None:
    order = RuleOrder("abc")
    assert order.choose({"c": 1})
    assert [order.number(name) for name in "abc"] == [0, 2, 1]
    assert not order.choose({"c": 1})
    assert order.choose({})
    assert [order.number(name) for name in "abc"] == [0, 1, 2]


def test_looks_go_round_when_all_are_taken() -> None:
    order = RuleOrder()
    order.choose({str(n): n for n in range(8)})
    assert order.number("x") == 0


def test_colours_come_from_the_session() -> None:
    rules = [SessionRule(name="a", pattern="a", colour=5), SessionRule(name="b", pattern="b")]
    session = Session(name="s", chain=[ProcessorSpec(id="f", type="regex-filter", rules=rules)])
    assert chosen_looks(session) == {"a": 5}
    assert chosen_looks(None) == {}
