"""SEC: what a client can make the policy do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from vernis.lint.automata import language_of
from vernis.lint.facts import PRESENT, TRUE, Facts, Knowledge
from vernis.lint.gates import Gated, leaves_of
from vernis.lint.paths import Paths, Trail
from vernis.lint.repairs import deleted
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.rules.client_values import SECRET_FIELD, can_be_sent, is_refused
from vernis.lint.rules.lifetimes import of_status
from vernis.lint.view import BIT_OF_HOOK, View, bare, children_of, expressions_of, field_of, parts_of
from vernis.record import replace
from vernis.regex import later
from vernis.semantics.types import Type
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

CLIENT_HOOKS = tuple(row.name for row in load_vocabulary().hooks.values() if row.side == "client")
_GUARD = "guard "
_PEERS = frozenset(("client.ip", "remote.ip", "local.socket"))  # what no client chooses
_FLAGS_MAX = 4  # fields that are followed because they hold what a guard told
_LABELS_MAX = 8  # other places that a finding shows
_SECRET_MIN = 6  # characters: a shorter text guards nothing
# Calls whose results a client does not know, and tests of a name with its password.
_SECRETS = frozenset(
    ("std.getenv()", "std.fileread()", "digest.hmac_md5()", "digest.hmac_sha1()", "digest.hmac_sha256()")
)
_PASSWORD_TESTS = frozenset(("basicauth.match",))
# Calls that remove stored responses.
REMOVERS = frozenset(("ban", "std.ban", "purge.hard", "purge.soft", "xkey.purge", "xkey.softpurge"))
_REMOVER_CALLS = tuple(name + "()" for name in REMOVERS)
_ESCAPES = later(r"(?<!un)escape|encode|transcode|json|hash|digest")


def guard_name(view: View, test: nodes.Expr) -> str | None:
    """A name of a test that only some clients pass: an ACL, or the comparison of a field with a secret."""
    if isinstance(test, nodes.CallExpr) and view.name(test.name) in _PASSWORD_TESTS:
        return f"{_GUARD}{view.written(test)}"
    if not isinstance(test, nodes.Compare):
        return None
    right = view.variable(test.right)
    if test.op in ("~", "!~") and right is not None and right in view.acls:
        return f"{_GUARD}{view.written(test.left)} ~ {right}"
    if test.op not in ("==", "!="):
        return None
    if view.variable(test.left) in _PEERS and view.text(test.right) is not None:
        return f"{_GUARD}{view.written(test.left)} == {view.text(test.right)}"
    for value, other in ((test.left, test.right), (test.right, test.left)):
        if _is_own_secret(view, other) and _is_sent(view, value):
            return f"{_GUARD}{view.written(value)} == {view.written(other)}"
        if _is_secret(view, other) and _is_sent(view, value):
            return f"{_GUARD}{view.written(value)} == {view.written(other)}"
    left, text = view.variable(test.left), view.text(test.right)
    field = field_of(left) if left is not None else None
    if field and text and len(text) >= _SECRET_MIN and SECRET_FIELD.search(field[1]):
        return f"{_GUARD}{left} == {text}"
    return None


def _is_secret(view: View, expr: nodes.Expr) -> bool:
    """Whether a value is made of what only the server knows."""
    return any(name in _SECRETS for name, _ in view.reads(expr))


def _is_own_secret(view: View, expr: nodes.Expr) -> bool:
    """Whether a value is a field with a secret of the policy or the origin, and not of the client."""
    name = view.variable(expr)
    if name is None or not name.startswith("req.http.") or not SECRET_FIELD.search(name):
        return False
    return view.once(_is_set_to_secrets, name)


def _is_set_to_secrets(view: View, name: str) -> bool:
    values = [statement.value for _, statement in view.sets.get(name, ())]
    texts = [view.text(value) for value in values]
    of_origin = [
        any(read.startswith(("resp.", "beresp.", "obj.")) for read, _ in view.reads(value))
        for value in values
    ]
    return bool(values) and (
        _is_set_first(view, name)
        and all(text is not None and len(text) >= _SECRET_MIN for text in texts)
        or all(of_origin)
        and is_refused(view, name)
    )


def _is_set_first(view: View, name: str) -> bool:
    """Whether a sub sets the field before its tests. Other subs are called behind it, or do not ask."""
    for block in view.subs.values():
        for sub in block:
            asked = False
            for statement in sub.body.statements:
                if isinstance(statement, nodes.Set) and view.name(statement.target) == name:
                    return not asked
                asked = (
                    asked
                    or isinstance(statement, nodes.If)
                    and any(read == name for one in expressions_of(statement) for read, _ in view.reads(one))
                )
    return False


def _flags(view: View) -> frozenset[str]:
    """Fields that are set to texts alone, in arms of conditions that ask a guard: they hold its answer."""
    found: dict[str, None] = {}
    for block in view.blocks():
        for statement in block.statements:
            if not isinstance(statement, nodes.If):
                continue
            conditions = [arm.condition for arm in statement.arms if arm.condition is not None]
            asked = [part for condition in conditions for part in parts_of(condition)]
            if any(isinstance(part, nodes.Compare) and guard_name(view, part) for part in asked):
                inside = [one for arm in statement.arms for one in arm.body.statements]
                found.update((view.name(one.target), None) for one in inside if isinstance(one, nodes.Set))
    values = {name: [view.text(one.value) for _, one in view.sets.get(name, ())] for name in found}
    return frozenset([name for name, texts in values.items() if None not in texts][:_FLAGS_MAX])


def _is_sent(view: View, expr: nodes.Expr) -> bool:
    """Whether a value is made of what the client sent, and of nothing that only the server knows."""
    return not _is_secret(view, expr) and any(name.startswith("req.") for name, _ in view.reads(expr))


def guard_names(view: View) -> frozenset[str]:
    """The names without which no test has a ``guard_name``."""
    fields = ((name, field_of(name)) for name in view.where.tokens)
    secrets = (name for name, field in fields if field and SECRET_FIELD.search(field[1]))
    return frozenset((*view.acls, *_PEERS, *secrets, *_SECRETS, *(name + "()" for name in _PASSWORD_TESTS)))


def can_remove(view: View) -> bool:
    """Whether the policy removes stored responses at all."""
    return view.where.has_any("return purge", *_REMOVER_CALLS)


def removing(view: View, watch: Callable[[Facts, nodes.Stmt, Trail], None]) -> Knowledge:
    """The guards before each statement that may remove stored responses."""
    also = guard_names(view).union(_REMOVER_CALLS)
    return Gated(view, lambda test: guard_name(view, test), watch, also, _flags(view))


def is_guarded(state: Facts) -> bool:
    return any(name.startswith(_GUARD) and fact == TRUE for name, fact in state.known)


class PurgeWithoutAcl(Rule):
    id = "SEC001"
    name = "purge-without-acl"
    severity = Severity.ERROR
    what = "A path purges or bans, and tested neither an ACL nor a secret before."
    why = "Anyone who reaches the cache can empty it, and the origin gets the whole load."
    remedy = "test client.ip against an ACL before, and answer others with synth(405)"
    source = "https://github.com/mattiasgeniar/varnish-4.0-configuration-templates/issues/52"
    bad = 'sub vcl_recv { if (req.method == "PURGE") { return (purge); } }'
    good = (
        'acl purgers { "127.0.0.1"; } sub vcl_recv { if (req.method == "PURGE") { '
        "if (client.ip !~ purgers) { return (synth(405)); } return (purge); } }"
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not can_remove(view):
            return
        open_calls: dict[nodes.Stmt, None] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            if view.call_of(statement) in REMOVERS and not is_guarded(state):
                open_calls[statement] = None

        paths = Paths(view, removing(view, watch))
        for hook in CLIENT_HOOKS:
            for end in paths.of_hook(hook, Facts()):
                if end.action == "purge" and not is_guarded(end.state):
                    open_calls[end.at] = None
        for first, *others in _by_arm(view, sorted(open_calls, key=lambda statement: statement.at)):
            done = "purge" if isinstance(first, nodes.Return) else "remove stored responses"
            message = f"any client can {done} here: no ACL and no secret is tested before"
            labels = tuple((view.span(other), "and here") for other in others[:_LABELS_MAX])
            yield Finding(view.span(first), message, labels=labels)


def _by_arm(view: View, statements: list[nodes.Stmt]) -> list[list[nodes.Stmt]]:
    """Statements by the outermost arm around them, at whose begin one test would guard them all."""
    tops = (top for block in view.subs.values() for sub in block for top in sub.body.statements)
    arms = [arm.body.at for top in tops if isinstance(top, nodes.If) for arm in top.arms]
    found: dict[nodes.At, list[nodes.Stmt]] = {}
    for one in statements:
        around = (at for at in arms if at[0] <= one.at[0] and one.at[1] <= at[1])
        found.setdefault(next(around, one.at), []).append(one)
    return list(found.values())


class ForwardedForTwice(Rule):
    id = "SEC005"
    name = "forwarded-for-twice"
    severity = Severity.WARNING
    what = "The policy appends the client's address to X-Forwarded-For."
    why = (
        "The server does so before vcl_recv runs: the origin sees the address twice, and takes a wrong entry."
    )
    remedy = "delete the statement"
    changes = "the origin gets X-Forwarded-For as the server made it"
    source = "https://github.com/mattiasgeniar/varnish-4.0-configuration-templates/issues/8"
    bad = 'sub vcl_recv { set req.http.X-Forwarded-For = req.http.X-Forwarded-For + ", " + client.ip; }'
    good = "sub vcl_recv { set req.http.X-Real-IP = client.ip; }"
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        name = "req.http.x-forwarded-for"
        for _, statement in view.sets.get(name, ()):
            read = {found for found, _ in view.reads(statement.value)}
            if name in read and "client.ip" in read:
                fix = Fix("delete it", (deleted(view, statement),), safe=True)
                yield finding(view, statement, "the server has appended the client's address before", fix=fix)


class SynthReflectsInput(Rule):
    id = "SEC008"
    name = "synth-reflects-input"
    severity = Severity.ERROR
    what = "A body made by the policy contains a part of the request as it came."
    why = (
        "A link with a script in its URL runs that script on your site in the visitor's browser (cross-site "
        "scripting)."
    )
    remedy = "leave the value out, encode it, or answer with Content-Type: text/plain"
    source = "https://owasp.org/www-community/attacks/xss/"
    bad = 'sub vcl_synth { synthetic("<p>No page " + req.url + "</p>"); return (deliver); }'
    good = (
        'sub vcl_synth { set resp.http.Content-Type = "text/plain"; '
        'synthetic("No page " + req.url); return (deliver); }'
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        found: dict[nodes.Expr, str] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            if not _makes_body(view, statement) or view.is_builtin(statement):
                return
            if any(
                (state.get(name) or "=html").startswith("=") and not _is_markup(state.get(name))
                for name in types
            ):
                return
            for expr in expressions_of(statement):
                found.update((part, name) for name, part in _raw_inputs(view, expr))
                for name, _ in view.reads(expr):  # a field of the answer that holds the client's text
                    for _, one in view.sets.get(name, ()) if name.startswith(_ANSWERS) else ():
                        found.update((part, name) for name, part in _raw_inputs(view, one.value))

        types = ("resp.http.content-type", "beresp.http.content-type")
        bodies = (*_BODIES, "synthetic()")
        paths = Paths(view, Knowledge(view, types, watch=watch, also=bodies))
        for hook in ("vcl_synth", "vcl_backend_error"):
            paths.of_hook(hook, Facts())
        own = {name for name in dict.fromkeys(found.values()) if _is_own(view, name)}
        for part, name in found.items():
            if name not in own:
                yield finding(view, part, f"{name} goes into the page as the client sent it")
        yield from _in_reasons(view)


class _OfStatus(Knowledge):
    """An answer with a known status."""

    def __init__(self, view: View, status: int, watch: Callable[[Facts, nodes.Stmt, Trail], None]) -> None:
        super().__init__(view, (), watch=watch, also=("resp.status", *_BODIES, "synthetic()"))
        self.status = status

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        result = of_status(self.view, test, self.status, "resp.status")
        return None if result is not None and result is not holds else state


def _in_reasons(view: View) -> Iterator[Finding]:
    """The client's values in reasons of synth() that end up in a page. The finding about a field that no link
    can bring is a note."""
    shown: dict[int, bool] = {}
    for place in view.places:
        statement = place.statement
        if not isinstance(statement, nodes.Return) or len(statement.args) < 2 or statement.action is None:
            continue
        status = bare(statement.args[0])
        if statement.action.text.lower() != "synth" or not isinstance(status, nodes.NumberLit):
            continue
        inputs = [pair for pair in _raw_inputs(view, statement.args[1]) if not _is_own(view, pair[0])]
        inputs.sort(key=lambda pair: pair[0] not in _OF_LINKS)
        if not inputs or not status.digits.isdigit():
            continue
        tests = [name for test in view.enclosing.of(place) for name, _ in view.reads(test)]
        if "req.method" in tests or any(name in view.acls for name in tests):
            continue  # a link sends only GET
        if place.hooks == 1 << BIT_OF_HOOK["vcl_purge"] and not view.where.returns("purge"):
            continue  # nothing leads to that hook
        number = int(status.digits)
        if number not in shown:
            shown[number] = _shows_reason(view, number)
        if shown[number]:
            name, part = inputs[0]
            yield Finding(
                view.span(part),
                f"the page shows this reason with {name} as the client sent it",
                severity=None if name in _OF_LINKS else Severity.NOTE,
            )


def _shows_reason(view: View, status: int) -> bool:
    """Whether the page for a status has its reason in it."""
    found: list[nodes.Stmt] = []

    def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
        if _makes_body(view, statement):
            for expr in expressions_of(statement):
                if any(name == "resp.reason" for name, _ in _plain_reads(view, expr)):
                    found.append(statement)

    Paths(view, _OfStatus(view, status, watch)).of_hook("vcl_synth", Facts())
    return bool(found)


def _plain_reads(view: View, expr: nodes.Expr) -> Iterator[tuple[str, nodes.Expr]]:
    """The names in a text, except those in a call that encodes them."""
    expr = bare(expr)
    if isinstance(expr, nodes.CallExpr) and _ESCAPES.search(view.name(expr.name)):
        return
    inner = children_of(expr)
    for part in inner:
        yield from _plain_reads(view, part)
    if not inner:
        yield from view.reads(expr)


def _is_own(view: View, name: str) -> bool:
    """Whether a field holds nothing of the client's text: constants of the policy, addresses, numbers."""
    name = name.removeprefix("be")
    values = [one.value for own in (name, "be" + name) for _, one in view.sets.get(own, ())]
    raw = any(True for value in values for _ in _raw_inputs(view, value))
    return bool(values) and not raw and not can_be_sent(view, name)


