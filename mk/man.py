"""Writes the manual pages: `make man`. Each option, command, parameter, counter and error code comes from the
table that the program itself uses.

    man.py --out build/man
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import re
import subprocess
import sys
import textwrap
import time
import tomllib
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path

import roff
from pages.params import MACHINE

from vernis.commands.table import COMMANDS, GROUPS
from vernis.commands.table.row import options_of_all
from vernis.lint.plugins import installed_rules
from vernis.semantics.codes import ALL_CODES
from vernis.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
DAEMON = ROOT / "build/bin/vernisd"
RELOAD = ROOT / "examples/systemd/vernisreload"
#: Name -> section. `see_also` lists the others.
PAGES = {
    "vernis": 1,
    "vernisd": 1,
    "vernisreload": 1,
    "vernis-cli": 7,
    "vernis-counters": 7,
    "vernis-errors": 7,
    "vernis-params": 7,
}
COUNTER_FILES = (  # in the order of the page: the types, and their files
    ("log/counters.c", "MAIN", "VERNIS"),
    ("manager/shared.c", "MGT"),
    ("origin/backend.c", "VBE.*"),
    ("storage/storage_counters.c", "SMA.*", "MEMORY.*"),
    ("cache/purge/surrogate.c", "XKEY"),
    ("worker/stats.c", "MEMPOOL.*", "LCK.*"),
    ("manager/tls/expiry.c", "CERT.*"),
)


def date() -> str:
    """The day of SOURCE_DATE_EPOCH, else that of the last change of the version."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or (ROOT / "compiler/version.py").stat().st_mtime
    return time.strftime("%Y-%m-%d", time.gmtime(float(seconds)))


def printed(*words: str) -> str:
    return subprocess.run([str(DAEMON), *words], capture_output=True, text=True, check=True).stdout


def see_also(name: str) -> list[str]:
    pages = sorted((section, other) for other, section in PAGES.items() if other != name)
    names = [f"\\fB{roff.escaped(other)}\\fR({section})" for section, other in pages]
    where = "Pages named docs/*.md are below the folder of the package's documentation, share/doc/vernis."
    return [roff.heading("see also"), ",\n".join(names), ".PP", roff.paragraph(where)]


# ---- programs ----------------------------------------------------------------------------------------------


def typed(action: argparse.Action) -> str:
    """An argument as a user types it."""
    word = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        word = "{" + ",".join(map(str, action.choices)) + "}"
    if action.option_strings:
        return ", ".join(action.option_strings) + (f" {word}" if action.nargs != 0 else "")
    shapes: dict[object, str] = {"?": f"[{word}]", "+": f"{word}...", argparse.REMAINDER: f"[{word}...]"}
    return shapes.get(action.nargs, word)


def arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.help != argparse.SUPPRESS:
            yield roff.entry(typed(action), (action.help or "").replace("%%", "%") + ".")


def vernis_page() -> Iterator[str]:
    yield roff.heading("synopsis")
    before = "[\\fB-n\\fR \\fIDIR\\fR] [\\fB--color\\fR \\fIWHEN\\fR]"
    yield f"{roff.bold('vernis')} {before} \\fICOMMAND\\fR [\\fIargument\\fR ...]"
    yield roff.heading("description")
    yield roff.paragraph(
        "Compiles, checks, formats, lints and tests policies written in VCL, controls the daemon that runs "
        "them, and shows its log and counters. `vernis COMMAND --help` prints the options of a command."
    )
    yield roff.heading("options")
    yield roff.entry("-h, --help", "Print the commands and exit.")
    yield roff.entry("-V, --version", "Print the version and exit.")
    yield roff.entry("-n DIR, -T HOST:PORT, -S FILE, -t SECONDS", "Choose the daemon, as behind the command.")
    every = argparse.ArgumentParser(add_help=False)
    options_of_all(every)
    yield from arguments(every)
    for group, names in GROUPS.items():
        yield roff.heading(group.lower())
        for name in names:
            row = COMMANDS[name]
            parser = argparse.ArgumentParser(prog=f"vernis {name}", add_help=False)
            row.options(parser)
            named = [typed(action) for action in parser._actions if not action.option_strings]
            yield roff.subheading(" ".join(["vernis", name, *named]))
            yield roff.paragraph(f"{row.help[0].upper()}{row.help[1:]}.")
            yield from arguments(parser)
    yield roff.heading("exit status")
    yield roff.entry("0", "Success.")
    yield roff.entry("1", "The policy has errors, or the daemon refused the command.")
    yield roff.entry("2", "Wrong usage, an unreachable file or daemon, or a bug of vernis.")
    yield roff.heading("environment")
    yield roff.entry(
        "VERNIS_WORKDIR", "Work directory of the daemon for commands without `-n`; default: that of vernisd."
    )
    yield roff.entry("NO_COLOR", "With any value: no colours.")
    yield roff.entry(
        "FORCE_COLOR, CLICOLOR_FORCE", "With a value other than 0: colours, also where output is no terminal."
    )
    yield roff.entry("CLICOLOR", "0: no colours.")
    yield roff.entry("CI", "With any value: no line of progress.")


