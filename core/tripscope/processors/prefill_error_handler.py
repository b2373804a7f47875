"""PrefillErrorHandler: goes on when a provider refuses a prompt that ends with an answer."""

from __future__ import annotations

import re
from typing import ClassVar, Final, Self

from tripscope.chunks import Chunk
from tripscope.errors import APIError
from tripscope.options import given_options
from tripscope.processor import APIErrorResult, ProcessAPIErrorArgs, Processor
from tripscope.signals import signal_message
from tripscope.wire import JSON

DEFAULT_ID: Final = "prefill-error-handler"
_REFUSALS: Final = re.compile(
    "does not support assistant message prefill"  # Anthropic
    "|assistant response prefill is incompatible with enable[-_ ]?thinking"  # Qwen, llama.cpp
    "|requests ending with a model turn are not supported",  # Gemini
    re.IGNORECASE,
)


class PrefillErrorHandler(Processor):
    """Adds a hidden reminder to go on and retries, once per step.

    Some models take a trailing assistant message for the beginning of their answer and refuse it.
    It acts only after such a refusal, and only on the first attempt: what is refused again stays an
    error. Takes no options.
    """

    TYPE: ClassVar[str] = "prefill-error-handler"
    name = "Prefill Error Handler"

    def __init__(self, *, id: str = DEFAULT_ID) -> None:
        self.id = id

    @classmethod
    def from_options(cls, options: dict[str, JSON], *, id: str = DEFAULT_ID) -> Self:
        """Make one.

        Raises:
            ValueError: there are options.
        """
        given_options(options, (), cls.TYPE, null_is_default=False)
        return cls(id=id)

    def describe(self) -> dict[str, JSON]:
        """Id and type."""
        return {"id": self.id, "type": self.TYPE}

    async def process_api_error(self, args: ProcessAPIErrorArgs) -> APIErrorResult | None:
        """Retry a refused prefill with a reminder at the end of the messages."""
        if args.retry_count > 0 or not _is_refusal(args.error):
            return None
        reminder = signal_message(
            "continue", attributes={"type": "anthropic-prefill-processor-retry"}
        )
        args.message_list.add(reminder, "input")
        if args.writer is not None:
            data = {"type": "reactive", "tagName": "system-reminder", "contents": "continue"}
            await args.writer.custom(Chunk("data-signal", data=data, transient=True))
        return APIErrorResult(retry=True)


def _is_refusal(error: Exception) -> bool:
    texts = [str(error)]
    if isinstance(error, APIError):
        texts += [error.message, error.body or ""]
    return any(_REFUSALS.search(text) for text in texts)
