"""Tests of the look kit."""
