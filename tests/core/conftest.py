"""What tests of several modules of the engine begin with."""

from __future__ import annotations

import pytest

from tripscope.message_list import MessageList


@pytest.fixture
def conversation() -> MessageList:
    """What a user said three times: one, two, three."""
    messages = MessageList()
    messages.add([{"role": "user", "content": t} for t in ("one", "two", "three")], "input")
    return messages
