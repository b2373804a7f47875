"""A string type for pydantic models that may hold lone surrogates.

Half an emoji is real traffic, and pydantic's own ``str`` refuses it.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise PydanticCustomError("text", "should be text in quotes")
    return value


Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]
"""Any Python string, lone surrogates included."""
