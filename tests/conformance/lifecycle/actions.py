"""The actions of rules: what a scenario's processor does inside a hook."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable
from typing import Any

from tests.conformance.lifecycle.normal import part_text
from tests.conformance.lifecycle.returns import RETURNS, World, make_message
from tests.conformance.lifecycle.select import change, change_texts, takes
from tripscope.messages import ToolInvocation, ToolInvocationPart


class ScenarioError(Exception):
    """What the ``throw`` action raises."""


class Going:
    """Told by an action that does not return."""


GOING = Going()


class Call:
    """One call of one hook: its arguments and its entry in the record."""

    def __init__(self, world: World, hook: str, args: Any, entry: dict[str, Any]) -> None:
        self.world = world
        self.hook = hook
        self.args = args
        self.entry = entry


async def perform(rule: dict[str, Any], call: Call) -> Any:
    """Run one action; returns `GOING` or what the hook is to return."""
    name = rule["do"]
    if name in RETURNS:
        return RETURNS[name](rule, call.hook, call.args, call.world)
    await _EFFECTS[name](rule, call)
    return GOING


async def _abort(rule: dict[str, Any], call: Call) -> None:
    call.entry["outcome"] = "abort"
    options = {key: rule[key] for key in ("retry", "metadata") if key in rule}
    reason = [rule["reason"]] if "reason" in rule else []
    call.args.abort(*reason, **options)


async def _throw(rule: dict[str, Any], call: Call) -> None:
    call.entry["outcome"] = "throw"
    raise ScenarioError(rule["message"])


async def _edit_in_place(rule: dict[str, Any], call: Call) -> None:
    for message in call.args.messages:
        if takes(rule.get("select"), message):
            change_texts(rule["op"], message)


async def _mutate_part(rule: dict[str, Any], call: Call) -> None:
    call.args.part.payload.text = change(rule["op"], call.args.part.payload.text)


async def _list_add(rule: dict[str, Any], call: Call) -> None:
    call.args.message_list.add(make_message(rule["message"]), rule["source"])


async def _list_remove(rule: dict[str, Any], call: Call) -> None:
    messages = call.args.message_list
    taken = [message.id for message in messages.get.all.db() if takes(rule["select"], message)]
    messages.remove_by_ids(taken)


async def _list_add_system(rule: dict[str, Any], call: Call) -> None:
    call.args.message_list.add_system(rule["text"])


async def _update_tool_result(rule: dict[str, Any], call: Call) -> None:
    args = call.args
    invocation = ToolInvocation(
        state="result",
        tool_call_id=args.tool_call_id,
        tool_name=args.tool_name,
        args=args.args,
        result=copy.deepcopy(rule["result"]),
    )
    args.message_list.update_tool_invocation(ToolInvocationPart(tool_invocation=invocation))


async def _set_state(rule: dict[str, Any], call: Call) -> None:
    call.args.state[rule["key"]] = copy.deepcopy(rule["value"])


async def _inc_state(rule: dict[str, Any], call: Call) -> None:
    call.args.state[rule["key"]] = call.args.state.get(rule["key"], 0) + 1


async def _push_state(rule: dict[str, Any], call: Call) -> None:
    values = call.args.state.setdefault(rule["key"], [])
    match rule["from"]:
        case "hook":
            values.append(call.hook)
        case "partType":
            values.append(call.args.part.type)
        case "partText":
            text = part_text(call.args.part)
            if text is not None:
                values.append(text)
        case other:
            raise NotImplementedError(f"pushState from {other!r}")


async def _write_custom(rule: dict[str, Any], call: Call) -> None:
    if call.args.writer is None:
        call.entry["writer"] = "missing"
        return
    await call.args.writer.custom(copy.deepcopy(rule["chunk"]))


async def _save_chunks(rule: dict[str, Any], call: Call) -> None:
    call.world.saved_chunks[rule["key"]] = [chunk.copy() for chunk in call.args.chunks]


_EFFECTS: dict[str, Callable[[dict[str, Any], Call], Awaitable[None]]] = {
    "abort": _abort,
    "throw": _throw,
    "editInPlace": _edit_in_place,
    "mutatePart": _mutate_part,
    "listAdd": _list_add,
    "listRemove": _list_remove,
    "listAddSystem": _list_add_system,
    "updateToolResult": _update_tool_result,
    "setState": _set_state,
    "incState": _inc_state,
    "pushState": _push_state,
    "writeCustom": _write_custom,
    "saveChunks": _save_chunks,
}
