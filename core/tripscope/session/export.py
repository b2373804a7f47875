"""A chain as TypeScript for Mastra, as Python for Tripscope, and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from tripscope.arrays import ARRAYS, Array
from tripscope.processors import BUILT_INS
from tripscope.rules.presets import MASTRA, PRESETS
from tripscope.rules.rule import RegexRule
from tripscope.session.build import arrays_of, build_processor
from tripscope.session.model import ProcessorSpec, Session

IN_MASTRA: Final = ("regex-filter", "unicode-normalizer", "prefill-error-handler")
"""Types that `@mastra/core/processors` has as well and that options alone can make."""
_OWN_OPTIONS: Final = ("streamHold",)
_WORDS: Final = """
await break case catch class const continue debugger default delete do else enum export extends
false finally for function if import in instanceof let new null return static super switch this
throw true try typeof var void while with yield inputProcessors outputProcessors errorProcessors
"""
_RESERVED: Final = frozenset(_WORDS.split())
_ESCAPED: Final = re.compile("[\ud800-\udfff\u2028\u2029\x00-\x1f\x7f]")
_JS_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_json(session: Session) -> str:
    """The chain as it stands in a session file."""
    wires = [
        spec.model_dump(mode="python", by_alias=True, exclude_defaults=True)
        for spec in session.chain
    ]
    return json.dumps(wires, indent=2)


def to_typescript(specs: Iterable[ProcessorSpec]) -> str:
    """A module that makes the enabled processors and puts them into an agent's three arrays.

    A processor whose id is not that of its class becomes a subclass with its own id, since state is
    kept by id (docs/rules.md, section 5). What Mastra has not stands there as a comment.

    Raises:
        SessionError: an option or a rule has no meaning.
    """
    writer = _TypeScript()
    for place, spec in enumerate(specs):
        if spec.enabled:
            writer.add(spec, place)
    return writer.text()


def to_python(specs: Iterable[ProcessorSpec]) -> str:
    """A module that makes the enabled processors and three lists of them.

    Raises:
        SessionError: an option or a rule has no meaning.
    """
    imports: set[str] = set()
    lines: list[str] = []
    arrays: dict[Array, list[str]] = {array: [] for array in ARRAYS}
    names: set[str] = set()
    for place, spec in enumerate(specs):
        if not spec.enabled:
            continue
        processor = build_processor(spec, place=f"chain[{place}]")
        kind = BUILT_INS[spec.type]
        imports.add(f"from {kind.__module__} import {kind.__name__}")
        name = _free(_snake(spec.id), names)
        described = processor.describe()
        options = {k: v for k, v in described.items() if k not in ("id", "type")}
        lines.append(f"{name} = {kind.__name__}.from_options(")
        lines += [f"    {line}" for line in _python(options).split("\n")]
        lines[-1] += ","
        lines += [f"    id={spec.id!a},", ")"]
        for array in spec.arrays if spec.arrays is not None else arrays_of(processor):
            arrays[array].append(name)
    lists = [f"{array}_processors = [{', '.join(arrays[array])}]" for array in ARRAYS]
    return "\n".join([*sorted(imports), "", *lines, "", *lists, ""])


class _TypeScript:
    def __init__(self) -> None:
        self._imports: set[str] = set()
        self._classes: list[str] = []
        self._made: list[str] = []
        self._arrays: dict[Array, list[str]] = {array: [] for array in ARRAYS}
        self._names = set(_RESERVED)

    def add(self, spec: ProcessorSpec, place: int) -> None:
        processor = build_processor(spec, place=f"chain[{place}]")
        if spec.type not in IN_MASTRA:
            self._made.append(
                f"// {_comment(spec.id)}: {spec.type} is Tripscope's own; Mastra has no such class"
            )
            return
        kind = BUILT_INS[spec.type].__name__
        self._imports.add(kind)
        name = _free(_camel(spec.id), self._names)
        if spec.id != spec.type:
            kind = self._subclass(spec.id, kind)
        options = self._options(spec, processor.describe())
        argument = _object(options) if options else ""
        self._made.append(f"const {name} = new {kind}({argument})")
        for array in spec.arrays if spec.arrays is not None else arrays_of(processor):
            self._arrays[array].append(name)

    def text(self) -> str:
        parts: list[str] = []
        if self._imports:
            names = ", ".join(sorted(self._imports))
            parts.append(f"import {{ {names} }} from '@mastra/core/processors'\n")
        parts += self._classes
        parts.append("\n".join(self._made) + "\n" if self._made else "")
        parts.append(
            "".join(
                f"export const {array}Processors = [{', '.join(self._arrays[array])}]\n"
                for array in ARRAYS
                if self._arrays[array]
            )
        )
        return "\n".join(part for part in parts if part)

    def _subclass(self, id_: str, base: str) -> str:
        camel = _camel(id_)
        name = _free(camel[:1].upper() + camel[1:] + _LAST_WORD.findall(base)[-1], self._names)
        self._classes.append(
            "// State is kept by id: two filters with one id would overwrite each other's text.\n"
            f"class {name} extends {base} {{\n"
            f"  override readonly id: any = {_string(id_)}\n"
            "}\n"
        )
        return name

    def _options(self, spec: ProcessorSpec, described: dict[str, Any]) -> dict[str, str]:
        if spec.type == "unicode-normalizer":
            # its defaults differ from Mastra's, so all of them are written
            return {k: _plain(v) for k, v in described.items() if k not in ("id", "type")}
        options = _rules_and_presets(described)
        for key, value in described.items():
            if key in ("id", "type", "rules", "presets") or spec.options.get(key) is None:
                continue
            if key not in _OWN_OPTIONS:
                options[key] = _plain(value)
            elif value != "window":
                options[f"// {key}: {_plain(value)} is Tripscope's own"] = ""
        return options


def _rules_and_presets(described: dict[str, Any]) -> dict[str, str]:
    """Mastra's own presets by name, the others as the rules that they are."""
    rules: list[RegexRule] = []
    presets: list[str] = []
    notes: dict[str, str] = {}
    for preset in described.get("presets", ()):
        rows = PRESETS.get(preset, ())
        if all(row.provenance == MASTRA for row in rows):
            presets.append(preset)
            continue
        rules += [row.rule() for row in rows]
        if any(row.check is not None for row in rows):
            notes[f"// preset {_comment(preset)} also checks digits, which no pattern can"] = ""
    rules += [RegexRule.from_wire(wire) for wire in described.get("rules", ())]
    options = dict(notes)
    if rules:
        inner = ",\n".join(f"    {_rule(rule)}" for rule in rules)
        options["rules"] = f"[\n{inner},\n  ]"
    if presets:
        options["presets"] = _plain(presets)
    return options


