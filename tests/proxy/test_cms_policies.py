"""Walks through policies for Magento, Drupal and WordPress: which requests are cached, passed, purged and banned
is what the documentation of each says.

The policies of tests/proxy/cms are ours. `make cms POLICIES=DIR` walks through public ones: DIR/magento.vcl is
Magento's varnish7.vcl as it is or as Magento exports it, DIR/drupal.vcl and DIR/wordpress.vcl (or
DIR/wordpress/default.vcl with its includes) one of the public policies for these. Each walk also runs in
Debian's varnishd, which must do the same.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request, Response
from proxy.test_exporter import varnish

OURS = Path(__file__).parent / "cms"
POLICIES = Path(os.environ.get("CMS_POLICIES", OURS))
DEBIANS_UNIT = Path("/lib/systemd/system/varnish.service")
HOST = "shop.example"
STRANGER = "127.0.0.2"  # no ACL names it
START_S = 30.0


@dataclass(slots=True)
class Step:
    """A request. ``expected`` is what the server did, and the status: "hit 200"."""

    what: str
    expected: str
    url: str
    fields: dict[str, str] = field(default_factory=dict)
    method: str = "GET"
    source: str = "127.0.0.1"
    shows: tuple[str, str] | None = None  # a field of the response and its value
    body: str = ""  # a part of the content


# ---- Magento -----------------------------------------------------------------------------------------------

DEBUG = "X-Magento-Cache-Debug"
GROUP = {"Cookie": "PHPSESSID=1; X-Magento-Vary=abc"}
BEARER = {"Authorization": "Bearer t"}
QUERY = "/graphql?query=%7Bproducts%7D"


def magento_origin(request: Request) -> Reply:
    path = request.url.split("?")[0]
    public = {"Content-Type": "text/html", "Cache-Control": "public, max-age=86400", "X-Magento-Debug": "1"}
    pages = {
        "/": Reply(
            body=b'<esi:include src="/page_cache/block/esi"/> home',
            headers=public | {"X-Magento-Tags": "cms_p_2,cat_p_1"},
        ),
        "/page_cache/block/esi": Reply(body=b"menu", headers=public | {"X-Magento-Tags": "menu"}),
        "/shirt": Reply(body=b"shirt", headers=public | {"X-Magento-Tags": "cat_p_1", "X-Pool": "web1"}),
        "/shoes": Reply(
            body=b"shoes", headers=public | {"X-Magento-Tags": "cat_p_12", "Set-Cookie": "form_key=1"}
        ),
        "/brief": Reply(body=b"brief", headers=public | {"Cache-Control": "public, max-age=1"}),
        "/private": Reply(body=b"mine", headers=public | {"Cache-Control": "private"}),
        "/group": Reply(body=b"group", headers=public | {"Set-Cookie": "X-Magento-Vary=abc"}),
        "/gone": Reply(status=404, body=b"gone", headers=public),
        "/graphql": Reply(
            body=b"{}", headers=public | {"Content-Type": "application/json", "X-Magento-Cache-Id": "id1"}
        ),
    }
    return pages.get(
        path, Reply(body=b"x", headers={"Content-Type": "text/html", "Cache-Control": "no-store"})
    )


MAGENTO = [
    Step("a page, first seen", "miss 200", "/", shows=(DEBUG, "MISS"), body="menu home"),
    Step("the page again", "hit 200", "/", shows=(DEBUG, "HIT"), body="menu home"),
    Step("with campaign parameters", "hit 200", "/?utm_source=mail&gclid=1"),
    Step("a query", "miss 200", "/shirt?b=2&a=1"),
    Step("the query in another order", "hit 200", "/shirt?a=1&b=2"),
    Step("a session without a group", "hit 200", "/", {"Cookie": "PHPSESSID=1; form_key=2"}),
    Step("a group of customers", "miss 200", "/", GROUP),
    Step("the same group, another session", "hit 200", "/", {"Cookie": "X-Magento-Vary=abc; PHPSESSID=2"}),
    Step("behind TLS", "miss 200", "/", {"X-Forwarded-Proto": "https"}),
    Step("an account", "pass 200", "/customer/account"),
    Step("a cart", "pass 200", "/checkout/cart"),
    Step("a static file", "pass 200", "/static/a.css"),
    Step("an image", "pass 200", "/media/a.png"),
    Step("the health check", "pass 200", "/health_check.php"),
    Step("an order", "pass 200", "/", method="POST"),
    Step("an unknown method", "pipe 200", "/", method="PROPFIND"),
    Step("a private page", "miss 200", "/private", shows=(DEBUG, "UNCACHEABLE")),
    Step("the private page again", "hitmiss 200", "/private", shows=(DEBUG, "UNCACHEABLE")),
    Step("a page that is not there", "miss 404", "/gone"),
    Step("again: errors are not cached", "hitmiss 404", "/gone"),
    Step("a page that changes the group", "miss 200", "/group", shows=(DEBUG, "UNCACHEABLE")),
    Step("the page within the group", "miss 200", "/group", GROUP, shows=(DEBUG, "MISS")),
    Step("the page within the group again", "hit 200", "/group", GROUP),
    Step("a page that sets another cookie", "miss 200", "/shoes", shows=(DEBUG, "MISS")),
    Step("it again: stored without the cookie", "hit 200", "/shoes"),
    Step("GraphQL of a guest", "miss 200", QUERY),
    Step("GraphQL of a guest again", "hit 200", QUERY),
    Step("GraphQL in another store", "miss 200", QUERY, {"Store": "fr"}),
    Step("GraphQL with a token only", "pass 200", QUERY, BEARER),
    Step("GraphQL with a cache id", "miss 200", QUERY, BEARER | {"X-Magento-Cache-Id": "id1"}),
    Step("GraphQL with it again", "hit 200", QUERY, BEARER | {"X-Magento-Cache-Id": "id1"}),
    Step("GraphQL with it, logged out", "miss 200", QUERY, {"X-Magento-Cache-Id": "id1"}),
    Step(
        "GraphQL with an old cache id",
        "miss 200",
        QUERY,
        {"X-Magento-Cache-Id": "id0"},
        shows=(DEBUG, "UNCACHEABLE"),
    ),
    Step("a purge by a stranger", "synth 405", "/", {"X-Magento-Tags-Pattern": ".*"}, "PURGE", STRANGER),
    Step("a purge without tags", "synth 400", "/", method="PURGE"),
    Step("nothing was removed", "hit 200", "/"),
    Step("a product is saved", "synth 200", "/", {"X-Magento-Tags-Pattern": "((^|,)cat_p_1(,|$))"}, "PURGE"),
    Step("a page with the product", "miss 200", "/"),
    Step("the product", "miss 200", "/shirt?a=1&b=2"),
    Step("another product, whose tag begins alike", "hit 200", "/shoes"),
    Step("a server is deployed", "synth 200", "/", {"X-Pool": "web1"}, "PURGE"),
    Step("a page from that server", "miss 200", "/shirt?a=1&b=2"),
    Step("a page from another one", "hit 200", "/shoes"),
    Step("the cache is flushed", "synth 200", "/", {"X-Magento-Tags-Pattern": ".*"}, "PURGE"),
    Step("a page after the flush", "miss 200", "/shoes"),
]

# ---- Drupal ------------------------------------------------------------------------------------------------


def drupal_origin(request: Request) -> Reply:
    path = request.url.split("?")[0]
    public = {"Content-Type": "text/html", "Cache-Control": "public, max-age=900"}
    pages = {
        "/": Reply(body=b"front", headers=public | {"Cache-Tags": "node:1 node:2 node_list"}),
        "/node/1": Reply(body=b"one", headers=public | {"Cache-Tags": "node:1"}),
        "/node/2": Reply(body=b"two", headers=public | {"Cache-Tags": "node:2"}),
        "/gone": Reply(status=404, body=b"gone", headers=public),
        "/core/logo.png": Reply(body=b"png", headers=public | {"Set-Cookie": "x=1"}),
        "/form": Reply(body=b"form", headers={"Cache-Control": "must-revalidate, no-cache, private"}),
    }
    return pages.get(path, Reply(body=b"x", headers={"Cache-Control": "no-cache, private"}))


CACHE = "X-Varnish-Cache"
SESSION = {"Cookie": "_ga=1; SESSabc123=def"}
DRUPAL = [
    Step("a page, first seen", "miss 200", "/", shows=(CACHE, "MISS")),
    Step("the page again", "hit 200", "/", shows=(CACHE, "HIT")),
    Step("with cookies of analytics", "hit 200", "/", {"Cookie": "_ga=GA1.2; has_js=1"}),
    Step("with a session", "pass 200", "/", SESSION),
    Step("with a session over TLS", "pass 200", "/", {"Cookie": "SSESS0a=b"}),
    Step("right after a change of one's own", "pass 200", "/", {"Cookie": "NO_CACHE=1"}),
    Step("the administration", "pass 200", "/admin/content"),
    Step("the update script", "pass 200", "/update.php"),
    Step("a request of a script", "pass 200", "/views/ajax/1"),
    Step("a form is sent", "pass 200", "/node/1", method="POST"),
    Step("a page that must not be stored", "miss 200", "/form"),
    Step("it again", "hitmiss 200", "/form"),
    Step("a file, with a session", "miss 200", "/core/logo.png", SESSION),
    Step("the file again, without", "hit 200", "/core/logo.png"),
    Step("a page that is not there", "miss 404", "/gone"),
    Step("it again: stored for ten minutes", "hit 404", "/gone"),
    Step("a node", "miss 200", "/node/1"),
    Step("another node", "miss 200", "/node/2"),
    Step("a ban by a stranger", "synth 403", "/", {"Cache-Tags": "node:1"}, "BAN", STRANGER),
    Step("a ban without tags", "synth 403", "/", method="BAN"),
    Step("nothing was removed", "hit 200", "/node/1"),
    Step("a node is saved", "synth 200", "/", {"Cache-Tags": "(^|\\s)node:1(\\s|$)"}, "BAN"),
    Step("the node", "miss 200", "/node/1"),
    Step("a list with the node", "miss 200", "/"),
    Step("the other node", "hit 200", "/node/2"),
    Step("a purge by a stranger", "synth 405", "/node/2", method="PURGE", source=STRANGER),
    Step("a purge of a URL", "synth 200", "/node/2", method="PURGE"),
    Step("the URL", "miss 200", "/node/2"),
    Step("another URL", "hit 200", "/node/1"),
]

# ---- WordPress ---------------------------------------------------------------------------------------------


def wordpress_origin(request: Request) -> Reply:
    path = request.url.split("?")[0]
    html = {"Content-Type": "text/html"}
    pages = {
        "/private/": Reply(body=b"mine", headers=html | {"Cache-Control": "private, max-age=600"}),
        "/cookie/": Reply(body=b"first visit", headers=html | {"Set-Cookie": "seen=1"}),
        "/wp-content/a.css": Reply(body=b"css", headers={"Set-Cookie": "x=1", "Content-Type": "text/css"}),
    }
    return pages.get(path, Reply(body=b"page", headers=html))


WORDPRESS = [
    Step("a page, first seen", "miss 200", "/"),
    Step("the page again", "hit 200", "/"),
    Step("with cookies of analytics", "hit 200", "/", {"Cookie": "has_js=1; __utma=1.2"}),
    Step("an article", "miss 200", "/article/"),
    Step("a link to answer a comment", "hit 200", "/article/?replytocom=3"),
    Step("logged in", "pass 200", "/", {"Cookie": "wordpress_logged_in_1=admin"}),
    Step("who has commented", "pass 200", "/", {"Cookie": "comment_author_1=me"}),
    Step("who knows the password of a page", "pass 200", "/", {"Cookie": "wp-postpass_1=x"}),
    Step("the administration", "pass 200", "/wp-admin/"),
    Step("the login", "pass 200", "/wp-login.php"),
    Step("a request of a script", "pass 200", "/", {"X-Requested-With": "XMLHttpRequest"}),
    Step("a comment is sent", "pass 200", "/wp-comments-post.php", method="POST"),
    Step("an unknown method", "pipe 200", "/", method="PROPFIND"),
    Step(
        "a style sheet, logged in",
        "miss 200",
        "/wp-content/a.css?ver=6",
        {"Cookie": "wordpress_logged_in_1=admin"},
    ),
    Step("it again, another version", "hit 200", "/wp-content/a.css?ver=7"),
    Step("a private page", "miss 200", "/private/"),
    Step("it again", "hitmiss 200", "/private/"),
    Step("a page that sets a cookie", "miss 200", "/cookie/"),
    Step("it again", "hitmiss 200", "/cookie/"),
    Step("a purge by a stranger", "synth 405", "/", method="PURGE", source=STRANGER),
    Step("nothing was removed", "hit 200", "/"),
    Step("an article is saved", "synth 200", "/article/", {"X-Purge-Method": "exact"}, "PURGE"),
    Step("the article", "miss 200", "/article/"),
    Step("another page", "hit 200", "/"),
    Step("the theme is changed", "synth 200", "/.*", {"X-Purge-Method": "regex"}, "PURGE"),
    Step("a page after the change", "miss 200", "/"),
    Step("an article after the change", "miss 200", "/article/"),
]

WALKS: dict[str, tuple[list[Step], Callable[[Request], Reply]]] = {
    "magento": (MAGENTO, magento_origin),
    "drupal": (DRUPAL, drupal_origin),
    "wordpress": (WORDPRESS, wordpress_origin),
}

# ---- policies ----------------------------------------------------------------------------------------------

#: Magento and others fill these in when they export the policy.
PLACEHOLDERS = {
    "host": "127.0.0.1",
    "ips": '    "127.0.0.1";',
    "ssl_offloaded_header": "X-Forwarded-Proto",
    "grace_period": "300",
    "design_exceptions_code": "",
}


def folder_of(name: str) -> Path:
    folder = POLICIES / name
    return folder if folder.is_dir() else POLICIES


def text_of(name: str, port: int) -> str:
    """The policy, with its first backend at ``port``."""
    folder = folder_of(name)
    path = folder / ("default.vcl" if folder != POLICIES else f"{name}.vcl")
    if not path.exists():
        pytest.skip(f"no {path}")
    text = path.read_text()
    for placeholder, value in PLACEHOLDERS.items():
        text = text.replace(f"/* {{{{ {placeholder} }}}} */", value)
    text = re.sub(r"\{%.*?%\}", "", text)  # blocks of a template
    text = re.sub(r'(\.host\s*=\s*)"[^"]*"', r'\1"127.0.0.1"', text, count=1)
    return re.sub(r'(\.port\s*=\s*)"[^"]*"', rf'\1"{port}"', text, count=1)


# ---- servers -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Server:
    workdir: Path
    port: int


def options_of_the_unit(secret: Path) -> list[str]:
    """Options of Debian's unit file, but for the user, the policy and the addresses."""
    text = (
        DEBIANS_UNIT.read_text().replace("\\\n", " ")
        if DEBIANS_UNIT.exists()
        else "ExecStart=varnishd -s malloc,256m -S secret\n"
    )
    words = shlex.split(next(line for line in text.splitlines() if line.startswith("ExecStart=")))[1:]
    options = [word for word in words if word != "-F"]
    pairs = dict(zip(options[::2], options[1::2], strict=True))
    secret.write_text("a secret of Debian's package\n")
    return ["-s", pairs["-s"], "-S", str(secret)]


