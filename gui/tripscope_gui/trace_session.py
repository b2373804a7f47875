"""From a trace that somebody opened to a session: its chain can be edited and replayed."""

from __future__ import annotations

from typing import Final

from tripscope.errors import SessionError
from tripscope_gui.context import PaneContext

OF_RUN: Final = "chain.of_run"
"""Id of the command."""


def can_make_session(context: PaneContext) -> bool:
    """Whether a run is looked at whose chain belongs to no open session."""
    store = context.store
    return context.session.session is None and store is not None and store.started is not None


def make_session(context: PaneContext) -> None:
    """Make the chain of the run that is looked at a session, and keep looking at the run."""
    from tripscope.session.of_run import session_of

    started = context.store.started if context.store is not None else None
    if started is None or not can_make_session(context):
        return
    try:
        session, left_out = session_of(started)
    except SessionError as error:
        context.say(f"No session was made: {error}")
        return
    context.session.take(session, unsaved=True)
    words = f"; left out, as not built in: {', '.join(left_out)}" if left_out else ""
    context.say(f"This chain can now be edited, and replayed on this recording{words}")
