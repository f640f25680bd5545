"""Replaces values that identify a person or a session by digests, for outputs that others will read.

``Hiding`` first learns such values: those of cookies, credentials, named fields and parameters, and addresses
of clients (identifying.py has the names). Then it replaces them by place (short ones, too) and, in all other
text, by value: a policy may have copied one to another field, to the cache key or to the log. It finds them
in any case of letters, percent-encoded, in Base64 and hexadecimal, with the escapes of HTML and JSON, and any
part of at least ``PART`` characters.

The same value has the same digest. The key is random unless the caller has one, so nobody can look a digest
up by trying values, and digests of two outputs do not match.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2s
from ipaddress import IPv6Address, ip_address
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from vernis.observe import tags
from vernis.observe.identifying import (
    ADDRESSES,
    COOKIE_ATTRIBUTES,
    CREDENTIALS,
    FIELDS,
    PARAMETERS,
    SCHEMES,
    WORD_ENDS,
)
from vernis.observe.records import Record
from vernis.observe.transactions import Group, Transaction

MARK = "hidden-"  # begins every digest; what follows is hexadecimal, so a digest needs no escape anywhere
DIGEST_BYTES = 6
KEY_BYTES = 32
PART = 8  # characters; a shorter part of a value stays
WORD = 4  # characters; a shorter value is only replaced at its place
VALUE_MAX = 8192  # characters of a value that are looked for
KNOWN_MAX = 1_000_000  # parts kept for a log without end; twice as many in all

_WORD_BREAKS = re.compile(r"[^a-z0-9]+")
_NAME = r"(?P<name>[\w.\-\[\]]{1,64})"
_PLACES = re.compile(  # values that are recognised in any text
    rf"""[?&]{_NAME}=(?P<value>(?:(?![">']+(?:[\s;,)]|$) | ;[\w.\-\[\]]+=)[^&\#\s])+)
      | ://(?P<user>[^/\s@"'<>?\#]+)@
      | \b(?:bearer|basic)\s+(?P<credentials>[\w.~+/=-]{{4,}})
      | (?P<jwt>\beyJ[\w-]{{5,}}\.[\w-]+\.[\w-]*)""",
    re.VERBOSE | re.IGNORECASE,
)
_OTHER_PLACES = (
    re.compile(  # parameters of a path, and of a URL that is a value in another
        rf""";{_NAME}=(?P<value>[^?&;\#\s/"'<>]+)""", re.IGNORECASE
    ),
    re.compile(rf"(?:%3F|%26){_NAME}%3D(?P<value>(?:[^&;\#\s\"'<>%]|%(?!26|3B|23))+)", re.IGNORECASE),
)
_SHORT = re.compile(rf"(?<!\w)\w{{{WORD},{PART - 1}}}(?!\w)")
_ADDRESS = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)"
    r"|(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}(?![\w:]|\.\d)",
    re.IGNORECASE,
)
_PARAMETER_OF_FIELD = re.compile(r"""[\w-]+="?([^",\s]+)""")
_NEXT_COOKIE = re.compile(r",\s*(?=[^;,=\s]+=)")  # several Set-Cookie in one text
_LOWER = str.maketrans({chr(c): chr(c + 32) for c in range(ord("A"), ord("Z") + 1)})
#: Short values that say nothing about anybody and are words of a story.
_COMMON = frozenset(
    (
        "true false none null empty deleted undefined http https html json text gzip path pass pipe hash "
        "miss fetch lookup synth purge cookie host deliver hits read sets unsets unset gets stored status "
        "error reason"
    ).split()
)
_FIELD_TAGS = frozenset(
    tags.NUMBERS[family + part]
    for family in ("Req", "Resp", "Bereq", "Beresp", "Obj")
    for part in ("Header", "Unset", "Lost")
    if family + part in tags.NUMBERS
) | frozenset(tags.NUMBERS[name] for name in ("LostHeader", "BogoHeader", "HttpGarbage"))
_URL_TAGS = frozenset(tags.NUMBERS[name] for name in ("ReqURL", "BereqURL"))
#: Records of the server's own numbers and names. A value such as 1700 would break them.
_OWN_TAGS = frozenset(
    map(
        tags.NUMBERS.__getitem__,
        (
            "Begin End Link Timestamp ReqAcct BereqAcct PipeAcct TTL Length Hit HitMiss HitPass VCL_use "
            "VCL_call VCL_trace RespStatus BerespStatus ObjStatus Fetch_Body Storage SessClose"
        ).split(),
    )
)
#: Payloads of HTTP/2 frames: bodies, and header blocks in the Huffman code, in which no value can be found.
_PAYLOAD_TAGS = frozenset(map(tags.NUMBERS.__getitem__, ("H2RxBody", "H2TxBody")))
_FRAME = re.compile(r"(H2RXF \S+ \S+ \S+) [^\0]*")  # a Debug record of a frame; its last word is the payload
#: Words of a record that are addresses of the client. The others of these records are our own.
_CLIENT_WORDS = {tags.NUMBERS[name]: at for name, at in (("ReqStart", 0), ("SessOpen", 0), ("Proxy", 1))}


class Hiding:
    """Learn all that will be shown before any of it is replaced."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key if key is not None else os.urandom(KEY_BYTES)
        self._young, self._old = _Known(), _Known()
        self._public: set[str] = set()

    # ---- learning ----

    def learn_field(self, name: str, value: str) -> None:
        for found in _in_field(name.lower(), value):
            self._learn(found)
        if _holds_addresses(name.lower()):
            for match in _ADDRESS.finditer(value):
                self.learn_address(match[0])
        self.learn_text(value)

    def learn_text(self, text: str) -> None:
        """Parameters of URLs, credentials, and tokens that show what they are."""
        for match in _places(text):
            kind = match.lastgroup
            if kind == "user":
                for part in match["user"].split(":"):
                    self._learn(part)
            if kind != "value" or is_parameter(match["name"]):
                self._learn(match[kind or 0])

    def learn_address(self, text: str) -> None:
        address = _canonical(text)
        if address and address not in self._young.addresses:
            self._young.addresses.add(address)
            for form in {quote(address, safe=""), *_base64_forms(address)} - {address}:
                self._young.add_form(form.translate(_LOWER), address, with_parts=False)

    def learn_public(self, text: str) -> None:
        """A host or path: a value that shares a part with it keeps the part there."""
        low = text.translate(_LOWER)
        self._public.update(low[at : at + PART] for at in range(len(low) - PART + 1))

    def _learn(self, value: str) -> None:
        value = value.strip(" \t\"'")[:VALUE_MAX]
        if len(value) < WORD or value.lower() in _COMMON or self._owner(value) is not None:
            return
        if len(self._young.parts) > KNOWN_MAX:
            self._young, self._old = _Known(), self._young
        self._young.add(value)

    def _owner(self, value: str) -> str | None:
        low = value.translate(_LOWER)
        return self._young.owners.get(low) or self._old.owners.get(low)

    # ---- replacing ----

    def digest(self, value: str) -> str:
        value = value.strip(" \t\"'")
        owner = self._owner(value) or _canonical(value) or value
        found = blake2s(owner.encode("utf-8", "surrogatepass"), key=self._key, digest_size=DIGEST_BYTES)
        return MARK + found.hexdigest()

    def field(self, name: str, value: str) -> str:
        """The value of a field as it may be shown. Names of cookies and attributes stay."""
        low = name.lower()
        if low == "cookie":
            return _joined(";", value, self._cookie_pair)
        if low == "set-cookie":
            first, *others = value.split(";")
            return ";".join((self._cookie_pair(first), *map(self._attribute, others)))
        if low in CREDENTIALS:
            scheme, blank, rest = value.partition(" ")
            known = blank and scheme.lower() in SCHEMES
            return f"{scheme} {self._digested(rest)}" if known else self._digested(value)
        if low == "forwarded":
            return re.sub(r"[^;,]+", lambda part: self._forwarded(part[0]), value)
        if low in ADDRESSES:
            return _joined(",", value, self._address)
        if is_field(low):
            return self._digested(value)
        return self.text(value)

    def line(self, text: str) -> str:
        """``Name: value``, with the value of the field replaced; other texts as ``text``."""
        name, colon, value = text.partition(":")
        if not colon or not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name):
            return self.text(text)
        return f"{name}:{_around(value, lambda inner: self.field(name, inner))}"

    def text(self, text: str) -> str:
        """Any text, without the values that were learned."""
        if len(text) < WORD:
            return text
        out: list[str] = []
        at = 0
        for begin, end, value in self._found(text):
            if begin >= at:
                out += text[at:begin], self.digest(value)
            elif end > at:  # the rest of a value that overlaps the one before
                out.append(self.digest(value))
            at = max(at, end)
        return "".join((*out, text[at:])) if out else text

    def _found(self, text: str) -> list[tuple[int, int, str]]:
        """Begin, end and value of all that must go, in their order."""
        found: list[tuple[int, int, str]] = []
        for match in _places(text):
            kind = match.lastgroup
            if kind is not None and (kind != "value" or is_parameter(match["name"])):
                found.append((*match.span(kind), match[kind]))
        if self._young.addresses or self._old.addresses:
            for match in _ADDRESS.finditer(text):
                address = _canonical(match[0])
                if address in self._young.addresses or address in self._old.addresses:
                    found.append((*match.span(), address))
        low = text.translate(_LOWER)
        for known in (self._young, self._old):
            if known.words:
                for match in _SHORT.finditer(low):
                    if match[0] in known.words:
                        found.append((*match.span(), known.words[match[0]]))
            if known.parts:
                found += known.spans(low, self._public)
        return sorted(found, key=lambda one: (one[0], -one[1]))

    # ---- fields ----

    def _digested(self, value: str) -> str:
        return _around(value, self.digest)

    def _cookie_pair(self, pair: str) -> str:
        name, equals, value = pair.partition("=")
        return f"{name}={self._digested(value)}" if equals else self._digested(pair)

    def _attribute(self, part: str) -> str:
        """One attribute, and further cookies if several fields were joined."""
        first, *cookies = _NEXT_COOKIE.split(part)
        name, equals, value = first.partition("=")
        if name.strip().lower() in COOKIE_ATTRIBUTES:
            first = f"{name}={self.text(value)}" if equals else name
        else:
            first = self._cookie_pair(first)
        return ", ".join((first, *map(self._cookie_pair, cookies)))

    def _forwarded(self, pair: str) -> str:
        name, equals, value = pair.partition("=")
        if equals and name.strip().lower() in ("proto", "host"):
            return f"{name}={self.text(value)}"
        return f"{name}={self._address(value)}" if equals else self._digested(pair)

    def _address(self, text: str) -> str:
        match = _ADDRESS.search(text)
        if match is not None and _is_loopback(match[0]):
            return text
        return self._digested(text if match is None else match[0])

    # ---- groups of the log ----

    def group(self, group: Group) -> Group:
        """The same transactions, with records that may be shown. Needs whole requests: a cookie may be in
        one transaction, and its copy in another."""
        self._public.clear()
        for transaction in group:
            for record in transaction.records:
                self.learn_line(record.tag, record.data.decode("latin-1"))
        return [self._transaction(transaction) for transaction in group]

    def learn_line(self, tag: int, text: str) -> None:
        """The text of a record with this tag."""
        text = text.rstrip("\0")
        if tag in _FIELD_TAGS:
            for line in text.splitlines():
                name, _, value = line.partition(":")
                self.learn_field(name, value.strip())
                if name.lower() == "host":
                    self.learn_public(value)
        elif tag in _CLIENT_WORDS:
            self.learn_address("".join(text.split()[_CLIENT_WORDS[tag] :][:1]))
        else:
            self.learn_text(text)
            if tag in _URL_TAGS:
                self.learn_public(text.partition("?")[0])

    def _transaction(self, transaction: Transaction) -> Transaction:
        return replace(transaction, records=[self.record(record) for record in transaction.records])

    def record(self, record: Record) -> Record:
        text = record.data.decode("latin-1")
        shown = self.record_text(record.tag, text)
        return record if shown == text else record._replace(data=shown.encode("latin-1"))

    def record_text(self, tag: int, text: str) -> str:
        if tag in tags.BINARY:
            return "" if tag in _PAYLOAD_TAGS else text
        if tag == tags.NUMBERS["Debug"]:
            text = _FRAME.sub(r"\1", text)
        if tag not in _FIELD_TAGS:
            return text if tag in _OWN_TAGS else self.text(text)
        body = text.removesuffix("\0")
        lines = [_around(line, self.line, "\r\n") for line in body.splitlines(keepends=True)]
        return "".join(lines) + text[len(body) :]


class _Known:
    """Values that were learned. ``owners`` has the value of each of its forms, in lower case."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}
        self.starts: dict[str, list[str]] = {}  # forms by their first PART characters, the longest first
        self.parts: dict[str, str] = {}  # each part of PART characters: the form that has it
        self.words: dict[str, str] = {}
        self.addresses: set[str] = set()

    def add(self, value: str) -> None:
        low = value.translate(_LOWER)
        self.owners[low] = value
        if len(value) < PART:
            self.words[low] = value
        for form in _forms(value):
            self.add_form(form.translate(_LOWER), value)

    def add_form(self, form: str, owner: str, with_parts: bool = True) -> None:
        if len(form) < PART:
            return
        self.owners.setdefault(form, owner)
        same = self.starts.setdefault(form[:PART], [])
        if form not in same:
            same.append(form)
            same.sort(key=len, reverse=True)
        for at in range(len(form) - PART + 1 if with_parts else 1):
            self.parts.setdefault(form[at : at + PART], form)

    def spans(self, low: str, public: set[str]) -> Iterator[tuple[int, int, str]]:
        """Whole forms first, else the longest run of parts of one. ``public`` parts stay."""
        at, last, parts, starts = 0, len(low) - PART, self.parts, self.starts
        while at <= last:
            part = low[at : at + PART]
            form = parts.get(part)
            if form is None:
                at += 1
                continue
            whole = next((one for one in starts.get(part, ()) if low.startswith(one, at)), None)
            if whole is not None:
                yield at, at + len(whole), self.owners[whole]
                at += len(whole)
                continue
            end = at + PART
            while end < len(low) and low[end - PART + 1 : end + 1] in parts:
                end += 1
            if self.owners[form] not in self.addresses and _private(low, at, end, public) >= PART:
                yield at, end, self.owners[form]
                at = end
            else:
                at = end - PART + 1


def _private(low: str, begin: int, end: int, public: set[str]) -> int:
    """The characters of a run that no public text covers."""
    covered: set[int] = set()
    for at in range(begin - PART + 1, end):
        if low[max(at, 0) : at + PART] in public:
            covered.update(range(max(at, begin), min(at + PART, end)))
    return end - begin - len(covered)


# ---- names -------------------------------------------------------------------------------------------------


@lru_cache(4096)
def is_field(name: str) -> bool:
    """Whether the whole value of a field identifies. ``name`` is in lower case."""
    return name in FIELDS or _has_word(name)


@lru_cache(4096)
def is_parameter(name: str) -> bool:
    low = unquote(name).lower()
    return low in PARAMETERS or _has_word(low)


def _has_word(name: str) -> bool:
    return any(word.endswith(WORD_ENDS) for word in _WORD_BREAKS.split(name))


def _places(text: str) -> Iterator[re.Match[str]]:
    yield from _PLACES.finditer(text)
    for other in _OTHER_PLACES:
        yield from other.finditer(text)


def _holds_addresses(name: str) -> bool:
    return name in ADDRESSES or name == "forwarded"


def _in_field(name: str, value: str) -> Iterator[str]:
    """The identifying values of a field."""
    if name == "cookie":
        for pair in value.split(";"):
            before, equals, after = pair.partition("=")
            yield after if equals else before
    elif name == "set-cookie":
        first, *others = value.split(";")
        for part in (first, *(piece for other in others for piece in _NEXT_COOKIE.split(other))):
            name, equals, after = part.partition("=")
            if part is first or name.strip().lower() not in COOKIE_ATTRIBUTES:
                yield after if equals else name
    elif name in CREDENTIALS:
        scheme, _, rest = value.partition(" ")
        yield rest if scheme.lower() in SCHEMES else value
        if scheme.lower() == "basic":
            yield from _basic(rest)
        else:
            yield from _PARAMETER_OF_FIELD.findall(rest)
    elif is_field(name):
        yield value
        if "," in value or ";" in value or " " in value:
            yield from (part for part in re.split(r"[\s,;]+", value) if len(part) >= PART)


def _basic(text: str) -> Iterator[str]:
    try:
        pair = base64.b64decode(text.strip()).decode("latin-1")
    except (binascii.Error, ValueError):
        return
    yield pair
    user, _, password = pair.partition(":")
    yield user
    yield password


# ---- addresses ---------------------------------------------------------------------------------------------


@lru_cache(4096)
def _canonical(text: str) -> str:
    """An address in one form, so that all its forms have one digest; "" for another text, and for one of this
    host, which tells nothing about a client."""
    try:
        address = ip_address(text.strip(" []"))
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return "" if address.is_loopback or address.is_unspecified else str(address)


def _is_loopback(text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return address.is_loopback


# ---- forms of a value --------------------------------------------------------------------------------------


def _forms(value: str) -> set[str]:
    """A value as policies and formats write it, without regard to the case of letters."""
    forms = {value, unquote(value), unquote_plus(value), _other_charset(value)}
    for plain in (*forms,):
        forms |= {
            quote(plain, safe="", encoding=_charset(plain)),
            quote(plain, safe="/", encoding=_charset(plain)),
            quote_plus(plain, encoding=_charset(plain)),
            html.escape(plain),
            html.escape(plain, quote=False),
            json.dumps(plain)[1:-1],
            json.dumps(plain, ensure_ascii=False)[1:-1],
            "".join(c if " " <= c <= "~" else f"%{ord(c) & 255:02x}" for c in plain),
            _bytes(plain).hex(),
            *_base64_forms(plain),
        }
    return forms


def _charset(text: str) -> str:
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return "utf-8"
    return "latin-1"


def _bytes(text: str) -> bytes:
    return text.encode(_charset(text), "surrogatepass" if _charset(text) == "utf-8" else "strict")


def _other_charset(text: str) -> str:
    """UTF-8 in Latin-1, as the log reads bytes, as the text, and the other way round."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass").decode("latin-1")
    except UnicodeDecodeError:
        return text


def _base64_forms(text: str) -> Iterator[str]:
    """The digits of the value in the Base64 of a longer text: it may begin at each of three places."""
    data = _bytes(text)
    for offset, first in ((0, 0), (1, 2), (2, 3)):
        digits = base64.b64encode(bytes(offset) + data).decode()[first : (offset + len(data)) * 8 // 6]
        yield digits
        yield digits.translate({ord("+"): "-", ord("/"): "_"})


# ---- texts -------------------------------------------------------------------------------------------------


def _joined(separator: str, value: str, show: Callable[[str], str]) -> str:
    return separator.join(_around(part, show) for part in value.split(separator))


def _around(text: str, show: Callable[[str], str], blanks: str = ' \t"\0') -> str:
    """Shows what is between the blanks, and keeps these."""
    inner = text.strip(blanks)
    if not inner:
        return text
    at = text.index(inner)
    return text[:at] + show(inner) + text[at + len(inner) :]
