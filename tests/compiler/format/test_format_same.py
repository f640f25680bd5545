"""Formatted text has the tree, the comments and the image of the text before, and stays as it is when it is
formatted again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from format_checks import faults, formatted, image, read
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_text import random_text, scrambled
from vernis.format import format as format_module
from vernis.format.format import ChangedTokens
from vernis.format.layout import Piece, Style

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = [ROOT / "examples/quickstart/quickstart.vcl", ROOT / "examples/site/site.vcl"]
BOUNDED = settings(max_examples=50, deadline=None, derandomize=True, phases=[Phase.generate],
                   suppress_health_check=list(HealthCheck))


@BOUNDED
@given(st.integers(0, 1 << 32), st.sampled_from([Style(), Style(line_width=40), Style(line_width=1000, indent=2)]))
def test_random_policies(seed: int, style: Style) -> None:
    assert faults(random_text(random.Random(seed)), style) == []


@BOUNDED
@given(st.integers(0, 1 << 32))
def test_random_policies_with_parts_that_stay(seed: int) -> None:
    assert faults(random_text(random.Random(seed), switches=True)) == []


@BOUNDED
@given(st.integers(0, 1 << 32), st.integers(1, 200), st.integers(0, 30))
def test_a_range_has_the_same_tree(seed: int, first: int, more: int) -> None:
    data = random_text(random.Random(seed))
    after = formatted(data, lines=(first, first + more))
    assert after is not None
    old, new = read(data, "policy"), read(after, "policy")
    assert old is not None and new is not None and old[0] == new[0]
    assert formatted(data, lines=(1 << 20, 1 << 20)) == data


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_image_is_the_same_but_for_places(path: Path, tmp_path: Path) -> None:
    data = scrambled(random.Random(path.name), path.read_bytes(), with_includes=False)
    after = formatted(data)
    assert after is not None and after != data
    first = image(path, data, tmp_path / "image.so")
    assert first is not None
    assert image(path, after, tmp_path / "image.so", places_of=data) == first


def test_a_bug_that_loses_a_token_leaves_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def lay_out(items: object, style: Style) -> list[Piece]:
        return right(items, style)[:-1]     # type: ignore[arg-type]
    right = format_module.lay_out
    monkeypatch.setattr(format_module, "lay_out", lay_out)
    with pytest.raises(ChangedTokens, match=r"policy\.vcl: formatting would change"):
        formatted(b"sub f { call a; }")
    with pytest.raises(ChangedTokens):
        formatted(b"sub f { call a; } # comment")


def test_a_bug_that_hides_a_token_leaves_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def lay_out(items: object, style: Style) -> list[Piece]:
        return [(token, " " if at else "", text) for at, (token, _, text) in enumerate(right(items, style))]  # type: ignore[arg-type]
    right = format_module.lay_out
    monkeypatch.setattr(format_module, "lay_out", lay_out)
    with pytest.raises(ChangedTokens):
        formatted(b"# a\n/* b */")
