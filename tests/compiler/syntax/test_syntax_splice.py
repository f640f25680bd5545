"""``include`` inserts the tokens of another file at its place."""

import os
from pathlib import Path

import pytest
from syntax_helpers import ENGINES, codes, parse, tree

from vernis.syntax.engine import Engine
from vernis.syntax.limits import Limits
from vernis.syntax.parser import ParseOptions, parse_text
from vernis.syntax.source import read_file
from vernis.syntax.splice import DiskResolver, TokenCache


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text, part, expected", [
    ('include "p"; sub b { }', "sub a { }", "(sub a)\n(sub b)"),
    ('acl x { include "p"; "b"; }', '"a"/8;', '(acl x)\n  "a"/8\n  "b"'),
    ('sub s { include "p"; return; }', "call a;", "(sub s)\n  (call a)\n  (return)"),
    ('sub s { set a = "x" + include "p"; ; }', 'b + "y"', '(sub s)\n  (set a = ["x" + b + "y"])'),
    ('sub s { return (include "p"; ); }', "hash", "(sub s)\n  (return hash)"),
    ('backend b { include "p"; }', '.host = "h";', '(backend b)\n  .host = "h"'),
    ('include {"p"}; sub b { }', "", "(sub b)"),
    ('include /* x */ "p" # y\n; sub b { }', "", "(sub b)"),
])
def test_include_splices_anywhere(text: str, part: str, expected: str, engine: Engine) -> None:
    assert tree(text, files={"p": part.encode()}, engine=engine) == expected


def test_includes_nest_and_may_repeat() -> None:
    files = {"a": b'include "b"; include "b";', "b": b"call x;"}
    assert tree('sub s { include "a"; include "b"; }', files=files) == "(sub s)\n" + "  (call x)\n" * 2 + "  (call x)"


def test_the_word_include_may_be_a_name() -> None:
    assert tree('sub s { set include = a.include; }') == "(sub s)\n  (set include = a.include)"
    assert codes('sub s { set x = a.include "p"; }', files={"p": b"+ b"}) == ["V218"]


def test_the_directive_stays_in_the_token_table_hidden() -> None:
    program, _ = parse('include "p"; sub b { }', files={"p": b"sub a { }"})
    tokens = program.tokens
    assert [tokens.text(i) for i in range(len(tokens)) if tokens.hidden[i]] == ["include", '"p"', ";"]     # type: ignore
    assert [tokens.text(i) for i in range(len(tokens))][3:5] == ["sub", "a"]        # type: ignore


def test_without_splicing_no_file_is_read() -> None:
    program, diags = parse('include "p"; sub b { include "q"; return; } include +glob "*";', splice=False)
    assert diags.items == []
    tokens = program.tokens
    assert [tokens.text(i) for i in range(len(tokens)) if tokens.hidden[i]] == [      # type: ignore
        "include", '"p"', ";", "include", '"q"', ";", "include", "+", "glob", '"*"', ";"]


def test_errors_name_the_included_file() -> None:
    program, diags = parse('include "p";', files={"p": b"\nsub a { set = 5; }"})
    assert [program.sources.place(d.span) for d in diags.items] == [("p", 2, 13)]       # type: ignore


def test_a_missing_file_is_reported_at_its_include() -> None:
    program, diags = parse('sub a { }\ninclude "nope.vcl";\nsub b { }')
    assert [(d.code, program.sources.place(d.span)) for d in diags.items] == [("V225", ("policy.vcl", 2, 9))]    # type: ignore
    assert len(program.declarations) == 2


def test_a_cycle_of_includes_is_reported_once() -> None:
    assert codes('include "a";', files={"a": b'include "b";', "b": b'include "a"; sub x { }'}) == ["V226"]


def test_an_include_without_a_semicolon() -> None:
    assert codes('include "p"\nsub b { }', files={"p": b"sub a { }"}) == ["V202"]


def test_a_version_in_an_included_file_may_be_lower_but_not_higher() -> None:
    assert codes('vcl 4.1; include "p";', files={"p": b"vcl 4.0;"}) == []
    assert codes('vcl 4.0; include "p";', files={"p": b"vcl 4.1;"}) == ["V212"]


# ---- where files are looked for


