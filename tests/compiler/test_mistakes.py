"""docs/messages.md lists common mistakes, and tests/data/common_messages.txt has the messages that Vernis prints
for them."""

from __future__ import annotations

import pytest
from pages import golden_messages, messages
from pages.messages import Mistake, heading, mistakes, ours, row

MISTAKES = mistakes()


def test_the_page_tells_how_many_mistakes_it_has() -> None:
    assert f"messages of {len(MISTAKES)} common mistakes" in messages.PAGE.read_text()
    assert len({m.title for m in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_the_page_and_the_golden_text_have_the_current_messages(mistake: Mistake) -> None:
    golden = golden_messages.PAGE.read_text().partition(f"=== {heading(mistake)}\n")[2].partition("\n=== ")[0]
    said = ours(mistake.policy)
    assert golden.rstrip("\n") == said, "`make docs` writes the messages"
    assert row(mistake) in messages.PAGE.read_text(), "`make docs` writes the page"
    assert "error[V" in said, "each mistake is an error with a code"
    assert "mistake.vcl:" in said, "each message has a place"
    assert "\nhelp: " in said, "each message has a next step"
