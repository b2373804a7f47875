"""The conversation: sources, live objects, what hooks return, attempts."""

from __future__ import annotations

import copy

import pytest

from tripscope.message_list import MessageList
from tripscope.messages import (
    Content,
    Message,
    SystemMessage,
    TextPart,
    ToolInvocation,
    ToolInvocationPart,
    text_message,
)


def texts(messages: list[Message]) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages]


def call(id: str = "c1", **fields: object) -> ToolInvocationPart:
    given = {"state": "call", "tool_call_id": id, "tool_name": "lookup", "args": {"q": "x"}}
    return ToolInvocationPart(tool_invocation=ToolInvocation(**(given | fields)))  # type: ignore[arg-type]


@pytest.fixture
def conversation() -> MessageList:
    messages = MessageList()
    messages.add([{"role": "user", "content": t} for t in ("one", "two", "three")], "input")
    return messages


def ids(messages: MessageList) -> list[str]:
    return [str(message.id) for message in messages.messages()]


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


class TestReconcile:
    def test_missing_messages_are_removed(self, conversation: MessageList) -> None:
        given = conversation.messages()
        conversation.reconcile([given[0], given[2]], "processInput", given=ids(conversation))
        assert ids(conversation) == ["m1", "m3"]

    def test_an_empty_array_removes_what_the_hook_was_given(
        self, conversation: MessageList
    ) -> None:
        conversation.add("answer", "response")
        given = [str(m.id) for m in conversation.for_hook("processOutputResult")]
        conversation.reconcile([], "processOutputResult", given=given)
        assert ids(conversation) == ["m1", "m2", "m3"]

    def test_a_copy_replaces_by_id_and_the_original_is_left_alone(
        self, conversation: MessageList
    ) -> None:
        original = conversation.messages()[1]
        edited = original.copy()
        edited.parts[0].text = "TWO"
        given = conversation.messages()
        conversation.reconcile([given[0], edited, given[2]], "processInput", given=["m1", "m2"])
        assert [m.text for m in conversation.messages()] == ["one", "TWO", "three"]
        assert original.text == "two"
        assert conversation.messages()[0] is given[0]

    def test_a_returned_object_that_is_new_is_copied(self, conversation: MessageList) -> None:
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
    def test_new_messages_get_the_source_of_the_hook(self, hook: str, source: str) -> None:
        messages = MessageList()
        messages.reconcile([text_message("user", "new")], hook, given=[])
        assert messages.source("m1") == source

    def test_kept_messages_keep_their_source(self) -> None:
        messages = MessageList()
        messages.add("old", "memory")
        edited = messages.messages()[0].copy()
        edited.parts[0].text = "edited"
        messages.reconcile([edited], "processInput", given=["m1"])
        assert texts(messages.get.remembered.db()) == [("user", "edited")]

    def test_a_system_role_message_becomes_a_system_message(
        self, conversation: MessageList
    ) -> None:
        conversation.add_system("base")
        extra = text_message("system", "Extra rule.")
        conversation.reconcile(
            [*conversation.messages(), extra], "processInput", given=ids(conversation)
        )
        assert [m.content for m in conversation.system_messages] == ["base", "Extra rule."]
        assert ids(conversation) == ["m1", "m2", "m3"]

    def test_what_the_hook_added_to_the_list_itself_stays(self, conversation: MessageList) -> None:
        given = ids(conversation)
        returned = conversation.messages()
        conversation.add("added", "input")
        conversation.reconcile(returned, "processInput", given=given)
        assert [m.text for m in conversation.messages()] == ["one", "two", "three", "added"]

    def test_the_order_of_the_array_is_the_order_of_the_list(
        self, conversation: MessageList
    ) -> None:
        one, two, three = conversation.messages()
        new = text_message("user", "new")
        conversation.reconcile([three, new, one, two], "processInput", given=ids(conversation))
        assert [m.text for m in conversation.messages()] == ["three", "new", "one", "two"]

    def test_a_new_message_in_front_stands_in_front(self, conversation: MessageList) -> None:
        returned = [text_message("user", "zero"), *conversation.messages()]
        conversation.reconcile(returned, "processInput", given=ids(conversation))
        assert [m.text for m in conversation.messages()] == ["zero", "one", "two", "three"]

    def test_messages_outside_the_hooks_view_keep_their_places(self) -> None:
        messages = MessageList()
        messages.add("asked", "input")
        messages.add("first", "response")
        messages.add("asked again", "input")
        messages.add("second", "response")
        second = messages.get.response.db()[1]
        messages.reconcile([second], "processOutputResult", given=["m2", "m4"])
        assert [m.text for m in messages.messages()] == ["asked", "asked again", "second"]

    def test_what_is_appended_goes_behind_what_the_hook_added(
        self, conversation: MessageList
    ) -> None:
        given = ids(conversation)
        returned = [*conversation.messages(), text_message("user", "returned")]
        conversation.add("added", "input")
        conversation.reconcile(returned, "processInput", given=given)
        assert [m.text for m in conversation.messages()][3:] == ["added", "returned"]

    def test_one_message_twice_is_one_message(self, conversation: MessageList) -> None:
        one = conversation.messages()[0]
        conversation.reconcile([one, one], "processInput", given=ids(conversation))
        assert ids(conversation) == ["m1"]

    def test_what_is_no_message_is_refused_and_changes_nothing(
        self, conversation: MessageList
    ) -> None:
        with pytest.raises(TypeError, match="not int"):
            conversation.reconcile([text_message("user", "x"), 3], "processInput", given=["m1"])  # type: ignore[list-item]
        assert ids(conversation) == ["m1", "m2", "m3"]


