"""Structured output: the answer read as JSON while it comes, and checked when it is whole."""

from __future__ import annotations

from typing import Any

from tripscope.chunks import Chunk
from tripscope.wire import JSON

_TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


class ObjectStream:
    """Turns the text deltas of one attempt into ``object`` chunks and one ``object-result``.

    ``result`` is the object once its text block has ended and fits the schema; ``problem`` says why
    there is none.
    """

    def __init__(self, structured_output: Any, run_id: str) -> None:
        given = structured_output
        self._schema = given.get("schema", given) if isinstance(given, dict) else given
        self._run_id = run_id
        self._text = ""
        self._last: JSON = None
        self.result: JSON = None
        self.problem: str | None = None

    def before(self, chunk: Chunk) -> Chunk | None:
        """The chunk that precedes a delta: the object as far as it is known with it."""
        if chunk.type != "text-delta":
            return None
        self._text += chunk.payload.text
        known = _parse(self._text, partial=True)
        if known is None or known == self._last:
            return None
        self._last = known
        return self._chunk("object", known)

    def after(self, chunk: Chunk) -> Chunk | None:
        """The chunk that follows the end of the text block: the whole object."""
        if chunk.type != "text-end":
            return None
        try:
            self.result = self._checked(_parse(self._text, partial=False))
        except ValueError as error:
            self.problem = str(error)
            return None
        return self._chunk("object-result", self.result)

    def _checked(self, value: JSON) -> JSON:
        if value is None:
            raise ValueError(f"the answer is not JSON: {self._text[:80]!r}")
        validate = getattr(self._schema, "model_validate", None)
        if callable(validate):
            return validate(value).model_dump(mode="json")
        check(value, self._schema)
        return value

    def _chunk(self, kind: str, value: JSON) -> Chunk:
        return Chunk(kind, run_id=self._run_id, extra={"object": value})


def _parse(text: str, *, partial: bool) -> JSON:
    """The JSON value that ``text`` holds or begins; None if there is none yet."""
    from pydantic_core import from_json  # slow to import, needed by few

    try:
        return from_json(text.encode("utf-8", "replace"), allow_partial=partial)
    except ValueError:
        return None


def check(value: JSON, schema: JSON, place: str = "$") -> None:
    """Check ``value`` against the keywords of JSON Schema that models are given most.

    Knows ``type``, ``enum``, ``required``, ``properties`` and ``items``; other keywords pass.

    Raises:
        ValueError: it does not fit; names the place.
    """
    if not isinstance(schema, dict):
        return
    kinds = schema.get("type")
    if isinstance(kinds, str):
        kinds = [kinds]
    if kinds and not any(_is(value, kind) for kind in kinds):
        raise ValueError(f"{place} is not of type {' or '.join(kinds)}: {value!r:.80}")
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"{place} is none of {schema['enum']!r:.80}: {value!r:.80}")
    if isinstance(value, dict):
        _check_properties(value, schema, place)
    if isinstance(value, list):
        for index, item in enumerate(value):
            check(item, schema.get("items"), f"{place}[{index}]")


def _check_properties(value: dict[str, JSON], schema: dict[str, JSON], place: str) -> None:
    missing = [key for key in schema.get("required", ()) if key not in value]
    if missing:
        raise ValueError(f"{place} lacks {', '.join(map(repr, missing))}")
    for key, part in schema.get("properties", {}).items():
        if key in value:
            check(value[key], part, f"{place}.{key}")


def _is(value: JSON, kind: str) -> bool:
    if isinstance(value, bool) and kind != "boolean":
        return False
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(kind, object))
