"""Migrates every policy below a folder to 5.0 and compares the behaviour before and after on random requests: of each
hook by itself in the reference interpreter, and of whole requests to the compiled policies, with a cache and an origin.

    make migrate-corpus CORPUS=folder [LEDGER=update] [ONLY=start] [REQUESTS=1000] [SEED=n]

A policy is a `.vcl` file that passes the check of 4.x, by itself or with what its includer has. The ledger, corpus.tsv,
has a line for each file, also for files of other folders than this one: `same`; `different` with a request that shows
it; `refused`, if 5.0 has no form for something in it; or `not 4.x` with the first error. ONLY takes the files whose name
below the folder begins so. Files of the ledger that the folder does not have, and files that the ledger does not have, are
counted.

Exits with 1 if the ledger has another result for a file, or a file that it does not have is `different` or `refused`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "build/py"), str(HERE.parents[1]), str(HERE), str(HERE.parent / "format")]
import same_answers     # noqa: E402
from corpus_texts import checked, include_folders, policy, whole_texts     # noqa: E402
from same_answers import image_of     # noqa: E402
from same_behaviour import Requests, difference     # noqa: E402
from vernis.ir.lower import lower     # noqa: E402
from vernis.commands.migrate import migrate     # noqa: E402
from vernis.pipeline import Compilation     # noqa: E402
from vernis.syntax.diagnostics import Severity     # noqa: E402
from vernis.trial.world import Host     # noqa: E402

LEDGER = HERE / "corpus.tsv"
HEAD = "# Policies by other people after `vernis fix --migrate`: make migrate-corpus CORPUS=folder LEDGER=update\nfile\tresult\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", metavar="START")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--update", action="store_true", help="write the ledger")
    options = parser.parse_args()
    known = dict(line.split("\t") for line in LEDGER.read_text().removeprefix(HEAD).splitlines())
    found = {}
    with tempfile.TemporaryDirectory(prefix="vernis-migrate-") as work:
        runs = Runs(options.folder, Path(work), options.requests, options.seed)
        for path in sorted(path for path in options.folder.rglob("*.vcl") if path.is_file()):
            name = str(path.relative_to(options.folder))
            if name.startswith(options.only):
                found[name] = runs.result(path, name)
                if is_wrong(found[name], known.get(name)):
                    print(f"{name}: {found[name]}", flush=True)
    if new := found.keys() - known.keys():
        print(f"{len(new)} files are not in the ledger, such as {min(new)}")
    if left := known.keys() - found.keys():
        print(f"{len(left)} files of the ledger were not tried, such as {min(left)}")
    if options.update:
        LEDGER.write_text(HEAD + "".join(f"{name}\t{said}\n" for name, said in sorted((known | found).items())))
    for what, count in Counter(said.partition(":")[0] for said in found.values()).items():
        print(f"{count:6} {what}")
    wrong = any(is_wrong(said, known.get(name)) for name, said in found.items())
    return 1 if wrong and not options.update else 0


def is_wrong(said: str, known: str | None) -> bool:
    """Whether a result is another one than the ledger's. A file without a line there has to migrate, if it is of 4.x."""
    return said != known if known is not None else said != "same" and not said.startswith("not 4.x")


class Runs:
    """Comparisons of all policies below a folder. A policy whose texts all were compared before has their result."""

    def __init__(self, top: Path, folder: Path, n: int, seed: int) -> None:
        self.top, self.folder, self.n, self.seed = top, folder, n, seed
        self.host = Host()
        self.known: dict[tuple[bytes, ...], str] = {}

    def result(self, path: Path, name: str) -> str:
        folders = include_folders(path, self.top)
        refused = []
        for text in whole_texts(path, folders):
            before = checked(path, text, folders, {})
            if not before.failed:
                texts = tuple(file.data for file in before.sources.files)
                if texts not in self.known:
                    self.known[texts] = self._compared(path, name, text, folders, before)
                return self.known[texts]
            refused.append([item.code for item in before.diagnostics.items if item.severity is Severity.ERROR])
        return f"not 4.x: {min(refused, key=len)[0]}"

    def _compared(self, path: Path, name: str, text: bytes, folders: tuple[str, ...], before: Compilation) -> str:
        made = migrate(lambda changed: policy(path, text, folders, changed))
        if made.is_new:
            return "not 4.x: it is 5.0"
        if made.refused is not None:
            item = made.refused.diagnostics.items[0]
            file, line, _ = made.refused.sources.place(item.span)
            return f"refused: {Path(file).name}:{line}: {item.code} {item.message}"
        after = checked(path, text, folders, made.texts)
        assert before.checked is not None and after.checked is not None and not after.failed
        rng = random.Random(self.seed * zlib.crc32(name.encode()))
        one = lower(before.checked)
        found = difference(one, lower(after.checked), self.n, rng)
        if found is not None:
            return f"different: {found}"
        images = [image_of(policy(path, text, folders, changed), self.folder / name) for name, changed in (("old.so", {}), ("new.so", made.texts))]
        other = same_answers.difference(images[0], images[1], self.host, list(same_answers.scenes(Requests(one, rng), rng, self.n)))
        return "same" if other is None else f"different: {other}"


if __name__ == "__main__":
    sys.exit(main())
