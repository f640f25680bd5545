"""BE: backends, probes and directors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vernis.lint.repairs import before, deleted
from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.view import View
from vernis.regex import later
from vernis.semantics.literals import parse_ip
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Severity

_TIMEOUTS = ("connect_timeout", "first_byte_timeout", "between_bytes_timeout")
_SHORT = ".first_byte_timeout = 30s; .between_bytes_timeout = 10s;"
_THRESHOLD = 3  # of a probe that names none
_PROTECTED = later(r"^/(admin|wp-admin|login|signin|account|my-?account|checkout|cart|backend|oauth)\b", re.I)


def properties_of(owner: nodes.Backend | nodes.ProbeBody) -> dict[str, nodes.Property]:
    return {one.name.lower(): one for one in owner.properties}


def _real(view: View) -> Iterator[tuple[nodes.Backend, dict[str, nodes.Property]]]:
    """The author's backends that have an origin."""
    for backend in view.backends.values():
        if not backend.none and not view.is_builtin(backend):
            yield backend, properties_of(backend)


def _at_name(view: View, backend: nodes.Backend, message: str, fix: Fix | None = None) -> Finding:
    return Finding(view.tokens.span(backend.name_at), message, fix=fix)


def probes_of(view: View) -> Iterator[nodes.ProbeBody]:
    """The bodies of all probes, those inside of backends too."""
    for declaration in view.program.declarations:
        if isinstance(declaration, nodes.Probe):
            yield declaration.body
        elif isinstance(declaration, nodes.Backend):
            values = (one.value for one in declaration.properties)
            yield from (value for value in values if isinstance(value, nodes.ProbeBody))


def number_of(one: nodes.Property | None) -> int | None:
    value = one.value if one is not None else None
    return int(value.digits) if isinstance(value, nodes.NumberLit) and value.digits.isdigit() else None


class NoTimeouts(Rule):
    id = "BE001"
    name = "no-timeouts"
    severity = Severity.NOTE
    what = "A backend sets none of its three timeouts."
    why = (
        "By default a client waits up to 60 seconds for the first byte and after each piece: when "
        "the origin hangs, requests pile up."
    )
    remedy = "set .first_byte_timeout and .between_bytes_timeout to what your origin needs"
    changes = "the fetches of the backend end after these times"
    source = "https://varnish-cache.org/docs/trunk/reference/vcl-backend.html#timeout-attributes"
    bad = 'backend shop { .host = "192.0.2.2"; }'
    good = 'backend shop { .host = "192.0.2.2"; .first_byte_timeout = 10s; }'
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        if any(
            isinstance(place.statement, nodes.Set)
            and view.name(place.statement.target) in {f"bereq.{name}" for name in _TIMEOUTS}
            for place in view.places
        ):
            return
        for backend, given in _real(view):
            if not given.keys() & set(_TIMEOUTS):
                message = f"{backend.name} has the default timeouts of the server"
                edits = tuple(before(view, one, _SHORT) for one in backend.properties[:1])
                yield _at_name(view, backend, message, Fix("set timeouts", edits, safe=False))


