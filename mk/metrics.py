"""Writes the names of the Prometheus metrics from ``runtime/log/metrics.toml`` to ``metric_names.h``, for the
daemon's endpoint.

``mk/generated.mk`` runs it as a plain script. ``compiler/observe/metrics.py`` reads the same file.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

FORMATS = {"duration": "VSC_DURATION", "bytes": "VSC_BYTES"}


def quoted(text: str | None) -> str:
    return "NULL" if text is None else json.dumps(text)


def header(names: dict[str, Any]) -> str:
    groups = names["group"]
    labels_max = max(len(group["labels"]) for group in groups.values())
    lines = [
        "/* Made from runtime/log/metrics.toml by mk/metrics.py. */",
        "#ifndef VERNIS_GEN_METRIC_NAMES_H",
        "#define VERNIS_GEN_METRIC_NAMES_H",
        "",
        '#include "log/vsc.h"',
        "",
        f"#define METRIC_PREFIX {quoted(names['prefix'] + '_')}",
        f"#define METRIC_COUNTER_SUFFIX {quoted(names['counter_suffix'])}",
        f"#define METRIC_LABELS_MAX {labels_max}u",
        "",
        "struct metric_group {",
        "    const char *ident, *name;           /* first part of an ident; group in the metric's name */",
        "    const char *labels[METRIC_LABELS_MAX];",
        "};",
        "",
        "static const struct metric_group metric_groups[] = {",
        *(
            f"    {{ {quoted(ident)}, {quoted(group['name'])}, "
            f"{{ {', '.join(map(quoted, group['labels'])) or 'NULL'} }} }},"
            for ident, group in groups.items()
        ),
        "};",
        "static const struct metric_group metric_group_other = "
        f"{{ NULL, NULL, {{ {quoted(names['other_label'])} }} }};",
        "",
        f"#define METRIC_DECLARED {quoted(names['declared']['ident'])} /* first part of these idents */",
        f"#define METRIC_DECLARED_NAME {quoted(names['declared']['name'])}",
        "",
        "static const struct metric_suffix {",
        "    const char *add, *unless;           /* added unless the counter's name contains `unless` */",
        "} metric_suffixes[VSC_DURATION + 1] = {",
        *(
            f"    [{FORMATS[format]}] = {{ {quoted(suffix['add'])}, {quoted(suffix.get('unless'))} }},"
            for format, suffix in names["suffix"].items()
        ),
        "};",
        "",
        "static const struct metric_renamed {",
        "    const char *ident, *counter, *name, *doc; /* ident: its first part */",
        "} metrics_renamed[] = {",
        *(
            f"    {{ {', '.join(map(quoted, (ident, counter, row['name'], row['doc'])))} }},"
            for ident, counters in names["renamed"].items()
            for counter, row in counters.items()
        ),
        "};",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(header(tomllib.loads(source.read_text())))
