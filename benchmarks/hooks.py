"""Counts instructions per hit under the policy of a whole site, beside Varnish with the same file.

    benchmarks/hooks.py [--requests 200] [--limit 0.333] [--chart FILE]

The policy is examples/site/site.vcl. Both workers run under callgrind (benchmarks/counted.py), with one loop
or pool and the default log. Each row is a kind of request over one kept connection, with objects that were
stored before. "all" is the mean of the rows, and the limit is for its ratio. "built-in" is "shop" under
the built-in policy, so the difference is the cost of the site's hooks. The benchmark changes two things of
the policy: the ports of the origins, and the intervals of probes, which would be counted.

Writes build/bench/hooks.json and hooks.svg, or the chart to FILE. Exits with 1 if the ratio of "all" is
above the limit.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import charts
import counted
import hits
import peers

SITE = peers.ROOT / "examples/site/site.vcl"
WARM = 30  # requests of each kind before the counted ones
DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/22B83"
BROWSER = (
    "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n"
    "Accept-Language: de,en;q=0.5\r\nReferer: https://www.example.com/\r\n"
)
ANALYTICS = "_ga=GA1.2.1234567890.1700000000; _gid=GA1.2.987654321.1700000001; consent=yes"
KINDS = {
    "asset": ("/static/app.css?v=17", DESKTOP, ANALYTICS),
    "page": ("/articles/2026/how-caches-work.html", DESKTOP, ANALYTICS),
    "page, campaign": ("/articles/1.html?utm_source=mail&id=7&utm_campaign=may", DESKTOP, ANALYTICS),
    "page, phone": ("/articles/1.html", PHONE, f"{ANALYTICS}; lang=fr"),
    "shop": ("/shop/item/4711?size=m&colour=red", PHONE, ""),
}


def wire(kind: str) -> bytes:
    target, agent, cookie = KINDS[kind]
    cookies = f"Cookie: {cookie}\r\n" if cookie else ""
    head = f"GET {target} HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: {agent}\r\n"
    return f"{head}{BROWSER}{cookies}\r\n".encode()


def policy_at(path: Path, origin_port: int) -> str:
    """An example policy with the ports of its origins changed, and probes that stay out of the counts."""
    text = re.sub(r'\.port = "808\d"', f'.port = "{origin_port}"', path.read_text())
    return re.sub(r"\.interval = \d+s", ".interval = 1h", text)


def count_kind(counting: counted.Counted, kind: str, n: int) -> float:
    """Instructions per request. The last request of the warm-up must be a hit already."""
    port, request = counting.server.port(), wire(kind)
    counted.replay(port, [request] * WARM)
    with socket.create_connection(("127.0.0.1", port), 60) as s:
        assert len(re.findall(rb"\nx-varnish: \d+ \d+", peers.exchange(s, request), re.I)) == 1, kind
    return counting.instructions(lambda: counted.replay(port, [request] * n)) / n


def count(counting: counted.Counted, kinds: list[str], n: int) -> dict[str, float]:
    try:
        return {kind: count_kind(counting, kind, n) for kind in kinds}
    finally:
        counting.server.stop()


def measure(directory: Path, n: int) -> dict[str, dict[str, float]]:
    """By server and kind."""
    conf = (peers.CONF / "vcl.vcl").read_text()
    peers.EDITS |= {"location /object/ {": "location / {"}
    origin = peers.origin(directory, [100])
    port = origin.port()
    result = {}
    try:
        for server, start in (("vernis", counted.vernis), ("varnish", counted.varnish)):
            peers.EDITS |= {conf: policy_at(SITE, port)}
            site = count(start(peers.folder(directory, server), port), list(KINDS), n)
            del peers.EDITS[conf]
            built_in = count(start(peers.folder(directory, f"{server}-2"), port), ["shop"], n)
            result[server] = {**site, "all": statistics.mean(site.values()), "built-in": built_in["shop"]}
    finally:
        origin.stop()
    return result


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--requests", type=int, default=200, help="of each kind")
    ap.add_argument("--limit", type=float, default=1 / 3)
    ap.add_argument("--chart", type=Path, default=hits.OUT / "hooks.svg")
    args = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="vernis-bench-") as tmp:
        directory = Path(tmp)
        directory.chmod(0o755)
        result = measure(directory, args.requests)
    vernis, varnish = result["vernis"], result["varnish"]
    print(f"{'instructions per request':<26}{'ratio':>7}{'vernis':>12}{'varnish':>12}")
    for kind, ours in vernis.items():
        print(f"  {kind:<24}{ours / varnish[kind]:>7.3f}{ours:>12,.0f}{varnish[kind]:>12,.0f}")
    hits.OUT.mkdir(parents=True, exist_ok=True)
    (hits.OUT / "hooks.json").write_text(json.dumps(result, indent=1))
    bars = [charts.Bars(kind, {"vernis": ours, "varnish": varnish[kind]}) for kind, ours in vernis.items()]
    charts.draw_bars("Instructions per hit under the policy of a site", "", bars, args.chart)
    ratio = vernis["all"] / varnish["all"]
    print(f"vernis over varnish: {ratio:.3f}, limit {args.limit:.3f}")
    return 0 if ratio <= args.limit else 1


if __name__ == "__main__":
    raise SystemExit(main())