@contextmanager
def vernis(tmp_path: Path, name: str, policy: str) -> Iterator[Server]:
    args = [*options_of_the_unit(tmp_path / "secret"), "-p", f"vcl_path={folder_of(name)}"]
    with Daemon(tmp_path, policy, args, cli_listen="127.0.0.1:0") as d:
        yield Server(d.workdir, d.port)


@contextmanager
def stock(tmp_path: Path, name: str, policy: str) -> Iterator[Server]:
    with varnish(tmp_path, policy, "-p", f"vcl_path={folder_of(name)}") as (workdir, port):
        yield Server(workdir, port)


def admin(server: Server, *words: str) -> str:
    return tool("admin", server, *words)


def tool(command: str, server: Server, *args: str) -> str:
    done = subprocess.run(
        [str(ROOT / "build/bin/vernis"), command, "-n", str(server.workdir), *args],
        capture_output=True,
        text=True,
        timeout=START_S,
    )
    assert done.returncode == 0, done
    return done.stdout


def handled(server: Server) -> dict[int, str]:
    """How the server handled each step, from its log: "hit", "pass"..."""
    found: dict[int, str] = {}
    for line in tool("log", server, "-d", "-c", "-g", "vxid", "--format", "json").splitlines():
        transaction = json.loads(line)
        numbers = [
            int(r["text"].split()[1])
            for r in transaction.get("records", [])
            if r["tag"] == "ReqHeader" and r["text"].startswith("X-Step: ")
        ]
        if numbers and transaction["level"] == 1 and transaction["reason"] == "rxreq":
            found[numbers[0]] = str(transaction["summary"]["handling"])
    return found


