"""Applies the fixes of lint, and compares what a policy decides before and after on random requests.

A fix may change decisions only as `changes` of its rule says. MEANT has a row for each such rule, as narrow as a
test of the results of one hook can be. The fixes that `lint --fix` applies at once are compared one after another.
"""

from __future__ import annotations

import os
import random
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from lint_helpers import TODAY

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "migrate")]
from same_behaviour import Requests, Start, done  # noqa: E402

from vernis.commands.lint_fix import Fixer  # noqa: E402
from vernis.commands.linting import Linted  # noqa: E402
from vernis.ir.ir import HOOKS, Module, Msg, Type  # noqa: E402
from vernis.ir.lower import lower  # noqa: E402
from vernis.ir.pretty import function_text  # noqa: E402
from support.reference.values import Ip, Value  # noqa: E402
from vernis.lint.automata import TooLargeError, language_of, outside, shortest  # noqa: E402
from vernis.lint.engine import Result, Settings, lint  # noqa: E402
from vernis.lint.fixing import Planned, new_texts, plan  # noqa: E402
from vernis.lint.rules import all_rules  # noqa: E402
from vernis.pipeline import CHECK, Compilation, run_stages  # noqa: E402
from vernis.record import replace  # noqa: E402
from vernis.syntax.diagnostics import Edit  # noqa: E402

Results = dict[str, object]
METHODS = [b"GET", b"GET", b"HEAD", b"POST", b"PURGE"]
#: Parts of a module that no hook shows.
DECLARED = ("backends", "probes", "acls", "tables", "counters", "instances", "storages", "default_backend")


@dataclass(slots=True)
class Pair:
    """A policy before and after a fix. ``said`` is the finding's message, the text that it is about, and the fix; empty
    for edits of the compiler, which mean no difference. ``without`` is the policy in which the statement of the finding
    never runs, for a fix that puts a test around it."""

    before: Module
    after: Module
    said: str = ""
    without: Module | None = None

    def patterns(self) -> set[tuple[bytes, bytes]]:
        """The patterns that others have replaced, each with the other one; empty if something else differs, too."""
        one, other = ("".join(function_text(module, module.functions[name]) for name in sorted(module.functions)) for module in (self.before, self.after))
        if _PATTERN.sub("", _SITE.sub("", one)) != _PATTERN.sub("", _SITE.sub("", other)):
            return set()
        olds, news = ([module.regexes[int(number)] for number in _PATTERN.findall(code)] for module, code in ((self.before, one), (self.after, other)))
        return {pair for pair in zip(olds, news, strict=True) if pair[0] != pair[1]}


_SITE = re.compile(r"(?m)^    site .*\n")
_PATTERN = re.compile(r'(?<=regex )(\d+) "(?:[^"\\]|\\.)*"')


@dataclass(slots=True)
class Changed:
    """What a hook did before and after for one request."""

    hook: str
    start: Start
    before: Results
    after: Results
    pair: Pair

    def only(self, *names: str) -> bool:
        """Whether nothing else has changed."""
        return {name for name in self.before if self.before[name] != self.after[name]} <= set(names)

    def actions(self) -> tuple[object, object]:
        return self.before["action"], self.after["action"]

    def field(self, name: str) -> bytes | None:
        """The value of a field such as req.http.Cookie at the begin of the hook."""
        msg, _, key = name.upper().partition(".HTTP.")
        return next((value for m, n, value in self.start.fields if (m.name, n.decode().upper()) == (msg, key)), None)

    def variable(self, name: str) -> object:
        """The value at the begin of the hook."""
        return self.start.variables.get(name)

    def before_variable(self, name: str) -> object:
        """The value at the end of the hook without the fix."""
        return _variables(self.before).get(name)

    def after_variable(self, name: str) -> object:
        return _variables(self.after).get(name)

    def fields(self) -> Iterator[tuple[str, list[tuple[bytes, bytes]], list[tuple[bytes, bytes]]]]:
        """The messages whose fields differ."""
        before, after = self.before["fields"], self.after["fields"]
        assert isinstance(before, dict) and isinstance(after, dict)
        return ((msg, before[msg], after[msg]) for msg in before if before[msg] != after[msg])

    def variables(self) -> dict[str, tuple[object, object]]:
        """The variables that differ."""
        before, after = _variables(self.before), _variables(self.after)
        return {name: (before.get(name), after.get(name)) for name in before | after if before.get(name) != after.get(name)}

    def does_nothing_else_after(self) -> bool:
        """Whether the hook only ends, with the fix."""
        fields = {msg.name: [(name, value) for m, name, value in self.start.fields if m is msg] for msg in Msg}
        started = {name: value or None for name, value in self.start.variables.items()}
        return self.after["fields"] == fields and _variables(self.after) == started and not calls_of(self.after)

    def __str__(self) -> str:
        shown = [f"{key}: {self.before[key]!r} became {self.after[key]!r}" for key in self.before if self.before[key] != self.after[key]]
        return f"{self.hook}: {'; '.join(shown)}; request: {self.start}"


