"""`vernis explain-key`: shows the parts of a request's cache key, and the responses stored under it. The
daemon runs vcl_recv and vcl_hash on the request, but does not fetch."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from vernis.commands.answers import print_answer
from vernis.commands.daemon import ask, connect
from vernis.commands.hiding import hiding_of
from vernis.commands.outcome import EXIT_OK
from vernis.commands.request_words import request_words
from vernis.observe.storing import MARKERS
from vernis.shown import plain, visible

if TYPE_CHECKING:
    from vernis.observe.hiding import Hiding

Told = dict[str, Any]  # the JSON answer of runtime/worker/explain.c

_VALUES = ("value", "stored", "request")

# Texts for the actions that lead to no look-up.
_NO_LOOKUP = {
    "pass": "the origin is asked, and nothing stored is used",
    "pipe": "the client is connected to the origin, and nothing stored is used",
    "synth": "the answer is made by vcl_synth, and nothing stored is used",
    "purge": "a client's request would drop all that is stored under this key",
    "restart": "vcl_recv restarts more often than max_restarts allows",
    "fail": "the client gets 503",
    "vcl": "the label leads nowhere, the client gets 503",
}


def explain_key(options: argparse.Namespace) -> int:
    hiding = hiding_of(options)
    words = [
        "vernis.explain_key",
        "-j",
        options.client,
        options.method,
        *request_words(options.url, options.fields, options.protocol),
    ]
    with connect(options) as client:
        answer = ask(client, *words)
    if not answer.ok:
        return print_answer(answer)
    told = answer.told()
    if hiding is not None:
        _learn(told, hiding)
        told = _hidden(told, hiding)
    if options.json:
        print(json.dumps(told, indent=2))
    else:
        print(plain("\n".join(map(visible, _lines(told)))))
    return EXIT_OK


# ---- for others --------------------------------------------------------------------------------------------


def _learn(told: Any, hiding: Hiding) -> None:
    """A field has its value in ``value``; in a list of Vary, in ``stored`` and ``request``."""
    if isinstance(told, dict):
        name = told.get("name") or told.get("field")
        for key, value in told.items():
            if isinstance(value, str) and name and key in _VALUES:
                hiding.learn_field(name, value)
            else:
                _learn(value, hiding)
    elif isinstance(told, list):
        for one in told:
            _learn(one, hiding)
    elif isinstance(told, str):
        hiding.learn_text(told)


def _hidden(told: Any, hiding: Hiding) -> Any:
    if isinstance(told, dict):
        name = told.get("name") or told.get("field")
        return {
            key: hiding.field(name, value)
            if isinstance(value, str) and name and key in _VALUES
            else _hidden(value, hiding)
            for key, value in told.items()
        }
    if isinstance(told, list):
        return [_hidden(one, hiding) for one in told]
    return hiding.text(told) if isinstance(told, str) else told


# ---- for people --------------------------------------------------------------------------------------------


def _lines(told: Told) -> Iterator[str]:
    request = told["request"]
    yield f"request   {request['method']} {request['url']}, after vcl_recv"
    for field in request["fields"]:
        yield f"          {field['name']}: {field['value']}"
    yield from _decision(told)
    for withheld in told["withheld"]:
        yield f"not done  {withheld['what']}({json.dumps(withheld['of'])})  {withheld['at']}"
    if "key" not in told:
        return
    for i, part in enumerate(told["key"]):
        yield f"{'key' if i == 0 else '':9} {json.dumps(part['text'], ensure_ascii=False)}  {part['at']}"
    if not told["key"]:
        yield "key       empty: vcl_hash calls no hash_data(), so all requests share one key"
    yield f"hash      {told['hash']}"
    yield from _hints(told)
    yield from _variants(told)


def _decision(told: Told) -> Iterator[str]:
    action = told["action"]
    reason = f", {json.dumps(told['reason'], ensure_ascii=False)}" if told.get("reason") else ""
    what = {
        "synth": f"synth({told.get('status')}{reason})",
        "vcl": f"vcl({told.get('label')})",
        "fail": f"fail{reason}",
    }.get(action, action)
    at = f"  {told['at']}" if told["at"] else ""
    yield f"policy    {told['policy']}" + (f", restarts: {told['restarts']}" if told["restarts"] else "")
    yield f"vcl_recv  {what}{at}" + (f": {_NO_LOOKUP[action]}" if action in _NO_LOOKUP else "")
    if "failed" in told:
        yield f"failed    {told['failed']}"
    elif "key" not in told and action != "fail":
        yield "failed    vcl_hash: there is no key, the client gets 503"


def _hints(told: Told) -> Iterator[str]:
    texts = {
        "hash_always_miss": "what is stored is not looked at",
        "hash_ignore_busy": "does not wait for another's fetch",
        "hash_ignore_vary": "any variant will do",
    }
    for name, text in texts.items():
        if told[name]:
            yield f"set       req.{name}: {text}"
    for name, variable in (("ttl_limit", "req.ttl"), ("grace_limit", "req.grace")):
        if name in told:
            yield f"set       {variable} = {_seconds(told[name])}"


def _variants(told: Told) -> Iterator[str]:
    yield f"stored    {told['stored'] or 'nothing'}" + (
        f", the newest {len(told['variants'])} below" if told["stored"] > len(told["variants"]) else ""
    )
    for variant in told["variants"]:
        yield ""
        if variant["kind"] == "busy":
            yield f"variant   {variant['xid']}: an origin is asked for it now"
            continue
        yield from _variant(variant)


def _variant(variant: Told) -> Iterator[str]:
    chosen = "selected by this request" if variant["selected"] else "for other requests"
    kind = "" if variant["kind"] == "response" else f"{variant['kind']}, "
    removed = ", banned: the next look-up drops it" if variant["banned"] else ""
    removed = ", purged: no look-up finds it" if variant["purged"] else removed
    state = f"{kind}status {variant['status']}, {variant['state']}"
    yield f"variant   {variant['xid']}: {state}, {chosen}{removed}"
    yield (
        f"          age {_seconds(variant['age'])}, "
        f"ttl left {_seconds(variant['ttl_left'])} of {_seconds(variant['ttl'])}, "
        f"grace {_seconds(variant['grace'])}, keep {_seconds(variant['keep'])}"
    )
    if variant["kind"] in MARKERS:
        yield f"          not stored: {variant['text']}; meanwhile {MARKERS[variant['kind']]}"
    so_far = "" if variant["complete"] else " so far"
    yield (
        f"          hits {variant['hits']}, {variant['bytes']} bytes{so_far}, storage {variant['storage']}"
    )
    if "segments" in variant:
        yield f"          partial object, segments {variant['segments']}"
    for field in variant["vary"]:
        yield f"          Vary {field['field']}: {_value(field['stored'])}" + (
            "" if field["same"] else f", this request has {_value(field['request'])}"
        )
    if variant["surrogate_keys"]:
        yield f"          surrogate keys {' '.join(variant['surrogate_keys'])}"


def _value(text: str | None) -> str:
    return "no such field" if text is None else json.dumps(text, ensure_ascii=False)


def _seconds(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") + " s"
