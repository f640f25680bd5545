"""A running daemon names settings without effect: in its answers, and once in its log."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from proxy.daemon import Daemon

Start = Callable[..., Daemon]

POLICY = "vcl 4.1; backend default none;"
QUIET = {"feature": "+https_scheme,-wait_silo,+validate_headers", "vsl_mask": "-VSL,+Hash", "debug": "+syncvsl", "default_ttl": "3"}


def rows(d: Daemon) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(d.ok("param.show -j"))[3:]
    return [row for row in found if row["implemented"]]


def test_param_set_names_each_parameter_and_bit_without_effect(daemon: Daemon) -> None:
    parameters = [row for row in rows(daemon) if "no_effect" in row["flags"]]       # type: ignore[operator]
    assert len(parameters) > 30
    for row in parameters:
        said = daemon.ok(f'param.set {row["name"]} "{row["default"]}"')
        assert f'{row["name"]} has no effect here: ' in said and "(docs/no_effect.md#" in said
        assert "Change will take effect" not in said
    for row in rows(daemon):
        for bit in row.get("no_effect_bits", []):       # type: ignore[attr-defined]
            sign = "-" if bit == "validate_headers" else "+"
            assert f'{bit} of {row["name"]} has no effect here: ' in daemon.ok(f'param.set {row["name"]} {sign}{bit}')


def test_settings_with_an_effect_or_with_the_current_value_give_no_warning(daemon: Daemon) -> None:
    for name, value in QUIET.items():
        assert daemon.ok(f"param.set {name} {value}") == ""
    assert daemon.ok("param.set acceptor_sleep_max default") == "" and daemon.ok("param.reset acceptor_sleep_max") == ""
    assert "no effect" not in daemon.logs


def test_the_log_names_each_setting_once(start_daemon: Start) -> None:
    """On the command line and in param.set."""
    options = ["-p", "acceptor_sleep_max=3", "-p", "feature=+busy_stats_rate", "-W", "epoll", "-s", "disk=file,/nowhere/x,20m"]
    d = start_daemon(POLICY, args=options)
    first = d.logs.splitlines()[0]
    assert first == "Warning: storage disk of -s file is 20 MB of memory: nothing is written to /nowhere/x, and a restart empties it"
    for value in ("3", "4", "5"):
        assert "acceptor_sleep_max has no effect here" in d.ok(f"param.set acceptor_sleep_max {value}")
    d.ok("param.set feature +busy_stats_rate,+wait_silo")
    d.ok("param.set feature all")
    for name in ("acceptor_sleep_max", "busy_stats_rate", "-W", "wait_silo"):
        lines = [line for line in d.logs.splitlines() if re.match(rf"Warning: (.*, )?{name}(, .*)?( of feature)? ha(s|ve) no effect here", line)]
        assert len(lines) == 1, (name, d.logs)
