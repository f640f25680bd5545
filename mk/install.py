"""Copies what `make build` made to its place, and removes it again: `make install`, `make uninstall`.

    install.py install [--destdir DIR] [--prefix DIR] [--sysconfdir DIR] [--no-bytecode]
    install.py uninstall [--destdir DIR] [--prefix DIR]

The installed tree needs nothing of the checkout and of the network: the Python libraries are copied
from build/venv, which has the pinned versions. It may be moved as a whole, because the launcher finds the
package beside itself. setup.py uses PACKAGE_DATA, so that `pip install` makes the same package.
"""

from __future__ import annotations

import argparse
import compileall
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
#: Files outside compiler/ -> their place in the package. Files of build/ exist after `make build`.
PACKAGE_DATA = {
    **{f"grammar/{name}": f"grammar/{name}" for name in ("vocabulary.toml", "no_effect.toml", "builtin.vcl")},
    "examples/quickstart/quickstart.vcl": "examples/quickstart.vcl",
    "runtime/module_abi.h": "include/module_abi.h",
    **{f"runtime/log/{name}": f"observe/{name}" for name in ("metrics.toml", "tags.txt")},
}
RUNTIME_FILES = ("abi.json", "inline.bc", "support.o", "libvernisrt.so")
#: Lists the installed files, below the folder of the package.
MANIFEST = "installed-files.txt"
LIBRARY = "lib/vernis"
#: Completion scripts -> their places. Each shell searches its own.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/vernis",
    "zsh": "share/zsh/vendor-completions/_vernis",
    "fish": "share/fish/vendor_completions.d/vernis.fish",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A file to install. ``target`` is absolute, without DESTDIR."""

    target: Path
    content: Path | str
    mode: int = 0o644
    is_config: bool = False  # an existing file is left alone, at install and uninstall


def package_files() -> Iterator[tuple[Path, str]]:
    """Files of the package `vernis` with their places in it, as `pip install` would place them."""
    for init in sorted((ROOT / "compiler").rglob("__init__.py")):
        for path in sorted(init.parent.glob("*.py")):
            yield path, str(path.relative_to(ROOT / "compiler"))
    for source, place in PACKAGE_DATA.items():
        yield ROOT / source, place
    for name in RUNTIME_FILES:
        yield BUILD / "lib" / name, f"lib/{name}"
    yield BUILD / "ext/_vclvocabulary.py", "semantics/_vclvocabulary.py"
    for path in (BUILD / "ext").glob("_vclparser*.so"):  # without it, the slower parser in Python works
        yield path, f"syntax/{path.name}"


def required_names(path: Path) -> list[str]:
    """Names of the distributions in a file of requirements."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    return [line for line in (re.split(r"[^\w.-]", text)[0] for text in lines) if line and line[0].isalnum()]


def distributions(names: Iterable[str]) -> list[Distribution]:
    """The distributions of these names and of all that they require, each once."""
    found: dict[str, Distribution] = {}
    wanted = [(name, False) for name in names]
    while wanted:
        name, may_lack = wanted.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(name)
        except PackageNotFoundError:
            if may_lack:  # its marker names another system or Python
                continue
            sys.exit(f"make install: build/venv has no {name}: run `make build` first")
        for row in found[key].requires or ():
            requirement, _, marker = row.partition(";")
            if "extra" not in marker:
                wanted.append((re.split(r"[^\w.-]", requirement.strip())[0], bool(marker)))
    return [found[key] for key in sorted(found)]


def library_files() -> Iterator[tuple[Path, str]]:
    """Files of the Python libraries with their places in site-packages, without programs and bytecode."""
    for owner in distributions(required_names(ROOT / "requirements.txt")):
        for entry in owner.files or ():
            if ".." not in entry.parts and entry.suffix != ".pyc" and entry.name != "direct_url.json":
                yield Path(str(owner.locate_file(entry))), str(entry)


def launcher() -> str:
    """The program `vernis`. The interpreter is the one for which the parser extension is built."""
    python = os.path.realpath(sys._base_executable)  # type: ignore[attr-defined]
    return f"""#!/bin/sh
# Runs the command line of the package beside this program.
self=$(readlink -f "$0") || exit 2
library=${{self%/bin/*}}/{LIBRARY}
python={python}
if [ ! -x "$python" ]; then
    echo "vernis: $python is missing: install Python {sys.version_info[0]}.{sys.version_info[1]}" >&2
    exit 2
fi
start=$library/python/vernis/start.py
PYTHONPATH=$library/python:$library/vendor PYTHONSAFEPATH=1 exec "$python" -S "$start" "$@"
"""


