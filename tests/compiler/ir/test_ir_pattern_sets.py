"""Chains of tests become look-ups in pattern sets: the IR as text, and the number of PCRE2 calls that remain
for many rules."""

from __future__ import annotations

import pytest

from vernis.ir import ir
from vernis.ir.passes import run_passes
from vernis.ir.pretty import function_text, module_text
from support.reference.verify import check_module
from vernis.pipeline import LOWER, Compilation, Options, run_stages

HEAD = "vcl 4.1;\nbackend default none;\n"


def passed(text: str, rule_counters: bool = True) -> ir.Module:
    options = Options(err_unref=False, builtin=False, rule_counters=rule_counters)
    run = run_stages(Compilation("p", "/p.vcl", (HEAD + text).encode(), options), LOWER)
    assert not run.failed and run.module is not None, [str(d) for d in run.diagnostics.items]
    return run_passes(run.module, after_each=check_module)


def lines(text: str, hook: str = "vcl_recv") -> list[str]:
    module = passed(text, rule_counters=False)
    return [line.strip() for line in function_text(module, module.functions[hook]).splitlines()[1:]]


def count(module: ir.Module, kind: type, hook: str = "vcl_recv") -> int:
    return sum(isinstance(op, kind) for block in module.functions[hook].blocks for op in block.ops)


def rules(n: int, test: str = 'req.url ~ "^/app{i}/(foo|bar)/[0-9]+$"') -> str:
    return "".join(f'if ({test.format(i=i)}) {{ set req.http.X-App = "{i}"; }}\n' for i in range(n))


def code_rules(n: int, test: str = 'req.url ~ "^/app{i}/(foo|bar)/[0-9]+$"') -> str:
    """Their bodies are code."""
    return rules(n, test).replace("; }", "; set req.http.X-Url = req.url; }")


def test_a_thousand_rules_are_two_switches_and_no_match() -> None:
    """One switch for the first test, one for those behind a body."""
    module = passed(f"sub vcl_recv {{\n{code_rules(1000)} return (hash); }}")
    assert [count(module, kind) for kind in (ir.NextMatch, ir.Switch, ir.Match, ir.Branch)] == [2, 2, 0, 0]
    assert module.chains[0].bodies == tuple(range(1000)) and module.chains[0].n_exits == 1000
    assert module.pattern_sets == [ir.PatternSet(0, 1000)]
    assert module.chains[0].subjects == (ir.ChainSubject(0, 0, tuple(range(1000))),)
    lines = [module.sites[site].line for site in module.chains[0].sites]
    assert lines == list(range(4, 1004))                                   # each rule has its own statement


def test_few_rules_stay_as_they_are() -> None:
    module = passed(f"sub vcl_recv {{\n{rules(3)} return (hash); }}")
    assert count(module, ir.Match) == 3 and not module.pattern_sets


def test_comparisons_that_are_inlined_count_less() -> None:
    test = 'req.url ~ "^/x{i}" || req.method == "M{i}"'
    few, many = (passed(f"sub vcl_recv {{ {rules(n, test)} return (hash); }}") for n in (10, 11))
    assert (len(few.chains), len(many.chains)) == (0, 1)


def test_each_subject_must_pay_for_its_look_up() -> None:
    test = 'req.url == "/{i}" || req.http.host == "{i}" || req.http.cookie == "{i}"'
    few, many = (passed(f"sub vcl_recv {{ {rules(n, test)} return (hash); }}") for n in (6, 7))
    assert (len(few.chains), len(many.chains)) == (0, 1)                   # 18 tests of one subject are enough


def test_many_begins_of_texts_are_one_look_up() -> None:
    test = 'req.url ~ "^/page/{i}x"'
    few, many = (passed(f"sub vcl_recv {{ {rules(n, test)} return (hash); }}") for n in (23, 24))
    assert (len(few.chains), len(many.chains)) == (0, 1)


def test_many_equalities_are_one_look_up() -> None:
    test = 'req.url == "/page/{i}"'
    few, many = (passed(f"sub vcl_recv {{ {rules(n, test)} return (hash); }}") for n in (15, 16))
    assert [count(few, kind) for kind in (ir.CompareOp, ir.NextMatch)] == [15, 0]
    assert [count(many, kind) for kind in (ir.CompareOp, ir.NextMatch, ir.Switch, ir.Branch)] == [0, 1, 0, 0]
    assert many.patterns == [ir.Pattern(None, b"/page/%d" % i) for i in range(16)]


