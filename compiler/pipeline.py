"""The stages between a policy's text and its native image, in order. Only this module knows all of them.

Each stage is a named function over a :class:`Compilation`. It is timed, and imported when it first runs
(``vernis check`` never loads LLVM). A stage that reports an error ends the run. One exception: a policy with
small syntax errors is still checked, so that the user sees all errors at once. Bugs of the compiler are
exceptions; the caller handles them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from vernis.record import field, record, replace
from vernis.similar import unreadable
from vernis.syntax.diagnostics import Diagnostic, Diagnostics, Severity, Span
from vernis.trouble import helped

if TYPE_CHECKING:
    from pathlib import Path

    from vernis.ir.ir import Module
    from vernis.ir.telling import Told
    from vernis.native.beside import Second
    from vernis.native.compile import ObjectStore
    from vernis.semantics.again import Known
    from vernis.semantics.context import Context
    from vernis.semantics.moves import Move
    from vernis.semantics.options import Options as CheckOptions
    from vernis.semantics.pieces import PieceStore, Reuse
    from vernis.semantics.typed import Checked
    from vernis.syntax.codes import CodeInfo
    from vernis.syntax.nodes import Program
    from vernis.syntax.source import SourceFile, SourceMap
    from vernis.syntax.splice import TokenCache

BUILTIN_NAME = "<builtin>"
INLINE_NAME = "<vcl.inline>"


@record(frozen=True)
class Options:
    """``optimisation`` is the level of the native room, 0 or 2. ``vcl_path`` and ``vmod_path`` are the search
    paths of includes and modules; ``any_path`` False allows no other places. ``labels`` are the existing
    labels; None if they are unknown. ``builtin`` False leaves out the built-in policy.
    ``rule_counters``: the policy counts its rules; ``coverage``: its statements and branches, too.
    ``target``: the processor of the image, a name of native/target.py; None: this machine's. ``params`` are
    the values given for ``param`` of vcl 5.0, by name."""

    optimisation: int = 0
    vcl_path: tuple[str, ...] = ()
    vmod_path: tuple[str, ...] = ()
    any_path: bool = True
    err_unref: bool = True
    builtin: bool = True
    labels: tuple[str, ...] | None = None
    least_version: tuple[int, int] = (4, 0)
    rule_counters: bool = True
    coverage: bool = False
    target: str | None = None
    params: Mapping[str, str] = field(default_factory=dict)


@record
class Compilation:
    """One run: its inputs and the results of each stage. ``text`` None: read ``path``. ``changed`` are texts
    in place of those on disk, by real path. ``known`` is kept between runs of a policy that is not lowered:
    unchanged declarations are neither parsed nor checked again. ``image`` is the output file, ``code`` its
    content. ``objects`` stores compiled functions between runs; ``compiler`` identifies this compiler in
    their keys; ``second`` is another process for LLVM. ``names_asked`` are the names of hosts and services
    that the check looked up, with what it found. ``pieces`` stores statements between runs; ``reuse`` are
    those of this run.
    ``moves``, if given, gets the places that 4.x and 5.0 read differently.
    ``told`` are the steps that a policy of ``TELLING`` logs."""

    name: str
    path: str
    text: bytes | None = None
    options: Options = field(default_factory=Options)
    image: Path | None = None
    token_cache: TokenCache | None = None
    objects: ObjectStore | None = None
    compiler: bytes = b""
    second: Second | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    timings: dict[str, float] = field(default_factory=dict)
    program: Program | None = None
    checked: Checked | None = None
    module: Module | None = None
    code: bytes | None = None
    told: tuple[Told, ...] = ()
    names_asked: dict[tuple[str, str], object] = field(default_factory=dict)
    pieces: PieceStore | None = None
    reuse: Reuse | None = None
    functions_compiled: int | None = None  # functions and chunks by LLVM; ``objects`` had the others
    changed: Mapping[str, bytes] = field(default_factory=dict)
    known: Known | None = None
    moves: list[Move] | None = None

    @property
    def failed(self) -> bool:
        return self.diagnostics.failed

    @property
    def sources(self) -> SourceMap:
        """The source files; empty if the text could not be read."""
        from vernis.syntax.source import SourceMap

        found = None if self.program is None else self.program.sources
        return found if isinstance(found, SourceMap) else SourceMap()


class UnreadableSource(Exception):
    """The policy's own file cannot be read. (An unreadable include is a diagnostic of its directive.)"""


def _parse(run: Compilation) -> None:
    from vernis.syntax.parser import ParseOptions, parse_program
    from vernis.syntax.source import SourceFile
    from vernis.syntax.splice import DiskResolver, TokenCache

    text = text_of(run)
    if run.pieces is not None and run.reuse is None:
        run.reuse = _known_pieces(run, run.pieces, text)
    main = SourceFile(run.path, text, None if run.reuse is None else run.reuse.shortened(text))
    options = ParseOptions(
        builtin=_builtin() if run.options.builtin else None,
        cache=run.token_cache or TokenCache(),
        resolver=DiskResolver(run.options.vcl_path, run.options.any_path, run.changed),
        least_version=run.options.least_version,
    )
    if run.known is not None:
        from vernis.syntax.again import parse_again

        run.program = parse_again(main, options, run.known.trees)
        if run.program is not None:
            return
    run.program, found = parse_program(main, options)
    run.diagnostics.items += found.items


