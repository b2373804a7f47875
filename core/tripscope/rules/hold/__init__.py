"""Streams of which no text leaves before every rule is certain of it: ``streamHold: complete``."""
