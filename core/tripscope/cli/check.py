"""``tripscope check``: try the rules of a session and run their tests, for the CI of a rule set."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator

from tripscope import patterns
from tripscope.cli import exit_codes
from tripscope.cli.terminal import say
from tripscope.errors import SessionError
from tripscope.rules.diagnosis import Diagnosis, diagnose
from tripscope.rules.presets import PRESETS
from tripscope.rules.rule import RegexRule
from tripscope.session import ProcessorSpec, Session, load_session, run_rule_test, start_run
from tripscope.session.build import build_chain, build_processor
from tripscope.session.filters import holds_until_decided, window_of
from tripscope.session.model import SessionRule
from tripscope.trace.events import AnyEvent
from tripscope.trace.rechunk import blocks_to_check, rechunk
from tripscope.wording import many


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    parser.add_argument("session", metavar="SESSION", help="a session file, NAME.tripscope.json")
    parser.add_argument(
        "--rechunk",
        action="store_true",
        help="also run the scripted model and send its text through the output chain again, cut"
        " in many ways: what leaves must be the same",
    )


def execute(options: argparse.Namespace) -> int:
    """Print one line per rule and one per failed test."""
    session = load_session(options.session)
    failures = 0
    for line, failed in _check(session):
        failures += failed
        say(line)
    if options.rechunk:
        for line, failed in asyncio.run(_rechunk(session)):
            failures += failed
            say(line)
    say(f"{failures} failed" if failures else "all passed")
    return exit_codes.CHECK_FAILED if failures else 0


def _check(session: Session) -> Iterator[tuple[str, int]]:
    for index, spec in enumerate(session.chain):
        build_processor(spec, place=f"chain[{index}]")
        yield f"{spec.id}: {spec.type}{'' if spec.enabled else ', switched off'}", 0
        for name in spec.options.get("presets") or ():
            # the deployed filter takes it in silence too, and lacks those rules
            if name not in PRESETS:
                known = ", ".join(PRESETS)
                yield f"  preset {name!r}: FAILED, no rules have this name; there are {known}", 1
        for rule in spec.rules:
            yield from _check_rule(spec, rule)


def _check_rule(spec: ProcessorSpec, rule: SessionRule) -> Iterator[tuple[str, int]]:
    results = [run_rule_test(rule, test) for test in rule.tests]
    passed = sum(result.passed for result in results)
    try:
        one = _diagnosis(spec, rule)
    except patterns.PatternError as error:  # of a rule that is switched off
        yield f"  {rule.name}: FAILED, {error}", 1
        return
    yield f"  {rule.name}: {_passed(passed, len(results))}; {_lengths(one)}", 0
    for warning in one.warnings:
        yield f"    note: {warning}", 0
    for test, result in zip(rule.tests, results, strict=True):
        if not result.passed:
            yield f"    FAILED on {test.text!r}: {result.why}", 1


def _passed(passed: int, tests: int) -> str:
    return f"{passed} of {many(tests, 'test')} passed" if tests else "no tests"


def _lengths(one: Diagnosis) -> str:
    """How long a match can be."""
    if one.longest is None:
        return f"a match has {many(one.shortest, 'UTF-16 unit')} or more"
    if one.shortest == one.longest:
        return f"a match has {many(one.longest, 'UTF-16 unit')}"
    return f"a match has {one.shortest:,} to {many(one.longest, 'UTF-16 unit')}"


def _diagnosis(spec: ProcessorSpec, rule: SessionRule) -> Diagnosis:
    """What is to be said of the rule in its place; the texts of its tests are the sample.

    Raises:
        PatternError: JavaScript refuses the pattern.
    """
    [one] = diagnose(
        [RegexRule(rule.name, rule.pattern, rule.flags, rule.replacement)],
        window=window_of(spec),
        complete=holds_until_decided(spec),
        sample="\n".join(test.text for test in rule.tests),
    )
    return one


async def _rechunk(session: Session) -> list[tuple[str, int]]:
    """A line for each text block of a scripted run, and one for its first failing cut."""
    if session.model.use != "scripted":
        raise SessionError("--rechunk needs the text of a scripted model", place="model.use")
    events: list[AnyEvent] = []
    stream = await start_run(session, trace=events.append, real_time=False)
    async with stream:
        await stream.result()
    blocks = [(block.key, block.model.text) for block in blocks_to_check(events)]
    lines: list[tuple[str, int]] = [] if blocks else [("re-chunk: no text to cut", 0)]
    for result in await rechunk(blocks, build_chain(session.chain).output):
        step, attempt, *_ = result.key
        place = f"re-chunk, step {step}, attempt {(attempt or 0) + 1}"
        if result.not_made:
            lines.append((f"{place}: not made, {result.not_made}", 0))
            continue
        lines.append(
            (
                f"{place}: {result.failed} of {many(result.made, 'cut')} failed",
                int(not result.passed),
            )
        )
        if result.first is not None:
            cut = result.first
            lines.append((f"    FAILED, {cut.cutting.name}: {cut.processor}: {cut.why}", 0))
    return lines
