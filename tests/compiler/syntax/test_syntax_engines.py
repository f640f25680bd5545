"""The C++ extension and the Python fallback give the same tokens and the same flat tree for every input."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from syntax_helpers import NATIVE, needs_native, parse

from vernis.syntax.brackets import balance
from vernis.syntax.codes import CODES
from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.driver import ENDS_PER_RULE, ERRORS_MAX, RULE_ENDS, Recovery
from vernis.syntax.dump import dump
from vernis.syntax.engine import Engine, python_engine
from vernis.syntax.generated.token_types import RULE_NAMES, T
from vernis.syntax.parser import ParseOptions, parse_text
from vernis.syntax.tokens import FOLDED, WORDS
from vernis.syntax.walk import nodes_in

ROOT = Path(__file__).resolve().parents[3]
PYTHON = python_engine()
TOKENS_MAX = 100_000

# Pieces of VCL, and other text that occurs in policies.
PIECES = [
    *(word.decode() for word in (*WORDS, *FOLDED)), "If", "SET", "default", "req.http.X", "req", "http", "std.log", "a", "x-y",
    '"s"', '"', '{"l"}', '{"', '"""t"""', '"""', ":YWJj:", ":", "1", "1.5", "5s", "5 m", "{", "}", "(", ")", "[", "]", ";", ",",
    ".", "=", "+=", "-=", "*=", "/=", "==", "!=", "<", "<=", ">", ">=", "~", "!~", "!", "&&", "||", "&", "|", "+", "-", "++",
    "--", "*", "/", "%", "# c\n", "// c\n", "/* c */", "/*", "C{ }C", "C{", "\n", " ", "\x00", "\xff", "@", "'",
    "vcl 4.1;", "backend b none;", 'backend b { .host = "h"; }', 'acl a { "h"/8; }', "sub s {", "if (a) {", "} else {",
    "set a = b;", "return (hash);", "call s;", "unset a;", "import std;",
]
policies = st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join).map(lambda s: s.encode("latin-1"))


def flat(engine: Engine, data: bytes) -> list[object]:
    """All results of a parse."""
    program, diags = parse_text(data, "p", ParseOptions(engine=engine, require_version=False))
    table = program.tokens
    return [dump(program), diags.items, bytes(table.types), bytes(table.hidden), table.starts, table.ends,      # type: ignore
            table.lines, program]       # type: ignore


def agree(data: bytes) -> None:
    assert NATIVE is not None
    assert NATIVE.lex(data, WORDS, FOLDED, TOKENS_MAX) == PYTHON.lex(data, WORDS, FOLDED, TOKENS_MAX)
    native, python = flat(NATIVE, data), flat(PYTHON, data)
    assert native[:-1] == python[:-1]
    assert native[-1].declarations == python[-1].declarations      # type: ignore


def policy_files() -> list[Path]:
    """Paths of all policies in the repository."""
    return sorted(p for place in ("grammar", "examples", "tests", "benchmarks") for p in (ROOT / place).rglob("*.vcl"))


@needs_native
@pytest.mark.parametrize("path", policy_files(), ids=lambda p: str(p.relative_to(ROOT)))
def test_same_trees_of_policies_in_the_repository(path: Path) -> None:
    agree(path.read_bytes())


@needs_native
@pytest.mark.parametrize("code", CODES)
def test_same_trees_of_the_examples_of_the_error_table(code: str) -> None:
    agree(CODES[code].bad.encode())
    agree(CODES[code].good.encode())


@needs_native
@settings(max_examples=300, deadline=None)
@given(policies)
@example(b"sub s { if (a) { } else if b { } }")
@example(b"acl a +log { 1.2.3.4; } }")
def test_same_trees_of_random_tokens(data: bytes) -> None:
    agree(data)


@needs_native
@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_same_trees_of_random_bytes(data: bytes) -> None:
    agree(data)


@needs_native
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_same_trees_of_damaged_policies(data: st.DataObject) -> None:
    """A valid policy with a few bytes lost, doubled or replaced."""
    text = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at:at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=2))
    agree(bytes(text))


GOOD = b'''vcl 4.1;
import std;
backend default { .host = "127.0.0.1"; .port = "8080"; .probe = { .url = "/"; .interval = 5s; } }
acl purgers { "127.0.0.1"; ! "10.0.0.0"/8; }
sub vcl_recv {
    if (req.method == "PURGE" && !client.ip ~ purgers) { return (synth(405, "No")); }
    elseif (req.url ~ "\\.(png|css)$") { unset req.http.Cookie; }
    else { set req.http.X = regsub(req.url, "a", "b") + "-" + now; std.log({"x "y" z"}); }
    call other; return (hash);
}
sub other { set req.backend_hint = default; }
'''


# ---- properties of any input


@settings(max_examples=300, deadline=None)
@given(st.one_of(policies, st.binary(max_size=200)))
def test_no_input_raises_and_every_span_lies_in_its_file(data: bytes) -> None:
    program, diags = parse(data)
    for node in nodes_in(program.declarations):
        span = program.span(node)
        assert 0 <= span.start <= span.end <= len(data)     # type: ignore[attr-defined]
    for item in diags.items:
        assert 0 <= item.span.start <= item.span.end <= len(data)
        assert item.code in CODES and item.message and item.help


@settings(max_examples=300, deadline=None)
@given(st.one_of(policies, st.binary(max_size=200)))
def test_every_broken_node_has_a_finding(data: bytes) -> None:
    program, diags = parse(data)
    if "(broken)" in dump(program):
        assert diags.failed


