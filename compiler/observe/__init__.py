"""Reads the log and the counters of a running daemon from its shared memory. Only commands import this
room."""
