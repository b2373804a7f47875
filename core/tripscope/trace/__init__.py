"""The record of a run: events, their files, and what is worked out from them."""
