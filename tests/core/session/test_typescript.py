"""Mastra snippets: read without being run, every refusal with its place."""
# ruff: noqa: E501 - snippets stand on one line

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripscope.session.export import to_typescript
from tripscope.session.model import ProcessorSpec
from tripscope.session.typescript import SnippetError, parse_snippet


def only(source: str) -> ProcessorSpec:
    [spec] = parse_snippet(source).processors
    return spec


def test_the_snippet_of_the_documentation() -> None:
    spec = only(
        """
        import { RegexFilterProcessor } from '@mastra/core/processors'
        // mail /* and more */
        const filter = new RegexFilterProcessor({
          presets: ['pii'],
          rules: [{ name: 'order-id', pattern: /ORD-\\d{6}[/"]/gi, replacement: "[ORDER\\u005fID]" },],
          strategy: `redact`,
          streamCarryoverSize: 0x100,
          includeRedactedValues: true,
          onViolation: async ({ detail }) => { console.log(`${detail}`, /}/) },
        })
        """
    )
    assert spec.id == spec.type == "regex-filter"
    assert spec.options == {
        "presets": ["pii"],
        "strategy": "redact",
        "streamCarryoverSize": 256,
        "includeRedactedValues": True,
    }
    [rule] = spec.rules
    assert (rule.name, rule.pattern, rule.flags) == ("order-id", r'ORD-\d{6}[/"]', "gi")
    assert rule.replacement == "[ORDER_ID]"
    assert spec.arrays is None


def test_an_agent_tells_the_arrays() -> None:
    found = parse_snippet(
        """
        const urls = new RegexFilterProcessor({ presets: ['urls'] as const });
        const shared = [{ name: 'a', pattern: new RegExp('a\\\\d', 'g') }]
        export const agent = new Agent({
          id: 'x', model: openai('gpt'), tools: { find: createTool({ id: 'find' }) },
          inputProcessors: [new UnicodeNormalizer(), urls, new PIIDetector({ model: m })],
          outputProcessors: [new RegexFilterProcessor({ rules: [...shared], phase: 'output' })],
        })
        """
    )
    normalizer, own, last = sorted(found.processors, key=lambda s: s.type, reverse=True)[:3]
    assert normalizer.options == {
        "stripControlChars": False,
        "collapseWhitespace": True,
        "trim": True,
    }
    assert own.id == "regex-filter"
    assert own.arrays == ["input"]
    assert last.arrays == ["output"]
    assert last.id == "regex-filter-2"
    assert last.rules[0].pattern == r"a\d"
    assert any("PIIDetector is no built-in" in note for note in found.notes)
    assert any("regex-filter-2" in note for note in found.notes)


def test_a_subclass_keeps_its_id() -> None:
    spec = only(
        """class Secrets extends RegexFilterProcessor { override readonly id: any = 'secrets'; }
        new Secrets({ presets: ['secrets'] })"""
    )
    assert (spec.id, spec.type) == ("secrets", "regex-filter")


@pytest.mark.parametrize(
    ("source", "line", "column", "told"),
    [
        ("", 1, 1, "no processor is made here"),
        ("const x = 1", 1, 1, "no processor is made here"),
        ("new RegexFilterProcessor({ presets: ['pii' })", 1, 44, "a comma or ]"),
        ("new RegexFilterProcessor({\n  presets: ['pii", 2, 13, "no closing '"),
        ("new RegexFilterProcessor({ rules: [{ name: 'a', pattern: /a{2,1}/ }] })", 1, 60, "out of order"),
        ("new RegexFilterProcessor({ rules: [{ name: 'a', pattern: 'a' }] })", 1, 58, "needs a pattern"),
        ("new RegexFilterProcessor({ rules: [{ name: 'a', patern: /a/ }] })", 1, 36, "needs a pattern"),
        ("new RegexFilterProcessor({\n presets: ['pii'],\n strategy: 'ask' })", 3, 2, "must be one of"),
        ("new RegexFilterProcessor({ presets: ['pii'], phse: 'input' })", 1, 46, "no option 'phse'"),
        ("new RegexFilterProcessor({ rules })", 1, 28, "rules is not defined in this snippet"),
        ("new RegexFilterProcessor({ presets: ['pii'], strategy: mode() })", 0, 0, ""),
        ("new RegexFilterProcessor({ presets: [`p${1}`] })", 1, 38, "only a plain value"),
        ("new RegexFilterProcessor({ presets: [\u201cpii\u201d] })", 1, 38, "no quotation marks"),
        ("new RegexFilterProcessor(", 1, 25, "has no )"),
        ("/* never closed", 1, 1, "no end"),
        ("[" * 500, 1, 101, "nested too deeply"),
        (r"new RegexFilterProcessor({ presets: ['pii'], id: '\ud83d' })", 1, 46, "half of a character"),
        ("class A extends RegexFilterProcessor { id = '\\ud83d' }\nnew A({ presets: ['pii'] })", 2, 1, "id holds half of a character"),
    ],
)  # fmt: skip
def test_a_refusal_names_its_place(source: str, line: int, column: int, told: str) -> None:
    if not told:
        found = parse_snippet(source)
        assert "strategy" not in found.processors[0].options
        assert "strategy is code" in found.notes[0]
        return
    with pytest.raises(SnippetError, match=f"line {line}, column {column}") as error:
        parse_snippet(source)
    assert told in str(error.value)
    assert (error.value.line, error.value.column) == (line, column)


