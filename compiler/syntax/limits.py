"""Limits of the front end. Each has its own error (V9xx) in ``codes.py``."""

from __future__ import annotations

from vernis.record import record


@record(frozen=True)
class Limits:
    source_bytes: int = 8 << 20  # one file
    program_bytes: int = 32 << 20  # all files together, and apart all texts that constants stand for;
    # a file included twice counts twice, and so does a constant
    tokens: int = 1_000_000  # of one file, and after splicing
    nesting: int = 256  # brackets open at once
    include_depth: int = 32
    includes: int = 4096  # files spliced in one program
    constant_depth: int = 32  # constants that name constants, in a row
