"""`vernis ban` and `vernis purge`: remove stored responses of a running daemon, and report how many."""

from __future__ import annotations

import argparse
import json
import shlex
from typing import Any

from vernis.commands.answers import print_answer
from vernis.commands.daemon import ask, connect
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.commands.request_words import request_words
from vernis.shown import plain

_Json = dict[str, Any]


def ban(options: argparse.Namespace) -> int:
    words = _conditions(options.conditions)
    return _send(options, _ban_text, "vernis.ban", *(["-n"] if options.dry_run else []), *words)


def purge(options: argparse.Namespace) -> int:
    soft = ["-s"] if options.soft else []
    if options.all:
        if options.keys or options.url is not None or options.fields or options.method != "GET":
            raise Trouble("a purge of everything takes no request and no key: leave out --all, or the others")
        return _send(options, _purge_text, "vernis.purge_all", *soft)
    if options.keys:
        if options.url is not None or options.fields or options.method != "GET":
            raise Trouble("a purge by surrogate key takes no request: leave out --key, or the URL, -H and -X")
        return _send(options, _purge_text, "vernis.purge_key", *soft, *options.keys)
    if options.url is None:
        raise Trouble("give a URL, such as http://HOST/PATH, a surrogate key with --key KEY, or --all")
    request = [options.client, options.method, *request_words(options.url, options.fields, options.protocol)]
    return _send(options, _purge_text, "vernis.purge", *soft, *request)


def _send(options: argparse.Namespace, text: Any, *words: str) -> int:
    with connect(options) as client:
        answer = ask(client, words[0], "-j", *words[1:])
    if not answer.ok:
        return print_answer(answer)
    told: _Json = answer.told()
    print(json.dumps(told, indent=2) if options.json else plain(text(told)))
    return EXIT_OK


def _conditions(given: list[str]) -> list[str]:
    """One argument is a whole expression: words, with quotes around those that contain blanks. Backslashes
    stay, because they belong to regular expressions."""
    if len(given) > 1:
        return given
    words = shlex.shlex(given[0], posix=True, punctuation_chars=False)
    words.whitespace_split, words.escape, words.commenters = True, "", ""
    try:
        return [*words]
    except ValueError as error:
        raise Trouble(f"{given[0]!r}: {str(error).lower()}") from None


# ---- for people --------------------------------------------------------------------------------------------


def _ban_text(told: _Json) -> str:
    head = "ban added" if told["added"] else "no ban added"
    stored = responses(told["stored"])
    if told["on_requests"]:
        return f"{head}: it has conditions on requests, so {stored} are tested when a request finds them"
    if told["sample"]:
        return f"{head}: {told['matching']:,} of {told['tested']:,} tested match so far; there are {stored}"
    return f"{head}: {told['matching']:,} of {stored} match so far"


def _purge_text(told: _Json) -> str:
    done = "made stale" if told["soft"] else "removed"
    lines = [f"{responses(told['purged'])} {done}"]
    if told.get("action", "hash") != "hash":
        lines.append(f"note: vcl_recv returns {told['action']} for this request ({told['at']})")
    return "\n".join(lines)


def responses(count: int) -> str:
    return f"{count:,} stored response{'' if count == 1 else 's'}"
