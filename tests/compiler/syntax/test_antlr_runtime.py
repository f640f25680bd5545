"""compiler/syntax/ext/antlr_runtime.py finds ANTLR's C++ runtime, from files of made-up versions, and builds the pinned
source. `make test-antlr` builds it from PyPI and runs the tests of the parser with it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXT = ROOT / "compiler/syntax/ext"
sys.path.insert(0, str(EXT))
import antlr_runtime  # noqa: E402
import build_info  # noqa: E402
from vernis.syntax.generated.token_types import RULE_NAMES, T  # noqa: E402


def version_header(version: str) -> str:
    return "".join(f"#define ANTLRCPP_VERSION_{part} {number}\n" for part, number in zip(("MAJOR", "MINOR", "PATCH"), version.split(".")))


def installed(prefix: Path, header: str = "", library: str = "lib/libantlr4-runtime.so", target: str = "") -> Path:
    """A runtime whose headers state the version ``header``, if any; ``target`` is the file that the library is a link to."""
    include = prefix / "include/antlr4-runtime"
    include.mkdir(parents=True)
    (include / "antlr4-runtime.h").touch()
    if header:
        (include / "Version.h").write_text(version_header(header))
    if library:
        (prefix / library).parent.mkdir(parents=True, exist_ok=True)
        (prefix / library).symlink_to(target or "none")
        (prefix / library).parent.joinpath(target or "none").touch()
    return prefix


@pytest.mark.parametrize(("header", "library", "target", "version"), [
    ("", "lib/x86_64-linux-gnu/libantlr4-runtime.so", "libantlr4-runtime.so.4.9", (4, 9)),           # Debian 12 and 13
    ("", "lib/libantlr4-runtime.so", "libantlr4-runtime.so.4.9.3", (4, 9)),
    ("4.10.0", "lib/x86_64-linux-gnu/libantlr4-runtime.so", "libantlr4-runtime.so.4.10", (4, 10)),
    ("4.11.1", "lib64/libantlr4-runtime.so", "libantlr4-runtime.so.4.11.1", (4, 11)),
    ("4.12.0", "lib/libantlr4-runtime.a", "", (4, 12)),
    ("4.13.2", "lib/libantlr4-runtime.so", "libantlr4-runtime.so.4.13.2", (4, 13)),
])
def test_these_versions_fit(tmp_path: Path, header: str, library: str, target: str, version: tuple[int, int]) -> None:
    runtime, reasons = antlr_runtime.find([installed(tmp_path, header, library, target)], "x86_64-linux-gnu")
    assert (runtime.version, runtime.library, reasons) == (version, tmp_path / library, [])


@pytest.mark.parametrize(("header", "library", "target", "says"), [
    ("", "lib/libantlr4-runtime.so", "libantlr4-runtime.so.4.8", "is 4.8"),
    ("4.14.0", "lib/libantlr4-runtime.so", "libantlr4-runtime.so.4.14", "is 4.14"),
    ("5.9.0", "lib/libantlr4-runtime.so", "", "is 5.9"),
    ("", "lib/libantlr4-runtime.a", "", "has no version"),
    ("4.13.2", "", "", "has no library"),
])
def test_others_are_refused(tmp_path: Path, header: str, library: str, target: str, says: str) -> None:
    assert antlr_runtime.find([installed(tmp_path, header, library, target)]) == (None, [f"the one in {tmp_path} {says}"])


def test_the_first_that_fits_is_taken(tmp_path: Path) -> None:
    old, good, other = (installed(tmp_path / name, version) for name, version in (("old", "4.8.0"), ("good", "4.12.0"), ("other", "4.13.0")))
    runtime, reasons = antlr_runtime.find([tmp_path / "empty", old, good, other])
    assert runtime.version == (4, 12) and reasons == [f"the one in {old} is 4.8"]


@pytest.mark.parametrize(("environment", "places"), [
    ({}, ["/usr/local", "/usr"]),
    ({"ANTLR_RUNTIME": "/opt/antlr"}, ["/opt/antlr"]),
    ({"ANTLR_RUNTIME": "/opt/antlr", "SYSROOT": "/root/arm"}, ["/opt/antlr"]),
    ({"ANTLR_RUNTIME": "source"}, []),
    ({"SYSROOT": "/root/arm"}, ["/root/arm/usr"]),
])
def test_places_to_search(environment: dict[str, str], places: list[str]) -> None:
    assert antlr_runtime.prefixes(environment) == [Path(place) for place in places]


@pytest.mark.parametrize(("library", "paths"), [("/usr/lib/libantlr4-runtime.so", []), ("/opt/antlr/lib/libantlr4-runtime.a", []),
                                                ("/opt/antlr/lib/libantlr4-runtime.so", ["-Wl,-rpath,/opt/antlr/lib"])])
def test_only_unusual_places_are_written_into_the_extension(library: str, paths: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SYSROOT", raising=False)
    args = build_info.link_args(antlr_runtime.Runtime((4, 13), Path("/include"), Path(library)))
    assert args[0] == library and [arg for arg in args if "rpath" in arg] == paths


def test_the_generated_code_numbers_tokens_and_rules_as_python_does() -> None:
    numbers = dict(re.findall(r"(\w+) = (\d+)[,\s]", (ROOT / build_info.GENERATED / "VclParser.h").read_text()))
    tokens = {name: str(n) for name, n in vars(T).items() if name.isupper()}
    rules = {f"Rule{name[0].upper()}{name[1:]}": str(n) for n, name in enumerate(RULE_NAMES)}
    assert numbers == tokens | rules and all((ROOT / source).exists() for source in build_info.SOURCES)


# ---- the pinned source -------------------------------------------------------------------------------------


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that are printed while no installed runtime is used."""
    monkeypatch.setenv("ANTLR_RUNTIME", "source")
    return []


