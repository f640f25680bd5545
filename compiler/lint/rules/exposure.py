"""SEC: what leaves the server: answers with a client's values, tunnels, secrets, internals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vernis.lint.facts import ABSENT, FALSE, TRUE, Facts, Knowledge, facts
from vernis.lint.gates import Gated
from vernis.lint.paths import Paths, Trail
from vernis.lint.repairs import behind_brace, deleted
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.rules.hashing import hashed_names
from vernis.lint.rules.security import guard_name, guard_names, is_guarded
from vernis.lint.view import Parts, View, bare, expressions_of, parts_of
from vernis.regex import later
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity

# Fields that name a host or an origin, that any client can send, and that are not in the key by themselves.
HOSTS = (
    "x-forwarded-host",
    "x-host",
    "x-original-host",
    "x-forwarded-server",
    "forwarded",
    "origin",
    "referer",
)


class HostReflected(Rule):
    id = "SEC007"
    name = "host-reflected-cacheable"
    severity = Severity.ERROR
    what = (
        "A response that is stored gets a value of X-Forwarded-Host, Origin or a field like these, and the "
        "key does not contain the field."
    )
    why = (
        "One client sends its own host name, and the cache gives the redirect or the permission "
        "to all others."
    )
    remedy = "add the field to the key, add it to Vary, or set the field in vcl_deliver"
    source = (
        "https://www.fastly.com/security-advisories/"
        "fastly-security-advisory-cache-poisoning-vulnerability-leveraging-x-forwarded-host-header"
    )
    bad = (
        "sub vcl_backend_response { "
        'set beresp.http.Location = "https://" + bereq.http.X-Forwarded-Host + bereq.url; }'
    )
    good = 'sub vcl_backend_response { set beresp.http.Location = "https://" + bereq.http.host + bereq.url; }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any(*("bereq.http." + field for field in HOSTS)):
            return
        hashed = {name.rpartition(".http.")[2] for name in hashed_names(view)}
        sets = [place.statement for place in view.places if isinstance(place.statement, nodes.Set)]
        fixed = {view.name(one.target) for one in sets if view.name(one.target).startswith("req.http.")}
        varied = " ".join(
            (view.text(one.value) or "").lower() + view.written(one.value).lower()
            for one in sets
            if view.name(one.target) == "beresp.http.vary"
        )
        for one in sets:
            if not view.name(one.target).startswith(("beresp.http.", "beresp.body")):
                continue
            for name, part in view.reads(one.value):
                field = name.removeprefix("bereq.http.")
                if field in HOSTS and field not in hashed and field not in varied:
                    if "req.http." + field not in fixed:
                        yield finding(
                            view, part, f"the value of one client's {field} is stored for everybody"
                        )
                        break


_UPGRADE = "a wish for another protocol"


class PipeWithoutUpgrade(Rule):
    id = "SEC012"
    name = "pipe-unknown-method"
    severity = Severity.WARNING
    what = "A request that does not ask for another protocol goes to pipe."
    why = (
        "A pipe copies bytes until the connection ends: what the client sends behind the first "
        "request reaches the origin without vcl_recv."
    )
    remedy = "return (pass), or synth(405) for unknown methods, and pipe only if req.http.Upgrade is there"
    changes = "each request that comes to the return is passed, also one that asks for another protocol"
    source = "https://github.com/elgentos/magento2-varnish-extended/pull/86"
    bad = 'sub vcl_recv { if (req.method != "GET" && req.method != "POST") { return (pipe); } }'
    good = 'sub vcl_recv { if (req.http.Upgrade ~ "(?i)websocket") { return (pipe); } }'
    profiles = ("security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.returns("pipe"):
            return
        known = {"req.http.upgrade": ABSENT, _UPGRADE: FALSE}
        paths = Paths(view, Knowledge(view, known, lambda test: _asks_for_upgrade(view, test)))
        for end in paths.of_hook("vcl_recv", facts(known)):
            if end.action == "pipe" and not view.is_builtin(end.at):
                assert end.at.action is not None
                edit = Edit(view.span(end.at.action), "pass")
                yield finding(
                    view,
                    end.at,
                    "what the client sends next reaches the origin without this policy",
                    fix=Fix("pass the request", (edit,), safe=False),
                )


def _asks_for_upgrade(view: View, test: nodes.Expr) -> str | None:
    """The name of a test that only holds for requests that ask for another protocol."""
    if not isinstance(test, nodes.Compare) or test.op not in ("~", "=="):
        return None
    text = (view.text(test.right) or "").lower()
    is_connection = view.variable(test.left) == "req.http.connection" and "upgrade" in text
    return _UPGRADE if is_connection or text == "connect" and test.op == "==" else None


_INTERNALS = later(r"server\.(hostname|identity|ip)|beresp\.backend(\.(name|ip))?|(be)?req\.backend_hint")
_HELPERS = ("bereq.url", "bereq.http.host")  # what bans compare with: the tutorials store it in the object


class InternalsDelivered(Rule):
    id = "SEC015"
    name = "debug-header-leak"
    severity = Severity.NOTE
    what = "Answers contain the name of a machine, of a backend, or a field that only bans need."
    why = "It tells strangers how many machines there are, what they are called, and how pages are built."
    remedy = "unset the field in vcl_deliver, or set it only for clients of an ACL"
    changes = "clients do not get the field"
    source = "https://www.varnish-software.com/developers/tutorials/ban/"
    bad = "sub vcl_backend_response { set beresp.http.X-Url = bereq.url; }"
    good = (
        "sub vcl_backend_response { set beresp.http.X-Url = bereq.url; } "
        "sub vcl_deliver { unset resp.http.X-Url; }"
    )
    profiles = ("security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        open_sets: dict[nodes.Set, str] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            if isinstance(statement, nodes.Set) and not is_guarded(state):
                said = self._leak(view, statement)
                if said:
                    open_sets[statement] = said

        also = guard_names(view).union(filter(_is_shown, view.where.tokens))
        paths = Paths(view, Gated(view, lambda test: guard_name(view, test), watch, also))
        for hook in ("vcl_backend_response", "vcl_deliver", "vcl_synth"):
            paths.of_hook(hook, Facts())
        removed = {
            view.name(place.statement.target)
            for place in view.places
            if isinstance(place.statement, nodes.Unset)
        }
        for statement, said in open_sets.items():
            field = view.name(statement.target).partition(".http.")[2]
            if not removed & {"resp.http." + field, "beresp.http." + field}:
                yield finding(view, statement, said, fix=_not_delivered(view, statement))

    def _leak(self, view: View, statement: nodes.Set) -> str:
        target = view.name(statement.target)
        read = [name for name, _ in view.reads(statement.value)]
        if _is_shown(target):
            for name in read:
                if _INTERNALS.fullmatch(name):
                    return f"clients can read {name} in this field"
        is_helper = target.startswith("beresp.http.x-") and view.variable(statement.value) in _HELPERS
        return "clients get this field, which only bans need" if is_helper else ""


def _is_shown(name: str) -> bool:
    """Whether a name is a field of an answer that the policy made up."""
    return ".http.x-" in name and name.startswith(("resp.", "beresp."))


def _not_delivered(view: View, statement: nodes.Set) -> Fix | None:
    """Deletes a field of the answer, and removes one of the stored response when it is delivered."""
    name = view.name(statement.target)
    deliver = view.defines("vcl_deliver")
    if name.startswith("resp."):
        return Fix("delete it", (deleted(view, statement),), safe=False)
    if not deliver or statement.target.quoted:
        return None
    field = statement.target.text.partition(".http.")[2]
    edit = behind_brace(view, deliver[0], f"unset resp.http.{field};")
    return Fix("remove it in vcl_deliver", (edit,), safe=False)


_SECRET_NAME = later(r"authorization|(^|[-_])(auth|token|secret|api-?key|password|passwd)($|[-_])")
_SECRET_TEXT = later(r"(Basic|Bearer) [A-Za-z0-9+/._~-]{8,}=*|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY")
_SECRET_WORDS = ("Basic ", "Bearer ", "AKIA", "-----BEGIN ")  # one of them is in each such text
_TOKEN = later(r"[^\s^$|()*\[\]]{8,}")
_LOGS = ("std.log", "std.syslog")
_CREDENTIALS = ("http.authorization", "http.proxy-authorization", "http.cookie", "http.set-cookie")


class SecretInPolicy(Rule):
    id = "SEC016"
    name = "secret-in-policy"
    severity = Severity.WARNING
    what = "A password or token stands in the policy, or a client's credentials are written to the log."
    why = "The policy is shown by vcl.show and kept in version control, and many programs read the log."
    remedy = (
        "read the secret from a file or the environment (std.fileread, std.getenv), and log no credentials"
    )
    source = "https://cwe.mitre.org/data/definitions/798.html"
    bad = 'sub vcl_recv { if (req.http.X-Api-Key == "b7Qk2mZx9LtR") { return (pass); } }'
    good = (
        "import std; sub vcl_recv { "
        'if (req.http.X-Api-Key == std.fileread("/etc/vernis/api_key")) { return (pass); } }'
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for place in view.places:
            statement = place.statement
            if view.call_of(statement) in _LOGS:
                yield from self._logged(view, statement)
        own = (name for name, at in view.where.tokens.items() if any(one < view.builtin_at for one in at))
        if not any(map(_is_secret, own)) and not _has_secret_text(view):
            return
        for part in view.each_part(_secrets_in):
            yield finding(view, part, "this secret stands in the policy")

    def _logged(self, view: View, statement: nodes.Stmt) -> Iterator[Finding]:
        for expr in expressions_of(statement):
            for name, part in _plain_reads(view, expr):
                if name.endswith(_CREDENTIALS):
                    yield finding(view, part, f"{name} goes to the log as it is")


def _secrets_in(view: View, group: Sequence[Parts]) -> Iterator[nodes.Expr]:
    """Texts that are secrets, or that a field for secrets gets or is compared with."""
    for place, expr, parts in group:
        statement = place.statement
        secret_target = isinstance(statement, nodes.Set) and _is_secret(view.name(statement.target))
        for part in parts:
            if isinstance(part, nodes.StringLit):
                text = part.value
                if _SECRET_TEXT.search(text) or secret_target and part is expr and _TOKEN.fullmatch(text):
                    yield part
            elif isinstance(part, nodes.Compare) and part.op in ("==", "!="):
                text = view.text(part.right) or ""
                if _is_secret(view.variable(part.left) or "") and _TOKEN.fullmatch(text):
                    if not _SECRET_TEXT.search(text):
                        yield part.right


def _has_secret_text(view: View) -> bool:
    """Whether a text of the policy, or a comment, looks like a secret. Texts of VCL have no escapes."""
    return any(
        _SECRET_TEXT.search(file.text)
        for file in view.sources.files
        if any(word in file.text for word in _SECRET_WORDS)
    )


def _is_secret(name: str) -> bool:
    """Whether a field is for a secret. Clients get the fields of a response."""
    message, _, field = name.partition(".http.")
    return message in ("req", "bereq") and _SECRET_NAME.search(field) is not None


def _plain_reads(view: View, expr: nodes.Expr) -> Iterator[tuple[str, nodes.Expr]]:
    """The names that become a part of a text, not those of arguments."""
    if any(isinstance(part, nodes.CallExpr) and part is not expr for part in parts_of(expr)):
        return
    yield from ((name, part) for name, part in view.reads(expr) if not name.endswith("()"))


def _appends(view: View, statement: nodes.Stmt) -> str:
    """The field of the request that a statement makes longer."""
    if not isinstance(statement, nodes.Set):
        return ""
    name = view.name(statement.target)
    if not name.startswith("req.http.") or name == "req.http.x-forwarded-for":
        return ""
    if statement.op == "+=":
        return name
    value = statement.value
    operands = value.operands if isinstance(value, nodes.Sum) else ()
    return name if any(view.variable(operand) == name for operand in operands) else ""


class GrowsOnRestart(Rule):
    id = "SEC009"
    name = "synth-unbounded"
    severity = Severity.WARNING
    what = "vcl_recv makes a field of the request longer, and the policy restarts requests."
    why = "A restart keeps the field and runs vcl_recv again, so that the text is appended in each round."
    remedy = "append only if req.restarts == 0"
    source = "https://github.com/varnishcache/varnish-cache/issues/758"
    bad = (
        'sub vcl_recv { set req.http.X-Via = req.http.X-Via + ", edge"; } '
        "sub vcl_deliver { if (resp.status == 503 && req.restarts == 0) { return (restart); } }"
    )
    good = (
        'sub vcl_recv { if (req.restarts == 0) { set req.http.X-Via = req.http.X-Via + ", edge"; } } '
        "sub vcl_deliver { if (resp.status == 503 && req.restarts == 0) { return (restart); } }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        if not any(
            isinstance(place.statement, nodes.Return)
            and place.statement.action is not None
            and place.statement.action.text.lower() == "restart"
            for place in view.places
        ):
            return
        grown: dict[nodes.Stmt, str] = {}

        def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
            name = _appends(view, statement)
            if name and not state.known:
                grown[statement] = name

        # A path that tests the number of restarts knows what it does, and so does one that cleared the field.
        also = {"req.restarts"}.union(_appends(view, place.statement) for place in view.places)
        paths = Paths(view, _Grown(view, (), lambda test: _counts(view, test), watch, also))
        paths.of_hook("vcl_recv", Facts())
        cut = _cut_fields(view)
        for statement, name in grown.items():
            if name in cut:
                continue
            yield finding(view, statement, f"a restart makes {name} longer")


def _cut_fields(view: View) -> set[str]:
    """The fields that a substitution makes shorter, so that they do not grow for ever."""
    return {
        view.name(place.statement.target)
        for place in view.places
        if isinstance(place.statement, nodes.Set) and isinstance(bare(place.statement.value), nodes.CallExpr)
        if view.name(place.statement.target) in {name for name, _ in view.reads(place.statement.value)}
    }


class _Grown(Knowledge):
    """Remembers that the number of restarts was tested, or a field set anew."""

    def assume(self, state: Facts, test: nodes.Expr, holds: bool) -> Facts | None:
        name = self.test_name(test)
        return state if name is None else state.with_fact(name, TRUE)

    def do(self, state: Facts, statement: nodes.Stmt, trail: Trail) -> Facts:
        self.watch(state, statement, trail)
        return state


def _counts(view: View, test: nodes.Expr) -> str | None:
    return "req.restarts" if any(name == "req.restarts" for name, _ in view.reads(test)) else None
