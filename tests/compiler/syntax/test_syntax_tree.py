"""Golden trees for each form of VCL, one per alternative of the grammar."""

import pytest
from syntax_helpers import ENGINES, condition, parse, statements, tree, value

from vernis.syntax import nodes as n
from vernis.syntax.engine import Engine

DECLARATIONS = [
    ("vcl 4.1;", "(vcl 4.1)"),
    ("import std;", "(import std)"),
    ("import std as s;", "(import std as=s)"),
    ('import std from "/a.so";', '(import std from="/a.so")'),
    ('import std as s from "/a.so";', '(import std as=s from="/a.so")'),
    ("import from;", "(import from)"),
    ("import as as from;", "(import as as=from)"),
    ('import as as as from "/a.so";', '(import as as=as from="/a.so")'),
    ("backend x none;", "(backend x none)"),
    ("backend none none;", "(backend none none)"),
    ("backend none { }", "(backend none)"),
    ('backend x { .host = "h"; .port = "80"; }', '(backend x)\n  .host = "h"\n  .port = "80"'),
    ("backend x { .first_byte_timeout = 5 s; }", "(backend x)\n  .first_byte_timeout = 5s"),
    ("backend x { .preamble = :YWJj:; }", "(backend x)\n  .preamble = :YWJj:"),
    ("backend x { .probe = p; }", "(backend x)\n  .probe = p"),
    ('backend x { .probe = { .url = "/"; } .port = "1"; }', '(backend x)\n  .probe =\n    .url = "/"\n  .port = "1"'),
    ('probe p { .request = "GET / HTTP/1.1" "Host: x"; }', '(probe p)\n  .request = ["GET / HTTP/1.1" "Host: x"]'),
    ('probe p { .request = "GET /"; }', '(probe p)\n  .request = "GET /"'),
    ("probe p { .initial = 3; .threshold = 2; }", "(probe p)\n  .initial = 3\n  .threshold = 2"),
    ("acl a { }", "(acl a)"),
    ("acl a +log -pedantic { }", "(acl a +log -pedantic)"),
    ('acl a { "h"; ! "10.0.0.0"/8; ("h"); !("h"/24); (!"::1"/128); }',
     '(acl a)\n  "h"\n  ! "10.0.0.0"/8\n  ("h")\n  ! ("h"/24)\n  ! ("::1"/128)'),
    ("sub s { }", "(sub s)"),
    ("C{ int x; }C", "(inline-c)"),
]

STATEMENTS = [
    ("set a.b = 1;", "(set a.b = 1)"),
    ("set a += 1;", "(set a += 1)"),
    ("set a -= 1;", "(set a -= 1)"),
    ("set a *= 1;", "(set a *= 1)"),
    ("set a /= 1;", "(set a /= 1)"),
    ('set req.http."x.y" = "v";', '(set req.http."x.y" = "v")'),
    ("unset req.http.Cookie;", "(unset req.http.Cookie)"),
    ("call s;", "(call s)"),
    ("call debug.sub(1);", "(call (call debug.sub 1))"),
    ("return;", "(return)"),
    ("return (hash);", "(return hash)"),
    ("return (fail());", "(return fail())"),
    ('return (synth(404, "n" + "o"));', '(return synth(404 ["n" + "o"]))'),
    ("return (vcl(label));", "(return vcl(label))"),
    ("if (a) { }", "(if a)"),
    ("if (a) { return; } else { call s; }", "(if a)\n  (return)\n(else)\n  (call s)"),
    ("if (a) { } else if (b) { } elseif (c) { } elsif (d) { } elif (e) { } else { }",
     "(if a)\n(elseif b)\n(elseif c)\n(elseif d)\n(elseif e)\n(else)"),
    ("new x = directors.random();", "(new x (call directors.random))"),
    ("new x = m.o(1, b = 2);", "(new x (call m.o 1 b=2))"),
    ('std.log("x");', '(call std.log "x")'),
    ("hash_data(req.url);", "(call hash_data req.url)"),
    ("a.b().c();", "(method (call a.b) c)"),
    ("{ return; }", "(block)\n  (return)"),
    ("C{ }C", "(inline-c)"),
]

