"""Work in a thread of its own; the cyclic collector leaves the window alone meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from tripscope_gui.collector import rest

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``work`` returns, worked out in a thread; a cancel leaves it running to its end."""
    # what a thread builds up is no garbage, and a pause to look through it would be the window's
    with rest():
        return await asyncio.to_thread(work, *args, **kwargs)
