"""The types of the language, those of values while a policy runs, and what may become what.

Rules are rows: :data:`OPERATORS` says what an operator makes of two types, :data:`COMPARISONS` what can be compared,
:data:`ASSIGNMENTS` what stands on the right of each assignment form, :data:`TO_STRING` and :data:`TO_BOOL` what converts
by itself. A type that is in no row of a table cannot be used there; there is no other code for it.
"""

from __future__ import annotations

from enum import Enum


class Type(Enum):
    """All types. Those up to VOID are as a policy's author knows them. ERROR is what was reported already: it never causes a second
    message. ACTION and SPANS exist in compiled code only: the result of a sub, and the parts of a text with their number."""

    STRING = "STRING"
    STRANDS = "STRANDS"
    HEADER = "HEADER"
    INT = "INT"
    REAL = "REAL"
    DURATION = "DURATION"
    TIME = "TIME"
    BYTES = "BYTES"
    BOOL = "BOOL"
    IP = "IP"
    BACKEND = "BACKEND"
    ACL = "ACL"
    PROBE = "PROBE"
    STEVEDORE = "STEVEDORE"
    BLOB = "BLOB"
    BODY = "BODY"
    HTTP = "HTTP"
    REGEX = "REGEX"
    SUB = "SUB"
    ENUM = "ENUM"
    INSTANCE = "INSTANCE"
    VOID = "VOID"
    ERROR = "ERROR"
    ACTION = "ACTION"
    SPANS = "SPANS"

    __hash__ = object.__hash__          # members are unique; Enum's own hashes the name, in Python, at each look at a table


STRING, INT, REAL, BOOL, BYTES, IP = Type.STRING, Type.INT, Type.REAL, Type.BOOL, Type.BYTES, Type.IP
DURATION, TIME, BACKEND, ACL, PROBE = Type.DURATION, Type.TIME, Type.BACKEND, Type.ACL, Type.PROBE
STEVEDORE, BLOB, BODY, ERROR, HEADER = Type.STEVEDORE, Type.BLOB, Type.BODY, Type.ERROR, Type.HEADER

# (left, operator, right) -> result. Joining text with `+` is not here: it takes anything that has a text form, where text is
# expected or stands on the left.
OPERATORS: dict[tuple[Type, str, Type], Type] = {
    (INT, "+", INT): INT,
    (INT, "-", INT): INT,
    (INT, "*", INT): INT,
    (INT, "/", INT): INT,
    (INT, "%", INT): INT,
    (INT, "+", REAL): REAL,
    (INT, "-", REAL): REAL,
    (REAL, "+", INT): REAL,
    (REAL, "-", INT): REAL,
    (REAL, "*", INT): REAL,
    (REAL, "/", INT): REAL,
    (REAL, "+", REAL): REAL,
    (REAL, "-", REAL): REAL,
    (REAL, "*", REAL): REAL,
    (REAL, "/", REAL): REAL,
    (DURATION, "+", DURATION): DURATION,
    (DURATION, "-", DURATION): DURATION,
    (DURATION, "*", INT): DURATION,
    (DURATION, "*", REAL): DURATION,
    (DURATION, "/", INT): DURATION,
    (DURATION, "/", REAL): DURATION,
    (TIME, "+", DURATION): TIME,
    (TIME, "-", DURATION): TIME,
    (TIME, "-", TIME): DURATION,
    (BYTES, "+", BYTES): BYTES,
    (BYTES, "-", BYTES): BYTES,
    (BYTES, "*", INT): BYTES,
    (BYTES, "*", REAL): BYTES,
    (BYTES, "/", INT): BYTES,
    (BYTES, "/", REAL): BYTES,
}

EQUALITY = ("==", "!=")
ORDER = ("==", "!=", "<", "<=", ">", ">=")

# Both sides have the same type. The matching operators `~` and `!~` take STRING and a pattern, or IP and an acl.
COMPARISONS: dict[Type, tuple[str, ...]] = {
    STRING: ORDER,
    INT: ORDER,
    REAL: ORDER,
    DURATION: ORDER,
    TIME: ORDER,
    BYTES: ORDER,
    BOOL: EQUALITY,
    IP: EQUALITY,
    BACKEND: EQUALITY,
    ACL: EQUALITY,
    PROBE: EQUALITY,
    STEVEDORE: EQUALITY,
}

# (type of the variable, form) -> type of the right side. `=` takes the variable's own type and has no rows, but BODY,
# which also takes BLOB.
ASSIGNMENTS: dict[tuple[Type, str], Type] = {
    (INT, "+="): INT,
    (INT, "-="): INT,
    (INT, "*="): INT,
    (INT, "/="): INT,
    (REAL, "+="): REAL,
    (REAL, "-="): REAL,
    (REAL, "*="): REAL,
    (REAL, "/="): REAL,
    (DURATION, "+="): DURATION,
    (DURATION, "-="): DURATION,
    (DURATION, "*="): REAL,
    (DURATION, "/="): REAL,
    (TIME, "+="): DURATION,
    (TIME, "-="): DURATION,
    (BYTES, "+="): BYTES,
    (BYTES, "-="): BYTES,
    (STRING, "+="): STRING,
    (HEADER, "+="): STRING,
    (BODY, "="): STRING,
    (BODY, "+="): STRING,
}

TO_STRING = frozenset({STRING, INT, REAL, DURATION, TIME, BYTES, BOOL, IP, BACKEND, ACL, PROBE, STEVEDORE, BLOB})
TO_BOOL = frozenset({BOOL, INT, DURATION, BACKEND, STRING})

# The type that values of a type have in compiled code, where that is another one.
VALUES: dict[Type, Type] = {Type.STRANDS: STRING, HEADER: STRING, Type.ENUM: STRING}

WHOLE = frozenset({INT, BYTES})
DOUBLES = frozenset({REAL, DURATION, TIME})

# An operand beside one of these is read as that type: `bytes + 5m` is five megabytes, `real * 2` a REAL.
NUMERIC = frozenset({INT, REAL, DURATION, TIME, BYTES})
NEGATIVE = frozenset({INT, REAL, DURATION})

DURATION_UNITS: dict[str, float] = {
    "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 7 * 86400.0, "y": 365 * 86400.0,
}
BYTES_UNITS: dict[str, int] = {
    "b": 1, "k": 1 << 10, "kb": 1 << 10, "m": 1 << 20, "mb": 1 << 20, "g": 1 << 30, "gb": 1 << 30,
    "t": 1 << 40, "tb": 1 << 40, "p": 1 << 50, "pb": 1 << 50,
}

INT_DIGITS = 15
REAL_DIGITS = 12
FRACTION_DIGITS = 3
