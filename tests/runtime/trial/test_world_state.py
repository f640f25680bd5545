"""Each variable of the rooms below that outlives a policy is known, with the reason why no test of `vernis test` sees
what an earlier one left in it. A new variable needs a row here; if policies can see it, `vmod_forget` drops it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
OBJECTS = ROOT / "build" / "release"
ROOMS = ("match", "policy", "vmod", "cache", "origin", "proxy", "trial")
pytestmark = pytest.mark.skipif(not OBJECTS.exists(), reason="run make build first")

DROPPED = "vmod_forget drops it at the end of a world"
RESET = "each world begins with the same value"
ENDS = "it ends with the policies, requests and loops that use it"
CONSTANT = "made once, always the same"
LOCK = "a lock"
UNSEEN = "policies and clients do not see it"

WHY = {
    "match": {
        "dfa_totals": UNSEEN, "nfas_bytes": UNSEEN, "thread_key": UNSEEN, "thread_number": UNSEEN, "thread_once": CONSTANT,
        "thread_taken": UNSEEN, "threads_lock": LOCK, "matcher": UNSEEN, "matcher_key": UNSEEN, "matcher_once": CONSTANT,
    },
    "policy": {
        "by_hash": CONSTANT, "n_rooms": CONSTANT, "n_rows": CONSTANT, "own_once": CONSTANT, "rooms": CONSTANT,
        "modules": ENDS, "modules_lock": LOCK, "policy_pages_made": UNSEEN, "reap_lock": LOCK,
        "this_host": CONSTANT, "this_host_once": CONSTANT, "all": ENDS, "all_lock": LOCK,
        "replaced_bytes": UNSEEN, "retired": ENDS,
    },
    "vmod": {
        "legacy_once": CONSTANT, "md4": CONSTANT, "whirlpool": CONSTANT, "lookup": CONSTANT, "once": CONSTANT,
        "files": DROPPED, "files_lock": LOCK, "n_files": DROPPED, "globals": DROPPED, "globals_lock": LOCK, "n_globals": DROPPED,
        "shards": DROPPED, "bytes": DROPPED, "sweeper": DROPPED, "next": UNSEEN,
        "secret": UNSEEN, "secret_once": CONSTANT, "seed": UNSEEN, "seed_once": CONSTANT,
    },
    "cache": {"key_seed": UNSEEN, "key_seed_once": CONSTANT, "object_locks": LOCK, "near_here": ENDS},
    "origin": {
        "limiter": UNSEEN, "backends": ENDS, "lock": LOCK, "adding": LOCK, "known": RESET, "known_at": RESET,
        "known_lock": LOCK, "known_seeded": RESET, "state": "the random numbers of a process without a seed; a world has one",
        "test_server": CONSTANT, "table": ENDS, "table_lock": LOCK, "keeper_slot": ENDS, "held": CONSTANT,
    },
    "proxy": {
        "limiter": UNSEEN, "pipes_open": ENDS, "server_slot": ENDS, "xid_chunk": RESET, "xid_epoch": RESET,
        "xid_global": RESET, "xid_seen_epoch": RESET,
    },
    "trial": {"origin": RESET, "once": CONSTANT, "the_trial": RESET},
}  # fmt: skip


def variables_of(room: str) -> set[str]:
    """Names of the objects in writable sections, without the numbers of static variables of functions."""
    found = set()
    objects = [str(path) for path in (OBJECTS / room).rglob("*.o")]
    assert objects, room
    said = subprocess.run(["nm", "-f", "sysv", *objects], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        words = [word.strip() for word in line.split("|")]
        if len(words) == 7 and words[3] in ("OBJECT", "TLS") and re.match(r"\.t?(bss|data)(?!\.rel\.ro)", words[6]):
            found.add(re.sub(r"\.\d+$", "", words[0]))
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_variables_that_outlive_a_policy_are_known(room: str) -> None:
    assert variables_of(room) == set(WHY[room])
