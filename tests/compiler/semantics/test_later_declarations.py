"""Declarations of later releases of Varnish: networks that an ACL folds, and names that are meant to be unused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from semantics_helpers import assert_as_written, check, policy

from vernis.semantics.typed import AclEntry


def entries(flags: str, *lines: str) -> list[AclEntry]:
    result = check(policy(f"acl a {flags} {{ {' '.join(lines)} }} sub vcl_recv {{ if (client.ip ~ a) {{ return (pass); }} }}"))
    assert result.codes == []
    return list(result.checked.acls[0].entries)


def texts(flags: str, *lines: str) -> list[str]:
    return [("! " if e.negated else "") + e.text for e in entries(flags, *lines)]


def test_two_halves_become_their_network() -> None:
    halves = ('"192.0.2.0"/25;', '"192.0.2.128"/26;', '"192.0.2.192"/26;')
    assert texts("", *halves) == ['"192.0.2.128"/26', '"192.0.2.192"/26', '"192.0.2.0"/25']
    assert texts("-fold", *halves) == texts("", *halves)
    assert texts("+fold", *halves) == ['"192.0.2.0"/24 fixed: folded']       # as Varnish logs it
    assert texts("+fold(-report)", *halves) == texts("+fold", *halves)


def test_what_a_network_contains_is_left_out_unless_a_negated_entry_lies_between() -> None:
    assert texts("+fold", '"10.0.0.0"/8;', '"10.1.2.3";') == ['"10.0.0.0"/8']
    kept = ['"10.1.2.0"/24', '! "10.1.0.0"/16', '"10.0.0.0"/8']
    assert texts("+fold", '"10.0.0.0"/8;', '! "10.1.0.0"/16;', '"10.1.2.0"/24;') == kept
    assert texts("+fold", '"10.0.0.0"/8;', '! "10.1.0.0"/16;', '"10.1.0.0"/17;', '"10.1.128.0"/17;') == ['"10.0.0.0"/8']


def test_addresses_of_ipv6_fold_among_themselves() -> None:
    assert texts("+fold", '"2001:db8::"/33;', '"2001:db8:8000::"/33;', '"32.1.13.184";') == ['"32.1.13.184"', '"2001:db8::"/32 fixed: folded']


def matches(acl: list[AclEntry], address: int) -> bool:
    """The longest network decides: `acl` is sorted by it."""
    for e in acl:
        if (int.from_bytes(e.address, "big") ^ address) >> (32 - e.bits) == 0:
            return not e.negated
    return False


@given(st.lists(st.tuples(st.integers(0, 31), st.integers(27, 32), st.booleans()), min_size=1, max_size=12,
                unique_by=lambda e: (e[0] >> 32 - e[1], e[1])))
def test_a_folded_acl_matches_the_same_addresses(networks: list[tuple[int, int, bool]]) -> None:
    lines = [f'{"! " if negated else ""}"192.0.2.{host >> 32 - bits << 32 - bits}"/{bits};' for host, bits, negated in networks]
    plain, folded = entries("", *lines), entries("+fold", *lines)
    first = 192 << 24 | 2 << 8
    assert [matches(plain, first + i) for i in range(256)] == [matches(folded, first + i) for i in range(256)]
    assert len(folded) <= len(plain)


@pytest.mark.parametrize("flag", ["-fold(-report)", "+fold(-loud)", "+log(-report)"])
def test_other_flags_in_parentheses_are_errors(flag: str) -> None:
    result = check(policy(f'acl a {flag} {{ "192.0.2.1"; }} sub vcl_recv {{ if (client.ip ~ a) {{ return (pass); }} }}'))
    assert result.codes == ["V511"] and result.one.source.help == "write: +fold(-report)"


def test_a_name_may_be_meant_to_be_unused() -> None:
    text = policy("""
        probe p { }
        unused p;
        acl a { "192.0.2.1"; }
        unused a;
        acl b { "192.0.2.1"; }              ### V602 "acl b is never used"
        sub s { }
        unused s;
        unused req;                         ### V301 "there is no req"
        backend unused none;                // no reserved word
        sub vcl_recv { set req.backend_hint = unused; }
    """)
    assert_as_written(text, check(text))
