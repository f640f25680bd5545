"""Tables for error messages: what people write who know other languages or older VCL, and what to write instead."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from vernis.syntax.generated.token_types import T

DECLARATIONS = ("vcl", "import", "include", "backend", "probe", "acl", "sub")
STATEMENTS = ("set", "unset", "call", "return", "if", "else", "elseif", "new", "include")
ACTIONS = frozenset(("abandon", "deliver", "fail", "fetch", "hash", "lookup", "pass", "pipe", "purge", "restart", "retry"))

# How the words of the grammar look, for "expected ...".
SPELLING: dict[int, str] = {
    T.SEMI: "';'", T.LBRACE: "'{'", T.RBRACE: "'}'", T.LPAREN: "'('", T.RPAREN: "')'", T.COMMA: "','", T.DOT: "'.'",
    T.ASSIGN: "'='", T.IDENTIFIER: "a name", T.NUMBER: "a number", T.STRING: "a string", T.NONE: "none",
    T.FROM: "from", T.AS: "as", T.NOT: "'!'",
}

# How Varnish names what it expected: of several, the first of these.
STOCK_SPELLING: dict[int, str] = {
    T.ASSIGN: "'='", T.LPAREN: "'('", T.SEMI: "';'", T.RPAREN: "')'", T.LBRACE: "'{'", T.IDENTIFIER: "ID", T.STRING: "CSTR",
    T.NUMBER: "CNUM", T.DOT: "'.'", T.RBRACE: "'}'",
}

ELSE_LIKE = frozenset(("else", "else-if", "else_if", "elseif", "elsif", "elif"))

OLD_DECLARATIONS = {
    "director": "import directors; and in vcl_init: new NAME = directors.round_robin();",
    "C": "inline C is not supported",
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
    "goto": "write: return (...);",
    "unless": "write: if (!(...)) { ... }",
}

# Those that are followed by parentheses.
FOREIGN_STATEMENTS = frozenset(("switch", "for", "while", "foreach", "unless"))

OPERATOR_WORDS = {
    "and": "&&", "or": "||", "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "is": "==",
    "matches": "~", "like": "~", "in": "~",
}

# Two tokens that stand directly behind each other: what to write, what was written.
FOREIGN_OPERATORS = {
    (T.EQ, T.ASSIGN): ("==", "==="),
    (T.NE, T.ASSIGN): ("!=", "!=="),
    (T.LT, T.GT): ("!=", "<>"),
    (T.ASSIGN, T.MATCH): ("~", "=~"),
    (T.EQ, T.MATCH): ("~", "==~"),
    (T.MATCH, T.MATCH): ("~", "~~"),
    (T.MATCH, T.ASSIGN): ("~", "~="),
    (T.ASSIGN, T.GT): (">=", "=>"),
    (T.ASSIGN, T.LT): ("<=", "=<"),
    (T.LT, T.LT): ("<", "<<"),
    (T.GT, T.GT): (">", ">>"),
}

# What template engines fill in: ERB and EJS, Jinja, Twig and Go, the shell, autoconf-like. Blocks within blocks are VCL.
PLACEHOLDER = re.compile(rb"<%|%>|\{%|%\}|\{\{[^;{}]*\}\}|\$\{\w|@@\w+@@")
TEMPLATE = ("V245", "this is a template that is not filled in", "run what fills it in, and check the policy that comes out")


def nearest(word: str, known: Iterable[str], otherwise: str) -> str:
    """``did you mean ...?`` when a known word is close."""
    names = list(known)
    by_lower = {name.lower(): name for name in names}
    if word.lower() in by_lower:
        return f"write it as: {by_lower[word.lower()]}"
    found = difflib.get_close_matches(word.lower(), names, 1, 0.6)
    return f"did you mean '{found[0]}'?" if found else otherwise


def resembles_else_if(word: str) -> bool:
    return word.lower() in ELSE_LIKE or bool(difflib.get_close_matches(word.lower(), ELSE_LIKE, 1, 0.7))
