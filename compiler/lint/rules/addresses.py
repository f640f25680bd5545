"""SEC: ACLs that let more clients in than meant, and addresses that a client can choose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.lint.paths import Paths, Trail
from vernis.lint.rule import Finding, Rule, finding
from vernis.lint.rules.security import CLIENT_HOOKS, REMOVERS, can_remove, removing
from vernis.lint.facts import TRUE, Facts
from vernis.lint.view import View, bare, expressions_of, parts_of, walk
from vernis.record import field, record
from vernis.regex import later
from vernis.semantics.acls import parse_network
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_BITS_MIN = {4: 17, 16: 49}  # by bytes of the address: with fewer leading bits, a whole network is let in
_LOCAL_NAMES = ("localhost",)
# Fields that only a proxy in front of the server sets. The server itself sets X-Forwarded-For.
_OF_PROXY = frozenset(
    "req.http." + name
    for name in ("x-forwarded-proto", "x-forwarded-port", "x-forwarded-ssl", "ssl-offloaded", "https")
)
# Fields that may hold an address, and that any client can send.
_ADDRESSES = frozenset(
    "req.http." + name
    for name in (
        "x-forwarded-for",
        "x-real-ip",
        "x-client-ip",
        "client-ip",
        "true-client-ip",
        "cf-connecting-ip",
        "fastly-client-ip",
        "forwarded",
    )
)
_LABELS_MAX = 8  # other places that a finding shows
_PEERS = frozenset(("client.ip", "remote.ip"))
_LIMITERS = later(r"^vsthrottle\.|\.is_denied\(\)$")


class PurgeAclTooWide(Rule):
    id = "SEC002"
    name = "purge-acl-too-wide"
    severity = Severity.WARNING
    what = "An ACL that decides who may purge or ban contains a network of 65,536 addresses or more."
    why = (
        "Each machine there can empty the cache: another customer's container, a laptop, or the "
        "TLS proxy in front, whose address all visitors share."
    )
    remedy = "list the machines that purge, or a small network that only they are in"
    source = "https://github.com/jonbaldie/varnish/issues/58"
    bad = (
        'acl purgers { "10.0.0.0"/8; } sub vcl_recv { if (req.method == "PURGE") { '
        "if (client.ip !~ purgers) { return (synth(405)); } return (purge); } }"
    )
    good = (
        'acl purgers { "10.1.2.0"/24; } sub vcl_recv { if (req.method == "PURGE") { '
        "if (client.ip !~ purgers) { return (synth(405)); } return (purge); } }"
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for name in _acls_of_removers(view):
            for entry in view.acls[name].entries:
                if not entry.negated and _is_wide(entry):
                    yield finding(
                        view, entry, "every machine in this network may remove responses from the cache"
                    )


def _acls_of_removers(view: View) -> list[str]:
    """The ACLs whose members may purge or ban."""
    if not can_remove(view):
        return []
    passed: dict[Facts, None] = {}  # what is known where something is removed

    def note(state: Facts) -> None:
        passed[state] = None

    def watch(state: Facts, statement: nodes.Stmt, trail: Trail) -> None:
        if view.call_of(statement) in REMOVERS:
            note(state)

    paths = Paths(view, removing(view, watch))
    for hook in CLIENT_HOOKS:
        for end in paths.of_hook(hook, Facts()):
            if end.action == "purge":
                note(end.state)
    tests = [_told(view, state) for state in passed]
    found = {
        name: None
        for acls, others in tests
        for name in acls
        if not any(other_acls <= acls - {name} and more <= others for other_acls, more in tests)
    }
    return list(dict.fromkeys(name.rpartition(" ~ ")[2] for name in found))


def _told(view: View, state: Facts) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The tests of ACLs that held, and the results of all other tests. An ACL decides nothing if its members
    and others pass the same tests."""
    acls = {pair for pair in state.known if pair[0].rpartition(" ~ ")[2] in view.acls}
    held = frozenset(name for name, fact in acls if fact == TRUE)
    return held, frozenset(state.known) - acls


def _is_wide(entry: nodes.AclEntry) -> bool:
    address, bits = parse_network(entry.host)
    if address is None:
        return False
    bits = entry.bits if entry.bits is not None else bits
    is_loopback = address[:1] == b"\x7f" and len(address) == 4
    return bits is not None and bits < _BITS_MIN[len(address)] and not is_loopback


def _is_local(entry: nodes.AclEntry) -> bool:
    address, _ = parse_network(entry.host)
    if address is None:
        return entry.host.lower() in _LOCAL_NAMES
    return address[:1] == b"\x7f" if len(address) == 4 else address == b"\0" * 15 + b"\1"


