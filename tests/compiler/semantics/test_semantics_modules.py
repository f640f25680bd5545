"""Third-party modules: where their descriptions are found, what they may contain, and which errors they
give."""

from __future__ import annotations

from pathlib import Path

import pytest
from semantics_helpers import check

from vernis.ir.lower import lower
from vernis.native.image import interface_digest
from vernis.semantics.options import Options

DESCRIPTION = """abi = 1
[[module]]
name = "edge"
doc = "For tests."
function = [
  { name = "word", symbol = "edge_word", result = "STRING", pure = true, params = [{ name = "n", type = "INT", default = 1 }], doc = "A word." },
  { name = "look", symbol = "look", result = "BOOL", where = ["client"], may_wait = true, params = [], reads = ["req.http.*"], doc = "Looks." },
]
[[module.object]]
name = "box"
symbol = "box_new"
fini = "box_fini"
params = [{ name = "size", type = "BYTES", default = 10 }]
doc = "A box."
method = [ { name = "put", symbol = "box_put", result = "VOID", params = [{ name = "mode", type = "ENUM", values = ["A", "B"], optional = true }], doc = "Puts." } ]
"""


def policy(body: str = "", more: str = "", declaration: str = "import edge;") -> str:
    return f"vcl 4.1;\n{declaration}\nbackend default none;\n{more}\nsub vcl_recv {{ {body} }}\n"


@pytest.fixture
def edge(tmp_path: Path) -> Path:
    (tmp_path / "edge.toml").write_text(DESCRIPTION)
    return tmp_path


def path_of(*folders: Path, any_path: bool = True) -> Options:
    return Options(vmod_path=tuple(map(str, folders)), any_path=any_path)


def test_functions_and_objects_of_a_module_are_known(edge: Path) -> None:
    text = policy('set req.http.A = edge.word(2) + edge.word(); if (edge.look()) { b.put(B); b.put(); }',
                  "sub vcl_init { new b = edge.box(1KB); }")
    done = check(text, options=path_of(Path("/nowhere"), edge))
    assert done.codes == []
    checked = done.checked
    assert [(module.name, module.library) for module in checked.modules] == [("edge", f"{edge}/libvmod_edge.so")]
    assert checked.effects["vcl_recv"].may_wait and "req.http.*" in checked.effects["vcl_recv"].reads


@pytest.mark.parametrize(("body", "code"), [
    ("edge.wrod();", "V322"), ("set req.http.A = edge.word(\"x\");", "V301"), ("set req.http.A = edge.word(1, 2);", "V313"),
])
def test_calls_are_checked_like_those_of_built_in_modules(edge: Path, body: str, code: str) -> None:
    assert code in check(policy(body), options=path_of(edge)).codes


def test_an_import_may_name_the_file_and_a_local_name(edge: Path) -> None:
    for place in (f"{edge}/", str(edge), f"{edge}/libvmod_edge.so"):
        text = policy("set req.http.A = other.word();", declaration=f'import edge as other from "{place}";')
        assert check(text).codes == [], place
    text = policy("set req.http.A = edge.word();", declaration='import edge from "libvmod_edge.so";')
    assert check(text, options=path_of(edge)).codes == []
    text = policy(declaration=f'import edge from "{edge}/";')
    assert check(text, options=path_of(edge, any_path=False)).codes == ["V521"]


def test_two_files_for_one_module_are_an_error(edge: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "edge.toml").write_text(DESCRIPTION)
    text = policy(declaration=f'import edge; import edge as two from "{tmp_path}/b/";')
    assert check(text, options=path_of(edge)).codes == ["V521"]


def test_a_missing_module_is_an_error(tmp_path: Path) -> None:
    assert check(policy("edge.look();"), options=path_of(tmp_path)).codes == ["V513"]
    (tmp_path / "libvmod_edge.so").touch()
    done = check(policy("edge.look();"), options=path_of(tmp_path))
    assert done.codes == ["V521"] and done.one.source.help == f"{tmp_path}/edge.toml does not exist"


def test_a_module_cannot_have_a_built_in_name(tmp_path: Path) -> None:
    declaration = f'import std from "{tmp_path}/";'
    assert check(policy(declaration=declaration)).codes == ["V517"]
    (tmp_path / "std.toml").write_text(DESCRIPTION.replace('"edge"', '"std"'))
    done = check(policy(declaration=declaration))
    assert done.codes == ["V517"] and done.one.source.severity.value == "error"
    assert check(policy(declaration="import std;"), options=path_of(tmp_path)).codes == []


@pytest.mark.parametrize(("old", "new", "message"), [
    ("abi = 1", "abi = [", "edge.toml: this is not TOML: "),
    ("abi = 1", "abi = 2", "edge.toml: module edge needs version 2 of the module contract; this version is 1"),
    ("abi = 1\n", "", "edge.toml: abi is missing"),
    ("abi = 1", "abi = 1\n[[module]]\nname = \"more\"\ndoc = \"\"", "edge.toml: a description has exactly one [[module]]"),
    ('name = "edge"', 'name = "ridge"', "edge.toml:3: this describes module ridge, not edge"),
    ('result = "STRING"', 'result = "STRNG"', "edge.toml:6: function word: STRNG is not a type"),
    ('result = "BOOL"', 'result = "ACL"', "edge.toml:7: function look: ACL cannot be passed to a module"),
    ('type = "INT"', 'type = "SUB"', "edge.toml:6: function word, parameter n: SUB cannot be passed to a module"),
    ("default = 1 }", 'default = "1" }', "edge.toml:6: function word, parameter n: the default is not of type INT"),
    ("pure = true", "prue = true", "edge.toml:6: function word: a function has no key prue"),
    ("pure = true", 'pure = "yes"', "edge.toml:6: function word: pure must be true or false"),
    ('where = ["client"]', 'where = ["clients"]', "edge.toml:7: function look: where has 'clients'"),
    ('name = "look"', 'name = "Word"', "edge.toml:7: function Word appears twice"),
    ('fini = "box_fini"\n', "", "edge.toml:10: object box: fini is missing"),
    ('values = ["A", "B"], ', "", "edge.toml:15: method put, parameter mode: an ENUM needs a list of texts as its values, and other types have no values"),
    ('"look", result', '"lo ok", result', 'edge.toml:7: function look: symbol "lo ok" is not a name'),
])
def test_an_invalid_description_is_reported_with_its_place(edge: Path, old: str, new: str, message: str) -> None:
    assert DESCRIPTION.count(old) == 1
    (edge / "edge.toml").write_text(DESCRIPTION.replace(old, new))
    done = check(policy("edge.look();"), options=path_of(edge))
    assert done.codes == ["V521"]
    assert f"{edge}/{message}" in done.one.message


def test_a_changed_description_changes_the_interface(edge: Path) -> None:
    def digest() -> bytes:
        return interface_digest(lower(check(policy(), options=path_of(edge)).checked))

    before = digest()
    (edge / "edge.toml").write_text(DESCRIPTION + "# more\n")
    assert digest() != before
