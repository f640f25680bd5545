"""Helpers for tests of vcl 5.0: the findings of a policy, and the response fields that a hook sets in the reference interpreter."""

from __future__ import annotations

from dataclasses import dataclass

from support.reference.interpret import Outcome, run_hook
from vernis.ir.ir import Module, Msg
from vernis.ir.lower import lower
from support.reference.verify import check_module
from support.reference.world import World
from vernis.semantics.check import analyse
from vernis.semantics.options import Options
from vernis.semantics.typed import Checked
from vernis.semantics.vocabulary import grammar_text
from vernis.syntax.diagnostics import Diagnostic
from vernis.syntax.parser import ParseOptions, parse_text
from vernis.syntax.source import SourceFile

BUILTIN = SourceFile("builtin.vcl", grammar_text("builtin.vcl"))
IGNORED = ("V602", "V732")  # unused declarations, needless tests
HEAD = 'vcl 5.0; backend origin { .host = "192.0.2.1"; } acl ops { "192.0.2.0"/24; }\n'


@dataclass(slots=True)
class Read:
    checked: Checked
    findings: list[Diagnostic]

    @property
    def codes(self) -> list[str]:
        return [item.code for item in self.findings]


def check(text: str, params: dict[str, str] | None = None) -> Read:
    """A policy with the built-in one, checked."""
    program, syntax = parse_text(text, options=ParseOptions(builtin=BUILTIN))
    checked, found = analyse(program, Options(resolver=lambda host: [], params=params or {}))
    return Read(checked, [item for item in (*syntax.items, *found.items) if item.code not in IGNORED])


def lowered(text: str, params: dict[str, str] | None = None) -> Module:
    read = check(text, params)
    assert read.findings == [], [f"{item.code} {item.message}: {item.help}" for item in read.findings]
    module = lower(read.checked)
    check_module(module)
    return module


def recv(body: str, declarations: str = "") -> str:
    return f"{HEAD}{declarations}\nsub vcl_recv {{ {body} }}\n"


@dataclass(slots=True)
class Ran:
    outcome: Outcome
    world: World

    def field(self, name: str) -> str | None:
        value = self.world.messages[Msg["REQ"]].get(name.encode())
        return None if value is None else value.decode("latin-1")

    @property
    def action(self) -> str:
        return self.outcome.action.name.lower()


def run(text: str, fields: dict[str, str] | None = None, hook: str = "vcl_recv", **variables: object) -> Ran:
    """Runs a hook of a policy on a request with these fields."""
    module = lowered(text)
    world = World()
    world.variables |= {"req_method": b"GET", "req_url": b"/", "req_proto": b"HTTP/1.1"}
    for name, value in variables.items():
        world.variables[name] = value.encode("latin-1") if isinstance(value, str) else value
    for name, value in (fields or {}).items():
        world.messages[Msg["REQ"]].set(name.encode(), value.encode("latin-1"))
    return Ran(run_hook(module, hook, world), world)