def completion(shell: str) -> str:
    """The completion script that `vernis completion SHELL` prints; empty if there is no such command."""
    done = subprocess.run(
        [BUILD / "bin/vernis", "completion", shell], capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else ""


def moved(text: str, prefix: Path, sysconfdir: Path) -> str:
    """A unit file for this prefix. The one in examples/ is for /usr and /etc."""
    return text.replace("/usr/bin/", f"{prefix}/bin/").replace("/etc/vernis", f"{sysconfdir}/vernis")


def plan(prefix: Path, sysconfdir: Path) -> Iterator[Item]:
    """All files to install, but for bytecode and manifest."""
    library = prefix / LIBRARY
    yield Item(prefix / "bin/vernis", launcher(), 0o755)
    yield Item(prefix / "bin/vernisd", BUILD / "bin/vernisd", 0o755)
    yield Item(prefix / "bin/vernisreload", ROOT / "examples/systemd/vernisreload", 0o755)
    for source, place in package_files():
        yield Item(library / "python/vernis" / place, source)
    for source, place in library_files():
        yield Item(library / "vendor" / place, source)
    for shell, place in COMPLETIONS.items():
        if text := completion(shell):
            yield Item(prefix / "share" / Path(place).relative_to("share"), text)
    for page in sorted((BUILD / "man").glob("*.[1-8]")):
        yield Item(prefix / f"share/man/man{page.suffix[1:]}" / page.name, page)
    for page in documents():
        yield Item(prefix / "share/doc/vernis" / page.relative_to(ROOT), page)
    unit = (ROOT / "examples/systemd/vernis.service").read_text()
    yield Item(prefix / "lib/systemd/system/vernis.service", moved(unit, prefix, sysconfdir))
    yield Item(prefix / "lib/sysusers.d/vernis.conf", ROOT / "packaging/sysusers.conf")
    yield Item(sysconfdir / "vernis/default.vcl", ROOT / "packaging/default.vcl", is_config=True)


def documents() -> list[Path]:
    """The documents, and the dashboard to which they link."""
    pages = [*(ROOT / "docs").rglob("*.*"), *(ROOT / "examples/grafana").iterdir()]
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(pages)]


def write(item: Item, path: Path) -> None:
    """Renames the finished file into place, so that a running daemon keeps its old program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".new")
    if isinstance(item.content, str):
        partial.write_text(item.content)
    else:
        if not item.content.exists():
            sys.exit(f"make install: {item.content} is missing: run `make build` first")
        shutil.copy2(item.content, partial)
    partial.chmod(item.mode)
    partial.rename(path)


def needed_libraries(paths: Iterable[Path]) -> list[str]:
    """Shared libraries outside the tree that these programs and libraries need."""
    said = subprocess.run(
        ["readelf", "-d", *map(str, paths)], capture_output=True, text=True, check=True
    ).stdout
    return sorted(set(re.findall(r"\(NEEDED\).*\[(.+)\]", said)))


def staged(destdir: str, path: Path) -> Path:
    return Path(destdir + str(path)) if destdir else path


def install(destdir: str, prefix: Path, sysconfdir: Path, bytecode: bool) -> None:
    os.umask(0o022)
    uninstall(destdir, prefix, quiet=True)  # files of an older version that this one lacks
    written = []
    for item in plan(prefix, sysconfdir):
        path = staged(destdir, item.target)
        if not (item.is_config and path.exists()):
            write(item, path)
        if not item.is_config:
            written.append(item.target)
    library = staged(destdir, prefix / LIBRARY)
    if bytecode and not compileall.compile_dir(
        library, quiet=1, stripdir=destdir or None, prependdir="/" if destdir else None
    ):
        sys.exit("make install: a Python file could not be compiled; its error is above")
    made = sorted(library.rglob("__pycache__/*.pyc"))
    written += [prefix / LIBRARY / path.relative_to(library) for path in made]
    write(Item(Path(), "".join(f"{path}\n" for path in written)), library / MANIFEST)
    programs = [staged(destdir, path) for path in written if path.suffix == ".so" or path.name == "vernisd"]
    print(f"installed {len(written)} files below {staged(destdir, prefix)}")
    print(f"needs Python {sys.version_info[0]}.{sys.version_info[1]} and these libraries of the system:")
    print("   ", " ".join(needed_libraries(programs)))


def uninstall(destdir: str, prefix: Path, quiet: bool = False) -> None:
    """Removes the files that the manifest lists, and folders of ours that are then empty."""
    manifest = staged(destdir, prefix / LIBRARY / MANIFEST)
    if not manifest.exists():
        if quiet:
            return
        sys.exit(f"make uninstall: {manifest} is missing: nothing is installed below {prefix}")
    paths = [staged(destdir, Path(line)) for line in manifest.read_text().splitlines()]
    for path in [*paths, manifest]:
        path.unlink(missing_ok=True)
    folders = {parent for path in paths for parent in path.parents}
    for folder in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        if folder.is_relative_to(staged(destdir, prefix / LIBRARY)) and not any(folder.iterdir()):
            folder.rmdir()
    if not quiet:
        print(f"removed {len(paths)} files below {staged(destdir, prefix)}; configuration files are left")


def main() -> None:
    parser = argparse.ArgumentParser(description="installs and removes Vernis")
    parser.add_argument("action", choices=("install", "uninstall"))
    parser.add_argument("--destdir", default="", help="folder in which the system's root is staged")
    parser.add_argument("--prefix", type=Path, required=True)
    parser.add_argument("--sysconfdir", type=Path, required=True)
    parser.add_argument("--no-bytecode", action="store_true", help="compile no Python file")
    options = parser.parse_args()
    for name in ("prefix", "sysconfdir"):
        if not getattr(options, name).is_absolute():
            sys.exit(f"make {options.action}: {name.upper()} must be an absolute path")
    destdir = os.path.abspath(options.destdir) if options.destdir else ""
    destdir = "" if destdir == "/" else destdir
    if options.action == "install":
        install(destdir, options.prefix, options.sysconfdir, not options.no_bytecode)
    else:
        uninstall(destdir, options.prefix)


if __name__ == "__main__":
    main()
