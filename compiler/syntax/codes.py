"""The table of the front end's error codes: V1xx text and tokens, V2xx syntax, V9xx limits.

``vernis explain CODE`` and the manual show the table. ``bad`` and ``good`` are policies, without a version
line unless the code is about versions. Tests run them: ``bad`` gives the code, ``good`` gives no finding.
Limits have no example. The other columns hold the compiler's conclusions from a finding; no other code in the
compiler compares codes.
"""

from __future__ import annotations

from enum import Enum

from vernis.record import record, replace


class Kind(Enum):
    """The subject of a finding. Each series of codes has one."""

    TEXT = "text and tokens"
    SYNTAX = "syntax"
    NAMES = "names and types"
    PHASES = "phases and actions"
    DECLARATIONS = "declarations and modules"
    WHOLE = "the whole program"
    FIVE = "vcl 5.0"
    LIMIT = "limits"


class Shape(Enum):
    """How a syntax error changes the structure of the text around it, for ``consequences.py``."""

    OTHER = "other"
    UNKNOWN_CHARACTER = "unknown character"
    UNCLOSED_BRACE = "unclosed brace"
    UNCLOSED_PARENTHESIS = "unclosed parenthesis"
    STRAY_CLOSER = "stray closing bracket"
    UNKNOWN_DECLARATION = "unknown declaration"
    LONE_ELSE = "else without if"
    STATEMENT_OUTSIDE = "statement outside a sub"
    DECLARATION_INSIDE = "declaration inside a sub"
    INCLUDE = "include"
    OLD_WORD = "word of an old version"
    FOREIGN_WORD = "word of another language"
    TEMPLATE = "template"


@record(frozen=True)
class CodeInfo:
    title: str
    what: str  # the fault
    why: str  # the reason it is an error
    bad: str = ""
    good: str = ""
    kind: Kind = Kind.SYNTAX  # set by `rows_of`
    shape: Shape = Shape.OTHER
    lost_text: bool = False  # part of the program is missing, because its file was not found
    made_up: bool = (
        False  # the parser added or dropped tokens, so a value may differ from the author's intent
    )
    leads_outside: bool = False  # after this error the following text appears to be outside any sub
    of_values: bool = False  # about a value, although its kind is not TEXT, SYNTAX or NAMES
    needs_declarations: bool = False  # may be a false alarm if a declaration could not be read
    needs_bodies: bool = False  # may be a false alarm if a statement or a value could not be read
    author_decides: bool = False  # its edit is one of several corrections, so nobody applies it unasked


def rows_of(kind: Kind, rows: dict[str, CodeInfo]) -> dict[str, CodeInfo]:
    return {code: replace(row, kind=kind) for code, row in rows.items()}


def _sub(body: str) -> str:
    return f"sub vcl_recv {{ {body} }}"


