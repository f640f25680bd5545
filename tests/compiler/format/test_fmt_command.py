"""`vernis fmt` as users run it: files, folders, stdin, exit codes, settings."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest
from vernis import cli

UNFORMATTED = "vernis fmt: `vernis fmt` without --check formats them\n"
BEFORE, AFTER = b"vcl 4.1;\nsub  f{call a;}\n", b"vcl 4.1;\n\nsub f {\n    call a;\n}\n"
WRONG = b"vcl 4.1;\nsub f { call ; }\n"


@dataclass(frozen=True, slots=True)
class Done:
    status: int
    out: bytes
    err: str


def fmt(*arguments: str | Path, stdin: bytes = b"") -> Done:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with (contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
          mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))):
        try:
            status = cli.main(["fmt", *map(str, arguments)])
        except SystemExit as error:     # of argparse
            status = int(error.code or 0)
        finally:
            gc.enable()     # a short command disables it
    out.flush()
    return Done(status, out.buffer.getvalue(), err.getvalue())     # type: ignore[attr-defined]


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.vcl"
    path.write_bytes(BEFORE)
    return path


def test_formats_in_place_and_then_has_nothing_to_do(policy: Path) -> None:
    assert fmt(policy) == Done(0, f"formatted {policy}\n".encode(), "")
    assert policy.read_bytes() == AFTER
    assert fmt(policy) == Done(0, b"", "")
    assert fmt("--check", policy) == Done(0, b"", "")


def test_check_and_diff_change_nothing_and_exit_with_1(policy: Path) -> None:
    assert fmt("--check", policy) == Done(1, f"would format {policy}\n".encode(), UNFORMATTED)
    done = fmt("--diff", policy)
    assert done.status == 1 and f"--- {policy}\n+++ {policy}\n".encode() in done.out and b"\n-sub  f{call a;}\n" in done.out
    assert policy.read_bytes() == BEFORE


def test_a_file_with_errors_stays_and_the_others_are_formatted(policy: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "a_wrong.vcl"
    wrong.write_bytes(WRONG)
    done = fmt(tmp_path)
    assert done.status == 2 and f"{wrong}:2:" in done.err and "error[" in done.err
    assert (wrong.read_bytes(), policy.read_bytes()) == (WRONG, AFTER)


def test_a_folder_has_its_policies_and_those_below(tmp_path: Path) -> None:
    for name in ("a.vcl", "b/c.vcl", "b/d.txt", ".git/e.vcl", ".f.vcl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(BEFORE)
    assert fmt("--check", tmp_path).out.decode().splitlines() == [f"would format {tmp_path / name}" for name in ("a.vcl", "b/c.vcl")]
    done = fmt(tmp_path / ".git" / "none")
    assert done.status == 2 and "cannot read" in done.err
    (tmp_path / "empty").mkdir()
    assert "no .vcl files" in fmt(tmp_path / "empty").err


def test_stdin(tmp_path: Path) -> None:
    assert fmt("-", stdin=BEFORE) == Done(0, AFTER, "")
    assert fmt("-", stdin=b"") == Done(0, b"", "")
    assert fmt("--check", "-", stdin=BEFORE) == Done(1, b"would format <stdin>\n", UNFORMATTED)
    done = fmt("--stdin-filename", "x/y.vcl", "-", stdin=WRONG)
    assert (done.status, done.out) == (2, b"") and "x/y.vcl:2:" in done.err
    assert fmt("-", "x.vcl").status == 2


def test_mode_and_links_stay(policy: Path, tmp_path: Path) -> None:
    policy.chmod(0o640)
    link = tmp_path / "link.vcl"
    link.symlink_to(policy)
    assert fmt(link).status == 0
    assert link.is_symlink() and policy.read_bytes() == AFTER and stat.S_IMODE(policy.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.vcl", "policy.vcl"]


def test_a_failed_write_leaves_the_old_file(policy: Path, tmp_path: Path) -> None:
    with mock.patch("os.replace", side_effect=OSError(28, "No space left on device")):
        done = fmt(policy)
    assert done.status == 2 and f"cannot write {policy}: No space left on device" in done.err
    assert policy.read_bytes() == BEFORE and os.listdir(tmp_path) == ["policy.vcl"]


def test_lines(policy: Path) -> None:
    assert fmt("--lines", "1-1", policy).status == 0 and policy.read_bytes() == BEFORE
    assert fmt("--lines", "2", "--diff", policy).status == 1
    assert fmt("--lines", "2-2", policy).status == 0 and policy.read_bytes() == AFTER


@pytest.mark.parametrize("lines", ["0-1", "2-1", "a-b", "1-", "-1", "1:2", "1-2-3", "1-99999999999"])
def test_wrong_lines_are_refused(policy: Path, lines: str) -> None:
    done = fmt(f"--lines={lines}", policy)
    assert done.status == 2 and "--lines wants" in done.err and policy.read_bytes() == BEFORE


def test_lines_are_for_one_file(policy: Path, tmp_path: Path) -> None:
    assert "--lines works on one file" in fmt("--lines", "1-2", tmp_path).err
    assert "--lines works on one file" in fmt("--lines", "1-2", policy, policy).err


def test_settings_of_the_project_and_options(policy: Path, tmp_path: Path) -> None:
    settings = tmp_path / "vernis.toml"
    settings.write_text("[format]\nindent = 2\n")
    assert fmt("--indent", "3", "--stdin-filename", policy, "-", stdin=BEFORE).out == AFTER.replace(b"    ", b"   ")
    assert fmt(policy).status == 0 and policy.read_bytes() == AFTER.replace(b"    ", b"  ")
    settings.write_text("[format]\nindent = 99\n")
    done = fmt(policy)
    assert done.status == 2 and f"{settings}:2: 'indent' wants" in done.err
    assert "--line-width wants" in fmt("--line-width", "3", "-").err
