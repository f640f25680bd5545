"""The formats of GitLab and reviewdog as JSON schemas, in our own words: neither publishes a package with one.

GitLab: the table "Code Quality report format" of its manual. reviewdog: the fields of the message
DiagnosticResult of its Diagnostic Format.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def record(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these keys and no others."""
    return {"type": "object", "required": list(required), "properties": required | (optional or {}), "additionalProperties": False}


TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 1}

GITLAB = {
    "type": "array",
    "items": record({
        "description": TEXT,
        "check_name": TEXT,
        "fingerprint": TEXT,
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "location": record({"path": {"type": "string", "pattern": "^[^/]"}, "lines": record({"begin": NUMBER}, {"end": NUMBER})}),
    }),
}

_POSITION = record({"line": NUMBER}, {"column": NUMBER})
_RANGE = record({"start": _POSITION}, {"end": _POSITION})
_LOCATION = record({"path": TEXT}, {"range": _RANGE})
RDJSON = record({
    "source": record({"name": TEXT}, {"url": TEXT}),
    "diagnostics": {
        "type": "array",
        "items": record(
            {"message": TEXT, "location": _LOCATION},
            {
                "severity": {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
                "code": record({"value": TEXT}, {"url": TEXT}),
                "suggestions": {"type": "array", "items": record({"range": _RANGE, "text": {"type": "string"}})},
                "relatedLocations": {"type": "array", "items": record({"location": _LOCATION}, {"message": TEXT})},
            }),
    },
})