_BODIES = ("resp.body", "beresp.body")
_ANSWERS = ("resp.http.", "beresp.http.")
_COOKIE = "cookie.get"
_OF_LINKS = ("req.url", "req.http.referer", "the cookie")


def _is_markup(fact: str | None) -> bool:
    """Whether a browser may run scripts in a body with this Content-Type. Without the field it guesses."""
    return fact is None or fact == PRESENT or re.search(r"html|xml|svg", fact) is not None


def _makes_body(view: View, statement: nodes.Stmt) -> bool:
    if isinstance(statement, nodes.Set):
        return view.name(statement.target) in _BODIES
    return view.call_of(statement) == "synthetic"


def _raw_inputs(view: View, expr: nodes.Expr) -> Iterator[tuple[str, nodes.Expr]]:
    """The client's values in a text, except those in a call that encodes them, or whose result is no text."""
    expr = bare(expr)
    if isinstance(expr, nodes.CallExpr) and (_ESCAPES.search(view.name(expr.name)) or _is_tame(view, expr)):
        return
    inner = children_of(expr)
    if inner and isinstance(expr, nodes.CallExpr) and view.name(expr.name) == _COOKIE:
        yield "the cookie", expr
        return
    if inner:
        for part in inner:
            yield from _raw_inputs(view, part)
        return
    for name, part in view.reads(expr):
        if name in ("req.url", "bereq.url") or name.startswith(("req.http.", "bereq.http.")):
            yield name, part


