"""Texts of Varnish's own compiler, shown below our messages.

People search for these texts, scripts look for them in the answer to ``vcl.load``, and much advice on the web
quotes them. A diagnostic names the row that fits, and the renderer shows it below our explanation. Facts of
Varnish 7.1.
"""

from __future__ import annotations

JUST_A_WARNING = "(That was just a warning)"  # on its own line below a warning

PHRASES: dict[str, str] = {
    # what the parser expects
    "expected": "Expected {want} got {got}",
    "wrong token": "Unknown token '{got}' when looking for {type}",
    "found": "Found: '{word}' at",
    "syntax": "Syntax error",
    "not a name": "Name of {what}, '{name}', contains illegal character '{character}'",
    "header too long": "HTTP header ({start:.20}..) is too long.",
    "header character": "Invalid character '{character}' in header name",
    "quoted header": "Quoted headers are available for VCL >= 4.1",
    "nested comment": "/* ... */ comment contains /*",
    "inline C": "Inline-C not allowed",
    "field syntax": 'NB: Backend Syntax has changed: Remove "set" and "backend" in front of backend fields.',
    "missing argument": "Missing argument.",
    "no arguments": "Arguments not allowed.",
    "unknown argument": "Unknown argument '{name}'",
    "action name": "Expected return action name.",
    # numbers and blobs
    "integer digits": "Too many digits for integer.",
    "real digits": "Too many digits for real.",
    "blob length": "BLOB must have n*4 base64 characters",
    "blob character": "Illegal BLOB character:",
    "blob padding": "Wrong padding ('=') in BLOB",
    "blob end": "Missing colon at end of BLOB",
    "duration unit": "Unknown duration unit '{unit}'. Legal are 'ms', 's', 'm', 'h', 'd', 'w' and 'y'",
    "bytes unit": "Unknown BYTES unit '{unit}'. Legal are 'B', 'KB', 'MB', 'GB' and 'TB'",
    "fraction of a byte": "Fractional BYTES not allowed",
    "bytes unit wanted": "Expected BYTES unit (B, KB, MB...) got '{got}'",
    # version and includes
    "version": "VCL version {version} not supported.",
    "version too low": "Compiled VCL version ({version}) not supported.",
    "version form": "Don't play silly buggers with VCL version numbers",
    "version end": "Expected 'vcl N.N;' found no semi-colon",
    "include name": "include not followed by string constant.",
    "include end": "include <string> not followed by semicolon.",
    "include relative": "needs absolute filename of including file.",
    "include recursion": 'Recursive use of file "{path}"',
    "include glob": "glob pattern matched no files.",
    "include missing": "Cannot read file '{path}'",
    "include unsafe": "VCL filename '{path}' is unsafe.",
    # names and types
    "not found": "Symbol not found: '{name}'",
    "not in version": "Symbol not found: '{name}' (Only available when {range})",
    "wrong kind": "Symbol '{name}' has wrong type ({have}), expected {want}:",
    "must be": "Name {name} must have type '{type}'.",
    "property": "Unknown property '{name}' for type {type}",
    "undefined": "Undefined {kind} {name}, first reference:",
    "reserved": "Symbol '{name}' is a reserved word.",
    "reserved vcl": "Symbols named 'vcl_*' are reserved.",
    "type": "Expression has type {have}, expected {want}",
    "argument": "Expected argument: {type} {name}",
    "operator": "Operator {operator} not possible on {type}",
    "regexp": "Regexp compilation error:",
    "not an address": "Cannot convert to an IP address: '{text}'",
    "not resolved": "'{text}' could not be resolved to an IP address",
    # phases
    "read only": "Variable is read only.",
    "not set": "Variable cannot be set.",
    "not unset": "Variable cannot be unset.",
    "not read": "Variable cannot be read.",
    "set in": "Cannot be set in subroutine '{sub}'.",
    "set from": "Cannot be set from subroutine '{sub}'.",
    "read in": "Not available in subroutine '{sub}'.",
    "read from": "Not available from subroutine '{sub}'.",
    "unset in": "Cannot be unset in subroutine '{sub}'.",
    "unset from": "Cannot be unset from subroutine '{sub}'.",
    "action in": "Not a valid action in subroutine '{sub}'",
    "invalid return": 'Invalid return "{action}"',
    # declarations
    "impossible": "Impossible Subroutine",
    "recursion": "Subroutine recurses on",
    "called from": '...called from "{name}"',
    "redefined": "{kind} '{name}' redefined",
    "second default": "Only one default director possible.",
    "no default probe": "No default probe defined",
    "no backend": "No backends or directors found in VCL program, at least one is necessary.",
    "unused": "Unused {kind} {name}, defined:",
    "field": "Unknown field:",
    "field twice": "Field '{name}' redefined at:",
    "two addresses": "Address redefinition at:",
    "no address": "Expected .host or .path.",
    "relative socket": "Must be an absolute path:",
    "not a socket": "Not a socket:",
    "no socket": "Backend path: Cannot stat: {why}",
    "empty socket": "The empty abstract socket name is not supported",
    "stacked via": "Cannot stack .via backends at",
    "via and path": "Cannot set both .via and .path.",
    "authority": ".authority can not be an ip address with .via.",
    "authority from": ".{name} used as authority can not be an ip address with .via.",
    "socket version": "Unix socket backends only supported in VCL4.1 and higher.",
    "bracket": "IPv6 address lacks ']'",
    "port separator": "IPv6 address has wrong port separator",
    "two requests": "Probe request redefinition at:",
    "status digits": "Must specify .expected_response with exactly three digits.",
    "threshold missing": "Must specify .threshold with .window",
    "threshold high": "Threshold must be 64 or less.",
    "window high": "Window must be 64 or less.",
    "threshold above": "Threshold can not be greater than window.",
    "probe value": "Expected '{{' or name of probe, got {got}",
    # acls
    "wide mask": "Too wide mask (/{bits}) for IPv{version} address",
    "host bits": "Non-zero bits in masked part",
    "two masks": "/mask only allowed once",
    "mask": ".../mask is not numeric.",
    "acl conflict": "Conflicting ACL entries:",
    "lookup": "DNS lookup({host}): {why}",
    "flag wanted": "Expected a flag at:",
    "acl flag": "Unknown ACL flag:",
}


def phrase(key: str, **parts: object) -> str:
    """Returns the row ``key`` with its parts filled in."""
    return PHRASES[key].format(**parts)
