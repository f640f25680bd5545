"""docs/messages.md: common mistakes with our messages. The mistakes are the sections of
tests/data/common_mistakes.txt, and tests/data/common_messages.txt has all that Vernis prints for them.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from vernis import pipeline
from vernis.pipeline import Compilation, Options, rendered_diagnostics

from pages import ROOT

CASES = ROOT / "tests/data/common_mistakes.txt"
PAGE = ROOT / "docs/messages.md"
PROLOGUE = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\n'
BARE = "=!=\n"  # marks a whole policy
NAME = "mistake.vcl"

HEAD = """# Common mistakes and their messages

After this page you recognise the error messages of 66 common mistakes. `vernis check --err-unref` says of the first:

```text
{first}
```

`vernis explain CODE` explains a code. A row has the first error of a mistake. `make docs` writes this page, and
[all messages as they are printed](../tests/data/common_messages.txt).

| Mistake | Code | Message | Help |
|---|---|---|---|
"""
MESSAGE = re.compile(r"error\[(?P<code>V\d+)\]: (?P<message>.*)")
HELP = re.compile(r"^help: (?P<help>.*)", re.M)


@dataclass(slots=True, frozen=True)
class Mistake:
    title: str
    policy: str


def mistakes() -> list[Mistake]:
    sections = re.split(r"^=== ", CASES.read_text(), flags=re.M)[1:]
    found = []
    for section in sections:
        title, _, policy = section.partition("\n")
        found.append(
            Mistake(title, policy.removeprefix(BARE) if policy.startswith(BARE) else PROLOGUE + policy)
        )
    return found


def ours(policy: str) -> str:
    """Output of `vernis check --err-unref`, with the same file name everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.write_text(policy)
        run = pipeline.run_stages(
            Compilation("mistake", str(path), options=Options(err_unref=True)), pipeline.CHECK
        )
        return rendered_diagnostics(run).replace(str(path), NAME).strip()


def row(mistake: Mistake) -> str:
    said = ours(mistake.policy)
    error, remedy = MESSAGE.search(said), HELP.search(said)
    assert error and remedy, f"{mistake.title}: {said}"
    cells = heading(mistake), error["code"], error["message"], remedy["help"]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def heading(mistake: Mistake) -> str:
    return mistake.title[0].upper() + mistake.title[1:]


def page() -> str:
    return HEAD.format(first=ours(mistakes()[0].policy)) + "".join(map(row, mistakes()))
