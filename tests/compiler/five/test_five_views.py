"""Parsed views, values from text and text methods of vcl 5.0. Each row is a hook's text and what it leaves in X (None: unset; "fail": the
hook failed), or the codes that the checker reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from five_helpers import check, recv, run
from support.language import Harness, compile_text
from vernis.ir.ir import Msg

URL = "/shop/item.html?id=55&utm_source=a&page=2&utm_medium=b&id=7&empty=&flag&pct=%41+b"
FIELDS = {"Cookie": "_ga=1; session=abc; lang=de; _gid=2; flag", "Cache-Control": 'Max-Age=60, private="a, b", no-store',
          "N": "42", "Bad": "42x", "Empty": "", "Host": "www.shop.example.com"}


def x(body: str, url: str = URL) -> str | None:
    ran = run(recv(body), FIELDS, req_url=url)
    return "fail" if ran.action == "fail" else ran.field("X")


VALUES = [
    # views of the URL
    ("req.url.path", "/shop/item.html"),
    ("req.url.ext", "html"),
    ('req.url.ext ?? "none"', "html"),
    ('req.url.query["id"]', "55"),
    ('req.url.query["page"]', "2"),
    ('req.url.query["empty"]', ""),
    ('req.url.query["flag"]', ""),
    ('req.url.query["pct"]', "%41+b"),
    ('req.url.query["ID"]', None),
    ('req.url.query["nothing"]', None),
    ('req.url.query["nothing"] ?? "default"', "default"),
    ('req.url.query["i" + "d"]', "55"),
    ('req.url.query["id"].length() + 1', "3"),
    # cookies and directives
    ('req.cookie["session"]', "abc"),
    ('req.cookie["Session"]', None),
    ('req.cookie["flag"]', ""),
    ('req.cookie["nothing"] ?? "none"', "none"),
    ('req.cache_control["max-age"]', "60"),
    ('req.cache_control["PRIVATE"]', "a, b"),
    ('req.cache_control["no-store"]', ""),
    ('req.cache_control["public"]', None),
    # names that are there
    ('text(req.url.query.has("nothing", "flag"))', "true"),
    ('text(req.url.query.has("nothing", "Flag", "fla"))', "false"),
    ('text(req.url.query.has("utm_*"))', "true"),
    ('text(req.cookie.has("session", "cart"))', "true"),
    ('text(req.cookie.has("cart", "*sion", "preview"))', "true"),
    ('text(req.cookie.has("cart", "ession"))', "false"),
    ('text(req.cache_control.has("no-cache", "PRIVATE"))', "true"),
    ('text(req.cache_control.has("no-cache", "a"))', "false"),
    # values from text
    ('"" + (int(req.http.N) ?? 0)', "42"),
    ('"" + (int(req.http.Bad) ?? 99)', "99"),
    ('"" + (int(req.http.Nothing) ?? 99)', "99"),
    ('"" + (int("7") ?? 0)', "7"),
    ('text(real("1.25") ?? 0.0)', "1.250"),
    ('text(duration("1.5m") ?? 0s)', "90.000"),
    ('"" + (bytes("1.5KB") ?? 0B)', "1536"),
    ('http_date(time("Sun, 06 Nov 1994 08:49:37 GMT") ?? now)', "Sun, 06 Nov 1994 08:49:37 GMT"),
    ('text(ip("192.0.2.1") ?? client.ip)', "192.0.2.1"),
    # written conversions
    ("text(5m)", "300.000"),
    ("text(1.5)", "1.500"),
    ("text(2 * 3)", "6"),
    ("text(10KB)", "10240"),
    ("text(true)", "true"),
    ('text("a")', "a"),
    ("text(1 == 1)", "true"),
    # methods
    ('req.http.Host.before(".")', "www"),
    ('req.http.Host.after(".")', "shop.example.com"),
    ('req.http.Host.before_last(".")', "www.shop.example"),
    ('req.http.Host.after_last(".")', "com"),
    ('req.http.Host.before("/")', None),
    ('(req.http.Host.before("/") ?? "whole")', "whole"),
    ('req.http.Nothing.before(".")', None),
    ('req.http.Nothing.lower() ?? "unset"', "unset"),
    ('req.http.Empty.lower() ?? "unset"', ""),
    ('req.http.Host.upper()', "WWW.SHOP.EXAMPLE.COM"),
    ('" a b ".trim()', "a b"),
    ('"a-b-c".replace("-", "+")', "a+b+c"),
    ('"aaa".replace("aa", "b")', "ba"),
    ('"abc".replace("", "x")', "abc"),
    ('req.url.path.after_last("/").before(".")', "item"),
    ('"" + "abc".length()', "3"),
    ('"" + (req.http.Nothing.length() ?? 99)', "99"),
    ('"" + (req.http.Host.before("/").length() ?? 99)', "99"),
]


@pytest.mark.parametrize(("value", "expected"), VALUES, ids=[row[0] for row in VALUES])
def test_values(value: str, expected: str | None) -> None:
    assert x(f"set req.http.X = {value};") == expected


URLS = [  # statements, and the URL that they leave
    ('req.url.query.remove("utm_*");', "/shop/item.html?id=55&page=2&id=7&empty=&flag&pct=%41+b"),
    ('req.url.query.remove("utm_*", "id", "empty");', "/shop/item.html?page=2&flag&pct=%41+b"),
    ('req.url.query.keep("id");', "/shop/item.html?id=55&id=7"),
    ('req.url.query.keep("*g");', "/shop/item.html?flag"),
    ('req.url.query.remove("*");', "/shop/item.html"),
    ('req.url.query.keep("nothing");', "/shop/item.html"),
    ('req.url.query.keep("page", "id"); req.url.query.sort();', "/shop/item.html?id=55&id=7&page=2"),
    ('set req.url.path = "/a";', "/a?id=55&utm_source=a&page=2&utm_medium=b&id=7&empty=&flag&pct=%41+b"),
    ('set req.url.path = req.url.path.replace("/shop", ""); req.url.query.remove("*");', "/item.html"),
    ('let old = req.url.path; set req.url.path = "/b"; set req.url = old;', "/shop/item.html"),
    ('set req.url.path = "/a?b";', "fail"),
    ('set req.url.path = "";', "fail"),
]


@pytest.mark.parametrize(("body", "url"), URLS, ids=[row[0] for row in URLS])
def test_changes_of_the_url(body: str, url: str) -> None:
    assert x(body + " set req.http.X = req.url;") == url


def test_names_are_constants_too() -> None:
    text = recv("call tidy; set req.http.X = req.url;", 'const TRACKING = "utm_*"; sub tidy { req.url.query.keep(TRACKING); }')
    assert run(text, req_url=URL).field("X") == "/shop/item.html?utm_source=a&utm_medium=b"


COOKIES = [  # statements, and the Cookie that they leave
    ('req.cookie.remove("_*");', "session=abc; lang=de; flag"),
    ('req.cookie.keep("session");', "session=abc"),
    ('req.cookie.keep("nothing");', None),
    ('req.cookie.remove("*");', None),
    ('req.cookie.remove("nothing");', FIELDS["Cookie"]),
    ('unset req.http.Cookie; req.cookie.remove("a");', None),
    ('if (req.http.Cookie is set) { req.cookie.keep("nothing"); } set req.http.Cookie = req.http.Cookie ?? "gone";', "gone"),
]


@pytest.mark.parametrize(("body", "cookie"), COOKIES, ids=[row[0] for row in COOKIES])
def test_changes_of_cookies(body: str, cookie: str | None) -> None:
    assert run(recv(body), FIELDS).field("Cookie") == cookie


REFUSED = [  # statements, and the code of the one message
    ("set req.http.X = req.url.query;", "V780"),
    ("set req.http.X = req.cookie;", "V780"),
    ('set req.http.X = req.url.path["a"];', "V756"),
    ('set req.http.X = req.url.query.remove("a");', "V780"),
    ('req.cookie.sort();', "V780"),
    ('req.url.query.drop("a");', "V780"),
    ('req.cache_control.remove("a");', "V780"),
    ('req.url.query.remove();', "V781"),
    ('req.url.query.remove(req.http.A ?? "");', "V781"),
    ('req.url.query.remove("a*b");', "V781"),
    ('req.url.query.remove("a=1");', "V781"),
    ('req.url.query.remove("a&b");', "V781"),
    ('req.url.query.has("a");', "V324"),
    ('if (req.url.query.has()) { return (pass); }', "V781"),
    ('if (req.cookie.has(req.url)) { return (pass); }', "V781"),
    ('if (req.cookie.has("a=1")) { return (pass); }', "V781"),
    ('if (req.cache_control.has("no-*")) { return (pass); }', "V781"),
    ('if (req.url.path.has("a")) { return (pass); }', "V322"),
    ('req.http.Set-Cookie.add("a=1");', "V782"),
    ('req.http.X.add();', "V313"),
    ('req.http.X.add(a = "b");', "V313"),
    ('req.http.X.add(req.http.Y);', "V731"),
    ('resp.http.X.add("a");', "V402"),
    ('set req.http.Y = req.http.X.add("a");', "V322"),
    ('req.url.query.sort("a");', "V313"),
    ('set req.url.ext = "css";', "V780"),
    ('set req.url.path += "css";', "V780"),
    ("set req.url.path = req.http.X;", "V731"),
    ("set req.url = req.url.ext;", "V731"),
    ('set req.url = req.cookie["a"];', "V731"),
    ('set req.http.X = req.url.query[5m];', "V754"),
    ('set req.http.X = req.url.query[req.http.A];', "V731"),
    ('set req.http.X = "" + int("5");', "V731"),
    ('set req.http.X = "" + int();', "V312"),
    ('set req.http.X = "" + (int("5", "6") ?? 0);', "V313"),
    ("set req.http.X = text(now);", "V301"),
    ("set req.http.X = http_date(5);", "V301"),
    ("set req.http.X = text(req.http.A);", "V731"),
    ('set req.http.X = req.http.A.befor(".");', "V322"),
    ('set req.http.X = "a".replace("b");', "V312"),
    ('if (req.cookie["a"]) { return (pass); }', "V755"),
    ('set beresp.http.X = beresp.cache_control["max-age"];', "V402"),
    ('set req.http.X = beresp.cache_control["max-age"];', "V401"),
]


@pytest.mark.parametrize(("body", "code"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refusals(body: str, code: str) -> None:
    assert check(recv(body)).codes == [code]


MISTAKES = [  # a mistake, and what the help says
    ("set req.http.X = req.url.pth;", "did you mean req.url.path or req.url.ext?"),
    ("set req.http.X = req.url.query.id;", 'write req.url.query["id"]'),
    ("set req.http.X = req.cookie.session;", 'write req.cookie["session"]'),
    ('set req.http.X = req.cookies["a"];', "did you mean req.cookie?"),
    ('set req.http.X = req.query["a"];', "did you mean req.url.query?"),
    ('req.url.query.remov("a");', "did you mean remove?"),
    ('set req.http.X = req.http.Cookie["a"];', "write req.cookie[...]"),
    ('set req.http.X = req.url.query("a");', 'write req.url.query["name"], req.url.query.keep("name") or req.url.query.remove("name")'),
    ("set req.http.X = req.url.path();", "write req.url.path"),
    ("let n : INT = req.url;", "int(text) reads it from text, and is absent if the text is none: ... ?? ..."),
    ("let n : IP = req.url;", "ip(text) reads it from text, and is absent if the text is none: ... ?? ..."),
]


@pytest.mark.parametrize(("body", "help_"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes_have_help(body: str, help_: str) -> None:
    (found,) = check(recv(body)).findings
    assert found.help == help_


LISTS = [  # statements, and the list X that they leave
    ('req.http.X.add("a");', "a"),
    ('req.http.X.add("a"); req.http.X.add("b");', "a, b"),
    ('set req.http.X = "a"; req.http.X.add("b", req.url.ext ?? "none");', "a, b, html"),
    ('set req.http.X = ""; req.http.X.add("b");', ", b"),
    ('req.http.X.add("a" + 1); unset req.http.X; req.http.X.add("b");', "b"),
    ('req.http.X.add(req.http.X ?? "first"); req.http.X.add(req.http.X);', "first, first"),
]


@pytest.mark.parametrize(("body", "expected"), LISTS, ids=[row[0] for row in LISTS])
def test_items_are_added_to_a_list(body: str, expected: str) -> None:
    assert x(body) == expected


@pytest.mark.parametrize("body", [
    'req.http.X.add("a");', 'if (req.cookie.has("a")) { return (pass); }', 'set req.http.X = req.url.path;', 'set req.http.X = req.cookie["a"];', 'set req.http.X = int("5");', 'set req.http.X = "a".before("b");'])
def test_policies_of_4_1_do_not_have_them(body: str) -> None:
    text = recv(body).replace("vcl 5.0", "vcl 4.1")
    assert check(text).codes != []


def test_a_test_of_a_cookie_is_no_fact_about_the_next_one() -> None:
    assert check(recv('if (req.cookie["a"] is set) { set req.url = req.cookie["a"]; }')).codes == ["V731"]
    assert check(recv('if (let a = req.cookie["a"]) { set req.url = a; }')).codes == []


def test_views_of_a_response() -> None:
    text = recv("") + 'sub vcl_backend_response { if (beresp.cache_control["no-store"] is set) { set beresp.ttl = 0s; } }'
    assert check(text).codes == []


def test_functions_may_parse() -> None:
    text = recv("set req.http.X = \"\" + age(req.http.N);", "fn age(v : STRING?) -> INT { return (int(v) ?? 7); }")
    assert run(text, {"N": "8"}).field("X") == "8"
    assert run(text, {}).field("X") == "7"


def test_the_example_of_the_reference() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs/language.md").read_text()
    text = page.partition("## Parts of variables in 5.0")[2].split("```vcl\n")[1].partition("```")[0]
    ran = run(text, {"Cookie": "_ga=1; lang=de"}, req_url="/a.png?utm_x=1&page=2&b=3&a")
    assert ran.world.variables["req_url"] == b"/a.png?a&b=3&page=2"
    assert ran.field("Cookie") == "lang=de" and ran.field("X-Page") == "2"
    assert run(text, {"Cookie": "session=1"}).action == "pass"


def test_native_code_has_the_same_values(tmp_path: Path) -> None:
    """All values in one hook, and each change of the URL in a hook of its own kind of request."""
    values = "".join(f"set req.http.X-{number} = {value};\n" for number, (value, _) in enumerate(VALUES))
    values += "".join(f"{body} set req.http.L-{number} = req.http.X; unset req.http.X;\n" for number, (body, _) in enumerate(LISTS))
    changes = "".join(f'if (req.http.Change == "{number}") {{ {body} }}\n' for number, (body, _) in enumerate(URLS))
    with Harness() as harness:
        assert harness.load(compile_text(recv(values + changes), tmp_path)) == ""
        for number, (_, url) in enumerate(URLS):
            harness.reset()
            harness.request(url=URL.encode())
            for name, value in [*FIELDS.items(), ("Change", str(number))]:
                harness.add(Msg["REQ"], name.encode(), value.encode())
            assert (harness.run("vcl_recv") == "fail") == (url == "fail")
            assert url == "fail" or harness.text("req.url") == url
        fields = dict(harness.fields(Msg["REQ"]))
        assert {value: fields.get(f"X-{number}") for number, (value, _) in enumerate(VALUES)} == dict(VALUES)
