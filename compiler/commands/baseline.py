"""The baseline of `check` and `lint`: reads it, compares the findings of a run with it, and writes it again.
Also the level from which findings fail a run."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping

from vernis.commands.files import write_file
from vernis.commands.outcome import Trouble
from vernis.report import baseline
from vernis.report.found import Known, Report
from vernis.shown import plain
from vernis.syntax.diagnostics import Severity

_ABSENT_SHOWN = 10  # entries; the rest is counted

#: Levels of --fail-on, and the severities that fail a run.
FAILING = {
    "error": (Severity.ERROR,),
    "warning": (Severity.ERROR, Severity.WARNING),
    "note": tuple(Severity),
    "never": (),
}

#: The rules that ran on each file, by its name. A file of a policy with errors is left out.
Ran = Mapping[str, Iterable[str]]


def refuse_combinations(options: argparse.Namespace) -> None:
    path = options.baseline or options.write_baseline or options.prune_baseline
    writes = options.write_baseline or options.prune_baseline
    changes = any(getattr(options, name, False) for name in ("fix", "diff", "watch"))
    for is_wrong, message in (
        (writes and changes, "a baseline is written without --fix, --diff and --watch: run vernis again"),
        (path and getattr(options, "diff", False), "--baseline is for findings, not for --diff"),
        (writes and "-" in options.files, "a baseline names files: it cannot have findings of stdin"),
    ):
        if is_wrong:
            raise Trouble(message)


def apply(report: Report, ran: Ran, options: argparse.Namespace) -> Report:
    """The report beside the baseline of the options. Writes the baseline if they say so. Raises Trouble."""
    path = options.baseline or options.write_baseline or options.prune_baseline
    if not path:
        return report
    from vernis.semantics.codes import ALL_CODES

    folder = _folder(path)
    rules: dict[str, set[str]] = {}
    for name, ids in ran.items():
        rules.setdefault(baseline.file_in(folder, name), set()).update(ids)

    def is_judged(one: Known) -> bool:
        if one.file not in rules:
            return not os.path.exists(os.path.join(folder, one.file))
        return one.rule in ALL_CODES or one.rule in rules[one.file]

    is_new = options.write_baseline is not None and not os.path.exists(path)
    try:
        entries = [] if is_new else baseline.read(path)
    except baseline.WrongBaseline as error:
        raise Trouble(str(error)) from None
    compared = baseline.compare(report, folder, entries, is_judged)
    if options.write_baseline is not None:
        return _write(path, compared, options)
    n_known = sum(1 for _ in report.all()) - sum(1 for _ in compared.report.new())
    if n_known:
        _tell(options, f"{_findings(n_known)} of {path} {'is' if n_known == 1 else 'are'} left out")
    if compared.report.absent:
        _tell_absent(compared.report.absent, path, options)
        if options.prune_baseline is not None:
            write_file(path, baseline.text_of(compared.kept).encode())
    return compared.report


def _write(path: str, compared: baseline.Compared, options: argparse.Namespace) -> Report:
    """Writes the findings of this run, and the entries that it did not judge. With errors of the compiler
    nothing is written: they hide what the rules would find."""
    report = compared.report
    if any(found.rule is None and found.item.severity is Severity.ERROR for found in report.all()):
        _tell(options, f"{path} is not written: mend the errors first")
        return report
    known = {(one.file, one.fingerprint): one for one in [*compared.kept, *compared.known]}
    write_file(path, baseline.text_of(known.values()).encode())
    _tell(options, f"wrote {_findings(len(known))} to {path}; --baseline {path} leaves them out")
    return baseline.compare(report, _folder(path), known.values(), lambda _: False).report


def _tell_absent(absent: list[Known], path: str, options: argparse.Namespace) -> None:
    n = len(absent)
    for one in absent[:_ABSENT_SHOWN]:
        where = f" in {one.sub}" if one.sub else ""
        _tell(options, f"gone: {one.rule}{where}, {one.path}, once line {one.line}")
    if n > _ABSENT_SHOWN:
        _tell(options, f"gone: {n - _ABSENT_SHOWN} more")
    what = _findings(n)
    if options.prune_baseline is not None:
        _tell(options, f"removed {what} from {path}")
    else:
        verb, them = ("is", "it") if n == 1 else ("are", "them")
        _tell(options, f"{what} of {path} {verb} gone; --prune-baseline {path} removes {them}")


def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))


def _findings(n: int) -> str:
    return f"{n} known finding{'s' * (n != 1)}"


def _tell(options: argparse.Namespace, text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(plain(f"vernis {options.command}: {text}\n"))


def fails(report: Report, level: str) -> bool:
    """Whether a finding that the baseline does not have is of the level or above."""
    return any(found.item.severity in FAILING[level] for found in report.new())
