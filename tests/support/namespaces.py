"""Namespaces of Linux that some tests run a program in: containers without rights, and a chroot, refuse them."""

from __future__ import annotations

import functools
import subprocess

import pytest


@functools.cache
def system_gives(*options: str) -> bool:
    """Whether ``unshare`` with these options starts a program."""
    return subprocess.run(["unshare", *options, "true"], capture_output=True, check=False).returncode == 0


def needs_mounts() -> None:
    """Skips a test of root that changes mounts which only its program sees."""
    if not system_gives("--mount"):
        pytest.skip("the system gives no mount namespace (a container without rights, or a chroot)")