def test_nothing_is_run() -> None:
    assert to_typescript(
        parse_snippet(
            "new RegexFilterProcessor({presets:['pii'], x: (() => { throw 1 })() })"
        ).processors
    )


def test_half_a_character_survives() -> None:
    spec = only(
        r"new RegexFilterProcessor({ rules: [{ name: '\ud83d', pattern: new RegExp('\ud83d'), replacement: '\ud83d\ude00' }] })"
    )
    assert spec.rules[0].name == "\ud83d"
    assert spec.rules[0].pattern == "\ud83d"
    assert spec.rules[0].replacement == "\U0001f600"


WORDS = st.sampled_from(
    [
        *("new RegexFilterProcessor(", "{", "}", ")", "[", "]", "rules:", "presets:", "'pii'", ","),
        *("class A extends RegexFilterProcessor", "const a =", "a", "/x/g", "`", "${", "...", "("),
        *("id", "as", ":", "new", "\n", "//", "/*", "\\u{", "0x", "\ud800", "pattern:", "name:"),
        *("=>", "'"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(WORDS, max_size=30).map(" ".join) | st.text(max_size=40))
def test_any_text_is_read_or_refused(source: str) -> None:
    try:
        parse_snippet(source)
    except SnippetError as error:
        refused = error
    else:
        return
    assert 1 <= refused.line <= source.count("\n") + 1
    assert refused.column >= 1


def test_deep_brackets_are_refused() -> None:
    with pytest.raises(SnippetError):
        parse_snippet("class A extends RegexFilterProcessor " + "{" * 50_000)


FUNCTION = """
const rules: { name: string; pattern: RegExp }[] = [{ name: 'order', pattern: /ORD-\\d+/g }];
type Options = { strict: boolean; at?: number };
export async function chain(options: { strict: boolean; at?: number }): Promise<Processor[]> {
  const limits = await load();
  for (const key of limits.keys) { console.log(`${key}`) }
  if (!limits) { throw new Error('none') } else { use(limits) }
  try { check() } catch (error) { report(error) }
  return [new RegexFilterProcessor({ presets: ['pii'], rules, strategy: 'redact' })];
}
"""
MADE = {"presets": ["pii"], "strategy": "redact"}


@pytest.mark.parametrize(
    "source",
    [
        FUNCTION,
        "class Guards { private readonly pii = new RegexFilterProcessor({ presets: ['pii'],"
        " strategy: 'redact' }); all(x: { a: string; b: string }) { return [this.pii] } }",
        "```ts\nnew RegexFilterProcessor({ presets: ['pii'], strategy: 'redact' })\n```\n",
        "const given = { chosen: { presets: ['pii'] }, how: 'redact' };\n"
        "new RegexFilterProcessor({ ...given.chosen, strategy: given.how })",
        "export const make = () => { return { it: new RegexFilterProcessor({"
        " presets: ['pii'], strategy: 'redact' }) }; };",
    ],
    ids=["function", "field", "fence", "member", "arrow"],
)
def test_processors_are_found_in_whatever_surrounds_them(source: str) -> None:
    spec = only(source)
    assert spec.options == MADE
    assert [rule.pattern for rule in spec.rules] == (["ORD-\\d+"] if source is FUNCTION else [])


def test_what_only_running_it_could_tell_is_asked_for_at_its_place() -> None:
    for source, column, what in (
        ("new RegexFilterProcessor({ rules: RULES.map((r) => ({ ...r })) })", 28, "rules"),
        ("new RegexFilterProcessor({ rules: [{ name: 'a', pattern: shared.a }] })", 58, "pattern"),
        ("new RegexFilterProcessor({ rules: [{ name: `a${1}`, pattern: /a/ }] })", 44, "name"),
    ):
        with pytest.raises(SnippetError, match=rf"write out (the )?{what}$") as error:
            parse_snippet(source)
        assert error.value.column == column


@pytest.mark.parametrize(
    "source",
    [
        "const a = { ...a }; new RegexFilterProcessor(a)",
        "const a = [a]; new RegexFilterProcessor({ presets: a })",
        "const a = b.x; const b = a.x; new RegexFilterProcessor({ rules: a.x })",
        "".join(f"const a{n} = [a{n - 1}];" for n in range(3000)) + "[a2999]",
    ],
)
def test_what_refers_to_itself_is_refused(source: str) -> None:
    with pytest.raises(SnippetError):
        parse_snippet(source)


@pytest.mark.parametrize(
    ("first", "then", "used"),
    [
        ("['pii']", "[...{0}, ...{0}]", "{{ presets: {0} }}"),
        ("{ presets: ['pii'] }", "{{ ...{0}, ...{0} }}", "{0}"),
        ("1", "[{0}, {0}]", "{{ presets: {0} }}"),
    ],
    ids=["lists", "objects", "nested"],
)
def test_what_is_doubled_again_and_again_is_refused(first: str, then: str, used: str) -> None:
    lines = [f"const a0 = {first};"]
    lines += [f"const a{n} = {then.format(f'a{n - 1}')};" for n in range(1, 60)]
    made = f"new RegexFilterProcessor({used.format('a59')})"
    with pytest.raises(SnippetError, match="repeated too often"):
        parse_snippet("\n".join([*lines, made]))


def test_bodies_within_bodies_are_not_read_again_and_again() -> None:
    source = ""
    for _ in range(2000):
        source = "({ x() {" + source + "}; })"
    started = time.process_time()
    with pytest.raises(SnippetError):
        parse_snippet(source)
    # without a limit: more than ten
    assert time.process_time() - started < 3
