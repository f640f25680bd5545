"""docs/messages.md shows the messages that Vernis prints for common mistakes."""

from __future__ import annotations

import pytest
from pages.messages import PAGE, Mistake, mistakes, ours

MISTAKES = mistakes()


def test_the_page_tells_how_many_mistakes_it_has() -> None:
    assert f"messages of {len(MISTAKES)} common mistakes" in PAGE.read_text()
    assert len({m.title for m in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_the_page_shows_the_current_messages(mistake: Mistake) -> None:
    section = PAGE.read_text().partition(f"\n## {mistake.title[0].upper()}{mistake.title[1:]}\n")[2].partition("\n## ")[0]
    said = section.partition("\n\n```text\n")[2].partition("\n```\n")[0]
    assert ours(mistake.policy) == said, "`make docs` writes the page"
    assert "error[V" in said, "each mistake is an error with a code"
    assert "mistake.vcl:" in said, "each message has a place"
    assert "\nhelp: " in said, "each message has a next step"
