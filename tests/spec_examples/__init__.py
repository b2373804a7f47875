"""The example processors of the specification, in Python, and what it says they do."""