class AclOnProxyAddress(Rule):
    id = "SEC003"
    name = "acl-on-proxy-address"
    severity = Severity.WARNING
    what = (
        "An ACL with the local address is compared with client.ip, and the policy expects a proxy in front "
        "of the server."
    )
    why = (
        "If that proxy runs on the same machine without the PROXY protocol, client.ip is "
        "127.0.0.1 for every visitor."
    )
    remedy = "let the proxy send the PROXY protocol, or take the local address out of this ACL"
    source = "https://docs.hypernode.com/hypernode-platform/nginx/how-to-control-purge-method.html"
    bad = (
        'acl office { "127.0.0.1"; } sub vcl_recv { '
        'if (req.http.X-Forwarded-Proto == "http") { return (synth(301)); } '
        'if (req.url ~ "^/admin" && client.ip !~ office) { return (synth(403)); } }'
    )
    good = (
        'acl office { "192.0.2.17"; } sub vcl_recv { '
        'if (req.http.X-Forwarded-Proto == "http") { return (synth(301)); } '
        'if (req.url ~ "^/admin" && client.ip !~ office) { return (synth(403)); } }'
    )
    profiles = ("security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        tests = [
            part for place in view.places for e in expressions_of(place.statement) for part in parts_of(e)
        ]
        read = {view.name(part.name) for part in tests if isinstance(part, nodes.NameExpr)}
        if not read & _OF_PROXY or any(name.startswith("proxy.") for name in read) or "remote.ip" in read:
            return
        seen = _lists_of_proxies(view)
        for test in tests:
            if not isinstance(test, nodes.Compare) or view.variable(test.left) != "client.ip":
                continue
            acl = view.variable(test.right) or ""
            local = (
                next((e for e in view.acls[acl].entries if _is_local(e)), None) if acl in view.acls else None
            )
            if local is not None and not local.negated and acl not in seen:
                seen.add(acl)
                yield Finding(
                    view.span(test),
                    "behind a proxy on this machine, every visitor passes this test",
                    labels=((view.span(local), "the address of a proxy on this machine"),),
                )


def _lists_of_proxies(view: View) -> set[str]:
    """The ACLs that decide about nothing but fields with addresses: they list the proxies themselves."""
    return {
        acl
        for place in view.places
        if isinstance(place.statement, nodes.If)
        for arm in place.statement.arms
        if arm.condition is not None and _only_forwards(view, arm.body)
        for part in parts_of(arm.condition)
        if isinstance(part, nodes.Compare) and (acl := view.variable(part.right) or "") in view.acls
    }


def _only_forwards(view: View, block: nodes.Block) -> bool:
    """Whether all statements of a block are about fields with addresses, and there are some."""
    changes = [one for one in walk(block) if not isinstance(one, nodes.If | nodes.Block)]
    return bool(changes) and all(
        isinstance(one, nodes.Set | nodes.Unset) and view.name(one.target) in _ADDRESSES | _OF_PROXY
        for one in changes
    )


@record(frozen=True)
class _Trust:
    """``tainted`` names hold an address that a client can choose. ``checked``: the address of the connection
    was tested."""

    tainted: frozenset[str]
    checked: bool = False


@record
class _Taint:
    """The domain of :class:`_Trust`. ``found`` gets each place where a tainted value decides, and ``roots``
    the field of the client behind a field of the policy."""

    view: View
    found: dict[nodes.Expr, str]
    roots: dict[str, str] = field(default_factory=dict)

    def assume(self, state: _Trust, test: nodes.Expr, holds: bool) -> _Trust | None:
        self._limits(state, test)
        if not isinstance(test, nodes.Compare) or test.op not in ("~", "!~"):
            return state
        if (self.view.variable(test.right) or "") not in self.view.acls:
            return state
        source = self.source(state, test.left)
        if source and not state.checked:
            self.found[test] = source
        of_peer = self.view.variable(test.left) in _PEERS
        return _Trust(state.tainted, True) if of_peer and holds == (test.op == "~") else state

    def do(self, state: _Trust, statement: nodes.Stmt, trail: Trail) -> _Trust:
        for expr in expressions_of(statement):
            self._limits(state, expr)
        if isinstance(statement, nodes.Unset):
            return _Trust(state.tainted - {self.view.name(statement.target)}, state.checked)
        if not isinstance(statement, nodes.Set):
            return state
        name = self.view.name(statement.target)
        source = self.source(state, statement.value)
        if source and not state.checked:
            self.roots.setdefault(name, self.roots.get(source, source))
            return _Trust(state.tainted | {name}, state.checked)
        return _Trust(state.tainted - {name}, state.checked)

    def _limits(self, state: _Trust, expr: nodes.Expr) -> None:
        """Notes limits whose key a client can choose."""
        if state.checked:
            return
        for part in parts_of(expr):
            if isinstance(part, nodes.CallExpr) and _LIMITERS.search(self.view.name(part.name) + "()"):
                sources = [self.source(state, argument.value) for argument in part.args[:1]]
                if sources and sources[0] and not any(n in _PEERS for n, _ in self.view.reads(part)):
                    self.found[part] = sources[0]

    def source(self, state: _Trust, expr: nodes.Expr) -> str:
        """The tainted name that a value is made of, or an empty text."""
        expr = bare(expr)
        if isinstance(expr, nodes.CallExpr) and _keeps_last(self.view, expr):
            return ""
        for name, _ in self.view.reads(expr):
            if name in state.tainted:
                return name
        return ""