def _known_pieces(run: Compilation, store: PieceStore, text: bytes) -> Reuse | None:
    """The pieces of a text. None for a text that may include others, whose tokens stand between its own, and
    for one of 5.0, where a statement depends on those before it."""
    from vernis.semantics.pieces import Reuse
    from vernis.syntax.version import may_be_five

    if b"include" in text or may_be_five(text):
        return None
    options = replace(run.options, labels=None)
    return Reuse(store, options, store.find(text))


def _analyse(run: Compilation) -> None:
    """Checks the program. A program with pieces that do not fit, or with findings, is read again as a
    whole."""
    from vernis.semantics.pieces import Stale

    if run.reuse is None or not run.reuse.found:
        _check(run)
        return
    try:
        if not run.failed:
            _check(run)
        if not run.diagnostics.items:
            return
    except Stale:
        pass
    run.reuse.start_over()
    run.diagnostics.items.clear()
    run.names_asked.clear()
    _parse(run)
    _check(run)


def _check(run: Compilation) -> None:
    from vernis.semantics.check import analyse
    from vernis.semantics.options import Options as CheckOptions
    from vernis.semantics.options import system_resolver, system_service

    assert run.program is not None
    if run.failed and not _worth_checking(run):
        return

    def resolve(host: str) -> list[bytes]:
        found = run.names_asked["host", host] = system_resolver(host)
        return found

    def service(name: str) -> int | None:
        found = run.names_asked["service", name] = system_service(name)
        return found

    options = CheckOptions(
        resolver=resolve,
        service=service,
        err_unref=run.options.err_unref,
        labels=run.options.labels,
        vmod_path=run.options.vmod_path,
        any_path=run.options.any_path,
        params=run.options.params,
    )
    if run.known is None:
        run.checked, found = analyse(run.program, options, reuse=run.reuse, moves=run.moves)
    else:
        run.checked, found = _analysed_again(run.program, options, run.known)
    if run.checked.budgets and not found.failed and not run.failed:
        _check_budgets(run, run.checked, found)
    doubtful = _doubtful_lines(run)
    run.diagnostics.items += [
        item
        for item in found.items
        if not doubtful or not _is_of_values(item) or _line_of(run, item.span) not in doubtful
    ]
    run.diagnostics.sort(run.sources)


def _check_budgets(run: Compilation, checked: Checked, found: Diagnostics) -> None:
    """Compares the budgets of a policy with what its hooks may cost."""
    from vernis.ir.costs import costs_of
    from vernis.ir.ir import HOOKS
    from vernis.ir.lower import lower

    assert run.program is not None
    costs = costs_of(lower(checked))
    for at, name, limit in checked.budgets:
        over = [(getattr(costs[hook], name), hook) for hook in HOOKS if getattr(costs[hook], name) > limit]
        if over:
            most, hook = max(over)
            found.error(
                "V765",
                run.program.tokens.span(at),  # type: ignore[attr-defined]
                f"{hook} may need {most} {name}, more than the budget of {limit}",
                "vernis check --costs shows what each hook may need",
            )


def _analysed_again(program: Program, options: CheckOptions, known: Known) -> tuple[Checked, Diagnostics]:
    from vernis.semantics.again import analyse_again
    from vernis.semantics.check import analyse

    checked = analyse_again(program, options, known)
    if checked is not None:
        return checked, Diagnostics()
    contexts: list[Context] = []
    checked, found = analyse(program, options, contexts=contexts)
    known.check = None if found.items else contexts[0]
    return checked, found


def _lower(run: Compilation) -> None:
    from vernis.ir.lower import lower

    assert run.checked is not None
    run.module = lower(run.checked, run.name, run.options.rule_counters, run.reuse, run.options.coverage)


def _tell(run: Compilation) -> None:
    from vernis.ir.telling import tell

    assert run.module is not None
    run.module, run.told = tell(run.module)


def _passes(run: Compilation) -> None:
    from vernis.ir.passes import run_passes

    assert run.module is not None
    run.module = run_passes(run.module)


def _native(run: Compilation) -> None:
    from vernis.native.abi import library_folder
    from vernis.native.compile import Options as NativeOptions
    from vernis.native.compile import compile_module
    from vernis.native.split import PolicyTooLarge

    assert run.module is not None
    options = NativeOptions(
        folder=library_folder(run.options.target),
        level=run.options.optimisation,
        objects=run.objects,
        compiler=run.compiler,
        second=run.second,
    )
    try:
        compiled = compile_module(run.module, run.image, options)
    except PolicyTooLarge as error:
        _refuse_size(run, error.name, str(error))
        return
    run.code = compiled.image
    run.functions_compiled = compiled.n_compiled
    for name, milliseconds in compiled.times_ms.items():
        run.timings[f"native.{name}"] = milliseconds / 1000


