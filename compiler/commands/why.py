"""`vernis why`: explains one request to a policy."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from vernis.commands.compile import VMOD_PATH
from vernis.commands.files import read_input
from vernis.commands.findings import tell_findings
from vernis.commands.hiding import hiding_of
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.native.abi import MissingBuild
from vernis.pipeline import Options, UnreadableSource
from vernis.record import replace
from vernis.shown import plain
from vernis.similar import unreadable
from vernis.terminal import Progress
from vernis.trial.world import Host, WorldError
from vernis.why.explain import Explanation, explain
from vernis.why.inputs import InputTrouble, at_url, field_of, har_entry, raw_answer, raw_request
from vernis.why.inquiry import Given, Inquiry, Sent
from vernis.why.observed import Observed
from vernis.why.play import ForeignCode, PolicyTrouble

_FOR_OTHERS = ("html", "json")  # files that are handed on: values that identify are hidden
_RUNNING_S = 1.0  # how long to wait for the end of a request that may be running
_RETRY_S = 0.1
# Parameters that decide which responses are stored, for how long, and for whom.
_DECIDING = frozenset(
    (
        "default_grace",
        "default_keep",
        "default_ttl",
        "feature",
        "heuristic_freshness",
        "heuristic_freshness_max",
        "http_gzip_support",
        "max_restarts",
        "max_retries",
        "negative_ttl",
        "partial_objects",
        "shortlived",
        "targeted_control",
    )
)


def why(options: argparse.Namespace) -> int:
    """Exit code 0, whatever the decision."""
    hiding = hiding_of(options, default=options.format in _FOR_OTHERS)
    try:
        inquiry, seen = _inquiry(options)
        with Progress("explaining the request"):
            found = explain(Host(), inquiry, options.changes, seen)
    except (ForeignCode, InputTrouble, WorldError, UnreadableSource, MissingBuild) as error:
        raise Trouble(str(error)) from None
    except PolicyTrouble as error:
        tell_findings(error.run)
        raise Trouble(str(error)) from None
    if hiding is not None:
        from vernis.why.hidden import hidden

        found = hidden(found, hiding)
    _write(options, found)
    return EXIT_OK


def _write(options: argparse.Namespace, found: Explanation) -> None:
    text = _RENDERERS[options.format](found, options)
    if options.output is None:
        print(plain(text) if options.format == "text" else text, end="")
        return
    try:
        Path(options.output).write_text(text, "utf-8")
    except OSError as error:
        raise Trouble(f"cannot write {options.output}: {error.strerror}") from None


def _text(found: Explanation, options: argparse.Namespace) -> str:
    from vernis.why.report import text

    return text(found, options.steps)


def _json(found: Explanation, options: argparse.Namespace) -> str:
    from vernis.why.report import as_json

    return json.dumps(as_json(found), indent=2) + "\n"


def _html(found: Explanation, options: argparse.Namespace) -> str:
    from vernis.why.page import page

    return page(found)


_RENDERERS = {"text": _text, "json": _json, "html": _html}


# ---- the inquiry -------------------------------------------------------------------------------------------


def _inquiry(options: argparse.Namespace) -> tuple[Inquiry, Observed | None]:
    """The inquiry, and what a running daemon did."""
    compile_options = Options(
        vcl_path=tuple(options.vcl_path),
        vmod_path=(*options.vmod_path, *VMOD_PATH),
        err_unref=options.err_unref,
    )
    if options.transaction is not None:
        return _of_daemon(options, compile_options)
    if options.policy is None:
        raise Trouble("give a policy and a URL, or --transaction and -n")
    sent = _request(options)
    earlier = tuple(raw_request(_read(name), name) for name in options.earlier)
    earlier = tuple(replace(one, answer=sent.answer, client=sent.client) for one in earlier)
    if not earlier and not options.cold:
        earlier = (sent,)
    sent = replace(sent, wait_s=options.wait if earlier else 0.0)
    return Inquiry(options.policy, sent, earlier, options=compile_options), None


def _request(options: argparse.Namespace) -> Sent:
    given = [name for name in ("url", "raw", "har") if getattr(options, name) is not None]
    if not given or {"raw", "har"} <= set(given) or ("raw" in given and "url" in given):
        raise Trouble("give one of: a URL, --raw FILE, --har FILE (with a URL or --entry to choose)")
    if options.har is not None:
        sent = har_entry(_read(options.har), options.har, options.entry, options.url)
    elif options.raw is not None:
        sent = raw_request(_read(options.raw), options.raw)
    else:
        sent = at_url(options.url, Sent("/", fields=tuple(map(field_of, options.fields))))
    if options.method is not None or options.data is not None:
        method = options.method or "POST"
        sent = replace(sent, method=method, body=(options.data or "").encode())
    if options.client is not None:
        sent = replace(sent, client=options.client)
    return replace(sent, answer=_answer(options, sent.answer))


def _answer(options: argparse.Namespace, answer: Given) -> Given:
    if options.answer is not None:
        answer = raw_answer(_read(options.answer), options.answer)
    if options.status is not None:
        answer = replace(answer, status=options.status)
    return replace(answer, fields=(*answer.fields, *map(field_of, options.answer_fields)))


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else read_input(name)
    except OSError as error:
        raise Trouble(unreadable(name, error)) from None


def _of_daemon(options: argparse.Namespace, compile_options: Options) -> tuple[Inquiry, Observed]:
    """A transaction of the running daemon's log, with the policy that served it."""
    from vernis.commands.daemon import ask, connect

    seen = _observed(options)
    path, text = options.policy, None
    if path is None:
        path = f"{seen.policy}.vcl"
        with connect(options) as client:
            answer = ask(client, "vcl.show", seen.policy)
            changed = ask(client, "param.show", "-j", "changed")
        if changed.ok:
            seen = replace(seen, lacks=(*seen.lacks, *_other_parameters(changed.body)))
        if not answer.ok:
            raise Trouble(f"the daemon no longer has the policy {seen.policy}: give its file")
        text = answer.body.encode("utf-8", "surrogateescape")
    return Inquiry(path, seen.sent, seen.earlier, text, compile_options), seen


def _other_parameters(listed: str) -> list[str]:
    """The parameters that decide about responses and have another value in the daemon than in a play."""
    rows = [one for one in json.loads(listed) if isinstance(one, dict)]
    return [f"parameter {one['name']} = {one['value']}" for one in rows if one["name"] in _DECIDING]


def _observed(options: argparse.Namespace) -> Observed:
    from vernis.commands.observing import attach_daemon
    from vernis.observe.stream import LiveLog, View
    from vernis.observe.transactions import Grouping
    from vernis.why.observed import Log, NotLogged

    daemon = attach_daemon(options)
    end = time.monotonic() + _RUNNING_S
    while True:
        log = Log()
        try:
            log.read(LiveLog(daemon).groups(View(Grouping.REQUEST, untied=log.untied), True))
            return log.find(options.transaction)
        except NotLogged as error:
            if time.monotonic() > end:
                raise Trouble(str(error)) from None
            time.sleep(_RETRY_S)