def calls_of(results: Results) -> list[Any]:
    found = results["calls"]
    assert isinstance(found, list)
    return found


def _variables(results: Results) -> dict[str, object]:
    found = results["variables"]
    assert isinstance(found, dict)
    return found


class NearRequests(Requests):
    """Random requests for two policies. Half of the texts are near the borders of their patterns."""

    def __init__(self, before: Module, after: Module, rng: random.Random) -> None:
        super().__init__(before, rng)
        self.names = sorted({*self.names, *(name.encode() for name in after.names)})
        other = Requests(after, rng)
        self.read = other.read | self.read
        self.texts = list(dict.fromkeys([*self.texts, *other.texts]))
        olds, news = set(before.regexes), set(after.regexes)
        self.near = sorted(set(_near(olds | news))) or self.texts
        self.apart = sorted(set(_apart(olds - news, news - olds))) or self.near

    def start(self) -> Start:
        found = super().start()
        found.variables["server_rfc9111"] = self.module.syntax >= 50
        return found

    def text(self) -> bytes:
        share = self.rng.random()
        return self.rng.choice(self.apart) if share < 0.3 else self.rng.choice(self.near) if share < 0.6 else super().text()

    def value(self, name: str, type: Type) -> Value:
        is_method = name.endswith("_method") and self.rng.random() < 0.8
        return self.rng.choice(METHODS) if is_method else super().value(name, type)


def _near(patterns: set[bytes]) -> Iterator[bytes]:
    """Texts that a pattern matches, and texts like them."""
    for pattern in patterns:
        language = language_of(pattern.decode("latin-1"))
        text = None if language is None else shortest(language)
        if text is not None:
            yield from (text, b"/" + text, text + b"x", b"x" + text, text.upper(), text + b"?x=1", text + b":80", b"/account?x=a" + text)


def _apart(olds: set[bytes], news: set[bytes]) -> Iterator[bytes]:
    """Texts that only one of a pattern and its replacement matches."""
    for old, new in product(olds, news):
        languages = language_of(old.decode("latin-1")), language_of(new.decode("latin-1"))
        if languages[0] is not None and languages[1] is not None:
            try:
                found = outside(languages[0], languages[1]), outside(languages[1], languages[0])
            except TooLargeError:
                continue
            yield from (text for text in found if text is not None)


def changed_hooks(before: Module, after: Module) -> list[str]:
    """The hooks whose code differs, or may differ in what it calls."""
    one, other = ({name: _code(module, name) for name in module.functions} for module in (before, after))
    differ = {name for name in one | other if one.get(name) != other.get(name)}
    return list(HOOKS) if differ - set(HOOKS) else [hook for hook in HOOKS if hook in differ]


def _code(module: Module, name: str) -> tuple[str, list[bytes]]:
    """The code without the numbers of statements and patterns. Calls refer to patterns by their number."""
    text = re.sub(r"(?m)^    site .*\n|(?<=regex )\d+ ", "", function_text(module, module.functions[name]))
    return text, module.regexes if "ref " in text else []


def changed_decisions(pair: Pair, n: int, rng: random.Random) -> Iterator[Changed]:
    """What the hooks do otherwise, for ``n`` requests that each hook gets."""
    hooks = changed_hooks(pair.before, pair.after)
    if not hooks:
        return
    requests = NearRequests(pair.before, pair.after, rng)
    for _ in range(n):
        start = requests.start()
        for hook in hooks:
            one, other = done(pair.before, hook, start), done(pair.after, hook, start)
            if one != other:
                yield Changed(hook, start, one, other, pair)


