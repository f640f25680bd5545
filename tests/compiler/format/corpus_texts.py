"""Completes parts of policies by other people, which lack what the file that includes them has."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from vernis.pipeline import CHECK, Compilation, Options, run_stages
from vernis.syntax.diagnostics import Severity

#: What a file needs that another one includes: text in front of it and behind it.
NONE = "\nbackend none_of_the_includer none;\n"
HEADS = ("vcl 4.0; ", "vcl 4.0; import std; ")
SUBS = ("vcl_recv", "vcl_hash", "vcl_backend_response", "vcl_deliver", "vcl_synth", "vcl_backend_error", "vcl_init")
AROUND = [(head, tail) for tail in ("", NONE) for head in HEADS] + [
    (f"{head}sub {sub} {{ ", "\n}" + NONE) for sub in SUBS for head in HEADS]
MISSING = re.compile(r"there is no (acl|backend|sub|probe) (\w+)")
STAND_IN = {"acl": '\nacl %s { "192.0.2.1"; }\n', "backend": "\nbackend %s none;\n", "sub": "\nsub %s { }\n",
            "probe": "\nprobe %s { }\n"}


def stand_ins(path: Path, text: bytes, folders: tuple[str, ...]) -> str:
    """Empty declarations of what the text uses and its includer declares; none if it has other errors."""
    run = run_stages(Compilation("policy", str(path), text, Options(err_unref=False, vcl_path=folders)), CHECK)
    errors = [item for item in run.diagnostics.items if item.severity is Severity.ERROR]
    found = [MISSING.match(error.message) for error in errors]
    if None in found:
        return ""
    return "".join({STAND_IN[one[1]] % one[2]: None for one in found if one is not None})


def include_folders(path: Path, top: Path) -> tuple[str, ...]:
    """The folders above the file. A file that was completed (wrapped/) includes those of its repository in fixed/."""
    above = [folder for folder in path.parents if folder.is_relative_to(top)]
    twins = [top / "fixed" / folder.relative_to(top / "wrapped") for folder in above if folder.is_relative_to(top / "wrapped")]
    return tuple(map(str, [*above, *twins]))


def whole_texts(path: Path, folders: tuple[str, ...]) -> list[bytes]:
    """The text, and then with what the file that includes it has."""
    data = path.read_bytes()
    around = [(head.encode(), tail.encode()) for head, tail in AROUND]
    return [data, *(head + data + tail + stand_ins(path, head + data + tail, folders).encode() for head, tail in around)]


def checked(path: Path, text: bytes, folders: tuple[str, ...], changed: Mapping[str, bytes]) -> Compilation:
    return run_stages(policy(path, text, folders, changed), CHECK)


def policy(path: Path, text: bytes, folders: tuple[str, ...], changed: Mapping[str, bytes]) -> Compilation:
    texts = {os.path.realpath(path): text, **changed}
    return Compilation("policy", str(path), options=Options(err_unref=False, vcl_path=folders), changed=texts)
