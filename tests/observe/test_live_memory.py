"""Readers of shared memory that changes: the ring wraps, workers restart, indexes are replaced or damaged."""

from __future__ import annotations

import mmap
import random
from pathlib import Path

import pytest

from observe.logs import Instance, RingWriter, record
from vernis.observe import tags, vsc
from vernis.observe.records import CLIENT, Record
from vernis.observe.ring import Ring, RingError, State
from vernis.observe.stream import LiveLog, View
from vernis.observe.transactions import Grouping
from vernis.observe.vsm import Mapping, Vsm, VsmError, attach, split_words

SEGMENT_BYTES = 8192


class Memory:
    """A private mapping."""

    def __init__(self, size: int = SEGMENT_BYTES) -> None:
        self.memory = memoryview(bytearray(size))


def url(number: int) -> Record:
    return record("ReqURL", f"/{number}", 2, "c")


def opened(memory: Memory, tail: bool = False) -> Ring:
    return Ring(memory, tail)           # type: ignore[arg-type]


def all_of(ring: Ring) -> list[bytes]:
    found: list[bytes] = []
    while records := ring.read():
        found.extend(one.text for one in records)
    return found


# ---- the ring ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("later", [False, True])
def test_a_reader_follows_records_when_the_ring_wraps(batch: bool, later: bool) -> None:
    memory = Memory()
    writer = RingWriter(memory.memory, later)
    ring = opened(memory)
    for number in range(2000):
        writer.write(url(number), batch)
        if number % 7 == 0:
            assert all_of(ring)[-1] == b"/%d" % number
            assert ring.state is State.IDLE


def test_a_reader_starts_at_the_oldest_safe_record_or_at_the_tail() -> None:
    memory = Memory()
    writer = RingWriter(memory.memory)
    for number in range(3000):
        writer.write(url(number))
    head, tail = opened(memory), opened(memory, tail=True)
    old = all_of(head)
    assert old == [b"/%d" % number for number in range(3000 - len(old), 3000)] and len(old) > 200
    writer.write(url(3000))
    assert all_of(tail) == [b"/3000"]


@pytest.mark.parametrize("batch", [False, True])
def test_a_reader_finds_out_the_form_of_a_log_that_is_in_use(batch: bool) -> None:
    memory = Memory()
    writer = RingWriter(memory.memory, later=True)
    one = Record(tags.NUMBERS["Notice"], CLIENT | 1 << 40, b"a\0", later=True)
    for _ in range(3000):
        writer.write(one, batch)
    found = opened(memory).read()
    assert len(found) > 50 and set(found) == {one}


def test_a_slow_reader_reports_an_overrun() -> None:
    memory = Memory()
    writer = RingWriter(memory.memory)
    ring = opened(memory)
    for number in range(1000):
        writer.write(url(number))
    assert ring.read() == [] and ring.state is State.OVERRUN


def test_records_overwritten_during_the_copy_are_dropped() -> None:
    memory = Memory()
    writer = RingWriter(memory.memory)
    ring = opened(memory)
    for number in range(20):
        writer.write(url(number))

    class OvertakenMemory:
        """Memory in which the writer overtakes the reader during the copy."""

        def __getitem__(self, where: slice) -> bytes:
            for number in range(1000):
                writer.write(url(number))
            return bytes(memory.memory[RingWriter.HEAD:][where])

    ring._memory = OvertakenMemory()            # type: ignore[assignment]
    assert ring.read() == [] and ring.state is State.OVERRUN


def test_an_invalid_head_is_an_error() -> None:
    memory = Memory()
    with pytest.raises(RingError):
        opened(memory)
    RingWriter(memory.memory)
    memory.memory[8:16] = bytes([255]) * 7 + b"\0"
    with pytest.raises(RingError):
        opened(memory)


def test_garbage_in_the_ring_causes_at_most_an_overrun() -> None:
    chance = random.Random(3)
    for _ in range(200):
        memory = Memory()
        writer = RingWriter(memory.memory)
        for number in range(chance.randrange(600)):
            writer.write(url(number))
        for _ in range(20):
            memory.memory[chance.randrange(16, SEGMENT_BYTES)] = chance.randrange(256)
        try:
            ring = opened(memory, tail=chance.random() < 0.5)
        except RingError:
            continue
        for _ in range(50):
            if not ring.read():
                break
        assert ring.state in (State.IDLE, State.OVERRUN, State.MORE)


