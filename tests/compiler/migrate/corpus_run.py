"""Migrates every policy below a folder to 5.0 and compares the behaviour before and after on random requests.

    make migrate-corpus CORPUS=folder [REQUESTS=1000] [SEED=n]

A policy is a `.vcl` file that passes the check of 4.x, by itself or with what its includer has. Its result is
`same`; `different` with a request that shows it; `refused`, if 5.0 has no form for something in it; or `not 4.x`.

Exits with 1 if there is a policy that is different or refused.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "build/py"), str(HERE), str(HERE.parent / "format")]
from corpus_texts import AROUND, include_folders, stand_ins     # noqa: E402
from same_behaviour import difference     # noqa: E402
from vernis.ir.lower import lower     # noqa: E402
from vernis.commands.migrate import migrate     # noqa: E402
from vernis.pipeline import CHECK, Compilation, Options, run_stages     # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for path in sorted(path for path in options.folder.rglob("*.vcl") if path.is_file()):
        said = result(path, options.folder, options.requests, options.seed)
        counts[said.partition(":")[0]] += 1
        if not said.startswith(("same", "not 4.x")):
            print(f"{path.relative_to(options.folder)}: {said}", flush=True)
    for what, count in counts.items():
        print(f"{count:6} {what}")
    return 1 if counts["different"] or counts["refused"] else 0


def result(path: Path, top: Path, n: int, seed: int) -> str:
    folders = include_folders(path, top)
    for text in whole_texts(path, folders):
        before = checked(path, text, folders, {})
        if not before.failed:
            return compared(path, text, folders, n, seed)
    return "not 4.x"


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


def compared(path: Path, text: bytes, folders: tuple[str, ...], n: int, seed: int) -> str:
    made = migrate(lambda changed: policy(path, text, folders, changed))
    if made.is_new:
        return "not 4.x"
    if made.refused is not None:
        item = made.refused.diagnostics.items[0]
        name, line, _ = made.refused.sources.place(item.span)
        return f"refused: {Path(name).name}:{line}: {item.code} {item.message}"
    before, after = checked(path, text, folders, {}), checked(path, text, folders, made.texts)
    assert before.checked is not None and after.checked is not None and not after.failed
    rng = random.Random(seed * zlib.crc32(bytes(path)))
    found = difference(lower(before.checked), lower(after.checked), n, rng)
    return "same" if found is None else f"different: {found}"


if __name__ == "__main__":
    sys.exit(main())