_TEXT = {
    "V101": CodeInfo(
        "string not closed",
        'A string that begins with " does not end on its line.',
        "A string in plain quotes stays on one line, so that the compiler finds a lost quote on its line.",
        _sub('set req.url = "/a;'),
        _sub('set req.url = "/a";'),
    ),
    "V102": CodeInfo(
        "long string not closed",
        'A string that begins with {" or """ has no end.',
        "All text up to the end of the file belongs to the string, so the compiler read nothing after it.",
        _sub('set req.url = {"/a";'),
        _sub('set req.url = {"/a"};'),
    ),
    "V103": CodeInfo(
        "long string instead of a body",
        'The body of a declaration begins with {" without a space between the two characters.',
        'In VCL {" always begins a long string.',
        'acl local {"127.0.0.1"; }',
        'acl local { "127.0.0.1"; }',
    ),
    "V104": CodeInfo(
        "comment not closed",
        "A comment that begins with /* has no end.",
        "All text up to the end of the file belongs to the comment. Comments do not nest.",
        "sub a { } /* old",
        "sub a { } /* old */",
    ),
    "V105": CodeInfo(
        "unknown character",
        "A character outside quotes is not part of VCL.",
        "Often the character is a typographic quote or dash from copied text.",
        _sub("set req.url = \u201c/a\u201d;"),
        _sub('set req.url = "/a";'),
        shape=Shape.UNKNOWN_CHARACTER,
    ),
    "V106": CodeInfo(
        "number too long",
        "A number has more digits than VCL allows.",
        "A whole number has at most 15 digits. Other numbers have at most 12 before and 3 after the point.",
        _sub("set req.http.X = 1234567890123456;"),
        _sub("set req.http.X = 123456789012345;"),
    ),
    "V107": CodeInfo(
        "not base64",
        "The text between the colons of a blob literal is not base64.",
        "A blob literal is base64, in groups of four characters.",
        "import blob; " + _sub("set req.http.X = blob.encode(blob = :abc:);"),
        "import blob; " + _sub("set req.http.X = blob.encode(blob = :YWJj:);"),
    ),
    "V110": CodeInfo(
        "comment in a comment",
        "A comment that begins with /* has another /* in it.",
        "Comments do not nest. Usually the */ of the first comment is missing, and the code between the two "
        "is lost.",
        "/* one /* two */",
        "/* one */ /* two */",
    ),
    "V111": CodeInfo(
        "escaped quote",
        "A string ends at a quote with a backslash before it, and the rest of its line makes no sense.",
        "VCL strings have no escapes: a backslash is an ordinary character, as patterns need it. Text with "
        'quotes is written as {"..."} or """...""".',
        _sub('set req.http.X = "say \\"hi\\"";'),
        _sub('set req.http.X = {"say "hi""};'),
    ),
    "V109": CodeInfo(
        "inline C not closed",
        "A block that begins with C{ has no }C.",
        "All text up to the end of the file belongs to the block. The compiler never accepts C code.",
        "C{ int x;",
    ),
}