# ---- index and segments ------------------------------------------------------------------------------------


@pytest.fixture
def instance(tmp_path: Path) -> Instance:
    return Instance(tmp_path)


def idents(vsm: Vsm, kind: str) -> list[str]:
    vsm.refresh()
    return [segment.ident for segment in vsm.segments(kind)]


def test_segments_are_added_and_removed(instance: Instance) -> None:
    vsm = attach(instance.directory, 0)
    instance.start("_.vsm_child", 7)
    line = instance.add("_.vsm_child", "one", "Stat", "A.x", b"x")
    instance.add("_.vsm_child", "two", "Stat", "B", b"x")
    assert idents(vsm, "Stat") == ["A.x", "B"]
    instance.say("_.vsm_child", f"- {line}")
    assert idents(vsm, "Stat") == ["B"]


def test_a_rewritten_index_with_the_same_lines_keeps_the_segments(instance: Instance) -> None:
    instance.start("_.vsm_child", 7)
    instance.add("_.vsm_child", "one", "Stat", "A", b"x")
    vsm = attach(instance.directory, 0)
    vsm.refresh()
    [segment], incarnation = vsm.segments("Stat"), vsm.incarnation
    index = instance.directory / "_.vsm_child" / "_.index"
    (index.parent / "_.index.new").write_text(index.read_text())
    (index.parent / "_.index.new").rename(index)
    assert idents(vsm, "Stat") == ["A"] and vsm.alive(segment, incarnation)


def test_a_restarted_worker_has_new_segments(instance: Instance) -> None:
    instance.start("_.vsm_child", 7)
    instance.add("_.vsm_child", "one", "Stat", "A", b"x")
    vsm = attach(instance.directory, 0)
    vsm.refresh()
    [segment], incarnation = vsm.segments("Stat"), vsm.incarnation
    mapping = vsm.map(segment)
    instance.start("_.vsm_child", 8)
    assert idents(vsm, "Stat") == []
    instance.add("_.vsm_child", "one", "Stat", "A", b"x")
    assert idents(vsm, "Stat") == ["A"] and not vsm.alive(segment, incarnation)
    assert bytes(mapping.memory) == b"x"        # the old mapping is still readable


def test_an_index_line_is_read_when_it_is_complete(instance: Instance) -> None:
    vsm = attach(instance.directory, 0)
    index = instance.directory / "_.vsm_mgt" / "_.index"
    with index.open("a") as file:
        file.write("+ f 0 5 Arg")
        file.flush()
        assert idents(vsm, "Arg") == []
        file.write(" -T\n")
    assert idents(vsm, "Arg") == ["-T"]


@pytest.mark.parametrize("line", ["", "+", "+ f", "+ f x y Stat a", "+ f 0 0 Stat a", "+ ../f 0 9 Stat a", "- f 0 9 Stat a",
                                  "+ f -1 9 Stat a", "? f 0 9 Stat a", "\0\xff\"", f"+ f 0 {1 << 50} Stat a", "+ f 0 9 Stat a b c",
                                  f"+ f 0 {'9' * 5000} Stat a", "+ f 0 9\u0663 Stat a", "+ f\0 0 9 Stat a"])
def test_invalid_lines_of_the_index_are_left_out(line: str, instance: Instance) -> None:
    instance.say("_.vsm_mgt", line)
    instance.add("_.vsm_mgt", "g", "Stat", "ok", b"x")
    assert idents(attach(instance.directory, 0), "Stat") == ["ok"]


def test_a_segment_shorter_than_announced_is_not_mapped(instance: Instance) -> None:
    """A read beyond the end of the file would end the process."""
    (instance.directory / "_.vsm_mgt" / "f").write_bytes(b"x")
    instance.say("_.vsm_mgt", "+ f 0 9999 Stat a")
    vsm = attach(instance.directory, 0)
    [segment] = vsm.segments("Stat")
    with pytest.raises(VsmError, match="shorter than its index says"):
        vsm.map(segment)


def test_part_of_a_file_can_be_a_segment(instance: Instance) -> None:
    (instance.directory / "_.vsm_mgt" / "f").write_bytes(bytes(5000) + b"here" + bytes(5000))
    mapping = Mapping(str(instance.directory / "_.vsm_mgt" / "f"), 5000, 4)
    assert bytes(mapping.memory) == b"here"


