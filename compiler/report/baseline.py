"""The baseline: a file of findings that are known, so that only new ones fail a run.

An entry matches a finding of the same file and fingerprint (``found.fingerprints``). Errors of the compiler
are never known: a policy with one cannot be loaded. Nor is V901, which stands for findings that nobody has
seen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from vernis.record import record, replace
from vernis.report.found import NEW, UNCHANGED, Found, Known, Policy, Report, declaration_of, fingerprints
from vernis.report.found import path_of
from vernis.syntax.diagnostics import TOO_MANY, Severity

FORMAT_VERSION = 1
BYTES_MAX = 16 << 20


class WrongBaseline(Exception):
    """The text names the file and the mistake."""


@record(frozen=True)
class Compared:
    """``report`` has the states of its findings. ``known`` are those of this run that a baseline may have,
    ``kept`` the entries of the old baseline that are still right or were not judged."""

    report: Report
    known: list[Known]
    kept: list[Known]


def read(path: str) -> list[Known]:
    """Raises WrongBaseline."""
    import json

    try:
        with open(path, "rb") as file:
            data = file.read(BYTES_MAX + 1)
    except OSError as error:
        raise WrongBaseline(f"cannot read the baseline {path}: {error.strerror}") from None
    if len(data) > BYTES_MAX:
        raise WrongBaseline(f"the baseline {path} is larger than {BYTES_MAX} bytes")
    try:
        table = json.loads(data)
        if table["format_version"] != FORMAT_VERSION:
            raise WrongBaseline(
                f"the baseline {path} has the format version {table['format_version']!r}; this vernis reads "
                f"{FORMAT_VERSION}"
            )
        return [_entry(row) for row in table["findings"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WrongBaseline(
            f"{path} is no baseline ({type(error).__name__}: {error}); --write-baseline {path} writes one"
        ) from None


def _entry(row: dict[str, object]) -> Known:
    known = Known(**{name: row[name] for name in ("rule", "file", "sub", "line", "fingerprint")})  # type: ignore[arg-type]
    if not isinstance(known.line, int) or not all(
        isinstance(text, str) for text in (known.rule, known.file, known.sub, known.fingerprint)
    ):
        raise TypeError(f"an entry of {known.file!r} has a value of the wrong type")
    return known


def text_of(known: Iterable[Known]) -> str:
    """The file: an entry a line, so that a change of one is a change of one line."""
    import json

    rows = sorted(known, key=lambda one: (one.file, one.line, one.rule, one.fingerprint))
    lines = ",\n  ".join(
        json.dumps(
            {
                "rule": one.rule,
                "file": one.file,
                "sub": one.sub,
                "line": one.line,
                "fingerprint": one.fingerprint,
            }
        )
        for one in rows
    )
    findings = f"[\n  {lines}\n ]" if rows else "[]"
    return f'{{\n "format_version": {FORMAT_VERSION},\n "findings": {findings}\n}}\n'


def compare(
    report: Report, folder: str, entries: Iterable[Known], is_judged: Callable[[Known], bool]
) -> Compared:
    """Marks the findings of a run as new or unchanged. ``folder`` is that of the baseline. ``is_judged``
    tells whether the run would have found an entry again: it read the file and ran the rule."""
    old = {(one.file, one.fingerprint): one for one in entries}
    known: dict[tuple[str, str], Known] = {}
    states: list[str] = []
    for found, mark in fingerprints(report):
        one = _known(found, mark, folder)
        key = one.file, one.fingerprint
        states.append(UNCHANGED if key in old and may_be_known(found) else NEW)
        if may_be_known(found):
            known[key] = one
    state = iter(states)
    policies = [
        Policy(policy.name, [replace(found, state=next(state)) for found in policy.found])
        for policy in report.policies
    ]
    gone = [one for key, one in old.items() if key not in known and is_judged(one)]
    absent = [replace(one, path=_path(one, folder)) for one in gone]
    kept = [known.get(key, one) for key, one in old.items() if one not in gone]
    return Compared(Report(policies, absent), list(known.values()), kept)


def may_be_known(found: Found) -> bool:
    item = found.item
    is_refusal = found.rule is None and item.severity is Severity.ERROR
    return not is_refusal and item.code != TOO_MANY and not _name(found).startswith("<")


def file_in(folder: str, name: str) -> str:
    """A file as entries name it."""
    return os.path.relpath(os.path.abspath(name), folder or ".")


def _name(found: Found) -> str:
    return found.sources.files[found.item.span.file].name


def _known(found: Found, mark: str, folder: str) -> Known:
    item = found.item
    file, line = file_in(folder, _name(found)), found.sources.place(item.span)[1]
    return Known(item.code, file, declaration_of(found), line, mark, path_of(item.span, found.sources))


def _path(one: Known, folder: str) -> str:
    path = os.path.normpath(os.path.join(folder, one.file))
    return os.path.relpath(path) if not os.path.isabs(one.file) else path
