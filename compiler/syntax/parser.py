"""From text to :class:`Program`: lex, splice, check brackets, parse, build nodes.

``parse_program`` raises for no policy text. All errors are in the :class:`Diagnostics`, and the tree has
``Broken`` nodes for unreadable text. The main file and the built-in policy are parsed separately, so that an
error in one does not affect the other.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vernis.record import field, record
from vernis.syntax import nodes as n
from vernis.syntax.brackets import balance
from vernis.syntax.builder import Builder
from vernis.syntax.diagnostics import Diagnostics
from vernis.syntax.driver import RULE_ENDS, Recovery
from vernis.syntax.engine import Engine, default_engine
from vernis.syntax.limits import Limits
from vernis.syntax.source import SourceFile, SourceMap
from vernis.syntax.splice import DiskResolver, IncludeResolver, Splicer, TokenCache
from vernis.syntax.text import check_text
from vernis.syntax.tokens import TokenTable, VisibleTokens, visible_tokens
from vernis.syntax.version import check_least, check_versions
from vernis.syntax.words import mark_words


@record(frozen=True)
class ParseOptions:
    """Options of a parse.

    The declarations of ``builtin`` follow those of the policy. ``cache`` may be kept between parses.
    ``tests``: the file may hold tests. ``require_version`` is off for fragments, such as included files.
    Without ``splice``, the files of ``include`` are not read and the directives are hidden tokens, for tools
    that work on one file.
    """

    builtin: SourceFile | None = None
    resolver: IncludeResolver = field(default_factory=DiskResolver)
    limits: Limits = field(default_factory=Limits)
    cache: TokenCache = field(default_factory=TokenCache)
    engine: Engine | None = None
    require_version: bool = True
    least_version: tuple[int, int] = (4, 0)
    splice: bool = True
    tests: bool = False


def parse_program(main: SourceFile, options: ParseOptions | None = None) -> tuple[n.Program, Diagnostics]:
    """Returns the tree of a policy and all errors of its syntax."""
    options = options or ParseOptions()
    diags = Diagnostics()
    with collector_off():
        program = _parse(main, options, diags)
    diags.sort(program.sources)  # type: ignore[arg-type]
    return program, diags


def parse_text(
    text: str | bytes, name: str = "policy.vcl", options: ParseOptions | None = None
) -> tuple[n.Program, Diagnostics]:
    """Parses a text in memory (UTF-8 if it is a str)."""
    data = text.encode() if isinstance(text, str) else text
    return parse_program(SourceFile(name, data), options)


@contextmanager
def collector_off() -> Iterator[None]:
    """Switches the cyclic collector off: it would visit thousands of new nodes, find no cycle, and cost up to
    four times the parse."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _parse(main: SourceFile, options: ParseOptions, diags: Diagnostics) -> n.Program:
    engine = options.engine or default_engine()
    table = TokenTable(SourceMap())
    splicer = Splicer(
        table.sources, table, diags, engine, options.cache, options.resolver, options.limits, options.splice
    )
    policy = _part(splicer, main, options.limits)
    declarations = policy or []
    if options.splice and (splicer.imported or any(map(_imports_file, declarations))):
        from vernis.syntax.private import with_private_names  # few policies import files

        declarations = with_private_names(declarations, splicer.imported, table, diags)
    version = check_versions(declarations, table, diags, options.require_version and policy is not None)
    if not options.tests:
        declarations = _without_tests(declarations, table, diags)
    check_least(declarations, version, options.least_version, table, diags)
    builtin_from = len(declarations)
    if options.builtin is not None:
        declarations += _part(splicer, options.builtin, options.limits) or []
    whole = not diags.items or _is_whole(diags)
    broken = tuple(item.span for item in diags.items)
    return n.Program(tuple(declarations), table, table.sources, version, builtin_from, whole, broken)


def _imports_file(declaration: n.Decl) -> bool:
    return isinstance(declaration, n.Import) and not declaration.module


def _without_tests(declarations: list[n.Decl], table: TokenTable, diags: Diagnostics) -> list[n.Decl]:
    kept: list[n.Decl] = []
    for decl in declarations:
        if not isinstance(decl, n.TestCase):
            kept.append(decl)
            continue
        diags.error(
            "V246",
            table.span(decl.at),
            "a policy has no tests",
            "move it to a file whose name ends in .test.vcl, which `vernis test` runs",
        )
    return kept


def _is_whole(diags: Diagnostics) -> bool:
    from vernis.syntax.codes import CODES  # a valid policy does not need this table

    return not any(CODES[item.code].lost_text for item in diags.items)


def _part(splicer: Splicer, file: SourceFile, limits: Limits) -> list[n.Decl] | None:
    """Returns the declarations of one file and its includes, or None if a limit was exceeded. Adds the tokens
    to the table."""
    table, diags = splicer.table, splicer.diags
    first, first_error = len(table), len(diags.items)
    splicer.add_file(file)
    if splicer.full or splicer.unread:
        return None
    visible = visible_tokens(table, first, len(table))
    if not visible.table_index:
        return []
    mark_words(table, visible)
    known = check_text(table, visible, diags, first)
    balanced = balance(table, visible, known, diags, limits.nesting)
    if balanced is None:
        return None
    declarations = parse_tokens(splicer.engine, table, balanced, known, diags)
    if len(diags.items) - first_error > 1:
        from vernis.syntax.consequences import drop_consequences

        drop_consequences(table, visible, diags, first_error)
    return declarations


def parse_tokens(
    engine: Engine,
    table: TokenTable,
    visible: VisibleTokens,
    known: set[int],
    diags: Diagnostics,
    kept: dict[int, list[Any]] | None = None,
) -> list[n.Decl]:
    """Returns the declarations of balanced tokens. ``known`` holds table indices of tokens with a reported
    error. ``kept``: see ``Builder``."""
    types = bytes(visible.types)
    recovery = Recovery(types, bytes(visible.line_starts))
    records = array("i")
    records.frombytes(engine.parse(types, RULE_ENDS, recovery))
    if recovery.failures:
        from vernis.syntax.errors import SyntaxErrors  # a valid policy does not need these tables

        SyntaxErrors(table, visible, known, diags).report(recovery.failures)
    declarations: list[n.Decl] = Builder(table, visible.table_index, diags, kept).build(records.tolist())
    return declarations