def archive(folder: Path, files: dict[str, str]) -> Path:
    with tarfile.open(folder / "source.tar.gz", "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package-1.0/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content.encode()))
    return folder / "source.tar.gz"


RUNTIME_FILES = {"antlr4-runtime.h": "", "Version.h": version_header("4.13.2"), "atn/ATN.cpp": "int atn() { return 4; }\n",
                 "ATN.cpp": '#include "Version.h"\nint version() { return ANTLRCPP_VERSION_MINOR; }\n'}


def test_the_pinned_source_becomes_a_runtime_once(tmp_path: Path, says: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    source = {antlr_runtime.SOURCE_FOLDER + name: content for name, content in RUNTIME_FILES.items()}
    made = archive(tmp_path, source | {"setup.py": "", antlr_runtime.SOURCE_FOLDER + "../../../outside": ""})
    monkeypatch.setattr(antlr_runtime, "download", lambda folder: folder.mkdir(parents=True) or made)
    runtime = antlr_runtime.find_or_build(["g++"], ["-O0"], tmp_path / "work", says.append)
    assert runtime.version == (4, 13) and runtime.library == tmp_path / "work/antlr/lib/libantlr4-runtime.a"
    symbols = subprocess.run(["nm", "-C", runtime.library], capture_output=True, text=True, check=True).stdout
    assert "T atn()" in symbols and "T version()" in symbols
    assert {str(path.relative_to(runtime.include)) for path in runtime.include.rglob("*") if path.is_file()} == set(RUNTIME_FILES)
    assert [path for path in tmp_path.rglob("*") if path.name in ("setup.py", "outside")] == []
    assert [line.split(";")[0] for line in says] == ["parser extension: no ANTLR C++ runtime from 4.9 to 4.13",
                                                     f"parser extension: building the runtime of {antlr_runtime.SOURCE} from PyPI, which takes minutes"]
    monkeypatch.delattr(antlr_runtime, "download")
    assert antlr_runtime.find_or_build(["g++"], ["-O0"], tmp_path / "work", says.append) == runtime


def test_without_a_network_the_parser_in_python_is_used(tmp_path: Path, says: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(antlr_runtime.sys, "executable", str(tmp_path / "python"))
    (tmp_path / "python").write_text("#!/bin/sh\necho 'ERROR: no network' >&2\nexit 1\n")
    (tmp_path / "python").chmod(0o755)
    assert antlr_runtime.find_or_build(["g++"], [], tmp_path / "work", says.append) is None
    assert says[-1] == f"parser extension: pip cannot download {antlr_runtime.SOURCE}: ERROR: no network; the slower parser in Python is used"


def test_a_source_that_does_not_compile_is_no_end(tmp_path: Path, says: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made = archive(tmp_path, {antlr_runtime.SOURCE_FOLDER + "bad.cpp": "int"})
    monkeypatch.setattr(antlr_runtime, "download", lambda folder: folder.mkdir(parents=True) or made)
    assert antlr_runtime.find_or_build(["g++"], [], tmp_path / "work", says.append) is None
    assert "non-zero exit status" in says[-1] and says[-1].endswith("the slower parser in Python is used")


def test_pip_compares_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(antlr_runtime.sys, "executable", str(tmp_path / "python"))
    (tmp_path / "python").write_text('#!/bin/sh\nfor word; do case $word in *.txt) cat "$word";; esac; done >&2\necho "$*" >&2\nexit 1\n')
    (tmp_path / "python").chmod(0o755)
    with pytest.raises(antlr_runtime.Unfit) as refused:
        antlr_runtime.download(tmp_path / "folder")
    assert f"{antlr_runtime.SOURCE} --hash=sha256:{antlr_runtime.SOURCE_SHA256}\n" in str(refused.value)
    assert "--require-hashes" in str(refused.value) and re.fullmatch("[0-9a-f]{64}", antlr_runtime.SOURCE_SHA256)


def test_without_a_compiler_an_old_extension_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "_vclparser.cpython-311-x86_64-linux-gnu.so").touch()
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    assert build_info.build(tmp_path) is None
    assert capsys.readouterr().out == "parser extension: no-such-compiler is missing; the slower parser in Python is used\n"
    assert list(tmp_path.glob("_vclparser*")) == []


def test_a_library_that_does_not_fit_its_headers_is_named(tmp_path: Path) -> None:
    (tmp_path / "_vclparser.py").write_text("def lex(*args): raise RuntimeError('Could not deserialize ATN')\n")
    runtime = antlr_runtime.Runtime((4, 13), Path("/include"), Path("/lib/libantlr4-runtime.so"))
    with pytest.raises(SystemExit, match=r"ANTLR 4.13 \(/lib/libantlr4-runtime.so\) does not fit its headers: .*deserialize ATN"):
        build_info.check(tmp_path, runtime)
