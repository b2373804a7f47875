"""The conversation: what is added from where, live objects, system messages, views."""

from __future__ import annotations

import copy

import pytest

from tests.support.conversation import ids, texts
from tripscope.message_list import MessageList
from tripscope.messages import Content, Message, SystemMessage, TextPart, text_message


class TestAdd:
    def test_text_is_a_user_message_with_a_counted_id_and_a_date(self) -> None:
        messages = MessageList()
        [message] = messages.add("hello", "input")
        assert message.id == "m1"
        assert message.created_at is not None
        assert texts(messages.get.all.db()) == [("user", "hello")]

    def test_text_added_as_a_response_is_the_assistants(self) -> None:
        messages = MessageList()
        messages.add("hello", "response")
        assert texts(messages.get.response.db()) == [("assistant", "hello")]

    def test_counted_ids_step_over_those_in_use(self) -> None:
        messages = MessageList()
        messages.add({"id": "m1", "role": "user", "content": "kept"}, "input")
        messages.add("new", "input")
        assert ids(messages) == ["m1", "m2"]

    def test_the_views_select_by_source_and_keep_the_order(self) -> None:
        messages = MessageList()
        messages.add("old", "memory")
        messages.add("context", "context")
        messages.add("asked", "input")
        messages.add("answered", "response")
        assert texts(messages.get.remembered.db()) == [("user", "old")]
        assert texts(messages.get.input.db()) == [("user", "asked")]
        assert texts(messages.get.response.db()) == [("assistant", "answered")]
        assert [m.text for m in messages.get.all.db()] == ["old", "context", "asked", "answered"]

    def test_the_callers_objects_never_change(self) -> None:
        stored = text_message("user", "secret", id="a")
        wire = {"role": "user", "content": [{"type": "text", "text": "secret"}]}
        before = copy.deepcopy((stored, wire))
        messages = MessageList()
        messages.add([stored, wire], "input")
        for message in messages.get.all.db():
            message.parts[0].text = "changed"
            message.content.metadata = {"seen": True}
        messages.remove_by_ids(["a"])
        assert (stored, wire) == before

    def test_editing_a_part_in_place_changes_the_conversation(
        self, conversation: MessageList
    ) -> None:
        conversation.get.input.db()[0].parts[0].text = "ONE"
        assert conversation.prompt()[0]["content"] == [{"type": "text", "text": "ONE"}]

    def test_the_same_id_replaces_and_keeps_place_and_source(
        self, conversation: MessageList
    ) -> None:
        conversation.add({"id": "m2", "role": "user", "content": "TWO"}, "response")
        assert [m.text for m in conversation.messages()] == ["one", "TWO", "three"]
        assert conversation.source("m2") == "input"

    def test_system_messages_are_kept_apart(self) -> None:
        messages = MessageList()
        messages.add([{"role": "system", "content": "a"}, SystemMessage("b"), "hi"], "input")
        assert [message.content for message in messages.system_messages] == ["a", "b"]
        assert texts(messages.messages()) == [("user", "hi")]

    def test_a_response_right_after_the_response_is_merged_into_it(self) -> None:
        messages = MessageList()
        messages.add("hi", "input")
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="one"))
        extra = text_message("assistant", "two")
        extra.content.metadata = {"note": 1}
        messages.add(extra, "response")
        assert texts(messages.messages()) == [("user", "hi"), ("assistant", "onetwo")]
        assert messages.messages()[1].content.metadata == {"note": 1}

    def test_a_response_that_is_added_again_leaves_no_second_copy(self) -> None:
        messages = MessageList()
        messages.response.append(TextPart(text="one"))
        messages.add(messages.get.response.db()[0], "response")
        assert texts(messages.messages()) == [("assistant", "one")]

    def test_an_answer_after_an_assistant_message_of_the_caller_is_its_own(self) -> None:
        messages = MessageList()
        messages.add({"role": "assistant", "content": "partial"}, "input")
        messages.add("answer", "response")
        assert texts(messages.messages()) == [("assistant", "partial"), ("assistant", "answer")]

    def test_results_of_a_tool_message_fill_their_calls(self) -> None:
        messages = MessageList()
        output = {"type": "json", "value": {"v": 1}}
        messages.add(
            [
                {
                    "role": "assistant",
                    "content": [
                        {"type": "tool-call", "toolCallId": "c1", "toolName": "t", "input": {}}
                    ],
                },
                {
                    "role": "tool",
                    "content": [
                        {
                            "type": "tool-result",
                            "toolCallId": "c1",
                            "toolName": "t",
                            "output": output,
                        }
                    ],
                },
            ],
            "input",
        )
        [message] = messages.messages()
        assert message.parts[0].tool_invocation.result == {"v": 1}
        assert message.parts[0].tool_invocation.args == {}
        assert messages.prompt()[-1]["content"][0]["output"] == output

    @pytest.mark.parametrize(
        ("given", "error", "says"),
        [
            (3, TypeError, "not int"),
            ([3], TypeError, "not int"),
            ({"content": "x"}, ValueError, "'role'"),
            ({"role": "user", "content": 3}, ValueError, "'content'"),
            ({"role": "user", "content": {"text": "x"}}, ValueError, "'content'"),
        ],
    )
    def test_what_is_no_message_is_refused(
        self, given: object, error: type[Exception], says: str
    ) -> None:
        messages = MessageList()
        with pytest.raises(error, match=says):
            messages.add(given, "input")  # type: ignore[arg-type]
        assert messages.messages() == []

    def test_legacy_content_gets_its_text_as_a_part(self) -> None:
        messages = MessageList()
        messages.add({"role": "user", "content": {"format": 2, "content": "flat"}}, "input")
        assert [part.text for part in messages.messages()[0].parts] == ["flat"]


class TestSystemMessages:
    def test_edits_of_the_list_that_was_handed_out_have_no_effect(self) -> None:
        messages = MessageList()
        messages.add_system("a")
        messages.system_messages[0].content = "b"
        messages.system_messages.append(SystemMessage("c"))
        assert [m.content for m in messages.system_messages] == ["a"]

    def test_each_attempt_starts_with_those_of_the_beginning(self) -> None:
        messages = MessageList()
        messages.add_system("base")
        messages.set_base_system()
        messages.add_system("this step")
        messages.reset_system()
        assert [m.content for m in messages.system_messages] == ["base"]
        messages.replace_system(["other"])
        messages.reset_system()
        assert [m.content for m in messages.system_messages] == ["base"]

    def test_a_tag_is_written_once(self) -> None:
        messages = MessageList()
        messages.add_system("base")
        messages.add_system("v1", tag="memory")
        messages.add_system("v2", tag="memory")
        assert [m.content for m in messages.system_messages] == ["base", "v2"]


def test_ui_and_core_views_are_copies() -> None:
    messages = MessageList()
    messages.add("hi", "input")
    messages.messages()[0].content.metadata = {"k": [1]}
    ui = messages.get.all.ui()
    assert ui == [
        {
            "id": "m1",
            "role": "user",
            "parts": [{"type": "text", "text": "hi"}],
            "metadata": {"k": [1]},
        }
    ]
    ui[0]["metadata"]["k"].append(2)
    assert messages.messages()[0].content.metadata == {"k": [1]}
    assert messages.get.all.core() == [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]}
    ]


def test_new_messages_belong_to_the_thread_of_the_list() -> None:
    messages = MessageList(thread_id="t", resource_id="r")
    messages.add([Message(role="user", content=Content(parts=[]), thread_id="own"), "hi"], "input")
    assert [(m.thread_id, m.resource_id) for m in messages.messages()] == [("own", "r"), ("t", "r")]
