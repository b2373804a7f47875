"""The memory of a scenario: seeded before the first call, read after the last."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tripscope.memory import Memory
from tripscope.messages import Message, text_message


async def seed(memory: Memory, spec: dict[str, Any]) -> None:
    """Store the seed of the scenario: one message a second, from an hour ago."""
    begin = datetime.now(UTC) - timedelta(hours=1)
    messages = []
    for number, given in enumerate(spec.get("seed", ())):
        message = text_message(given["role"], given["text"], id=f"seed-{number}")
        message.created_at = (begin + timedelta(seconds=number)).isoformat()
        messages.append(message)
    if messages:
        await memory.save(spec["thread"], spec["resource"], messages)


async def stored(memory: Memory, spec: dict[str, Any]) -> list[Message]:
    """All messages of the scenario's thread."""
    return await memory.messages(spec["thread"], spec["resource"])
