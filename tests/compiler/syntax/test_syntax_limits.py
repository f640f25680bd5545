"""Long chains become flat nodes and deep nesting is an error. Neither engine overflows its stack."""

import cProfile
import pstats
import time

import pytest
from syntax_helpers import ENGINES, needs_native, parse

from vernis.syntax import nodes as n
from vernis.syntax.diagnostics import Diagnostics, Span
from vernis.syntax.dump import dump
from vernis.syntax.engine import Engine
from vernis.syntax.limits import Limits
from vernis.syntax.parser import ParseOptions, parse_text
from vernis.syntax.source import SourceFile
from vernis.syntax.walk import nodes_in

LINKS = 5000


def body(text: str, engine: Engine) -> n.Stmt:
    program, diags = parse(f"sub s {{ {text} }}", engine=engine)
    assert diags.items == []
    assert dump(program)
    sub = program.declarations[0]
    assert isinstance(sub, n.Sub)
    return sub.body.statements[0]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("op, kind", [("+", n.Sum), ("-", n.Sum), ("*", n.Product), ("&&", n.And), ("||", n.Or)])
def test_chains_of_5000_are_one_node(op: str, kind: type, engine: Engine) -> None:
    statement = body(f"set x = {f' {op} '.join('a' for _ in range(LINKS))};", engine)
    assert isinstance(statement, n.Set) and isinstance(statement.value, kind)
    assert len(statement.value.operands) == LINKS


@pytest.mark.parametrize("engine", ENGINES)
def test_5000_arms_are_one_if(engine: Engine) -> None:
    statement = body("if (a) { }" + " elseif (b) { }" * (LINKS - 2) + " else { }", engine)
    assert isinstance(statement, n.If) and len(statement.arms) == LINKS


@pytest.mark.parametrize("engine", ENGINES)
def test_5000_statements_arguments_and_name_parts(engine: Engine) -> None:
    assert isinstance(body("return;" * LINKS, engine), n.Return)
    call = body(f"f({', '.join('a' for _ in range(LINKS))});", engine)
    assert isinstance(call, n.CallStmt) and len(call.call.args) == LINKS
    unset = body(f"unset {'.'.join('a' for _ in range(LINKS))};", engine)
    assert isinstance(unset, n.Unset) and len(unset.target.parts) == LINKS


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("opening, inner, closing", [
    ("set x = ", "(", "1"), ("set x = ", "f(", "1"), ("", "{", ""), ("", "if (a) {", ""), ("if ", "(", "a"),
    ("set x = ", "!(", "1")])