def test_bodies_return_to_the_dispatch() -> None:
    assert lines("""sub vcl_recv {
        if (req.url ~ "a(1)") { set req.url = "x"; }
        if (req.http.h ~ "b(1)" && req.url == "/") { return (pass); }
        elseif ("c" == req.http.h || req.url ~ "d(1)") { set req.http.u = req.url; return (hash); }
        if (req.url ~ "e(1)") { unset req.http.h; }
        if (req.url ~ "f(1)") { unset req.http.h; }
        return (hash); }""") == [
        "slots s0:INT",
        "b0:", "site 2 0:4:9", "v18 INT = 0", "v20 STRING = get_req_url()", "v21 STRING = get req.http.h", "v19 INT = next of chain 0 from v18 of v20, v21", "switch v19 b1 b5 b6 b7 b9 else b10",
        "b1:", "site 3 0:4:33", 'v2 STRING = "x"', "set_req_url(v2)", "jump b2",
        "b2:", "v26 INT = 1", "store s0 = v26", "jump b11",
        "b3:", "site 5 0:5:54", "return pass",
        "b4:", "v27 INT = 2", "store s0 = v27", "jump b11",
        "b5:", "v5 STRING = get_req_url()", 'v6 STRING = "/"', "v7 BOOL = v5 == v6", "branch v7 b3 b4",
        "b6:", "site 7 0:6:58", "v13 STRING = get_req_url()", "set req.http.u = v13", "site 8 0:6:84", "return hash",
        "b7:", "site 10 0:7:33", "unset req.http.h", "jump b8",
        "b8:", "v30 INT = 5", "store s0 = v30", "jump b11",
        "b9:", "site 12 0:8:33", "unset req.http.h", "jump b10",
        "b10:", "site 13 0:9:9", "return hash",
        "b11:", "v22 INT = load s0", "v24 STRING = get_req_url()", "v25 STRING = get req.http.h", "v23 INT = next of chain 0 from v22 of v24, v25", "switch v23 b1 b5 b6 b7 b9 else b10"]


#: Bodies of a test of req.url and of req.http.h, and the row of each (None: code).
BODIES = {
    'set req.http.a = "1";': 'set req.http.a = "1"; test 1',
    'set req.http.a = "1"; unset req.http.b;': 'set req.http.a = "1"; unset req.http.b; test 1',
    "": "test 1",
    "return (pass);": "exit 0",
    'set req.http.a = ""; return (pass);': 'set req.http.a = ""; exit 0',
    'set req.http.h = "1"; return (pass);': 'set req.http.h = "1"; exit 0',       # the tests are over
    'set req.http.h = "1";': None,                                              # a subject
    "unset req.http.H;": None,
    "set req.http.a = req.url;": None,
    'set req.url = "/";': None,
    "if (req.http.x) { unset req.http.a; }": None,
    "return (synth(404));": None,
}


@pytest.mark.parametrize("body", BODIES)
def test_simple_bodies_are_rows(body: str) -> None:
    module = passed(f"""sub vcl_recv {{ if (req.url ~ "a(1)") {{ {body} }}
        {code_rules(4)} {code_rules(4, 'req.http.h == "{i}"')} return (hash); }}""", rule_counters=False)
    printed = next(line.strip() for line in module_text(module).splitlines() if line.startswith("  0: "))
    wanted = BODIES[body]
    assert printed == (f"0: {wanted}" if wanted is not None else "0: exit 0")
    assert isinstance(module.chains[0].bodies[0], ir.Row) == (wanted is not None)


def test_rows_need_no_code_and_know_their_rules() -> None:
    module = passed(f"sub vcl_recv {{\n{rules(1000)} return (hash); }}")
    assert [count(module, kind) for kind in (ir.NextMatch, ir.Switch, ir.HeaderSet, ir.Count)] == [1, 0, 0, 1]
    rows = [body for body in module.chains[0].bodies if isinstance(body, ir.Row)]
    assert [row.rule for row in rows] == list(range(1, 1001)) and [row.next for row in rows] == list(range(1, 1001))