_LAST_WORD: Final = re.compile("[A-Z][a-z]*")


def _object(options: dict[str, str]) -> str:
    lines = [f"  {key}: {text}," if text else f"  {key}" for key, text in options.items()]
    return "{\n" + "\n".join(lines) + "\n}"


def _rule(rule: RegexRule) -> str:
    replacement = "" if rule.replacement is None else f", replacement: {_string(rule.replacement)}"
    return f"{{ name: {_string(rule.name)}, pattern: {_pattern(rule)}{replacement} }}"


def _pattern(rule: RegexRule) -> str:
    source = rule.shown_source
    if _ESCAPED.search(source):
        # no literal may hold half a character or a control character
        flags = f", {_string(rule.shown_flags)}" if rule.shown_flags else ""
        return f"new RegExp({_string(rule.pattern)}{flags})"
    return f"/{source}/{rule.shown_flags}"


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_plain(item) for item in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else json.dumps(value)


def _string(text: str) -> str:
    body = text.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + _ESCAPED.sub(_escape, body) + "'"


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    return _JS_ESCAPES.get(char) or f"\\u{ord(char):04x}"


def _comment(text: str) -> str:
    return _ESCAPED.sub(_escape, text)


def _words(text: str) -> Sequence[str]:
    return re.findall(r"[A-Za-z0-9]+", text) or ["processor"]


def _camel(text: str) -> str:
    first, *rest = _words(text)
    name = first[:1].lower() + first[1:] + "".join(word[:1].upper() + word[1:] for word in rest)
    return name if not name[0].isdigit() else f"p{name}"


def _snake(text: str) -> str:
    name = "_".join(word.lower() for word in _words(text))
    return name if not name[0].isdigit() else f"p{name}"


def _free(name: str, taken: set[str]) -> str:
    found, number = name, 2
    while found in taken:
        found, number = f"{name}{number}", number + 1
    taken.add(found)
    return found


def _python(value: Any, indent: str = "") -> str:
    """A literal over several lines; strings keep to ASCII, so half a character can stand there."""
    inner = indent + "    "
    if isinstance(value, dict) and value:
        lines = [f"{inner}{key!a}: {_python(item, inner)}," for key, item in value.items()]
        return "{\n" + "\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list | tuple) and value and not all(isinstance(i, str) for i in value):
        lines = [f"{inner}{_python(item, inner)}," for item in value]
        return "[\n" + "\n".join(lines) + f"\n{indent}]"
    return ascii(list(value) if isinstance(value, tuple) else value)
