"""What hooks return is reconciled with the conversation."""

from __future__ import annotations

import pytest

from tests.support.conversation import ids, texts
from tripscope.message_list import MessageList
from tripscope.messages import text_message


def test_missing_messages_are_removed(conversation: MessageList) -> None:
    given = conversation.messages()
    conversation.reconcile([given[0], given[2]], "processInput", given=ids(conversation))
    assert ids(conversation) == ["m1", "m3"]


def test_an_empty_array_removes_what_the_hook_was_given(conversation: MessageList) -> None:
    conversation.add("answer", "response")
    given = [str(m.id) for m in conversation.for_hook("processOutputResult")]
    conversation.reconcile([], "processOutputResult", given=given)
    assert ids(conversation) == ["m1", "m2", "m3"]


def test_a_copy_replaces_by_id_and_the_original_is_left_alone(conversation: MessageList) -> None:
    original = conversation.messages()[1]
    edited = original.copy()
    edited.parts[0].text = "TWO"
    given = conversation.messages()
    conversation.reconcile([given[0], edited, given[2]], "processInput", given=["m1", "m2"])
    assert [m.text for m in conversation.messages()] == ["one", "TWO", "three"]
    assert original.text == "two"
    assert conversation.messages()[0] is given[0]


def test_a_returned_object_that_is_new_is_copied(conversation: MessageList) -> None:
    shared = text_message("user", "shared")
    conversation.reconcile(
        [*conversation.messages(), shared], "processInput", given=ids(conversation)
    )
    conversation.messages()[-1].parts[0].text = "edited later"
    assert shared.text == "shared"
    assert shared.id is None


@pytest.mark.parametrize(
    ("hook", "source"),
    [
        ("processInput", "input"),
        ("processInputStep", "input"),
        ("prepareStep", "input"),
        ("processOutputStep", "response"),
        ("processToolResult", "response"),
        ("processOutputResult", "response"),
    ],
)
def test_new_messages_get_the_source_of_the_hook(hook: str, source: str) -> None:
    messages = MessageList()
    messages.reconcile([text_message("user", "new")], hook, given=[])
    assert messages.source("m1") == source


def test_kept_messages_keep_their_source() -> None:
    messages = MessageList()
    messages.add("old", "memory")
    edited = messages.messages()[0].copy()
    edited.parts[0].text = "edited"
    messages.reconcile([edited], "processInput", given=["m1"])
    assert texts(messages.get.remembered.db()) == [("user", "edited")]


def test_a_system_role_message_becomes_a_system_message(conversation: MessageList) -> None:
    conversation.add_system("base")
    extra = text_message("system", "Extra rule.")
    conversation.reconcile(
        [*conversation.messages(), extra], "processInput", given=ids(conversation)
    )
    assert [m.content for m in conversation.system_messages] == ["base", "Extra rule."]
    assert ids(conversation) == ["m1", "m2", "m3"]


def test_what_the_hook_added_to_the_list_itself_stays(conversation: MessageList) -> None:
    given = ids(conversation)
    returned = conversation.messages()
    conversation.add("added", "input")
    conversation.reconcile(returned, "processInput", given=given)
    assert [m.text for m in conversation.messages()] == ["one", "two", "three", "added"]


def test_the_order_of_the_array_is_the_order_of_the_list(conversation: MessageList) -> None:
    one, two, three = conversation.messages()
    new = text_message("user", "new")
    conversation.reconcile([three, new, one, two], "processInput", given=ids(conversation))
    assert [m.text for m in conversation.messages()] == ["three", "new", "one", "two"]


def test_a_new_message_in_front_stands_in_front(conversation: MessageList) -> None:
    returned = [text_message("user", "zero"), *conversation.messages()]
    conversation.reconcile(returned, "processInput", given=ids(conversation))
    assert [m.text for m in conversation.messages()] == ["zero", "one", "two", "three"]


def test_messages_outside_the_hooks_view_keep_their_places() -> None:
    messages = MessageList()
    messages.add("asked", "input")
    messages.add("first", "response")
    messages.add("asked again", "input")
    messages.add("second", "response")
    second = messages.get.response.db()[1]
    messages.reconcile([second], "processOutputResult", given=["m2", "m4"])
    assert [m.text for m in messages.messages()] == ["asked", "asked again", "second"]


def test_what_is_appended_goes_behind_what_the_hook_added(conversation: MessageList) -> None:
    given = ids(conversation)
    returned = [*conversation.messages(), text_message("user", "returned")]
    conversation.add("added", "input")
    conversation.reconcile(returned, "processInput", given=given)
    assert [m.text for m in conversation.messages()][3:] == ["added", "returned"]


def test_one_message_twice_is_one_message(conversation: MessageList) -> None:
    one = conversation.messages()[0]
    conversation.reconcile([one, one], "processInput", given=ids(conversation))
    assert ids(conversation) == ["m1"]


def test_what_is_no_message_is_refused_and_changes_nothing(conversation: MessageList) -> None:
    with pytest.raises(TypeError, match="not int"):
        conversation.reconcile([text_message("user", "x"), 3], "processInput", given=["m1"])  # type: ignore[list-item]
    assert ids(conversation) == ["m1", "m2", "m3"]
