"""The style: examples of docs/format.md, and cases for each token that may have a gap."""

from __future__ import annotations

import re
import textwrap
import time
from pathlib import Path

import pytest
from format_checks import faults, formatted
from vernis.format.layout import Style

ROOT = Path(__file__).resolve().parents[3]
BLOCK = r"\n\n((?: {4}.*\n|\n)+)\n*"
EXAMPLES = re.findall(f"^Before:{BLOCK}After:{BLOCK}", (ROOT / "docs/format.md").read_text(), re.M)
OURS = sorted((ROOT / "examples").rglob("*.vcl"))


def code(block: str) -> str:
    return textwrap.dedent(block).strip("\n") + "\n"


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("before, after", EXAMPLES)
def test_examples_of_the_page_are_formatted_so(before: str, after: str) -> None:
    assert (formatted(code(before).encode()) or b"").decode() == code(after)
    assert faults(code(before).encode()) == []


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_our_own_policies_are_formatted(path: Path) -> None:
    assert (formatted(path.read_bytes()) or b"").decode() == path.read_text(), f"run: vernis fmt {path.relative_to(ROOT)}"


def in_sub(text: str) -> str:
    return "sub f {\n" + "".join(f"    {line}\n" if line else "\n" for line in text.splitlines()) + "}\n"


#: Statements, and how they are formatted in a sub.
STATEMENTS = {
    "no operator sign binds like a minus": ("set req.ttl=- 1 s;", "set req.ttl = -1s;"),
    "not": ("if(! req.http.A){return(hash);}", "if (!req.http.A) {\n    return (hash);\n}"),
    "a bare return": ("return ;", "return;"),
    "an empty argument list": ("a.b( );", "a.b();"),
    "a named argument": ("a.b(x=1,y = 2);", "a.b(x = 1, y = 2);"),
    "an empty body": ("if (req.http.A) {\n}", "if (req.http.A) {}"),
    "a bare block": ("{ call a; }", "{\n    call a;\n}"),
    "else-if chain": ("if (a.b) {} elsif (a.c) {} elseif (a.d) {} elif (a.e) {} else if (a.f) {} else {}",
                      "if (a.b) {} else if (a.c) {} else if (a.d) {} else if (a.e) {} else if (a.f) {} else {}"),
    "a comment ends its statement": ("call a;   # why", "call a; # why"),
    "a comment alone": ("call a;\n# why\ncall b;", "call a;\n# why\ncall b;"),
    "a comment in a line": ("call /* this */ a ;", "call /* this */ a;"),
    "a comment before `;`": ("call a # this\n;", "call a # this\n;"),
    "a comment in front of its statement": ("/* x */ call a;", "/* x */ call a;"),
    "a comment before `else`": ("if (a.b) { call a; } # b\nelse { call b; }", "if (a.b) {\n    call a;\n} # b\nelse {\n    call b;\n}"),
    "a comment in an empty body": ("if (a.b) { # nothing\n}", "if (a.b) { # nothing\n}"),
    "a comment between arguments": ("a.b(1, # one\n2);", "a.b(\n    1, # one\n    2\n);"),
    "a comment of several lines moves": ("  /* a\n       b */\n  call a;", "/* a\n     b */\ncall a;"),
    "stars are aligned": ("/*\n* a\n   * b\n*/\ncall a;", "/*\n * a\n * b\n */\ncall a;"),
    "blank lines": ("\n\ncall a;\n\n\n\ncall b;\n\n", "call a;\n\ncall b;"),
    "tabs": ("call\ta;\t# why\t", "call a; # why"),
    "an include": ('call a; include  "x.vcl" ; call b;', 'call a;\ninclude "x.vcl";\ncall b;'),
    "a long string keeps its lines": ('set req.http.A={"a \n  b"}+"c";', 'set req.http.A = {"a \n  b"} + "c";'),
    "C code": ("C{ int\tx;\n  }C", "C{ int\tx;\n  }C"),
    "off": ("# vernis: fmt off\n    call   a;\n# vernis: fmt on\ncall   b;", "# vernis: fmt off\ncall   a;\n# vernis: fmt on\ncall b;"),
    "capital words": ("SET req.http.A = \"A\";", 'set req.http.A = "A";'),
}


