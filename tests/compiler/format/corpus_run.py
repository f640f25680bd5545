"""Formats every policy below a folder, compares it with the text before, and its result with the ledger.

    make fmt-corpus CORPUS=folder [LEDGER=update]

The ledger, corpus.tsv, has a line for each file: `image`, if tree, comments and image (but for places) are the
same; `part`, if they are the same after both texts got what the file that includes this one has: a version line, a
backend, a sub around the statements, empty declarations; `tree`, if tree and comments are, and the policy does not
compile, because it lacks a module, or is for another version; `errors` and the first code, if it cannot be parsed and
stays as it is. Any other result is a fault.

Exits with 1 if there is a fault, or if the ledger has another result.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "build/py"), str(HERE)]
from corpus_texts import AROUND, include_folders, stand_ins     # noqa: E402
from format_checks import faults, formatted, image, refusal     # noqa: E402

LEDGER = HERE / "corpus.tsv"
HEAD = "# Results of the formatter with policies by other people: make fmt-corpus CORPUS=folder LEDGER=update\nfile\tresult\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--update", action="store_true", help="write the ledger")
    options = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(path for path in options.folder.rglob("*.vcl") if path.is_file()):
            found[str(path.relative_to(options.folder))] = result(path, options.folder, Path(folder) / "image.so")
    lines = [f"{name}\t{result}\n" for name, result in found.items()]
    if options.update:
        LEDGER.write_text(HEAD + "".join(lines))
    known = LEDGER.read_text().removeprefix(HEAD).splitlines(keepends=True)
    changed = sorted(set(known) ^ set(lines))
    wrong = [line for line in lines if line.partition("\t")[2].startswith("fault")]
    print("".join(changed + wrong), end="")
    for what, count in Counter(result.split()[0] for result in found.values()).items():
        print(f"{count:6} {what}")
    return 1 if wrong or changed else 0


def result(path: Path, top: Path, target: Path) -> str:
    data = path.read_bytes()
    wrong = faults(data)
    after = formatted(data)
    if wrong is None or after is None:
        return f"errors {refusal(data)}"
    if wrong:
        return f"fault: the formatted text {', '.join(wrong)}"
    folders = include_folders(path, top)
    same = same_image(path, data, after, target, folders)
    if same is not None:
        return "image" if same else "fault: the image is another one"
    for head, tail in AROUND:
        tail += stand_ins(path, head.encode() + data + tail.encode(), folders)
        around = (head.encode() + text + tail.encode() for text in (data, after))
        same = same_image(path, *around, target, folders)
        if same is not None:
            return "part" if same else f"fault: the image is another one behind {head!r}"
    return "tree"


def same_image(path: Path, before: bytes, after: bytes, target: Path, folders: tuple[str, ...]) -> bool | None:
    """Whether both texts have one image but for places; None if the first does not compile."""
    of_before = image(path, before, target, folders)
    return None if of_before is None else image(path, after, target, folders, places_of=before) == of_before


if __name__ == "__main__":
    sys.exit(main())