@pytest.fixture
def tree_on_disk(tmp_path: Path) -> Path:
    for name, text in {"main/sub/x.vcl": 'include "./y.vcl";', "main/sub/y.vcl": "sub y { }", "lib/z.vcl": "sub z { }",
                       "lib2/z.vcl": "sub wrong { }", "main/conf.d/2.vcl": "sub c2 { }", "main/conf.d/1.vcl": "sub c1 { }",
                       "main/conf.d/3.txt": "sub c3 { }"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def names(tmp_path: Path, text: str, *vcl_path: str) -> list[str]:
    options = ParseOptions(resolver=DiskResolver(tuple(str(tmp_path / p) for p in vcl_path)), require_version=False)
    program, diags = parse_text(text, str(tmp_path / "main" / "main.vcl"), options)
    return [d.code for d in diags.items] + [d.name for d in program.declarations]


def test_dot_slash_is_relative_to_the_file_it_is_in(tree_on_disk: Path) -> None:
    assert names(tree_on_disk, 'include "./sub/x.vcl";') == ["y"]


def test_other_names_are_searched_along_vcl_path_in_order(tree_on_disk: Path) -> None:
    assert names(tree_on_disk, 'include "z.vcl";', "lib", "lib2") == ["z"]
    assert names(tree_on_disk, 'include "z.vcl";', "lib2", "lib") == ["wrong"]
    assert names(tree_on_disk, 'include "z.vcl";', "main") == ["V225"]


def test_a_name_that_starts_with_dots_is_searched_along_vcl_path(tree_on_disk: Path) -> None:
    assert names(tree_on_disk, 'include "../lib/z.vcl";', "lib2") == ["z"]
    assert names(tree_on_disk, 'include "../lib/z.vcl";', "none") == ["V225"]


def test_dot_slash_in_a_file_with_a_relative_name(tree_on_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree_on_disk)
    options = ParseOptions(resolver=DiskResolver(("lib",)), require_version=False)
    program, diags = parse_text('include "./sub/x.vcl";', "main/main.vcl", options)
    assert [d.code for d in diags.items] + [d.name for d in program.declarations] == ["y"]


def test_a_pipe_or_device_is_an_error_without_a_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero"):
        with pytest.raises(OSError, match="a pipe, a socket or a device, not a file"):
            DiskResolver().read(path)
    (tmp_path / "long").write_bytes(bytes(100))
    assert len(read_file(str(tmp_path / "long"), 10)) == 11


def test_absolute_names_are_read(tree_on_disk: Path) -> None:
    assert names(tree_on_disk, f'include "{tree_on_disk}/lib/z.vcl";') == ["z"]


def test_glob_includes_all_matches_in_order(tree_on_disk: Path) -> None:
    assert names(tree_on_disk, 'include +glob "./conf.d/*.vcl";') == ["c1", "c2"]
    assert names(tree_on_disk, f'include +glob "{tree_on_disk}/main/conf.d/*.vcl";') == ["c1", "c2"]
    assert names(tree_on_disk, 'include +glob "conf.d/*.vcl";', "lib", "main") == ["c1", "c2"]


def test_glob_without_match_is_an_error(tree_on_disk: Path) -> None:
    assert names(tree_on_disk, 'include +glob "./conf.d/*.nope";') == ["V227"]


def test_a_cycle_through_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "main").mkdir()
    (tmp_path / "main" / "a.vcl").write_text('include "./b.vcl";')
    (tmp_path / "main" / "b.vcl").symlink_to("a.vcl")
    assert names(tmp_path, 'include "./a.vcl";') == ["V226"]


def test_a_directory_cannot_be_included(tree_on_disk: Path) -> None:
    assert names(tree_on_disk, 'include "./sub";') == ["V225"]
    options = ParseOptions(resolver=DiskResolver(), require_version=False)
    _, diags = parse_text('include "./sub";', str(tree_on_disk / "main" / "main.vcl"), options)
    assert [d.message for d in diags.items] == ['"./sub" is a directory']


# ---- limits


def limited(text: str, files: dict[str, bytes], **limits: int) -> list[str]:
    return codes(text, files=files, limits=Limits(**limits))


def test_the_depth_of_includes_is_limited() -> None:
    files = {f"f{i}": f'include "f{i + 1}";'.encode() for i in range(10)} | {"f10": b"sub x { }"}
    assert limited('include "f0";', files, include_depth=11) == []
    assert limited('include "f0";', files, include_depth=10) == ["V905"]


def test_the_number_of_includes_is_limited() -> None:
    text = 'include "a";' * 10
    assert limited(text, {"a": b""}, includes=10) == []
    assert limited(text, {"a": b""}, includes=9) == ["V907"]


def test_doubling_includes_end_at_a_limit() -> None:
    files = {f"f{i}": f'include "f{i + 1}"; include "f{i + 1}";'.encode() for i in range(30)} | {"f30": b"sub x { }"}
    assert limited('include "f0";', files, include_depth=40) == ["V907"]


def test_the_size_of_one_file_and_of_all_files_is_limited() -> None:
    assert limited("sub a { }", {}, source_bytes=9) == []
    assert limited("sub a { }", {}, source_bytes=8) == ["V903"]
    assert limited('include "p"; include "p";', {"p": b"sub a { }"}, program_bytes=43) == []
    assert limited('include "p"; include "p";', {"p": b"sub a { }"}, program_bytes=42) == ["V906"]


def test_the_number_of_tokens_is_limited() -> None:
    assert limited("sub a { }", {}, tokens=4) == []
    assert limited("sub a { }", {}, tokens=3) == ["V904"]


def test_a_cache_gives_the_same_tree() -> None:
    cache = TokenCache()
    files = {"p": b"sub a { set x = 1; }"}
    first = tree('include "p"; sub b { }', files=files, cache=cache)
    assert tree('include "p"; sub b { }', files=files, cache=cache) == first
    assert len(cache.entries) == 2
