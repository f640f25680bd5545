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


def sub(name: str, *statements: str) -> str:
    """A sub that is long enough not to be inlined, called from two places."""
    body = [*statements, *(f'set req.http.{name}-{i} = req.url + "{name}" + req.http.Host;' for i in range(6))]
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


A, B, C = sub("a"), sub("b"), sub("c")

EDITS = {
    "nothing": (policy(A, B, C), 0),
    "comment before all": ("# moved\n\n" + policy(A, B, C), 0),
    "one sub": (policy(A, sub("b", 'set req.http.more = "x";'), C), 1),
    "a constant in it": (policy(A, B.replace('"b"', '"bb"', 1), C), 1),
    "another sub": (policy(A, B, C, sub("d")), 2),                              # and its caller
    "one sub less": (policy(A, C), 1),                                          # its caller
    "declarations": (policy(A, B, C).replace(HEAD, HEAD + 'backend other { .host = "127.0.0.2"; }\nacl near { "10.0.0.0"/8; }\n')
                     + "sub vcl_hit { if (client.ip ~ near) { set req.backend_hint = other; } }\n", 1),
}


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_compiles_changed_functions_only(edit: str, level: int, tmp_path: Path) -> None:
    objects = Objects()
    first, _ = compiled(policy(A, B, C), tmp_path, objects, level)
    text, expected = EDITS[edit]
    count, warm = compiled(text, tmp_path, objects, level)
    assert (first, count) == (17, expected)    # fourteen hooks and three subs
    assert compiled(text, tmp_path, None, level)[1] == warm                     # byte for byte


def test_an_edit_of_a_line_of_a_long_sub_compiles_one_chunk(tmp_path: Path) -> None:
    lines = [f'if (req.url ~ "^/{i}/[a-z]+$") {{ set req.http.a = "{i}"; set req.http.b = req.url + "{i}"; }}\n' for i in range(250)]
    objects = Objects()
    first, _ = compiled(HEAD + f"sub vcl_recv {{\n{''.join(lines)}}}\n", tmp_path, objects)
    assert first > 14 + 3                                                       # hooks, and several chunks
    lines[100] = lines[100].replace('"100"', '"another"')
    text = HEAD + f"sub vcl_recv {{\n{''.join(lines)}}}\n"
    count, warm = compiled(text, tmp_path, objects)
    assert count == 1
    assert compiled(text, tmp_path, None)[1] == warm


@pytest.mark.parametrize("level", [0, 2])
def test_a_changed_pattern_of_a_set_compiles_nothing(level: int, tmp_path: Path) -> None:
    """The code of a chain does not depend on its patterns, which are in a table of the image."""

    def rules(*patterns: str) -> str:
        tests = (f'if (req.url ~ "{pattern}") {{ set req.http.x = "{i}"; }}' for i, pattern in enumerate(patterns))
        return HEAD + "sub vcl_recv {\n" + "\n".join(tests) + "\n}\n"

    objects = Objects()
    assert compiled(rules("a(1)", "b(1)", "c(1)", "d(1)"), tmp_path, objects, level)[0] == 14
    edited = rules("a(1)", "b(2)", "c(1)", "d(1)")
    count, image = compiled(edited, tmp_path, objects, level)
    assert count == 0 and image == compiled(edited, tmp_path, None, level)[1]
    assert compiled(rules("a(1)", "b(2)", "c(1)", "d(1)", "e(1)"), tmp_path, objects, level)[0] == 1


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
    assert [compiled(HEAD, tmp_path, objects, level)[0] for level in (0, 2, 0, 2)] == [14, 14, 0, 0]


def test_compilers_do_not_share_objects(tmp_path: Path) -> None:
    objects = Objects()
    counts = []
    for compiler in (b"one", b"two", b"one"):
        run = Compilation("p", "/p.vcl", HEAD.encode(), Options(optimisation=0), tmp_path / "p.so", objects=objects, compiler=compiler)
        counts.append(compile_policy(run).functions_compiled)
    assert counts == [14, 14, 0]


def test_objects_made_before_an_abort_are_kept(tmp_path: Path) -> None:
    objects = Objects()
    objects.room = 5
    with pytest.raises(KeyboardInterrupt):
        compiled(policy(A, B, C), tmp_path, objects)
    objects.room = None
    count, image = compiled(policy(A, B, C), tmp_path, objects)
    assert count == 12
    assert image == compiled(policy(A, B, C), tmp_path, None)[1]


def test_a_store_may_lose_objects(tmp_path: Path) -> None:
    objects = Objects()
    _, first = compiled(policy(A, B, C), tmp_path, objects)
    for key in list(objects)[::2]:
        del objects[key]
    count, again = compiled(policy(A, B, C), tmp_path, objects)
    assert count == 9 and again == first
