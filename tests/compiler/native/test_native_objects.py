"""Each function has its own object: unchanged functions are not compiled again, and the image stays the
same."""

from __future__ import annotations

from pathlib import Path

import pytest

from native_bench import ROOT
from vernis.pipeline import Compilation, Options, compile_policy

pytestmark = pytest.mark.skipif(not (ROOT / "build" / "lib" / "abi.json").exists(), reason="run make build first")
QUICKSTART = (ROOT / "examples" / "quickstart" / "quickstart.vcl").read_text()
HEAD = 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; }\n'


class Objects(dict[str, bytes]):
    """A store of objects. With ``room``, it raises KeyboardInterrupt after so many."""

    room: int | None = None

    def put(self, key: str, content: bytes) -> None:
        if self.room is not None and len(self) >= self.room:
            raise KeyboardInterrupt
        self[key] = content


def sub(name: str, *statements: str, lines: int = 6) -> str:
    """A sub that is long enough not to be inlined, called from two places. Its shape depends on ``lines``."""
    body = [*statements, *(f'set req.http.{name}-{i} = req.url + "{name}" + req.http.Host;' for i in range(lines))]
    return f"sub {name} {{\n" + "\n".join(body) + "\n}\n"


def policy(*subs: str) -> str:
    calls = "".join(f" call {text.split()[1]};" for text in subs)
    return HEAD + "".join(subs) + f"sub vcl_recv {{{calls}{calls} }}\n"


def compiled(text: str, folder: Path, objects: Objects | None, level: int = 0) -> tuple[int, bytes]:
    """The number of functions that LLVM compiled, and the image."""
    run = Compilation("p", "/p.vcl", text.encode(), Options(optimisation=level), folder / "p.so", objects=objects)
    compile_policy(run)
    assert not run.failed and run.image is not None and run.functions_compiled is not None
    return run.functions_compiled, run.image.read_bytes()


A, B, C = sub("a"), sub("b", lines=7), sub("c", lines=8)
#: Objects of the built-in hooks, by level. At level 0 hooks of one shape share an object.
BUILT_IN = {0: 11, 2: 14}