@pytest.mark.parametrize("before, after", STATEMENTS.values(), ids=STATEMENTS)
def test_statements(before: str, after: str) -> None:
    long = {'set req.http.A = {"a \n  b"} + "c";', "C{ int\tx;\n  }C"}     # their other lines are not indented
    wanted = f"sub f {{\n    {after}\n}}\n" if after in long else in_sub(after)
    text = f"sub f {{\n{before}\n}}".encode()
    assert (formatted(text) or b"").decode() == wanted
    assert formatted(wanted.encode()) == wanted.encode()


#: Whole files.
FILES = {
    "empty": ("", ""),
    "only blanks": (" \n\t\n", ""),
    "only a comment": ("\n\n# a", "# a\n"),
    "no newline at the end": ("vcl 4.1;", "vcl 4.1;\n"),
    "CR LF": ("vcl 4.1;\r\nimport  std;\r\n/* a\r\nb */\r\n", "vcl 4.1;\r\n\r\nimport std;\r\n/* a\r\nb */\r\n"),
    "CR LF in a string of a file with LF": ('set req.http.A  = {"a\r\nb"};\n', 'set req.http.A = {"a\r\nb"};\n'),
    "LF in a string of a file with CR LF": ('set req.http.A  = {"a\nb"};\r\n', 'set req.http.A = {"a\nb"};\r\n'),
    "UTF-8": ('set req.http.A  = "é"; # ü', 'set req.http.A = "é"; # ü\n'),
    "statements": ("call a;call b;", "call a;\ncall b;\n"),
    "entries": ('"a"/8;! "b";', '"a"/8;\n! "b";\n'),
    "properties": ('.host="a";.port="b";', '.host = "a";\n.port = "b";\n'),
    "one-line backend stays": ("backend a none;sub b{}", "backend a none;\n\nsub b {}\n"),
}


@pytest.mark.parametrize("before, after", FILES.values(), ids=FILES)
def test_files(before: str, after: str) -> None:
    assert (formatted(before.encode()) or b"").decode() == after
    assert formatted(after.encode()) == after.encode()


@pytest.mark.parametrize("text", ["sub f {", "} sub x {", "call a; } sub x { call b;", 'set req.http.A = "a', "\x00", "vcl 3.0; sub {"])
def test_a_text_with_errors_is_refused(text: str) -> None:
    assert formatted(text.encode()) is None


def test_width_and_indent_are_options() -> None:
    text = b'sub f {\n    set req.http.Aaaaaa = "bbbbbbbb" + "cccccccc";\n}\n'
    assert formatted(text, Style(line_width=50)) == text
    assert formatted(text, Style(line_width=40, indent=2)) == b'sub f {\n  set req.http.Aaaaaa = "bbbbbbbb"\n    + "cccccccc";\n}\n'


def test_a_line_is_as_wide_as_its_characters() -> None:
    text = f'sub f {{\n    set req.http.A = "{"é" * 30}" + "c";\n}}\n'.encode()
    assert formatted(text, Style(line_width=60)) == text


LINES = b"sub f {\n  call a;\n  call   b; # b\n  if (a.b) { call  c; }\n    }\n\n\nsub  g {  }"


@pytest.mark.parametrize("lines, after", [
    ((3, 3), b"sub f {\n  call a;\n    call b; # b\n  if (a.b) { call  c; }\n    }\n\n\nsub  g {  }"),
    ((1, 1), b"sub f {\n  call a;\n  call   b; # b\n  if (a.b) { call  c; }\n    }\n\n\nsub  g {  }"),
    ((8, 8), b"sub f {\n  call a;\n  call   b; # b\n  if (a.b) { call  c; }\n    }\n\nsub g {}\n"),
    ((9, 99), LINES)])
def test_only_the_lines_of_a_range_change(lines: tuple[int, int], after: bytes) -> None:
    assert formatted(LINES, lines=lines) == after


LONG = {"comments in a statement": b"sub f { call a " + b"/* a */ # b\n" * 15000 + b"; }",
        "a chain": b"sub f { set req.http.A = " + b" + ".join([b'"a"'] * 15000) + b"; }"}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_the_time_is_linear(text: bytes) -> None:
    """These take 0.2 s. When each comment searched for the next token, 10,000 of them took 6 s."""
    before = time.process_time()
    assert formatted(text) is not None
    assert time.process_time() - before < 5
