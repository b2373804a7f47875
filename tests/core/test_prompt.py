"""From messages to the prompt of a provider call."""

from __future__ import annotations

from typing import Any

import pytest

from tripscope.messages import Message, SystemMessage
from tripscope.prompt import split_steps, to_prompt
from tripscope.signals import signal_message


def message(role: str, *parts: dict[str, Any]) -> Message:
    return Message.from_wire({"role": role, "content": {"format": 2, "parts": list(parts)}})


def text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def invocation(id: str = "c1", **fields: Any) -> dict[str, Any]:
    call = {"state": "result", "toolCallId": id, "toolName": "lookup", "args": {"q": "x"}}
    return {"type": "tool-invocation", "toolInvocation": call | fields}


def tool_call(id: str = "c1") -> dict[str, Any]:
    return {"type": "tool-call", "toolCallId": id, "toolName": "lookup", "input": {"q": "x"}}


def tool_result(output: dict[str, Any], id: str = "c1") -> dict[str, Any]:
    return {"type": "tool-result", "toolCallId": id, "toolName": "lookup", "output": output}


def test_system_messages_come_first() -> None:
    prompt = to_prompt([message("user", text("hi"))], [SystemMessage("a"), SystemMessage("b")])
    assert prompt == [
        {"role": "system", "content": "a"},
        {"role": "system", "content": "b"},
        {"role": "user", "content": [text("hi")]},
    ]


def test_a_leading_assistant_message_gets_a_user_message_in_front() -> None:
    prompt = to_prompt([message("assistant", text("hello"))], [SystemMessage("s")])
    assert [m["role"] for m in prompt] == ["system", "user", "assistant"]
    assert prompt[1]["content"] == [text(".")]
    assert to_prompt([message("user", text("hi"))])[0]["content"] == [text("hi")]
    assert to_prompt([], [SystemMessage("s")]) == [{"role": "system", "content": "s"}]


@pytest.mark.parametrize("boundary", [True, False])
def test_each_step_is_an_assistant_message_and_one_tool_message(boundary: bool) -> None:
    parts = [text("Look."), invocation("c1", result={"v": 1}), invocation("c2", result="plain")]
    parts += [{"type": "step-start", "stepNumber": 1}] if boundary else []
    prompt = to_prompt([message("user", text("q")), message("assistant", *parts, text("Done"))])
    assert prompt[1:] == [
        {"role": "assistant", "content": [text("Look."), tool_call("c1"), tool_call("c2")]},
        {
            "role": "tool",
            "content": [
                tool_result({"type": "json", "value": {"v": 1}}, "c1"),
                tool_result({"type": "text", "value": "plain"}, "c2"),
            ],
        },
        {"role": "assistant", "content": [text("Done")]},
    ]


def test_text_behind_a_call_comes_after_its_result() -> None:
    parts = [invocation("c1", result=1), {"type": "data-x", "data": 1}, text("added by a hook")]
    prompt = to_prompt([message("user", text("q")), message("assistant", *parts)])
    assert [m["role"] for m in prompt] == ["user", "assistant", "tool", "assistant"]


def test_two_steps_of_calls_only_are_told_apart_by_their_boundary() -> None:
    parts: list[dict[str, Any]] = [invocation("c1", result=1), {"type": "step-start"}]
    parts.append(invocation("c2", result=2))
    prompt = to_prompt([message("user", text("q")), message("assistant", *parts)])
    assert [m["role"] for m in prompt] == ["user", "assistant", "tool", "assistant", "tool"]


def test_a_tool_that_threw_is_an_error_text() -> None:
    failed = invocation(state="output-error", errorText="boom")
    prompt = to_prompt([message("user", text("q")), message("assistant", failed)])
    assert prompt[1]["content"] == [tool_call()]
    assert prompt[2]["content"] == [tool_result({"type": "error-text", "value": "boom"})]


def test_a_call_without_a_result_is_left_out() -> None:
    pending = message("assistant", text("Look."), invocation(state="call"))
    prompt = to_prompt([message("user", text("q")), pending])
    assert prompt[1:] == [{"role": "assistant", "content": [text("Look.")]}]


def test_reasoning_is_sent_with_its_provider_metadata() -> None:
    part = {"type": "reasoning", "reasoning": "hm", "providerMetadata": {"p": {"signature": "s"}}}
    [_, sent] = to_prompt([message("user", text("q")), message("assistant", part)])
    assert sent["content"] == [
        {"type": "reasoning", "text": "hm", "providerOptions": {"p": {"signature": "s"}}}
    ]


def test_reasoning_that_a_processor_renamed_keeps_its_new_type() -> None:
    thinking = message("assistant", {"type": "reasoning", "reasoning": "hm"})
    thinking.parts[0].type = "thinking"
    [_, sent] = to_prompt([message("user", text("q")), thinking])
    assert sent["content"] == [{"type": "thinking", "text": "hm"}]


def test_files_are_sent_and_data_and_unknown_parts_are_not() -> None:
    file = {"type": "file", "mediaType": "image/png", "data": "QUJD"}
    parts: list[dict[str, Any]] = [
        file,
        {"type": "data-note", "data": 1},
        {"type": "source", "url": "u"},
        text("look"),
    ]
    [sent] = to_prompt([message("user", *parts)])
    assert sent["content"] == [file, text("look")]


def test_a_message_with_nothing_to_say_is_left_out() -> None:
    empty = message("assistant", {"type": "data-note", "data": 1})
    assert to_prompt([message("user", text("q")), empty]) == [
        {"role": "user", "content": [text("q")]}
    ]


def test_a_signal_is_a_tagged_user_message() -> None:
    signal = signal_message("continue", attributes={"type": "anthropic-prefill-processor-retry"})
    [sent] = to_prompt([signal])
    tagged = '<system-reminder type="anthropic-prefill-processor-retry">continue</system-reminder>'
    assert sent == {"role": "user", "content": [text(tagged)]}


def test_a_quote_in_an_attribute_does_not_end_it() -> None:
    [sent] = to_prompt([signal_message("x", attributes={"a": 'b" onload="c'})])
    assert sent["content"][0]["text"] == ("<system-reminder a='b\" onload=\"c'>x</system-reminder>")


def test_the_prompt_shares_nothing_with_the_messages() -> None:
    messages = [message("user", text("q")), message("assistant", invocation(result={"v": [1]}))]
    prompt = to_prompt(messages)
    prompt[1]["content"][0]["input"]["q"] = "changed"
    prompt[2]["content"][0]["output"]["value"]["v"].append(2)
    assert messages[1].to_wire()["content"]["parts"] == [invocation(result={"v": [1]})]


def test_half_a_surrogate_pair_stays_what_it_is() -> None:
    [sent] = to_prompt([message("user", text("\ud83d"), text("\ude00"))])
    assert [part["text"] for part in sent["content"]] == ["\ud83d", "\ude00"]


def test_split_steps_drops_empty_steps() -> None:
    parts = message("assistant", {"type": "step-start"}, text("a"), {"type": "step-start"}).parts
    assert [[part.text for part in step] for step in split_steps(parts)] == [["a"]]
