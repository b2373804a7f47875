"""A run that gets to every hook of input and output, with a processor on one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.engine import agent, calls, processor, text
from tripscope.agent import Agent
from tripscope.memory import Memory
from tripscope.tools import Tool

INPUT_HOOKS = (
    "process_input",
    "process_input_step",
    "process_llm_request",
    "process_llm_response",
)
OUTPUT_HOOKS = (
    "process_output_stream",
    "process_output_step",
    "process_tool_result",
    "process_output_result",
)


def with_hook(id: str, hook: str, does: Callable[[Any], Any]) -> Agent:
    """An agent that calls a tool and answers, and whose one processor has this hook."""
    chain = [processor(id, **{hook: does})]
    return tool_and_answer(
        lambda args, context: 1,
        input_processors=chain if hook in INPUT_HOOKS else [],
        output_processors=chain if hook in OUTPUT_HOOKS else [],
    )


def tool_and_answer(execute: Callable[[Any, Any], Any], **options: Any) -> Agent:
    """An agent with a memory that calls its tool once, and answers."""
    tool = Tool(name="tool", execute=execute)
    return agent(calls("tool"), text("Hello"), tools=[tool], memory=Memory(), **options)
