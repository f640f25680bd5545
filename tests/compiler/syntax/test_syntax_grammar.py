"""The committed parsers match the committed grammar."""

import filecmp
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GENERATED = ROOT / "compiler" / "syntax" / "generated"
JAR = ROOT / "build/antlr/antlr4-4.9.1-complete.jar"


def generated_files(root: Path) -> list[str]:
    return sorted(str(p.relative_to(root)) for p in root.rglob("*")
                  if p.is_file() and p.suffix in (".py", ".h", ".cpp") and p.name != "__init__.py")


@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
@pytest.mark.skipif(not JAR.exists(), reason="needs the antlr4 tool (make grammar fetches it)")
def test_generating_again_gives_the_committed_files(tmp_path: Path) -> None:
    subprocess.run(["sh", "mk/generate_parsers.sh", str(JAR), str(tmp_path)], cwd=ROOT, check=True)
    names = generated_files(tmp_path)
    assert names == generated_files(GENERATED)
    _, different, missing = filecmp.cmpfiles(tmp_path, GENERATED, names, shallow=False)
    assert (different, missing) == ([], [])


@pytest.mark.parametrize("name", generated_files(GENERATED))
def test_generated_files_do_not_depend_on_the_machine(name: str) -> None:
    text = (GENERATED / name).read_text()
    assert str(ROOT) not in text and "/tmp/" not in text and "/home/" not in text


def test_the_grammar_decides_on_one_token() -> None:
    """The parsers are fast because no decision needs full prediction."""
    for name in ("cpp/VclParser.cpp", "python/VclParser.py"):
        assert "adaptivePredict" not in (GENERATED / name).read_text()
