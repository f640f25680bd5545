"""Tests of policies: their statements, the world in which they run, and their reports."""
