"""From a request of the daemon to an image or errors: what each child of the compile server runs.

Without a level in the request policies are compiled at level 0: a load waits for it, and level 2 takes ten times as long. The
daemon may ask again for level 2 and put that image under the running policy (``policy_replace_image``).

An image made before from the same sources, options, compiler and contract comes from the store: the policy is still parsed and
checked (that finds the sources, and gives the warnings), the rest is skipped. Else objects of functions do: only those that
have changed, or that no policy had yet, are compiled.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from vernis import pipeline
from vernis.pipeline import Compilation, UnreadableSource
from vernis.service.child import Artefacts, Outcome
from vernis.service.protocol import CompileRequest
from vernis.service.store import key_of

if TYPE_CHECKING:
    from vernis.syntax.splice import TokenCache

LOAD_LEVEL = 0
NO_NAME = ""                # an image is called what it is loaded as: the same text under another name is the same image

# Something of everything that policies commonly use: what is not run here is cold when the first load needs it.
_SAMPLE = b"""vcl 4.1;
import std;
import directors;
probe health { .url = "/health"; .interval = 5s; .timeout = 2s; }
backend default { .host = "127.0.0.1"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 10s; .probe = health; }
acl purgers { "127.0.0.1"; "::1"; ! "192.0.2.0"/24; }
sub vcl_init { new all = directors.round_robin(); all.add_backend(default); }
sub tidy { set req.url = std.querysort(req.url); unset req.http.X-Tidy; }
sub vcl_recv {
    call tidy;
    set req.backend_hint = all.backend();
    if (req.method == "PURGE") {
        if (!client.ip ~ purgers) { return (synth(403, "No")); }
        return (purge);
    }
    if (req.url ~ "^/private(/|$)" || req.http.Authorization) { return (pass); }
    elseif (req.http.Cookie) { unset req.http.Cookie; }
    set req.http.X = regsub(req.url, "[?].*$", "") + req.http.Host + req.restarts;
}
sub vcl_backend_response {
    if (bereq.url ~ "\\.(css|js|png)$") { set beresp.ttl = 1d; set beresp.http.Cache-Control = "max-age=" + beresp.ttl; }
    set beresp.grace = 2m;
}
sub vcl_deliver {
    if (obj.hits > 0) { set resp.http.X-Cache = "hit " + obj.hits; } else { set resp.http.X-Cache = "miss"; }
}
"""


def compile_request(request: CompileRequest, artefacts: Artefacts, scratch: Path) -> Outcome:
    level = LOAD_LEVEL if request.optimisation is None else request.optimisation
    options = pipeline.Options(optimisation=level, vcl_path=request.vcl_path, vmod_path=request.vmod_path,
                               any_path=request.any_path, err_unref=request.err_unref, labels=request.labels,
                               least_version=(4, 1) if request.unix_listener else (4, 0))
    path = request.path and _along(request.path, request.vcl_path)
    if path is None and request.text is None:
        folders = ":".join(request.vcl_path)
        return Outcome(image=None, text=f"cannot read {request.path}: no such file along vcl_path ({folders})\n")
    run = Compilation(name=NO_NAME, path=path or pipeline.INLINE_NAME, text=request.text, options=options,
                      image=scratch / "policy.so", token_cache=warm_tokens(), objects=KeptObjects(artefacts),
                      compiler=compiler_digest())
    try:
        pipeline.run_stages(run, pipeline.CHECK)
    except UnreadableSource as error:
        return Outcome(image=None, text=f"{error}\n")
    if run.failed:
        return _outcome(run, None, cached=False, key=None)
    key = image_key(run)
    image = artefacts.get(key)
    cached = image is not None
    if image is None:
        try:
            pipeline.run_stages(run, pipeline.COMPILE[len(pipeline.CHECK):])
        except OSError as error:                # a full disk: no fault of policy or compiler
            return Outcome(image=None, text=f"cannot write what was compiled: {error.strerror}\n")
        if not run.failed and run.image is not None:
            image = run.image.read_bytes()
    return _outcome(run, image, cached, key)


def _along(path: str, folders: Sequence[str]) -> str | None:
    """A relative name of ``vcl.load`` is looked for as one of an include is. The file it would be in the server's own current
    directory is nobody's policy."""
    if os.path.isabs(path):
        return path
    return next((file for file in (os.path.join(folder, path) for folder in folders) if os.path.exists(file)), None)


