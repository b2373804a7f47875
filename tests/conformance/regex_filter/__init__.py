"""Runs the cases in ``vectors/regex-filter`` (its README is the format) against the real filter."""