class TestToolInvocations:
    def test_update_sets_state_and_result_and_keeps_the_arguments(self) -> None:
        messages = MessageList()
        messages.response.append(call())
        done = {"state": "result", "toolCallId": "c1", "toolName": "lookup", "result": {"v": 1}}
        assert messages.update_tool_invocation({"type": "tool-invocation", "toolInvocation": done})
        invocation = messages.find_tool_invocation("c1")
        assert invocation == ToolInvocation(
            state="result",
            tool_call_id="c1",
            tool_name="lookup",
            args={"q": "x"},
            result={"v": 1},
        )

    def test_a_second_update_replaces_the_result(self) -> None:
        messages = MessageList()
        messages.response.append(call())
        messages.update_tool_invocation(call(state="result", result="raw"))
        messages.update_tool_invocation(call(state="result", result="[REDACTED]"))
        found = messages.find_tool_invocation("c1")
        assert found is not None
        assert found.result == "[REDACTED]"

    def test_a_result_of_null_is_a_result(self) -> None:
        messages = MessageList()
        messages.response.append(call())
        messages.update_tool_invocation(call(state="result", result=None))
        [wire] = messages.messages()[0].to_wire()["content"]["parts"]
        assert wire["toolInvocation"]["result"] is None
        messages.update_tool_invocation(call(state="result", result=1))
        [wire] = messages.messages()[0].to_wire()["content"]["parts"]
        assert wire["toolInvocation"]["result"] == 1

    def test_an_unknown_call_is_told(self) -> None:
        assert MessageList().update_tool_invocation(call("nobody")) is False
        assert MessageList().find_tool_invocation("nobody") is None

    def test_another_part_is_refused(self) -> None:
        with pytest.raises(ValueError, match="tool-invocation"):
            MessageList().update_tool_invocation({"type": "text", "text": "x"})


class TestAttempts:
    def test_restore_brings_back_order_text_sources_and_system_messages(
        self, conversation: MessageList
    ) -> None:
        conversation.add_system("base")
        before = [m.to_wire() for m in conversation.messages()]
        moment = conversation.snapshot()
        conversation.messages()[0].parts[0].text = "edited"
        conversation.remove_by_ids(["m2"])
        conversation.add("new", "input")
        conversation.add_system("more")
        conversation.response.append(TextPart(text="bad"))
        conversation.restore(moment)
        assert [m.to_wire() for m in conversation.messages()] == before
        assert [m.content for m in conversation.system_messages] == ["base"]
        assert conversation.response.message is None

    def test_a_snapshot_can_be_restored_again(self, conversation: MessageList) -> None:
        moment = conversation.snapshot()
        for _ in range(2):
            conversation.restore(moment)
            conversation.messages()[0].parts[0].text += "!"
            assert conversation.messages()[0].text == "one!"

    def test_an_attempt_that_is_made_again_uses_the_same_message(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="Look."))
        moment = messages.snapshot()
        for text in ("bad", "good"):
            messages.restore(moment)
            messages.response.begin_attempt(1)
            messages.response.append(TextPart(text=text))
        assert len(messages.messages()) == 1
        assert messages.response.text(1) == "good"

    def test_ids_are_never_given_twice(self, conversation: MessageList) -> None:
        moment = conversation.snapshot()
        [rejected] = conversation.add("bad", "input")
        conversation.restore(moment)
        [accepted] = conversation.add("good", "input")
        assert accepted.id != rejected.id


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
