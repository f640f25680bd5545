"""Text for manual pages, as requests of man(7). Input may have the Markdown of our tables: `code`, **bold**
and [links](#place)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

LINE_COLUMNS = 78
BREAK = "\\:"
_PARTS = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^]]+)\]\([^)]*\)")


def escaped(text: str) -> str:
    """Literal text. A hyphen stays one, so that options can be pasted."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")


def line(text: str) -> str:
    """A line of text that roff takes for no request."""
    return "\\&" + text if text.startswith((".", "'")) else text


def inline(text: str) -> str:
    """Text with Markdown inside a line."""
    done, at = "", 0
    for found in _PARTS.finditer(text):
        code, strong, link = found.groups()
        done += escaped(text[at : found.start()])
        done += f"\\fB{escaped(code or strong)}\\fR" if link is None else inline(link)
        at = found.end()
    return done + escaped(text[at:])


def paragraph(text: str) -> str:
    """A paragraph on lines of at most LINE_COLUMNS, each sentence on a line of its own."""
    sentences = re.split(r"(?<=[.!?]) +(?=[A-Z])", inline(" ".join(text.split())))
    rows = [
        row
        for sentence in sentences
        for row in textwrap.wrap(sentence, LINE_COLUMNS, break_long_words=False, break_on_hyphens=False)
    ]
    return "\n".join(map(line, rows))


def title(name: str, section: int, date: str, version: str, purpose: str) -> str:
    """The head of a page. Names are not broken at line ends, so that they can be searched."""
    shown = escaped(name)
    return (
        f'.TH {shown.upper()} {section} {date} "Vernis {version}" "Vernis manual"\n.nh\n.ad l\n'
        f".SH NAME\n{shown} \\- {escaped(purpose)}"
    )


def heading(text: str) -> str:
    return f".SH {escaped(text).upper()}"


def subheading(text: str) -> str:
    return f'.SS "{escaped(text)}"'


def entry(term: str, text: str) -> str:
    """A term in bold with its meaning, indented. Long lists of choices may break after a comma."""
    return f".TP\n{line(bold(term)).replace(',', ',' + BREAK)}\n{paragraph(text)}"


def bold(text: str) -> str:
    return f"\\fB{escaped(text)}\\fR"


def verbatim(rows: Iterable[str]) -> str:
    """Lines as they stand, indented."""
    return "\n".join([".RS", ".nf", *(line(escaped(row)) for row in rows), ".fi", ".RE"])