def test_nesting_is_limited(opening: str, inner: str, closing: str, engine: Engine) -> None:
    """The braces of the sub count as one level."""
    def text(depth: int) -> str:
        closers = {"(": ")", "{": "}"}[inner[-1]] * depth
        end = "" if inner.endswith("{") else " { }" if opening == "if " else ";"
        return f"sub s {{ {opening}{inner * depth}{closing}{closers}{end} }}"

    program, diags = parse(text(255), engine=engine)
    assert diags.items == []
    assert dump(program)
    assert [d.code for d in parse(text(256), engine=engine)[1].items] == ["V902"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bracket", ["(", "{", "[", ")", "}", "(]", "{(", "if (", 'C{', '{"'])
def test_20000_brackets_are_an_error_without_a_crash(bracket: str, engine: Engine) -> None:
    _, diags = parse("sub s { set x = " + bracket * 20000, engine=engine)
    assert diags.failed


@pytest.mark.parametrize("engine", ENGINES)
def test_unary_minus_in_a_chain_is_limited(engine: Engine) -> None:
    def codes(count: int) -> list[str]:
        text = "sub s { set x = a" + " + -a" * count + "; }"
        return [d.code for d in parse(text, engine=engine)[1].items]

    assert codes(256) == []
    assert codes(257) == ["V902"]
    assert codes(LINKS) == ["V902"]


@pytest.mark.parametrize("engine", ENGINES)
def test_nested_members_are_limited(engine: Engine) -> None:
    def codes(text: str) -> list[str]:
        return [d.code for d in parse(f"sub s {{ {text} }}", engine=engine)[1].items]

    assert codes("f()" + ".a()" * 256 + ";") == []
    assert codes("f()" + ".a()" * 257 + ";") == ["V902"]
    assert codes("set x = (a)" + ".b" * LINKS + ";") == ["V902"]


@pytest.mark.parametrize("engine", ENGINES)
def test_nesting_with_every_precedence_between(engine: Engine) -> None:
    text = "a"
    for _ in range(254):
        text = f"(b || c && !d == -e + f * {text})"
    program, diags = parse(f"sub s {{ set x = {text}; }}", engine=engine)
    assert diags.items == []
    assert dump(program).count("(! ") == 254


HOSTILE = {
    "unclosed_strings": b'"a;;;;;;;;;; # #\n' * 20_000,
    "punctuation_in_an_unclosed_string": b'"' + b";{}() " * 50_000 + b"x",
    "comment_signs_in_an_unclosed_string": b'"' + b"# //" * 50_000,
    "long_strings_for_bodies": b'acl a {"' * 20_000,
    "errors": b"sub s { " + b"set = ;" * 20_000,
    "unknown": b"\xff\n" * 50_000,
    "fields": b"backend b {" + b".a=1 " * 20_000,
    "conditions": b"sub s {" + b"if (((a " * 5_000 + b"}" * 20_000,
    "else": b"sub s {" + b"else " * 20_000 + b"}}}",
    "includes": b'include "x' * 20_000,
    "import": b"import from as " * 20_000,
    "dots": b"sub s { set " + b"." * 20_000,
    "nots": b"sub s { if (" + b"!" * 20_000,
    "minuses": b"sub s { set a = " + b"- " * 20_000,
}


@needs_native
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    """Each text has 100 to 300 KB; quadratic work would take minutes."""
    before = time.process_time()
    _, diags = parse(HOSTILE[name])
    assert diags.failed
    assert time.process_time() - before < 5


def test_numbers_may_be_negated_without_limit() -> None:
    assert parse("sub s { set x = a" + " + -1" * LINKS + "; }")[1].items == []


def test_at_most_200_errors_are_kept() -> None:
    _, diags = parse("sub s { " + "set = 1; " * 1000 + "}")
    assert len(diags.items) == 201
    assert diags.items[-1].code == "V901" and diags.items[-1].severity.value == "error" and diags.full


def test_warnings_fill_no_limit_of_errors() -> None:
    """Each kind has its own limit: neither hides the other, and only errors refuse a policy."""
    diags = Diagnostics(limit=2, warnings_limit=3)
    for at in range(5):
        diags.warning("V602", Span(0, at, at), "unused")
    assert [item.code for item in diags.items] == ["V602"] * 3 + ["V901"]
    assert not diags.failed and not diags.full
    for at in range(5):
        diags.error("V302", Span(0, at, at), "unknown")
    assert [item.code for item in diags.items[4:]] == ["V302"] * 2 + ["V901"]
    assert diags.failed and diags.full


def test_walk_visits_every_node_of_deep_and_long_trees() -> None:
    program, _ = parse("sub s { set x = " + "(" * 250 + " + ".join("a" * LINKS) + ")" * 250 + "; }")
    kinds = [type(node) for node in nodes_in(program.declarations)]
    assert kinds.count(n.Paren) == 250 and kinds.count(n.NameExpr) == LINKS


def mixed_policy(lines: int) -> str:
    """Short lines of every kind, as in policies of sites."""
    out = ["vcl 4.1;", "import std;"]
    i = 0
    while len(out) < lines:
        i += 1
        out += [f"backend b{i} {{", '  .host = "127.0.0.1";', "  .connect_timeout = 1.5s;", "}", f"acl a{i} {{", '  "10.0.0.0"/8;',
                "}", f"sub s{i} {{", f'  if (req.url ~ "^/a{i}/" && req.http.Host == "x{i}.example.com") {{',
                f'    set req.http.X-{i} = regsub(req.url, "a", "b") + "-" + req.http.y;', "    set req.backend_hint = b1;",
                "  } elseif (client.ip ~ a1 || req.http.z) {", "    unset req.http.Cookie;",
                '    std.log("hello " + req.url + {" long "});', "  } else {", f'    return (synth({400 + i % 100}, "no"));',
                "  }", "}"]
    return "\n".join(out[:2] + out[2:])


def calls_to_parse(text: str) -> int:
    """Calls of functions by the front end: its time without the machine's speed."""
    profile = cProfile.Profile()
    _, diags = profile.runcall(parse, text)
    assert diags.items == []
    return pstats.Stats(profile).total_calls    # type: ignore[attr-defined, no-any-return]


@needs_native
def test_a_line_takes_at_most_30_calls() -> None:
    """The parser itself is native. In Python, 30 calls a line are about 25 us."""
    calls_to_parse(mixed_policy(200))           # the first one fills caches
    assert calls_to_parse(mixed_policy(2000)) < 2000 * 30
    assert calls_to_parse(mixed_policy(8000)) < 8000 * 30


@pytest.mark.parametrize("statement", ['if (req.url) { set req.url = "a"; } ', 'if req.url) { set req.url = "a"; } '])
def test_errors_on_one_long_line_take_linear_time(statement: str) -> None:
    """A brace without its partner, among many others on the same line."""
    begin = time.process_time()
    _, diags = parse("sub a {" + statement * 10_000)
    assert diags.failed and time.process_time() - begin < 3


def test_a_policy_that_is_too_large_gives_no_error_about_its_version() -> None:
    _, diags = parse_text("vcl 4.1;\nsub a { }", options=ParseOptions(limits=Limits(source_bytes=8)))
    assert [d.code for d in diags.items] == ["V903"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_gives_one_finding(encoding: str) -> None:
    data = "\ufeffvcl 4.1;\nsub a { }\n# \u65e5\n".encode(encoding)
    _, diags = parse_text(data)
    assert [(d.code, d.message) for d in diags.items] == [("V105", "this file is UTF-16")]


def test_a_nested_comment_gives_one_finding() -> None:
    _, diags = parse_text("vcl 4.1; /* a /* b */", options=ParseOptions(builtin=SourceFile("<builtin>", b"vcl 4.1; sub vcl_recv { }")))
    assert [d.code for d in diags.items] == ["V110"]
