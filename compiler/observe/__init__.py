"""Reading what a running daemon shows in shared memory: its log and its counters. Only commands import this room."""