class ProbeInitial(Rule):
    id = "BE002"
    name = "probe-initial"
    severity = Severity.WARNING
    what = "A probe counts so few good results at the begin that its backends are sick for several intervals."
    why = "Each load of a policy starts the probe anew. Until .threshold is reached, clients get 503."
    remedy = "set .initial to .threshold, or leave it out: the first good result is then enough"
    changes = "the backend is healthy after one good probe"
    source = "https://github.com/varnishcache/varnish-cache/issues/2195"
    bad = (
        'probe alive { .url = "/health"; .initial = 0; .threshold = 4; .window = 8; } '
        'backend shop { .host = "192.0.2.2"; .probe = alive; }'
    )
    good = (
        'probe alive { .url = "/health"; .initial = 4; .threshold = 4; .window = 8; } '
        'backend shop { .host = "192.0.2.2"; .probe = alive; }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        for body in probes_of(view):
            given = properties_of(body)
            threshold, initial = number_of(given.get("threshold")), number_of(given.get("initial"))
            missing = (_THRESHOLD if threshold is None else threshold) - (0 if initial is None else initial)
            if initial is not None and missing > 1:
                yield Finding(
                    view.span(given["initial"]),
                    f"after each load of the policy the backend is sick until {missing} probes succeeded",
                    fix=Fix("leave .initial out", (deleted(view, given["initial"]),), safe=True),
                )


class DnsOnce(Rule):
    id = "BE003"
    name = "dns-once"
    severity = Severity.NOTE
    what = "The host of a backend is a name, which is looked up when the policy is loaded."
    why = (
        "If the origin gets another address, such as a container that restarts, requests go to the old one "
        "until the next load."
    )
    remedy = "set the parameter backend_resolve_interval, or use a dynamic.director"
    source = "https://github.com/uselagoon/lagoon/issues/682"
    bad = 'backend shop { .host = "shop.example.com"; }'
    good = 'backend shop { .host = "192.0.2.2"; }'
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for _, given in _real(view):
            host = given.get("host")
            if host is None or not isinstance(host.value, nodes.StringLit):
                continue
            name = host.value.value
            if parse_ip(name.strip("[]")) is None and name.lower() != "localhost":
                yield Finding(
                    view.span(host), f"the address of {name} is looked up when the policy is loaded"
                )


class NoProbeInDirector(Rule):
    id = "BE004"
    name = "no-probe-in-director"
    severity = Severity.WARNING
    what = "A member of a director has no probe."
    why = (
        "It always counts as healthy: a director gives it requests while its origin is down, and "
        "a fallback director never leaves it."
    )
    remedy = "give the backend a .probe"
    source = "https://varnish-cache.org/docs/trunk/users-guide/vcl-backends.html#health-checks"
    bad = (
        'import directors; backend b { .host = "192.0.2.2"; } backend c { .host = "192.0.2.3"; } '
        "sub vcl_init { new pool = directors.fallback(); pool.add_backend(b); pool.add_backend(c); }"
    )
    good = (
        'import directors; probe p { .url = "/health"; } backend b { .host = "192.0.2.2"; .probe = p; } '
        'backend c { .host = "192.0.2.3"; .probe = p; } sub vcl_init { '
        "new pool = directors.fallback(); pool.add_backend(b); pool.add_backend(c); }"
    )

    def check(self, view: View) -> Iterator[Finding]:
        members: dict[str, list[nodes.CallExpr]] = {}
        for place in view.places:
            statement = place.statement
            director, _, method = view.call_of(statement).partition(".")
            if method == "add_backend" and isinstance(statement, nodes.CallStmt):
                members.setdefault(director, []).append(statement.call)
        for calls in members.values():
            without = [call for call in calls if self._unprobed(view, call)]
            # The last one needs no probe: nothing comes after it.
            if len(calls) > 1 and without and without != calls[-1:]:
                yield Finding(
                    view.span(without[0]),
                    f"{len(without)} of the {len(calls)} backends of this director have no probe",
                )

    def _unprobed(self, view: View, call: nodes.CallExpr) -> bool:
        name = view.variable(call.args[0].value) if call.args else None
        backend = view.backends.get(name or "")
        return backend is not None and not backend.none and "probe" not in properties_of(backend)


class NoConnectionCap(Rule):
    id = "BE005"
    name = "no-connection-cap"
    severity = Severity.NOTE
    what = "A backend has no .max_connections."
    why = (
        "There are as many connections as requests for the origin: thousands after a purge or "
        "when the origin gets slow."
    )
    remedy = "set .max_connections to what the origin can serve at once"
    source = "https://varnish-cache.org/docs/trunk/reference/vcl-backend.html#attribute-max-connections"
    bad = 'backend shop { .host = "192.0.2.2"; }'
    good = 'backend shop { .host = "192.0.2.2"; .max_connections = 200; }'
    profiles = ("strict",)

    def check(self, view: View) -> Iterator[Finding]:
        for backend, given in _real(view):
            if "max_connections" not in given:
                yield _at_name(view, backend, f"{backend.name} has no limit of connections")


class ProbeAnswersNotOk(Rule):
    id = "BE006"
    name = "probe-needs-redirect-or-auth"
    severity = Severity.WARNING
    what = "A probe sends a request that a working origin answers with another status than expected."
    why = (
        "HTTP/1.1 without a Host field gets 400, and a page behind a login a redirect or 401. The backend "
        "then counts as sick."
    )
    remedy = "probe a page made for it, and give .request a Host"
    source = "https://varnish-cache.org/docs/trunk/reference/vcl-probe.html"
    bad = (
        'probe alive { .request = "GET /health HTTP/1.1" "Connection: close"; } '
        'backend shop { .host = "192.0.2.2"; .probe = alive; }'
    )
    good = (
        'probe alive { .request = "GET /health HTTP/1.1" "Host: shop.example.com" "Connection: close"; } '
        'backend shop { .host = "192.0.2.2"; .probe = alive; }'
    )

    def check(self, view: View) -> Iterator[Finding]:
        for body in probes_of(view):
            given = properties_of(body)
            for one, message in self._faults(given):
                yield Finding(view.span(one), message)

    def _faults(self, given: dict[str, nodes.Property]) -> Iterator[tuple[nodes.Property, str]]:
        request, url = given.get("request"), given.get("url")
        if request is not None:
            value = request.value
            lines = [line.value.lower() for line in value] if isinstance(value, tuple) else []
            if lines and lines[0].endswith("http/1.1"):
                names = {line.partition(":")[0].strip() for line in lines[1:]}
                if "host" not in names:
                    yield request, "an origin answers HTTP/1.1 without Host with 400"
        elif url is not None and "expected_response" not in given:
            if isinstance(url.value, nodes.StringLit) and _PROTECTED.match(url.value.value):
                yield url, "without a login this page is a redirect or 401, and the probe expects 200"
