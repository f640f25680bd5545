"""Summarises the records of a transaction: request, response, client or backend, the time of each step, the
decisions of the policy, and the changed fields."""

from __future__ import annotations

from dataclasses import dataclass, field

from vernis.observe import tags
from vernis.observe.records import Record
from vernis.observe.transactions import Kind, Transaction


#: The position of a statement, from the preceding VCL_trace record: policy, source.line.position.
Place = tuple[str, str]


@dataclass(slots=True)
class Step:
    """A timestamp: seconds since the epoch, since the transaction began, and since the step before."""

    label: str
    at: float
    since_start_s: float
    since_last_s: float


@dataclass(slots=True)
class Change:
    """A field that the policy set to ``value``, or removed (None)."""

    message: str  # req, resp, bereq, beresp
    name: str
    before: str | None
    value: str | None
    hook: str  # "" outside hooks
    place: Place | None


@dataclass(slots=True)
class Note:
    """An ACL test or a log text of a hook."""

    text: str
    place: Place | None


@dataclass(slots=True)
class Decision:
    """A hook that ran, and its return action."""

    hook: str
    action: str = ""
    place: Place | None = None
    notes: list[Note] = field(default_factory=list)


@dataclass(slots=True)
class Summary:
    kind: Kind
    vxid: int
    method: str = ""
    url: str = ""
    host: str = ""
    protocol: str = ""
    status: int = 0
    reason: str = ""
    client: str = ""
    backend: str = ""
    policy: str = ""
    handling: str = ""  # hit, miss, hitmiss, hitpass, pass, pipe, synth, ...
    fetched_as: str = ""  # reason of a fetch: fetch, bgfetch, pass, ...
    bytes_in: int = 0
    bytes_out: int = 0
    storage: str = ""
    lifetime: str = ""  # last TTL record
    met: str = ""  # the marker that the look-up found
    steps: list[Step] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    logged: list[Note] = field(default_factory=list)  # outside hooks

    @property
    def duration_s(self) -> float:
        return max((step.since_start_s for step in self.steps), default=0.0)


_FAMILIES = {family: family.lower() for family in ("Req", "Resp", "Bereq", "Beresp")}
_PARTS = ("Method", "URL", "Protocol", "Status", "Reason", "Header", "Unset")
#: Message and part by tag.
_MESSAGES = {
    tags.NUMBERS[family + part]: (message, part)
    for family, message in _FAMILIES.items()
    for part in _PARTS
    if family + part in tags.NUMBERS
}
_HANDLING = {"HIT": "hit", "MISS": "miss", "PASS": "pass", "PIPE": "pipe", "SYNTH": "synth", "PURGE": "purge"}
_AFTER_MARKERS = (("PASS", "hitpass"), ("MISS", "hitmiss"))
_ERRORS = frozenset(
    (
        "Error",
        "VCL_Error",
        "FetchError",
        "BogoHeader",
        "LostHeader",
        "HttpGarbage",
        "ESI_xmlerror",
        "SessError",
        "VSL",
        "Notice",
    )
)


#: Limits of numbers in records, which may be damaged. Longer numbers and later times are ignored.
_DIGITS_MAX = 18
_SECONDS_MAX = 1e11


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= _DIGITS_MAX


