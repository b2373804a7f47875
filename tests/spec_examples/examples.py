"""The processors of "Processor interface", one after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tripscope.chunks import Chunk, delta_text
from tripscope.errors import APIError
from tripscope.message_list import MessageList
from tripscope.messages import Content, Message, ReasoningPart, TextPart
from tripscope.processor import (
    APIErrorResult,
    InputStepResult,
    ProcessAPIErrorArgs,
    ProcessInputArgs,
    ProcessInputStepArgs,
    Processor,
    ProcessOutputStepArgs,
    ProcessOutputStreamArgs,
    ProcessToolResultArgs,
)


def get_text(message: Message) -> str:
    """Text of a message: its text parts, or else the flattened content of old messages."""
    text = ""
    if isinstance(message.content, Content):
        for part in message.content.parts:
            if isinstance(part, TextPart):
                text += part.text
        if not text and message.content.content is not None:
            text = message.content.content
    return text


class LowercaseProcessor(Processor):
    id = "lowercase"

    def process_input(self, args: ProcessInputArgs) -> list[Message]:
        lowered = []
        for message in args.messages:
            message = message.copy()
            for part in message.parts:
                if isinstance(part, TextPart):
                    part.text = part.text.lower()
            lowered.append(message)
        return lowered


class DynamicModelProcessor(Processor):
    id = "dynamic-model"

    def process_input_step(self, args: ProcessInputStepArgs) -> InputStepResult:
        if args.step_number == 0:
            return InputStepResult(model="openai/gpt-5-mini")
        if args.steps and args.steps[-1].tool_calls:
            return InputStepResult(model="openai/gpt-5.6-sol")
        if args.step_number > 5:
            return InputStepResult(tool_choice="none")
        return InputStepResult()


class ReasoningTransformer(Processor):
    id = "reasoning-transformer"

    def process_input_step(self, args: ProcessInputStepArgs) -> MessageList:
        for message in args.messages:
            if message.role == "assistant":
                for part in message.parts:
                    if isinstance(part, ReasoningPart):
                        part.type = "thinking"
        return args.message_list


class ContentFilter(Processor):
    id = "content-filter"

    def __init__(self, blocked_words: list[str]) -> None:
        self.blocked_words = blocked_words

    def process_input(self, args: ProcessInputArgs) -> list[Message]:
        for message in args.messages:
            texts = [part.text for part in message.parts if isinstance(part, TextPart)]
            if any(word in " ".join(texts) for word in self.blocked_words):
                args.abort("Blocked content detected in input")
        return args.messages

    def process_output_stream(self, args: ProcessOutputStreamArgs) -> Chunk | None:
        if args.part.type == "text-delta":
            text = delta_text(args.part) or ""
            if any(word in text for word in self.blocked_words):
                args.abort("Blocked content detected in output")
        return args.part


class WordCounter(Processor):
    id = "word-counter"

    def __init__(self, log: Callable[[str], None]) -> None:
        self.log = log

    def process_output_stream(self, args: ProcessOutputStreamArgs) -> Chunk:
        if not args.state.get("wordCount"):
            args.state["wordCount"] = 0
        if args.part.type == "text-delta":
            args.state["wordCount"] += len((delta_text(args.part) or "").split())
        if args.part.type == "finish":
            self.log(f"Total words: {args.state['wordCount']}")
        return args.part


class QualityGuardrail(Processor):
    id = "quality-guardrail"

    def __init__(self, evaluate: Callable[[str], float]) -> None:
        self.evaluate = evaluate

    async def process_output_step(self, args: ProcessOutputStepArgs) -> list[Message]:
        score = self.evaluate(args.text)
        if score < 0.7:
            if args.retry_count < 3:
                args.abort(
                    "Response quality too low. Please provide more detail.",
                    retry=True,
                    metadata={"qualityScore": score},
                )
            else:
                args.abort("Response quality too low after multiple attempts.")
        return []


class RedactToolResult(Processor):
    id = "redact-tool-result"

    async def process_tool_result(self, args: ProcessToolResultArgs) -> None:
        if args.tool_name != "lookup-customer":
            return
        redacted = {**args.result, "ssn": "[REDACTED]", "email": "[REDACTED]"}
        args.message_list.update_tool_invocation(
            {
                "type": "tool-invocation",
                "toolInvocation": {
                    "state": "result",
                    "toolCallId": args.tool_call_id,
                    "toolName": args.tool_name,
                    "args": args.args,
                    "result": redacted,
                },
            }
        )


class ScanToolResult(Processor):
    id = "scan-tool-result"

    async def process_tool_result(self, args: ProcessToolResultArgs) -> None:
        text = args.result if isinstance(args.result, str) else json.dumps(args.result)
        if re.search(r"ignore (all )?(previous|prior) instructions", text, re.IGNORECASE):
            args.abort("blocked by scan-tool-result: suspected prompt injection")


class ErrorRecoveryProcessor(Processor):
    id = "error-recovery"

    def process_api_error(self, args: ProcessAPIErrorArgs) -> APIErrorResult | None:
        if args.retry_count > 0:
            return None
        if isinstance(args.error, APIError) and "context length exceeded" in str(args.error):
            messages = args.message_list.get.all.db()
            if len(messages) > 4:
                args.message_list.remove_by_ids([str(messages[1].id), str(messages[2].id)])
                return APIErrorResult(retry=True)
        return None


class ModerationCollector(Processor):
    id = "moderation-collector"
    process_data_parts = True

    def process_output_stream(self, args: ProcessOutputStreamArgs) -> Chunk:
        if args.part.type == "data-moderation":
            args.state.setdefault("warnings", []).append(args.part.data)
        return args.part
