"""The types of VCL and of values at run time, and their conversions.

Rules are rows: :data:`OPERATORS` gives the result of an operator on two types, :data:`COMPARISONS` the
comparable types, :data:`ASSIGNMENTS` the right side of each assignment form, :data:`TO_STRING` and
:data:`TO_BOOL` the automatic conversions. A type without a row in a table cannot be used there; no other code
decides this.
"""

from __future__ import annotations

from enum import Enum


class Type(Enum):
    """All types. Authors of policies know the types up to VOID. ERROR is the type of a reported expression
    and never causes a second message. ACTION and SPANS exist in compiled code only: the result of a sub, and
    the parts of a text with their number."""

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

    __hash__ = object.__hash__  # members are unique; Enum hashes the name in Python at each table lookup


STRING, INT, REAL, BOOL, BYTES, IP = Type.STRING, Type.INT, Type.REAL, Type.BOOL, Type.BYTES, Type.IP
DURATION, TIME, BACKEND, ACL, PROBE = Type.DURATION, Type.TIME, Type.BACKEND, Type.ACL, Type.PROBE
STEVEDORE, BLOB, BODY, ERROR, HEADER = Type.STEVEDORE, Type.BLOB, Type.BODY, Type.ERROR, Type.HEADER

# (left, operator, right) -> result. Joining text with `+` is not here: it takes any type with a text form,
# if text is expected or is the left operand.
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

# Both sides have the same type. The operators `~` and `!~` take STRING and a pattern, or IP and an acl.
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

# (type of the variable, form) -> type of the right side. `=` takes the type of the variable and has no rows,
# except for BODY, which also takes BLOB.
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

TO_STRING = frozenset(
    {STRING, INT, REAL, DURATION, TIME, BYTES, BOOL, IP, BACKEND, ACL, PROBE, STEVEDORE, BLOB}
)
TO_BOOL = frozenset({BOOL, INT, DURATION, BACKEND, STRING})

# The type of values in compiled code, if it differs.
VALUES: dict[Type, Type] = {Type.STRANDS: STRING, HEADER: STRING, Type.ENUM: STRING}

WHOLE = frozenset({INT, BYTES})
DOUBLES = frozenset({REAL, DURATION, TIME})

# The other operand is read as the same type: `bytes + 5m` adds five megabytes, `real * 2` is a REAL.
NUMERIC = frozenset({INT, REAL, DURATION, TIME, BYTES})
NEGATIVE = frozenset({INT, REAL, DURATION})

DURATION_UNITS: dict[str, float] = {
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
    "d": 86400.0,
    "w": 7 * 86400.0,
    "y": 365 * 86400.0,
}
BYTES_UNITS: dict[str, int] = {
    "b": 1,
    "k": 1 << 10,
    "kb": 1 << 10,
    "m": 1 << 20,
    "mb": 1 << 20,
    "g": 1 << 30,
    "gb": 1 << 30,
    "t": 1 << 40,
    "tb": 1 << 40,
    "p": 1 << 50,
    "pb": 1 << 50,
}

INT_DIGITS = 15
REAL_DIGITS = 12
FRACTION_DIGITS = 3
