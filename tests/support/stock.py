"""The release of Varnish whose tools are installed. Debian 12 has 7.1, Debian 13 has 7.7."""

from __future__ import annotations

import functools
import re
import subprocess

import pytest

NEW_LOG = (7, 3)  # the release that gave the log another form


@functools.cache
def release() -> tuple[int, int]:
    """Of varnishlog. (0, 0): there is none."""
    try:
        done = subprocess.run(["varnishlog", "-V"], capture_output=True, text=True, check=False, timeout=30)
    except FileNotFoundError:
        return 0, 0
    found = re.search(r"varnish-(\d+)\.(\d+)", done.stdout + done.stderr)
    assert found is not None, f"varnishlog -V said {done.stdout + done.stderr!r}"
    return int(found[1]), int(found[2])


def reads_later_form() -> bool:
    return release() >= NEW_LOG


def needs_before(wanted: tuple[int, int], because: str) -> pytest.MarkDecorator:
    """Skips a test that compares with Varnish, if a release is installed that behaves in another way."""
    major, minor = wanted
    return pytest.mark.skipif(release() >= wanted, reason=f"Varnish {major}.{minor} and later: {because}")