def vernisd_page() -> Iterator[str]:
    yield roff.heading("synopsis")
    yield f"{roff.bold('vernisd')} [\\fIoptions\\fR]"
    yield roff.heading("description")
    yield roff.paragraph(
        "A caching HTTP proxy that runs policies written in VCL. It is three processes: the manager owns the "
        "sockets and the command line, the worker serves, and the compile server compiles policies. If the "
        "worker or the compile server dies, the manager starts it again."
    )
    yield roff.heading("options")
    for row in tomllib.loads((ROOT / "runtime/manager/options.toml").read_text())["option"]:
        for part in [row, *row.get("also", ())]:
            forms = [f"-{row['letter']} {form}".rstrip() for form in part["forms"] or [""]]
            yield roff.entry(
                ", ".join([*forms, *([f"--{row['long']}"] if "long" in row else [])]), part["doc"]
            )
    yield roff.heading("exit status")
    yield roff.entry("0", "Success.")
    yield roff.entry(
        "2", "Wrong usage, or a failed start: a busy port, a work directory in use, a policy with errors."
    )
    yield roff.entry(
        "other",
        "A sum of 0x20 (a worker ended with an error), 0x40 (a worker died of a signal) and 0x80 (it wrote "
        "a core).",
    )
    yield roff.heading("signals")
    yield roff.entry(
        "SIGTERM, SIGINT",
        "Accept no new connection, and end when the requests in progress are done, at the latest after "
        "shutdown_timeout. A second signal ends the daemon at once.",
    )
    yield roff.entry(
        "SIGUSR2", "Start the program again and hand the sockets over, as `vernis upgrade` does."
    )
    yield roff.heading("environment")
    yield roff.entry(
        "VERNIS_COMPILER", "Another program than the `vernis` beside vernisd, or in PATH, as compiler."
    )
    yield roff.heading("files")
    yield roff.entry("/var/lib/vernis", "The default work directory.")
    yield roff.entry("/etc/vernis/default.vcl", "The policy of the service.")