EXPRESSIONS = [
    ('"a"', '"a"'),
    ('""', '""'),
    ('{"a "b" }c"}', '"a \\x22b\\x22 }c"'),
    ('"""a "b" ""c"""', '"a \\x22b\\x22 \\x22\\x22c"'),
    ('{"two\nlines"}', '"two\\x0alines"'),
    ("1", "1"), ("1.5", "1.5"), ("1.", "1."), ("5s", "5s"), ("5 s", "5s"), ("1.5 /* x */ h", "1.5h"), ("10KB", "10KB"),
    (":YWJj:", ":YWJj:"), ("::", "::"),
    ("a", "a"), ("req.http.X-Y_z", "req.http.X-Y_z"), ("req . url", "req.url"),
    ('req.http."a.b"', 'req.http."a.b"'),
    ("f()", "(call f)"), ("f(1, x = 2)", "(call f 1 x=2)"), ("f(g(1), 2)", "(call f (call g 1) 2)"),
    ("std.f(a + 1)", "(call std.f [a + 1])"),
    ('"a".upper()', '(method "a" upper)'),
    ('("a" + "b").upper().lower()', '(method (method (paren ["a" + "b"]) upper) lower)'),
    ("f().x", "(member (call f) x)"),
    ("(a)", "(paren a)"),
    ("-5s", "(- 5s)"), ("-a", "(- a)"), ("-a + 5s", "(- [a + 5s])"), ("-5s + a", "[(- 5s) + a]"),
    ("a - -5s", "[a - (- 5s)]"), ("2 * -3 + 1", "[[2 * (- 3)] + 1]"), ("2 * -a + 1", "[2 * (- [a + 1])]"),
    ("a + b - c", "[a + b - c]"), ("a * b / c % d", "[a * b / c % d]"), ("a + b * c - d", "[a + [b * c] - d]"),
]

CONDITIONS = [
    ("a == b", "(== a b)"), ("a != b", "(!= a b)"), ("a < b", "(< a b)"), ("a <= b", "(<= a b)"), ("a > b", "(> a b)"),
    ("a >= b", "(>= a b)"), ("a ~ b", "(~ a b)"), ("a !~ b", "(!~ a b)"),
    ("a + b == c * d", "(== [a + b] [c * d])"),
    ('a ~ "x" + "y"', '(~ a ["x" + "y"])'),
    ("!a", "(! a)"), ("!a ~ b", "(! (~ a b))"), ("!(!a)", "(! (paren (! a)))"),
    ("a && b && !c", "(&& a b (! c))"), ("a || b && c || d", "(|| a (&& b c) d)"),
    ("(a || b) && c", "(&& (paren (|| a b)) c)"),
]


@pytest.mark.parametrize("text, expected", DECLARATIONS)
def test_declaration(text: str, expected: str) -> None:
    assert tree(text) == expected


@pytest.mark.parametrize("text, expected", STATEMENTS)
def test_statement(text: str, expected: str) -> None:
    assert statements(text) == expected


