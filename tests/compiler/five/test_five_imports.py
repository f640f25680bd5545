"""`import "file" as name` of vcl 5.0: each file has names of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from five_helpers import BUILTIN, HEAD, IGNORED, Ran

from support.reference.interpret import run_hook
from vernis.ir.ir import Module, Msg
from vernis.ir.lower import lower
from support.reference.verify import check_module
from support.reference.world import World
from vernis.semantics.check import analyse
from vernis.semantics.options import Options
from vernis.semantics.typed import Checked
from vernis.syntax.diagnostics import Diagnostic
from vernis.syntax.nodes import Program
from vernis.syntax.parser import ParseOptions, parse_text
from support.memory_files import MemoryResolver

LIB = """vcl 5.0;
const WORD = "lib";
probe alive { .url = "/"; }
backend origin { .host = "192.0.2.2"; .probe = alive; }
acl near { "192.0.2.0"/24; }
set KINDS [".css", ".js"];
table places : STRING by exact ["/a" => WORD, default => "none"];
counter seen by (kind);
fn twice(n : INT) -> INT { return (n * 2); }
fn four(n : INT) -> INT { return (twice(twice(n))); }
sub mark(text : STRING) { set req.http.Mark = text + WORD; }
sub route {
    set req.backend_hint = origin;
    call mark("by ");
    count seen("route");
    if (client.ip ~ near && req.url ends KINDS) { set req.http.Near = places[req.url]; }
}
"""


def checked(text: str, **files: str) -> tuple[Program, Checked, list[Diagnostic]]:
    resolver = MemoryResolver({f"{name}.vcl": content.encode() for name, content in files.items()})
    program, syntax = parse_text(text, options=ParseOptions(builtin=BUILTIN, resolver=resolver))
    result, found = analyse(program, Options(resolver=lambda host: []))
    return program, result, [item for item in (*syntax.items, *found.items) if item.code not in IGNORED]


def findings(text: str, **files: str) -> list[tuple[str, str, str]]:
    """Code, file and message of each finding."""
    program, _, found = checked(text, **files)
    sources = program.sources
    return [(item.code, sources.files[item.span.file].name, item.message) for item in found]   # type: ignore[attr-defined]


def lowered(text: str, **files: str) -> Module:
    _, result, found = checked(text, **files)
    assert found == [], [(item.code, item.message) for item in found]
    module = lower(result)
    check_module(module)
    return module


def run(text: str, url: str = "/", **files: str) -> Ran:
    module, world = lowered(text, **files), World()
    world.variables |= {"req_method": b"GET", "req_url": url.encode(), "req_proto": b"HTTP/1.1"}
    return Ran(run_hook(module, "vcl_recv", world), world)


def policy(body: str, more: str = 'import "lib.vcl" as lib;') -> str:
    return f"{HEAD}{more}\nsub vcl_recv {{ {body} }}\n"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("call lib.route; set req.http.X = req.http.Mark;", "by lib"),
        ('call lib.mark("x "); set req.http.X = req.http.Mark;', "x lib"),
        ("set req.http.X = lib.four(3);", "12"),
        ("set req.http.X = lib.WORD;", "lib"),
        ('set req.http.X = lib.places["/a"];', "lib"),
        ("set req.http.X = lib.places[req.url];", "none"),
        ('if ("/a.css" ends lib.KINDS) { set req.http.X = "kind"; }', "kind"),
        ('set req.backend_hint = lib.origin; if (req.backend_hint == lib.origin) { set req.http.X = "its origin"; }', "its origin"),
        ('for (kind in lib.KINDS) { set req.http.X = (req.http.X ?? "") + kind; }', ".css.js"),
        ('if (client.ip !~ lib.near) { set req.http.X = "far"; }', "far"),
    ],
)
def test_names_of_a_file_are_used_behind_its_name(body: str, wanted: str) -> None:
    assert run(policy(body), lib=LIB).field("X") == wanted


def test_a_policy_and_its_files_may_have_the_same_names() -> None:
    own = 'const WORD = "own"; sub mark(text : STRING) { set req.http.Mark = text + WORD; } backend far { .host = "192.0.2.9"; }'
    other = LIB.replace('"lib"', '"other"')
    imports = 'import "lib.vcl" as lib; import "other.vcl" as other; '
    body = """call lib.mark("1 "); set req.http.A = req.http.Mark; call other.mark("2 "); set req.http.B = req.http.Mark;
              call mark("3 "); set req.http.X = (req.http.A ?? "") + " " + (req.http.B ?? "") + " " + (req.http.Mark ?? "");"""
    ran = run(policy(body, imports + own), lib=LIB, other=other)
    assert ran.field("X") == "1 lib 2 other 3 own"
    module = lowered(policy("call lib.route; call other.route;", imports + own), lib=LIB, other=other)
    assert sorted(backend.name for backend in module.backends) == ["far", "lib.origin", "origin", "other.origin"]
    assert [counter.name for counter in module.counters] == ["lib.seen", "other.seen"]


def test_one_file_under_two_names_is_there_twice() -> None:
    body = "call a.route; call b.route; set req.http.X = req.http.Mark;"
    module = lowered(policy(body, 'import "lib.vcl" as a; import "lib.vcl" as b;'), lib=LIB)
    assert [backend.name for backend in module.backends] == ["origin", "a.origin", "b.origin"]


def test_the_first_backend_of_the_policy_itself_is_the_default() -> None:
    text = 'vcl 5.0; import "lib.vcl" as lib; backend main { .host = "192.0.2.1"; } sub vcl_recv { call lib.route; }'
    module = lowered(text, lib=LIB)
    assert module.backends[module.default_backend].name == "main"
    alone = lowered('vcl 5.0; import "lib.vcl" as lib; sub vcl_recv { call lib.route; }', lib=LIB)
    assert alone.backends[alone.default_backend].name == "lib.origin"


def test_files_of_a_file_stay_inside_of_it() -> None:
    outer = 'vcl 5.0; import "lib.vcl" as inner; fn eight(n : INT) -> INT { return (inner.four(n) * 2); }'
    assert run(policy("set req.http.X = outer.eight(1);", 'import "outer.vcl" as outer;'), outer=outer, lib=LIB).field("X") == "8"
    found = findings(policy("set req.http.X = outer.inner.WORD;", 'import "outer.vcl" as outer;'), outer=outer, lib=LIB)
    assert [(code, file) for code, file, _ in found] == [("V302", "policy.vcl")]


def test_an_included_text_has_the_names_of_the_file_that_includes_it() -> None:
    lib = 'vcl 5.0; include "./part.vcl"; fn used(n : INT) -> INT { return (part(n)); }'
    part = "fn part(n : INT) -> INT { return (n + 1); }"
    assert run(policy("set req.http.X = lib.used(1) + lib.part(1);"), lib=lib, part=part).field("X") == "4"


def test_hooks_of_all_files_run_in_their_order() -> None:
    lib = 'vcl 5.0; const WORD = "lib"; @part sub vcl_recv { set req.http.X = (req.http.X ?? "") + WORD; }'
    text = f'{HEAD}@part sub vcl_recv {{ set req.http.X = "1 "; }}\nimport "lib.vcl" as lib;\n@part sub vcl_recv {{ set req.http.X = req.http.X + " 2"; }}'
    text = text.replace('req.http.X + " 2"', '(req.http.X ?? "") + " 2"')
    assert run(text, lib=lib).field("X") == "1 lib 2"
    assert "V766" in [code for code, _, _ in findings(text, lib=lib.replace("@part ", ""))]


@pytest.mark.parametrize(
    ("text", "files", "wanted"),
    [
        (policy("set req.http.X = WORD;"), {"lib": LIB}, [("V302", "policy.vcl")]),
        (policy("set req.http.X = lib.NONE;"), {"lib": LIB}, [("V302", "policy.vcl")]),
        (policy("call lib.none;"), {"lib": LIB}, [("V302", "policy.vcl")]),
        (policy("call lib.route;"), {"lib": LIB.replace("(n * 2)", "(n * none)")}, [("V302", "lib.vcl")]),
        (policy("call lib.route;"), {}, [("V225", "policy.vcl")]),
        (policy("call lib.route;"), {"lib": 'vcl 5.0; import "lib.vcl" as lib; sub route { }'}, [("V226", "lib.vcl")]),
        (policy("", 'import "lib.vcl" as lib; import "other.vcl" as lib;'), {"lib": "vcl 5.0;", "other": "vcl 5.0;"}, [("V238", "policy.vcl")]),
        (policy("", 'import "lib.vcl";'), {"lib": LIB}, [("V238", "policy.vcl")]),
        (policy("", 'import "std";'), {}, [("V238", "policy.vcl")]),
        (policy("", 'import "lib.vcl" as a-b;'), {"lib": LIB}, [("V238", "policy.vcl")]),
        (policy('import "lib.vcl" as lib;', ""), {"lib": LIB}, [("V222", "policy.vcl")]),
        ('vcl 4.1; backend b none; import "lib.vcl" as lib;', {"lib": "sub s { }"}, [("V238", "policy.vcl")]),
    ],
)
def test_refused(text: str, files: dict[str, str], wanted: list[tuple[str, str]]) -> None:
    assert [(code, file) for code, file, _ in findings(text, **files)][: len(wanted)] == wanted


def test_a_misspelt_name_of_a_file_gets_a_suggestion() -> None:
    _, _, found = checked(policy("set req.http.X = lib.WROD;"), lib=LIB)
    assert next(item.help for item in found).startswith("did you mean lib.WORD")


def test_the_same_file_imports_as_in_4_1_a_module() -> None:
    """Names of modules stay those of the whole policy."""
    lib = 'vcl 5.0; import std; sub tell { std.log("told"); }'
    assert run(policy("call lib.tell;", 'import std; import "lib.vcl" as lib;'), lib=lib).world.log == [b"told"]


def test_native_code_of_an_imported_file(tmp_path: Path) -> None:
    from harness import Harness
    from support.library import library_path, runtime_library

    from vernis.ir.passes import run_passes
    from vernis.native.compile import Options as NativeOptions
    from vernis.native.compile import compile_module

    out = tmp_path / "policy.so"
    module = run_passes(lowered(policy("call lib.route;"), lib=LIB), after_each=check_module)
    compile_module(module, out, NativeOptions(folder=library_path().parent, verify=True))
    native = Harness(runtime_library())
    native.load(out)
    native.begin(b"GET", b"/", [], b"\xc0\x00\x02\x01")
    native.run("vcl_recv")
    assert dict(native.headers(Msg["REQ"]))[b"Mark"] == b"by lib"
    assert native.text("counts") == b'{kind="route"} 1\n'
    native.close()


def test_a_call_changes_what_the_sub_of_that_file_changes() -> None:
    lib = "vcl 5.0; sub tidy { unset req.http.User; } sub go { call tidy; } sub fine { set req.http.Other = WORD; } const WORD = \"a\";"
    calls = {"call lib.go;": ["V731"], "call tidy;": [], "call lib.fine;": []}
    for call, wanted in calls.items():
        text = policy(f"if (req.http.User is set) {{ {call} set req.url = req.http.User; }}") + "sub tidy { set req.http.Other = lib.WORD; }"
        assert [code for code, _, _ in findings(text, lib=lib)] == wanted, call


def test_the_formatter_keeps_an_import() -> None:
    from vernis.format.format import format_source
    from vernis.format.layout import Style
    from vernis.syntax.source import SourceFile

    made = format_source(SourceFile("a.vcl", b'vcl 5.0;\nimport   "lib.vcl"   as lib ;\n'), Style())
    assert made.data == b'vcl 5.0;\n\nimport "lib.vcl" as lib;\n'


def test_only_the_main_file_chooses_the_rules_of_caching() -> None:
    def told(head: str, included: str) -> list[tuple[str, str, str]]:
        return findings(f'vcl 5.0; {head} include "part.vcl"; backend b {{ .host = "192.0.2.1"; }}', part=included)

    assert told("caching 4.1;", "") == []
    assert told("", "caching 4.1;") == [("V767", "part.vcl", "`caching` has no effect in an included file")]
