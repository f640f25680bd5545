"""Formats of findings, for `check` and `lint`."""