@pytest.mark.parametrize("line, words", [
    ("+ f 0 9 Stat a", ["+", "f", "0", "9", "Stat", "a"]), ('a "b c"  d', ["a", "b c", "d"]), (r'a\ b "\""', ["a b", '"']),
    ('"open', ["open"]), ("", []), ("  ", [])])
def test_lines_are_split_into_words(line: str, words: list[str]) -> None:
    assert split_words(line) == words


def test_a_missing_daemon_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VsmError, match="no such directory"):
        attach(tmp_path / "none", 0)
    with pytest.raises(VsmError, match="no shared memory"):
        attach(tmp_path, 0)


# ---- the log of a daemon that is restarted -----------------------------------------------------------------


class Worker:
    """The set of a worker, with a log."""

    def __init__(self, instance: Instance, pid: int) -> None:
        instance.start("_.vsm_child", pid)
        memory = bytearray(SEGMENT_BYTES)
        RingWriter(memoryview(memory))
        instance.add("_.vsm_child", "log", "Log", "Log", bytes(memory))
        with (instance.directory / "_.vsm_child" / "log").open("r+b") as file:
            self._writer = RingWriter(memoryview(mmap.mmap(file.fileno(), SEGMENT_BYTES)))
        self._pid, self._number = pid, 0

    def log(self) -> None:
        self._number += 1
        self._writer.write(record("VCL_Log", f"{self._pid}:{self._number}"))


def test_the_log_is_found_again_after_a_restart(instance: Instance) -> None:
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    said: list[str] = []
    found: list[bytes] = []
    worker = Worker(instance, 1)
    log = LiveLog(attach(instance.directory, 0), said.append, sleep, lambda: now)
    for idle, group in enumerate(log.groups(View(Grouping.RAW), stop=lambda: len(found) == 4)):
        assert idle < 1000
        if group is not None:
            found.append(group[0].records[0].text)
        elif len(found) == 2 and not said:
            worker = Worker(instance, 2)
            sleep(1)
        elif said in ([], ["Log abandoned", "Log reacquired"]):
            worker.log()
    assert found == [b"1:1", b"1:2", b"2:1", b"2:2"] and said == ["Log abandoned", "Log reacquired"]


def test_the_log_continues_after_an_overrun(instance: Instance) -> None:
    said: list[str] = []
    found: list[bytes] = []
    worker = Worker(instance, 1)
    log = LiveLog(attach(instance.directory, 0), said.append, lambda seconds: None, lambda: 0.0)
    for idle, group in enumerate(log.groups(View(Grouping.RAW), stop=lambda: len(found) == 2)):
        assert idle < 1000
        if group is not None:
            found.append(group[0].records[0].text)
        for _ in range(1000 if len(found) == 1 and not said else 1):
            worker.log()
    assert said == ["Log overrun", "Log reacquired"] and len(found) == 2


def test_a_query_without_matches_still_yields_to_the_caller(instance: Instance) -> None:
    Worker(instance, 7).log()
    groups = LiveLog(attach(instance.directory, 0)).groups(View(Grouping.RAW, query=lambda group: False), from_head=True)
    assert list(groups) == [None]


# ---- counters ----------------------------------------------------------------------------------------------


def test_counters_follow_the_daemon(instance: Instance) -> None:
    from observe.logs import document_segment, stat_segment

    instance.add("_.vsm_mgt", "doc", "StatDoc", "mgt", document_segment(1, [("uptime", "counter", "duration")]))
    instance.add("_.vsm_mgt", "stat", "Stat", "MGT", stat_segment(1, [7]))
    instance.start("_.vsm_child", 7)
    rows = [("req", "counter", "integer"), ("conn", "gauge", "integer")]
    instance.add("_.vsm_child", "doc", "StatDoc", "vbe", document_segment(2, rows))
    instance.add("_.vsm_child", "b1", "Stat", "VBE.boot.a", stat_segment(2, [3, (1 << 64) - 1]))
    instance.add("_.vsm_child", "b2", "Stat", "VBE.boot.b", stat_segment(2, [4, 5], state=2))
    instance.add("_.vsm_child", "b3", "Stat", "VBE.boot.c", stat_segment(9, [4, 5]))
    counters = vsc.Counters(attach(instance.directory, 0))
    values = {counter.name: counter.value for counter in counters.read()}
    assert values == {"MGT.uptime": 7, "VBE.boot.a.req": 3, "VBE.boot.a.conn": 0}
    assert [counter.value for counter in counters.read(raw_gauges=True)][-1] == (1 << 64) - 1
    instance.start("_.vsm_child", 8)
    assert [counter.name for counter in counters.read()] == ["MGT.uptime"]
    instance.add("_.vsm_child", "doc", "StatDoc", "vbe", document_segment(2, [("req", "counter", "integer")]))
    instance.add("_.vsm_child", "b1", "Stat", "VBE.boot.z", stat_segment(2, [1]))
    assert [counter.name for counter in counters.read()] == ["MGT.uptime", "VBE.boot.z.req"]


