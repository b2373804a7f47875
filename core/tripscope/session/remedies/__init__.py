"""What would help where a run went wrong: changes of the session, each tried before it is named.

A change is tried by sending the block's own pieces through the changed chain again; no model and no
tool is asked. What does not help is not offered.
"""

from tripscope.session.remedies.changes import Advice, Remedy
from tripscope.session.remedies.finding import for_finding, for_time_out
from tripscope.session.remedies.leak import for_leak
from tripscope.session.remedies.unscanned import for_off, for_tool_results

__all__ = [
    "Advice",
    "Remedy",
    "for_finding",
    "for_leak",
    "for_off",
    "for_time_out",
    "for_tool_results",
]
