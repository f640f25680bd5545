"""Answers a request for a text that was compiled before, without reading the text again.

The answer is in the store beside the image, under a digest of all inputs: the text, its path, the options,
the compiler and the contract. Only a policy whose meaning depends on nothing else has such an answer: no
include, no name of a host or service that was looked up, no socket that was inspected, no module from a file.
A file of ``vmod_path`` that appears later could replace a module of the server, so the answer lists the files
that must stay absent.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from vernis.pipeline import Compilation
from vernis.service.child import Artefacts
from vernis.service.store import key_of
from vernis.syntax import nodes

_OWN_SOURCES = 2  # the policy and the built-in policy


@dataclass(slots=True, frozen=True)
class Answer:
    """``text`` are the warnings. ``absent`` are files; if one exists, the answer is out of date."""

    image_key: str
    text: str
    sources: list[str]
    labels: list[str]
    absent: list[str]


def answer_key(run: Compilation, *inputs: bytes) -> str:
    """``run.text`` must be set."""
    assert run.text is not None
    path = run.path.encode("utf-8", "surrogateescape")
    return key_of(b"answer", repr(run.options).encode(), path, run.text, *inputs)


def known_answer(store: Artefacts, key: str) -> Answer | None:
    content = store.get(key)
    if content is None:
        return None
    answer = Answer(**json.loads(content))
    return None if any(os.path.lexists(path) for path in answer.absent) else answer


def keep_answer(store: Artefacts, key: str, run: Compilation, image_key: str, text: str) -> None:
    """Stores the answer of a successful run, if nothing but its key determines it."""
    checked = run.checked
    assert checked is not None and run.program is not None and run.text is not None
    files = run.sources.files
    imports = [node for node in run.program.declarations if isinstance(node, nodes.Import)]
    # An include of no file leaves no trace but its word.
    reads_files = b"include" in run.text or any(node.path is not None for node in imports)
    inspects_sockets = any(backend.path is not None for backend in checked.backends)
    if len(files) != _OWN_SOURCES or reads_files or inspects_sockets or run.names_asked or checked.modules:
        return
    folders = run.options.vmod_path
    absent = [os.path.join(folder, f"{node.module}.toml") for folder in folders for node in imports]
    answer = {
        "image_key": image_key,
        "text": text,
        "sources": [file.name for file in files],
        "labels": checked.labels,
        "absent": absent,
    }
    store.put(key, json.dumps(answer).encode())
