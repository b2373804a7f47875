"""A model and tools that answer as they did in a recorded run; nothing is asked or run.

The n-th provider call gets the n-th recorded answer, with its raw frames and, on a virtual clock,
its times; the n-th call of a tool gets its recorded result or error. What goes beyond the recording
raises `NeedsLive`.
"""

from tripscope.models.recorded.model import RecordedModel
from tripscope.models.recorded.served import served_from
from tripscope.models.recorded.tools import recorded_tools

__all__ = ["RecordedModel", "recorded_tools", "served_from"]
