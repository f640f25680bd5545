"""Sources and options of the parser extension, for setup.py and mk/grammar.mk.

``python build_info.py OUT`` compiles ``_vclparser`` into the directory OUT. Sources are relative to the
repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

SOURCES = [
    "compiler/syntax/ext/module.cpp",
    "compiler/syntax/ext/flat_parser.cpp",
    "compiler/syntax/generated/cpp/VclLexer.cpp",
    "compiler/syntax/generated/cpp/VclParser.cpp",
]
INCLUDE_DIRS = ["compiler/syntax/ext", "compiler/syntax/generated/cpp", "/usr/include/antlr4-runtime"]
LIBRARIES = ["antlr4-runtime"]
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
DEBIAN_PACKAGES = ["g++", "libantlr4-runtime-dev", "python3-dev"]


def compile_one(compiler: list[str], source: str, target: Path) -> None:
    """Compiles one object file. ANTLR's headers are system headers: gcc warns about our code only."""
    ours = "/ext/" in source
    flags = [*COMPILE_ARGS, "-fPIC"] + (["-Wextra", "-Werror"] if ours else ["-Wno-all"])
    includes = [f"-I{INCLUDE_DIRS[0]}"] + [f"-isystem{d}" for d in INCLUDE_DIRS[1:]]
    includes.append(f"-isystem{sysconfig.get_paths()['include']}")
    subprocess.run([*compiler, *flags, *includes, "-c", source, "-o", str(target)], check=True)


def build(out: Path) -> Path:
    """Compiles and links. Renames the finished file into place, so that no process imports a partial one."""
    compiler = os.environ.get("CXX", "g++").split()
    work = out / "obj"
    work.mkdir(parents=True, exist_ok=True)
    objects = []
    for source in SOURCES:
        target = work / (Path(source).stem + ".o")
        compile_one(compiler, source, target)
        objects.append(str(target))
    suffix = os.environ.get("EXT_SUFFIX") or str(sysconfig.get_config_var("EXT_SUFFIX"))
    final: Path = out / ("_vclparser" + suffix)
    partial = final.with_suffix(".tmp")
    subprocess.run(
        [
            *compiler,
            "-shared",
            *objects,
            *LINK_ARGS,
            *(f"-l{name}" for name in LIBRARIES),
            "-o",
            str(partial),
        ],
        check=True,
    )
    partial.rename(final)
    return final


if __name__ == "__main__":
    print(f"parser extension: {build(Path(sys.argv[1]))}")
