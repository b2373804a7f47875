"""Pictures of the look kit and helpers to compare drawings."""
