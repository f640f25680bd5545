"""Exit code of `make migrate-corpus`: what the ledger says of a file decides, and of other files their result."""

from __future__ import annotations

import pytest
from corpus_run import is_wrong


@pytest.mark.parametrize(("said", "known", "wrong"), [
    ("same", "same", False),
    ("refused: a.vcl:1: V402 no", "refused: a.vcl:1: V402 no", False),
    ("different: GET /", "same", True),
    ("same", "refused: a.vcl:1: V402 no", True),
    ("not 4.x: V222", None, False),
    ("same", None, False),
    ("different: GET /", None, True),
    ("refused: a.vcl:1: V402 no", None, True),
])
def test_a_result_is_wrong_if_the_ledger_has_another_or_a_new_file_does_not_migrate(said: str, known: str | None, wrong: bool) -> None:
    assert is_wrong(said, known) is wrong
