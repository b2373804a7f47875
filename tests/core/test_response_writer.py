"""The response message of a list: how it grows, part by part and step by step."""

from __future__ import annotations

import pytest

from tripscope.message_list import MessageList
from tripscope.messages import (
    Content,
    DataPart,
    Message,
    ReasoningPart,
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


def ids(messages: MessageList) -> list[str]:
    return [str(message.id) for message in messages.messages()]


class TestResponse:
    def test_all_steps_are_one_message(self) -> None:
        messages = MessageList()
        messages.add("hi", "input")
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="Look."))
        messages.response.append(call(state="result", result=1))
        messages.response.begin_attempt(1)
        messages.response.append(TextPart(text="Done"))
        assert len(messages.messages()) == 2
        assert messages.response.text(0) == "Look."
        assert messages.response.text(1) == "Done"

    def test_text_follows_what_processors_do(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="draft"))
        copied = messages.messages()[0].copy()
        copied.parts[0].text = "final"
        messages.reconcile(
            [copied, text_message("user", "a note")], "processOutputStep", given=["m1"]
        )
        assert messages.response.text(0) == "final"
        messages.reconcile([], "processOutputResult", given=ids(messages))
        assert messages.response.text(0) == ""

    def test_what_a_processor_adds_belongs_to_the_step_in_which_it_did(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="first"))
        messages.response.begin_attempt(1)
        messages.add("from a hook", "response")
        assert messages.response.text(0) == "first"
        assert messages.response.text(1) == "from a hook"
        messages.reconcile(
            [*messages.messages(), text_message("assistant", "the last counts")],
            "processOutputStep",
            given=ids(messages),
        )
        assert messages.response.text(1) == "the last counts"

    def test_a_step_that_left_no_part_leaves_the_next_ones_text_in_place(self) -> None:
        messages = MessageList()
        for step, text in ((0, ""), (1, ""), (2, "late")):
            messages.response.begin_attempt(step)
            if text:
                messages.response.append(TextPart(text=text))
        assert [messages.response.text(step) for step in range(3)] == ["", "", "late"]

    @pytest.mark.parametrize(
        ("left", "first", "second"),
        [
            (["Look.", "DONE"], "Look.", "DONE"),
            (["Look."], "Look.", ""),
            (["all new"], "", "all new"),
            ([], "", ""),
        ],
    )
    def test_parts_that_are_built_anew_stay_in_their_steps(
        self, left: list[str], first: str, second: str
    ) -> None:
        messages = MessageList()
        for step, text in enumerate(("Look.", "Done")):
            messages.response.begin_attempt(step)
            messages.response.append(TextPart(text=text))
        parts = [TextPart(text=text) for text in left]
        rebuilt = Message(id="m1", role="assistant", content=Content(parts=parts))
        messages.reconcile([rebuilt], "processOutputStep", given=["m1"])
        assert (messages.response.text(0), messages.response.text(1)) == (first, second)

    def test_an_answer_goes_on_with_the_assistant_message_at_the_end(self) -> None:
        messages = MessageList()
        messages.add({"role": "assistant", "content": "Once upon"}, "input")
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text=" a time"))
        assert texts(messages.get.response.db()) == [("assistant", "Once upon a time")]
        assert messages.response.text(0) == " a time"
        [_, sent] = messages.prompt()
        assert [part["text"] for part in sent["content"]] == ["Once upon", " a time"]
        messages.response.drop_attempt()
        assert texts(messages.get.input.db()) == [("assistant", "Once upon")]

    def test_remembered_messages_are_never_written_to(self) -> None:
        messages = MessageList()
        messages.add({"role": "assistant", "content": "old"}, "memory")
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="new"))
        assert texts(messages.get.remembered.db()) == [("assistant", "old")]
        assert texts(messages.get.response.db()) == [("assistant", "new")]

    def test_later_steps_follow_what_a_processor_put_behind_the_response(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="one"))
        extra = [text_message("user", "note"), text_message("assistant", "two")]
        messages.reconcile([*messages.messages(), *extra], "processOutputStep", given=ids(messages))
        messages.response.begin_attempt(1)
        messages.response.append(TextPart(text="three"))
        assert [m.text for m in messages.messages()] == ["one", "note", "twothree"]
        assert messages.response.text(1) == "three"

    def test_the_answer_goes_back_to_where_it_began(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="one"))
        extra = [text_message("user", "note"), text_message("assistant", "two")]
        messages.reconcile([*messages.messages(), *extra], "processOutputStep", given=ids(messages))
        messages.response.begin_attempt(1)
        messages.response.append(TextPart(text="three"))
        messages.add("another note", "input")
        messages.response.begin_attempt(2)
        messages.response.append(TextPart(text="four"))
        shown = [m.text for m in messages.messages()]
        assert shown == ["onefour", "note", "twothree", "another note"]
        messages.response.mark_incomplete()
        assert messages.messages()[0].content.metadata == {"incomplete": True}

    def test_a_user_message_behind_the_response_is_no_part_of_it(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="one"))
        messages.add("note", "input")
        messages.response.begin_attempt(1)
        messages.response.append(TextPart(text="two"))
        assert [m.text for m in messages.messages()] == ["onetwo", "note"]

    def test_a_block_comes_before_what_began_after_it_but_data(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        first, second = messages.response.take_place(), messages.response.take_place()
        messages.response.append(DataPart(type="data-x", data=1))
        messages.response.append(call())
        messages.response.append(TextPart(text="second"), place=second)
        messages.response.append(TextPart(text="first"), place=first)
        parts = messages.messages()[0].parts
        assert [getattr(part, "text", part.type) for part in parts] == [
            "data-x",
            "first",
            "second",
            "tool-invocation",
        ]

    def test_an_answer_that_was_there_before_the_loop_is_the_first_steps(self) -> None:
        messages = MessageList()
        messages.add("added by processInput", "response")
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="!"))
        assert messages.response.text(0) == "added by processInput!"

    def test_data_with_same_type_and_data_is_kept_once(self) -> None:
        messages = MessageList()
        for n in (1, 1, 2):
            messages.response.append(DataPart(type="data-note", data={"n": n}))
        assert [part.data for part in messages.messages()[0].parts] == [{"n": 1}, {"n": 2}]

    def test_a_dropped_attempt_leaves_the_steps_before_and_the_edits(self) -> None:
        messages = MessageList()
        messages.add("hi", "input")
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="Look."))
        messages.response.begin_attempt(1)
        messages.response.append(TextPart(text="partial"))
        messages.response.append(call("c2"))
        messages.add({"role": "user", "content": "please continue"}, "input")
        assert messages.response.drop_attempt() is False
        assert [m.text for m in messages.messages()] == ["hi", "Look.", "please continue"]
        assert len(messages.messages()[1].parts) == 1
        messages.response.begin_attempt(1)
        messages.response.append(TextPart(text="good"))
        assert messages.response.text(1) == "good"

    def test_a_message_that_is_empty_after_a_dropped_attempt_goes(self) -> None:
        messages = MessageList()
        messages.response.append(TextPart(text="partial"))
        messages.response.drop_attempt()
        assert messages.messages() == []
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="again"))
        assert texts(messages.messages()) == [("assistant", "again")]

    def test_of_a_failed_response_only_text_and_data_stay(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(ReasoningPart(reasoning="hm"))
        messages.response.append(TextPart(text="partial"))
        messages.response.append(DataPart(type="data-x", data=1))
        messages.response.append(call())
        assert messages.response.drop_attempt(keep_text=True) is True
        messages.response.mark_incomplete()
        [message] = messages.messages()
        assert [part.type for part in message.parts] == ["text", "data-x"]
        assert message.content.metadata == {"incomplete": True}

    def test_without_text_nothing_of_it_is_left(self) -> None:
        messages = MessageList()
        messages.response.append(call())
        assert messages.response.drop_attempt(keep_text=True) is False
        assert messages.messages() == []

    def test_a_message_that_a_processor_made_a_bare_text_has_no_metadata(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="Hel"))
        messages.messages()[0].content = "Hello"
        messages.response.mark_incomplete()
        assert messages.messages()[0].content == "Hello"

    def test_what_follows_a_bare_text_is_a_message_of_its_own(self) -> None:
        messages = MessageList()
        messages.response.begin_attempt(0)
        messages.response.append(TextPart(text="Hel"))
        messages.messages()[0].content = "Hello"
        messages.response.begin_attempt(1)
        messages.response.append(TextPart(text="World"))
        assert texts(messages.messages()) == [("assistant", "Hello"), ("assistant", "World")]
        messages.messages()[1].content = "Again"
        messages.add({"role": "assistant", "content": "and more"}, "response")
        assert texts(messages.messages())[1:] == [("assistant", "Again"), ("assistant", "and more")]
