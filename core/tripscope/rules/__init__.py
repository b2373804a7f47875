"""Rules: JavaScript patterns with names and replacements, applied to texts and streams.

The shared half of every processor that works by patterns. All offsets are UTF-16 code units,
counted in the text that was given.
"""
