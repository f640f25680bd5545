"""V325 says what the runtime's parser of bans says: of constant texts always, of others if no text of their variable parts is a ban."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from vernis.pipeline import CHECK, COMPILE, Compilation, Options, run_stages
from vernis.trial.world import Host, World, WorldError

N_TEXTS = 2000
HEAD = 'vcl 4.1;\nbackend b { .host = "192.0.2.1"; }\nsub vcl_recv {\n'
FIELDS = ["req.url", "req.http.Host", "obj.status", "obj.http.x-url", "obj.ttl", "obj.age", "obj.grace", "obj.keep"]
OPERATORS = ["==", "!=", "~", "!~", ">", ">=", "<", "<="]
VALUES = ["/a", "200", "^/a(b|c)$", "(", "[a", "a{2,1}", "1h", "1.5d", ".5s", "1.s", ".s", "s", "1.2.3s", "1", "2y", "1e3s", "7" * 31 + "s", "7" * 32 + "s", "&&"]
ODD = ["req.urls", "obj.http.", "obj.http.a(", "obj.url", "beresp.ttl", "=", "&", "||", "=~", "obj.ttls", "\xe4", "a"]
BLANKS = [" ", " ", " ", "  ", "\t", "\n", ""]
PARTS = ["req.url", "req.http.X", "regsub(req.url, \"a\", \"b\")"]    # the last one may begin or end with a blank
PIECES = [*FIELDS, *OPERATORS, *VALUES, "&&", "", "=", "a", " ", " && obj.status == 2", "x && obj.age > 1h", "obj. ", "/a b"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("bans")
    (folder / "p.vcl").write_text(HEAD + "}\n")
    run_stages(Compilation("p", str(folder / "p.vcl"), options=Options(err_unref=False), image=folder / "p.so"), COMPILE)
    host = Host()
    with host.world(folder / "p.so") as made:
        yield made
    host.close()


def is_added(world: World, text: str) -> bool:
    try:
        world.ban(text.encode("latin-1"))
    except WorldError:
        return False
    return True


def warned(folder: Path, expressions: list[str]) -> list[bool]:
    """Whether V325 is at each expression of a ban. A policy with all of them would have too many findings."""
    return [one for first in range(0, len(expressions), 50) for one in warned_in_one(folder, expressions[first : first + 50])]


def warned_in_one(folder: Path, expressions: list[str]) -> list[bool]:
    bans = [f"ban(\n{one}\n);" for one in expressions]
    (folder / "p.vcl").write_bytes((HEAD + "\n".join(bans) + "\n}\n").encode("latin-1"))
    run = run_stages(Compilation("p", str(folder / "p.vcl"), options=Options(err_unref=False)), CHECK)
    assert {item.code for item in run.diagnostics.items} <= {"V325"}, run.diagnostics.items[:3]
    found = {item.span.start for item in run.diagnostics.items}
    starts, at = [], len(HEAD)
    for ban in bans:
        starts.append(at + len("ban(\n"))
        at += len(ban) + 1
    assert found <= set(starts)
    return [start in found for start in starts]


def condition(rng: random.Random) -> str:
    words = [rng.choice(FIELDS), rng.choice(OPERATORS), rng.choice(VALUES)]
    if rng.random() < 0.3:
        words[rng.randrange(3)] = rng.choice([*ODD, *FIELDS, *OPERATORS, *VALUES])
    if rng.random() < 0.1:
        del words[rng.randrange(3)]
    return "".join(word + (rng.choice(BLANKS) if rng.random() < 0.1 else " ") for word in words)


def text_of(rng: random.Random) -> str:
    between = "&&" if rng.random() < 0.8 else rng.choice(ODD)
    return rng.choice(["", " "]) + f"{between} ".join(condition(rng) for _ in range(rng.choice([1, 1, 2, 3])))


def test_constant_texts(world: World, tmp_path: Path) -> None:
    rng = random.Random(1)
    texts = [text_of(rng) for _ in range(N_TEXTS)]
    found = warned(tmp_path, ['{"' + text + '"}' for text in texts])
    assert [text for text, is_warned in zip(texts, found, strict=True) if is_warned == is_added(world, text)] == []
    assert N_TEXTS // 5 < sum(found) < N_TEXTS * 9 // 10


def cut(rng: random.Random, text: str) -> tuple[str, list[str], str]:
    """The text with one or two pieces that come from variables: an expression, its constant parts, and the pieces in the order of the text, joined
    by newlines. A message's field neither begins nor ends with a blank."""
    at = sorted(rng.sample(range(len(text) + 1), 2 * rng.choice([1, 1, 2])))
    constants = [text[a:b] for a, b in zip([0, *at[1::2]], [*at[::2], len(text)], strict=True)]
    pieces = [text[a:b] for a, b in zip(at[::2], at[1::2], strict=True)]
    names = [rng.choice(PARTS if piece == piece.strip(" \t\n") else PARTS[2:]) for piece in pieces]
    expression = '{"' + constants[0] + '"}' + "".join(f' + {name} + {{"{constant}"}}' for name, constant in zip(names, constants[1:], strict=True))
    return expression, constants, "\n".join(names)


def filled(constants: list[str], pieces: list[str]) -> str:
    return constants[0] + "".join(piece + constant for piece, constant in zip(pieces, constants[1:], strict=True))


def test_texts_with_variable_parts(world: World, tmp_path: Path) -> None:
    """A warned ban is refused with whatever its variables have; one that was cut out of a good text is not warned of."""
    rng = random.Random(2)
    texts = [text_of(rng) + "  " for _ in range(N_TEXTS)]      # long enough for each cut
    rows = [cut(rng, text) for text in texts]
    found = warned(tmp_path, [expression for expression, *_ in rows])
    n_good = 0
    for text, (expression, constants, names), is_warned in zip(texts, rows, found, strict=True):
        good = is_added(world, text)
        n_good += good
        assert not (good and is_warned), expression
        for _ in range(40 if is_warned else 0):
            pieces = [rng.choice(PIECES) + rng.choice(["", "", rng.choice(PIECES)]) for _ in constants[1:]]
            pieces = [piece.strip(" ") if "regsub" not in name else piece for piece, name in zip(pieces, names.split("\n"), strict=True)]
            assert not is_added(world, filled(constants, pieces)), (expression, pieces)
    assert n_good > N_TEXTS // 10 and sum(found) > N_TEXTS // 10


@pytest.mark.parametrize(("text", "words"), [
    ("req.url ~ (", 'the pattern "(" is not valid: missing closing parenthesis at offset 1'),
    ("obj.age > .s", 'it needs a duration such as 1h, not ".s"'),
    ("req.url ~", "it needs a pattern at the end"),
    ("req.url == /a &&", "it needs a field (req.url, req.http.*, obj.status, obj.http.*, obj.ttl, obj.age, obj.grace, obj.keep) at the end"),
])
def test_words(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "p.vcl").write_text(f'{HEAD}ban("{text}");\n}}\n')
    run = run_stages(Compilation("p", str(tmp_path / "p.vcl"), options=Options(err_unref=False)), CHECK)
    assert [item.message for item in run.diagnostics.items] == [f"this ban can never be added: {words}"]
