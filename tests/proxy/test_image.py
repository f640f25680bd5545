"""The image of Containerfile, as docs/installing.md says to run it: without rights, without a writable root. `make test-image` runs these
tests after `make image`."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

IMAGE = os.environ.get("IMAGE", "")
PODMAN = ["podman", *shlex.split(os.environ.get("PODMAN_ARGS", ""))]      # such as --runtime runc
RUN_ARGS = shlex.split(os.environ.get("RUN_ARGS", ""))
NAME = "vernis-test-image"
POLICY = """vcl 4.1;
backend default none;
sub vcl_recv { return (synth(200, "Hello")); }
"""

pytestmark = pytest.mark.skipif(not IMAGE, reason="`make test-image` runs it")


def podman(*words: str, timeout_s: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PODMAN, *words], capture_output=True, text=True, timeout=timeout_s, check=False)


def inside(*words: str) -> subprocess.CompletedProcess[str]:
    return podman("exec", NAME, *words)


@pytest.fixture(scope="module", params=[[], ["--mount", "type=tmpfs,destination=/run/vernis,U=true"]], ids=["volume", "memory"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("image")
    (folder / "site.vcl").write_text(POLICY)
    folder.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    started = podman("run", "--detach", "--name", NAME, "--network", "host", "--read-only", "--cap-drop", "all", "--security-opt",
                     "no-new-privileges", "--volume", f"{folder}:/etc/vernis:ro", *request.param, *RUN_ARGS, IMAGE,
                     "-a", address, "-f", "/etc/vernis/site.vcl", "-s", "malloc,64m")
    try:
        assert started.returncode == 0, started.stderr
        until = time.monotonic() + 60
        while podman("healthcheck", "run", NAME).returncode != 0:
            assert time.monotonic() < until, podman("logs", NAME)
        yield f"http://{address}"
    finally:
        podman("rm", "--force", NAME)


def test_it_serves(url: str) -> None:
    with urllib.request.urlopen(url) as answer:
        assert (answer.status, answer.reason) == (200, "Hello")


def test_no_process_has_rights(url: str) -> None:
    states = inside("sh", "-c", "cat /proc/[0-9]*/status").stdout.splitlines()
    assert {line.split()[1] for line in states if line.startswith("Uid:")} == {"6081"}
    assert {line.split()[1] for line in states if line.startswith("CapEff:")} == {"0000000000000000"}
    assert {line.split()[1] for line in states if line.startswith("NoNewPrivs:")} == {"1"}


def test_only_the_work_directory_is_written_to(url: str) -> None:
    assert "Read-only file system" in inside("touch", "/usr/new").stderr
    assert inside("touch", "/run/vernis/new").returncode == 0


def test_a_policy_is_compiled_and_loaded(url: str) -> None:
    done = inside("vernis", "reload", "/etc/vernis/site.vcl")
    assert done.returncode == 0, done.stderr


def test_the_health_check_sees_a_stopped_worker(url: str) -> None:
    assert inside("vernis", "admin", "stop").returncode == 0
    assert podman("healthcheck", "run", NAME).returncode == 1
    assert inside("vernis", "admin", "start").returncode == 0
    assert podman("healthcheck", "run", NAME).returncode == 0


def test_it_ends_in_time(url: str) -> None:         # the last one: nothing runs after it
    assert podman("stop", "--time", "20", NAME).returncode == 0
    assert podman("inspect", "--format", "{{.State.ExitCode}}", NAME).stdout.strip() == "0"
