"""Helpers for tests of the front end."""

from __future__ import annotations

import pytest

from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.dump import dump, expression
from vernis.syntax.engine import Engine, native_engine, python_engine
from vernis.syntax.frames import enough_frames
from vernis.syntax.nodes import If, Program, Set, Sub
from vernis.syntax.parser import ParseOptions, parse_text
from support.memory_files import MemoryResolver

enough_frames()     # before hypothesis reads the recursion limit, which must not change later
NATIVE = native_engine()
ENGINES = [pytest.param(python_engine(), id="python")]
if NATIVE is not None:
    ENGINES.append(pytest.param(NATIVE, id="native"))
needs_native = pytest.mark.skipif(NATIVE is None, reason="the parser extension is not built (make parser-extension)")


def parse(text: str | bytes, engine: Engine | None = None, files: dict[str, bytes] | None = None,
          **options: object) -> tuple[Program, Diagnostics]:
    """Parse a text. It needs no version line."""
    resolver = MemoryResolver(files or {})
    return parse_text(text, "policy.vcl", ParseOptions(
        engine=engine, resolver=resolver, require_version=False, **options))     # type: ignore[arg-type]


def tree(text: str | bytes, **more: object) -> str:
    """The dumped tree of a valid text."""
    program, diags = parse(text, **more)        # type: ignore[arg-type]
    assert [(d.code, d.message) for d in diags.items] == []
    return dump(program).rstrip("\n")


def statements(text: str, **more: object) -> str:
    """The dumped statements of a body."""
    return "\n".join(line[2:] for line in tree(f"sub s {{ {text} }}", **more).split("\n")[1:])


def value(text: str, **more: object) -> str:
    """The dumped expression for ``text`` as a value."""
    program, diags = parse(f"sub s {{ set x = {text}; }}", **more)      # type: ignore[arg-type]
    assert [(d.code, d.message) for d in diags.items] == []
    sub = program.declarations[0]
    assert isinstance(sub, Sub)
    statement = sub.body.statements[0]
    assert isinstance(statement, Set)
    return expression(statement.value)


def condition(text: str) -> str:
    """The dumped condition of an ``if``."""
    program, diags = parse(f"sub s {{ if ({text}) {{ }} }}")
    assert [(d.code, d.message) for d in diags.items] == []
    sub = program.declarations[0]
    assert isinstance(sub, Sub)
    statement = sub.body.statements[0]
    assert isinstance(statement, If)
    return expression(statement.arms[0].condition)


def codes(text: str | bytes, **more: object) -> list[str]:
    return [d.code for d in parse(text, **more)[1].items]       # type: ignore[arg-type]
