"""Compiles a request of the daemon to an image or errors. Each child of the compile server runs this.

A request without a level compiles at level 0, because a load waits for it and level 2 takes ten times as
long.

A text that was compiled before may have its whole answer in the store (unchanged.py). If the store has only
an image of the same sources, options, compiler and contract, parsing and checking run; they find the sources
and give the warnings. Otherwise the store may have objects of functions, and only new
or changed functions are compiled. A child that has compiled before parses and checks only new statements
(semantics/pieces.py).
"""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from vernis import pipeline
from vernis.pipeline import Compilation, UnreadableSource
from vernis.service.child import Artefacts, Outcome
from vernis.service import unchanged
from vernis.service.limits import Limits
from vernis.service.protocol import CompileRequest
from vernis.service.second import SecondProcess
from vernis.service.store import key_of
from vernis.semantics.pieces import PieceStore
from vernis.syntax.splice import TokenCache
from vernis.trouble import helped, is_of_the_system, words_of


NO_NAME = ""  # images have no name, so that one image serves the same text under several names

# A sample of all common features. A feature that is missing here is slow in the first load that uses it.
_SAMPLE = b"""vcl 4.1;
import std;
import directors;
probe health { .url = "/health"; .interval = 5s; .timeout = 2s; }
backend default {
    .host = "127.0.0.1"; .port = "8080"; .connect_timeout = 1s; .first_byte_timeout = 10s; .probe = health;
}
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
    if (bereq.url ~ "\\.(css|js|png)$") {
        set beresp.ttl = 1d;
        set beresp.http.Cache-Control = "max-age=" + beresp.ttl;
    }
    set beresp.grace = 2m;
}
sub vcl_deliver {
    if (obj.hits > 0) { set resp.http.X-Cache = "hit " + obj.hits; } else { set resp.http.X-Cache = "miss"; }
}
"""


def compile_request(request: CompileRequest, artefacts: Artefacts) -> Outcome:
    options = pipeline.Options(
        vcl_path=request.vcl_path,
        vmod_path=request.vmod_path,
        any_path=request.any_path,
        err_unref=request.err_unref,
        labels=request.labels,
        least_version=(4, 1) if request.unix_listener else (4, 0),
        rule_counters=request.rule_counters,
        params=request.params,
    )
    path = request.path and _along(request.path, request.vcl_path)
    if path is None and request.text is None:
        folders = ":".join(request.vcl_path)
        return Outcome(
            image=None, text=f"cannot read {request.path}: no such file along vcl_path ({folders})\n"
        )
    run = Compilation(
        name=NO_NAME,
        path=path or pipeline.INLINE_NAME,
        text=request.text,
        options=options,
        token_cache=TokenCache(dict(warm_tokens().entries)),
        objects=KeptObjects(artefacts),
        compiler=compiler_digest(),
        second=_this_child.idle_second(),
        pieces=kept_pieces(),
    )
    try:
        run.text = pipeline.text_of(run)
    except UnreadableSource as error:
        return Outcome(image=None, text=f"{error}\n")
    answer_key = unchanged.answer_key(run, compiler_digest(), _contract_digest())
    answer = unchanged.known_answer(artefacts, answer_key)
    if answer is not None and (image := artefacts.get(answer.image_key)) is not None:
        return Outcome(image, answer.text, {}, answer.sources, answer.labels, cached=True)
    outcome, key = _compiled(run, artefacts)
    outcome.afterwards = partial(pipeline.keep_pieces, run)
    if outcome.image is not None:
        unchanged.keep_answer(artefacts, answer_key, run, key, outcome.text)
    return outcome


def _compiled(run: Compilation, artefacts: Artefacts) -> tuple[Outcome, str]:
    """The outcome, and the key of the image; "" if the check failed."""
    pipeline.run_stages(run, pipeline.CHECK)
    if run.failed:
        return _outcome(run, None), ""
    key = image_key(run)
    known = artefacts.get(key)
    if known is not None:
        outcome = _outcome(run, known)
        outcome.cached = True
        return outcome, key
    pipeline.run_stages(run, pipeline.COMPILE[len(pipeline.CHECK) :])
    outcome = _outcome(run, run.code)
    outcome.image_key = key
    return outcome, key


def _along(path: str, folders: Sequence[str]) -> str | None:
    """Looks up a relative name of ``vcl.load`` along ``vcl_path``, as an include is. The server's own current
    directory does not count."""
    if os.path.isabs(path):
        return path
    return next(
        (file for file in (os.path.join(folder, path) for folder in folders) if os.path.exists(file)), None
    )