def _keeps_last(view: View, call: nodes.CallExpr) -> bool:
    """Whether a substitution keeps only the last address of a list: the server has appended that one."""
    if view.name(call.name) not in ("regsub", "regsuball") or len(call.args) != 3:
        inner = (part for part in parts_of(call) if part is not call and isinstance(part, nodes.CallExpr))
        return any(_keeps_last(view, part) for part in inner)
    pattern, by = view.text(call.args[1].value), view.text(call.args[2].value)
    if pattern is None or by is None:
        return True  # it cannot be judged
    try:
        done = re.sub(pattern, re.sub(r"\\0", r"\\g<0>", by), "192.0.2.1, 192.0.2.2", count=1)
    except (re.error, IndexError):
        return True
    return "192.0.2.1" not in done


class ForwardedForTrusted(Rule):
    id = "SEC004"
    name = "xff-trusted"
    severity = Severity.ERROR
    what = "An ACL or a limit is applied to an address from a field that clients can send."
    why = (
        "The server appends the real address behind what the client sent: `X-Forwarded-For: "
        "127.0.0.1` passes the ACL, and a new address each time never reaches the limit."
    )
    remedy = (
        "compare client.ip, or test before that client.ip is the address of your proxy; only the last entry "
        "of X-Forwarded-For comes from the server"
    )
    source = "https://github.com/ezsystems/ezplatform/pull/93"
    bad = (
        'import std; acl office { "192.0.2.0"/24; } sub vcl_recv { '
        'if (std.ip(req.http.X-Forwarded-For, "0.0.0.0") !~ office) { return (synth(403)); } }'
    )
    good = (
        'import std; acl office { "192.0.2.0"/24; } acl proxies { "198.51.100.7"; } sub vcl_recv { '
        "if (client.ip !~ proxies) { return (synth(403)); } "
        'if (std.ip(req.http.X-Forwarded-For, "0.0.0.0") !~ office) { return (synth(403)); } }'
    )
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        if not view.where.has_any(*_ADDRESSES):
            return
        found: dict[nodes.Expr, str] = {}
        taint = _Taint(view, found)
        Paths(view, taint).of_hook("vcl_recv", _Trust(_ADDRESSES))
        places: dict[str, list[nodes.Expr]] = {}
        for part in sorted(found, key=lambda part: part.at):
            name = found[part]
            places.setdefault(taint.roots.get(name, name), []).append(part)
        for name, (first, *others) in places.items():
            message = f"a client can choose this address: it comes from {name}"
            labels = tuple((view.span(part), "and this one") for part in others[:_LABELS_MAX])
            yield Finding(view.span(first), message, labels=labels)


class AclHostname(Rule):
    id = "SEC014"
    name = "acl-hostname"
    severity = Severity.WARNING
    what = "An ACL contains a name instead of an address."
    why = (
        "The name is looked up once: the ACL lets in whoever has the old address later, and who "
        "controls its DNS decides. An entry in parentheses whose lookup fails is left out without "
        "an error: a negated one then lets its machine in."
    )
    remedy = "write the address or the network"
    source = "https://varnish-cache.org/docs/trunk/reference/vcl.html#access-control-list-acl"
    bad = 'acl office { ("office.invalid"); } sub vcl_recv { if (client.ip ~ office) { return (pass); } }'
    good = 'acl office { "192.0.2.17"; } sub vcl_recv { if (client.ip ~ office) { return (pass); } }'
    profiles = ("recommended", "security", "strict")

    def check(self, view: View) -> Iterator[Finding]:
        for acl in view.acls.values():
            for entry in acl.entries:
                address, _ = parse_network(entry.host)
                if address is None and entry.host.lower() not in _LOCAL_NAMES:
                    yield finding(view, entry, f"{entry.host} is looked up once, when the policy is compiled")