def ask(server: Server, step: Step, number: int) -> Response:
    with Client(server.port, source=step.source) as c:
        return c.request(
            step.url, step.method, step.fields | {"X-Step": str(number), "Connection": "close"}, host=HOST
        )


def walk(server: Server, steps: list[Step]) -> list[str]:
    """The handling and status of each step, and the parts that a response lacks."""
    answers = [ask(server, step, n) for n, step in enumerate(steps)]
    did = wait_until(lambda: len(h := handled(server)) == len(steps) and h, "the log has every step")
    return [f"{did[n]} {answers[n].status}{wrong(step, answers[n])}" for n, step in enumerate(steps)]


def wrong(step: Step, r: Response) -> str:
    if step.shows is not None and r.get(step.shows[0]) != step.shows[1]:
        return f", {step.shows[0]}: {r.get(step.shows[0])}"
    return "" if step.body in r.body.decode() else f", content {r.body!r}"


def report(name: str, steps: list[Step], got: list[str]) -> str:
    """A table of the walk, for people."""
    rows = [
        f"{step.method} {step.url}".ljust(40)[:40]
        + f"{step.what:44}{step.expected:14}{done}{'' if done == step.expected else '   <--'}"
        for step, done in zip(steps, got, strict=True)
    ]
    return "\n".join([f"{name}: request, step, expected, got", *rows])


