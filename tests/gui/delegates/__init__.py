"""Tests of the paint helpers and delegates."""
