"""The query language, compared with a plain evaluation in Python and with varnishlog."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from observe.logs import VARNISHLOG, fetch, interleaved, record, request, stock, write_dump
from support.stock import NEW_LOG, needs_before
from vernis.observe import tags
from vernis.observe.query import QueryError, compile_query
from vernis.observe.records import Record
from vernis.observe.select import Selection
from vernis.observe.stream import View, from_file
from vernis.observe.text import group_text
from vernis.observe.transactions import Group, Grouper, Grouping, Transaction

EXTRA = [("ReqHeader", 'X-Quoted: "two words" 7'), ("ReqHeader", "X-Num: 42.5abc"), ("ReqHeader", "x-big: 1234567890123456"),
         ("VCL_Log", "k:v"), ("ReqHeader", "X-Empty:")]


def log() -> list[Record]:
    result = []
    for number, (url, status) in enumerate((("/a", 200), ("/b", 503), ("/c?x=1.5", 404), ("/", 700))):
        vxid = 10 * number + 2
        result += interleaved(request(vxid, 1, url, vxid + 1, status=status, extra=EXTRA[number:]),
                              fetch(vxid + 1, vxid, url, status))
    return [*result, record("CLI", "Rd ping")]


GROUPS = {grouping: list(Grouper(grouping).feed(log())) for grouping in (Grouping.RAW, Grouping.VXID, Grouping.REQUEST)}


def matches(query: str, grouping: Grouping = Grouping.REQUEST) -> list[int]:
    predicate = compile_query(query)
    return [group[0].vxid for group in GROUPS[grouping] if predicate(group)]


@pytest.mark.parametrize("query, found", [
    ("ReqURL eq '/a'", [2]),
    ("ReqURL ne '/a'", [12, 22, 32]),
    ('ReqURL ~ "^/[ab]$"', [2, 12]),
    ("RespStatus >= 500", [12, 32]),
    ("RespStatus >= 500 and not BerespStatus == 503", [32]),
    ("RespStatus == 200 or RespStatus == 404", [2, 22]),
    ("not (RespStatus == 200 or RespStatus == 404)", [12, 32]),
    ("ReqHeader:host", [2, 12, 22, 32]),
    ("ReqHeader:X-Quoted[1] eq 'two words'", [2]),
    ("ReqHeader:X-Quoted[2] == 7", [2]),
    ("ReqHeader:X-Quoted[3]", []),
    ("ReqHeader:X-Num > 42.4", [2, 12]),
    ("ReqHeader:X-Num == 42", [2, 12]),                 # a fraction is compared by its whole part
    ("ReqHeader:X-Num != 0x2a", []),                    # numbers are written as in C
    ("ReqHeader:x-BIG > 1", []),    # a text of more than 15 digits does not count as a number
    ("Timestamp:Resp[2] > 0.4", [2, 12, 22, 32]),
    ("{2}Timestamp:Resp[2] > 0.4", []),
    ("{2+}BerespStatus == 404", [22]),
    ("{1-}BerespStatus == 404", []),
    ("Req*,Bereq* ~ '^/c'", [22]),
    ("*url ~ '^/c'", [22]),
    ("beresps == 503", [12]),                           # an unambiguous prefix of a tag, in any case
    ("vxid == 13", [12]),
    ("vxid < 12", [2]),
    ("# nothing\nReqURL eq '/a' # one\n\nReqURL eq '/b'", [2, 12]),
    ("ReqURL \\\n eq \\\n '/a'", [2]),
    ("ReqURL eq \"/\\a\"", [2]),    # after a backslash, the next character is taken literally
])
def test_queries_find_groups(query: str, found: list[int]) -> None:
    assert matches(query) == found


@pytest.mark.parametrize("query, message, at", [
    ("", "empty", 0),
    ("# only a comment", "empty", 0),
    ("ReqUrll eq x", "did you mean ReqURL?", 0),
    ("Req eq x", "ambiguous", 0),
    ("R*q*l eq x", "more than one *", 0),
    ("ReqURL eq", "expected a text, not the end of the line", 9),
    ("ReqURL is x", "expected an operator", 7),
    ("ReqURL ~ '(a'", "missing closing parenthesis", 9),
    ("RespStatus == abc", "'abc' is not a number", 14),
    ("RespStatus == 1.5x", "'1.5x' is not a number", 14),
    ("ReqURL eq 'a", "not ended on its line", 10),
    ("(ReqURL", "expected ')', not the end of the line", 7),
    ("ReqURL)", "expected 'and', 'or' or the end, not ')'", 6),
    ("ReqURL[0] eq a", "counted from 1", 7),
    ("{x}ReqURL", "a level is written", 1),
    ("vxid", "expected an operator for numbers", 4),
    ("vxid == 1.5", "whole number", 8),
    ("ReqURL,vxid == 1", "vxid stands alone", 7),
    ("ReqURL eq a ; b", "unexpected ';'", 12),
    ("ReqURL\nReqUrll", "did you mean", 7),
    ("(" * 200 + "ReqURL" + ")" * 200, "too many nested parentheses", 101),
])
def test_mistakes_are_reported_with_their_position(query: str, message: str, at: int) -> None:
    with pytest.raises(QueryError) as caught:
        compile_query(query)
    assert message in str(caught.value) and caught.value.at == at


def test_a_query_can_ignore_case() -> None:
    predicate = compile_query("ReqURL eq '/A' and ReqURL ~ '^/A'", caseless=True)
    assert [group[0].vxid for group in GROUPS[Grouping.REQUEST] if predicate(group)] == [2]


# ---- random ones -------------------------------------------------------------------------------------------

TAGS = ("ReqURL", "RespStatus", "BerespStatus", "ReqHeader", "Timestamp", "VCL_call", "Begin", "ReqAcct")
PREFIXES = ("", ":host", ":x-num", ":Resp", ":x-quoted", ":Fetch")
selections = st.builds(lambda level, tag, prefix, field: f"{level}{tag}{prefix}{field}",
                       st.sampled_from(("", "", "{1}", "{2}", "{1+}", "{1-}", "{0}")), st.sampled_from(TAGS),
                       st.sampled_from(PREFIXES), st.sampled_from(("", "", "[1]", "[2]", "[3]")))
numbers = st.sampled_from(("0", "200", "503", "0.25", "0.5", "42.5", "42", "7", "-1", "0x1f7", "1."))
texts = st.sampled_from(("'/a'", "RECV", "'two words'", "200", '"0.25"', "example.org", "x"))
comparisons = st.one_of(
    selections,
    st.tuples(selections, st.sampled_from(("==", "!=", "<", "<=", ">", ">=")), numbers).map(" ".join),
    st.tuples(selections, st.sampled_from(("eq", "ne", "~", "!~")), texts).map(" ".join),
    st.tuples(st.just("vxid"), st.sampled_from(("==", "!=", "<", ">=")), st.sampled_from(("2", "13", "22", "0"))).map(" ".join))
queries = st.recursive(comparisons, lambda inner: st.one_of(
    st.tuples(inner, st.sampled_from(("and", "or")), inner).map(" ".join),
    inner.map("({})".format), inner.map("not ({})".format)), max_leaves=5)


def plain(query: str, group: Group) -> bool:
    """Evaluates a query with Python: replaces each comparison by its value, then calls ``eval``."""
    comparison = re.compile(r"""(?P<level>\{\d[+-]?\})?(?P<tag>[A-Z]\w*|vxid)(?::(?P<prefix>[\w-]+))?(?:\[(?P<field>\d)\])?
                                (?:\s(?P<op>==|!=|<=|>=|<|>|eq|ne|~|!~)\s(?P<value>"[^"]*"|'[^']*'|[^\s()]+))?""", re.VERBOSE)
    def value(found: re.Match[str]) -> str:
        if found[0] in ("and", "or", "not"):
            return found[0]
        return str(any(plain_comparison(found, transaction) for transaction in group))
    return bool(eval(comparison.sub(value, query)))