_SYNTAX = {
    "V201": CodeInfo(
        "does not belong here",
        "A token is at a place where its kind is not allowed.",
        "The text before the token is complete, or needs a different token.",
        _sub("set req.url = req.url, 5;"),
        _sub("set req.url = req.url + 5;"),
    ),
    "V202": CodeInfo(
        "missing ;",
        "A statement, field or ACL entry does not end with ';'.",
        "VCL ignores line ends, so only ';' separates two statements.",
        _sub("set req.url = req.url\n return (hash);"),
        _sub("set req.url = req.url;\n return (hash);"),
    ),
    "V205": CodeInfo(
        "brace not closed",
        "A '{' has no '}'.",
        "The compiler cannot know where the body ends.",
        "sub a {\nsub b { }",
        "sub a { }\nsub b { }",
        shape=Shape.UNCLOSED_BRACE,
    ),
    "V206": CodeInfo(
        "parenthesis not closed",
        "A '(' or '[' is still open at the end of its statement.",
        "Parentheses close within their statement.",
        _sub('if (regsub(req.url, "a", "b") { }'),
        _sub('if (regsub(req.url, "a", "b")) { }'),
        shape=Shape.UNCLOSED_PARENTHESIS,
        made_up=True,
    ),
    "V207": CodeInfo(
        "bracket closes nothing",
        "A closing bracket has no opening one.",
        "Either there is one bracket too many, or the opening bracket is missing.",
        "sub a { } }",
        "sub a { }",
        shape=Shape.STRAY_CLOSER,
        made_up=True,
        leads_outside=True,
    ),
    "V208": CodeInfo(
        "unknown declaration",
        "A declaration begins with a word that VCL does not know.",
        "Declarations are vcl, import, include, backend, probe, acl and sub, in lower case.",
        "SUB vcl_recv { }",
        "sub vcl_recv { }",
        shape=Shape.UNKNOWN_DECLARATION,
        leads_outside=True,
    ),
    "V209": CodeInfo(
        "unknown statement",
        "A statement begins with a token that cannot begin a statement.",
        "Statements are set, unset, call, return, if, new, include, and calls of functions.",
        _sub("sett req.url = 5;"),
        _sub("set req.url = 5;"),
        made_up=True,
    ),
    "V210": CodeInfo(
        "no version",
        "The policy does not begin with its version.",
        "The meaning of a policy depends on its version.",
        "sub vcl_recv { }",
        "vcl 4.1;\nsub vcl_recv { }",
    ),
    "V211": CodeInfo(
        "unknown version",
        "The version line names a version that this compiler does not know, or this daemon does not accept.",
        "The versions are 4.0, 4.1 and 5.0. A daemon that listens on a Unix socket does not accept 4.0.",
        "vcl 3.0;",
        "vcl 4.1;",
    ),
    "V212": CodeInfo(
        "version too high",
        "A later version line, such as the one of an included file, is higher than the first.",
        "The version of the main file applies to the whole policy.",
        "vcl 4.0;\nvcl 4.1;",
        "vcl 4.1;\nvcl 4.0;",
    ),
    "V213": CodeInfo(
        "body without braces",
        "The body of an if, an else or a sub does not begin with '{'.",
        "A body is always in braces, also a body of one statement.",
        _sub("if (req.restarts) return (pass);"),
        _sub("if (req.restarts) { return (pass); }"),
        leads_outside=True,
    ),
    "V214": CodeInfo(
        "condition without parentheses",
        "The condition of an if does not begin with '('.",
        "Conditions are in parentheses.",
        _sub('if req.url ~ "x" { }'),
        _sub('if (req.url ~ "x") { }'),
    ),
    "V215": CodeInfo(
        "unknown form of else if",
        "A word resembles else if but is not one of its forms.",
        "The forms are else if, elseif, elsif and elif, in lower case.",
        _sub("if (req.restarts) { } else-if (req.http.X) { }"),
        _sub("if (req.restarts) { } else if (req.http.X) { }"),
    ),
    "V216": CodeInfo(
        "else without if",
        "An else or elseif does not follow an if, or follows another else.",
        "An else or elseif follows the body of an if, and else comes last.",
        _sub("else { }"),
        _sub("if (req.restarts) { } else { }"),
        shape=Shape.LONE_ELSE,
    ),
    "V217": CodeInfo(
        "assignment in an expression",
        "An '=' is inside a condition or value.",
        "'=' assigns, and only in a set statement; '==' compares.",
        _sub('if (req.url = "/") { }'),
        _sub('if (req.url == "/") { }'),
    ),
    "V218": CodeInfo(
        "no operator between two values",
        "Two values have no operator between them.",
        "'+' joins texts. Old versions of VCL joined adjacent texts.",
        _sub('set req.url = "/a" req.url;'),
        _sub('set req.url = "/a" + req.url;'),
    ),
    "V219": CodeInfo(
        "chained comparison",
        "The result of a comparison is compared again.",
        "Comparisons do not chain, because a == b == c has no clear meaning.",
        _sub("if (req.url == req.http.A == req.http.B) { }"),
        _sub("if (req.url == req.http.A && req.url == req.http.B) { }"),
    ),
    "V220": CodeInfo(
        "operator in the wrong place",
        "A '!' or '-' is doubled, or a '!' follows a comparison operator.",
        "One '!' before a comparison negates the whole comparison.",
        _sub("if (!!req.restarts) { }"),
        _sub("if (!req.restarts) { }"),
    ),
    "V221": CodeInfo(
        "statement outside a sub",
        "A statement is at the top level.",
        "Statements run when a hook runs, so they belong in a sub.",
        "set req.url = 5;",
        _sub("set req.url = 5;"),
        shape=Shape.STATEMENT_OUTSIDE,
        leads_outside=True,
    ),
    "V222": CodeInfo(
        "declaration inside a sub",
        "A declaration is among statements.",
        "Declarations apply to the whole policy and belong at the top level.",
        _sub("backend b none;"),
        "backend b none;",
        shape=Shape.DECLARATION_INSIDE,
    ),
    "V223": CodeInfo(
        "missing value",
        "A value is missing: after an operator, in a list of arguments, or before a ';'.",
        "Every operator needs its values.",
        _sub("set req.url = ;"),
        _sub('set req.url = "";'),
    ),
    "V224": CodeInfo(
        "include without a file",
        "An include has no file name in quotes.",
        'The forms are include "file.vcl"; and include +glob "*.vcl";',
        "include rules;",
        "",
        shape=Shape.INCLUDE,
        lost_text=True,
    ),
    "V225": CodeInfo(
        "included file not found",
        "The file of an include does not exist, or is not readable.",
        "A policy with a missing part must not run.",
        'include "/nonexistent.vcl";',
        "",
        shape=Shape.INCLUDE,
        lost_text=True,
    ),
    "V226": CodeInfo(
        "include cycle",
        "A file includes itself, directly or through other files.",
        "The compiler would never finish reading.",
        'include "./policy.vcl";',
        "",
        shape=Shape.INCLUDE,
    ),
    "V227": CodeInfo(
        "pattern without files",
        "No file matches the pattern of an include +glob.",
        "A wrong pattern would drop rules without a message.",
        'include +glob "/nonexistent/*.vcl";',
        "",
        shape=Shape.INCLUDE,
        lost_text=True,
    ),
    "V228": CodeInfo(
        "old VCL",
        "The policy uses a word of VCL 2 or 3.",
        "VCL 4 has another form for the same purpose.",
        _sub("remove req.http.Cookie;"),
        _sub("unset req.http.Cookie;"),
        shape=Shape.OLD_WORD,
    ),
    "V229": CodeInfo(
        "malformed field",
        "A field of a backend or probe does not have the form .name = value;",
        "A field name begins with '.', and an '=' separates the name from the value.",
        'backend b { host = "127.0.0.1"; }',
        'backend b { .host = "127.0.0.1"; }',
        leads_outside=True,
    ),
    "V230": CodeInfo(
        "malformed ACL entry",
        "An entry of an ACL does not begin with an address in quotes, or does not end with ';'.",
        'An entry has the form "address"/bits;',
        "acl a { 127.0.0.1; }",
        'acl a { "127.0.0.1"; }',
        leads_outside=True,
    ),
    "V231": CodeInfo(
        "malformed mask",
        "The '/' of an ACL entry has no number of bits after it, or the mask is in the wrong place.",
        "The mask is the number of leading bits to compare.",
        'acl a { "127.0.0.0"/255.0.0.0; }',
        'acl a { "127.0.0.0"/8; }',
    ),
    "V232": CodeInfo(
        "malformed ACL head",
        "A token between the name of an ACL and its body is not a flag.",
        "The flags are +log, +table and -pedantic.",
        "acl a log { }",
        "acl a +log { }",
        leads_outside=True,
    ),
    "V233": CodeInfo(
        "malformed head",
        "A token separates the name of a sub, backend or probe from its body.",
        "The body follows the name directly. Subs have no parameters.",
        "sub a() { }",
        "sub a { }",
        leads_outside=True,
    ),
    "V234": CodeInfo(
        "malformed name",
        "A name is missing, or has characters that a name cannot have.",
        "A name has letters, digits, '_' and '-', and begins with a letter. A header name may be quoted.",
        "sub 4a { }",
        "sub a4 { }",
        leads_outside=True,
    ),
    "V235": CodeInfo(
        "return without parentheses",
        "The action of a return is not in parentheses, or an action has no return.",
        "Hooks end with return (action);",
        _sub("return pass;"),
        _sub("return (pass);"),
    ),
    "V236": CodeInfo(
        "malformed call",
        "A call has parentheses, or does not name a sub.",
        "call takes the name of a sub, without parentheses.",
        "sub a { } " + _sub("call a();"),
        "sub a { } " + _sub("call a;"),
    ),
    "V237": CodeInfo(
        "stray ;",
        "A ';' does not end a statement.",
        "A body ends with '}' alone, and VCL has no empty statement.",
        "sub a { };",
        "sub a { }",
        made_up=True,
    ),
    "V238": CodeInfo(
        "malformed import",
        'An import does not have the form import NAME [as NAME] [from "path"];',
        "An import names one module.",
        "import std, directors;",
        "import std; import directors;",
    ),
    "V239": CodeInfo(
        "not in VCL 4",
        "The policy uses a word of another language or of a later version of VCL.",
        "VCL 4 has neither variables nor loops.",
        _sub("let x = 5;"),
        _sub("set req.http.X = 5;"),
        shape=Shape.FOREIGN_WORD,
    ),
    "V240": CodeInfo(
        "operator of another language",
        "The policy uses an operator of another language.",
        "The operators of VCL are && || ! == != < <= > >= ~ !~ + - * / %.",
        _sub('if (req.url =~ "x") { }'),
        _sub('if (req.url ~ "x") { }'),
    ),
    "V241": CodeInfo(
        "malformed argument",
        "An argument has a name of several words, a name where names are not allowed, or is one too many.",
        "An argument is a value, or NAME = value in a call of a module.",
        _sub("return (synth(status = 404));"),
        _sub("return (synth(404));"),
    ),
    "V242": CodeInfo(
        "missing parentheses of a call",
        "A call has no '('.",
        "A call has parentheses, also without arguments.",
        "import directors; sub vcl_init { new x = directors.random; }",
        "import directors; sub vcl_init { new x = directors.random(); }",
    ),
    "V243": CodeInfo(
        "malformed assignment",
        "An assignment has no set, no '=', or has '==' instead of '='.",
        "An assignment has the form set NAME = value;",
        _sub('req.url = "/";'),
        _sub('set req.url = "/";'),
    ),
    "V244": CodeInfo(
        "malformed new",
        "A new does not have the form new NAME = module.object(arguments);",
        "Modules provide all objects.",
        "import directors; sub vcl_init { new x 5; }",
        "import directors; sub vcl_init { new x = directors.random(); }",
    ),
    "V245": CodeInfo(
        "template",
        "The text has placeholders of a template engine, such as <%= x %>, {{ x }} or ${X}.",
        "The compiler does not know the values of the placeholders, so it cannot check the policy.",
        _sub("set beresp.ttl = ${TTL}s;"),
        _sub("set req.ttl = 5s;"),
        shape=Shape.TEMPLATE,
    ),
    "V246": CodeInfo(
        "test in a policy",
        "A policy declares a test.",
        "Tests are in files of their own, whose names end in .test.vcl. A server never loads them.",
        'test "a" { expect(hit); }',
        "",
    ),
    "V247": CodeInfo(
        "word out of place",
        "A form of VCL 5.0 has a word or a value that does not belong there.",
        "`is` takes set or empty, `allow` takes words, and a switch takes one value.",
        "vcl 5.0; backend a none; sub vcl_recv { if (req.http.X is there) { return (pass); } }",
        "vcl 5.0; backend a none; sub vcl_recv { if (req.http.X is set) { return (pass); } }",
    ),
    "V248": CodeInfo(
        "mistake in a form of 5.0",
        "A form of VCL 5.0 lacks a sign or a word, or is written as in another language.",
        "The forms are those of docs/language.md.",
        "vcl 5.0; backend a none; sub vcl_recv { allow cookie; }",
        "vcl 5.0; backend a none; sub vcl_recv { allow (cookie); }",
    ),
}