@pytest.mark.parametrize("text, expected", EXPRESSIONS)
def test_expression(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize("text, expected", CONDITIONS)
def test_condition(text: str, expected: str) -> None:
    assert condition(text) == expected


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text, expected", DECLARATIONS + [(f"sub s {{ {s} }}", None) for s, _ in STATEMENTS])
def test_both_engines_parse_each_case(text: str, expected: str | None, engine: Engine) -> None:
    found = tree(text, engine=engine)
    assert expected is None or found == expected


# ---- traps: facts of the language that are easy to get wrong


@pytest.mark.parametrize("text", [
    'acl in { "1.2.3.4"; }', "backend table none;", "backend let none;", "probe from { }", "sub switch { }",
    "sub import { }", "sub acl { }", "acl sub { }", "backend backend none;", "sub set { }", "sub if { }", "sub else { }",
    'import std as var; sub s { var.log("y"); }', "import std as set; sub s { set.log(); if.x(); return.y(); }",
    "sub s { set resp.http.From = resp.http.none; unset req.http.Set; }", "sub s { set set = unset; call call; }",
    "sub s { call set; new new = new.new(); }", "sub s { f(set = 1, if = 2, from = 3); set(1); new(2); }",
    "sub include { call include; }", "sub s { set req.http.include = include; }",
])
def test_the_parser_reserves_no_word(text: str) -> None:
    assert parse(text)[1].items == []


def test_statement_words_ignore_case() -> None:
    text = 'If (a) { SET REQ.url = "x"; UnSet b; CALL c; Return (hash); } sub2();'
    assert statements(text) == '(if a)\n  (set REQ.url = "x")\n  (unset b)\n  (call c)\n  (return hash)\n(call sub2)'


@pytest.mark.parametrize("text, code", [
    ("SUB s { }", "V208"), ("Backend b none;", "V208"), ("sub s { if (a) { } ELSE { } }", "V215"),
    ("sub s { if (a) { } else IF (b) { } }", "V215"), ("sub s { return (hash) ELSE; }", "V218"),
])
def test_other_words_are_case_sensitive(text: str, code: str) -> None:
    assert [d.code for d in parse(text)[1].items] == [code]


def test_a_minus_after_a_unit_belongs_to_the_unit() -> None:
    assert value("10s-5s") == "10s-5s"      # one number with the unit s-5s, an error in the checker
    assert value("beresp.ttl-5s") == "beresp.ttl-5s"
    assert value("10s - 5s") == "[10s - 5s]"


@pytest.mark.parametrize("text, code", [
    ("if (!!a) { }", "V220"), ("if (a == !b) { }", "V220"), ("if (a == b == c) { }", "V219"), ("set a = 10s --5s;", "V240"),
    ("set a = - -b;", "V220"), ("set a = b;;", "V237"), ("set a = ;", "V223"), ("call foo();", "V236"),
])
def test_invalid_forms_give_their_code(text: str, code: str) -> None:
    assert [d.code for d in parse(f"sub s {{ {text} }}")[1].items] == [code]


def test_adjacent_literals_are_not_joined() -> None:
    assert [d.code for d in parse('sub s { set a = "b" "c"; }')[1].items] == ["V218"]


def test_any_bytes_in_strings_and_comments() -> None:
    every = bytes(b for b in range(256) if b not in b'"\r\n')
    program, diags = parse(b'sub s { set a = "' + every + b'"; } # ' + every)
    assert diags.items == []
    assert program.tokens.text(6) == '"' + every.decode("latin-1") + '"'        # type: ignore[attr-defined]


def test_offsets_are_bytes_and_columns_are_characters() -> None:
    program, diags = parse('sub s { std.log("\u00e9\u20ac"); set = 1; }'.encode())
    [error] = diags.items
    text = program.sources.files[0].data        # type: ignore[attr-defined]
    assert text[error.span.start:error.span.end] == b"="
    assert program.sources.place(error.span) == ("policy.vcl", 1, 28)       # type: ignore[attr-defined]


# ---- spans and hidden tokens


def texts(program: n.Program, nodes: list[object]) -> list[str]:
    return [program.sources.text(program.span(node)) for node in nodes]     # type: ignore[attr-defined, arg-type]


def test_every_node_has_the_span_of_its_text() -> None:
    program, _ = parse('sub s { set a.b /* c */ = -x.y(1) + "z"; }')
    sub = program.declarations[0]
    assert isinstance(sub, n.Sub)
    statement = sub.body.statements[0]
    assert isinstance(statement, n.Set) and isinstance(statement.value, n.Neg)
    assert isinstance(statement.value.operand, n.Sum)
    assert texts(program, [sub, statement, statement.target, statement.value, *statement.value.operand.operands]) == [
        'sub s { set a.b /* c */ = -x.y(1) + "z"; }', 'set a.b /* c */ = -x.y(1) + "z";', "a.b", '-x.y(1) + "z"',
        "x.y(1)", '"z"']


def test_comments_are_kept_as_hidden_tokens() -> None:
    program, _ = parse("# one\nsub s { // two\n /* three */ }")
    tokens = program.tokens
    hidden = [tokens.text(i) for i in range(len(tokens)) if tokens.hidden[i]]     # type: ignore
    assert hidden == ["# one", "// two", "/* three */"]


def test_a_comment_inside_a_name_is_not_part_of_the_name() -> None:
    assert value("req /* a */ . # b\n http.c") == "req.http.c"


def test_builtin_declarations_end_the_program() -> None:
    from vernis.syntax.source import SourceFile

    program, diags = parse("vcl 4.1; sub a { }", builtin=SourceFile("builtin.vcl", b"sub b { } sub c { }"))
    assert diags.items == []
    assert [getattr(d, "name", "") for d in program.declarations] == ["", "a", "b", "c"]
    assert program.builtin_from == 2
    assert program.sources.place(program.span(program.declarations[3]))[0] == "builtin.vcl"     # type: ignore


def test_an_error_in_the_policy_does_not_affect_the_builtin_part() -> None:
    from vernis.syntax.source import SourceFile

    program, diags = parse("vcl 4.1; sub a {", builtin=SourceFile("builtin.vcl", b"sub b { }"))
    assert [d.code for d in diags.items] == ["V205"]
    assert program.declarations[program.builtin_from].name == "b"


@pytest.mark.parametrize("text, version", [("vcl 4.0;", (4, 0)), ("vcl 4.1;", (4, 1)), ("", (4, 1))])
def test_version(text: str, version: tuple[int, int]) -> None:
    assert parse(text)[0].version == version
