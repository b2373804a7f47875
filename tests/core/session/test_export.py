"""A chain that was copied as TypeScript, Python or JSON is the same chain when it is read back."""
# ruff: noqa: E501 - snippets stand on one line

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripscope import patterns
from tripscope.rules.rule import RegexRule
from tripscope.session.build import build_chain, build_processor
from tripscope.session.export import IN_MASTRA, to_json, to_python, to_typescript
from tripscope.session.model import ProcessorSpec, Session, SessionRule
from tripscope.session.typescript import parse_snippet

TEXTS = st.text(max_size=12) | st.sampled_from(
    ["it's", "a\\b", "\ud83d", "\u2028", "*/ //", "${x}"]
)
PATTERNS = st.sampled_from(
    [r"a/b", r"[/\]]+", r"\/\/", "\n", "\ud83d", "", r"(?<n>x)\k<n>", "\u2028", r"\bfoo\b", "'\"`"]
)


@st.composite
def rules(draw: st.DrawFn) -> SessionRule:
    return SessionRule(
        name=draw(TEXTS),
        pattern=draw(PATTERNS),
        flags="".join(draw(st.sets(st.sampled_from("dgimsuy")))),
        replacement=draw(st.none() | TEXTS),
    )


@st.composite
def specs(draw: st.DrawFn, id_: str) -> ProcessorSpec:
    kind = draw(st.sampled_from(IN_MASTRA))
    options: dict[str, Any] = {}
    own: list[SessionRule] = []
    if kind == "regex-filter":
        own = draw(st.lists(rules(), min_size=1, max_size=3))
        options = draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "presets": st.lists(st.sampled_from(["pii", "secrets", "urls"]), max_size=2),
                    "strategy": st.sampled_from(["block", "redact", "warn"]),
                    "phase": st.sampled_from(["input", "output", "all"]),
                    "streamCarryoverSize": st.integers(1, 2**53 - 1),
                    "includeRedactedValues": st.booleans(),
                },
            )
        )
    elif kind == "unicode-normalizer":
        options = {"trim": draw(st.booleans())}
    arrays = draw(st.none() | st.sampled_from([["input"], ["output"], ["input", "output"]]))
    return ProcessorSpec(id=id_, type=kind, options=options, rules=own, arrays=arrays)


def essence(specs: list[ProcessorSpec]) -> list[object]:
    """What runs: rules as JavaScript shows them, options with their defaults, and the arrays."""
    found: list[object] = []
    for spec in specs:
        built = build_processor(spec)
        wire = {k: v for k, v in built.describe().items() if k != "rules"}
        shown = [
            (rule.name, rule.shown_source, rule.shown_flags, rule.substitute)
            for rule in (RegexRule(r.name, r.pattern, r.flags, r.replacement) for r in spec.rules)
        ]
        arrays = build_chain([spec])
        found.append((wire, shown, [bool(arrays.input), bool(arrays.output), bool(arrays.error)]))
    return found


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_typescript_round_trip(data: st.DataObject) -> None:
    ids = data.draw(
        st.lists(
            st.sampled_from(["regex-filter", "secrets", "pii-2", "a b", "class"]),
            unique=True,
            min_size=1,
            max_size=3,
        )
    )
    chain = [data.draw(specs(id_)) for id_ in ids]
    text = to_typescript(chain)
    text.encode()
    back = {spec.id: spec for spec in parse_snippet(text).processors}
    assert essence([back[spec.id] for spec in chain]) == essence(chain)


def example() -> list[ProcessorSpec]:
    return [
        ProcessorSpec(id="unicode-normalizer", type="unicode-normalizer"),
        ProcessorSpec(id="regex-filter", type="regex-filter", options={"presets": ["pii"]}),
        ProcessorSpec(
            id="secrets",
            type="regex-filter",
            options={"strategy": "redact", "streamHold": "complete"},
            rules=[
                SessionRule(name="a", pattern="a/b", replacement="it's"),
                SessionRule(name="off", pattern="x", enabled=False),
            ],
        ),
        ProcessorSpec(id="off", type="regex-filter", enabled=False, options={"presets": ["pii"]}),
        ProcessorSpec(id="check", type="answer-check", options={"pattern": "a"}),
    ]


def test_the_second_filter_is_a_subclass_and_what_mastra_lacks_is_told() -> None:
    text = to_typescript(example())
    assert "class SecretsProcessor extends RegexFilterProcessor {" in text
    assert "override readonly id: any = 'secrets'" in text
    assert r"pattern: /a\/b/g, replacement: 'it\'s'" in text
    assert "// streamHold: 'complete' is Tripscope's own" in text
    assert "// check: answer-check is Tripscope's own" in text
    assert "'off'" not in text
    assert "export const inputProcessors = [unicodeNormalizer, regexFilter, secrets]" in text


def test_python_makes_the_same_processors() -> None:
    names: dict[str, Any] = {}
    exec(to_python(example()), names)
    assert [p.id for p in names["output_processors"]] == ["regex-filter", "secrets", "check"]
    assert names["secrets"].describe() == build_processor(example()[2]).describe()


def test_json_is_the_chain_of_the_file() -> None:
    session = Session(name="s", chain=example())
    wire = json.loads(to_json(session))
    assert Session.model_validate({"name": "s", "chain": wire}).chain == session.chain


def test_node_reads_what_is_written(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    text = to_typescript(
        [ProcessorSpec(id="regex-filter", type="regex-filter", rules=[
            SessionRule(name="n'\u2028\ud83d", pattern="[/]a/\n\ud83d", flags="gi", replacement="$&\\"),
        ])]
    )  # fmt: skip
    body = text.split("\n", 2)[2].replace("export ", "")
    script = (
        "class RegexFilterProcessor { constructor(o) { this.o = o } }\n"
        f"{body}\nconst r = regexFilter.o.rules[0];"
        "console.log(JSON.stringify([r.name, r.pattern.source, r.pattern.flags, r.replacement]))"
    )
    file = tmp_path / "x.js"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([node, str(file)], capture_output=True, text=True, check=True)
    shown = patterns.compile("[/]a/\n\ud83d", "gi").source
    assert json.loads(done.stdout) == ["n'\u2028\ud83d", shown, "gi", "$&\\"]
