"""Words of findings fit their line: in an `if`, a message speaks of some requests or responses and not of every one,
and says which. A help does not propose what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lint_helpers import TODAY, head_of, results_of

from vernis.lint.engine import Result, Settings, lint
from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules
from vernis.pipeline import CHECK, Compilation, Options, rendered_diagnostics, run_stages
from vernis.syntax import nodes

HERE = Path(__file__).resolve().parent
ABSOLUTE = re.compile(r"\b(every|everybody|everything|all|always|never|each|no client|nobody|whatever)\b")
NAMED = re.compile(r"(passes|fails) (`|the test in line)")
#: Absolute words about something that no `if` around the line narrows.
FITTING = (
    "never runs", "this always ends the sub", "never holds here: an earlier test takes all such values", "add each backend once",
    "never exists here", "never matches", "so the test never holds", "never changes", "always holds", "is always set", "always gives the same",
    "nearly never is equal", "each arm only", "each of them has", "put a text in front of each", "once for each input",
    "not all alternatives", "each repetition", "each byte", "nearly every visitor has another", "every machine in this network",
    "on this machine, every visitor passes", "is stored for everybody", "each such request",
)
#: Conditions around the statements of hooks that get a request, a fetch, a response.
TESTS = {"vcl_backend_response": ("beresp.ttl > 0s", 'bereq.url ~ "^/part/"'),
         "vcl_backend_": ("bereq.retries == 0", 'bereq.url ~ "^/part/"'), "": ('req.method == "GET"', 'req.url ~ "^/part/"')}


def checked(text: str) -> Compilation:
    run = run_stages(Compilation("test", "test.vcl", text.encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None
    return run


def in_an_if(rule: Rule, which: int) -> Compilation | None:
    """The bad example with the statements of each sub in an `if`; None if it does not compile so."""
    text = head_of(rule.version) + rule.bad + "\n"
    run = checked(text)
    assert run.checked is not None and not run.failed, rendered_diagnostics(run)
    program = run.checked.program
    for one in reversed(program.declarations[:program.builtin_from]):
        if isinstance(one, nodes.Sub) and one.body.statements and one.name.lower() not in ("vcl_init", "vcl_fini"):
            body = program.tokens.span(one.body.at)
            test = next(tests[which] for prefix, tests in TESTS.items() if one.name.lower().startswith(prefix))
            text = f"{text[:body.start + 1]} if ({test}) {{{text[body.start + 1:body.end - 1]}}} {text[body.end - 1:]}"
    wrapped = checked(text)
    return None if wrapped.failed else wrapped


def results(run: Compilation, rule: Rule) -> list[Result]:
    assert run.checked is not None
    return lint(run.checked, all_rules(), Settings((rule.id,), today=TODAY))


def stand_in_a_sub(run: Compilation, found: list[Result]) -> Iterator[Result]:
    assert run.checked is not None
    program = run.checked.program
    subs = [program.tokens.span(one.body.at) for one in program.declarations if isinstance(one, nodes.Sub)]
    for one in found:
        if any(sub.file == one.finding.span.file and sub.start < one.finding.span.start < sub.end for sub in subs):
            yield one


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_a_finding_in_an_if_does_not_speak_of_every_request(rule: Rule, which: int) -> None:
    run = in_an_if(rule, which)
    for one in stand_in_a_sub(run, results(run, rule)) if run is not None else ():
        said = " | ".join((one.finding.message, one.diagnostic.help, *(text for _, text in one.finding.labels)))
        for phrase in FITTING:
            said = said.replace(phrase, "")
        assert not ABSOLUTE.search(said) or NAMED.search(said), said


@pytest.mark.parametrize("test, said", [
    ("if (beresp.ttl > 0s) { %s }", " passes `beresp.ttl > 0s`"),
    ("if (beresp.ttl <= 0s) { return (deliver); } else { %s }", " fails `beresp.ttl <= 0s`"),
    ("if (beresp.status == 200) { if (bereq.method == \"GET\") { %s } }",
     ' passes `beresp.status == 200` and passes `bereq.method == "GET"`'),
    ("if (beresp.status == 200 &&\n (bereq.method == \"GET\" || bereq.method == \"HEAD\")) { %s }", " passes the test in line 2"),
    ("%s", ""),
])
def test_a_message_names_the_tests_around_its_line(test: str, said: str) -> None:
    text = "sub vcl_backend_response { %s return (deliver); }" % test
    [cookie] = results_of(text % "unset beresp.http.Set-Cookie;", ("CS002",))
    [esi] = results_of(text % "set beresp.do_esi = true;", ("CS016",))
    assert cookie.finding.message == "this removes Set-Cookie from every response that is stored" + (said and " and" + said)
    assert esi.finding.message == f"every response{said and ' that' + said} is parsed for ESI"


# ---- helps -------------------------------------------------------------------------------------------------

PROPOSED = re.compile(r"\b(?:call \w+|unset [\w.-]+|set [\w.-]+ = [\w.\"-]+(?=[,\s]|$))")


def policies() -> Iterator[tuple[str, str, str]]:
    for rule in all_rules():
        yield rule.id, rule.bad, rule.version
    for path in sorted((HERE / "incidents").glob("*.vcl")):
        yield path.stem, path.read_text(), "4.1"


def test_a_help_does_not_propose_what_stands_in_its_line() -> None:
    seen, wrong = 0, []
    for title, text, version in policies():
        run = checked(head_of(version) + text + "\n")
        assert run.checked is not None
        for one in [] if run.failed else lint(run.checked, all_rules(), Settings(("all",), today=TODAY)):
            file = run.sources.files[one.finding.span.file]
            line = file.line_bytes(file.line_of(one.finding.span.start)).decode().lower()
            proposed = [words for words in PROPOSED.findall(one.diagnostic.help) if not is_spread(line, words)]
            seen += len(proposed)
            wrong += [(title, one.rule.id, words) for words in proposed if words.lower() in line]
    assert seen > 20 and not wrong


def is_spread(line: str, words: str) -> bool:
    """Whether a line has more than the statement of a finding: examples are written in one line."""
    return line.count(";") > 1
