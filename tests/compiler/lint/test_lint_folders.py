"""`vernis lint FOLDER` and `vernis check FOLDER`: which files of a folder are policies. `vernis rules` as JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lint_command import HEAD, PURGE, lint


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Each policy has one finding. The other files are none, and would have errors as policies."""
    part = "sub vcl_deliver { set resp.http.x = undefined; }\n"
    purge = "sub vcl_recv { return (purge); }\n"
    for name, text in {
        "a.vcl": PURGE,
        "deep/b.vcl": "/* a comment */\n# another\n" + PURGE,
        "c.vcl": HEAD + 'include "versioned.vcl";\n' + purge,
        "versioned.vcl": "vcl 4.1;\nsub vcl_deliver { }\n",
        "deep/user.vcl": HEAD + 'include "./parts/used.vcl";\n' + purge,
        "deep/parts/used.vcl": "vcl 4.1;\nsub vcl_hash { }\n",
        "part.vcl": part,                                           # without a version
        "a.test.vcl": "vcl 4.1;\nnonsense\n",
        ".hidden/d.vcl": part,
        "notes.txt": part,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def files_of(out: str) -> set[str]:
    return {line.partition(":")[0] for line in out.splitlines() if "SEC001" in line}


def test_lint_runs_on_the_policies_of_a_folder(folder: Path) -> None:
    done = lint("--format", "concise", "--select", "SEC001", "-I", str(folder), ".", cwd=folder)
    assert (done.status, done.err) == (1, "")
    assert files_of(done.out) == {"./a.vcl", "./c.vcl", "./deep/b.vcl", "./deep/user.vcl"}
    assert "error[V" not in done.out            # no part was taken for a policy


def test_a_folder_and_a_file_may_be_named_together(folder: Path) -> None:
    done = lint("--format", "concise", "--select", "SEC001", "deep", "a.vcl", cwd=folder)
    assert files_of(done.out) == {"deep/b.vcl", "deep/user.vcl", "a.vcl"}


def test_check_takes_a_folder_too(folder: Path) -> None:
    assert lint("-I", str(folder), str(folder), command="check").status == 0
    (folder / "deep" / "bad.vcl").write_text(HEAD + "sub vcl_recv { nonsense }\n")
    done = lint("--format", "concise", "-I", str(folder), str(folder), command="check")
    assert done.status == 1 and "deep/bad.vcl:3:" in done.out


def test_a_folder_without_policies_is_an_error(folder: Path) -> None:
    (folder / "empty").mkdir()
    done = lint(folder / "empty")
    assert done.status == 2
    assert done.err == (f"vernis lint: no policies in {folder}/empty: a policy is a file NAME.vcl that begins with vcl 4.0;, 4.1; or 5.0; "
                        "and that no other file includes\n")


def test_an_unreadable_file_of_a_folder_is_reported(folder: Path) -> None:
    os.symlink("nowhere", folder / "gone.vcl")
    done = lint("--select", "SEC001", "-I", str(folder), folder)
    assert done.status == 2 and f"cannot read {folder}/gone.vcl: No such file or directory" in done.err


def test_rules_are_listed_as_json() -> None:
    rows = json.loads(lint("--select", "SEC001", "--format", "json", command="rules").out)
    assert [(row["id"], row["name"], row["severity"]) for row in rows] == [("SEC001", "purge-without-acl", "error")]
    assert "recommended" in rows[0]["profiles"] and rows[0]["what"] and rows[0]["why"] and rows[0]["remedy"]
    lines = lint(command="rules").out.splitlines()
    assert [row["id"] for row in json.loads(lint("--format", "json", command="rules").out)] == [line.split()[0] for line in lines]


def test_a_file_that_another_one_imports_is_no_policy(tmp_path: Path) -> None:
    (tmp_path / "main.vcl").write_text('vcl 5.0;\nbackend main none;\nimport "./lib.vcl" as lib;\nsub vcl_recv { call lib.leave; }\n')
    (tmp_path / "lib.vcl").write_text("vcl 5.0;\nsub leave { return (purge); }\n")
    done = lint("--format", "concise", "--select", "SEC001", ".", cwd=tmp_path)
    assert "error[V" not in done.out and done.status == 1
    assert {line.partition(":")[0] for line in done.out.splitlines() if "SEC001" in line} == {"./lib.vcl"}


def test_tests_that_a_pattern_names_are_left_out(tmp_path: Path) -> None:
    """A shell makes these names of `*.vcl`; tests are no policies."""
    (tmp_path / "site.vcl").write_text(HEAD)
    for name in ("site.test.vcl", "more.test.vcl"):
        (tmp_path / name).write_text('vcl 4.1;\ntest "a page" {\n    request("/");\n}\n')
    for command in ("check", "lint"):
        done = lint("more.test.vcl", "site.test.vcl", "site.vcl", cwd=tmp_path, command=command)
        assert (done.status, done.out) == (0, "")
        assert done.err == f"vernis {command}: left out more.test.vcl and 1 more: tests, which `vernis test` runs\n"
        done = lint("site.test.vcl", cwd=tmp_path, command=command)
        assert (done.status, done.out) == (2, "") and "`vernis test site.test.vcl` runs them" in done.err
