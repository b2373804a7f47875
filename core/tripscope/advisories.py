"""Where the deployed runtime, ``@mastra/core`` 1.71.0, would go another way: said in the trace.

One entry a row of docs/rules.md. A sentence says "the documentation says" only where the row's
source is the specification; else it speaks of Tripscope. docs/advisories.md has a paragraph on
each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from tripscope.trace.events import AdvisoryRaised
from tripscope.trace.recorder import Recorder, Source

RUNTIME: Final = "mastra 1.71.0"


class Advisory(Struct, frozen=True):
    """``once``: a row that only changes an argument of a hook is told once a hook and processor.

    ``by_hook``: what replaces ``{difference}`` in the sentence, for a row that differs hook by
    hook.
    """

    sentence: str
    once: bool = False
    by_hook: Mapping[str, str] = field(default_factory=dict)


ADVISORIES: Final[dict[str, Advisory]] = {
    "D1": Advisory(
        "The documentation says that up to 10 retries are granted where error processors are set "
        f"and maxProcessorRetries is not; {RUNTIME} grants 3, and only to processAPIError's "
        "retry: true."
    ),
    "D2": Advisory(
        f"The documentation says that a retry is granted here; {RUNTIME} honours it in "
        "processOutputStep only and ends the run."
    ),
    "D3": Advisory(
        "The documentation says that the step is attempted again; "
        f"{RUNTIME} keeps the rejected attempt as a step of its own, which counts against maxSteps "
        "and shows in steps and toolCalls."
    ),
    "D4": Advisory(
        f"Tripscope gives the number of the attempt as retryCount here; {RUNTIME} always gives 0.",
        once=True,
    ),
    "D5": Advisory(
        "The documentation says that system messages start anew with each step, so earlier "
        f"feedback is not in this prompt; {RUNTIME} keeps it for the rest of the request."
    ),
    "D6": Advisory(
        "The documentation says that an abort in processOutputStep stops the run before its tools; "
        f"{RUNTIME} sends step-finish and finish, runs the step's tools and processOutputResult, "
        "and saves to memory."
    ),
    "D7": Advisory(
        "The documentation says that an abort in processOutputResult sends a tripwire; "
        f"{RUNTIME} sends finish and no tripwire."
    ),
    "D8": Advisory(
        "The documentation says that an abort in processToolResult ends the run; "
        f"{RUNTIME} ends the client's stream and goes on with the loop unseen."
    ),
    "D9": Advisory(
        "The documentation says that an abort in processOutputStream ends the stream at once; "
        f"{RUNTIME} still runs processLLMResponse, processOutputStep and the hooks of step-finish, "
        "and after an abort on a tool-result another step."
    ),
    "D10": Advisory(
        "The documentation says that an abort in processAPIError sends a tripwire; "
        f"in {RUNTIME} the stream just ends and the result's promises are rejected."
    ),
    "D11": Advisory(
        "Tripscope gives the same result after every tripwire (finishReason other, the delivered "
        f"text, the completed steps and their tools); {RUNTIME} {{difference}}.",
        by_hook={
            "processInputStep": "leaves out the tool calls of the completed steps",
            "prepareStep": "leaves out the tool calls of the completed steps",
            "processLLMRequest": "leaves out the tool calls of the completed steps",
            "processLLMResponse": "leaves out the usage of the call and the earlier tools",
            "processOutputStream": "has another text, usage and steps after this hook",
            "processOutputStep": "has the rejected step in steps, and runs and lists its tools",
            "processToolResult": "goes on, so the result is that of the steps that follow",
            "processOutputResult": "gives the model's finishReason and the whole answer",
            "processAPIError": "rejects every accessor of the result",
        },
    ),
    "D12": Advisory(
        "The documentation says that onViolation is called for every abort; "
        f"{RUNTIME} does not call it for this hook."
    ),
    "D13": Advisory(
        "The documentation says that a replayed response is processed like a live one; "
        f"{RUNTIME} gives processOutputStream only what the loop makes itself, and does not call "
        "processLLMResponse."
    ),
    "D14": Advisory(
        "The documentation says that steps ends with the current step here; "
        f"{RUNTIME} gives the earlier ones only.",
        once=True,
    ),
    "D15": Advisory(
        "The documentation says that stepNumber is the current step's; "
        f"{RUNTIME} gives one more in processToolResult.",
        once=True,
    ),
    "D16": Advisory(
        "The documentation says that result.text is the text of the generation; "
        f"{RUNTIME} puts that of rejected attempts into it as well.",
        once=True,
    ),
    "D17": Advisory(
        "Tripscope runs no further hook on a failed response but processOutputResult, and none of "
        f"its tool calls; {RUNTIME} runs processLLMResponse and processOutputStep, executes tool "
        "calls that came before the error, and stores an error part."
    ),
    "D18": Advisory(
        f"Tripscope stops when this hook raises; {RUNTIME} {{difference}}.",
        by_hook={
            "processOutputStream": "sends the part on as it entered the chain",
            "processLLMResponse": "finishes the step and the stream with reason error",
            "processOutputResult": "sends finish and returns a result with finishReason error",
        },
    ),
    "D19": Advisory(
        "Tripscope drops the partial response of a failed call before the next attempt; "
        f"{RUNTIME} leaves its text in messages, prompt and result, and executes its tool calls."
    ),
    "D20": Advisory(
        "Tripscope gives the result as the processor before left it; "
        f"{RUNTIME} gives the raw one, so a second redactor undoes the first.",
        once=True,
    ),
    "D21": Advisory(
        "Tripscope lets held text out before the closing part, as no part had closed its block; "
        f"in {RUNTIME} that text is lost."
    ),
    "D22": Advisory(
        "The documentation says by its examples that an empty array changes nothing here; "
        f"{RUNTIME} removes every message, the user's too."
    ),
    "D23": Advisory(
        "Tripscope gives as result.text what the processors left of the last step's text; "
        f"{RUNTIME} gives the text of the last response message, whatever its role."
    ),
    "D24": Advisory(
        "The documentation says that retry: true calls the model again in the same step; "
        f"{RUNTIME} lists the failed attempt in steps and counts it against maxSteps."
    ),
    "D25": Advisory(
        "The documentation says that a dropped part is only not delivered; "
        f"without the finish part {RUNTIME} knows no finishReason and no usage."
    ),
    "D26": Advisory(
        "Tripscope does not keep data chunks of a rejected attempt; "
        f"{RUNTIME} keeps and stores them."
    ),
    "D27": Advisory(
        "Tripscope executes the tool call of a replayed response again; "
        f"{RUNTIME} does so too, although its guide says otherwise."
    ),
    "dropped-tool-call": Advisory(
        "A dropped tool call is not executed and has no message part, and the loop goes on with "
        "another step; the documentation says of a dropped part only that it is not delivered."
    ),
    "shared-state": Advisory(
        "Two processors have this id, so they share one state and may overwrite each other's; "
        f"in {RUNTIME} they do as well."
    ),
}


class Advisories:
    """Raises the advisories of one run."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._told: set[tuple[str, str | None, str | None]] = set()

    def tell(
        self,
        row: str,
        hook: str | None = None,
        processor: str | None = None,
        about: int | None = None,
    ) -> None:
        """Record one, unless it was told already and is told once.

        ``about``: the ``seq`` of the event that it belongs to; the last one if None. A row that
        differs by hook says nothing where the hook does not differ.
        """
        recorder, advisory = self._recorder, ADVISORIES[row]
        if not recorder.on:
            return
        if advisory.by_hook and hook not in advisory.by_hook:
            return
        place = (row, hook, processor)
        if advisory.once and place in self._told:
            return
        self._told.add(place)
        sentence = advisory.sentence
        if hook is not None and advisory.by_hook:
            sentence = sentence.format(difference=advisory.by_hook[hook])
        seq = recorder.seq if about is None else about
        recorder.emit_of(Source(hook, processor), AdvisoryRaised, row, sentence, about=seq)