# Objects that LLVM makes after an edit, at level 0 and 2.
EDITS = {
    "nothing": (policy(A, B, C), 0, 0),
    "comment before all": ("# moved\n\n" + policy(A, B, C), 0, 0),
    "one sub": (policy(A, sub("b", 'set req.http.more = "x";', lines=7), C), 1, 1),
    "a constant in it": (policy(A, B.replace('"b"', '"bb"', 1), C), 0, 1),
    "its name": (policy(A, B.replace("sub b", "sub d"), C), 0, 2),              # and its caller
    "another sub": (policy(A, B, C, sub("d")), 1, 2),                           # the caller, and at level 2 the sub
    "one sub less": (policy(A, C), 1, 1),                                       # its caller
    "declarations": (policy(A, B, C).replace(HEAD, HEAD + 'backend other { .host = "127.0.0.2"; }\nacl near { "10.0.0.0"/8; }\n')
                     + "sub vcl_hit { if (client.ip ~ near) { set req.backend_hint = other; } }\n", 1, 1),
}


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_compiles_changed_functions_only(edit: str, level: int, tmp_path: Path) -> None:
    objects = Objects()
    first, _ = compiled(policy(A, B, C), tmp_path, objects, level)
    text, *expected = EDITS[edit]
    count, warm = compiled(text, tmp_path, objects, level)
    assert (first, count) == (BUILT_IN[level] + 3, expected[level // 2])
    assert compiled(text, tmp_path, None, level)[1] == warm                     # byte for byte


def test_an_edit_of_a_sub_of_a_long_hook_compiles_this_sub(tmp_path: Path) -> None:
    """Together the subs are too long to be inlined, though each is called once."""
    subs = [sub(f"part{i}", lines=4 + i % 3) for i in range(24)]
    calls = "".join(f" call {text.split()[1]};" for text in subs)
    text = HEAD + "".join(subs) + f"sub vcl_recv {{{calls} }}\n"
    objects = Objects()
    first, _ = compiled(text, tmp_path, objects)
    assert first == BUILT_IN[0] + 3 + 1                                         # three shapes, and vcl_builtin_recv
    edited = text.replace("sub part9 {", "sub part9 { unset req.http.Cookie;")
    count, warm = compiled(edited, tmp_path, objects)
    assert count == 1 and compiled(edited, tmp_path, None)[1] == warm


def test_subs_of_one_shape_share_an_object(tmp_path: Path) -> None:
    """They differ in names, texts, patterns and header fields."""
    count, _ = compiled(policy(A, B, C), tmp_path, None)
    more, image = compiled(policy(A, B, C, sub("d"), sub("longer", lines=7)), tmp_path, None)
    assert more == count
    assert all(text in image for text in (b"longer-6", b"longer\0"[:6], b"d-5"))


def rule(number: int, name: str = "") -> str:
    """One of several shapes. The body is code, because some of its texts are not constant."""
    sets = "".join(f'set req.http.a{i} = req.url + "{name or number}"; ' for i in range(number % 6 + 1))
    return f'if (req.url ~ "^/{number}/[a-z]+$") {{ set req.http.b = "{name or number}"; {sets}}}\n'


NUMBERS = [i * i * 7919 % 1009 for i in range(600)]
RULES = [rule(number) for number in NUMBERS]
# The rules after an edit of the one in the middle, and the most objects that LLVM makes, of about 50.
RULE_EDITS = {
    "its text": ([*RULES[:300], rule(NUMBERS[300], "another"), *RULES[301:]], 0),
    "its shape": ([*RULES[:300], rule(1), *RULES[301:]], 2),
    "deleted": ([*RULES[:300], *RULES[301:]], 4),
    "inserted": ([*RULES[:300], rule(6), *RULES[300:]], 4),
    "swapped": ([*RULES[:300], RULES[301], RULES[300], *RULES[302:]], 2),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Objects:
    """The objects of the rules."""
    objects = Objects()
    count, _ = compiled(recv(RULES), tmp_path_factory.mktemp("made"), objects)
    assert count > 40
    return objects


def recv(rules: list[str]) -> str:
    return HEAD + f"sub vcl_recv {{\n{''.join(rules)}}}\n"


@pytest.mark.parametrize("edit", RULE_EDITS)
def test_an_edit_of_a_rule_compiles_the_chunks_around_it(edit: str, made: Objects, tmp_path: Path) -> None:
    rules, most = RULE_EDITS[edit]
    count, warm = compiled(recv(rules), tmp_path, Objects(made))
    assert 0 <= count <= most
    assert compiled(recv(rules), tmp_path, None)[1] == warm


def test_rules_of_one_shape_share_a_chunk(tmp_path: Path) -> None:
    """Twice the rules need no more objects: most chunks are equal, and the dispatch is a table."""
    counts = [compiled(recv([rule(7 * i) for i in range(n)]), tmp_path, None)[0] for n in (500, 1000)]
    assert abs(counts[1] - counts[0]) <= 2 and max(counts) < 22


@pytest.mark.parametrize("level", [0, 2])
def test_a_changed_pattern_of_a_set_compiles_nothing(level: int, tmp_path: Path) -> None:
    """The code of a chain does not depend on its patterns, which are in a table of the image."""

    def rules(*patterns: str) -> str:
        tests = (f'if (req.url ~ "{pattern}") {{ set req.http.x = "{i}"; }}' for i, pattern in enumerate(patterns))
        return HEAD + "sub vcl_recv {\n" + "\n".join(tests) + "\n}\n"

    objects = Objects()
    assert compiled(rules("a(1)", "b(1)", "c(1)", "d(1)"), tmp_path, objects, level)[0] == BUILT_IN[level]
    edited = rules("a(1)", "b(2)", "c(1)", "d(1)")
    count, image = compiled(edited, tmp_path, objects, level)
    assert count == 0 and image == compiled(edited, tmp_path, None, level)[1]
    assert compiled(rules("a(1)", "b(2)", "c(1)", "d(1)", "e(1)"), tmp_path, objects, level)[0] == 0


@pytest.mark.parametrize("level", [0, 2])
def test_cached_objects_give_the_same_image(level: int, tmp_path: Path) -> None:
    """Also with objects that were made for other policies, with different numbers."""
    objects = Objects()
    for path in sorted(set((ROOT / "examples").glob("*/*.vcl")) - set((ROOT / "examples").glob("*/*.test.vcl"))):
        text = path.read_text()
        if "include" in text or "import canary" in text:        # these need other files
            continue
        _, mixed = compiled(text, tmp_path, objects, level)
        count, warm = compiled(text, tmp_path, objects, level)
        assert count == 0
        assert compiled(text, tmp_path, None, level)[1] == mixed == warm, path


def test_built_in_hooks_are_shared_by_policies(tmp_path: Path) -> None:
    objects = Objects()
    compiled(HEAD, tmp_path, objects)
    assert compiled(policy(A), tmp_path, objects)[0] == 2                       # vcl_recv and a
    assert compiled(QUICKSTART, tmp_path, objects)[0] < 14


def test_levels_do_not_share_objects(tmp_path: Path) -> None:
    objects = Objects()
    assert [compiled(HEAD, tmp_path, objects, level)[0] for level in (0, 2, 0, 2)] == [11, 14, 0, 0]


def test_compilers_do_not_share_objects(tmp_path: Path) -> None:
    objects = Objects()
    counts = []
    for compiler in (b"one", b"two", b"one"):
        run = Compilation("p", "/p.vcl", HEAD.encode(), Options(optimisation=0), tmp_path / "p.so", objects=objects, compiler=compiler)
        counts.append(compile_policy(run).functions_compiled)
    assert counts == [11, 11, 0]


def test_objects_made_before_an_abort_are_kept(tmp_path: Path) -> None:
    objects = Objects()
    objects.room = 5
    with pytest.raises(KeyboardInterrupt):
        compiled(policy(A, B, C), tmp_path, objects)
    objects.room = None
    count, image = compiled(policy(A, B, C), tmp_path, objects)
    assert count == BUILT_IN[0] + 3 - 5
    assert image == compiled(policy(A, B, C), tmp_path, None)[1]


def test_a_store_may_lose_objects(tmp_path: Path) -> None:
    objects = Objects()
    _, first = compiled(policy(A, B, C), tmp_path, objects)
    for key in list(objects)[::2]:
        del objects[key]
    count, again = compiled(policy(A, B, C), tmp_path, objects)
    assert count == 7 and again == first
