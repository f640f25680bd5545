"""Whole policies in the repositories of other people, and parts of policies that are completed from their repository.

A published policy rarely compiles elsewhere: hosts have no address here, files are included by their place on a server,
marks of templates are not filled in, modules and C code are missing. Such errors are mended in memory, each at its place,
and no line moves; an include that the repository lacks is left out. A policy is whole if this was enough. A file that no whole policy includes is a part: what its errors ask
for is taken from the other files of its repository, and is empty if they have none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.syntax.diagnostics import Diagnostic, Severity

NAME = re.compile(r"\.vcl(?:[-._](?:erb|j2|jinja2|ejs|tpl|epp|tmpl|template|dist|in|example|sample|default))?$")
TURNS = 60  # of checking and mending one policy

#: Texts in which nothing is mended, and what blanks in code look like.
QUIET = re.compile(rb'"""(?:.|\n)*?"""|\{"(?:.|\n)*?"\}|"[^"\n]*"|/\*(?:.|\n)*?\*/|//[^\n]*|#[^\n]*')
INCLUDE = re.compile(rb'include\s*(?:\+glob\s*)?"([^"\n]*)"\s*;')
MISSING = re.compile(r"there is no (acl|backend|sub|probe) (\w+)")
MODULE = re.compile(r"there is no module (\w+)")
DECLARED = re.compile(rb"^[ \t]*(acl|backend|sub|probe)\s+(\w+)\s*\{", re.M)
EMPTY = {"acl": 'acl %s { "192.0.2.1"; }', "backend": "backend %s none;", "sub": "sub %s { }", "probe": "probe %s { }"}

#: A mark of a template: in a comment, as erb, as jinja, as a variable of the shell.
MARK = re.compile(rb"/\* ?\{\{.*?\}\} ?\*/|<%=.*?%>|\{\{.*?\}\}|\$\{\w+[^}\n]*\}|%\w+%|@[A-Z_]{3,}@|\$[A-Z][A-Z_]{2,}|<[A-Z_]{4,}>")
LOGIC = re.compile(rb"^[ \t]*(?:<%(?!=)(?:.|\n)*?%>|\{%(?:.|\n)*?%\}|\{#(?:.|\n)*?#\})|<%(?!=).*?%>|\{%.*?%\}", re.M)

#: A host or a port that is known elsewhere, by the code of its error.
TEXTS = {"V510": b'"192.0.2.7"', "V506": b'"192.0.2.7"', "V507": b'"80"'}

#: Words of a file's path that name the hook which its text is for.
HOOKS = {"vcl_recv": "recv receive request", "vcl_hash": "hash", "vcl_backend_response": "backend_response fetch beresp",
         "vcl_deliver": "deliver", "vcl_synth": "synth", "vcl_backend_error": "backend_error", "vcl_init": "init"}


@dataclass
class Policy:
    """``whole``: nothing was added to what its authors published."""

    run: Compilation
    whole: bool


@dataclass
class Repository:
    """The files of a folder whose name says that they are VCL, and their mended texts by real path."""

    top: Path
    texts: dict[str, bytes] = field(default_factory=dict)
    #: Where each sub, ACL, backend and probe is declared.
    declared: dict[tuple[str, str], bytes] = field(default_factory=dict)

    @classmethod
    def read(cls, top: Path) -> Repository:
        made = cls(top)
        for path in sorted(top.rglob("*.vcl*")):
            if NAME.search(path.name) and path.is_file():
                made.texts[os.path.realpath(path)] = filled(path.read_bytes())
        for text in made.texts.values():
            for kind, name, declaration in declarations(text):
                made.declared.setdefault((kind, name), declaration)
        return made

    def policies(self, wrapped: Path | None) -> Iterator[Policy]:
        """The whole policies, and then the parts that none of them has. ``wrapped`` has completed copies of some files;
        each stands for one that makes no policy here. None: only the whole ones."""
        used: set[str] = set()
        included = {found for path, text in self.texts.items() for name in included_names(text)
                    if (found := self.find(name, path)) is not None and found != path}
        for path in sorted(self.texts, key=lambda path: (path in included, path)):
            if path not in used and version(self.texts[path]) and (run := self.mended(path, self.texts[path], False)) is not None:
                used |= {os.path.realpath(file.name) for file in run.sources.files}
                yield Policy(run, True)
        for path in sorted(set(self.texts) - used) if wrapped is not None else ():
            assert wrapped is not None
            copy = wrapped / os.path.relpath(path, self.top)
            run = self.completed(path)
            if run is None and copy.is_file():
                self.texts[str(copy)] = copy.read_bytes()
                run = self.completed(str(copy))
            if run is not None:
                yield Policy(run, False)

    def completed(self, path: str) -> Compilation | None:
        text = self.texts[path]
        if version(text):
            return self.mended(path, text, True)
        heads = ["vcl 4.0; ", "vcl 4.0; import std; "]
        around = [(head, "") for head in heads] + [(f"{head}sub {hook} {{ ", "\n}") for hook in hooks_of(path, text) for head in heads]
        runs = (self.mended(path, head.encode() + text + tail.encode(), True) for head, tail in around)
        return next((run for run in runs if run is not None), None)

    def mended(self, path: str, text: bytes, complete: bool) -> Compilation | None:
        """The checked policy whose main file is ``path``; None if it has an error that nothing here mends."""
        texts = {**self.texts, path: text}
        for _ in range(TURNS):
            run = run_stages(Compilation("policy", path, options=Options(err_unref=False, vcl_path=(os.path.dirname(path),)),
                                         changed=texts), CHECK)
            errors = [item for item in run.diagnostics.items if item.severity is Severity.ERROR]
            if not errors:
                return run if run.checked is not None else None
            changes: dict[str, list[tuple[int, int, bytes]]] = {}
            for error in errors:
                change = self.change(run, path, error, texts, complete)
                if change is not None:
                    changes.setdefault(change[0], []).append(change[1:])
            if not changes:
                return None
            for changed, places in changes.items():
                for start, end, new in sorted(set(places), reverse=True):
                    texts[changed] = texts[changed][:start] + new + texts[changed][end:]
        return None

    def change(self, run: Compilation, main: str, error: Diagnostic, texts: dict[str, bytes],
               complete: bool) -> tuple[str, int, int, bytes] | None:
        """File, start, end and new text that mend an error."""
        path = os.path.realpath(run.sources.files[error.span.file].name)
        if path not in texts:
            return None
        start, end = error.span.start, error.span.end
        old = texts[path][start:end]
        end_of_main = len(texts[main])
        if error.code == "V204":  # C code
            return path, start, end, blank(old)
        if error.code in TEXTS:
            quoted = re.search(rb'"[^"\n]*"', old)
            return None if quoted is None else (path, start + quoted.start(), start + quoted.end(), TEXTS[error.code])
        if old == b"80" and "duration" in error.message.lower():
            return path, end, end, b"s"
        if old == b"x" and error.code == "V302":
            return path, start, end, b"false"
        if error.code in ("V405", "V406") and b"vcl_hit" in texts[path]:
            return path, start, end, re.sub(rb"\b(fetch|miss)\b", b"pass", old)
        if (module := MODULE.search(error.message)) is not None:
            for name, text in texts.items():
                texts[name] = without_module(text, module[1].encode())
            return path, 0, 0, b""
        if error.code == "V225":
            place = next(INCLUDE.finditer(texts[path], texts[path].rfind(b"include", 0, start + 8)), None)
            if place is None:
                return None
            found = self.find(place[1].decode("latin-1"), path)
            if found is not None and found != path:
                return path, place.start(), place.end(), b'include "%s";' % found.encode()
            return path, place.start(), place.end(), blank(place[0])
        if complete and (missing := MISSING.match(error.message)) is not None:
            kind, name = missing.groups()
            new = self.declared.get((kind, name)) or (EMPTY[kind] % name).encode()
            return main, end_of_main, end_of_main, b"\n" + new + b"\n"
        if error.code == "V516" and (complete or b"vcl_recv" in texts[main]):
            return main, end_of_main, end_of_main, b"\nbackend none_of_the_includer none;\n"
        return None

    def find(self, name: str, includer: str) -> str | None:
        """The file that an include of a server's path means: the one with most folders in common with it."""
        wanted = Path(name).parts
        around = Path(includer).parts
        found = [path for path in self.texts if NAME.sub(".vcl", Path(path).name) == wanted[-1]] if wanted else []
        return max(found, key=lambda path: (common(Path(path).parts[-2::-1], wanted[-2::-1]), common(Path(path).parts, around)), default=None)


