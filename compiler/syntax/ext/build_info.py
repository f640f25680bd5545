"""Sources and options of the parser extension, for setup.py and mk/grammar.mk.

``python build_info.py OUT`` compiles ``_vclparser`` into the directory OUT, or says why the parser in Python
is used. Sources are relative to the repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from antlr_runtime import Runtime, find_or_build

EXT = "compiler/syntax/ext"
GENERATED = "compiler/syntax/generated/cpp"
SOURCES = [f"{EXT}/module.cpp", f"{EXT}/flat_parser.cpp", f"{EXT}/automata.cpp", f"{GENERATED}/VclParser.cpp"]
# As in the Makefile. Debian's Python would define another _FORTIFY_SOURCE.
HARDENING = [
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=3",
    "-fstack-protector-strong",
    "-fstack-clash-protection",
]
# The generated code and ANTLR's headers cause warnings with -Wextra. compile_one() adds it for our files.
COMPILE_ARGS = ["-std=c++17", "-O2", "-fvisibility=hidden", "-Wall", *HARDENING]
LINK_ARGS = ["-Wl,--as-needed", "-Wl,-z,relro,-z,now,-z,noexecstack", "-s"]
# The first use reads the tables of automata.
CHECK = "import sys; sys.path[:0] = sys.argv[1:]; import _vclparser; _vclparser.lex(b'vcl 4.1;', {}, {}, 9)"


def include_dirs(runtime: Runtime) -> list[str]:
    return [EXT, GENERATED, str(runtime.include)]


def link_args(runtime: Runtime) -> list[str]:
    """Names the library by its path, so that the linker takes no other one of this name. The loader has to
    know folders outside /usr."""
    folder = runtime.library.parent
    known = os.environ.get("SYSROOT") or folder.is_relative_to("/usr")
    shared = runtime.library.suffix == ".so"
    return [str(runtime.library), *LINK_ARGS, *([f"-Wl,-rpath,{folder}"] if shared and not known else [])]


def compile_one(compiler: list[str], source: str, target: Path, runtime: Runtime) -> None:
    """Compiles one object file. ANTLR's headers are system headers: gcc warns about our code only."""
    ours = "/ext/" in source
    flags = [*COMPILE_ARGS, "-fPIC"] + (["-Wextra", "-Werror"] if ours else ["-Wno-all"])
    folder, *system = include_dirs(runtime)
    includes = [f"-I{folder}"] + [f"-isystem{d}" for d in system]
    includes.append(f"-isystem{sysconfig.get_paths()['include']}")
    subprocess.run([*compiler, *flags, *includes, "-c", source, "-o", str(target)], check=True)


def build(out: Path) -> Path | None:
    """Compiles and links. Renames the finished file into place, so that no process imports a partial one.
    Returns None if no runtime of ANTLR can be had, and removes the extension of an earlier build."""
    compiler = os.environ.get("CXX", "g++").split()
    work = out / "obj"
    work.mkdir(parents=True, exist_ok=True)
    runtime = find_or_build(compiler, COMPILE_ARGS, out)
    if runtime is None:
        for old in out.glob("_vclparser*.so"):
            old.unlink()
        return None
    print(f"parser extension: ANTLR {runtime}")
    objects = []
    for source in SOURCES:
        target = work / (Path(source).stem + ".o")
        compile_one(compiler, source, target, runtime)
        objects.append(str(target))
    suffix = os.environ.get("EXT_SUFFIX") or str(sysconfig.get_config_var("EXT_SUFFIX"))
    final: Path = out / ("_vclparser" + suffix)
    partial = final.with_suffix(".tmp")
    subprocess.run([*compiler, "-shared", *objects, *link_args(runtime), "-o", str(partial)], check=True)
    partial.rename(final)
    if not os.environ.get("SYSROOT"):  # for this processor
        check(out, runtime)
    return final


def check(folder: Path, runtime: Runtime) -> None:
    """Runs the extension in a process of its own, because a library that does not fit the headers ends it."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", CHECK, str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        words = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
        raise SystemExit(f"parser extension: ANTLR {runtime} does not fit its headers: {words[-1]}")


if __name__ == "__main__":
    built = build(Path(sys.argv[1]))
    if built:
        print(f"parser extension: {built}")
