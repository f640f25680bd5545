"""Finds ANTLR's C++ runtime for the parser extension, or builds it from a pinned source of PyPI.

The generated code compiles with the runtimes 4.9 to 4.13 (``automata.cpp`` converts its tables for 4.10 and
newer ones). The variable ``ANTLR_RUNTIME`` names the prefix of a runtime that is not below /usr or
/usr/local. If it is ``source``, the pinned source is built even if a runtime is installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

OLDEST, NEWEST = (4, 9), (4, 13)
LIBRARIES = ("libantlr4-runtime.so", "libantlr4-runtime.a")

# A package for Python that has the sources of ANTLR's C++ runtime 4.13.2, byte for byte; ANTLR itself
# publishes them in no registry. pip compares the hash before it reads the file.
SOURCE = "fugue-sql-antlr-cpp==0.2.4"
SOURCE_SHA256 = "638c5d072229cfced47849201ee468f5972cdd59d3f458654ccad14460f41048"
SOURCE_FOLDER = "fugue_sql_antlr_cpp/antlr4-cpp-runtime/"


class Unfit(Exception):
    """A runtime that cannot be used, and the reason."""


@dataclass(frozen=True, slots=True)
class Runtime:
    version: tuple[int, int]
    include: Path
    library: Path

    def __str__(self) -> str:
        return f"{text(self.version)} ({self.library})"


def text(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def runtime_in(prefix: Path, multiarch: str = "") -> Runtime | None:
    """Returns the runtime below ``prefix``, or None if there are no headers. Raises Unfit if it cannot be
    used. ``multiarch`` is the name of Debian's folder for libraries of one processor."""
    include = prefix / "include" / "antlr4-runtime"
    if not (include / "antlr4-runtime.h").exists():
        return None
    folders = [prefix / "lib" / multiarch, prefix / "lib", prefix / "lib64"]
    library = next((d / name for name in LIBRARIES for d in folders if (d / name).exists()), None)
    if library is None:
        raise Unfit(f"the one in {prefix} has no library")
    version = version_of(include, library)
    if version is None:
        raise Unfit(f"the one in {prefix} has no version")
    if not OLDEST <= version <= NEWEST:
        raise Unfit(f"the one in {prefix} is {text(version)}")
    return Runtime(version, include, library)


def version_of(include: Path, library: Path) -> tuple[int, int] | None:
    """Returns the version that the headers state, or for versions before 4.10, whose headers state none, that
    of the library's file name."""
    header = include / "Version.h"
    if header.exists():
        parts = dict(re.findall(r"#define ANTLRCPP_VERSION_(MAJOR|MINOR) (\d+)", header.read_text()))
        return (int(parts["MAJOR"]), int(parts["MINOR"])) if len(parts) == 2 else None
    named = re.search(r"\.so\.(\d+)\.(\d+)", os.path.realpath(library))
    return (int(named[1]), int(named[2])) if named else None


def prefixes(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Places to search, best first."""
    chosen = environment.get("ANTLR_RUNTIME")
    if chosen:
        return [] if chosen == "source" else [Path(chosen)]
    root = environment.get("SYSROOT")
    return [Path(root, "usr")] if root else [Path("/usr/local"), Path("/usr")]


def find(places: Iterable[Path], multiarch: str = "") -> tuple[Runtime | None, list[str]]:
    """Returns the first runtime that fits, and why others do not."""
    reasons = []
    for prefix in places:
        try:
            runtime = runtime_in(prefix, multiarch)
        except Unfit as unfit:
            reasons.append(str(unfit))
            continue
        if runtime is not None:
            return runtime, reasons
    return None, reasons


def multiarch_of(compiler: Sequence[str]) -> str:
    done = subprocess.run([*compiler, "-print-multiarch"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def find_or_build(
    compiler: Sequence[str], flags: Sequence[str], work: Path, say: Callable[[str], None] = print
) -> Runtime | None:
    """Returns a runtime that is installed, or else builds one below ``work``. Says what happens unless an
    installed one is used; None if none can be had."""
    if shutil.which(compiler[0]) is None:
        say(f"parser extension: {compiler[0]} is missing; the slower parser in Python is used")
        return None
    runtime, reasons = find(prefixes(), multiarch_of(compiler))
    if runtime is not None:
        return runtime
    say(
        f"parser extension: no ANTLR C++ runtime from {text(OLDEST)} to {text(NEWEST)}"
        + "".join(f"; {reason}" for reason in reasons)
    )
    try:
        return from_source(compiler, flags, work, say)
    except (Unfit, subprocess.CalledProcessError) as problem:
        say(f"parser extension: {problem}; the slower parser in Python is used")
        return None


def from_source(
    compiler: Sequence[str], flags: Sequence[str], work: Path, say: Callable[[str], None] = print
) -> Runtime:
    """Builds the pinned source as a static library. Keeps the finished one for the next call."""
    prefix = work / "antlr"
    runtime, _ = find([prefix])
    if runtime is not None:
        return runtime
    say(f"parser extension: building the runtime of {SOURCE} from PyPI, which takes minutes")
    shutil.rmtree(prefix, ignore_errors=True)
    include = prefix / "include" / "antlr4-runtime"
    unpack(download(prefix / "download"), include)
    objects = prefix / "obj"
    objects.mkdir()

    def compile_one(source: Path) -> Path:
        target = objects / ("_".join(source.relative_to(include).parts) + ".o")
        command = [*compiler, *flags, "-fPIC", "-w", f"-I{include}", "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = list(pool.map(compile_one, sorted(include.rglob("*.cpp"))))
    library = prefix / "lib" / "libantlr4-runtime.a"
    library.parent.mkdir()
    partial = library.with_suffix(".new")
    subprocess.run([os.environ.get("AR", "ar"), "qcs", str(partial), *map(str, compiled)], check=True)
    partial.rename(library)
    shutil.rmtree(objects)
    runtime, reasons = find([prefix])
    if runtime is None:
        raise Unfit(f"{SOURCE} is not what was expected: {reasons}")
    return runtime


def download(folder: Path) -> Path:
    """Fetches the archive of the pinned source with pip, which checks its hash."""
    folder.mkdir(parents=True)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write(f"{SOURCE} --hash=sha256:{SOURCE_SHA256}\n")
        wanted.flush()
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", "--retries", "1"]
        kind = ["--no-deps", "--no-binary=:all:", "--no-build-isolation", "--require-hashes"]
        command = [*pip, *kind, "-r", wanted.name, "-d", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = list(folder.glob("*.tar.gz"))
    if done.returncode != 0 or len(archives) != 1:
        words = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        raise Unfit(f"pip cannot download {SOURCE}: {words[0] if words else done.stderr.strip()}")
    return archives[0]


def unpack(archive: Path, include: Path) -> None:
    """Unpacks the headers and sources of the runtime into ``include``, and nothing else of the archive."""
    with tarfile.open(archive) as tar:
        for member in tar:
            _, found, name = member.name.partition(SOURCE_FOLDER)
            content = tar.extractfile(member) if found and member.isfile() else None
            if content is not None and not {"..", ""} & set(name.split("/")):
                (include / name).parent.mkdir(parents=True, exist_ok=True)
                (include / name).write_bytes(content.read())
