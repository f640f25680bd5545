"""The table of the front end's error codes: V1xx text and tokens, V2xx syntax, V9xx limits.

``vernis explain CODE`` and the manual show the table. ``bad`` and ``good`` are policies, without a version line unless the code is
about versions. Tests run them: ``bad`` gives the code, ``good`` gives no finding. Limits have no example. The other columns hold
the compiler's conclusions from a finding; no other code in the compiler compares codes.
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
    STATEMENT_OUTSIDE = "statement outside of a sub"
    DECLARATION_INSIDE = "declaration inside of a sub"
    INCLUDE = "include"
    OLD_WORD = "word of an old version"
    FOREIGN_WORD = "word of another language"
    TEMPLATE = "template"


@record(frozen=True)
class CodeInfo:
    title: str
    what: str           # the fault
    why: str            # the reason it is an error
    bad: str = ""
    good: str = ""
    kind: Kind = Kind.SYNTAX            # set by `rows_of`
    shape: Shape = Shape.OTHER
    lost_text: bool = False             # part of the program is missing, because its file was not found
    made_up: bool = False               # the parser added or dropped tokens, so a value may differ from the author's intent
    leads_outside: bool = False         # after this error the following text appears to be outside any sub
    of_values: bool = False             # about a value, although its kind is not TEXT, SYNTAX or NAMES
    needs_declarations: bool = False    # may be a false alarm if a declaration could not be read
    needs_bodies: bool = False          # may be a false alarm if a statement or a value could not be read


def rows_of(kind: Kind, rows: dict[str, CodeInfo]) -> dict[str, CodeInfo]:
    return {code: replace(row, kind=kind) for code, row in rows.items()}


def _sub(body: str) -> str:
    return f"sub vcl_recv {{ {body} }}"


_TEXT = {
    "V101": CodeInfo(
        "string not closed", 'A string that begins with " does not end on its line.',
        "Strings in plain quotes stand on one line, so that a lost quote is found where it was lost.",
        _sub('set req.url = "/a;'), _sub('set req.url = "/a";')),
    "V102": CodeInfo(
        "long string not closed", 'A string that begins with {" or """ has no end.',
        "All text up to the end of the file belongs to it, so nothing behind it was read.",
        _sub('set req.url = {"/a";'), _sub('set req.url = {"/a"};')),
    "V103": CodeInfo(
        "long string instead of a body", 'The body of a declaration begins with {" without a blank between.',
        'In VCL {" always begins a long string.',
        'acl local {"127.0.0.1"; }', 'acl local { "127.0.0.1"; }'),
    "V104": CodeInfo(
        "comment not closed", "A comment that begins with /* has no end.",
        "All text up to the end of the file belongs to it. Comments do not nest.",
        "sub a { } /* old", "sub a { } /* old */"),
    "V105": CodeInfo(
        "unknown character", "A character stands outside of quotes that VCL has no use for.",
        "Often it is a typographic quote or dash that came with copied text.",
        _sub("set req.url = \u201c/a\u201d;"), _sub('set req.url = "/a";'),
        shape=Shape.UNKNOWN_CHARACTER),
    "V106": CodeInfo(
        "number too long", "A number has more digits than VCL numbers can have.",
        "Whole numbers have at most 15 digits; others 12 before and 3 behind the point.",
        _sub("set req.http.X = 1234567890123456;"), _sub("set req.http.X = 123456789012345;")),
    "V107": CodeInfo(
        "not base64", "What stands between the colons of a blob literal is not base64.",
        "Blob literals are written in base64, in groups of four characters.",
        "import blob; " + _sub("set req.http.X = blob.encode(blob = :abc:);"),
        "import blob; " + _sub("set req.http.X = blob.encode(blob = :YWJj:);")),
    "V110": CodeInfo(
        "comment in a comment", "A comment that begins with /* has another /* in it.",
        "Comments do not nest. Mostly the first one was meant to end before, and what stands between is lost.",
        "/* one /* two */", "/* one */ /* two */"),
    "V109": CodeInfo(
        "inline C not closed", "A block that begins with C{ has no }C.",
        "All text up to the end of the file belongs to it. C code is not compiled into policies anyway.",
        "C{ int x;"),
}

