"""Trace files: JSON Lines, a header and then one event a line.

The header is ``{"format": "tripscope-trace", "version": 1, "offsetUnit": "utf-16", "runId",
"chainHash", "tripscope"}``. Lines are ASCII (all else is escaped, so half a surrogate pair is kept)
and reach the system one by one: a run that is killed leaves all its events but, at worst, half of
the last line. A file holds what the run saw, unredacted: only its owner may read it.
"""

from tripscope.trace.reader import Header, Trace, iter_load, load, read, read_header
from tripscope.trace.writer import TraceWriter, save

__all__ = ["Header", "Trace", "TraceWriter", "iter_load", "load", "read", "read_header", "save"]
