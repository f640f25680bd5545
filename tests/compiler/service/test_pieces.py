"""A compile that reuses statements of earlier ones (semantics/pieces.py) gives the result of a compile from
nothing, and checks only what is new."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vernis import pipeline
from vernis.ir import ir
from vernis.ir.passes import run_passes
from support.reference.verify import check_module
from vernis.native.compile import ObjectStore
from vernis.native import codegen
from vernis.native.numbers import Numbers, numbered
from vernis.pipeline import Compilation, Options
from vernis.semantics import pieces, statements
from vernis.semantics.pieces import POLICY_TOKENS_MAX, SAME_FIRST_LINE_MAX, PieceStore
from vernis.syntax.limits import Limits

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/compiler/native"))
import random_language  # noqa: E402
from random_chains import chain_policies  # noqa: E402
from random_policies import policies  # noqa: E402

BACKEND = 'vcl 4.1;\nimport std;\nbackend default { .host = "127.0.0.1"; }\n'
EXAMPLES = [ROOT / "examples/quickstart/quickstart.vcl", ROOT / "examples/site/site.vcl"]
#: Lines that change the meaning of those behind them, or look as if they did.
LINES = ["", "# comment", "/*", "*/", '{"', '"}', "{", "}", "else", "else {", '"', "C{", "}C", "(", ";",
         'if (req.url == "/new") { set req.http.New = "1"; }', "if (true) {", "elseif (req.restarts > 1) {}",
         "return (pass);", "return;", "set req.http.Made = ", "/* one line */", "# /*", 'include "none.vcl";',
         'sub vcl_recv { if (req.url ~ "^/x") { unset req.http.X; } }', "sub other {", 'acl Host { "10.0.0.1"; }',
         'std.log("x");', 'set req.http.Text = {"', "sub late { }"]


class Memory:
    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self.objects.get(key)

    def put(self, key: str, content: bytes) -> None:
        self.objects[key] = content


def front(text: str, store: PieceStore | None, **options: object) -> Compilation:
    """A run up to the passes, whose result is dropped."""
    run = Compilation("", "<text>", text.encode(), Options(**options), pieces=store)  # type: ignore[arg-type]
    pipeline.run_stages(run, pipeline.LOWER)
    passed(run)
    pipeline.keep_pieces(run)
    return run


def passed(run: Compilation) -> ir.Module | None:
    """The module after the passes, each of which is checked."""
    if run.failed or run.module is None:
        return None
    check_module(run.module)
    return run_passes(run.module, after_each=check_module)


def results(run: Compilation) -> tuple[object, ...]:
    labels = run.checked.labels if run.checked is not None else []
    return pipeline.rendered_diagnostics(run, stock=True), run.module, passed(run), labels, run.names_asked


def same(text: str, store: PieceStore, **options: object) -> Compilation:
    """The run with the store, which must have the results of one without."""
    run = front(text, store, **options)
    assert results(run) == results(front(text, None, **options)), text
    return run


def reused(run: Compilation) -> int:
    return 0 if run.reuse is None else len(run.reuse.used)


def edited(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(9):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines.insert(at, rng.choice(LINES))
        case 4:
            lines[at] += " " + rng.choice(LINES)
        case 5:
            lines[at] = rng.choice(LINES) + " " + lines[at]
        case 6:
            lines[at] = lines[at].replace("X", "Y", 1)
        case 7:
            first, last = sorted((at, other))
            lines[first:last] = lines[first:last] * 2
        case _:
            place = rng.randrange(len(text) + 1)
            return text[:place] + rng.choice('{}();"/*#\n x') + text[place:]
    return "\n".join(lines)


def follow(seed: int, text: str, count: int) -> int:
    """Compiles a text and edits of it. Each edit starts from the last text without errors."""
    rng, store, found = random.Random(seed), PieceStore(), 0
    same(text, store, err_unref=False)
    for _ in range(count):
        changed = edited(rng, text)
        run = same(changed, store, err_unref=False)
        found += reused(run)
        text = text if run.failed else changed
    return found


#: Uses the declarations of random_policies, so that no warning prevents the reuse.
USES = "\nsub vcl_recv {\nif (client.ip ~ near) {\nset req.backend_hint = other;\n}\n}\n"

FEW = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@FEW
@given(policies(), st.integers(0, 1 << 30))
def test_edits_of_random_policies(policy: tuple[str, str], seed: int) -> None:
    follow(seed, policy[1] + USES, 6)


@FEW
@given(chain_policies(), st.integers(0, 1 << 30))
def test_edits_of_random_runs_of_rules(policy: tuple[str, str], seed: int) -> None:
    follow(seed, policy[1] + USES, 6)


@pytest.mark.parametrize("seed", range(6))
def test_edits_of_random_programs(seed: int) -> None:
    policy = random_language.random_policy(random.Random(seed))
    follow(seed, policy.text, 12)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_edits_of_the_examples(path: Path) -> None:
    assert sum(follow(seed, path.read_text(), 15) for seed in range(3)) > 20


def rules(count: int = 40) -> list[str]:
    return [f'    if (req.url ~ "^/a{i}/") {{ set req.http.X-Rule = "{i}"; }}' for i in range(count)]


#: A test of the field that the rules set. With it their bodies are code, not rows.
TEST_OF_RULE = '    if (req.http.X-Rule == "none") { return (pass); }'


def policy_of(lines: list[str], head: str = BACKEND) -> str:
    return head + "sub vcl_recv {\n" + "\n".join(lines) + "\n}\n"


@pytest.mark.parametrize("text", LINES)
def test_each_line_in_front_of_kept_statements(text: str) -> None:
    store = PieceStore()
    same(policy_of(rules(8)), store)
    for at in (0, 4, 8):
        lines = rules(8)
        lines.insert(at, text)
        same(policy_of(lines), store)
        lines[at] += " "  # in the same line
        same(policy_of([*lines[:at], lines[at] + lines[at + 1].lstrip() if at < 8 else lines[at], *lines[at + 2 :]]), store)


def test_a_changed_line_is_the_only_statement_that_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    store, checked, tokens = PieceStore(), [], []
    front(policy_of(rules()), store)
    whole = statements._check_statement
    monkeypatch.setattr(statements, "_check_statement", lambda cx, node: checked.append(node) or whole(cx, node))

    def edit(lines: list[str], head: str = BACKEND) -> tuple[int, int]:
        """How many rules a compile checks, and how many tokens it reads for the policy."""
        checked.clear()
        run = front(policy_of(lines, head), store)
        assert not run.failed and run.program is not None
        tokens[:] = [n for n in run.program.tokens.files if n == 0]  # type: ignore[attr-defined]
        mine = [node for node in checked if run.program.tokens.files[node.at[0]] == 0]  # type: ignore[attr-defined]
        return len(mine), len(tokens)

    nothing = edit(rules())
    assert nothing[0] == 0
    one = rules()
    one[7] = one[7].replace('"7"', '"seven"')
    assert edit(one) == (2, nothing[1] + 19)  # the `if` and its `set`
    assert edit(["# a line", *rules()]) == (0, nothing[1] + 1)
    assert edit(rules()[:20] + rules()[21:]) == nothing
    used = 'acl office { "10.0.0.1"; }\nsub vcl_pass { if (client.ip ~ office) { set req.http.Y = "1"; } }\n'
    assert edit(rules(), BACKEND + used)[0] == 2


def test_kept_statements_have_the_blocks_of_the_last_compile() -> None:
    """Also after the passes. So a pass finds the facts of an unchanged block, and what it has made of it."""
    store, base = PieceStore(), rules()
    edited = [*base[:20], base[20].replace('"20"', '"twenty"'), *base[21:]]
    runs = [front(policy_of([*lines, TEST_OF_RULE]), store) for lines in (base, base, edited)]
    for stage in (lambda run: run.module, passed):
        before, after = (stage(run).functions["vcl_recv"].blocks for run in runs[1:])
        changed = [number for number, (old, new) in enumerate(zip(before, after)) if old is not new]
        assert len(before) == len(after) > 80 and set(changed) <= {0, 40, 41, 42, *range(80, len(after))}


def image(path: Path, text: str, store: PieceStore | None, objects: ObjectStore | None) -> bytes:
    options = Options(optimisation=0)
    run = Compilation("", "<text>", text.encode(), options, path, pieces=store, objects=objects)
    pipeline.compile_policy(run)
    assert not run.failed
    pipeline.keep_pieces(run)
    return path.read_bytes()


#: Bodies and tests of rules. Equal shapes with other texts share machine code.
TESTS = ['req.url ~ "^/{n}/"', 'req.url ~ "{n}$"', 'req.http.Host == "{n}.example"', 'req.http.X{n}', "req.restarts > {n}",
         '(req.url ~ "a{n}" || req.http.A ~ "b[{n}]")', '(req.url == "/{n}" && req.http.B)', '!(req.http.Cookie ~ "c{n}")']
BODIES = ['set req.http.X = "{n}";', 'set req.http.Y{n} = req.url + "{n}" + req.http.Z;', "unset req.http.X{n};", "set req.grace = {n}s;",
          'set req.url = regsub(req.url, "^/{n}", "");', "return (pass);", 'std.log("{n}");', 'if (req.http.Q == "{n}") {{ unset req.http.Q; }}']
RULES = st.builds(lambda test, bodies, n, other: f'    if ({test.format(n=n)}) {{ {" ".join(b.format(n=other) for b in bodies)} }}',
                  st.sampled_from(TESTS), st.lists(st.sampled_from(BODIES), min_size=1, max_size=4), st.integers(0, 12), st.integers(0, 12))


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.data(), st.lists(RULES, min_size=5, max_size=140), st.integers(0, 1 << 30))
def test_images_of_edited_rules_are_those_of_a_compile_from_nothing(data: st.DataObject, lines: list[str], seed: int) -> None:
    """Edits, insertions, deletions and swaps."""
    rng, store, objects = random.Random(seed), PieceStore(), Memory()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "image.so"
        for _ in range(4):
            text = policy_of(lines)
            assert image(path, text, store, objects) == image(path, text, None, None), text
            at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            new = data.draw(st.lists(RULES, max_size=2))
            lines = [*lines[:at], *new, *lines[at + 1 :]]
            if lines:
                at, other = at % len(lines), other % len(lines)
                lines[at], lines[other] = lines[other], lines[at]
            else:
                lines = data.draw(st.lists(RULES, min_size=1, max_size=3))


def test_images_are_those_of_a_compile_from_nothing(tmp_path: Path) -> None:
    path = tmp_path / "image.so"
    store, objects = PieceStore(), Memory()
    base = rules(120)
    edits = [base, base[:50] + ["    # moved"] + base[50:], base[:30] + base[31:], list(reversed(base))]
    for lines in edits:
        assert image(path, policy_of(lines), store, objects) == image(path, policy_of(lines), None, objects)


def parts_found(edits: list[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many parts of each policy have the numbers of an earlier compile."""
    store, objects, found = PieceStore(), Memory(), []
    earlier: list[Numbers] = []
    now: list[Numbers] = []

    def noting(*arguments: Any) -> tuple[Numbers, bytes]:
        result = numbered(*arguments)
        now.append(result[0])
        return result

    for text in edits:
        now.clear()
        with monkeypatch.context() as patch:
            patch.setattr(codegen, "numbered", noting)
            code = image(path, text, store, objects)
        found.append(sum(any(one is old for old in earlier) for one in now))
        earlier += now
        assert code == image(path, text, None, objects), text
    return found