@settings(max_examples=200, deadline=None)
@given(st.one_of(policies, st.binary(max_size=200)))
def test_tokens_and_blanks_cover_the_whole_text(data: bytes) -> None:
    """No byte is lost: a formatter can write the whole file again."""
    program, _ = parse(b"".join(data.split(b"include")))
    source = program.sources.files[0]       # type: ignore[attr-defined]
    at = 0
    for start, end in zip(program.tokens.starts, program.tokens.ends):      # type: ignore[attr-defined]
        assert source.data[at:start].strip(b" \t\r\n\x0b\x0c") == b""
        assert start <= end
        at = end
    assert source.data[at:].strip(b" \t\r\n\x0b\x0c") == b""


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([T.LBRACE, T.RBRACE, T.LPAREN, T.RPAREN, T.LBRACKET, T.RBRACKET, T.SEMI, T.SUB, T.IDENTIFIER,
                                 T.IF, T.ELSE, T.DOT, T.ASSIGN]), max_size=40))
@example([T.LPAREN, T.RBRACE, T.ELSE])
def test_repaired_brackets_are_balanced(types: list[int]) -> None:
    """The parser's recovery depends on this."""
    words = {T.LBRACE: "{", T.RBRACE: "}", T.LPAREN: "(", T.RPAREN: ")", T.LBRACKET: "[", T.RBRACKET: "]", T.SEMI: ";",
             T.SUB: "\nsub", T.IDENTIFIER: "a", T.IF: "if", T.ELSE: "else", T.DOT: ".", T.ASSIGN: "="}
    from vernis.syntax.tokens import visible_tokens
    from vernis.syntax.words import mark_words

    program, _ = parse(" ".join(words[t] for t in types))
    table = program.tokens
    visible = visible_tokens(table, 0, len(table))      # type: ignore[arg-type]
    if not visible.table_index:
        return
    mark_words(table, visible)      # type: ignore[arg-type]
    repaired = balance(table, visible, set(), Diagnostics(), 256)       # type: ignore[arg-type]
    assert repaired is not None
    stack = []
    partner = {T.RBRACE: T.LBRACE, T.RPAREN: T.LPAREN, T.RBRACKET: T.LBRACKET}
    for type in repaired.types:
        if type in partner.values():
            stack.append(type)
        elif type in partner:
            assert stack.pop() == partner[type]
        elif type == T.SEMI:
            assert not stack or stack[-1] == T.LBRACE
    assert stack == []


# ---- the contract between Python and the engines


def test_every_rule_has_its_end_tokens() -> None:
    assert len(RULE_ENDS) == len(RULE_NAMES) * ENDS_PER_RULE


@needs_native
def test_the_extension_refuses_a_table_for_another_grammar() -> None:
    assert NATIVE is not None
    with pytest.raises(RuntimeError, match="build the extension again"):
        NATIVE.parse(b"", RULE_ENDS[:-1], Recovery(b"", b""))
    with pytest.raises(ValueError):
        NATIVE.lex(b"a", {b"a": 256}, {}, 10)
    with pytest.raises(TypeError):
        NATIVE.lex(b"a", {"a": 1}, {}, 10)       # type: ignore[dict-item]


def engines() -> list[Engine]:
    return [engine for engine in (NATIVE, PYTHON) if engine is not None]


@pytest.mark.parametrize("engine", engines())
def test_at_most_1000_errors_are_kept(engine: Engine) -> None:
    types = bytes((T.SUB, T.IDENTIFIER, T.LBRACE, *(T.SET, T.SEMI) * 3000, T.RBRACE))
    recovery = Recovery(types, bytes(len(types)))
    engine.parse(types, RULE_ENDS, recovery)
    assert len(recovery.failures) == ERRORS_MAX == 1000


@pytest.mark.parametrize("engine", engines())
@pytest.mark.parametrize("method, types", [
    ("failed", (T.SUB, T.IDENTIFIER, T.LBRACE, T.SET, T.IDENTIFIER, T.ASSIGN, T.SEMI, T.RBRACE)),
    ("resume", (T.SUB, T.IDENTIFIER, T.LBRACE, T.SET, T.SEMI, T.RBRACE)),
    ("mismatch", (T.SUB, T.IDENTIFIER, T.LBRACE, T.SET, T.SEMI, T.RBRACE)),
    ("between", (T.SEMI,)),
])
def test_an_exception_of_the_driver_ends_the_parse(engine: Engine, method: str, types: tuple[int, ...]) -> None:
    asked = []

    def refuse(*question: object) -> int:
        asked.append(question)
        raise KeyboardInterrupt

    recovery = Recovery(bytes(types), bytes(len(types)))
    questions = SimpleNamespace(**{name: getattr(recovery, name) for name in ("failed", "resume", "mismatch", "between")})
    setattr(questions, method, refuse)
    with pytest.raises(KeyboardInterrupt):
        engine.parse(bytes(types), RULE_ENDS, questions)        # type: ignore[arg-type]
    assert len(asked) == 1


@pytest.mark.parametrize("engine", engines())
def test_a_valid_policy_needs_no_recovery(engine: Engine) -> None:
    types = bytes((T.SUB, T.IDENTIFIER, T.LBRACE, T.SET, T.IDENTIFIER, T.ASSIGN, T.IDENTIFIER, T.SEMI, T.RBRACE))
    engine.parse(types, RULE_ENDS, None)        # type: ignore[arg-type]


def test_the_environment_chooses_the_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    from vernis.syntax.engine import default_engine

    monkeypatch.setenv("VERNIS_PARSER", "python")
    assert default_engine() is PYTHON
