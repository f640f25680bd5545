"""Random requests and responses that reach every branch of the example policies. Parts that a policy looks for are drawn
often, each alone and together with others."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from same_behaviour import Requests
from vernis.ir.ir import Module, Msg, Type
from support.reference.world import World
from support.reference.values import Ip, Reference, Value

Fields = list[tuple[Msg, bytes, bytes]]
Answers = dict[str, Callable[..., Value]]


@dataclass(slots=True)
class Request:
    """The input of all hooks: a request, the one to the origin, both responses, and what modules answer."""

    fields: Fields = field(default_factory=list)
    variables: dict[str, Value] = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)

    def set(self, message: Msg, name: str, value: bytes | None) -> None:
        if value is not None:
            self.fields.append((message, name.encode(), value))


def some(rng: random.Random, share: float, *values: bytes) -> bytes | None:
    """One of the values, or none."""
    return rng.choice(values) if rng.random() < share else None


def base(modules: list[Module], rng: random.Random) -> Request:
    """Any value for each variable that a policy reads."""
    made = Request()
    for module in modules:
        requests = Requests(module, rng)
        made.variables |= {name: requests.value(name, type) for name, type in requests.read.items()}
    made.variables["server_rfc9111"] = False    # 5.0 heeds its safety checks also where this is true
    return made


ADDRESSES = [Ip(bytes(parts)) for parts in ((127, 0, 0, 1), (127, 0, 0, 66), (192, 0, 2, 7), (192, 0, 2, 42), (198, 51, 100, 7), (203, 0, 113, 1))]
ADDRESSES += [Ip(bytes.fromhex("20010db8" + "0" * 23 + "7")), Ip(bytes(15) + b"\1")]
METHODS = [b"GET"] * 6 + [b"HEAD", b"PURGE", b"PURGE", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"PATCH", b"BREW", b"get"]
FOLDERS = [b"/", b"/articles/", b"/shop/item/", b"/admin", b"/admin/", b"/administer/", b"/account/", b"/accounts", b"/checkout", b"/api/private/",
           b"/reports/", b"/export/", b"/a/reports/", b"/private", b"/private/", b"/privateer/", b"/static/", b"/.git/", b"/.GIT", b"/wp-config",
           b"/vendor/phpunit/", b"/x/.git/", b"/a.css/", b"/%2E%2e/", b"/../", b"/%00"]
FILES = [b"", b"", b"a", b"1.html", b"app.css", b"APP.JS", b"a.b.woff2", b"a.jpg", b"a.Jpeg", b".png", b"css", b"a.cssx", b"a.", b"book.pdf", b"feed"]
EXTRAS = [b"/feed", b"/feed", b"/feed.xml", b"/feed.xml", b"/feed.xmlx", b"/feedx", b"/cache-health", b"/cache-health", b"/cache-health?a=1", b"/old"]
#: No name is the beginning of another one, and each has a value and stands once: the differences are in test_examples_five.
PARAMETERS = [b"id=1", b"b=2", b"a=1", b"size=m", b"page=a.css", b"colour=", b"utm_source=mail", b"utm_campaign=may", b"gclid=x", b"fbclid=",
              b"mc_cid=1", b"_ga=2.1", b"yclid=3", b"v=17", b"q=%2e"]


def url(rng: random.Random, parameters_min: int = 0) -> bytes:
    path = rng.choice(EXTRAS) if rng.random() < 0.15 else rng.choice(FOLDERS) + rng.choice(FILES)
    if rng.random() < 0.5 and b"?" not in path:
        path += b"?" + b"&".join(rng.sample(PARAMETERS, rng.randint(parameters_min, 4)))
    return path + (b"#top" if rng.random() < 0.1 else b"")


COOKIES = [b"_ga=GA1.2.3", b"consent=yes", b"session=x", b"cart=3", b"preview=1", b"lang=de", b"lang=fr-CH", b"lang=X", b"lang=", b"sessions=1",
           b"language=de", b"xlang=de", b"empty="]


def cookies(rng: random.Random) -> bytes | None:
    if rng.random() < 0.3:
        return None
    chosen = {cookie.partition(b"=")[0]: cookie for cookie in rng.sample(COOKIES, rng.choice((0, 1, 1, 2, 3, 5)))}
    return rng.choice((b"; ", b"; ", b";", b";   ")).join(chosen.values())


AGENTS = [b"Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0", b"iPhone", b"iPad", b"Android 14", b"Android 14 Mobile", b"Kindle/3.0", b"a search bot",
          b"Slurp", b"Opera/9.80 (Android; Opera Mini/7.5)", b"BlackBerry", b"Windows Phone 8", b"curl/8", b"", b"Tablet bot", b"GoogleBot Android"]
CACHE_CONTROL = [b"no-cache", b"max-age=60", b"private", b"Private, max-age=60", b"public, no-store", b"max-age=0, No-Store", b"no-transform", b""]


def quickstart(modules: list[Module], rng: random.Random) -> Request:
    made = base(modules, rng)
    made.variables |= {"req_method": rng.choice(METHODS), "req_url": url(rng, 1), "req_proto": b"HTTP/1.1", "client_ip": rng.choice(ADDRESSES),
                       "bereq_url": url(rng), "obj_hits": rng.choice((0, 0, 1, 7)), "beresp_status": rng.choice((200, 200, 404, 500, 503))}
    made.set(Msg.REQ, "Host", some(rng, 0.9, b"example.com", b"EXAMPLE.com"))
    made.set(Msg.REQ, "Cookie", cookies(rng))
    made.set(Msg.REQ, "Authorization", some(rng, 0.2, b"Basic eDp5"))
    _response(made, rng)
    made.answers["std_querysort"] = query_sorted
    return made


def site(modules: list[Module], rng: random.Random) -> Request:
    made = quickstart(modules, rng)
    healthy = rng.random() < 0.7
    web = Reference(Type.BACKEND, rng.randrange(2), b"web")
    made.answers |= {"std_healthy": lambda world, backend: healthy, "directors_choice_backend": lambda world, director: web}
    made.fields = [(message, name, value) for message, name, value in made.fields if (message, name) != (Msg.REQ, b"Host")]
    made.set(Msg.REQ, "Host", some(rng, 0.9, b"example.com", b"WWW.Example.com:80", b"www.www.org", b"a:80:81", b"www.", b":8", b""))
    made.set(Msg.REQ, "User-Agent", some(rng, 0.9, *AGENTS))
    is_staff = rng.random() < 0.1
    made.set(Msg.REQ, "Cache-Control", b"no-cache" if is_staff else some(rng, 0.4, *CACHE_CONTROL))
    made.set(Msg.REQ, "X-Refresh", b"yes" if is_staff else some(rng, 0.5, b"yes", b"no"))
    made.set(Msg.REQ, "Upgrade", some(rng, 0.1, b"websocket", b"WebSocket", b"h2c"))
    for name in ("Proxy", "X-Device", "X-Forwarded-Proto-Trusted", "X-Lang"):
        made.set(Msg.REQ, name, some(rng, 0.2, b"tablet", b""))
    for name in ("X-Device", "X-Lang", "X-Refresh", "Upgrade"):
        made.set(Msg.BEREQ, name, some(rng, 0.5, b"mobile", b""))
    made.variables |= {"req_url": url(rng), "bereq_method": rng.choice((b"GET", b"GET", b"POST")), "resp_status": rng.choice((200, 403, 405)), "resp_reason": b"Fine",
                       "beresp_status": rng.choice((200, 200, 200, 301, 308, 404, 410, 400, 500, 503)), "bereq_retries": rng.randrange(3)}
    if is_staff:
        made.variables |= {"client_ip": ADDRESSES[0], "req_method": b"GET", "req_url": b"/articles/1.html"}
    for name in ("Via", "X-Powered-By", "X-Origin-Name", "Vary"):
        made.set(Msg.RESP, name, some(rng, 0.5, b"x"))
    return made


def canary(modules: list[Module], rng: random.Random) -> Request:
    made = base(modules, rng)
    halted, release = rng.random() < 0.3, rng.choice((b"stable", b"next"))
    made.variables |= {"req_method": rng.choice(METHODS), "req_url": url(rng), "req_proto": b"HTTP/1.1"}
    made.set(Msg.REQ, "Host", some(rng, 0.9, b"example.com", b"EXAMPLE.com"))
    made.set(Msg.REQ, "X-Release", some(rng, 0.3, b"next", b"other"))
    made.answers |= {"canary.halted": lambda world, file: halted, "canary.split_pick": lambda world, split, visitor: release, "canary.mark": _mark}
    return made


def _response(made: Request, rng: random.Random) -> None:
    made.set(Msg.BERESP, "Set-Cookie", some(rng, 0.2, b"session=x"))
    made.set(Msg.BERESP, "Cache-Control", some(rng, 0.6, *CACHE_CONTROL))
    made.set(Msg.BERESP, "Surrogate-Control", some(rng, 0.1, b"no-store", b"max-age=1"))
    made.set(Msg.BERESP, "Vary", some(rng, 0.3, b"Accept-Language", b"*", b""))


def query_sorted(world: World, url: bytes | None) -> Value:
    path, mark, query = (url or b"").partition(b"?")
    return path + mark + b"&".join(sorted(part for part in query.split(b"&") if part))


def _mark(world: World, name: Value, value: bytes | None) -> Value:
    assert isinstance(name, bytes)
    world.messages[Msg.REQ].set(name.rpartition(b".")[2], value)
    return None