def _refuse_size(run: Compilation, name: str, message: str) -> None:
    assert run.program is not None and run.checked is not None
    run.diagnostics.error(
        "V908",
        run.program.span(run.checked.subs[name.lower()]),
        message,
        "cut it into several subs, or its longest statement into several",
    )


Stage = tuple[str, Callable[[Compilation], None]]
PARSE: tuple[Stage, ...] = (("parse", _parse),)
CHECK: tuple[Stage, ...] = (*PARSE, ("analyse", _analyse))
LOWER: tuple[Stage, ...] = (*CHECK, ("lower", _lower))
OPTIMISE: tuple[Stage, ...] = (*LOWER, ("passes", _passes))
COMPILE: tuple[Stage, ...] = (*OPTIMISE, ("native", _native))
#: COMPILE for a policy that logs its steps.
TELLING: tuple[Stage, ...] = (*LOWER, ("tell", _tell), ("passes", _passes), ("native", _native))


def run_stages(run: Compilation, stages: Sequence[Stage]) -> Compilation:
    """Runs stages in order until one has reported an error. The check follows the parser even then (see
    ``_analyse``)."""
    for name, stage in stages:
        if run.failed and stage is not _analyse:
            break
        began = time.perf_counter()
        stage(run)
        run.timings[name] = time.perf_counter() - began
    return run


def compile_policy(run: Compilation) -> Compilation:
    """Runs all stages. Makes the image unless ``run.failed``."""
    return run_stages(run, COMPILE)


def keep_pieces(run: Compilation) -> None:
    """Stores the new statements of a run without findings. This takes time, so call it when the result is
    sent."""
    if run.reuse is not None and run.module is not None and not run.diagnostics.items:
        from vernis.ir.fragments import keep_lowered

        keep_lowered(run.reuse)


def warm_up() -> None:
    """Imports every stage, so that the first compile does not pay for it."""
    import vernis.ir.lower
    import vernis.ir.passes
    import vernis.native.codegen
    import vernis.native.compile
    import vernis.native.optimise
    import vernis.semantics.check
    import vernis.syntax.parser  # noqa: F401


def rendered_diagnostics(run: Compilation, stock: bool = False) -> str:
    """All errors and warnings as text with their source lines. Empty without any. ``stock``: add the words of
    Varnish."""
    if not run.diagnostics.items:
        return ""
    from vernis.syntax.render import render_all

    return render_all(run.diagnostics.items, run.sources, stock) + "\n"


def text_of(run: Compilation) -> bytes:
    """The policy's own text. Raises UnreadableSource."""
    if run.text is not None:
        return run.text
    changed = run.changed.get(os.path.realpath(run.path)) if run.changed else None
    if changed is not None:
        return changed
    from vernis.syntax.limits import Limits
    from vernis.syntax.source import read_file

    try:
        return read_file(run.path, Limits().source_bytes)
    except OSError as error:
        raise UnreadableSource(helped(unreadable(run.path, error), error)) from None


def _builtin() -> SourceFile:
    from vernis.semantics.vocabulary import grammar_text
    from vernis.syntax.source import SourceFile

    return SourceFile(BUILTIN_NAME, grammar_text("builtin.vcl"))


def _doubtful_lines(run: Compilation) -> set[tuple[int, int]]:
    """Lines where the parser inserted brackets or skipped text. Their syntax tree may differ from the
    author's intent."""
    found: set[tuple[int, int]] = set()
    for item in run.diagnostics.items:
        if _info(item).made_up:
            file, last = _line_of(run, item.span)
            first = min([last, *(_line_of(run, label.span)[1] for label in item.labels)])  # the open bracket
            found.update((file, line) for line in range(first, last + 1))
    return found


def _is_of_values(item: Diagnostic) -> bool:
    """Whether a finding is about names, types or values. Only such findings can be wrong on a doubtful line;
    findings about hooks stay valid."""
    from vernis.syntax.codes import Kind

    info = _info(item)
    return info.kind in (Kind.TEXT, Kind.SYNTAX, Kind.NAMES) or info.of_values


def _line_of(run: Compilation, span: Span) -> tuple[int, int]:
    return span.file, run.sources.files[span.file].line_of(span.start)


def _worth_checking(run: Compilation) -> bool:
    """Whether to check names and types despite errors of the parser. Not if text is missing (an unreadable
    include, a limit). After small syntax errors the checker does not report uncertain findings."""
    from vernis.syntax.codes import Kind

    return all(
        _info(item).kind is Kind.SYNTAX for item in run.diagnostics.items if item.severity is Severity.ERROR
    )


def _info(item: Diagnostic) -> CodeInfo:
    from vernis.semantics.codes import ALL_CODES  # only findings need the table

    return ALL_CODES[item.code]
