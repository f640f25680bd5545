"""Durations and sizes for people."""

from __future__ import annotations

_STEPS_S = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
_BYTES = ("bytes", "KiB", "MiB", "GiB", "TiB")  # -s counts in powers of 1024


def duration(seconds: float) -> str:
    """The two largest units, as in "3 d 4 h"; "0 s" at least."""
    left, parts = max(int(seconds), 0), []
    for step, unit in _STEPS_S:
        count, left = divmod(left, step)
        if count > 0:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"


def size(count: float) -> str:
    for unit in _BYTES:
        if count < 1024 or unit == _BYTES[-1]:
            break
        count /= 1024
    return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