def common(some: tuple[str, ...], others: tuple[str, ...]) -> int:
    return next((n for n, (one, other) in enumerate(zip(some, others)) if one != other), min(len(some), len(others)))


def version(text: bytes) -> bool:
    return re.match(rb"\s*vcl\s+[45]\.\d\s*;", QUIET.sub(lambda found: b" ", text)) is not None


def included_names(text: bytes) -> Iterator[str]:
    for found in INCLUDE.finditer(re.sub(rb"(?m)^\s*(#|//).*", b"", text)):
        yield found[1].decode("latin-1")


def hooks_of(path: str, text: bytes) -> list[str]:
    """The hooks that the text can be for: those that its path names, or else all. A key needs hash_data."""
    words = set(re.split(r"[^a-z]+", path.lower())) | set(re.split(r"[^a-z_]+", path.lower()))
    named = [hook for hook, names in HOOKS.items() if words & {hook, *names.split()}]
    return named or [hook for hook in HOOKS if hook != "vcl_hash" or b"hash_data" in text]


def blank(text: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", text)


def filled(text: bytes) -> bytes:
    """The text with something in place of the marks of a template."""
    text = LOGIC.sub(lambda found: blank(found[0]), text)

    def value(found: re.Match[bytes]) -> bytes:
        before = text[max(0, found.start() - 20):found.start()]
        if re.search(rb'host\s*=\s*"$|^\s*"$', before):
            return b"192.0.2.7"
        if re.search(rb"http\.$|[A-Za-z_]$", before):
            return b"x"
        line = text[text.rfind(b"\n", 0, found.start()) + 1:text.find(b"\n", found.end())]
        commented = found[0].startswith(b"/*") and not re.search(rb'[="]\s*$', before)
        if commented or line.strip(b" \t;") == found[0]:
            return blank(found[0])
        return b"80" if re.search(rb'[="<>,]\s*$', before) else b"x"

    return MARK.sub(value, text)


def declarations(text: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Kind, name and text of each declaration at the outermost level."""
    hidden = QUIET.sub(lambda found: blank(found[0]), text)
    for found in DECLARED.finditer(hidden):
        depth = 0
        for place in re.finditer(rb"[{}]", hidden[found.start():]):
            depth += 1 if place[0] == b"{" else -1
            if depth == 0:
                yield found[1].decode(), found[2].decode(), text[found.start():found.start() + place.end()]
                break


def without_module(text: bytes, module: bytes) -> bytes:
    """The text without a module: its objects and statements are blank, its values are empty text."""
    hidden = QUIET.sub(lambda found: re.sub(rb"[^\n]", b"~" if found[0][:1] in b'"{' else b" ", found[0]), text)
    objects = [found[1] for found in re.finditer(rb"\bnew\s+(\w+)\s*=\s*" + module + rb"\.", hidden)]
    names = b"|".join(map(re.escape, [module, *objects]))
    places: list[tuple[int, int, bytes]] = []
    for found in re.finditer(rb"\bimport\s+" + module + rb"\b[^;]*;", hidden):
        places.append((found.start(), found.end(), b""))
    for found in re.finditer(rb"(\bnew\s+\w+\s*=\s*|\bset\s+b?e?req\.backend(?:_hint)?\s*=\s*)?\b(?:" + names + rb")\.\w+\s*\(", hidden):
        depth, end = 1, found.end()
        while depth and end < len(hidden):
            depth += {b"(": 1, b")": -1}.get(hidden[end:end + 1], 0)
            end += 1
        after = re.compile(rb"\s*;").match(hidden, end)
        alone = found[1] is not None or (after is not None and hidden[:found.start()].rstrip()[-1:] in b";{}")
        places.append((found.start(), after.end() if alone and after else end, b"" if alone else b'""'))
    for start, end, new in sorted(places, reverse=True):
        if new and any(a < start and end < b for a, b, _ in places):
            continue
        text = text[:start] + new + blank(text[start:end])[len(new):] + text[end:]
    return text


def bare(text: bytes) -> bytes:
    """The text without comments, spaces, backends, probes and ACLs."""
    for kind, _, declaration in declarations(text):
        if kind != "sub":
            text = text.replace(declaration, b"")
    kept = QUIET.sub(lambda found: found[0] if found[0][:1] in b'"{' else b" ", text)
    return re.sub(rb"\s+|vcl\s+4\.\d\s*;", b"", kept)