def changed_declarations(before: Module, after: Module) -> set[str]:
    return {name for name in DECLARED if getattr(before, name) != getattr(after, name)}


def fixes_of(run: Compilation, select: tuple[str, ...] = ("all",)) -> list[Result]:
    assert run.checked is not None and not run.failed
    return [one for one in lint(run.checked, all_rules(), Settings(select, today=TODAY)) if one.finding.fix is not None]


def texts_of(run: Compilation) -> dict[str, bytes]:
    """The texts of a policy by real path."""
    return {os.path.realpath(file.name): file.data for file in run.sources.files}


def rerun(run: Compilation, texts: Mapping[str, bytes]) -> Compilation:
    """The policy with other texts, by real path."""
    return run_stages(Compilation(run.name, run.path, options=run.options, changed={**texts_of(run), **texts}), CHECK)


def fixed(run: Compilation, result: Result, earlier: Sequence[Planned] = ()) -> dict[str, bytes]:
    """The files that a fix changes, by real path, with fixes that were applied before."""
    planned = plan([result], run.sources, lambda path: True, unsafe=True).fixes
    return new_texts([*earlier, *planned], texts_of(run).__getitem__)


@dataclass(slots=True)
class Step:
    """A fix of a finding of ``run``. ``earlier`` are fixes for the same text that are applied as well."""

    run: Compilation
    result: Result
    earlier: Sequence[Planned] = ()

    def before(self) -> Compilation:
        return rerun(self.run, new_texts(self.earlier, texts_of(self.run).__getitem__)) if self.earlier else self.run

    def after(self) -> Compilation:
        return rerun(self.run, fixed(self.run, self.result, self.earlier))

    def without(self) -> Compilation:
        """The policy in which the test of the fix never holds."""
        fix = self.result.finding.fix
        assert fix is not None
        edits = tuple(Edit(edit.span, re.sub(r"^if \(.*?\) \{", "if (false) {", edit.text)) for edit in fix.edits)
        finding = replace(self.result.finding, fix=replace(fix, edits=edits))
        return rerun(self.run, fixed(self.run, replace(self.result, finding=finding), self.earlier))

    def said(self) -> str:
        finding = self.result.finding
        assert finding.fix is not None
        text = re.sub(r"#[^\n]*|//[^\n]*|/\*.*?\*/|\s+", "", self.run.sources.text(finding.span), flags=re.S)
        return f"{finding.message}: {text}: {' '.join(edit.text for edit in finding.fix.edits)}"

    def harm(self, before: Module, after: Module, n: int, rng: random.Random) -> str:
        """What the fix changes although its rule does not say so; empty if there is nothing."""
        rule = self.result.rule.id
        declared = changed_declarations(before, after) - DECLARATIONS.get(rule, set())
        if declared:
            return f"{rule}: other {', '.join(sorted(declared))}"
        without = lowered(self.without()) if rule in TESTED else None
        for changed in changed_decisions(Pair(before, after, self.said(), without), n, rng):
            if rule not in MEANT or not MEANT[rule](changed):
                return f"{rule}: {changed}"
        return ""


def lowered(run: Compilation) -> Module:
    assert run.checked is not None and not run.failed, run.diagnostics.items
    return lower(run.checked)


class InMemory:
    """Lints a policy again and again for `lint --fix`, whether its texts are on disk or not."""

    def __init__(self, run: Compilation, select: str) -> None:
        self.run, self.select = run, select
        self.options = Namespace(fix_in=["/"])

    def checked(self, file: str, changed: Mapping[str, bytes]) -> Compilation:
        return rerun(self.run, changed)

    def lint(self, file: str, changed: Mapping[str, bytes]) -> Linted:
        run = self.checked(file, changed)
        assert run.checked is not None
        return Linted(file, run, lint(run.checked, all_rules(), Settings((self.select,), today=TODAY)))


def fixes_at_once(run: Compilation, unsafe: bool, select: str = "all") -> Fixer:
    """The policy after all that `lint --fix` applies."""
    fixer = Fixer(InMemory(run, select), [run.path], unsafe)  # type: ignore[arg-type]
    fixer.run()
    return fixer


