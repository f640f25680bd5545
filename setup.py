"""`pip install .`: builds the parser extension of the package `vernis` (folder compiler/), and the runtime if
its tools are installed. pyproject.toml has the other metadata.

If tools are missing, this prints their names and installs the other parts. Without a C++ compiler the parser
is the slower Python one. Without gcc, clang and make the daemon is missing, and policies can be checked but
not compiled to images.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
RUNTIME_TOOLS = ("make", "gcc")
FIND_CLANG = "mk/find-clang.sh"
RUNTIME_TARGETS = ("daemon", "runtime-lib", "native-inputs")
DAEMON = "build/bin/vernisd"


def module_from(path: str) -> ModuleType:
    """Loads a file of this repository that does not import the package."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look here for the module of a class
    spec.loader.exec_module(module)
    return module


def packages() -> list[str]:
    folders = sorted(
        path.parent.relative_to(ROOT / "compiler") for path in (ROOT / "compiler").rglob("__init__.py")
    )
    return [".".join(("vernis", *folder.parts)) for folder in folders]


def can_build_runtime() -> bool:
    missing = [tool for tool in RUNTIME_TOOLS if shutil.which(tool) is None]
    clang = subprocess.run(["sh", FIND_CLANG], cwd=ROOT, capture_output=True, text=True)
    if clang.returncode != 0:
        missing.append(f"clang ({clang.stderr.strip()})")
    if missing:
        print(
            f"setup.py: missing {', '.join(missing)}; the daemon is not built (see README.md)",
            file=sys.stderr,
        )
    return not missing


def parser_extension() -> list[Extension]:
    """BuildParser fills in what depends on ANTLR's runtime, when the extension is built."""
    return [Extension("vernis.syntax._vclparser", [], language="c++", optional=True)]


class BuildParser(build_ext):
    def run(self) -> None:
        module_from("compiler/syntax/ext/antlr_runtime.py")  # for the import in the next file
        info = module_from("compiler/syntax/ext/build_info.py")
        compiler = os.environ.get("CXX", "g++").split()
        runtime = sys.modules["antlr_runtime"].find_or_build(
            compiler, info.COMPILE_ARGS, Path(self.build_temp), lambda line: print(line, file=sys.stderr)
        )
        if runtime is None:
            self.extensions: list[Extension] = []
        for extension in self.extensions:
            extension.sources = info.SOURCES
            extension.include_dirs = info.include_dirs(runtime)
            extension.extra_compile_args = info.COMPILE_ARGS
            extension.extra_link_args = info.link_args(runtime)
        super().run()


class BuildWithData(build_py):
    """Adds the files outside compiler/: the language's tables, the example, and the files built from
    runtime/."""

    def run(self) -> None:
        self.remove_stale()
        super().run()
        install = module_from("mk/install.py")
        files: dict[str, str] = dict(install.PACKAGE_DATA)
        if RUNTIME:
            subprocess.run(["make", f"-j{os.cpu_count() or 1}", *RUNTIME_TARGETS], cwd=ROOT, check=True)
            files |= {f"build/lib/{name}": f"lib/{name}" for name in install.RUNTIME_FILES}
        for source, target in files.items():
            destination = Path(self.build_lib) / "vernis" / target
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / source, destination)
        frozen = module_from("compiler/semantics/frozen.py")
        frozen.main(
            ROOT / "grammar/vocabulary.toml",
            Path(self.build_lib) / "vernis/semantics" / f"{frozen.MODULE}.py",
        )

    def remove_stale(self) -> None:
        """Removes modules of an earlier build that no longer exist, because setuptools would install them."""
        package = Path(self.build_lib) / "vernis"
        for module in package.rglob("*.py"):
            if not (ROOT / "compiler" / module.relative_to(package)).exists():
                module.unlink()


RUNTIME = can_build_runtime()

setup(
    packages=packages(),
    ext_modules=parser_extension(),
    data_files=[("bin", [DAEMON])] if RUNTIME else [],
    cmdclass={"build_py": BuildWithData, "build_ext": BuildParser},
    # The Makefile owns build/ (build/lib holds the runtime), so setuptools gets its own folder in it.
    options={"build": {"build_base": "build/setuptools"}},
)