@pytest.mark.parametrize("index", ["1e999", "\"x\"", "[]", "null", "-8", "99999"])
def test_invalid_rows_of_a_document_are_left_out(index: str, instance: Instance) -> None:
    from observe.logs import document_segment, stat_segment

    document = document_segment(1, [("bad", "counter", "integer"), ("good", "counter", "integer")])
    instance.add("_.vsm_mgt", "doc", "StatDoc", "mgt", document.replace(b'"index": 0', f'"index": {index}'.encode(), 1))
    instance.add("_.vsm_mgt", "stat", "Stat", "MGT", stat_segment(1, [7, 8]))
    assert [(counter.name, counter.value) for counter in vsc.Counters(attach(instance.directory, 0)).read()] == [("MGT.good", 8)]


def test_an_invalid_document_is_left_out(instance: Instance) -> None:
    from observe.logs import stat_segment

    instance.add("_.vsm_mgt", "doc", "StatDoc", "mgt", stat_segment(1, []) + b"[" * 100_000)
    instance.add("_.vsm_mgt", "stat", "Stat", "MGT", stat_segment(1, [7, 8]))
    assert vsc.Counters(attach(instance.directory, 0)).read() == []


@pytest.mark.parametrize("options, shown", [
    ([], "AB"), ([("I", "M.a*")], "A"), ([("X", "M.a*")], "B"), ([("f", "^M.a*"), ("f", "M.*")], "B"),
    ([("I", "M.alpha"), ("X", "*")], "A"), ([("X", "M.alpha"), ("I", "*")], "B"), ([("I", r"M.\*")], "")])
def test_the_first_glob_that_matches_decides(options: list[tuple[str, str]], shown: str) -> None:
    wanted = vsc.Filter()
    for letter, glob in options:
        wanted.option(letter, glob)
    assert "".join(letter for letter, name in (("A", "M.alpha"), ("B", "M.beta")) if wanted.shows(name)) == shown


def test_names_of_metrics_stay_the_same() -> None:
    from vernis.observe.metrics import exposition

    def counter(ident: str, name: str, semantics: str, form: str, value: int) -> vsc.Counter:
        return vsc.Counter(ident, vsc.CounterKind(name, semantics, form, "info", f"About {name}", "", 0), value)

    text = exposition([counter("MAIN", "cache_hit", "c", "i", 5), counter("MAIN", "s_resp_bodybytes", "c", "B", 6),
                       counter("MGT", "uptime", "c", "d", 7), counter("SMA.s0", "g_bytes", "g", "B", 8),
                       counter("SMA.Transient", "g_bytes", "g", "B", 9), counter("VBE.boot.a.b", "happy", "b", "b", 6),
                       counter("VBE.boot.a.b", "healthy", "g", "i", 1),
                       counter("VBE.boot.a.b", "req", "c", "i", 1), counter("MEMPOOL.req0", "live", "g", "i", 2),
                       counter("LCK.vcl", "locks", "c", "i", 3), counter("FOO.x y", "odd-name", "g", "i", 4)]).decode()
    assert [line for line in text.splitlines() if not line.startswith("#")] == [
        "vernis_main_cache_hit_total 5.0", "vernis_main_s_resp_bodybytes_total 6.0", "vernis_mgt_uptime_seconds_total 7.0",
        'vernis_storage_g_bytes{storage="s0"} 8.0', 'vernis_storage_g_bytes{storage="Transient"} 9.0',
        'vernis_backend_probe_good{backend="a.b",vcl="boot"} 0.0', 'vernis_backend_up{backend="a.b",vcl="boot"} 1.0',
        'vernis_backend_req_total{backend="a.b",vcl="boot"} 1.0',
        'vernis_mempool_live{pool="req0"} 2.0', 'vernis_lock_locks_total{lock="vcl"} 3.0', 'vernis_foo_odd_name{ident="x y"} 4.0']