_SYNTAX = {
    "V201": CodeInfo(
        "does not belong here", "A token stands where nothing of its kind can.",
        "The text before it is complete without it, or needs something else.",
        _sub("set req.url = req.url, 5;"), _sub("set req.url = req.url + 5;")),
    "V202": CodeInfo(
        "missing ;", "A statement, field or acl entry does not end with ';'.",
        "Line ends mean nothing in VCL, so the ';' is what separates.",
        _sub("set req.url = req.url\n return (hash);"), _sub("set req.url = req.url;\n return (hash);")),
    "V205": CodeInfo(
        "brace not closed", "A '{' has no '}'.", "Where its body ends cannot be known.",
        "sub a {\nsub b { }", "sub a { }\nsub b { }",
        shape=Shape.UNCLOSED_BRACE),
    "V206": CodeInfo(
        "parenthesis not closed", "A '(' or '[' has no partner where the statement ends.",
        "Parentheses end within their statement.",
        _sub('if (regsub(req.url, "a", "b") { }'), _sub('if (regsub(req.url, "a", "b")) { }'),
        shape=Shape.UNCLOSED_PARENTHESIS, made_up=True),
    "V207": CodeInfo(
        "bracket closes nothing", "A closing bracket has no opening one.",
        "Either it is one too many, or the opening one was lost.",
        "sub a { } }", "sub a { }",
        shape=Shape.STRAY_CLOSER, made_up=True, leads_outside=True),
    "V208": CodeInfo(
        "unknown declaration", "A declaration begins with a word that is none of those VCL has.",
        "Declarations are vcl, import, include, backend, probe, acl and sub, in small letters.",
        "SUB vcl_recv { }", "sub vcl_recv { }",
        shape=Shape.UNKNOWN_DECLARATION, leads_outside=True),
    "V209": CodeInfo(
        "unknown statement", "A statement begins with something that cannot begin one.",
        "Statements are set, unset, call, return, if, new, include, and calls of functions.",
        _sub("sett req.url = 5;"), _sub("set req.url = 5;"),
        made_up=True),
    "V210": CodeInfo(
        "no version", "The policy does not begin with its version.",
        "What a policy means depends on its version.",
        "sub vcl_recv { }", "vcl 4.1;\nsub vcl_recv { }"),
    "V211": CodeInfo(
        "unknown version", "The version line names a version this compiler does not know, or this daemon does not take.",
        "Known are 4.0 and 4.1; only 4.1 where clients come by a Unix socket.", "vcl 3.0;", "vcl 4.1;"),
    "V212": CodeInfo(
        "version too high", "A later version line, such as that of an included file, is higher than the first.",
        "The version of the main file holds for the whole program.",
        "vcl 4.0;\nvcl 4.1;", "vcl 4.1;\nvcl 4.0;"),
    "V213": CodeInfo(
        "body without braces", "The body of an if, an else or a sub does not begin with '{'.",
        "Bodies are always in braces, even those of one statement.",
        _sub("if (req.restarts) return (pass);"), _sub("if (req.restarts) { return (pass); }"),
        leads_outside=True),
    "V214": CodeInfo(
        "condition without parentheses", "The condition of an if does not begin with '('.",
        "Conditions are in parentheses.", _sub('if req.url ~ "x" { }'), _sub('if (req.url ~ "x") { }')),
    "V215": CodeInfo(
        "unknown form of else if", "Something that looks like else if is written differently.",
        "Known are else if, elseif, elsif and elif, in small letters.",
        _sub("if (req.restarts) { } else-if (req.http.X) { }"), _sub("if (req.restarts) { } else if (req.http.X) { }")),
    "V216": CodeInfo(
        "else without if", "An else or elseif has no if before it, or another else.",
        "It must follow the body of an if, and else comes last.",
        _sub("else { }"), _sub("if (req.restarts) { } else { }"),
        shape=Shape.LONE_ELSE),
    "V217": CodeInfo(
        "assignment in an expression", "An '=' stands where a value is compared.",
        "'=' assigns, and only set does; '==' compares.",
        _sub('if (req.url = "/") { }'), _sub('if (req.url == "/") { }')),
    "V218": CodeInfo(
        "nothing between two values", "Two values stand side by side.",
        "Texts are joined with '+'. Old versions joined them without.",
        _sub('set req.url = "/a" req.url;'), _sub('set req.url = "/a" + req.url;')),
    "V219": CodeInfo(
        "chained comparison", "A comparison is compared again.",
        "Comparisons do not chain; what a == b == c should mean is not clear.",
        _sub("if (req.url == req.http.A == req.http.B) { }"),
        _sub("if (req.url == req.http.A && req.url == req.http.B) { }")),
    "V220": CodeInfo(
        "operator in the wrong place", "A '!' or '-' stands twice, or '!' stands behind a comparison operator.",
        "'!' negates a whole comparison and stands before it, once.",
        _sub("if (!!req.restarts) { }"), _sub("if (!req.restarts) { }")),
    "V221": CodeInfo(
        "statement outside of a sub", "A statement stands at the top level.",
        "Statements run when a hook runs, so they belong to a sub.",
        "set req.url = 5;", _sub("set req.url = 5;"),
        shape=Shape.STATEMENT_OUTSIDE, leads_outside=True),
    "V222": CodeInfo(
        "declaration inside of a sub", "A declaration stands among statements.",
        "Declarations hold for the whole policy and stand at the top level.",
        _sub("backend b none;"), "backend b none;",
        shape=Shape.DECLARATION_INSIDE),
    "V223": CodeInfo(
        "missing value", "A value is missing: behind an operator, in a list of arguments, or before a ';'.",
        "Every operator needs its values.", _sub("set req.url = ;"), _sub('set req.url = "";')),
    "V224": CodeInfo(
        "include without a file", "An include has no file name in quotes.",
        'It reads: include "file.vcl"; or include +glob "*.vcl";', "include rules;", "",
        shape=Shape.INCLUDE, lost_text=True),
    "V225": CodeInfo(
        "included file not found", "The file of an include is not there or cannot be read.",
        "A policy with a part missing must not run.", 'include "/nonexistent.vcl";', "",
        shape=Shape.INCLUDE, lost_text=True),
    "V226": CodeInfo(
        "circle of includes", "A file includes itself, maybe by way of others.",
        "Reading would never end.", 'include "./policy.vcl";', "",
        shape=Shape.INCLUDE),
    "V227": CodeInfo(
        "pattern without files", "No file matches the pattern of an include +glob.",
        "A wrong pattern would silently drop rules.", 'include +glob "/nonexistent/*.vcl";', "",
        shape=Shape.INCLUDE, lost_text=True),
    "V228": CodeInfo(
        "old VCL", "A word of VCL 2 or 3 is used.", "VCL 4 has another form for it.",
        _sub("remove req.http.Cookie;"), _sub("unset req.http.Cookie;"),
        shape=Shape.OLD_WORD),
    "V229": CodeInfo(
        "malformed field", "A field of a backend or probe does not read .name = value;",
        "Names of fields begin with '.', and an '=' separates them from the value.",
        'backend b { host = "127.0.0.1"; }', 'backend b { .host = "127.0.0.1"; }',
        leads_outside=True),
    "V230": CodeInfo(
        "malformed acl entry", "An entry of an acl does not begin with an address in quotes, or does not end with ';'.",
        'Entries read "address"/bits;', "acl a { 127.0.0.1; }", 'acl a { "127.0.0.1"; }',
        leads_outside=True),
    "V231": CodeInfo(
        "malformed mask", "Behind the '/' of an acl entry stands no number of bits, or the mask is in the wrong place.",
        "The mask is the number of leading bits that count.",
        'acl a { "127.0.0.0"/255.0.0.0; }', 'acl a { "127.0.0.0"/8; }'),
    "V232": CodeInfo(
        "malformed acl head", "Between the name of an acl and its body stands something other than flags.",
        "Flags are +log, +table and -pedantic.", "acl a log { }", "acl a +log { }",
        leads_outside=True),
    "V233": CodeInfo(
        "malformed head", "Between the name of a sub, backend or probe and its body stands something else.",
        "The body follows the name; subs have no parameters.", "sub a() { }", "sub a { }",
        leads_outside=True),
    "V234": CodeInfo(
        "malformed name", "A name is missing, or is not made as names are.",
        "Names are letters, digits, '_' and '-', and begin with a letter. Header names may be quoted.",
        "sub 4a { }", "sub a4 { }",
        leads_outside=True),
    "V235": CodeInfo(
        "return without parentheses", "The action of a return is not in parentheses, or an action stands alone.",
        "Hooks end with return (action);", _sub("return pass;"), _sub("return (pass);")),
    "V236": CodeInfo(
        "malformed call", "A call has parentheses, or does not name a sub.",
        "call takes the bare name of a sub.", "sub a { } " + _sub("call a();"), "sub a { } " + _sub("call a;")),
    "V237": CodeInfo(
        "stray ;", "A ';' stands where no statement is.",
        "Bodies end with '}' alone, and VCL has no empty statement.", "sub a { };", "sub a { }",
        made_up=True),
    "V238": CodeInfo(
        "malformed import", "An import does not read import NAME [as NAME] [from \"path\"];",
        "Each import takes one module.", "import std, directors;", "import std; import directors;"),
    "V239": CodeInfo(
        "not in VCL 4", "A word is used that other languages or later versions have.",
        "VCL 4 has neither variables nor loops.", _sub("let x = 5;"), _sub("set req.http.X = 5;"),
        shape=Shape.FOREIGN_WORD),
    "V240": CodeInfo(
        "operator of another language", "An operator is written as in another language.",
        "VCL's are && || ! == != < <= > >= ~ !~ + - * / %.",
        _sub('if (req.url =~ "x") { }'), _sub('if (req.url ~ "x") { }')),
    "V241": CodeInfo(
        "malformed argument", "An argument has a name that is not one word, a name where none can be, or is one too many.",
        "Arguments are values, or NAME = value in calls of modules.",
        _sub("return (synth(status = 404));"), _sub("return (synth(404));")),
    "V242": CodeInfo(
        "missing parentheses of a call", "A call has no '('.", "Calls have parentheses, also without arguments.",
        "import directors; sub vcl_init { new x = directors.random; }", "import directors; sub vcl_init { new x = directors.random(); }"),
    "V243": CodeInfo(
        "malformed assignment", "An assignment has no set, no '=', or a '==' for it.",
        "Assignments read set NAME = value;", _sub('req.url = "/";'), _sub('set req.url = "/";')),
    "V244": CodeInfo(
        "malformed new", "A new does not read new NAME = module.object(arguments);",
        "Objects come from modules.", "import directors; sub vcl_init { new x 5; }",
        "import directors; sub vcl_init { new x = directors.random(); }"),
    "V245": CodeInfo(
        "template", "The text has placeholders of a template engine, such as <%= x %>, {{ x }} or ${X}.",
        "What they stand for is not known here, so nothing can be said about the policy.",
        _sub("set beresp.ttl = ${TTL}s;"), _sub("set req.ttl = 5s;"),
        shape=Shape.TEMPLATE),
}

