"""What attempts change in the conversation: tool invocations, and the way back."""

from __future__ import annotations

import pytest

from tests.support.conversation import call
from tripscope.message_list import MessageList
from tripscope.messages import TextPart, ToolInvocation


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
