"""Messages that a user is likely to meet say what is wrong, where, and the next step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proxy.messages import MESSAGES, Message, Place, place


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with place(tmp_path_factory.mktemp("messages")) as made:
        yield made


def test_with_twenty_of_the_mistakes_in_policies_there_are_sixty() -> None:
    assert len({message.title for message in MESSAGES}) == len(MESSAGES) == 40


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.title)
def test_a_message_says_what_where_and_the_next_step(message: Message, here: Place) -> None:
    said = here.said(message)
    parts = [here.words(part, message.url) for part in (message.what, message.where, message.next)]
    assert [part for part in parts if part not in said] == [], said
