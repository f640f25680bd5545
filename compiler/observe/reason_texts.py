"""The reasons of decisions: one table for the daemon, which decides and logs ids (runtime/proxy/reason/), and
for all that show them: `vernis why`, `log`, `top`, `explain-key`, the dashboard and docs/why.md.

A row is an id and its sentence; ``{about}`` stands for details. mk/reasons.py makes a C table of this file,
so it imports nothing of Vernis.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Sentences by id. Programs may rely on the ids. `vernis why` and `vernis log --why` give these.
REASONS: Mapping[str, str] = {
    "fresh": "a fresh response is stored{about}",
    "stale": "the stored response is stale and within its grace, so the cache sent it{about}",
    "first-request": "no request for this key came before, so nothing is stored",
    "other-key": "the requests before had another cache key: {about}",
    "other-variant": "the stored response is for other values of the fields in Vary: {about}",
    "expired": "the stored response expired: {about}",
    "over-req-grace": "the stored response is stale for longer than the policy allows: {about}",
    "over-req-ttl": "the stored response is older than the policy allows: {about}",
    "no-lifetime": "the answer has no freshness: {about}",
    "set-cookie": "the answer sets a cookie ({about}), so it is for one visitor",
    "cache-control": "the answer forbids shared caches to keep it: {about}",
    "vary-star": "the answer has Vary: *, so it fits no other request",
    "policy-uncacheable": "the policy declares the answer uncacheable{about}",
    "policy-hit-for-pass": "the policy passes this key for a while: return (pass) after the fetch",
    "always-miss": "the policy demands a new fetch: req.hash_always_miss is true",
    "banned": "a ban covers the stored response{about}",
    "purged": "a purge removed the stored response{about}",
    "earlier-passed": "the request before was passed, and passed answers are not stored",
    "earlier-failed": "the fetch of the request before failed: {about}",
    "earlier-abandoned": "the policy abandoned the fetch of the request before",
    "earlier-synthetic": "the request before got no answer of the origin: {about}",
    "vary-illegal": "the answer has a Vary that is not a list of field names",
    "pass-method": "the method {about} is passed: only GET and HEAD are looked up",
    "pass-authorization": "the request has Authorization, so its answer may be for one user",
    "pass-cookie": "the request has a cookie ({about}), so its answer may be for one visitor",
    "pass-policy": "the policy returns pass from {about}",
    "pipe-method": "the method {about} is unknown to the cache, so the client is connected to the origin",
    "pipe-policy": "the policy returns pipe from {about}",
    "synth-host": "the request has no Host",
    "synth-method": "the method {about} is refused",
    "synth-policy": "the policy answers by itself, from {about}",
    "purge": "the policy purges: {about}",
    "policy-failed": "the policy failed: {about}",
    "fetch-failed": "the fetch failed: {about}",
    "too-many-restarts": "the policy restarts more often than max_restarts allows, from {about}",
}

#: Reasons that only the log has.
LOG_REASONS: Mapping[str, str] = {
    "absent": "no response is stored for this key, and none was lately",
    "evicted": "the cache removed the stored response to make room{about}",
    "marker-ended": "the marker of an uncacheable answer ended{about}",
    "client-demand": "the stored response does not meet the Cache-Control of the request",
    "restart-policy": "the policy restarts the request, from {about}",
    "passed": "the request was passed, and passed answers are not stored",
    "too-large": "the answer is larger than its storage",
    "storage-full": "slow clients fill the storage of the answer",
    "too-many-fetches": "too many fetches of this key were under way",
    "grew-too-long": "the answer is of unknown length, and longer than growing_max",
    "part-not-kept": "the answer is a part of the content, and the cache cannot keep it",
    "error-made": "vcl_backend_error made the answer, and set no ttl",
    "abandoned": "the policy abandoned the fetch",
    "stale-used": "the answer was an error, and the stale response was used instead",
    "unknown": "unknown: the log does not hold the reason{about}",
}

#: What subs of the built-in policy (grammar/builtin.vcl) decide by an action.
BUILTIN: Mapping[tuple[str, str], str] = {
    ("vcl_req_host", "synth"): "synth-host",
    ("vcl_req_method", "synth"): "synth-method",
    ("vcl_req_method", "pipe"): "pipe-method",
    ("vcl_req_method", "pass"): "pass-method",
    ("vcl_req_authorization", "pass"): "pass-authorization",
    ("vcl_req_cookie", "pass"): "pass-cookie",
    ("vcl_beresp_stale", "deliver"): "no-lifetime",
    ("vcl_beresp_cookie", "deliver"): "set-cookie",
    ("vcl_beresp_control", "deliver"): "cache-control",
    ("vcl_beresp_vary", "deliver"): "vary-star",
}

#: The next step after a failed fetch: words of its FetchError record, and what to do.
FETCH_ADVICE: tuple[tuple[str, str], ...] = (
    ("unhealthy", "`vernis backends` shows its probes"),
    ("ejected", "`vernis backends` shows since when"),
    ("Connection refused", "does the origin listen at .host and .port?"),
    ("fail errno", "can this machine reach the origin?"),
    ("first byte timeout", "the origin is slower than .first_byte_timeout"),
    ("timeout", "the origin pauses for longer than .between_bytes_timeout"),
    ("busy", "see .max_connections, and how fast the origin is"),
    ("no backend", "`vernis backends` shows which members are healthy"),
    ("HTC eof", "the origin closed the connection without an answer: see its log"),
    ("format error", "the origin does not speak HTTP there: is .port right?"),
    ("insufficient bytes", "the origin ended the content early: see its log"),
    ("eof socket fail", "the origin ended the content early: see its log"),
)

#: Words of FetchError records about a fetch that the cache ended, because no client wanted the rest of the
#: content. The origin did not fail.
UNWANTED: tuple[str, ...] = ("Pass delivery abandoned", "Delivery abandoned")
#: What `vernis log --why` says of such a fetch.
UNWANTED_TEXT = "the fetch ended early: the client had what it asked for, or left"


def is_unwanted(error: str) -> bool:
    return error.rstrip("\0") in UNWANTED
