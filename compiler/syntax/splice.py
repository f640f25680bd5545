"""``include``: inserts the tokens of other files at the directive.

``import "file" as name``, of 5.0, is legal between declarations and inserts the tokens behind itself;
``private.py`` gives them names of their own.

The directive is legal wherever a token is: between declarations, in an ACL, in an expression. Its own tokens
stay in the table, hidden. Each file is lexed once, however often it is included. A path that begins with
``./`` is relative to the file of the directive; other relative paths are searched in ``vcl_path``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from vernis.record import field, record
from vernis.syntax.diagnostics import Diagnostics, Label, Span
from vernis.syntax.engine import Engine
from vernis.syntax.generated.token_types import T
from vernis.syntax.limits import Limits
from vernis.syntax.repair import repaired_tokens
from vernis.syntax.source import SourceFile, SourceMap, read_file
from vernis.syntax.stock import phrase
from vernis.syntax.tokens import HEAD_WORDS, STRINGS, FileTokens, TokenTable

_INCLUDE_RE = re.compile(re.escape(bytes((T.INCLUDE,))))
_NAME_RE = re.compile("[A-Za-z][A-Za-z0-9_-]*")
_IMPORT_RE = re.compile(re.escape(bytes((T.IMPORT,))))


class IncludeResolver(Protocol):
    """The source of included text. ``read`` gets only paths that ``find`` and ``glob`` returned."""

    def allows(self, path: str) -> bool:
        """Whether an include may use this path."""

    def find(self, path: str) -> str | None:
        """Returns the file of a path without a pattern, or None."""

    def other(self, path: str) -> str:
        """Describes a path that exists but is not a file; empty if it does not exist."""

    def glob(self, pattern: str) -> list[str]:
        """Returns the files that match, sorted."""

    def read(self, path: str) -> bytes:
        """Returns the bytes of a file. Raises OSError."""


@record(frozen=True)
class DiskResolver:
    """Reads files, searched in the directories of ``vcl_path`` in order. Without ``any_path``, only bare
    names in these directories are legal. ``changed`` are texts in place of those on disk, by real path."""

    vcl_path: Sequence[str] = ()
    any_path: bool = True
    changed: Mapping[str, bytes] = field(default_factory=dict)

    def allows(self, path: str) -> bool:
        return self.any_path or "/" not in path

    def _candidates(self, path: str) -> list[str]:
        if os.path.isabs(path) or path.startswith("./"):
            return [path]
        return [os.path.join(directory, path) for directory in self.vcl_path] or [path]

    def find(self, path: str) -> str | None:
        return next((p for p in self._candidates(path) if os.path.isfile(p)), None)

    def other(self, path: str) -> str:
        found = [p for p in self._candidates(path) if p and os.path.exists(p)]
        return (
            "" if not found else "a directory" if os.path.isdir(found[0]) else "a device, a socket or a pipe"
        )

    def glob(self, pattern: str) -> list[str]:
        import glob

        for candidate in self._candidates(pattern):
            found = sorted(p for p in glob.glob(candidate) if os.path.isfile(p))
            if found:
                return found
        return []

    def read(self, path: str) -> bytes:
        changed = self.changed.get(os.path.realpath(path)) if self.changed else None
        return read_file(path, Limits().source_bytes) if changed is None else changed


@record
class TokenCache:
    """Tokens by text, for one compilation or for the life of a server."""

    entries: dict[tuple[bytes, int], FileTokens] = field(default_factory=dict)
    entries_max: int = 512

    def tokens(self, engine: Engine, data: bytes, tokens_max: int) -> FileTokens:
        key = (data, tokens_max)
        found = self.entries.get(key)
        if found is None:
            found = repaired_tokens(engine, data, tokens_max)
            if len(self.entries) >= self.entries_max:
                self.entries.pop(next(iter(self.entries)))
            self.entries[key] = found
        return found


@record
class _Directive:
    """``include`` at token ``first`` of its file; ``end`` is the token after the ``;``. A malformed directive
    has no path. ``alias`` is the name of an imported file."""

    first: int
    end: int
    path_token: int | None
    is_glob: bool
    alias: str = ""


@record
class _Open:
    """A file that is being spliced, and the place of its include."""

    path: str
    asked: Span | None


@record
class Region:
    """An imported file: its tokens in the table from ``first`` to before ``end``, and the region around it.
    ``names`` are the names that it declares, in small letters."""

    first: int
    end: int
    alias: str
    asked: Span
    outer: Region | None = None
    names: set[str] = field(default_factory=set)
    inner: dict[str, Region] = field(default_factory=dict)

    @property
    def prefix(self) -> str:
        return f"{'' if self.outer is None else self.outer.prefix}{self.alias}."


@record
class Splicer:
    """State of one splicing. Each program needs its own."""

    sources: SourceMap
    table: TokenTable
    diags: Diagnostics
    engine: Engine
    cache: TokenCache
    resolver: IncludeResolver
    limits: Limits
    follow: bool = True  # False, for the formatter: directives are hidden and not followed
    included: int = 0
    bytes_read: int = 0
    full: bool = False
    unread: bool = False  # the program's own file was too large
    numbers: dict[str, int] = field(default_factory=dict)
    imported: list[Region] = field(default_factory=list)

    def add_file(self, file: SourceFile) -> None:
        """Appends the tokens of a file and of all files it includes to the table."""
        number = self.sources.add(file)
        self.numbers[file.name] = number
        if self._too_large(number, None):
            self.unread = True
            return
        self._splice(number, [_Open(_identity(file.name), None)])

    def _too_large(self, number: int, asked: Span | None) -> bool:
        file = self.sources.files[number]
        self.bytes_read += len(file.data)
        place = asked or Span(number, 0, 0)
        if len(file.data) > self.limits.source_bytes:
            self.diags.error(
                "V903",
                place,
                f"{file.name} is larger than {self.limits.source_bytes} bytes",
                "split the policy, or move data out of it",
            )
            return True
        if self.bytes_read > self.limits.program_bytes:
            self.full = True
            self.diags.error(
                "V906",
                place,
                f"all files of the policy are larger than {self.limits.program_bytes} bytes",
                "include less, or move data out of the policy",
            )
            return True
        return False

    def _splice(self, number: int, open_files: list[_Open]) -> None:
        file = self.sources.files[number]
        tokens = self.cache.tokens(self.engine, file.lexed.text, self.limits.tokens)
        if file.lexed.gaps:
            tokens = tokens.spread(file.lexed.gaps)
        if len(self.table) + len(tokens.types) > self.limits.tokens:
            self._too_many_tokens(Span(number, 0, 0))
            return
        done = 0
        for directive in self._directives(number, tokens):
            self.table.extend(number, tokens, done, directive.end)
            hidden = 0 if directive.alias else directive.end - directive.first
            for i in range(len(self.table) - hidden, len(self.table)):
                self.table.hidden[i] = 1
            done = directive.end
            if self.follow and not self.full:
                self._include(number, tokens, directive, open_files)
        self.table.extend(number, tokens, done, len(tokens.types))

    def _too_many_tokens(self, place: Span) -> None:
        if not self.full:
            self.diags.error(
                "V904",
                place,
                f"the policy has more than {self.limits.tokens} tokens",
                "include less, or move data out of the policy",
            )
        self.full = True

    def _directives(self, number: int, tokens: FileTokens) -> list[_Directive]:
        found = []
        for match in _INCLUDE_RE.finditer(tokens.types):
            first = match.start()
            before = _visible_before(tokens, first)
            if before >= 0 and tokens.types[before] == T.DOT:
                continue
            directive = self._directive(number, tokens, first, before)
            if directive is not None:
                found.append(directive)
        imports = [self._import(number, tokens, match.start()) for match in _IMPORT_RE.finditer(tokens.types)]
        if any(imports):
            found = sorted([*found, *filter(None, imports)], key=lambda directive: directive.first)
        return found

    def _import(self, number: int, tokens: FileTokens, first: int) -> _Directive | None:
        """Returns the directive at an ``import`` word that imports a file; None for any other."""
        path = _visible_after(tokens, first)
        if _type(tokens, path) not in STRINGS or _depth(tokens, first) != 0:
            return None
        as_ = _visible_after(tokens, path)
        alias = _visible_after(tokens, as_)
        semi = _visible_after(tokens, alias)
        name = _text(self.sources.files[number], tokens, alias)
        if _type(tokens, as_) != T.AS or _type(tokens, semi) != T.SEMI or not _NAME_RE.fullmatch(name):
            return None
        return _Directive(first, semi + 1, path, is_glob=False, alias=name)

    def _directive(self, number: int, tokens: FileTokens, first: int, before: int) -> _Directive | None:
        """Returns the directive at an ``include`` word, or None if the word is a name or the directive is
        malformed."""
        at = _visible_after(tokens, first)
        is_glob = False
        if _type(tokens, at) == T.PLUS:
            flag = _visible_after(tokens, at)
            if _text(self.sources.files[number], tokens, flag) != "glob":
                return self._malformed(number, tokens, first, before, at, "the only flag of include is +glob")
            is_glob = True
            at = _visible_after(tokens, flag)
        if _type(tokens, at) not in STRINGS:
            return self._malformed(number, tokens, first, before, at, 'write: include "file.vcl";')
        semi = _visible_after(tokens, at)
        if _type(tokens, semi) != T.SEMI:
            self.diags.error(
                "V202",
                Span(number, tokens.ends[at], tokens.ends[at]),
                "missing ';' after the file name of include",
                "end the include with ';'",
                stock=phrase("include end"),
            )
            return _Directive(first, at + 1, at, is_glob)
        return _Directive(first, semi + 1, at, is_glob)

    def _malformed(
        self, number: int, tokens: FileTokens, first: int, before: int, at: int, help: str
    ) -> _Directive | None:
        """Reports an ``include`` without a file name at the head of a statement. Elsewhere the word is a
        name."""
        head = before < 0 or tokens.types[before] in (T.SEMI, T.LBRACE, T.RBRACE)
        head = (
            head
            or tokens.types[before] == T.IDENTIFIER
            and tokens.line_starts[first] != 0
            and _type(tokens, at) in HEAD_WORDS
        )
        if not head or _type(tokens, at) in (T.DOT, T.LPAREN):
            return None
        self.diags.error(
            "V224",
            Span(number, tokens.starts[first], tokens.ends[first]),
            "include without a file name in quotes",
            help,
            stock=phrase("include name"),
        )
        end = first + 1
        while _type(tokens, end) not in (0, T.SEMI, T.LBRACE, T.RBRACE):
            end += 1
        return _Directive(first, end + 1 if _type(tokens, end) == T.SEMI else end, None, is_glob=False)

    def _include(
        self, number: int, tokens: FileTokens, directive: _Directive, open_files: list[_Open]
    ) -> None:
        if directive.path_token is None:
            return
        asked = Span(number, tokens.starts[directive.path_token], tokens.ends[directive.path_token])
        path = string_value(self.sources.text(asked))
        for target in self._targets(number, path, directive.is_glob, asked):
            if self.full or not self._may_open(target, asked, open_files):
                return
            self.included += 1
            child = self._open(target, asked)
            if child is None or self._too_large(child, asked):
                continue
            if directive.alias:
                region = Region(len(self.table), 0, directive.alias, asked)
                self.imported.append(region)
            self._splice(child, [*open_files, _Open(_identity(target), asked)])
            if directive.alias:
                region.end = len(self.table)

    def _targets(self, number: int, path: str, is_glob: bool, asked: Span) -> list[str]:
        if not self.resolver.allows(path):
            self.diags.error(
                "V225",
                asked,
                f"\"{path}\" has a '/', which parameter vcc_unsafe_path forbids",
                "put the file into a directory of vcl_path and write its bare name",
                stock=phrase("include unsafe", path=path),
            )
            return []
        if path.startswith("./"):
            file_name = self.sources.files[number].name
            if file_name.startswith("<"):
                self.diags.error(
                    "V225",
                    asked,
                    f'"{path}" is relative to its file, but this text is not in a file',
                    "write an absolute path, or a path below vcl_path",
                    stock=phrase("include relative"),
                )
                return []
            wanted = beside(file_name, path)
        else:
            wanted = path
        if is_glob:
            found = self.resolver.glob(wanted)
            if not found:
                self.diags.error(
                    "V227",
                    asked,
                    f'no file matches "{path}"',
                    "check the pattern, or remove the include",
                    stock=phrase("include glob"),
                )
            return found
        file = self.resolver.find(wanted)
        if file is None:
            there = self.resolver.other(wanted)
            if there:
                self.diags.error(
                    "V225",
                    asked,
                    f'"{path}" is {there}',
                    "name a file",
                    stock=phrase("include missing", path=path),
                )
                return []
            self.diags.error(
                "V225",
                asked,
                f'cannot find "{path}"',
                "check the name; ./ is relative to this file, other names are searched in vcl_path "
                "(option -I of vernis)",
                stock=phrase("include missing", path=path),
            )
            return []
        return [file]

    def _may_open(self, target: str, asked: Span, open_files: list[_Open]) -> bool:
        identity = _identity(target)
        for i, entry in enumerate(open_files):
            if entry.path == identity:
                back = open_files[i + 1].asked if i + 1 < len(open_files) else None
                labels = (Label(back, "the cycle begins here"),) if back is not None else ()
                self.diags.error(
                    "V226",
                    asked,
                    f"{target} includes itself",
                    "remove one of the includes",
                    labels,
                    stock=phrase("include recursion", path=target),
                )
                return False
        if len(open_files) > self.limits.include_depth:
            self.diags.error(
                "V905",
                asked,
                f"includes are nested deeper than {self.limits.include_depth}",
                "include the file from an outer file",
            )
            return False
        if self.included >= self.limits.includes:
            self.full = True
            self.diags.error(
                "V907",
                asked,
                f"more than {self.limits.includes} files are included",
                "merge small files, or include each file only once",
            )
            return False
        return True

    def _open(self, target: str, asked: Span) -> int | None:
        """Returns the number of a file, and reads the file on first use."""
        known = self.numbers.get(target)
        if known is not None:
            return known
        try:
            data = self.resolver.read(target)
        except OSError as e:
            self.diags.error(
                "V225", asked, f"cannot read {target}: {e.strerror}", "check that the file can be read"
            )
            return None
        number = self.sources.add(SourceFile(target, data), asked)
        self.numbers[target] = number
        return number


def beside(file_name: str, path: str) -> str:
    """Returns the path of a ``./`` include, beside the including file. The result keeps its ``./`` if that
    file has a relative name, so that it is not searched in vcl_path."""
    wanted = os.path.join(os.path.dirname(file_name), path[2:])
    return wanted if os.path.isabs(wanted) or wanted.startswith("./") else f"./{wanted}"


def _identity(path: str) -> str:
    return os.path.realpath(path)


def string_value(text: str) -> str:
    """Returns the content of a string token, in any of the three forms."""
    if text.startswith('"""'):
        return text[3:-3] if len(text) >= 6 and text.endswith('"""') else text[3:]
    if text.startswith('{"'):
        return text[2:-2] if len(text) >= 4 and text.endswith('"}') else text[2:]
    return text[1:-1] if len(text) >= 2 and text.endswith('"') else text[1:]


def _type(tokens: FileTokens, index: int) -> int:
    return tokens.types[index] if 0 <= index < len(tokens.types) else 0


def _text(file: SourceFile, tokens: FileTokens, index: int) -> str:
    return file.text[tokens.starts[index] : tokens.ends[index]] if index < len(tokens.types) else ""


def _depth(tokens: FileTokens, index: int) -> int:
    """How many braces are open before a token."""
    before = tokens.types[:index]
    return before.count(T.LBRACE) - before.count(T.RBRACE)


def _visible_before(tokens: FileTokens, index: int) -> int:
    index -= 1
    while index >= 0 and tokens.hidden[index]:
        index -= 1
    return index


def _visible_after(tokens: FileTokens, index: int) -> int:
    index += 1
    while index < len(tokens.types) and tokens.hidden[index]:
        index += 1
    return index
