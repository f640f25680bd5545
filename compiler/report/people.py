"""Findings for people: text, full, concise, and counts."""

from __future__ import annotations

from vernis import shown
from vernis.lint.edits import diff_of
from vernis.report.found import Found, Report, includes_of
from vernis.shown import visible
from vernis.syntax.diagnostics import Edit, Severity
from vernis.syntax.render import render, render_all


def text(report: Report) -> str:
    """Each finding with its line. A repeated one is shown once with its places."""
    texts = [
        render_all([found.item for found in policy.new], policy.new[0].sources) + "\n"
        for policy in report.policies
        if policy.new
    ]
    return shown.lines("\n".join(texts))


def full(report: Report) -> str:
    """Each finding with its line, its includes, and its fix as a diff."""
    return shown.lines("\n".join(_full(found) + "\n" for found in report.new()))


def _full(found: Found) -> str:
    lines = [render(found.item, found.sources)]
    for span in includes_of(found):
        name, line, column = found.sources.place(span)
        lines.append(f"{visible(name)}:{line}:{column}: note: included from here")
    if found.edits:
        title = f" {found.fix.title}" if found.fix is not None else ""
        how = "safe" if found.is_safe else "unsafe"
        lines.append(f"fix ({how}):{title}")
        by_file: dict[int, list[Edit]] = {}
        for edit in found.edits:
            by_file.setdefault(edit.span.file, []).append(edit)
        for number, edits in sorted(by_file.items()):
            file = found.sources.files[number]
            lines += [f"  --- {visible(file.name)}", f"  +++ {visible(file.name)}"]
            lines += [f"  {visible(line)}" for line in diff_of(file, edits)]
    return "\n".join(lines)


def concise(report: Report) -> str:
    lines = []
    for found in report.new():
        item = found.item
        name, line, column = found.sources.place(item.span)
        text = visible(f"{name}:{line}:{column}: {item.severity.value}[{item.code}] {item.message}")
        lines.append(f"{text}\n")
    return shown.lines("".join(lines))


def statistics(report: Report) -> str:
    """The number of findings of each code, the most frequent first."""
    rows = counts(report)
    width = len(str(rows[0][0])) if rows else 0
    return "".join(
        f"{n:{width}d}  {code}  {name}{f'  ({n_fixable} with a fix)' if n_fixable else ''}\n"
        for n, code, name, n_fixable in rows
    )


def counts(report: Report) -> list[tuple[int, str, str, int]]:
    """Rows of number, code, name and number with a fix."""
    by_code: dict[str, list[Found]] = {}
    for found in report.new():
        by_code.setdefault(found.item.code, []).append(found)
    rows = [
        (len(all_of), code, title_of(all_of[0]), sum(bool(one.edits) for one in all_of))
        for code, all_of in by_code.items()
    ]
    return sorted(rows, key=lambda row: (-row[0], row[1]))


def title_of(found: Found) -> str:
    """The name of a rule, or the title of a code of the compiler."""
    from vernis.semantics.codes import ALL_CODES

    if found.rule is not None:
        return found.rule.name
    info = ALL_CODES.get(found.item.code)
    return info.title if info is not None else ""


def summary(report: Report) -> str:
    """The counts that end a report on a terminal."""
    all_found = list(report.new())
    n_errors = sum(found.item.severity is Severity.ERROR for found in all_found)
    n_others = len(all_found) - n_errors
    n_fixable = sum(found.fix is not None for found in all_found)
    fixable = f", {n_fixable} with a fix" if n_fixable else ""
    return f"{n_errors} error{'s' * (n_errors != 1)}, {n_others} warning{'s' * (n_others != 1)}{fixable}"