def plain_comparison(found: re.Match[str], transaction: Transaction) -> bool:
    operator, operand = found["op"], (found["value"] or "").strip("'\"")
    if found["tag"] == "vxid":
        return bool(eval(f"{transaction.vxid} {operator} {operand}"))
    if level := found["level"]:
        wanted = int(level[1])
        if not {"}": transaction.level == wanted, "+": transaction.level >= wanted, "-": transaction.level <= wanted}[level[2]]:
            return False
    for one in transaction.records:
        text = one.text.decode()
        if tags.name_of(one.tag) != found["tag"]:
            continue
        if found["prefix"]:
            name, colon, rest = text.partition(":")
            if not colon or name.lower() != found["prefix"].lower():
                continue
            text = rest.strip()
        if found["field"]:
            parts = [quoted or word for quoted, word in re.findall(r'"([^"]*)"|(\S+)', text)]
            if len(parts) < int(found["field"]):
                continue
            text = parts[int(found["field"]) - 1]
        if operator is None or plain_test(operator, text, operand):
            return True
    return False


def plain_test(operator: str, text: str, operand: str) -> bool:
    match operator:
        case "eq" | "ne":
            return (text == operand) == (operator == "eq")
        case "~" | "!~":
            return (re.search(operand, text) is not None) == (operator == "~")
    number = re.match(r"-?\d{1,15}(\.\d*)?(?!\d)", text)
    if number is None:
        return False
    whole, _, decimals = number[0].partition(".")
    left = float(f"{whole}.{decimals[:3]}") if "." in operand else int(whole)
    right = float(operand) if "." in operand else int(operand, 0)
    return bool(eval(f"{left} {operator} {right}"))


@settings(max_examples=300, deadline=None)
@given(query=queries, grouping=st.sampled_from((Grouping.VXID, Grouping.REQUEST)))
def test_a_query_finds_the_same_groups_as_plain_python(query: str, grouping: Grouping) -> None:
    predicate = compile_query(query)
    assert [predicate(group) for group in GROUPS[grouping]] == [plain(query, group) for group in GROUPS[grouping]], query


@pytest.mark.skipif(not VARNISHLOG.exists(), reason="varnish is not installed")
@needs_before(NEW_LOG, "a text is a number only as a whole")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(query=queries, grouping=st.sampled_from(list(Grouping)))
def test_a_query_finds_the_same_groups_as_varnishlog(query: str, grouping: Grouping, tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "dump", log())
    selection = Selection()
    with dump.open("rb") as file:
        groups = from_file(file, "dump", View(grouping, compile_query(query)))
        found = b"".join(group_text(group, selection, False) for group in groups)
    assert found == stock("-r", dump, "-g", grouping.name.lower(), "-q", query), query


@settings(max_examples=300, deadline=None)
@given(text=st.text(st.sampled_from(" \t\n\\\"'()[]{}:,<>=!~#*+-.019aeqntxidvorRURL"), max_size=30))
def test_any_text_is_a_query_or_an_error(text: str) -> None:
    try:
        compile_query(text)
    except QueryError:
        pass