SERVERS = [
    pytest.param(vernis, id="vernis"),
    pytest.param(
        stock,
        id="varnish",
        marks=pytest.mark.skipif(shutil.which("varnishd") is None, reason="needs Debian's varnish"),
    ),
]


def closing(answer: Callable[[Request], Reply]) -> Callable[[Request], Reply]:
    """Closes the connection after the response to a probe: varnishd reads up to its end."""
    return lambda request: replace(answer(request), close=request.headers.get("connection") == "close")


def serve(stack: ExitStack, start: Callable[[Path, str, str], object], tmp_path: Path, name: str) -> Server:
    origin = stack.enter_context(Origin(closing(WALKS[name][1])))
    server: Server = stack.enter_context(start(tmp_path, name, text_of(name, origin.port)))  # type: ignore[arg-type]
    wait_until(lambda: "sick" not in admin(server, "backend.list").lower(), "the probe has seen the origin")
    return server


@pytest.mark.parametrize("start", SERVERS)
@pytest.mark.parametrize("name", WALKS)
def test_each_request_is_handled_as_documented(
    name: str, start: Callable[[Path, str, str], object], tmp_path: Path
) -> None:
    steps = WALKS[name][0]
    with ExitStack() as stack:
        got = walk(serve(stack, start, tmp_path, name), steps)
    print(report(name, steps, got))
    assert got == [step.expected for step in steps]


@pytest.mark.parametrize("start", SERVERS)
def test_a_shop_whose_server_fails_shows_its_stored_pages(
    start: Callable[[Path, str, str], object], tmp_path: Path
) -> None:
    with ExitStack() as stack:
        server = serve(stack, start, tmp_path, "magento")
        brief = Step("a page that is fresh for a second", "", "/brief")
        assert ask(server, brief, 0).get(DEBUG) == "MISS"
        admin(server, "backend.set_health", "*.default", "sick")
        wait_until(
            lambda: ask(server, brief, 1).get("Grace") == "unlimited (unhealthy server)", "the page is stale"
        )
        answer = ask(server, brief, 2)
        assert (answer.status, answer.body, answer.get(DEBUG)) == (200, b"brief", "HIT")