_RULES = load_vocabulary()
# Types whose values may have any text of a client in them, and that of a call for a body or a ban.
_OF_TEXT = (Type.STRING, Type.STRANDS, Type.HEADER, Type.BODY, Type.BLOB, Type.VOID)


def _is_tame(view: View, call: nodes.CallExpr) -> bool:
    """Whether the result of a call has no text of its arguments: an address, a number, a time, or a text
    without any "<"."""
    name = view.name(call.name)
    if name == "regsuball":
        pattern, by = view.text(call.args[1].value), view.text(call.args[2].value)
        language = language_of(pattern) if pattern is not None else None
        return by is not None and "<" not in by and language is not None and language.matches(b"<")
    module, _, function = name.rpartition(".")
    known = _RULES.modules[module].functions if module in _RULES.modules else _RULES.functions
    row = known.get(function)
    return row is not None and row.result not in _OF_TEXT


class BanFromRequest(Rule):
    id = "SEC010"
    name = "ban-from-request"
    severity = Severity.WARNING
    what = "The expression of a ban is built from a field or the URL of the request."
    why = (
        "A ? or ( of a URL changes the pattern, and ` && ` adds conditions: the ban removes other "
        "responses than meant, or fails. A note if the field is a pattern by purpose that only "
        "clients of an ACL can use."
    )
    remedy = "compare with ==, which takes the value as text, and keep the rest of the expression constant"
    source = "https://github.com/varnishcache/varnish-cache/pull/3206"
    bad = 'sub vcl_recv { if (req.http.X-Ban) { ban("obj.http.tag ~ " + req.http.X-Ban); } }'
    good = 'sub vcl_recv { if (req.http.X-Ban) { ban("obj.http.tag ~ ^news$"); } }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for place in view.places:
            if view.call_of(place.statement) in _BANS:
                for expr in expressions_of(place.statement):
                    for name, part in _raw_inputs(view, expr):
                        if _operator(view, expr, part) not in ("==", "!="):
                            yield _in_ban(view, name, part)
                            break


