from typing import Any

import pytest

from tripscope.errors import APIError
from tripscope.models.base import ModelRequest
from tripscope.models.chat_completions.request import messages, request_body
from tripscope.tools import Tool

USER = {"role": "user", "content": [{"type": "text", "text": "hi"}]}


def body(**request: Any) -> dict[str, Any]:
    made, warnings = request_body(
        "m",
        ModelRequest(prompt=[USER], **request),
        provider="openai",
        max_tokens_key="max_tokens",
    )
    assert warnings == []
    return made


def test_the_smallest_request() -> None:
    assert body() == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert body(streaming=False) == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
    }


def test_a_conversation_with_tools() -> None:
    prompt: list[dict[str, Any]] = [
        {"role": "system", "content": "Be terse."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "reasoning", "text": "hm"},
                {"type": "text", "text": "Let me "},
                {"type": "text", "text": "look."},
                {"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"q": "é"}},
                {"type": "tool-call", "toolCallId": "c2", "toolName": "look", "input": {}},
            ],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c1",
                    "toolName": "look",
                    "output": {"type": "json", "value": {"v": ["é"]}},
                },
                {
                    "type": "tool-result",
                    "toolCallId": "c2",
                    "toolName": "look",
                    "output": {"type": "error-text", "value": "gone"},
                },
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    ]
    assert messages(prompt) == [
        {"role": "system", "content": "Be terse."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        },
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "look", "arguments": '{"q":"é"}'},
                },
                {"id": "c2", "type": "function", "function": {"name": "look", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"v":["é"]}'},
        {"role": "tool", "tool_call_id": "c2", "content": "gone"},
        {"role": "assistant", "content": "Done."},
    ]


def test_a_json_output_that_is_a_string_stays_json() -> None:
    output = {"type": "json", "value": "x"}
    part = {"type": "tool-result", "toolCallId": "c", "toolName": "t", "output": output}
    assert messages([{"role": "tool", "content": [part]}])[0]["content"] == '"x"'


def test_an_assistant_with_calls_only_has_null_content() -> None:
    call = {"type": "tool-call", "toolCallId": "c", "toolName": "t", "input": {}}
    assert messages([{"role": "assistant", "content": [call]}])[0]["content"] is None
    assert messages([{"role": "assistant", "content": []}])[0]["content"] == ""


@pytest.mark.parametrize(
    ("part", "sent"),
    [
        (
            {"mediaType": "image/png", "data": "aGk="},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
        ),
        (
            {"mediaType": "image/*", "data": "https://h/x.png"},
            {"type": "image_url", "image_url": {"url": "https://h/x.png"}},
        ),
        (
            {"mediaType": "audio/mpeg", "data": "data:audio/mpeg;base64,aGk="},
            {"type": "input_audio", "input_audio": {"data": "aGk=", "format": "mp3"}},
        ),
        (
            {"mediaType": "application/pdf", "data": "aGk=", "filename": "a.pdf"},
            {
                "type": "file",
                "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,aGk="},
            },
        ),
    ],
)
def test_files(part: dict[str, Any], sent: dict[str, Any]) -> None:
    content = [{"type": "text", "text": "see"}, {"type": "file", **part}]
    assert messages([{"role": "user", "content": content}])[0]["content"][1] == sent


@pytest.mark.parametrize(
    "part", [{"type": "file", "mediaType": "video/mp4", "data": "aGk="}, {"type": "x"}]
)
def test_what_cannot_be_sent_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(APIError, match="cannot carry"):
        messages([{"role": "user", "content": [part]}])


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(APIError, match="unknown role 'narrator'"):
        messages([{"role": "narrator", "content": "x"}])


def test_settings() -> None:
    settings = {
        "temperature": 0,
        "topP": 0.5,
        "topK": 4,
        "presencePenalty": 1,
        "frequencyPenalty": 2,
        "stopSequences": ["x"],
        "seed": 7,
        "maxOutputTokens": 9,
        "maxRetries": 2,
        "timeout": 3,
        "headers": {"x": "y"},
    }
    made = body(model_settings=settings)
    del made["model"], made["messages"], made["stream"], made["stream_options"]
    assert made == {
        "temperature": 0,
        "top_p": 0.5,
        "top_k": 4,
        "presence_penalty": 1,
        "frequency_penalty": 2,
        "stop": ["x"],
        "seed": 7,
        "max_tokens": 9,
    }


def test_a_setting_without_a_place_is_warned_about() -> None:
    request = ModelRequest(prompt=[USER], model_settings={"mood": "good", "seed": None})
    made, warnings = request_body("m", request, provider="p", max_tokens_key="max_tokens")
    assert "mood" not in made
    assert "seed" not in made
    assert warnings == [{"type": "unsupported-setting", "setting": "mood"}]


def test_tools() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    look = Tool(name="look", description="Looks.", input_schema=schema)
    made = body(tools=[look, Tool(name="bare")], tool_choice={"type": "tool", "toolName": "look"})
    assert made["tools"] == [
        {
            "type": "function",
            "function": {"name": "look", "description": "Looks.", "parameters": schema},
        },
        {"type": "function", "function": {"name": "bare", "parameters": {"type": "object"}}},
    ]
    assert made["tool_choice"] == {"type": "function", "function": {"name": "look"}}


@pytest.mark.parametrize("choice", ["auto", "none", "required"])
def test_tool_choice(choice: str) -> None:
    assert body(tools=[Tool(name="t")], tool_choice=choice)["tool_choice"] == choice
    assert body(tools=[Tool(name="t")], tool_choice={"type": choice})["tool_choice"] == choice
    # A server refuses a choice where there is nothing to choose.
    assert "tool_choice" not in body(tool_choice=choice)


@pytest.mark.parametrize(
    ("wanted", "sent"),
    [
        (None, None),
        ({"type": "text"}, None),
        ({"type": "json"}, {"type": "json_object"}),
        (
            {"type": "json", "schema": {"type": "object"}, "name": "n", "description": "d"},
            {
                "type": "json_schema",
                "json_schema": {"name": "n", "schema": {"type": "object"}, "description": "d"},
            },
        ),
    ],
)
def test_response_format(wanted: Any, sent: Any) -> None:
    assert body(response_format=wanted).get("response_format") == sent


def test_options_of_this_provider_only_and_none_that_would_break_the_call() -> None:
    options = {
        "openai": {"reasoningEffort": "low", "parallel_tool_calls": False, "stream": False},
        "other": {"x": 1},
    }
    made = body(provider_options=options)
    assert made["reasoning_effort"] == "low"
    assert made["parallel_tool_calls"] is False
    assert made["stream"] is True
    assert "x" not in made