_LIMITS = {
    "V901": CodeInfo(
        "too many findings",
        "The policy has more errors or more warnings than the compiler shows.",
        "The first errors usually cause the others. Too many warnings do not refuse a policy.",
    ),
    "V902": CodeInfo(
        "nested too deeply",
        "Brackets, or unary minuses, are nested deeper than the limit.",
        "The compiler limits the depth of the tree.",
        _sub("set req.http.X = " + "(" * 300 + "1" + ")" * 300 + ";"),
        _sub("set req.http.X = " + "(" * 200 + "1" + ")" * 200 + ";"),
    ),
    "V903": CodeInfo("file too large", "One file is larger than the limit.", "Policies are text, not data."),
    "V904": CodeInfo(
        "too many tokens",
        "The policy and its included files have more tokens than the limit.",
        "The compiler works in bounded time and memory.",
    ),
    "V905": CodeInfo(
        "includes nested too deeply",
        "The depth of includes is over the limit.",
        "Such a depth is usually a mistake.",
    ),
    "V906": CodeInfo(
        "policy too large",
        "All files together are larger than the limit.",
        "The compiler works in bounded time and memory.",
    ),
    "V907": CodeInfo(
        "too many includes",
        "The policy includes more files than the limit.",
        "The compiler works in bounded time and memory.",
    ),
    "V908": CodeInfo(
        "sub too large",
        "A sub needs more values at the same time than fit on the stack of a hook.",
        "A hook has a small stack, so that many hooks can run at the same time.",
    ),
}

CODES: dict[str, CodeInfo] = {
    **rows_of(Kind.TEXT, _TEXT),
    **rows_of(Kind.SYNTAX, _SYNTAX),
    **rows_of(Kind.LIMIT, _LIMITS),
}
