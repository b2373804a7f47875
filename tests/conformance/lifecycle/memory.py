"""The memory of a scenario: seeded before the first call, read after the last."""
