"""Text by others as people and programs may see it: names of files, text of policies, values of clients.

Control characters could move the cursor, change the terminal, or end a line of a format. Format characters
such as U+202E change the order in which a terminal or a browser shows text. Both become a mark. All output of
`vernis` that is not a copy of bytes passes one of these functions.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MARK = "\u00b7"
#: A pattern that is compiled where it is used: few commands write XML, and such large sets take 3 ms.
_NOT_IN_XML = "[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
#: Workflow commands: a CI runner obeys lines such as `::error::...` and texts such as `##[group]` of a log.
_COMMAND = re.compile(r"^(\s*):(?=:[A-Za-z][^\n]*::)|(?<=#)#(?=\[)", re.M)
_OF_BYTES = "utf-8", "surrogateescape"


def visible(text: str, mark: str = MARK) -> str:
    """One line or a part of one. Bytes that are not UTF-8 stay for the caller, who knows the encoding."""
    if text.isprintable():
        return text
    return "".join(c if c == "\t" or c.isprintable() or "\udc80" <= c <= "\udcff" else mark for c in text)


def lines(text: str) -> str:
    """Several lines, for a terminal or the log of a CI runner."""
    return _COMMAND.sub(rf"\1{MARK}", "\n".join(map(visible, text.split("\n"))))


def visible_bytes(text: bytes) -> bytes:
    """Several lines of bytes, for a terminal, to which a byte that is no UTF-8 may be a control character."""
    if text.isascii() and text.replace(b"\n", b"").decode().isprintable():
        return text
    shown = "\n".join(map(visible, text.decode(*_OF_BYTES).split("\n")))
    return "".join(MARK if "\udc80" <= c <= "\udc9f" else c for c in shown).encode(*_OF_BYTES)


def in_json(text: str) -> str:
    """JSON without control and format characters: they become escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _json_escape(c) for c in text)


def _json_escape(c: str) -> str:
    units = c.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


# ---- narrow terminals --------------------------------------------------------------------------------------

CUT = "\u2026"
_BREAK = re.compile(r"(?<=[/._\-?&=:,;@ ])")  # a line may end behind these


def shortened(text: str, width: int) -> str:
    """A text of at most ``width`` characters. A longer one loses its middle: both ends of a URL or of a name
    tell it from others."""
    if len(text) <= width:
        return text
    if width < 4:
        return text[: max(width - 1, 0)] + CUT[: max(width, 0)]
    return text[: (width - 1) // 2] + CUT + text[len(text) - width // 2 :]


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` characters, which end behind a separator where there is one."""
    lines_: list[str] = [""]
    for piece in _BREAK.split(text):
        if len(lines_[-1] + piece.rstrip()) > width and lines_[-1]:
            lines_.append("")
        while len(piece.rstrip()) > width:
            lines_[-1] += piece[:width]
            piece = piece[width:]
            lines_.append("")
        lines_[-1] += piece
    return [line.rstrip() for line in lines_]


def in_xml(root: Element) -> Element:
    """The same tree without characters that XML cannot have, or reads as others (CR)."""
    for element in root.iter():
        element.attrib = {key: _xml_text(value) for key, value in element.attrib.items()}
        element.text = _xml_text(element.text) if element.text else None
    return root


def _xml_text(text: str) -> str:
    return re.sub(_NOT_IN_XML, "\ufffd", text)


# ---- stdout and stderr -------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """Lines with text by others, as they are printed."""
    return encodable(lines(text))


def encodable(text: str) -> str:
    """Replaces characters that the locale cannot print, and bytes that are not UTF-8, by escapes."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
