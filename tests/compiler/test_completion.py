"""`vernis completion` in the shells themselves."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from pathlib import Path

import pytest

from vernis.commands.table import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
WAIT_S = 20.0


@pytest.fixture(scope="module", params=["bash", "zsh", "fish"])
def script(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    shell = str(request.param)
    path = tmp_path_factory.mktemp("completion") / f"vernis.{shell}"
    path.write_text(completion(shell))
    return shell, path


def completion(shell: str) -> str:
    return subprocess.run([str(ROOT / "build/bin/vernis"), "completion", shell], capture_output=True, text=True, check=True, timeout=30).stdout


def test_a_script_is_correct_and_names_all_commands(script: tuple[str, Path]) -> None:
    shell, path = script
    assert subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, check=False).stderr == ""
    text = path.read_text()
    assert [name for name in COMMANDS if name not in text] == []


def by_bash(path: Path, line: str) -> list[str]:
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    done = subprocess.run(["bash", "-c", f'source {path}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _vernis; echo "${{COMPREPLY[@]}}"'],
                          capture_output=True, text=True, check=True, timeout=30)
    return done.stdout.split()


def by_fish(path: Path, line: str) -> list[str]:
    done = subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"], capture_output=True, text=True, check=True, timeout=30)
    return [row.partition("\t")[0] for row in done.stdout.splitlines()]


# Matches go to a file: zsh shows them in columns, or as a question if they are many.
ZSH = """
autoload -Uz compinit; compinit -u -D
source {script}
compadd() {{
    if [[ ${{@[1,(i)(-|--)]}} == *-(O|A|D)* ]]; then builtin compadd "$@"; return; fi
    local -a found
    builtin compadd -A found "$@"
    print -rl -- $found >> {found}
    builtin compadd "$@"
}}
complete-and-tell() {{ zle complete-word; print -r -- END >> {found} }}
zle -N complete-and-tell
bindkey '^G' complete-and-tell
print READY >> {found}
"""


def by_zsh(path: Path, line: str) -> list[str]:
    """Types the line and a key into a real zsh."""
    found, rc = path.with_name("found"), path.with_name("rc.zsh")
    found.write_text("")
    rc.write_text(ZSH.format(script=path, found=found))
    process, fd = pty.fork()
    if process == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb"})
    try:
        os.write(fd, f"source {rc}\n".encode())
        read_until(fd, found, "READY")
        os.write(fd, f"{line}\x07".encode())
        return read_until(fd, found, "END")
    finally:
        os.close(fd)                        # the shell ends with its terminal
        os.waitpid(process, 0)


def read_until(fd: int, found: Path, mark: str) -> list[str]:
    end = time.monotonic() + WAIT_S
    while mark not in (lines := found.read_text().splitlines()):
        assert time.monotonic() < end, f"no {mark} within {WAIT_S} s"
        if select.select([fd], [], [], 0.05)[0]:
            os.read(fd, 65536)              # the echo, which would fill the terminal
    return lines


SHELLS = {"bash": by_bash, "fish": by_fish, "zsh": by_zsh}


@pytest.mark.parametrize(("line", "some", "none"), [
    ("vernis sta", {"stat", "status"}, {"start", "build"}),                                # commands
    ("vernis lint --fi", {"--fix", "--fix-in"}, {"--format"}),                             # options of this command
    ("vernis why --format ", {"text", "json", "html"}, {"sarif", "--cold"}),               # values of an option
    ("vernis backends set b1 s", {"sick"}, {"auto"}),                                      # words of a command
    ("vernis -n /tmp/x sta", {"stat", "status"}, {"start", "build"}),                      # options before the command
    ("vernis --color never -n /tmp/x lint --fi", {"--fix", "--fix-in"}, {"--format"}),
    ("vernis -n /tmp/x backends set b1 s", {"sick"}, {"auto"}),
    ("vernis lint --color ", {"auto", "always", "never"}, {"--fix"}),
])
def test_a_shell_completes(script: tuple[str, Path], line: str, some: set[str], none: set[str]) -> None:
    shell, path = script
    found = set(SHELLS[shell](path, line))
    assert some <= found and not none & found
