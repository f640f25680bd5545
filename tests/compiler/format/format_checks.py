"""What formatted text must have in common with the text before: the tree, the comments at their places, and
the image."""

from __future__ import annotations

from pathlib import Path

from vernis.format.format import format_source
from vernis.format.layout import Style
from vernis.pipeline import COMPILE, PARSE, Compilation, Options, run_stages
from vernis.syntax.diagnostics import Severity
from vernis.syntax.dump import dump
from vernis.syntax.frames import enough_frames
from vernis.syntax.generated.token_types import T
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.source import SourceFile
from vernis.syntax.tokens import COMMENTS, TokenTable

enough_frames()
HEADS = {"policy": (b"", b""), "statements": (b"sub f { ", b"\n}"), "entries": (b"acl f { ", b"\n}"),
         "properties": (b"backend f { ", b"\n}")}
#: A comment after one of these tokens is about the value before it, so the formatter may move it there.
OPERATORS = frozenset((T.AND, T.OR, T.PLUS, T.MINUS, T.STAR, T.SLASH, T.PERCENT, T.COALESCE))
Comment = tuple[int, str]


def formatted(data: bytes, style: Style | None = None, lines: tuple[int, int] | None = None) -> bytes | None:
    return format_source(SourceFile("policy.vcl", data), style or Style(), lines).data


def refusal(data: bytes) -> str:
    """The code of the first error of a text that is not formatted."""
    return next(item.code for item in format_source(SourceFile("policy.vcl", data), Style()).diags.items if item.severity == Severity.ERROR)


def read(data: bytes, kind: str) -> tuple[str, TokenTable] | None:
    """The tree of a policy or of a fragment, and its tokens; None if it has errors."""
    head, tail = HEADS[kind]
    program, diags = parse_program(SourceFile("policy.vcl", head + data + tail), ParseOptions(
        require_version=False, splice=False))
    if diags.failed:
        return None
    assert isinstance(program.tokens, TokenTable)
    return dump(program), program.tokens


def comments(table: TokenTable) -> list[Comment]:
    """Each comment without its indentation, with the number of values and words before it."""
    found: list[Comment] = []
    before = 0
    for token, type in enumerate(table.types):
        if type in COMMENTS:
            found.append((before, "\n".join(line.strip() for line in table.text(token).split("\n"))))
        elif type != T.IF and type not in OPERATORS:        # `elseif` becomes `else if`
            before += 1
    return found


def includes(table: TokenTable) -> list[str]:
    return [table.text(i) for i in range(len(table)) if table.hidden[i] and table.types[i] not in COMMENTS]


def faults(data: bytes, style: Style | None = None) -> list[str] | None:
    """What is wrong with the formatted text; None if ``data`` cannot be parsed."""
    after = formatted(data, style)
    if after is None:
        return None
    kind = next(kind for kind in HEADS if read(data, kind) is not None)
    old, new = read(data, kind), read(after, kind)
    assert old is not None
    if new is None:
        return ["has errors"]
    again = formatted(after, style)
    checks = {"is another tree": old[0] == new[0], "changes when formatted again": again == after,
              "has other comments": comments(old[1]) == comments(new[1]),
              "has other includes": includes(old[1]) == includes(new[1]),
              "has spaces at the end of a line": not has_trailing_spaces(new[1], after)}
    return [fault for fault, is_right in checks.items() if not is_right]


def has_trailing_spaces(table: TokenTable, data: bytes) -> bool:
    """Between tokens, that is; a string may have them."""
    text = table.sources.files[0].text
    gaps = [text[end:start] for end, start in zip(table.ends, table.starts[1:])]
    return b"fmt off" not in data and any(part.rstrip("\r") for gap in gaps for part in gap.split("\n")[:-1])


# ---- images ------------------------------------------------------------------------------------------------


def with_places_of(run: Compilation, other: Compilation) -> None:
    """Gives the tokens of ``run``'s own file the places of the same tokens of ``other``."""
    assert run.program is not None and other.program is not None
    table, old = run.program.tokens, other.program.tokens
    assert isinstance(table, TokenTable) and isinstance(old, TokenTable)
    source = iter(visible(old, split=True))
    for token in visible(table):
        place = next(source)
        assert table.types[token] in (old.types[place], T.ELSE, T.IF) or table.types[token] == T.ELSEIF
        table.starts[token], table.ends[token], table.lines[token] = old.starts[place], old.ends[place], old.lines[place]
    assert next(source, None) is None
    run.program.sources.files[:] = other.program.sources.files      # type: ignore[attr-defined]


def visible(table: TokenTable, split: bool = False) -> list[int]:
    """Tokens that are no comments; with ``split``, `elseif` of the own file twice, for `else if`. Included files stay
    as they are."""
    found = []
    for token, type in enumerate(table.types):
        if type not in COMMENTS:
            found += [token] * (2 if split and type == T.ELSEIF and table.files[token] == 0 else 1)
    return found


def image(path: Path, data: bytes, target: Path, folders: tuple[str, ...] = (), places_of: bytes | None = None) -> bytes | None:
    """The image of a policy at ``path`` whose text is ``data``; None if it has errors. Includes are searched in
    ``folders``."""
    options = Options(optimisation=0, err_unref=False, vcl_path=folders)
    run = Compilation("policy", str(path), data, options, image=target)
    run_stages(run, PARSE)
    if run.failed:
        return None
    if places_of is not None:
        other = run_stages(Compilation("policy", str(path), places_of, options), PARSE)
        with_places_of(run, other)
    run_stages(run, COMPILE[len(PARSE):])
    return None if run.failed else target.read_bytes()