def harm_at_once(fixer: Fixer, n: int, rng: random.Random) -> Iterator[str]:
    """What the fixes change although their rules do not say so. Each is compared with the policy that has those before
    it, so that the last policy is the one that `--fix` writes."""
    for one, fixes in fixer.applied:
        before = lowered(one.run)
        for number, fix in enumerate(fixes):
            step = Step(one.run, fix.result, fixes[:number])
            after = step.after()
            if after.failed:
                yield f"{fix.result.rule.id}: does not compile: {after.diagnostics.items[0].message}"
                break
            module = lowered(after)
            said = step.harm(before, module, n, rng)
            if said:
                yield said
            before = module


# ---- the changes that are meant ------------------------------------------------------------------------------------


#: Tells whether a difference is one that a rule's fix is for.
Check = Callable[[Changed], bool]


def _ends(hook: str, before: set[str], after: set[str], when: Check) -> Check:
    """A hook ends with another action for some requests."""
    return lambda one: one.hook == hook and one.only("action", "returned", "variables", "calls") and one.actions()[0] in before and one.actions()[1] in after and when(one)


def _longer_key(added: Callable[[Changed], bytes | None]) -> Check:
    """The key ends with one value more."""
    def is_meant(one: Changed) -> bool:
        before, after = one.before["key"], one.after["key"]
        assert isinstance(before, list) and isinstance(after, list)
        return one.hook == "vcl_hash" and one.only("key", "calls") and after == [*before, added(one)]

    return is_meant


def _host(one: Changed) -> bytes | None:
    host, address = one.field("req.http.host"), one.variable("server_ip")
    return address.text() if host is None and isinstance(address, Ip) else host


def _as_without(when: Check) -> Check:
    """For some requests the hook does what it did without the statement of the finding."""
    def is_meant(one: Changed) -> bool:
        assert one.pair.without is not None
        return when(one) and done(one.pair.without, one.hook, one.start) == one.after

    return is_meant


_METHODS = (b"GET", b"HEAD", b"PUT", b"POST", b"TRACE", b"OPTIONS", b"DELETE", b"PATCH")


def _end_of_checks(one: Changed) -> str | None:
    """How the checks of the built-in policy that the fix adds end a request that came to them."""
    method, is_rfc9111 = one.before_variable("req_method"), one.variable("server_rfc9111")
    if "vcl_req_method" in one.pair.said and method not in (b"GET", b"HEAD"):
        return "SYNTH" if method == b"PRI" else "PASS" if is_rfc9111 or method in _METHODS else "PIPE"
    fields = one.before["fields"]
    assert isinstance(fields, dict)
    has_cookie = any(name.lower() == b"cookie" for name, _ in fields["REQ"])
    return "PASS" if "vcl_req_cookie" in one.pair.said and has_cookie and not is_rfc9111 else None


def _runs_checks(one: Changed) -> bool:
    before, after = one.actions()
    came = before == "HASH" or (before == "PASS" and one.variable("server_rfc9111"))    # the core of 5.0 passes some that come
    return one.hook == "vcl_recv" and one.only("action", "returned") and came and after == _end_of_checks(one)


def _labelled_parts(one: Changed) -> bool:
    """Each part of the key is as it was, or has the name of its field in front."""
    before, after = one.before["key"], one.after["key"]
    assert isinstance(before, list) and isinstance(after, list)
    return (one.hook == "vcl_hash" and one.only("key", "calls") and len(before) == len(after)
            and all(re.fullmatch(rb"([\w-]+=)?" + re.escape(old), new) for old, new in zip(before, after)))


def _split_parts(one: Changed) -> bool:
    """The key has the same bytes in more parts."""
    before, after = one.before["key"], one.after["key"]
    assert isinstance(before, list) and isinstance(after, list)
    return one.hook == "vcl_hash" and one.only("key", "calls") and b"".join(before) == b"".join(after) and len(before) < len(after)


def _uncacheable(when: Check) -> Check:
    """A response becomes uncacheable, with the ttl of such a marker."""
    def is_meant(one: Changed) -> bool:
        changed = one.variables()
        return (one.hook == "vcl_backend_response" and one.only("variables", "calls") and when(one)
                and changed.keys() <= {"beresp_uncacheable", "beresp_ttl"}
                and one.after_variable("beresp_uncacheable") is True and changed.get("beresp_ttl", (0, 120.0))[1] == 120.0)

    return is_meant


