"""Fixes keep the layout: a formatted policy with one statement a line is so after a fix, and each comment stays with its
statement."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "format")]
from fix_behaviour import fixed, fixes_of  # noqa: E402
from lint_five import HEAD_FIVE, in_five  # noqa: E402
from lint_helpers import head_of  # noqa: E402

from vernis.commands.migrate import migrate  # noqa: E402
from vernis.format.format import format_source  # noqa: E402
from vernis.format.layout import Style  # noqa: E402
from vernis.lint.rules import all_rules  # noqa: E402
from vernis.pipeline import CHECK, Compilation, Options, run_stages  # noqa: E402
from vernis.syntax.source import SourceFile  # noqa: E402

COMMENT = re.compile(r"# comment [0-9]+$")


def policies() -> Iterator[tuple[str, str]]:
    for rule in all_rules():
        yield rule.id, head_of(rule.version) + rule.bad + "\n"
        five = in_five(formatted(rule.bad.encode()).decode()) if rule.version != "5.0" else None
        if five is not None:
            yield f"{rule.id} in 5.0", HEAD_FIVE + five + "\n"
    for path in sorted((HERE / "incidents").glob("*.vcl")):
        yield path.stem, head_of("4.1") + path.read_text()


def formatted(text: bytes) -> bytes:
    data = format_source(SourceFile("test.vcl", text), Style()).data
    assert data is not None
    return data


def with_comments(text: bytes) -> bytes:
    """A comment behind each statement, and one above it."""
    lines = []
    for number, line in enumerate(text.decode().splitlines()):
        ends = line.startswith(" ") and line.endswith(";")
        begins = ends and (not lines or lines[-1].endswith(("{", "}")) or COMMENT.search(lines[-1]) is not None)
        lines += [f"    # above {number}"] if begins else []
        lines.append(f"{line} # comment {number}" if ends else line)
    return formatted(("\n".join(lines) + "\n").encode())


def statements(text: bytes) -> list[str]:
    return [COMMENT.sub("", line).strip() for line in text.decode().splitlines()]


def of_comments(text: bytes) -> dict[str, str]:
    return {found[0]: COMMENT.sub("", line).strip() for line in text.decode().splitlines() if (found := COMMENT.search(line))}


@pytest.mark.parametrize("text", [pytest.param(text, id=title) for title, text in policies()])
def test_a_fix_keeps_the_layout(text: str) -> None:
    plain = formatted(text.encode())
    for before in (plain, with_comments(plain)):
        run = run_stages(Compilation("test", "test.vcl", before, Options(err_unref=False)), CHECK)
        for result in [] if run.failed else fixes_of(run):
            [after] = fixed(run, result).values()
            assert formatted(after) == after, result.rule.id
            left = statements(after)
            for comment, statement in of_comments(before).items():
                now = of_comments(after).get(comment)
                assert now == statement or statement not in left, (result.rule.id, comment)


def migrated(path: Path, text: bytes) -> bytes:
    path.write_bytes(text)

    def run(changed: Mapping[str, bytes]) -> Compilation:
        return Compilation("test", str(path), options=Options(err_unref=False), changed=changed)

    return migrate(run).texts.get(str(path), text)


@pytest.mark.parametrize("text", [pytest.param(text, id=title) for title, text in policies() if text.startswith("vcl 4")])
def test_a_migration_keeps_the_layout(tmp_path: Path, text: str) -> None:
    plain = formatted(text.encode())
    for before in (plain, with_comments(plain)):
        after = migrated(tmp_path.resolve() / "p.vcl", before)
        assert formatted(after) == after
        assert of_comments(after).keys() == of_comments(before).keys()
        left = statements(after)
        for comment, statement in of_comments(before).items():
            assert of_comments(after)[comment] == statement or statement not in left, comment