def vernisreload_page() -> Iterator[str]:
    loader = SourceFileLoader("vernisreload", str(RELOAD))
    tree = ast.parse(RELOAD.read_text())
    yield roff.heading("synopsis")
    yield f"{roff.bold('vernisreload')} [\\fIoptions\\fR] [\\fIfile\\fR]"
    yield roff.heading("description")
    yield "\n.PP\n".join(map(roff.paragraph, (ast.get_docstring(tree) or "").split("\n\n")))
    yield roff.heading("options")
    spec = importlib.util.spec_from_loader("vernisreload", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    yield from arguments(module.options())


# ---- tables of the daemon ----------------------------------------------------------------------------------


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """The entries that the daemon prints: each has a line that is not indented, and lines that are."""
    name, lines = "", list[str]()
    for row in text.splitlines():
        if row and not row.startswith(" "):
            if name:
                yield name, lines
            name, lines = row, []
        elif name:
            lines.append(row)
    if name:
        yield name, lines


def parameter(name: str, lines: list[str]) -> Iterator[str]:
    """The paragraphs of a parameter."""
    for text in "\n".join(lines).strip("\n").split("\n\n"):
        rows = textwrap.dedent(text).splitlines()
        if rows and rows[0].startswith("Value is"):
            default = MACHINE.get(name) or rows[0].removeprefix("Value is:").removesuffix("(default)").strip()
            facts = [f"Default: {default or 'none'}", *(row.replace(" is:", ":") for row in rows[1:])]
            text = "; ".join(facts).replace(",-", ", -").replace(",+", ", +") + "."
            yield re.sub(r"(?<=\S):(?=\S)", ":" + roff.BREAK.replace("\\", r"\\"), roff.paragraph(text))
        elif any(row.startswith(" ") for row in rows):
            bits = ", ".join(row.strip() for row in rows[1:])
            yield roff.paragraph(f"{rows[0]} {bits}.")
        elif rows:
            yield roff.paragraph(" ".join(rows))


def params_page() -> Iterator[str]:
    yield roff.heading("description")
    yield roff.paragraph(
        "Parameters of `vernisd`, set with `-p` at the start, and with `vernis params NAME VALUE` or "
        "`param.set` while the daemon runs. `vernisd -x parameter` prints this text."
    )
    yield roff.heading("parameters")
    for name, lines in blocks(printed("-x", "parameter")):
        yield roff.subheading(name)
        yield "\n.PP\n".join(parameter(name, lines))


def cli_page() -> Iterator[str]:
    yield roff.heading("description")
    yield roff.paragraph(
        "Commands that `vernis admin`, `varnishadm` and connections to the addresses of `-T` send to the "
        "manager. An answer has a status of three digits: 200 is success. `vernisd -x cli` prints this text."
    )
    yield roff.heading("commands")
    for usage, lines in blocks(printed("-x", "cli")):
        yield roff.entry(usage, " ".join(lines))


_COUNTER = re.compile(
    r'(?:(\w*)COUNTER\(|\{ ")(\w+)"?,\s*VSC_(\w+),\s*VSC_\w+,\s*VSC_(\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)'
)


def rows_of(text: str) -> list[tuple[str, str, str, str, str]]:
    """Own or Varnish's (of counter_rows.h), name, kind, format, meaning of each counter in a C table."""
    rows = [
        (own, name, kind.lower(), form.lower(), "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', words)))
        for own, name, kind, form, words in _COUNTER.findall(text)
    ]
    assert len(rows) == len(re.findall(r"VSC_(?:COUNTER|GAUGE|BITMAP),", text)), (
        "a row of counters has another form"
    )
    return rows


def counters() -> Iterator[tuple[str, list[tuple[str, str, str, str, str]]]]:
    """The types of counters with their rows, from the tables in runtime/."""
    for file, *types in COUNTER_FILES:
        if file == "log/counters.c":
            rows = rows_of((ROOT / "runtime/log/counter_rows.h").read_text().partition("#endif")[2])
            yield "MAIN", [row for row in rows if not row[0]]
            yield "VERNIS", [row for row in rows if row[0] == "OWN_"]
            for group in ("H2", "TLS"):
                prefix = group.lower() + "_"
                own = [row for row in rows if row[0] == group + "_"]
                yield group, [(row[0], row[1].removeprefix(prefix), *row[2:]) for row in own]
            continue
        text = (ROOT / "runtime" / file).read_text()
        tables = re.findall(r"struct vsc_row \w+\[\w*\] = \{\n(.*?)\n\};", text, re.S)
        assert len(tables) == len(types), f"{file} has {len(tables)} tables of counters, not {len(types)}"
        yield from zip(types, map(rows_of, tables))


def counters_page() -> Iterator[str]:
    yield roff.heading("description")
    yield roff.paragraph(
        "Counters and gauges in the shared memory of `vernisd`, as `vernis stat` and `varnishstat` show "
        "them. A star stands for the name of the instance, such as that of a policy and its backend. MAIN "
        "has the names of Varnish; VERNIS, H2, TLS and CERT have those that Varnish lacks."
    )
    for ident, rows in counters():
        yield roff.heading(ident)
        for _, name, kind, form, text in rows:
            yield roff.entry(f"{ident}.{name}", f"{text} ({kind}{'' if form == 'integer' else ', ' + form}).")


def errors_page() -> Iterator[str]:
    yield roff.heading("description")
    yield roff.paragraph(
        "Error and warning codes of the compiler, and rules of `vernis lint`. `vernis explain CODE` prints "
        "one."
    )
    for head, rows in (
        (
            "codes",
            [
                (f"{code}: {info.title}", f"{info.what} {info.why}", info.bad, info.good)
                for code, info in ALL_CODES.items()
            ],
        ),
        (
            "rules of lint",
            [
                (
                    f"{r.id}: {r.name} ({r.severity.value})",
                    f"{r.what} {r.why} Remedy: {r.remedy}.",
                    r.bad,
                    r.good,
                )
                for r in installed_rules()
            ],
        ),
    ):
        yield roff.heading(head)
        for title, text, bad, good in rows:
            yield roff.subheading(title)
            yield roff.paragraph(text)
            for label, example in (("Wrong:", bad), ("Right:", good)):
                if example:
                    yield f".PP\n{label}\n{roff.verbatim(example.splitlines())}"


PURPOSES = {
    "vernis": (vernis_page, "compile policies, and control a caching HTTP proxy"),
    "vernisd": (vernisd_page, "caching HTTP proxy that runs policies written in VCL"),
    "vernisreload": (vernisreload_page, "reload the policy of a running daemon, with a way back"),
    "vernis-cli": (cli_page, "commands of the command line of vernisd"),
    "vernis-counters": (counters_page, "counters of vernisd"),
    "vernis-errors": (errors_page, "error codes of the compiler, and rules of lint"),
    "vernis-params": (params_page, "parameters of vernisd"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="writes the manual pages")
    parser.add_argument("--out", type=Path, required=True)
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, section in PAGES.items():
        body, purpose = PURPOSES[name]
        parts = [roff.title(name, section, date(), VERSION, purpose), *body(), *see_also(name), ""]
        (out / f"{name}.{section}").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