def _only_field(hook: str, message: str, name: bytes, value: Callable[[Changed], bytes | None]) -> Check:
    """One field of a message gets this value; None: the message loses it."""
    def is_meant(one: Changed) -> bool:
        def without(fields: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
            return [field for field in fields if field[0].lower() != name]

        wanted = value(one)
        return one.hook == hook and one.only("fields", "calls") and all(
            msg == message and without(before) == without(after) and dict(reversed(after)).get(spelled(after)) == wanted
            for msg, before, after in one.fields())

    def spelled(fields: list[tuple[bytes, bytes]]) -> bytes | None:
        return next((key for key, _ in fields if key.lower() == name), None)

    return is_meant


#: Whether a pattern becomes another one as a rule says, and whether a value is one that the rule is about.
Replaced = Callable[[bytes, bytes], bool]
Concerns = Callable[[bytes, bytes, bytes], bool]


def _pattern(replaced: Replaced, concerns: Concerns) -> Check:
    """Nothing but one pattern differs, and a value that the change is for decides otherwise."""
    def is_meant(one: Changed) -> bool:
        if len(pairs := one.pair.patterns()) != 1:
            return False
        ((old, new),) = pairs
        values = {value for _, _, value in one.start.fields} | {value for value in one.start.variables.values() if isinstance(value, bytes)}
        deciding = [value for value in values if _matches(old, value) != _matches(new, value)]
        return replaced(old, new) and bool(deciding) and all(concerns(old, new, value) for value in deciding)

    return is_meant


def _matches(pattern: bytes, value: bytes) -> bool:
    return re.search(pattern, value) is not None


def _lost(old: bytes, new: bytes, value: bytes) -> bool:
    return _matches(old, value)


def _gained(old: bytes, new: bytes, value: bytes) -> bool:
    return _matches(new, value)


def _escaped_dots(old: bytes, new: bytes) -> bool:
    return old != new and old.replace(rb"\.", b".") == new.replace(rb"\.", b".")


def _as_host(old: bytes, new: bytes) -> bool:
    return new == rb"(?i)(^|\.)" + old.removeprefix(b"^").removesuffix(b"$") + rb"(:[0-9]+)?$"


def _host_of_name(old: bytes, new: bytes, value: bytes) -> bool:
    """The new pattern takes the name and what is below it, with any port, and nothing else."""
    host = re.sub(rb":[0-9]+$", b"", value).lower()
    ends = [end.start() for end in re.finditer(rb"^|(?<=\.)", host)]
    name = old.removeprefix(b"^").removesuffix(b"$")
    return _matches(new, value) == any(re.fullmatch(name, host[at:]) for at in ends)


def _any_case(old: bytes, new: bytes) -> bool:
    return new == b"(?i)" + old


def _grouped(old: bytes, new: bytes) -> bool:
    return old != new and old.translate(None, b"()") == new.translate(None, b"()")


def _of_path(old: bytes, new: bytes) -> bool:
    flags = b"(?i)" if old.startswith(b"(?i)") else b""
    return new == flags + b"^[^?]*" + old.removeprefix(flags)


def _only_query_matches(old: bytes, new: bytes, value: bytes) -> bool:
    at = value.find(b"?")
    found = re.search(old, value)
    return at >= 0 and found is not None and all(match.start() > at for match in re.finditer(old, value))


def _as_if_it_had_not_been_sent(one: Changed) -> bool:
    """The hook does what it did before for a request without the field."""
    name = named(one).lower()
    fields = [field for field in one.start.fields if (field[0].name, field[1].lower()) != ("REQ", name)]
    is_first = all(one.variable(number) in (None, 0) for number in ("req_restarts", "req_esi_level"))
    return one.hook == "vcl_recv" and is_first and len(fields) < len(one.start.fields) and (
        done(one.pair.before, one.hook, Start(fields, one.start.variables)) == one.after)


#: The code of `text != ""` beside that of a test whether a text is set, without numbers of values.
_NOT_EMPTY, _IS_SET = '    v STRING = ""\n    v BOOL = v != v\n', "    v BOOL = convert v\n"


def _fails_for_an_empty_text(one: Changed) -> bool:
    """The code differs in this test alone, and the text of this request is empty."""
    before, after = (re.sub(r"\bv\d+\b", "v", _code(module, one.hook)[0]) for module in (one.pair.before, one.pair.after))
    made = [(call[0], call[1]) for call in calls_of(one.before) if call[0] in ("regsub", "regsuball")]
    empty = [text for name, (text, pattern, new) in made if not re.sub(pattern.what, new, text, count=name == "regsub")]
    return bool(empty) and after.replace(_NOT_EMPTY, _IS_SET, 1) == before


def _as_it_came(one: Changed) -> bytes | None:
    """The field without the statement that set it, or nothing if the fix removes what the origin sent."""
    return None if "unset" in one.pair.said else one.field("resp.http." + named(one).decode())


def _status(one: Changed) -> int:
    status = one.variable("beresp_status")
    return status if isinstance(status, int) else 0


def named(one: Changed) -> bytes:
    """The field that the finding names."""
    found = re.search(r"(?:req|resp)\.http\.([\w-]+)", one.pair.said)
    assert found is not None, one.pair.said
    return found[1].encode()


def _is_a_later_round(one: Changed) -> bool:
    counter = {"RESTART": "req_restarts", "RETRY": "bereq_retries"}.get(str(one.actions()[0]), "")
    return one.variable(counter) not in (None, 0)


#: Declarations that a fix may change.
DECLARATIONS = {"BE001": {"backends"}, "BE002": {"probes"}, "UN008": {"acls"}}
TESTED = {"CS009", "FL006"}       # the fix puts a test around the statement of the finding
UNNOTICED = {"UN008"}       # an ACL with one entry less takes the same addresses
#: The row of a rule says in code what its `changes` says in words.
MEANT: dict[str, Check] = {
    "CK002": _longer_key(_host),
    "CK003": _longer_key(lambda one: bytes_or_none(one.variable("req_url"))),
    "CK004": _labelled_parts,
    "CK014": _split_parts,
    "CS001": _uncacheable(lambda one: one.field("beresp.http.set-cookie") is not None),
    "CS003": _runs_checks,
    "CS004": _uncacheable(lambda one: re.search(b"(?i)no-store", one.field("beresp.http.surrogate-control") or b"") is not None
                          or re.search(b"(?i)private|no-cache|no-store", one.field("beresp.http.cache-control") or b"") is not None),
    "CS005": _ends("vcl_recv", {"HASH"}, {"PASS"}, lambda one: one.field("req.http.authorization") is not None),
    "CS006": _uncacheable(lambda one: one.before_variable("beresp_ttl") in (None, 0.0)),
    "CS009": _as_without(lambda one: one.hook == "vcl_backend_response" and _status(one) >= 400),
    "CS010": lambda one: (one.hook == "vcl_backend_response" and one.after["action"] == "ABANDON" and _status(one) >= 500
                          and one.variable("bereq_is_bgfetch") is True and one.does_nothing_else_after()),
    "CS013": _pattern(_of_path, _only_query_matches),
    "FL006": _as_without(_is_a_later_round),
    "FL010": lambda one: one.hook == "vcl_purge" and one.only("variables", "calls") and one.actions()[0] == "RESTART"
    and one.after_variable("req_method") == b"GET" and one.variables().keys() <= {"req_method"},
    "RE001": _pattern(_escaped_dots, _lost),
    "RE002": _pattern(_as_host, _host_of_name),
    "RE007": _pattern(_any_case, _gained),
    "RE010": _pattern(_grouped, _lost),
    "SEC005": _only_field("vcl_recv", "REQ", b"x-forwarded-for", lambda one: one.field("req.http.x-forwarded-for")),
    "SEC006": _as_if_it_had_not_been_sent,
    "SEC012": _ends("vcl_recv", {"PIPE"}, {"PASS"}, lambda one: True),
    "SEC013": _only_field("vcl_recv", "REQ", b"proxy", lambda one: None),
    "SEC015": lambda one: _only_field("vcl_deliver", "RESP", named(one).lower(), _as_it_came)(one),
    "TY001": _fails_for_an_empty_text,
    "UN007": lambda one: _only_field("vcl_recv", "REQ", named(one), lambda one: one.field("req.http." + named(one).decode()))(one),
}


def bytes_or_none(value: object) -> bytes | None:
    return value if isinstance(value, bytes) else None
