"""Tables for error messages: words of other languages and of older VCL, with their replacements."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vernis.similar import similar
from vernis.syntax.generated.token_types import T

DECLARATIONS = ("vcl", "import", "include", "backend", "probe", "acl", "sub", "unused")
STATEMENTS = ("set", "unset", "call", "return", "if", "else", "elseif", "new", "include")
ACTIONS = frozenset(
    ("abandon", "deliver", "fail", "fetch", "hash", "lookup", "pass", "pipe", "purge", "restart", "retry")
)

ACTIONS_WITH_ARGUMENTS = ("synth", "error", "fail", "pass", "vcl")

# Spelling of the grammar's tokens, for "expected ...".
SPELLING: dict[int, str] = {
    T.SEMI: "';'",
    T.LBRACE: "'{'",
    T.RBRACE: "'}'",
    T.LPAREN: "'('",
    T.RPAREN: "')'",
    T.COMMA: "','",
    T.DOT: "'.'",
    T.ASSIGN: "'='",
    T.IDENTIFIER: "a name",
    T.NUMBER: "a number",
    T.STRING: "a string",
    T.NONE: "none",
    T.FROM: "from",
    T.AS: "as",
    T.NOT: "'!'",
    T.COLON: "':'",
    T.ARROW: "'->'",
    T.MAPS_TO: "'=>'",
    T.LBRACKET: "'['",
    T.RBRACKET: "']'",
    T.IN: "in",
    T.BY: "by",
    T.CASE: "case",
    T.DEFAULT: "default",
}

# Names of expected tokens in Varnish's messages. Of several, the message shows the first in this order.
STOCK_SPELLING: dict[int, str] = {
    T.ASSIGN: "'='",
    T.LPAREN: "'('",
    T.SEMI: "';'",
    T.RPAREN: "')'",
    T.LBRACE: "'{'",
    T.IDENTIFIER: "ID",
    T.STRING: "CSTR",
    T.NUMBER: "CNUM",
    T.DOT: "'.'",
    T.RBRACE: "'}'",
}

ELSE_LIKE = frozenset(("else", "else-if", "else_if", "elseif", "elsif", "elif"))

OLD_DECLARATIONS = {
    "director": "import directors; and in vcl_init: new NAME = directors.round_robin();",
    "C": "inline C is not supported",
}

# Directors of VCL 3, and the equivalent objects of module directors.
DIRECTORS = {
    "random": "random",
    "round-robin": "round_robin",
    "fallback": "fallback",
    "hash": "hash",
    "client": "hash",
}

OLD_STATEMENTS = {
    "remove": "write: unset NAME;",
    "error": 'write: return (synth(404, "reason"));',
    "esi": "write: set beresp.do_esi = true;",
    "purge": "write: return (purge); in vcl_recv",
    "synthetic": "write: synthetic(...); with parentheses",
    "restart": "write: return (restart);",
    "rollback": "write: std.rollback(req);",
    "panic": "remove it",
    "hash_data": "write: hash_data(...); with parentheses",
    "ban": "write: ban(...); with parentheses",
    "purge_url": 'write: ban("req.url ~ " + ...);',
}

# Calls that are legal as statements.
FUNCTIONS = frozenset(("std", "hash_data", "synthetic", "ban"))
# Functions that take one text: what stands beside it belongs to it.
OF_ONE_TEXT = frozenset(
    ("ban", "hash_data", "synthetic", "std.ban", "std.log", "std.timestamp", "std.tolower", "std.toupper")
)

NEWER_WORDS = {
    "let": "keep values in headers: set req.http.X-Name = ...; and unset them at the end",
    "declare": "keep values in headers: set req.http.X-Name = ...; and unset them at the end",
    "const": "write the value where it is used",
    "param": "write the value where it is used",
    "fn": "write a sub, and call it",
    "function": "write a sub, and call it",
    "table": "write if and elseif",
    "switch": "write if and elseif",
    "case": "write if and elseif",
    "for": "VCL has no loops",
    "while": "VCL has no loops",
    "foreach": "VCL has no loops",
    "var": "keep values in headers: set req.http.X-Name = ...; and unset them at the end",
    "log": "import std; and write: std.log(...);",
    "add": "import header; and write: header.append(resp.http.Name, value);",
    **dict.fromkeys(("delete", "del"), "write: unset NAME;"),
    **dict.fromkeys(("header", "add_header", "set_header"), "write: set resp.http.Name = value;"),
    **dict.fromkeys(("print", "echo"), "import std; and write: std.log(...);"),
    **dict.fromkeys(("exit", "break", "stop", "end"), "write: return (...);"),
    **dict.fromkeys(("deny", "block", "forbid"), "write: return (synth(403));"),
    "redirect": "write: return (synth(301)); and set Location in vcl_synth",
    **dict.fromkeys(("endif", "done"), "remove it: bodies end with '}'"),
    "penaltybox": "module vsthrottle counts and limits: import vsthrottle;",
    "ratecounter": "module vsthrottle counts and limits: import vsthrottle;",
    "goto": "write: return (...);",
    "unless": "write: if (!(...)) { ... }",
}

# Statements of other languages that have parentheses after the word.
FOREIGN_STATEMENTS = frozenset(("switch", "for", "while", "foreach", "unless"))

OPERATOR_WORDS = {
    "and": "&&",
    "or": "||",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "gt": ">",
    "le": "<=",
    "ge": ">=",
    "is": "==",
    "matches": "~",
    "like": "~",
    "in": "~",
}
OTHER_OPERANDS = frozenset(("in", "like"))  # their text is no pattern

# Two adjacent tokens -> (replacement, written operator).
FOREIGN_OPERATORS = {
    (T.EQ, T.ASSIGN): ("==", "==="),
    (T.NE, T.ASSIGN): ("!=", "!=="),
    (T.LT, T.GT): ("!=", "<>"),
    (T.ASSIGN, T.MATCH): ("~", "=~"),
    (T.EQ, T.MATCH): ("~", "==~"),
    (T.MATCH, T.MATCH): ("~", "~~"),
    (T.MATCH, T.ASSIGN): ("~", "~="),
    (T.MATCH, T.NOT): ("!~", "~!"),
    (T.ASSIGN, T.GT): (">=", "=>"),
    (T.ASSIGN, T.LT): ("<=", "=<"),
    (T.LT, T.LT): ("<", "<<"),
    (T.GT, T.GT): (">", ">>"),
}

# Placeholders of template engines: ERB and EJS, Jinja, Twig and Go, the shell, autoconf. Nested VCL blocks do
# not match.
PLACEHOLDER = re.compile(rb"<%|%>|\{%|%\}|\{\{[^;{}]*\}\}|\$\{\w|@@\w+@@")
TEMPLATE = ("V245", "this is a template, not a policy", "run the template engine, then check its output")


# Marker lines of an unresolved merge conflict.
CONFLICT = re.compile(rb"(<{7}|={7}|>{7}|\|{7})( |$)")
UNRESOLVED = ("this merge conflict is not resolved", "keep one side, and remove the marker lines")

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
LIKELY = 0.75  # least similarity of a word and its replacement, from 0 to 1


def meant(word: str, known: Iterable[str]) -> str:
    """Returns the only known word that ``word`` can mean: its letters in another order or case, the word with
    extra letters at its end, or a similar word. Returns an empty text if there is no such word."""
    folded = word.lower()
    names = list(known)
    swapped = [name for name in names if sorted(name) == sorted(folded)]
    longer = [name for name in names if len(name) > 2 and folded.startswith(name)]
    near = similar(folded, names, 2, LIKELY)
    found = swapped or longer or near
    return found[0] if len(found) == 1 else ""


def mask_bits(text: str) -> int | None:
    """Returns the bits of a mask written as an address, such as 255.255.0.0, or None."""
    parts = text.split(".")
    if len(parts) != 4 or not all(part.isdecimal() and int(part) < 256 for part in parts):
        return None
    bits = "".join(f"{int(part):08b}" for part in parts)
    return bits.count("1") if "01" not in bits else None


def nearest(word: str, known: Iterable[str], otherwise: str) -> str:
    """Returns ``did you mean ...?`` if a known word is similar, otherwise ``otherwise``."""
    names = list(known)
    by_lower = {name.lower(): name for name in names}
    if word.lower() in by_lower:
        return f"write it as: {by_lower[word.lower()]}"
    found = [meant(word, names)] if meant(word, names) else similar(word, names)
    return f"did you mean '{found[0]}'?" if found else otherwise


def resembles_else_if(word: str) -> bool:
    return word.lower() in ELSE_LIKE or bool(similar(word, ELSE_LIKE, 1, 0.7))
