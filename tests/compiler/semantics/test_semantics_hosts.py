"""An origin's name that does not resolve is a warning. Name lookups take limited time."""

from __future__ import annotations

import threading
import time

from semantics_helpers import OPTIONS, policy
from vernis.semantics.check import analyse
from vernis.semantics.hosts import warn_of_unresolved
from vernis.syntax.diagnostics import Diagnostics, Severity
from vernis.syntax.parser import parse_text

TWO = ('backend a { .host = "a.example"; } backend b { .host = "b.example"; } '
       'sub vcl_recv { set req.backend_hint = a; set req.backend_hint = b; }')


def warned(ask, seconds: float = 5.0) -> list[str]:             # type: ignore[no-untyped-def]
    program, _ = parse_text(policy(TWO))
    checked, _ = analyse(program, OPTIONS)
    found = Diagnostics()
    warn_of_unresolved(checked, found, ask, seconds)
    assert all(item.code == "V520" and item.severity is Severity.WARNING for item in found.items)
    return [item.message.split('"')[1] for item in found.items]


def test_each_name_is_resolved() -> None:
    assert warned(lambda host: host == "a.example") == ["b.example"]
    assert warned(lambda host: True) == []


def test_a_silent_resolver_does_not_delay_the_check() -> None:
    never = threading.Event()
    began = time.monotonic()
    assert warned(lambda host: never.wait(30) or True, seconds=0.05) == ["a.example", "b.example"]
    assert time.monotonic() - began < 10
    never.set()


def test_addresses_are_not_resolved() -> None:
    program, _ = parse_text(policy('backend a { .host = "192.0.2.1"; } backend b { .host = "2001:db8::1"; } '
                                   'sub vcl_recv { set req.backend_hint = a; set req.backend_hint = b; }'))
    checked, _ = analyse(program, OPTIONS)
    found, asked = Diagnostics(), []
    warn_of_unresolved(checked, found, lambda host: bool(asked.append(host)))
    assert asked == [] and found.items == []