def test_arms_of_one_if_go_on_behind_it() -> None:
    arms = " else".join(f'if (req.url ~ "a{i}(1)") {{ set req.http.a = "{i}"; }}' for i in range(4))
    module = passed(f"sub vcl_recv {{ {arms} {rules(4)} return (hash); }}")
    assert [body.next for body in module.chains[0].bodies if isinstance(body, ir.Row)] == [4, 4, 4, 4, 5, 6, 7, 8]


def test_a_row_changes_no_text_that_other_fields_may_give() -> None:
    """A variable of the client may follow from fields, so its tests need it again behind each change."""
    tests = 'if (client.identity ~ "{i}(1)") {{ set req.http.a = "1"; }}'
    module = passed(f"sub vcl_recv {{ {''.join(tests.format(i=i) for i in range(6))} return (hash); }}")
    assert not any(isinstance(body, ir.Row) and body.next != 6 for body in module.chains[0].bodies)


def test_a_sub_uses_the_sets_of_its_hook() -> None:
    body = "".join(f'set req.http.x{i} = "{i}" + req.url;' for i in range(9))
    module = passed(f"""sub more {{ if (req.url !~ "n(1)") {{ {body} }} }}
        sub vcl_recv {{ {rules(4)} call more; call more; return (hash); }}
        sub vcl_deliver {{ if (req.url ~ "d(1)") {{ return (deliver); }} return (deliver); }}""")
    assert len(module.pattern_sets) == 1 and module.pattern_sets[0].n == 5
    assert (count(module, ir.PatternTest, "more"), count(module, ir.Match, "more")) == (1, 0)
    assert count(module, ir.Match, "vcl_deliver") == 1                     # a single test needs no set


def test_equal_patterns_outside_of_chains_are_shared() -> None:
    module = passed('sub vcl_recv {' + 'set req.http.x = req.url; if (req.url ~ "same(1)") { unset req.http.y; }' * 4 + "return (hash); }")
    assert count(module, ir.PatternTest) == 4 and module.patterns == [ir.Pattern(0)]


def test_substitutions_stay_as_they_are() -> None:
    lines_of = "".join(f'set req.url = regsub{kind}(req.url, "[?&]p{i}=[^&]*", "");' for i, kind in enumerate(["", "all"] * 4))
    module = passed(f"sub vcl_recv {{ {lines_of} return (hash); }}")
    assert not module.pattern_sets and count(module, ir.Call) >= 8


def test_only_plain_texts_are_subjects() -> None:
    """A computed text, which may fail to be made, is tested test by test."""
    joined, replaced = rules(9, 'req.url + "x" ~ "a{i}(1)"'), rules(9, 'regsub(req.url + "x", "a", "b") ~ "b{i}(1)"')
    module = passed(f"sub vcl_recv {{ {joined} return (hash); }} sub vcl_hash {{ {replaced} return (lookup); }}")
    assert not module.pattern_sets and count(module, ir.Match) == 9 == count(module, ir.Match, "vcl_hash")


def test_the_subjects_of_a_chain_are_limited() -> None:
    tests = rules(40, 'req.http.h{i} ~ "a(1)"')
    module = passed(f"sub vcl_recv {{ {tests} return (hash); }}")
    assert [len(chain.subjects) for chain in module.chains] == [8] * 5


def test_a_full_set_is_followed_by_another(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("vernis.ir.passes.pattern_sets.SET_MAX", 10)
    module = passed(f"sub vcl_recv {{ {rules(25)} return (hash); }}")
    assert [found.n for found in module.pattern_sets] == [10, 10, 5] and len(module.chains) == 3


def test_tests_keep_values_computed_before_them() -> None:
    """A value that crosses a test: the first operand of a join is computed before the tests of the second."""
    chain = "||".join(f'req.url ~ "a{i}(1)"' for i in range(6))
    module = passed(f'sub vcl_recv {{ set req.http.x = req.http.y + ({chain}) + req.http.z; return (hash); }}')
    assert count(module, ir.NextMatch) == 1 and count(module, ir.Match) == 0


def test_the_printed_form_of_the_tables() -> None:
    module = passed(f'sub vcl_recv {{ {rules(4)} if (req.http.h == "x") {{ return (pass); }} return (hash); }}')
    text = module_text(module)
    assert 'pattern 4 is "x"\nset 0 patterns 0 to 3\nset 1 patterns 4 to 4\nchain 0 tests 0 1 2 3 of set 0 from pattern 0, ' in text
