"""Parts of messages that carry text and that no processor of the chain reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tripscope.wire import JSON
from tripscope_gui.store.chain import ProcessorInfo
from tripscope_gui.store.given_text import message_parts

SYSTEM = "system text"


def unread_parts(chain: Iterable[ProcessorInfo], wire: JSON) -> tuple[str, ...] | None:
    """Kinds of parts, each once, in order: ``tool-args``, ``tool-result``, ``reasoning``.

    None: a processor of the chain does not say what it reads, or there is none.
    """
    said = [processor.options.get("scans") for processor in chain]
    if not said or any(not isinstance(scans, list | tuple) for scans in said):
        return None
    read = {kind for scans in said if isinstance(scans, list | tuple) for kind in scans}
    if isinstance(wire, dict) and wire.get("role") == "system":
        # hooks are given the messages; instructions stand beside them
        return (SYSTEM,)
    found = [name for name, kind in _kinds(wire) if kind not in read]
    return tuple(dict.fromkeys(found))


def _kinds(wire: JSON) -> Iterator[tuple[str, str]]:
    """(name, kind of the chunks that bring it) of each part with text that is no plain text."""
    for part in message_parts(wire):
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(kind, str):
            continue
        if kind == "tool-invocation":
            yield "tool-args", "tool-call"
            call = part.get("toolInvocation")
            if isinstance(call, dict) and call.get("state") == "result":
                yield "tool-result", "tool-result"
        elif kind == "reasoning":
            yield "reasoning", "reasoning-delta"
        elif kind.startswith("data-"):
            yield kind, kind
