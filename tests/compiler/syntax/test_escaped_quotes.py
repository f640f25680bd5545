"""A quote that is escaped with a backslash: one message on its line, and an edit that makes the string that was
meant. A backslash at the end of a complete string is no mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from vernis import pipeline
from vernis.pipeline import Compilation
from vernis.syntax.diagnostics import Diagnostic

HEAD = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\n'


def findings(tmp_path: Path, policy: bytes) -> list[Diagnostic]:
    path = tmp_path / "policy.vcl"
    path.write_bytes(policy)
    return list(pipeline.run_stages(Compilation("p", str(path)), pipeline.CHECK).diagnostics.items)


@pytest.mark.parametrize(("written", "meant"), [
    (r'if (req.url ~ "a\"b") { return (pass); }', r'if (req.url ~ {"a"b"}) { return (pass); }'),
    (r'if (req.url ~ "(a\"|b\")") { return (pass); }', r'if (req.url ~ {"(a"|b")"}) { return (pass); }'),
    (r'set req.http.X = regsub(req.http.C, "n=\"([^\"]+)\"", "\1");', r'set req.http.X = regsub(req.http.C, {"n="([^"]+)""}, "\1");'),
    (r'set req.http.X = regsub(req.url, "\"", "");', r'set req.http.X = regsub(req.url, {"""}, "");'),
    (r'set req.http.X = "{\"a\":\"b\"}";', r'set req.http.X = """{"a":"b"}""";'),
    (r'set req.http.X = "\.\"\d";', r'set req.http.X = {"\."\d"};'),
    ('set req.http.X = "\u00e4\\"";', 'set req.http.X = {"\u00e4""};'),
])
def test_an_escaped_quote_has_one_message_and_an_edit(tmp_path: Path, written: str, meant: str) -> None:
    policy = f"{HEAD}sub vcl_recv {{ {written} }}\n".encode()
    found = findings(tmp_path, policy)
    assert [(item.code, item.message) for item in found] == [("V111", "the string ends at this quote: a backslash does not escape it")]
    assert "VCL strings have no escapes; write: " in found[0].help
    (edit,) = found[0].edits
    mended = policy[:edit.span.start] + edit.text.encode() + policy[edit.span.end:]
    assert mended == f"{HEAD}sub vcl_recv {{ {meant} }}\n".encode()
    assert findings(tmp_path, mended) == []


def test_other_lines_have_their_own_messages(tmp_path: Path) -> None:
    text = 'sub vcl_recv {\n  set req.http.A = "\\"";\n  set req.http.B = "open;\n  set req.http.C = a | b;\n}\n'
    assert [item.code for item in findings(tmp_path, (HEAD + text).encode())][:3] == ["V111", "V101", "V105"]


def test_text_without_a_quoted_form_has_advice_only(tmp_path: Path) -> None:
    text = 'sub vcl_recv { set req.http.A = "\\"} \\"\\"\\""; }\n'
    (found,) = findings(tmp_path, (HEAD + text).encode())
    assert found.code == "V111" and not found.edits and 'write text that has quotes as {"..."} or """..."""' in found.help


def test_a_backslash_at_the_end_of_a_string_is_text(tmp_path: Path) -> None:
    text = 'sub vcl_recv { set req.http.A = "C:\\dir\\"; set req.http.B = "x\\" + "y"; }\n'
    assert findings(tmp_path, (HEAD + text).encode()) == []