def image_key(run: Compilation) -> str:
    """Of everything an image depends on: also descriptions of modules. Addresses that acl entries resolved to are in, so a name
    that has moved gives a new image."""
    assert run.checked is not None
    sources = [part for file in run.sources.files for part in (file.name.encode("utf-8", "surrogateescape"), file.data)]
    return key_of(repr(run.options.optimisation).encode(), compiler_digest(), _contract_digest(),
                  repr(run.checked.acls).encode(), repr(run.checked.modules).encode(), *sources)


@dataclass(slots=True)
class KeptObjects:
    """Objects of functions: those of the built-in policy are in memory, others in the store."""

    store: Artefacts

    def get(self, key: str) -> bytes | None:
        return warm_objects().objects.get(key) or self.store.get(key)

    def put(self, key: str, content: bytes) -> None:
        self.store.put(key, content)


@dataclass(slots=True)
class WarmObjects:
    objects: dict[str, bytes] = field(default_factory=dict)

    def get(self, key: str) -> bytes | None:
        return self.objects.get(key)

    def put(self, key: str, content: bytes) -> None:
        self.objects[key] = content


@cache
def warm_objects() -> WarmObjects:
    """Filled in the parent, while it warms up; children inherit it."""
    return WarmObjects()


@cache
def warm_tokens() -> TokenCache:
    """Made in the parent; children inherit it with the tokens of the built-in policy."""
    from vernis.syntax.splice import TokenCache

    return TokenCache()


@cache
def compiler_digest() -> bytes:
    """Over the compiler's own text and the language's tables: while it is worked on, nothing old is taken for new."""
    from vernis.semantics.vocabulary import grammar_file

    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    files = [*sorted(package.rglob("*.py")), *map(Path, map(grammar_file, ("vocabulary.toml", "builtin.vcl")))]
    for path in files:
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _contract_digest() -> bytes:
    """Read each time: the runtime may be built anew under a running server."""
    from vernis.native.abi import load_contract

    contract = load_contract()
    return contract.digest + contract.cpu.encode() + hashlib.sha256(contract.support).digest()


def warm_up() -> None:
    """Imports everything and compiles a small policy, so that children inherit warm code and tables. When
    that fails the server runs all the same: each request will say what is wrong."""
    try:
        pipeline.warm_up()
        compiler_digest()
        _compile_sample(LOAD_LEVEL, warm_objects())
    except Exception:
        print("vernis compile-server: warming up failed; compiling will fail as well:", file=sys.stderr)
        traceback.print_exc()


def rehearse() -> None:
    """What a spare child does before its request is there: it touches all that the request will need. Twice, for the
    second time finds what the first has left; once with LLVM."""
    _compile_sample(LOAD_LEVEL)
    _compile_sample(LOAD_LEVEL, warm_objects())


def _compile_sample(level: int, objects: WarmObjects | None = None) -> None:
    """Without ``objects`` all of it goes through LLVM."""
    with tempfile.TemporaryDirectory(prefix="vernis-warm-up-") as folder:
        run = Compilation("warm_up", "<warm up>", _SAMPLE, pipeline.Options(optimisation=level),
                          Path(folder) / "warm.so", warm_tokens(), objects, compiler_digest())
        pipeline.compile_policy(run)
    if run.failed:
        print(f"vernis compile-server: warming up: {pipeline.rendered_diagnostics(run)}", file=sys.stderr)


def _outcome(run: Compilation, image: bytes | None, cached: bool, key: str | None) -> Outcome:
    return Outcome(image=image, text=pipeline.rendered_diagnostics(run, stock=True), timings=run.timings, cached=cached,
                   sources=[file.name for file in run.sources.files], labels=run.checked.labels if run.checked else [],
                   image_key=None if cached else key)