def decode(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def summarise(transaction: Transaction) -> Summary:
    return _Reader(transaction).summary


class _Reader:
    def __init__(self, transaction: Transaction) -> None:
        self.summary = Summary(transaction.kind, transaction.vxid, fetched_as=transaction.reason)
        self._mine = ("req", "resp") if transaction.kind is Kind.REQUEST else ("bereq", "beresp")
        self._unset: dict[tuple[str, str], tuple[str, str]] = {}  # name as written, value
        self._in_hook = False
        self._place: Place | None = None  # of the running statement, None if not known
        self._traced: Place | None = None  # the last place in this hook
        for record in transaction.records:
            self._take(record)
        self._flush_unset()

    def _take(self, record: Record) -> None:
        message = _MESSAGES.get(record.tag)
        if message is not None:
            return self._message(*message, decode(record.text))
        name = tags.name_of(record.tag)
        if name in _ERRORS:
            self.summary.errors.append(f"{name}: {decode(record.text)}")
        elif handler := getattr(self, f"_on_{name.lower()}", None):
            text = decode(record.text)
            handler(text, text.split())
        return None

    # ---- messages ----

    def _message(self, message: str, part: str, text: str) -> None:
        summary = self.summary
        if part == "Header":
            return self._header(message, text)
        if part == "Unset":
            name, _, value = text.partition(":")
            self._unset[message, name.lower()] = name, value.strip()
            return None
        self._flush_unset()
        if message == self._mine[0]:
            match part:
                case "Method":
                    summary.method = text
                case "URL":
                    if summary.url and self._in_hook:
                        self._changed(message, "url", summary.url, text)
                    summary.url = text
                case "Protocol":
                    summary.protocol = text
        elif message == self._mine[1]:
            match part:
                case "Status":
                    summary.status = int(text) if _is_number(text) else 0
                case "Reason":
                    summary.reason = text
        return None

    def _header(self, message: str, text: str) -> None:
        name, _, value = text.partition(":")
        key, value = (message, name.lower()), value.strip()
        _, before = self._unset.pop(key, (name, None))
        self._flush_unset()
        if self._in_hook or before is not None:
            self._changed(message, name, before, value)
        if key == (self._mine[0], "host"):
            self.summary.host = value

    def _flush_unset(self) -> None:
        """Enters fields that were removed and not set again as changes."""
        for (message, _), (name, value) in self._unset.items():
            self._changed(message, name, value, None)
        self._unset.clear()

    def _changed(self, message: str, name: str, before: str | None, value: str | None) -> None:
        if before != value:
            hook = self.summary.decisions[-1].hook if self._in_hook else ""
            self.summary.changes.append(Change(message, name, before, value, hook, self._place))

    # ---- records by name ----

    def _on_vcl_call(self, text: str, words: list[str]) -> None:
        self._flush_unset()
        self.summary.decisions.append(Decision(text.lower()))
        if (text, self.summary.handling) not in _AFTER_MARKERS:
            self.summary.handling = _HANDLING.get(text, self.summary.handling)
        self._in_hook, self._place, self._traced = True, None, None

    def _on_vcl_return(self, text: str, words: list[str]) -> None:
        self._flush_unset()
        if self.summary.decisions:
            self.summary.decisions[-1].action = text
            self.summary.decisions[-1].place = self._traced
        self._in_hook, self._place = False, None

    def _on_vcl_trace(self, text: str, words: list[str]) -> None:
        if len(words) == 3:
            self._flush_unset()
            self._place = self._traced = words[0], words[2]

    def _on_vcl_log(self, text: str, words: list[str]) -> None:
        self._note(f"log {text}")

    def _on_vcl_acl(self, text: str, words: list[str]) -> None:
        self._note(f"acl {text}")

    def _note(self, text: str) -> None:
        notes = self.summary.decisions[-1].notes if self._in_hook else self.summary.logged
        notes.append(Note(text, self._place))

    def _on_vcl_use(self, text: str, words: list[str]) -> None:
        self.summary.policy = text

    def _on_hit(self, text: str, words: list[str]) -> None:
        self.summary.handling = "hit"

    def _on_hitpass(self, text: str, words: list[str]) -> None:
        self.summary.handling = "hitpass"
        self._met("hit-for-pass", words)

    def _on_hitmiss(self, text: str, words: list[str]) -> None:
        self.summary.handling = "hitmiss"
        self._met("hit-for-miss", words)

    def _met(self, marker: str, words: list[str]) -> None:
        if len(words) == 2:
            self.summary.met = f"{marker} marker of fetch {words[0]}, {words[1].partition('.')[0]} s left"

    def _on_reqstart(self, text: str, words: list[str]) -> None:
        self.summary.client = ":".join(words[:2])

    def _on_backendopen(self, text: str, words: list[str]) -> None:
        if len(words) >= 4:
            self.summary.backend = (
                f"{words[1]} ({words[2]}:{words[3]}{', reused' if words[-1] == 'reuse' else ''})"
            )

    def _on_ttl(self, text: str, words: list[str]) -> None:
        self._place = None  # vernisd traces the statement that sets a lifetime, but not the next one
        if len(words) >= 4:
            self.summary.lifetime = (
                f"ttl {words[1]} s, grace {words[2]} s, keep {words[3]} s ({words[0]}, {words[-1]})"
            )

    def _on_storage(self, text: str, words: list[str]) -> None:
        self.summary.storage = text

    def _on_timestamp(self, text: str, words: list[str]) -> None:
        label, _, rest = text.partition(":")
        try:
            at, since_start, since_last = map(float, rest.split())
        except ValueError:
            return
        if not all(abs(seconds) < _SECONDS_MAX for seconds in (at, since_start, since_last)):
            return
        self.summary.steps.append(Step(label, at, since_start, since_last))

    def _on_reqacct(self, text: str, words: list[str]) -> None:
        if len(words) == 6 and all(map(_is_number, words)):
            self.summary.bytes_in, self.summary.bytes_out = int(words[2]), int(words[5])

    def _on_bereqacct(self, text: str, words: list[str]) -> None:
        if len(words) == 6 and all(map(_is_number, words)):
            self.summary.bytes_in, self.summary.bytes_out = int(words[5]), int(words[2])