_LIMITS = {
    "V901": CodeInfo("too many findings", "More was wrong than is worth showing.",
                     "The first ones usually cause the others."),
    "V902": CodeInfo("nested too deeply", "Brackets, or unary minuses, are nested deeper than the limit.",
                     "Walks over the tree need a bound.", _sub("set req.http.X = " + "(" * 300 + "1" + ")" * 300 + ";"),
                     _sub("set req.http.X = " + "(" * 200 + "1" + ")" * 200 + ";")),
    "V903": CodeInfo("file too large", "One file is larger than the limit.", "Policies are text, not data."),
    "V904": CodeInfo("too many tokens", "The policy with all its includes has more tokens than the limit.",
                     "Compiling must end in bounded time and memory."),
    "V905": CodeInfo("includes nested too deeply", "Files include files deeper than the limit.",
                     "It is more often a mistake than a plan."),
    "V906": CodeInfo("policy too large", "All files together are larger than the limit.",
                     "Compiling must end in bounded time and memory."),
    "V907": CodeInfo("too many includes", "More files are included than the limit.",
                     "Compiling must end in bounded time and memory."),
    "V908": CodeInfo("sub too large", "A sub keeps more values at once than fit on the stack of a hook.",
                     "A hook has little stack, so that there can be many at once."),
}

CODES: dict[str, CodeInfo] = {**rows_of(Kind.TEXT, _TEXT), **rows_of(Kind.SYNTAX, _SYNTAX), **rows_of(Kind.LIMIT, _LIMITS)}
