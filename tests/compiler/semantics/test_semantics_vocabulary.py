"""The vocabulary is consistent with the IR and with itself. The module that the build makes of it has the
same content."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

from vernis.semantics import frozen
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import grammar_text, hook_names, load_vocabulary

VOCABULARY = load_vocabulary()


def test_the_families_of_fields() -> None:
    families = {row.key for row in VOCABULARY.variables if row.type is Type.HEADER}
    assert families == {f"{message}.http." for message in ("req", "req_top", "bereq", "beresp", "resp", "obj")}


def test_every_row_has_a_doc() -> None:
    functions = [*VOCABULARY.functions.values(), *VOCABULARY.methods.values()]
    for module in VOCABULARY.modules.values():
        functions += module.functions.values()
        for kind in module.objects.values():
            functions += kind.methods.values()
            assert kind.doc
    for row in [*VOCABULARY.hooks.values(), *VOCABULARY.variables, *functions]:
        assert row.doc.endswith("."), row.name


def test_modules_of_the_manual() -> None:
    of_varnish = {"std", "directors", "cookie", "blob", "purge", "unix", "proxy", "vtc", "math"}
    of_others = {"accept", "basicauth", "bodyaccess", "digest", "dynamic", "geoip2", "header", "querystring", "re2", "saintmode", "str", "tcp", "urlcode", "var", "vsthrottle", "xkey"}
    assert of_varnish | of_others <= set(VOCABULARY.modules)
    assert list(VOCABULARY.modules["directors"].objects) == [
        "round_robin", "fallback", "random", "hash", "shard", "shard_param"]


def test_an_enum_has_words_and_its_default_is_one_of_them() -> None:
    for module in VOCABULARY.modules.values():
        for row in [*module.functions.values(), *(m for kind in module.objects.values() for m in kind.methods.values())]:
            for param in row.params:
                assert (param.type is Type.ENUM) == bool(param.values), (row.name, param.name)
                assert not param.values or not param.has_default or param.default in param.values


def test_words_for_hooks() -> None:
    rows = VOCABULARY.variables_of((4, 1))
    assert hook_names(rows["bereq.http."].read) \
        == ["vcl_pipe", "vcl_backend_fetch", "vcl_backend_response", "vcl_backend_error"]
    assert len(hook_names(rows["now"].read)) == 14


# ---- the table as a module ---------------------------------------------------------------------------------


def test_the_generated_module_has_the_content_of_the_file() -> None:
    text = grammar_text("vocabulary.toml")
    made = importlib.import_module(frozen.MODULE)
    assert made.SOURCE == frozen.source(text), "run: make build"
    assert frozen.table(text) is made.TABLE and made.TABLE == tomllib.loads(text.decode())


def test_a_generated_module_of_another_text_is_ignored(tmp_path: Path, monkeypatch) -> None:      # type: ignore[no-untyped-def]
    (tmp_path / "table_of_a.py").write_text(frozen.as_module(b"a = 1"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(frozen, "PLACES", ("no_such_module", "table_of_a"))
    monkeypatch.setattr(frozen, "_parsed", lambda text: "parsed")
    assert frozen.table(b"a = 1") == {"a": 1}
    assert frozen.table(b"a = 2") == "parsed"
