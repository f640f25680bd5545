"""`vernis log` prints the same text as varnishlog, also for logs with missing or invalid records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from observe.logs import VARNISHLOG, fetch, interleaved, record, request, stock, write_dump
from support.stock import reads_later_form
from vernis.observe import records as records_module
from vernis.observe import tags
from vernis.observe.records import BACKEND, CLIENT, DumpError, Record
from vernis.observe.select import Selection
from vernis.observe.stream import View, from_file
from vernis.observe.text import group_text
from vernis.observe.transactions import Grouper, Grouping, Kind, Sides

needs_varnish = pytest.mark.skipif(not VARNISHLOG.exists(), reason="varnish is not installed")


def ours(dump: Path, grouping: Grouping, options: tuple[tuple[str, str], ...] = (), sides: Sides | None = None,
         verbose: bool = False) -> bytes:
    selection = Selection(sides or Sides())
    for letter, argument in options:
        selection.option(letter, argument)
    with dump.open("rb") as file:
        groups = from_file(file, str(dump), View(grouping, sides=selection.sides))
        return b"".join(group_text(group, selection, verbose) for group in groups)


def real_log() -> Iterator[Record]:
    session = [record("Begin", "sess 0 HTTP/1", 1, "c"), record("SessOpen", "127.0.0.1 40000 a0 127.0.0.1 80 1.0 20", 1, "c"),
               record("Link", "req 2 rxreq", 1, "c"), record("Link", "req 4 rxreq", 1, "c")]
    yield record("CLI", "Rd ping")
    yield record("Hash", b"%raw\x01\0", 2, "c")
    yield from session
    yield from interleaved(request(2, 1, "/a", 3, extra=[("Debug", "\tx")]), fetch(3, 2, "/a"))
    parent = request(4, 1, "/page")
    yield from parent[:-1]
    yield record("Link", "req 5 esi", 4, "c")
    yield from interleaved(request(5, 4, "/part", 6, "esi"), fetch(6, 5, "/part", 503))
    yield parent[-1]
    yield record("H2RxHdr", b"\x00\x01", 1, "c")
    yield from (record("SessClose", "REM_CLOSE 0.1", 1, "c"), record("End", "", 1, "c"))


@needs_varnish
@pytest.mark.parametrize("grouping", list(Grouping))
@pytest.mark.parametrize("options", [(), ("-v",), ("-c",), ("-b",), ("-E",), ("-c", "-b"), ("-i", "ReqURL,Resp*"),
                                     ("-x", "*Header", "-c"), ("-I", "ReqHeader:Local", "-i", "VCL_call"),
                                     ("-X", "Req*:^G", "-x", "Debug")], ids=" ".join)
def test_the_same_text_as_varnishlog(grouping: Grouping, options: tuple[str, ...], tmp_path: Path) -> None:
    if options == ("-c", "-b") and not reads_later_form():
        pytest.skip("varnishlog 7.2 and earlier shows no record then")
    if grouping is Grouping.VXID and reads_later_form():
        pytest.skip("varnishlog 7.3 and later hides includes and shows sessions by other rules")
    dump = write_dump(tmp_path / "dump", real_log(), reads_later_form())
    expected = stock("-r", dump, "-g", grouping.name.lower(), *options)
    sides = Sides("-c" in options or "-E" in options, "-b" in options, "-E" in options)
    pairs = tuple((letter[1], options[at + 1]) for at, letter in enumerate(options) if letter in ("-i", "-x", "-I", "-X"))
    assert ours(dump, grouping, pairs, sides, "-v" in options) == expected


def test_both_sides_are_those_of_requests_and_fetches(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "dump", real_log())
    both, neither = ours(dump, Grouping.REQUEST, (), Sides(True, True, includes=True)), ours(dump, Grouping.REQUEST)
    assert both.count(b"ReqURL") == neither.count(b"ReqURL") > 0 and both.count(b"BereqURL") == neither.count(b"BereqURL") > 0


KINDS = ("sess", "req", "bereq", "odd")
link_texts = st.builds(lambda kind, vxid, reason: f"{kind} {vxid} {reason}".strip(), st.sampled_from(KINDS), st.integers(0, 9),
                       st.sampled_from(("rxreq", "esi", "fetch", "restart", "HTTP/1", "unheard", "")))
any_records = st.one_of(
    st.builds(lambda name, text, vxid, side: record(name, text, vxid, side), st.sampled_from(("Begin", "Link")), link_texts,
              st.integers(0, 9), st.sampled_from("cb-")),
    st.builds(lambda vxid: record("End", "", vxid, "c"), st.integers(0, 9)),
    st.builds(lambda name, vxid: record(name, "some text", vxid, "b"), st.sampled_from(("ReqURL", "BereqURL", "Debug")),
              st.integers(0, 9)))


def has_a_cycle(log: list[Record]) -> bool:
    """Whether links form a cycle. varnishlog does not look for cycles: it fails an assertion or never
    ends."""
    above: dict[int, set[int]] = {}
    for one in log:
        words = one.text.split()
        if one.tag in (tags.BEGIN, tags.LINK) and len(words) >= 2:
            child, parent = (one.vxid, int(words[1])) if one.tag == tags.BEGIN else (int(words[1]), one.vxid)
            above.setdefault(child, set()).add(parent)
    seen: set[int] = set()

    def climbs(vxid: int, path: frozenset[int]) -> bool:
        if vxid in path:
            return True
        if vxid in seen:
            return False
        seen.add(vxid)
        return any(climbs(parent, path | {vxid}) for parent in above.get(vxid, ()) if parent != vxid)

    return any(climbs(vxid, frozenset()) for vxid in above)


@needs_varnish
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(log=st.lists(any_records, max_size=25), grouping=st.sampled_from([Grouping.VXID, Grouping.REQUEST, Grouping.SESSION]))
def test_broken_logs_give_the_same_text_as_varnishlog(log: list[Record], grouping: Grouping, tmp_path: Path) -> None:
    assume(grouping is not Grouping.VXID or not reads_later_form())
    dump = write_dump(tmp_path / "dump", [*log, record("CLI", "Rd ping")], reads_later_form())
    found = ours(dump, grouping)
    if not has_a_cycle(log) and (expected := stock("-r", dump, "-g", grouping.name.lower())) is not None:
        assert found == expected


def test_grouping_ends_for_a_cycle_of_links() -> None:
    grouper = Grouper(Grouping.SESSION)
    log = [record("Begin", "req 2 rxreq", 1, "c"), record("Begin", "req 1 rxreq", 2, "c"), record("End", "", 1, "c"),
           record("End", "", 2, "c")]
    list(grouper.feed(log))
    assert list(grouper.flush()) == []


def test_an_incomplete_transaction_is_shown_after_the_timeout() -> None:
    now = 0.0
    grouper = Grouper(Grouping.VXID, clock=lambda: now)
    assert list(grouper.feed(request(2, 1, "/slow")[:5])) == []
    now = 121.0
    [[transaction]] = grouper.feed(())
    assert [one.text for one in transaction.records[-2:]] == [b"timeout", b"synth"] and transaction.kind is Kind.REQUEST


def test_the_number_of_incomplete_transactions_is_limited() -> None:
    grouper = Grouper(Grouping.VXID, unfinished_max=3)
    log = [record("Begin", "req 1 rxreq", vxid, "c") for vxid in range(10, 15)]
    assert [group[0].vxid for group in grouper.feed(log)] == [10, 11]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(garbage=st.binary(max_size=400))
def test_garbage_in_a_dump_never_crashes(garbage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(b"VSL\0" + garbage)
    for grouping in Grouping:
        try:
            ours(path, grouping)
        except DumpError as error:
            assert str(path) in str(error)


@pytest.mark.parametrize("later", [False, True])
def test_a_written_dump_can_be_read(later: bool, tmp_path: Path) -> None:
    log = [one._replace(later=later) for one in real_log()]
    with write_dump(tmp_path / "dump", log, later).open("rb") as file:
        assert list(records_module.read_dump(file, "dump")) == log


def test_parse_skips_marks_of_batches() -> None:
    one = Record(tags.NUMBERS["ReqURL"], CLIENT | 7, b"/a\0")
    batch = (0xff000000).to_bytes(4, "little") + len(one.packed()).to_bytes(4, "little")
    assert records_module.parse(batch + one.packed()) == [one] and one.side == "c"
    assert records_module.parse(batch + bytes(4) + one.packed(later=True), later=True) == [one._replace(later=True)]
    assert Record(1, BACKEND | 7, b"").side == "b"


@pytest.mark.parametrize("text", ["Start: nan nan nan", "Start: 1e300 1e300 1e300", "Start: 1 inf 0", "[/x]: 1 2 3"])
def test_impossible_times_and_numbers_end_neither_the_screen_nor_json(text: str) -> None:
    import io

    from vernis.observe.jsonlines import group_json
    from vernis.observe.screen import Screen

    log = [record("Begin", "req 1 rxreq", 2, "c"), record("Timestamp", text, 2, "c"), record("RespStatus", "9" * 5000, 2, "c"),
           record("ReqAcct", f"1 2 {'9' * 5000} 4 5 6", 2, "c"), record("End", "", 2, "c")]
    [group] = Grouper(Grouping.VXID).feed(log)
    shown = io.StringIO()
    Screen(shown, Selection(), width=80).show(group)
    assert "---" in shown.getvalue()
    summary = json.loads(group_json(group, Selection(), Grouping.VXID), parse_constant=pytest.fail)["summary"]
    assert (summary["status"], summary["bytes_in"]) == (0, 0)
