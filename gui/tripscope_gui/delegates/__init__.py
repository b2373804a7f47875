"""Paint helpers and item delegates: pure functions on a painter, and what uses them in views."""
