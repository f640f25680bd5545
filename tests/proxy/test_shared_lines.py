"""The locks and shared cache lines that a request touches are those of tests/data/shared_lines.tsv: what is added to
them costs each request on a machine with many processors, where no test of ours runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from proxy.shared_lines import COUNTING, LOOPS, TABLE, differences, rows_of_all_kinds


@pytest.mark.slow
@pytest.mark.skipif(not COUNTING.exists(), reason="make build/counting/vernisd has not been run")
def test_a_request_touches_the_locks_and_shared_lines_of_the_table(tmp_path: Path) -> None:
    known = TABLE.read_text().splitlines()
    differs = differences(known, [str(row) for row in rows_of_all_kinds(tmp_path, LOOPS)])
    if differs:  # on a busy machine loops sleep at other moments: again
        again = differences(known, [str(row) for row in rows_of_all_kinds(tmp_path, LOOPS)])
        differs = {what: text for what, text in again.items() if what in differs}
    # Which loop gets a connection, and so reads an object that another one has used, depends on what else the machine
    # does: these loads are compared in the row of hits on one object, where each loop has used it.
    of_objects = {" ".join(row.split("\t")[1:3]) for row in known if row.startswith("hit on one object\tload\t")}
    differs = {what: text for what, text in differs.items() if what.removeprefix("accept and hit ") not in of_objects}
    assert not differs, "\n".join(
        [
            "`make lines LINES_ARGS=--update` writes this into the table, if it is meant:",
            *map(": ".join, differs.items()),
        ]
    )


def test_one_more_lock_is_found_and_a_late_answer_is_not() -> None:
    known = ["# kind", "hit\tlock\tlookup.c:find\t1.0", "hit\trmw\tobject.c:ref\t2.4"]
    assert differences(known, ["hit\tlock\tlookup.c:find\t1.1", "hit\trmw\tobject.c:ref\t2.7"]) == {}
    assert differences(known, ["hit\tlock\tlookup.c:find\t2.0", "hit\trmw\tobject.c:ref\t2.4"]) == {
        "hit lock lookup.c:find": "2.0, not 1.0"
    }
    assert differences(known, ["hit\tlock\tlookup.c:find\t1.0"]) == {"hit rmw object.c:ref": "0.0, not 2.4"}
    assert differences([*known, "hit\tload\taccept.c:find\t7.0"], known) == {}
    assert differences(known, [*known, "hit\tlock\tring.c:put\t1.0"]) == {
        "hit lock ring.c:put": "1.0, not 0.0"
    }
