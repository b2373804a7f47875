"""What a hook may return, and how the run takes it over.

Specification: "Processor interface", the section of each hook. Whatever has another shape is an
error of the hook: the run fails closed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final

from tripscope.errors import HookError
from tripscope.message_list import MessageList
from tripscope.messages import Message
from tripscope.processor import APIErrorResult, InputResult, InputStepResult, LLMRequestResult

if TYPE_CHECKING:
    from tripscope.models.base import Model
    from tripscope.run import StepSettings

FOREIGN_MESSAGE_LIST: Final = "FOREIGN_MESSAGE_LIST"
MESSAGES_AND_MESSAGE_LIST: Final = "MESSAGES_AND_MESSAGE_LIST"
RETURN_SHAPE: Final = "RETURN_SHAPE"

EMPTY_CHANGES_NOTHING: Final = frozenset({"processOutputStep", "processToolResult"})
"""The specification's own examples end these hooks with ``return []``."""


class Returned:
    """Takes over what one hook call returned; ``given`` are the messages that it was given."""

    def __init__(
        self, hook: str, processor: str, messages: MessageList, given: Collection[Message] = ()
    ) -> None:
        self._hook = hook
        self._processor = processor
        self._messages = messages
        self._given = {str(message.id) for message in given}

    def messages(self, value: Any) -> None:
        """Messages, the same message list, `InputResult`, or None.

        System messages are taken from processInput only: those of a step start anew at each
        attempt.

        Raises:
            HookError: ``value`` is none of these.
        """
        if value is None:
            return
        if isinstance(value, MessageList):
            self._same_list(value)
        elif isinstance(value, list):
            self._array(value)
        elif isinstance(value, InputResult):
            if value.messages is not None:
                self._array(value.messages)
            if value.system_messages is not None and self._hook == "processInput":
                self._messages.replace_system(value.system_messages)
        else:
            raise self._error(
                "a list of messages, the message_list that it was given, an InputResult or None",
                value,
            )

    def step(
        self, value: Any, settings: StepSettings, resolve_model: Callable[[str], Model]
    ) -> bool:
        """As `messages`, or an `InputStepResult` whose fields override those of ``settings``.

        Returns:
            Whether ``settings`` changed.
        """
        if not isinstance(value, InputStepResult):
            self.messages(value)
            return False
        if value.messages is not None and value.message_list is not None:
            raise self._breach("returned messages and message_list", MESSAGES_AND_MESSAGE_LIST)
        if value.message_list is not None:
            self._same_list(value.message_list)
        if value.messages is not None:
            self._array(value.messages)
        if value.system_messages is not None:
            self._messages.replace_system(value.system_messages)
        changed = False
        for name in settings.__struct_fields__:
            given = getattr(value, name)
            if given is None:
                continue
            if name == "model" and isinstance(given, str):
                given = resolve_model(given)
            changed |= given != getattr(settings, name)
            setattr(settings, name, given)
        return changed

    def request(self, value: Any) -> LLMRequestResult:
        """`LLMRequestResult`, or None."""
        if value is None:
            return LLMRequestResult()
        if not isinstance(value, LLMRequestResult):
            raise self._error("an LLMRequestResult or None", value)
        return value

    def retry(self, value: Any) -> bool:
        """`APIErrorResult`, or None; whether it asks for a retry."""
        if value is not None and not isinstance(value, APIErrorResult):
            raise self._error("an APIErrorResult or None", value)
        return value is not None and value.retry

    def nothing(self, value: Any) -> None:
        """Whatever processLLMResponse returns is kept for later versions, that is ignored."""

    def _same_list(self, value: MessageList) -> None:
        if value is not self._messages:
            raise self._breach(
                "returned another MessageList than the one it was given", FOREIGN_MESSAGE_LIST
            )

    def _array(self, value: list[Any]) -> None:
        if not value and self._hook in EMPTY_CHANGES_NOTHING:
            return
        try:
            self._messages.reconcile(value, self._hook, given=self._given)
        except (TypeError, ValueError) as error:
            raise self._breach(f"returned messages that are none: {error}", RETURN_SHAPE) from error

    def _error(self, allowed: str, value: Any) -> HookError:
        return self._breach(f"returned {value!r:.120}; it may return {allowed}", RETURN_SHAPE)

    def _breach(self, what: str, code: str) -> HookError:
        return HookError(
            f"{self._hook} of processor {self._processor!r} {what}",
            processor_id=self._processor,
            hook=self._hook,
            code=code,
        )
