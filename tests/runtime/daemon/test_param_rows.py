"""mk/params.py makes C tables of a room's params.toml, and names the place of a wrong row."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GROUPS = '[gzip]\ntitle = "gzip, of all kinds"\ninstead = "have the origin do it"\nstates = ["always"]\noptions = ["-h"]\n'
SWITCHES = '[f]\nkind = "bits"\ndefault = "none"\nfield = "f"\nbits = ["a", "b", "always"]\ndoc = "Switches."\n'
TTL = '[ttl]\nkind = "duration"\ndefault = "1.5"\ndoc = "How long."\n'


def generate(folder: Path, **rooms: str) -> subprocess.CompletedProcess[str]:
    for room, text in rooms.items():
        (folder / room).mkdir()
        (folder / room / "params.toml").write_text(text)
    (folder / "no_effect.toml").write_text(GROUPS)
    command = [sys.executable, str(ROOT / "mk" / "params.py"), "--runtime", str(folder), "--groups", str(folder / "no_effect.toml"),
               "--out", str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_row_makes_a_field_a_default_and_a_table_row(tmp_path: Path) -> None:
    assert generate(tmp_path, cache=TTL).returncode == 0
    assert "    /* cache */\n    double ttl_s;\n" in (tmp_path / "param_values.h").read_text()
    assert ".ttl_s = 1.5,\n" in (tmp_path / "param_defaults.h").read_text()
    assert '{ "ttl", PARAM_DURATION, 0, "1.5", NULL, NULL, NULL, FIELD(ttl_s),\n' in (tmp_path / "param_rows.h").read_text()


def test_a_size_beyond_32_bits_gets_a_wide_field(tmp_path: Path) -> None:
    assert generate(tmp_path, log='[space]\nkind = "bytes"\ndefault = "1m"\nmax = "4g"\ndoc = "Size."\n').returncode == 0
    assert "uint64_t space_bytes;" in (tmp_path / "param_values.h").read_text()


def test_a_parameter_without_effect_has_no_field(tmp_path: Path) -> None:
    assert generate(tmp_path, worker=TTL + 'no_effect = "gzip"\n').returncode == 0
    assert "ttl" not in (tmp_path / "param_values.h").read_text()
    assert '"have the origin do it (docs/no_effect.md#gzip-of-all-kinds)", NULL, NULL },' in (tmp_path / "param_rows.h").read_text()


def test_a_bit_without_effect_keeps_its_place_and_has_a_state(tmp_path: Path) -> None:
    assert generate(tmp_path, proxy=SWITCHES + '[f.no_effect_bits]\ngzip = ["b", "always"]\n').returncode == 0
    rows = (tmp_path / "param_rows.h").read_text()
    assert '{ "b", false, "have' in rows and '{ "always", true, "have' in rows and '{ "a", false' not in rows
    assert "#define F_B (1u << 1)" in (tmp_path / "param_values.h").read_text()


def test_options_without_effect_come_from_the_groups(tmp_path: Path) -> None:
    assert generate(tmp_path, worker=TTL).returncode == 0
    assert "    { 'h', \"have the origin do it (docs/" in (tmp_path / "param_rows.h").read_text()


@pytest.mark.parametrize("extra, said", [
    ('default_value = "1"\n', "runtime/cache/params.toml: ttl: unknown key default_value"),
    ('flags = ["slow"]\n', "runtime/cache/params.toml: ttl: unknown flag slow"),
    ('field = "life"\n', "`field` is for a list of at most 32 `bits`"),
    ('no_effect = "zip"\n', "runtime/cache/params.toml: ttl: no group zip in no_effect.toml"),
    (SWITCHES + '[f.no_effect_bits]\ngzip = ["c"]\n', "f: no_effect_bits names c, which is no bit"),
    ('[debug]\nkind = "bits"\ndefault = "none"\ndoc = "Switches."\n', "debug: bits need either `bits` or `bits_from`"),
])
def test_a_wrong_row_fails_the_build_and_is_named(tmp_path: Path, extra: str, said: str) -> None:
    done = generate(tmp_path, cache=TTL + extra)
    assert done.returncode == 1 and said in done.stderr
    assert not (tmp_path / "param_rows.h").exists()


def test_a_parameter_that_varnish_lacks_is_marked() -> None:
    rows = [(path, name, row) for path in (ROOT / "runtime").glob("*/params.toml") for name, row in tomllib.loads(path.read_text()).items()]
    theirs = [f"{name} ({path.relative_to(ROOT)})" for path, name, row in rows if not {"ours", "hidden"} & set(row.get("flags", []))]
    assert len(theirs) == 109, (f"{len(theirs)} parameters are not marked as ours, and Varnish 7.1 has 109. Write flags = [\"ours\"] "
                                f"into the row of one that Varnish lacks. Not marked: {', '.join(sorted(theirs))}")


def test_two_rooms_do_not_have_the_same_parameter(tmp_path: Path) -> None:
    assert "parameter ttl is in the rooms cache and proxy" in generate(tmp_path, cache=TTL, proxy=TTL).stderr
