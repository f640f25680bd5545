"""A process that lints a policy again after an edit finds what a new process finds, and visits only what the edit
concerns."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lint_mixtures import HEAD, joined, mixtures

from vernis.lint import conditions
from vernis.service.linting import Kept, lint_text
from vernis.lint.engine import Result, Settings
from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules
from vernis.semantics import again
from vernis.semantics.context import Context
from vernis.semantics.resolve import SubSymbol
from vernis.syntax.diagnostics import Diagnostic, Severity, Span
from vernis.syntax.nodes import Decl, IfArm, Program, Sub
from vernis.syntax.tokens import TokenTable
from vernis.syntax.walk import nodes_in

#: What an edit may put in place of a piece of text.
WORDS = ["", " ", "\n", "# note\n", "X-New", "req.url", '"^/a+/.*b"', "!", "&&", "pass", "hash", "7s", "unset req.http.Cookie;",
         "set req.http.X-A = req.http.X-B;", 'if (req.http.X-C ~ "(a|b)+$") { return (pass); }', "return (purge);",
         'set beresp.ttl = 0s;', "# vernis: ignore[SEC001]\n", "call nowhere;", "}", "{", '"', "sub more { }", "/* */",
         'include "none.vcl";']


class Process:
    """Lints a text as `--watch` does, or as a new process does."""

    def __init__(self, warm: bool, path: str = "test.vcl") -> None:
        self.kept = Kept() if warm else None
        self.path = path
        self.program: Program | None = None

    def lint(self, text: str) -> tuple[list[Diagnostic], list[Result]]:
        run, found = lint_text(self.path, text.encode("latin-1", "replace"), self.kept, settings=Settings(("all",)))
        self.program = run.program
        return run.diagnostics.items, found

    def declarations(self) -> tuple[Decl, ...]:
        assert self.program is not None
        return self.program.declarations


def edited(text: str, chance: random.Random) -> str:
    """The text with one edit: a word in place of a few bytes, a line removed or written twice."""
    lines = text.splitlines(keepends=True) or ["\n"]
    number = chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[number]
        case 1:
            lines.insert(number, lines[chance.randrange(len(lines))])
        case _:
            line = lines[number]
            start = chance.randrange(len(line))
            lines[number] = line[:start] + chance.choice(WORDS) + line[start + chance.choice((0, 0, 1, 4)):]
    return "".join(lines)


@settings(max_examples=120, deadline=None)
@given(mixtures(5), st.integers(0, 1 << 32))
@example(HEAD + "sub vcl_recv { return (pass); }\n", 1)
@pytest.mark.slow
def test_after_random_edits_a_warm_process_finds_what_a_new_one_finds(text: str, seed: int) -> None:
    chance, warm = random.Random(seed), Process(warm=True)
    warm.lint(text)
    for _ in range(8):
        after = edited(text, chance)
        errors, found = warm.lint(after)
        assert (errors, found) == Process(warm=False).lint(after)
        text = text if errors and chance.random() < 0.8 else after  # mostly goes on from a policy without errors


def edits(text: str, other: Path) -> Iterator[str]:
    """Texts that each differ from the one before by an edit outside of most subs."""
    yield text
    yield (text := text.replace("\n", "\n# A line that moves all others.\n", 1))
    yield (text := text.replace("192.0.2.1", "192.0.2.2", 1))
    yield (text := text + 'acl people { "192.0.2.0"/24; }\n')
    yield (text := text.replace('"192.0.2.0"/24; }\n', '"198.51.100.0"/24; }\n'))
    yield text.replace("\n", "\nimport blob;\n", 1)
    yield (text := text + "sub vcl_recv { unset req.http.X-Wish; unset req.http.Cookie; }\n")
    yield (text := text + "sub vcl_hash { hash_data(req.http.X-Key); }\n")
    yield text.replace("sub vcl_recv", 'sub vcl_deliver { set resp.http.Vary = "X-Beta"; }\nsub vcl_recv', 1)
    for more in ("sub vcl_deliver { unset resp.http.X-More; }\n", "sub vcl_recv { return (pass); }\n"):
        other.write_text(more)
        yield text + f'include "{other.name}";\n'
    yield text


RULES = [rule for rule in all_rules() if rule.version == "4.1"]


@pytest.mark.parametrize("rules", [RULES[start:start + 8] for start in range(0, len(RULES), 8)], ids=lambda rules: rules[0].id)
def test_after_an_edit_elsewhere_a_warm_process_finds_what_a_new_one_finds(rules: list[Rule], tmp_path: Path) -> None:
    """What the rules keep of a sub tells nothing about other text: places, other subs, declarations."""
    path = str(tmp_path / "test.vcl")
    warm = Process(warm=True, path=path)
    seen: set[str] = set()
    for text in edits(joined([rule.bad for rule in rules]), tmp_path / "more.vcl"):
        errors, found = warm.lint(text)
        assert (errors, found) == Process(warm=False, path=path).lint(text), text
        seen |= {one.rule.id for one in found}
    assert len(seen.intersection(rule.id for rule in rules)) >= len(rules) / 2


def test_what_is_kept_of_a_sub_is_about_the_hooks_that_run_it() -> None:
    told, warm = HEAD + 'sub told { if (req.http.host ~ "^www.example.com$") { set req.http.X-A = "1"; } }\n', Process(warm=True)
    severities = []
    for text in (f"{told}sub vcl_{hook} {{ call told; }}\n" for hook in ("recv", "deliver", "recv")):
        errors, found = warm.lint(text)
        assert (errors, found) == Process(warm=False).lint(text)
        severities += [one.diagnostic.severity for one in found if one.rule.id == "RE001"]
    assert severities == [Severity.WARNING, Severity.NOTE, Severity.WARNING]  # RE001 asks where the test runs


def test_what_is_kept_of_a_test_of_the_method_depends_on_the_subs_that_set_it() -> None:
    tests = 'if (req.method == "POST" && req.http.X-A) { set req.http.X-B = "1"; } else { set req.http.X-B = "2"; }'
    warm, ids = Process(warm=True), []
    for name in ("url", "method", "url"):
        text = f'{HEAD}sub one {{ {tests} }}\nsub two {{ set req.{name} = "POST"; }}\nsub vcl_recv {{ call two; call one; return (hash); }}\n'
        errors, found = warm.lint(text)
        assert (errors, found) == Process(warm=False).lint(text)
        ids.append("CK001" in {one.rule.id for one in found})
    assert ids == [False, True, False]


def parts(count: int, changed: str = "") -> str:
    subs = [f'sub part{n} {{ if (req.url ~ "^/s{n}/") {{ set req.http.X-P{n} = "{n}" + req.url; }} }}\n' for n in range(count)]
    if changed:
        subs[count // 2] = changed
    calls = "".join(f"    call part{n};\n" for n in range(count))
    return HEAD + "".join(subs) + f"sub vcl_recv {{\n{calls}}}\n"


NUMBER = 20
EDIT = 'sub part10 { if (req.url ~ "^/s/") { set req.http.X-P10 = "10" + req.url; } elseif (req.url ~ "^/s/t/") { unset req.http.X-A; } }\n'


def test_an_edit_of_a_sub_parses_checks_and_compares_this_sub_only(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    compared: list[int] = []
    check, answers = again.check_sub, conditions._Walk._answers
    monkeypatch.setattr(again, "check_sub", lambda context, symbol: checked.append(symbol.name) or check(context, symbol))
    monkeypatch.setattr(conditions._Walk, "_answers", lambda self, own: compared.append(len(own)) or answers(self, own))
    warm = Process(warm=True)
    warm.lint(parts(NUMBER))
    before = warm.declarations()
    compared.clear()
    _, found = warm.lint(parts(NUMBER, EDIT))
    assert warm.kept is not None and warm.kept.known.trees.n_parsed == 1
    assert [new for old, new in zip(before, warm.declarations()) if old is not new] == [warm.declarations()[12]]
    assert checked == ["part10"]
    assert sum(compared) == 2  # its caller, too: it changes another variable now
    assert [one.rule.id for one in found].count("FL002") == 1  # found by the comparison of both tests


def arms(count: int, changed: str = "", behind: str = "", last: str = "X-D") -> str:
    lines = [f'if (req.url ~ "^/a{n}/" && req.http.X-A{n} == "") {{ set req.http.X-B = "{n}"; }}\n' for n in range(count)]
    if changed:
        lines[count // 2] = changed
    end = f"if (req.http.X-C) {{ unset req.http.{last}; }}\n"
    return HEAD + f"sub vcl_recv {{\n{'else'.join(lines)}{behind}{end}{end}}}\n"


ARM = 'if (req.url ~ "^/long/" && req.http.X-A1 == "") { set req.http.X-B = "new"; }\n'


def arms_of(process: Process) -> list[IfArm]:
    subs = (one for one in process.declarations() if isinstance(one, Sub) and one.name == "vcl_recv")
    return [node for node in nodes_in(next(subs)) if isinstance(node, IfArm)]


@pytest.mark.parametrize(("text", "n_new", "n_checked"), [
    (arms(NUMBER, ARM), 2, 2),  # and the first arm, because without it there is no `if`
    (arms(NUMBER, ARM.replace('"new"', 'req.url + "new"')), 13, 13),  # the tokens behind it have other indices
    (arms(NUMBER, last="X-E"), 2, 2),
    (arms(NUMBER, behind="# More.\n"), 2, 2),
    (arms(NUMBER, behind="if (req.http.X-F) { unset req.http.X-G; }\n"), 3, 3),
    (arms(NUMBER, behind="else { unset req.http.X-B; }\n"), NUMBER + 3, 0),  # other arms of a kept statement
])
def test_an_edit_of_an_arm_parses_and_checks_this_arm_only(
    text: str, n_new: int, n_checked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm, checked = Process(warm=True), []
    warm.lint(arms(NUMBER))
    before = set(map(id, arms_of(warm)))
    check = again.check_sub

    def noted(context: Context, symbol: SubSymbol) -> None:
        checked.extend(node for node in nodes_in(symbol.definitions[0]) if isinstance(node, IfArm))
        check(context, symbol)

    monkeypatch.setattr(again, "check_sub", noted)
    assert warm.lint(text) == Process(warm=False).lint(text)
    new = [one for one in arms_of(warm) if id(one) not in before]
    assert (len(new), len(checked)) == (n_new, n_checked)


def test_kept_trees_have_the_places_of_the_new_text() -> None:
    """Spans and lines of all nodes are those of a new parse, although the indices of tokens differ."""
    warm, cold = Process(warm=True), Process(warm=False)
    warm.lint(parts(NUMBER))
    for text in (parts(NUMBER, EDIT), parts(NUMBER, EDIT + "# more\n" * 9), parts(NUMBER + 1, EDIT)):
        warm.lint(text)
        cold.lint(text)
        assert [span_of(warm, one) for one in warm.declarations()] == [span_of(cold, one) for one in cold.declarations()]
        for one, other in zip(warm.declarations(), cold.declarations(), strict=True):
            assert tokens_of(warm, one) == tokens_of(cold, other)


def span_of(process: Process, one: Decl) -> Span:
    assert process.program is not None
    return process.program.span(one)


def tokens_of(process: Process, one: Decl) -> tuple[bytes, list[int]]:
    """Types and lines of the tokens of a declaration."""
    assert process.program is not None
    table, (first, last) = process.program.tokens, one.at
    assert isinstance(table, TokenTable)
    return bytes(table.types[first:last + 1]), table.lines[first:last + 1]


def test_an_edit_without_room_moves_the_declarations_behind_it() -> None:
    long = 'sub part10 { if (req.url ~ "^/s/") { ' + 'set req.http.X-P10 = "10" + req.url; ' * 30 + "} }\n"
    warm = Process(warm=True)
    warm.lint(parts(NUMBER))
    for text in (parts(NUMBER, long), parts(NUMBER, EDIT), parts(NUMBER), parts(NUMBER, long)):
        assert warm.lint(text) == Process(warm=False).lint(text)


def test_a_comment_behind_the_last_declaration_is_checked() -> None:
    warm, text = Process(warm=True), HEAD + "sub vcl_recv { return (pass); }\n"
    assert warm.lint(text + "/* end */")[0] == []
    assert [error.code for error in warm.lint(text + "/* end")[0]] == ["V104"]
