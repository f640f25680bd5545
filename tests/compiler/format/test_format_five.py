"""The style of files of 5.0: filled lists, and short bodies on one line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from format_checks import faults, formatted
from random_text import scrambled
from vernis.format.layout import Style

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "docs/vcl-5.md", ROOT / "docs/tables.md"]
POLICIES = [path.read_text() for path in sorted((ROOT / "examples").rglob("*5.vcl"))]
POLICIES += [f"vcl 5.0;\n{text}" for page in PAGES for text in re.findall(r"^```vcl\n(.*?)^```", page.read_text(), re.M | re.S)]


def five(text: str, width: int = 60) -> str:
    done = formatted(f"vcl 5.0;\n\n{text}\n".encode(), Style(line_width=width))
    assert done is not None and formatted(done, Style(line_width=width)) == done
    return done.decode().removeprefix("vcl 5.0;\n\n").removesuffix("\n")


def in_sub(text: str, width: int = 66) -> str:
    inner = five(f"sub f {{\n{text}\n\nunset req.http.Last; }}", width).removeprefix("sub f {\n").removesuffix("\n\n    unset req.http.Last;\n}")
    return "\n".join(line.removeprefix("    ") for line in inner.split("\n"))


#: Statements that stay on the line on which they were written.
ON_ONE_LINE = [
    "if (a.b) { return (pass); }",
    "if (a.b) { unset req.http.A; } else { set req.http.A = \"1\"; }",
    "if (a.b) { call s; } else if (a.c) { call t; }",
    "for (x in [\"a\", \"b\"]) { std.log(x); }",
    "if (a.b) { return (pass); } # why",
]


@pytest.mark.parametrize("text", ON_ONE_LINE)
def test_a_short_statement_stays_on_its_line(text: str) -> None:
    assert in_sub(text.replace(" {", "{").replace("; }", ";}")) == text


#: Statements that get lines of their own.
SPREAD = {
    "written on several": ("if (a.b) {\nreturn (pass); }", "if (a.b) {\n    return (pass);\n}"),
    "two statements": ("if (a.b) { call s; return (pass); }", "if (a.b) {\n    call s;\n    return (pass);\n}"),
    "one arm of two": ("if (a.b) { call s; } else { call s; call t; }", "if (a.b) {\n    call s;\n} else {\n    call s;\n    call t;\n}"),
    "one in another": ("if (a.b) { if (a.c) { call s; } }", "if (a.b) {\n    if (a.c) { call s; }\n}"),
    "a comment inside": ("if (a.b) { /* x */ call s; }", "if (a.b) {\n    /* x */ call s;\n}"),
    "too long": ('if (req.url == "/a/rather/long/page") { set req.http.Name = "1"; }', 'if (req.url == "/a/rather/long/page") {\n    set req.http.Name = "1";\n}'),
    "its condition, too": ('if (req.url == "/a/rather/long/page" || req.url == "/a/much/longer/page") { call s; }',
                           'if (\n    req.url == "/a/rather/long/page"\n    || req.url == "/a/much/longer/page"\n) {\n    call s;\n}'),
    "a switch": ('switch (a.b) { case "a": { call s; } default: {} }', 'switch (a.b) {\n    case "a": { call s; }\n    default: {}\n}'),
    "a bare block": ("{ call s; }", "{\n    call s;\n}"),
    "a label": ('@rule("x") if (a.b) { call s; }', '@rule("x")\nif (a.b) { call s; }'),
}


@pytest.mark.parametrize(("before", "after"), SPREAD.values(), ids=SPREAD)
def test_other_bodies_have_lines_of_their_own(before: str, after: str) -> None:
    assert in_sub(before) == after


@pytest.mark.parametrize(("before", "after"), [
    ('backend a{.host="b";.port="80";}', 'backend a { .host = "b"; .port = "80"; }'),
    ('acl a{ "192.0.2.0"/24;! "192.0.2.1";}', 'acl a { "192.0.2.0"/24; ! "192.0.2.1"; }'),
    ('acl a {\n"192.0.2.1"; }', 'acl a {\n    "192.0.2.1";\n}'),
    ('acl a { "192.0.2.0"/24; "198.51.100.0"/24; "203.0.113.0"/24; }', 'acl a {\n    "192.0.2.0"/24;\n    "198.51.100.0"/24;\n    "203.0.113.0"/24;\n}'),
    ('backend a { .host = "b"; .probe = { .url = "/"; } }', 'backend a {\n    .host = "b";\n    .probe = {\n        .url = "/";\n    }\n}'),
    ("fn f(a:INT)->INT{return(a);}", "fn f(a : INT) -> INT { return (a); }"),
    ("@part sub vcl_recv { call s; }", "@part\nsub vcl_recv { call s; }"),
    ("sub s { call t; call u; }", "sub s {\n    call t;\n    call u;\n}"),
    ("budget { steps 20; headers 8; }", "budget { steps 20; headers 8; }"),
    ("acl a {} sub s {}", "acl a {}\n\nsub s {}"),
])
def test_declarations(before: str, after: str) -> None:
    assert five(before) == after


def test_a_list_fills_its_lines() -> None:
    items = [f'"{"x" * n}"' for n in (9, 12, 20, 5, 25, 50, 3, 8)]
    assert five(f"set A [{', '.join(items)},\n];") == "\n".join([
        "set A [", '    "xxxxxxxxx", "xxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxx",', '    "xxxxx", "xxxxxxxxxxxxxxxxxxxxxxxxx",', f'    "{"x" * 50}",',
        '    "xxx", "xxxxxxxx",', "];"])
    assert five('set A [\n"a",\n"b"\n];') == 'set A ["a", "b"];'


def test_a_comment_ends_a_line_of_a_list() -> None:
    text = 'set A [\n    "a", "b", # of the shop\n    # all others\n    "c", "d"\n];'
    assert five(text.replace(", ", ",\n", 1)) == text


def test_rows_of_tables_have_lines_of_their_own() -> None:
    rows = ['"/a" => "/first"', '"/b" => "/second"', '"/c" => "/third"']
    assert five(f"table t : STRING by exact [{', '.join(rows)}];") == "table t : STRING by exact [\n    " + ",\n    ".join(rows) + "\n];"


def test_files_of_4_x_keep_one_style() -> None:
    text = b"vcl 4.1;\n\nacl a {\n    \"192.0.2.1\";\n}\n\nsub s {\n    if (a.b) {\n        call t;\n    }\n}\n"
    assert formatted(b'vcl 4.1;\nacl a { "192.0.2.1"; }\nsub s { if (a.b) { call t; } }\n') == text


@pytest.mark.parametrize("number", range(len(POLICIES)))
@pytest.mark.parametrize("style", [Style(), Style(line_width=40), Style(line_width=1000, indent=2)], ids=["100", "40", "1000"])
def test_any_layout_keeps_tree_and_comments(number: int, style: Style) -> None:
    rng = random.Random(number)
    for _ in range(3):
        assert faults(scrambled(rng, POLICIES[number].encode(), with_includes=False), style) in ([], None)
    assert faults(POLICIES[number].encode(), style) == []