def test_unchanged_chunks_are_those_of_the_last_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = rules(300)
    edited = [*base[:160], base[160].replace('"160"', '"other"'), *base[161:]]
    longer = [*edited[:20], edited[20].replace("{ ", '{ set req.http.X-More = req.url + "more"; '), *edited[21:]]
    texts = [policy_of([*lines, TEST_OF_RULE]) for lines in (base, base, edited, edited, edited, longer)]
    # The rules are four chunks behind that of the first test. An edited rule, here inside of the third, has the blocks of
    # its compile once, and then those that are kept.
    assert parts_found(texts, tmp_path / "image.so", monkeypatch) == [0, 0, 3, 3, 4, 0]


@pytest.mark.parametrize("edit", [('"^/a299/"', '"^/b299/"'), ('Rule = "299"', 'Rule = "300"'), ('"end"', "req.url")])
def test_a_chunk_takes_part_in_edits_elsewhere(edit: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The image is that of a compile from nothing, also if exits and patterns elsewhere are others."""
    text = policy_of([*rules(300), TEST_OF_RULE, 'std.log("end");', 'if (req.url ~ "last") { return (pass); }'])
    parts_found([text, text, text.replace(*edit), text], tmp_path / "image.so", monkeypatch)


def test_the_same_statement_of_another_hook_is_checked_again() -> None:
    store = PieceStore()
    line = 'if (req.restarts > 0) { set req.http.A = "1"; }\n'
    run = same(BACKEND + f"sub vcl_recv {{\n{line}}}\n", store)
    assert reused(same(BACKEND + f"sub vcl_recv {{\n{line}}}\n", store)) == 1
    run = same(BACKEND + f"sub vcl_backend_fetch {{\n{line}}}\n", store)
    assert run.failed and reused(run) == 0
    assert reused(same(BACKEND + f"sub vcl_deliver {{\n{line}}}\n", store)) == 0
    assert reused(same(BACKEND + f"sub vcl_deliver {{\n{line}}}\n", store)) == 1
    assert reused(same(BACKEND + f"sub vcl_recv {{\n{line}}}\n", store)) == 1


def test_a_statement_of_a_sub_that_another_hook_calls_is_checked_again() -> None:
    store = PieceStore()
    text = BACKEND + 'sub vcl_recv { call mine; }\nsub mine {\nif (req.restarts > 0) { set req.http.A = "1"; }\n}\n'
    same(text, store)
    assert reused(same(text, store)) == 1
    run = same(text + "sub vcl_backend_fetch { call mine; }\n", store)
    assert run.failed and reused(run) == 0


def test_a_statement_whose_word_becomes_a_declaration_is_checked_again() -> None:
    store = PieceStore()
    text = BACKEND + 'sub vcl_recv {\nif (req.http.office) { set req.http.B = "1"; }\n%s}\n'
    same(text % "", store)
    assert reused(same(text % "", store)) == 1
    used = "if (client.ip ~ office) { return (pass); }\n"
    assert reused(same('vcl 4.1;\nacl office { "10.0.0.1"; }\n' + text[len("vcl 4.1;") :] % used, store)) == 0


def test_options_are_part_of_a_statement() -> None:
    store = PieceStore()
    for counted in (True, False, True):
        same(policy_of(rules(3)), store, rule_counters=counted)
    assert reused(same(policy_of(rules(3)), store, rule_counters=False)) == 3
    assert reused(same(policy_of(rules(3)).replace("4.1", "4.0"), store)) == 0


def test_warnings_come_with_each_compile() -> None:
    store = PieceStore()
    unused = BACKEND + 'acl unused { "10.0.0.1"; }\n'
    for _ in range(3):
        assert "V602" in pipeline.rendered_diagnostics(same(policy_of(rules(3), unused), store, err_unref=False))


def test_the_store_is_bounded() -> None:
    store = PieceStore(bytes_max=200_000)
    for start in range(10):
        lines = [f'    if (req.url ~ "^/b{start * 40 + i}/") {{ set req.http.X = "{i}"; }}' for i in range(40)]
        same(policy_of(lines), store)
        assert 0 < store.bytes_used <= store.bytes_max
    assert reused(same(policy_of(lines), store)) > 0
    assert {text.partition(b"\n")[0] for text in store.by_text} == set(store.by_line)
    store.bytes_max = 0
    same(policy_of(lines[:-1] + rules(1)), store)
    assert (store.bytes_used, len(store.by_text), len(store.by_line)) == (0, 0, 0)


def test_a_statement_with_the_name_of_a_host_is_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no run reaches the name, because the load fails when the name has no address."""
    store, addresses = PieceStore(), [b"\x7f\0\0\1"]
    monkeypatch.setattr("vernis.semantics.options.system_resolver", lambda _: list(addresses))
    line = 'if (req.url == "/") { return (pass); if (client.ip == "shop.test") { set req.http.A = "1"; } }'
    for _ in range(2):
        run = same(policy_of([line]), store)
        assert not run.failed and reused(run) == 0 and list(run.names_asked) == [("host", "shop.test")]
    addresses.clear()
    assert same(policy_of([line]), store).failed


def test_large_policies_have_no_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part may be within the limits of a whole policy."""
    assert POLICY_TOKENS_MAX < min(Limits().tokens, 3 * ir.RULES_MAX)
    store = PieceStore()
    program = same(policy_of(rules(80)), PieceStore()).program
    assert program is not None
    monkeypatch.setattr(pieces, "POLICY_TOKENS_MAX", len(program.tokens) - 1)  # type: ignore[arg-type]
    same(policy_of(rules(80)), store)
    assert not store.by_text
    for first in (0, 40):
        same(policy_of(rules(80)[first : first + 40]), store)
    assert len(store.by_text) == 80 and reused(same(policy_of(rules(80)), store)) == 0
    assert reused(same(policy_of(rules(40)), store)) == 40


def test_a_kept_statement_inside_another_one_is_no_statement() -> None:
    kept = rules(1)[0]
    inside = [
        ["set req.http.A = req.url", kept, ";"],
        ["return (pass)", kept, ";"],
        ["return (", kept, "pass);"],
        ["if (req.url)", kept, "{ }"],
        ["if (req.url) { }", kept, "else { }"],
        ["if (req.url) { } else", kept, "{ }"],
        ["if (req.url) {", kept, "}"],
        ["{", kept, "}"],
        ["/*", kept, "*/"],
        ['set req.http.A = {"', kept, '"};'],
        ['set req.http.A = """', kept, '""";'],
        ["C{", kept, "}C"],
        ["}", kept, "sub vcl_hash {"],
        ["} sub vcl_hash", kept, "{"],
    ]
    for lines in inside:
        for whole in (lines, [kept, *lines]):
            store = PieceStore()
            same(policy_of([kept]), store)
            assert reused(same(policy_of(whole), store)) == 0, whole
    assert reused(same(policy_of([kept, "return (pass);", kept]), store)) == 2


def test_texts_with_the_same_first_line_are_bounded() -> None:
    store = PieceStore()
    for start in range(2):
        bodies = [f'if (req.url == "/") {{\nset req.http.X = "{start}-{i}";\n}}' for i in range(SAME_FIRST_LINE_MAX)]
        same(policy_of(bodies), store)
    assert [len(texts) for texts in store.by_line.values()] == [SAME_FIRST_LINE_MAX]


def test_tokens_keep_their_places_without_the_kept_statements() -> None:
    rules = "".join(f'    if (req.url ~ "^/{i}") {{\n        set req.http.X = "{i}";\n    }}\n' for i in range(6))
    text = f"{BACKEND}sub vcl_recv {{\n{rules}}}\nsub vcl_deliver {{ unset resp.http.X; }}\n"
    store = PieceStore()
    front(text, store)
    edits = [text.replace('"^/3"', '"^/three"'), text.replace("}\nsub vcl_d", " /* ü */ }\nsub vcl_d"),
             text.replace("    if", "# a comment\n    if", 1),
             text.replace('"^/0"', '"^/none"').replace('"^/5"', '"^/five"')]
    for edit in edits:
        run, whole = front(edit, store), front(edit, None)
        assert reused(run) > 0
        assert run.program is not None and whole.program is not None
        table, other = run.program.tokens, whole.program.tokens
        places = set(zip(other.files, other.types, other.starts, other.ends, other.lines, other.line_starts))
        mine = list(zip(table.files, table.types, table.starts, table.ends, table.lines, table.line_starts))
        assert len(mine) < len(places) and places.issuperset(mine)
