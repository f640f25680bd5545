"""A slow ESI parser, as a reference for the parser in C.

It has the whole page in memory and searches it with regular expressions, so cuts do not affect it. ``parse``
returns the events that the parser in C reports: runs, includes and messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

SPACE = rb"[ \t\r\n]"
NAME_START = rb"[A-Za-z_:\xc0-\xd6\xd8-\xf6\xf8-\xff]"
NAME = rb"[A-Za-z_:\xc0-\xd6\xd8-\xf6\xf8-\xff0-9.\-\xb7]*"
BOM = rb"\xef\xbb\xbf|\xeb\xbb\xbf"
VALUE_MAX = 8192
ENTITIES = {b"&apos;": b"'", b"&quot;": b'"', b"&lt;": b"<", b"&gt;": b">", b"&amp;": b"&"}

Event = tuple[object, ...]


@dataclass
class Options:
    """Bits esi_* of the parameter ``feature``."""

    ignore_https: bool = False
    disable_xml_check: bool = False
    ignore_other_elements: bool = False
    remove_bom: bool = False


class Stop(Exception):
    """The page has ended."""


@dataclass
class Reference:
    """One page and the reading position."""

    page: bytes
    url: bytes
    options: Options
    at: int = 0
    found: bool = False
    kept: bool = True
    judged: int = 0
    run_at: int = 0
    in_remove: bool = False
    in_comment: bool = False
    dashes: int = 0
    may_have_attribute: bool = False
    inside: bool = False
    events: list[Event] = field(default_factory=list)

    # ---- runs ----

    def judge(self, kept: bool) -> None:
        """Give this kind to all bytes before ``at`` that have no kind yet."""
        if kept != self.kept and self.judged > self.run_at:
            self.end_run()
        self.kept = kept
        self.judged = self.at

    def end_run(self) -> None:
        """Report the current run."""
        self.events.append(("keep" if self.kept else "skip", self.page[self.run_at:self.judged]))
        self.run_at = self.judged

    def say(self, kind: str, text: str) -> None:
        """Report a message."""
        self.events.append(("say", f"{kind} after {self.run_at} {text}"))

    # ---- reading ----

    def byte(self) -> bytes:
        """Return the next byte. Raise Stop at the end of the page."""
        if self.at >= len(self.page):
            raise Stop
        return self.page[self.at:self.at + 1]

    def takes(self, *words: bytes) -> bytes:
        """Read and return the first of the words that matches here. Raise Stop if the page ends within
        one."""
        self.byte()
        rest = self.page[self.at:]
        for word in words:
            if rest.startswith(word):
                self.at += len(word)
                return word
            if word.startswith(rest):
                raise Stop
        return b""

    # ---- the walk ----

    def run(self) -> list[Event]:
        """Read the whole page."""
        try:
            self.inside = False
            self.start()
            while True:
                self.text()
        except Stop:
            pass
        if self.inside:
            self.say("ERR", "VEP ended inside a tag")
        self.at = len(self.page)
        self.judge(self.kept)
        if self.judged > self.run_at:
            self.end_run()
        return [*self.events, ("found", self.found)]

    def start(self) -> None:
        """Check the first bytes: an optional byte-order mark, white space, then "<"."""
        bom = self.options.remove_bom
        while bom and self.byte() in (b"\xef", b"\xeb"):
            self.inside = True
            bom = bool(self.takes(b"\xef\xbb\xbf", b"\xeb\xbb\xbf"))
            self.inside = False
            if bom:
                self.judge(False)
        self.byte()
        self.judge(False)
        if self.options.disable_xml_check:
            return
        match = re.compile(SPACE + rb"*").match(self.page, self.at)
        assert match is not None
        if match.end() == self.at == len(self.page):
            raise Stop
        self.at = match.end()
        self.judge(True)
        first = self.byte()
        if first == b"<":
            return
        what = "'<' but BOM. (See feature esi_remove_bom)" if first in (b"\xef", b"\xeb") else "'<'. (See feature esi_disable_xml_check)"
        self.events.append(("say", f"No ESI processing, first char not {what}"))
        self.at = len(self.page)
        self.judge(True)
        raise Stop

    def text(self) -> None:
        """Read text up to "<", and the tag there."""
        self.byte()
        while self.in_comment and self.page[self.at:self.at + 1] not in (b"", b"<"):
            self.text_in_esi_comment()
        at = self.page.find(b"<", self.at)
        self.at = at if at >= 0 else len(self.page)
        if at < 0:
            if self.dashes == 0 and not self.in_remove:
                self.judge(True)
            raise Stop
        if not self.in_remove:
            self.judge(True)
        self.at += 1
        self.inside = True
        self.tag()
        self.inside = False

    def text_in_esi_comment(self) -> None:
        """Read one byte inside of ``<!--esi``."""
        if self.byte() != b"-->"[self.dashes:self.dashes + 1]:
            self.dashes = 0
            self.at += 1
            return
        if self.dashes == 0 and not self.in_remove:
            self.judge(True)
        self.at += 1
        self.dashes += 1
        if self.dashes == 3:
            self.found, self.in_comment, self.dashes = True, False, 0
            self.judge(False)

    def tag(self) -> None:
        """Read the text after "<"."""
        word = self.takes(b"!--esi", b"!---->", b"!--", b"/esi:", b"esi:", b"![CDATA[")
        if word == b"!--esi":
            self.byte()
            if self.in_remove:
                self.say("ERR", "ESI 1.0 Nested <!--esi element in <esi:remove>")
            self.in_comment, self.dashes = True, 0
            self.judge(False)
        elif word == b"!--":
            self.byte()
            self.in_comment, self.dashes = False, 0
            self.until(b"-->")
        elif word == b"![CDATA[":
            self.until(b"]]>")
        elif word in (b"/esi:", b"esi:"):
            self.esi(word == b"/esi:")
        elif word == b"":
            self.other()

    def other(self) -> None:
        """Read a tag that does not belong to ESI."""
        self.byte()
        if self.options.ignore_other_elements:
            self.at += 1
            self.after_tag()
            return
        end = self.page.find(b">", self.at)
        if end < 0:
            raise Stop
        self.at = end + 1
        self.after_tag()

    def after_tag(self) -> None:
        """Keep the tag that has ended. Dashes before the end may still belong to an end of a comment."""
        if self.dashes > 0 and not self.in_remove:
            self.judge(True)

    def until(self, end: bytes) -> None:
        """Read to the end of a comment. As in Varnish, a byte that does not match starts no new match."""
        seen = 0
        while seen < len(end):
            seen = seen + 1 if self.byte() == end[seen:seen + 1] else 0
            self.at += 1
        self.after_tag()

    # ---- tags of ESI ----

    def esi(self, is_end: bool) -> None:
        """Read an ESI tag."""
        self.byte()
        self.found = True
        self.judge(False)
        name = self.takes(b"include", b"remove", b"comment").decode() or "bogus"
        self.byte()
        wrong = ""
        if name == "bogus":
            wrong = "ESI 1.0 <esi:bogus> element"
        elif name != "remove" and self.in_remove:
            wrong = f"ESI 1.0 <esi:{name}> element nested in <esi:remove>"
        elif name != "remove" and is_end:
            wrong = f"ESI 1.0 </esi:{name}> illegal end-tag"
        attributes: dict[str, bytes] = {}
        is_empty = False
        if not wrong:
            wrong, is_empty = self.attributes(name, attributes)
        if wrong:
            self.say("ERR", wrong)
            end = self.page.find(b">", self.at)
            if end < 0:
                raise Stop
            self.at = end + 1
            self.judge(False)
            return
        self.at += 1
        self.judge(False)
        {"include": self.include, "remove": self.remove, "comment": self.comment}[name](is_end, is_empty, attributes)

    def attributes(self, name: str, out: dict[str, bytes]) -> tuple[str, bool]:
        """Read up to ">". Return an error text, and whether there was a "/"."""
        while True:
            match = re.compile(SPACE + rb"*").match(self.page, self.at)
            assert match is not None
            self.may_have_attribute |= match.end() > self.at
            self.at = match.end()
            if self.byte() == b"/":
                self.may_have_attribute = False
                self.at += 1
                return ("" if self.byte() == b">" else "XML 1.0 '>' does not follow '/' in tag"), True
            if self.byte() == b">":
                return "", False
            if not self.may_have_attribute or not re.match(NAME_START, self.byte()):
                return "XML 1.0 Illegal attribute start char", False
            wrong = self.attribute(name, out)
            if wrong:
                return wrong, False

    def attribute(self, name: str, out: dict[str, bytes]) -> str:
        """Read one attribute."""
        known = self.takes(b"src=", b"onerror=") if name == "include" else b""
        if not known:
            match = re.compile(NAME).match(self.page, self.at)
            assert match is not None
            self.at = match.end()
            if self.byte() != b"=":
                return "" if self.byte() in b">/ \t" else "XML 1.0 Illegal attr char"
            self.at += 1
        if self.byte() in b" \t":
            return "XML 1.0 Illegal attribute delimiter"
        quote = self.byte() if self.byte() in b"\"'" else b""
        self.at += len(quote)
        stops = rb"[>" + quote + rb"]" if quote else rb"[> \t]"
        match = re.compile(stops).search(self.page, self.at)
        if match is None:
            raise Stop
        value = self.page[self.at:match.start()]
        self.at = match.start()
        if self.byte() == b">":
            return "XML 1.0 Missing end attribute delimiter"
        self.at += 1
        if known == b"src=":
            return self.source(value, out)
        if known == b"onerror=":
            out["onerror"] = value
        return ""

    def source(self, value: bytes, out: dict[str, bytes]) -> str:
        """Take the value of src."""
        wrong = ""
        if "src" in out:
            wrong = "has multiple src= attributes"
        elif len(value) > VALUE_MAX:
            wrong = "has too long src= attribute"
        elif re.search(SPACE, value):
            wrong = "has whitespace in src= attribute"
        elif re.search(rb"[\x00-\x1f\x7f]", value):
            wrong = "has control character in src= attribute"
        out["src"] = value
        return wrong and f"ESI 1.0 <esi:include> {wrong}"

    def comment(self, is_end: bool, is_empty: bool, attributes: dict[str, bytes]) -> None:
        """Act on <esi:comment/>."""
        if not is_empty:
            self.say("ERR", "ESI 1.0 <esi:comment> needs final '/'")

    def remove(self, is_end: bool, is_empty: bool, attributes: dict[str, bytes]) -> None:
        """Act on <esi:remove> and its end."""
        if is_empty:
            self.say("ERR", "ESI 1.0 <esi:remove/> not legal")
        elif self.in_remove and not is_end:
            self.say("ERR", "ESI 1.0 <esi:remove> already open")
        elif not self.in_remove and is_end:
            self.say("ERR", "ESI 1.0 <esi:remove> not open")
        else:
            self.in_remove = not is_end

    def include(self, is_end: bool, is_empty: bool, attributes: dict[str, bytes]) -> None:
        """Act on <esi:include>."""
        if not is_empty:
            self.say("WARN", "ESI 1.0 <esi:include> lacks final '/'")
        if "src" not in attributes:
            self.say("ERR", "ESI 1.0 <esi:include> lacks src attr")
            return
        path, host = attributes["src"], b""
        scheme = re.match(rb"https?://(?=.)", path, re.DOTALL)
        if scheme and scheme[0] == b"https://":
            if not self.options.ignore_https:
                self.say("WARN", "ESI 1.0 <esi:include> with https:// ignored")
                return
            self.say("WARN", "ESI 1.0 <esi:include> https:// treated as http://")
        if scheme:
            parts = re.fullmatch(rb"https?://([^/]+)(/.*)", path, re.DOTALL)
            if not parts:
                self.say("ERR", "ESI 1.0 <esi:include> invalid src= URL")
                return
            host, path = parts[1], parts[2]
        target = re.sub(b"|".join(ENTITIES), lambda m: ENTITIES[m[0]], path)
        if not path.startswith(b"/"):
            target = self.folder() + b"/" + target
        if len(target) > VALUE_MAX:
            self.say("ERR", "ESI 1.0 <esi:include> has too long src= attribute")
            return
        self.events.append(("include", host, target, attributes.get("onerror") == b"continue"))

    def folder(self) -> bytes:
        """Return the path of the page's URL up to its last "/"."""
        path, mark, _ = self.url.partition(b"?")
        return path.rpartition(b"/")[0] if b"/" in path else path + mark


def parse(page: bytes, url: bytes, options: Options) -> list[Event]:
    """Return the events of a page."""
    return Reference(page, url, options).run()
