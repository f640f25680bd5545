"""An image that is cut short or damaged is refused with the reason, whichever way it reaches the worker."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, SYNTH, VERNISD, Daemon

POLICY = '''vcl 4.1; backend default none;
sub vcl_recv { if (req.url ~ "^/a(b|c)+") { set req.http.X = req.url; } return (synth(299)); }'''
SEAL_BYTES = 48


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("image")
    (folder / "p.vcl").write_text(POLICY)
    subprocess.run([ROOT / "build/bin/vernis", "build", "-O2", folder / "p.vcl", "-o", folder / "p.so"], check=True, timeout=60)
    return (folder / "p.so").read_bytes()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with Daemon(tmp_path_factory.mktemp("daemon"), SYNTH.format(word="first")) as d:
        yield d


def test_a_truncation_of_any_length_is_refused(daemon: Daemon, image: bytes, tmp_path: Path) -> None:
    pid, file = daemon.worker_pid, tmp_path / "cut.so"
    page, draw = 4096, random.Random(1)
    headers = [0, 1, 15, 16, 63, 64, 65, 500]
    ends = [len(image) - n for n in (1, 2, 7, 8, 9, SEAL_BYTES - 1, SEAL_BYTES, SEAL_BYTES + 1)]
    pages = [at + n for at in range(page, len(image), page) for n in (-1, 0, 1)]
    for length in [*headers, *ends, *pages, *(draw.randrange(len(image)) for _ in range(60))]:
        file.write_bytes(image[:length])
        status, text = daemon.cli(f"vernis.load_image cut {file}")
        assert status == 300 and "the compiled policy" in text and "build it again, or copy it again" in text, (length, text)
    assert daemon.worker_pid == pid


def test_each_flipped_bit_is_refused(daemon: Daemon, image: bytes, tmp_path: Path) -> None:
    pid, file, draw = daemon.worker_pid, tmp_path / "flipped.so", random.Random(2)
    seal = range(8 * (len(image) - SEAL_BYTES), 8 * len(image))
    for bit in [*range(0, 8 * 64, 7), *seal[::5], *(draw.randrange(8 * len(image)) for _ in range(150))]:
        damaged = bytearray(image)
        damaged[bit // 8] ^= 1 << bit % 8
        file.write_bytes(damaged)
        status, text = daemon.cli(f"vernis.load_image flipped {file}")
        assert status == 300 and "build it again, or copy it again" in text, (bit, text)
    assert daemon.worker_pid == pid


@pytest.mark.parametrize("change", [lambda b: b + b"\n", lambda b: b + b, lambda b: bytes(len(b)), lambda b: b[:-SEAL_BYTES] + b"\0" * 9 + b[-SEAL_BYTES:]],
                         ids=["a byte more", "twice", "zeros", "zeros before the seal"])
def test_more_or_other_bytes_are_refused(daemon: Daemon, image: bytes, tmp_path: Path, change: object) -> None:
    pid, file = daemon.worker_pid, tmp_path / "other.so"
    file.write_bytes(change(image))     # type: ignore[operator]
    assert daemon.cli(f"vernis.load_image other {file}")[0] == 300
    assert daemon.worker_pid == pid


def test_a_whole_image_is_loaded_beside_them(daemon: Daemon, image: bytes, tmp_path: Path) -> None:
    (tmp_path / "whole.so").write_bytes(image)
    daemon.ok(f"vernis.load_image whole {tmp_path}/whole.so")
    daemon.use("whole")
    assert daemon.get()[0] == 299


def test_a_daemon_does_not_start_with_a_damaged_image(image: bytes, tmp_path: Path) -> None:
    (tmp_path / "half.so").write_bytes(image[:len(image) // 2])
    run = subprocess.run([VERNISD, "-F", "-j", "none", "-T", "none", "-n", tmp_path / "w", "-a", "127.0.0.1:0", "-f", tmp_path / "half.so"],
                         capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "is cut short" in run.stderr, run.stderr


def test_an_image_damaged_on_disk_is_refused_at_the_next_start_of_a_worker(tmp_path: Path, image: bytes) -> None:
    """The manager keeps its copy for each new worker."""
    (tmp_path / "p.so").write_bytes(image)
    with Daemon(tmp_path, SYNTH.format(word="first")) as d:
        d.ok(f"vernis.load_image second {tmp_path}/p.so")
        d.use("second")
        copy = next((d.workdir / "images").glob("second.*.so"))
        d.ok("stop")
        copy.write_bytes(copy.read_bytes()[:9000])
        assert "is cut short" in d.cli("start")[1] or d.get()[1] == "first"
        assert "is cut short" in d.heard and "died" not in d.logs