def image_key(run: Compilation) -> str:
    """Key over all inputs of an image, including module descriptions, the addresses to which names of hosts
    resolved, and the ports of services. If one of them changes, the image is compiled again. Rows of tables
    are in the sources; the runtime reads those of files."""
    assert run.checked is not None
    sources = [
        part
        for file in run.sources.files
        for part in (file.name.encode("utf-8", "surrogateescape"), file.data)
    ]
    return key_of(
        repr((run.options.rule_counters, run.options.params)).encode(),
        compiler_digest(),
        _contract_digest(),
        repr(sorted(run.names_asked.items())).encode(),
        repr(run.checked.modules).encode(),
        *sources,
    )


@dataclass(slots=True)
class KeptObjects:
    """Compiled functions. Those of the built-in policy are in memory, others in the store."""

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
    """Objects that the parent compiles at its warm-up. Children inherit them."""
    return WarmObjects()


@cache
def warm_tokens() -> TokenCache:
    """The token cache. Children inherit it from the parent, with the tokens of the built-in policy."""
    return TokenCache()


@cache
def kept_pieces() -> PieceStore:
    """The statements that this child has compiled."""
    return PieceStore()


@cache
def compiler_digest() -> bytes:
    """Digest over the compiler's source and the language's tables, so that a changed compiler uses no old
    objects."""
    from vernis.semantics.vocabulary import grammar_file

    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    files = [
        *sorted(package.rglob("*.py")),
        *map(Path, map(grammar_file, ("vocabulary.toml", "builtin.vcl"))),
    ]
    for path in files:
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _contract_digest() -> bytes:
    """Digest of the contract. Read for each request, because the runtime may be rebuilt while the server
    runs."""
    from vernis.native.abi import load_contract

    contract = load_contract()
    return contract.digest + contract.cpu.encode() + hashlib.sha256(contract.support).digest()


def warm_up() -> None:
    """Imports everything and compiles a small policy, so that children inherit warm code and tables. If this
    fails, the server runs anyway: each request reports the error."""
    try:
        pipeline.warm_up()
        compiler_digest()
        _compile_sample(warm_objects())
    except Exception as error:
        failed = "vernis compile-server: the warm-up failed, so compiles will fail too:"
        if isinstance(error, OSError) and is_of_the_system(error):
            print(failed, helped(words_of(error), error), file=sys.stderr)
            return
        print(failed, file=sys.stderr)
        traceback.print_exc()


@dataclass(slots=True)
class _ThisChild:
    second: SecondProcess | None = None

    def idle_second(self) -> SecondProcess | None:
        """The second process without results of an earlier compile, which the next one would take."""
        try:
            if self.second is not None:
                self.second.become_idle()
        except (OSError, EOFError):
            self.second = None
        return self.second


_this_child = _ThisChild()


def rehearse(limits: Limits) -> Callable[[], None]:
    """Prepares a spare child. Starts its second process, and compiles the sample in both, to touch the pages
    that a request will need. The first compile uses LLVM here, the second in both processes, and the third
    uses stored objects. Returns the function that ends the second process."""
    from vernis.native.beside import do_job

    second = _this_child.second = SecondProcess(do_job, limits)
    try:
        _compile_sample()
        _compile_sample(second=second)
        _compile_sample(warm_objects())
    except Exception:
        pass  # the request may succeed
    return second.end


def _compile_sample(objects: WarmObjects | None = None, second: SecondProcess | None = None) -> None:
    """Compiles the sample. Without ``objects`` LLVM compiles every function."""
    run = Compilation(
        "warm_up",
        "<warm up>",
        _SAMPLE,
        pipeline.Options(),
        token_cache=warm_tokens(),
        objects=objects,
        compiler=compiler_digest(),
        second=second,
    )
    pipeline.compile_policy(run)
    if run.failed:
        print(f"vernis compile-server: warming up: {pipeline.rendered_diagnostics(run)}", file=sys.stderr)


def _outcome(run: Compilation, image: bytes | None) -> Outcome:
    return Outcome(
        image=image,
        text=pipeline.rendered_diagnostics(run, stock=True),
        timings=run.timings,
        sources=[file.name for file in run.sources.files],
        labels=run.checked.labels if run.checked else [],
    )
