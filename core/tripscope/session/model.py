"""The session file, version 1: chain, rules, model choice, tools and prompts.

JSON with camelCase keys; unknown keys are refused, so that a misspelt option is not silently
ignored.
"""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, model_validator
from pydantic.alias_generators import to_camel

from tripscope.arrays import Array
from tripscope.session.text import Text

FORMAT: Final = "tripscope-session"
VERSION: Final = 1
MOST_MS: Final = 86_400_000
"""The longest delay, a day: times of a trace have an end."""
Milliseconds = Annotated[float, Field(ge=0, le=MOST_MS)]


class _Model(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", validate_assignment=True
    )


class RuleTest(_Model):
    """One expectation of a rule. ``span`` is in UTF-16 units, end exclusive."""

    text: Text
    match: bool = True
    span: tuple[int, int] | None = None
    replacement: Text | None = None


class SessionRule(_Model):
    """A rule in JavaScript syntax, with what only the session needs to know of it.

    ``colour`` is one of the eight rule colours, 0 to 7; None takes the next one.
    """

    name: Text
    pattern: Text
    flags: str = "g"
    replacement: Text | None = None
    enabled: bool = True
    colour: Annotated[int, Field(ge=0, le=7)] | None = None
    note: Text | None = None
    tests: list[RuleTest] = []


class ProcessorSpec(_Model):
    """A built-in processor of the chain.

    ``arrays``: the agent's processor arrays that it is put into; None: those that its hooks belong
    to.
    """

    id: Annotated[str, Field(min_length=1)]
    type: str
    enabled: bool = True
    arrays: list[Array] | None = None
    options: dict[str, Any] = {}
    rules: list[SessionRule] = []


class ScriptedError(_Model):
    """A model call that fails."""

    message: Text
    status_code: int | None = None
    is_retryable: bool = False


class ScriptedResponse(_Model):
    """One answer of the scripted model: ``chunks``, or ``text`` as their short form, or ``error``.

    ``chunks`` are language model stream parts (``{"type": "text-delta", "id": "t1", "delta":
    ".."}``); each may say ``delayMs``, the time since the one before it. ``text``: the deltas of
    one text block.
    """

    chunks: list[dict[str, Any]] | None = None
    text: list[Text] | None = None
    error: ScriptedError | None = None
    delay_ms: Milliseconds = 0

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        given = [n for n in ("chunks", "text", "error") if getattr(self, n) is not None]
        if len(given) != 1:
            raise ValueError("needs exactly one of chunks, text and error")
        return self


class ModelChoice(_Model):
    """``use``: ``scripted``, or ``provider/model``. A key never stands in a session."""

    use: str = "scripted"
    base_url: str | None = None
    settings: dict[str, Any] = {}
    provider_options: dict[str, Any] = {}
    script: list[ScriptedResponse] = []

    @model_validator(mode="after")
    def _known_form(self) -> Self:
        provider, slash, model = self.use.partition("/")
        if self.use != "scripted" and not (provider and slash and model):
            raise ValueError(f"use is 'scripted' or 'provider/model', not {self.use!r}")
        return self


class ToolSpec(_Model):
    """A tool with canned replies: the n-th call gets the n-th, later calls the last one.

    ``results`` holds results as plain JSON; ``error`` makes every call raise. ``client``: the tool
    has no execute function, so that a call to it ends the run.
    """

    name: Annotated[str, Field(min_length=1)]
    description: Text = ""
    input_schema: dict[str, Any] = {"type": "object"}
    results: list[Any] = []
    error: Text | None = None
    client: bool = False
    delay_ms: Milliseconds = 0

    @model_validator(mode="after")
    def _has_reply(self) -> Self:
        if not (self.results or self.error is not None or self.client):
            raise ValueError("needs results, an error, or client: true")
        return self


class PromptMessage(_Model):
    """One message of a prompt that has several."""

    role: Literal["user", "assistant", "system"]
    content: Text


class Session(_Model):
    """What a user saves. The first prompt is the one that runs."""

    format: Literal["tripscope-session"] = FORMAT
    version: Literal[1] = VERSION
    name: Text
    description: Text = ""
    instructions: Text = ""
    max_steps: PositiveInt = 5
    max_processor_retries: Annotated[int, Field(ge=0)] | None = None
    tool_choice: Any = None
    model: ModelChoice = ModelChoice()
    chain: list[ProcessorSpec] = []
    tools: list[ToolSpec] = []
    prompts: list[Text | list[PromptMessage]] = []

    @model_validator(mode="after")
    def _unique_names(self) -> Self:
        for what, names in (
            ("chain: processor id", [p.id for p in self.chain]),
            ("tools: tool name", [t.name for t in self.tools]),
        ):
            if twice := sorted({name for name in names if names.count(name) > 1}):
                raise ValueError(
                    f"{what} {twice[0]!r} is used twice; state is kept per id, so two with one id"
                    " would overwrite each other"
                )
        return self