_BANS = ("ban", "std.ban")
_LOGS = ("std.log", "std.syslog")
_LAST_OPERATOR = later(r"\s(==|!=|~|!~|<=?|>=?)\s[^&]*$")


def _in_ban(view: View, name: str, part: nodes.Expr) -> Finding:
    found = finding(view, part, f"{name} becomes a part of the ban's expression")
    if not _is_pattern(view, name):
        return found
    return replace(found, help=_TRUSTED, severity=Severity.NOTE)


_TRUSTED = "check where the pattern is made: a value with && adds conditions"


def _operator(view: View, ban: nodes.Expr, part: nodes.Expr) -> str:
    """The operator before a value in a ban: == compares it as a text, and more conditions behind it only make
    the ban narrower."""
    texts = (one for one in parts_of(ban) if isinstance(one, nodes.StringLit))
    operator = _LAST_OPERATOR.search("".join(one.value for one in texts if one.at < part.at))
    return "" if operator is None else operator[1]


def _is_pattern(view: View, name: str) -> bool:
    """Whether a field is there to bring a pattern for bans, and only clients that an ACL lets through, or
    that know a secret, come to these bans. The policy sets it nowhere, and reads it nowhere else, but for
    logs and answers."""
    field = field_of(name)
    if field is None or field[1] == "host" or name in view.sets:
        return False
    open_bans = view.once(_open_bans)
    for place, expr, parts in view.parts:
        statement = place.statement
        uses = [part for part in parts if view.variable(part) == name and isinstance(part, nodes.NameExpr)]
        if not uses or view.call_of(statement) in _LOGS or isinstance(statement, nodes.Return):
            continue
        if view.call_of(statement) in _BANS:
            if statement in open_bans or any(_operator(view, expr, one) not in ("~", "!~") for one in uses):
                return False
        elif not isinstance(statement, nodes.If) or any(one not in leaves_of(expr) for one in uses):
            return False
    return True


def _open_bans(view: View) -> frozenset[nodes.Stmt]:
    """The bans that a client comes to without any guard."""
    found: set[nodes.Stmt] = set()

    def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
        if view.call_of(statement) in _BANS and not is_guarded(state):
            found.add(statement)

    paths = Paths(view, removing(view, watch))
    for hook in CLIENT_HOOKS:
        paths.of_hook(hook, Facts())
    return frozenset(found)
