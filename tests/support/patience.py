"""How long a test waits for what has to come: so long that only what never comes takes it all.

Where all is well nobody waits: a test goes on as soon as what it awaits is there. So the limit is
for a machine that is ten times slower, or has ten times as much to do.
"""

PATIENCE = 60.0
"""Seconds for one thing to happen."""
WHOLE = 300.0
"""Seconds for all that one window is put through."""
