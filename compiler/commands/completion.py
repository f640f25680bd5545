"""`vernis completion`: prints the completion of a shell, made from the table of commands. Names of policies,
backends and parameters come from the running daemon: the scripts call `vernis names`."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vernis.commands.admin import backend_names, parameter_names, policy_names
from vernis.commands.daemon import connect
from vernis.commands.outcome import EXIT_OK, Trouble
from vernis.commands.table import COMMANDS
from vernis.commands.table.connection import BEFORE
from vernis.commands.table.row import options_of_all
from vernis.service.client import DaemonClient, DaemonError

#: Options whose value is a file or a folder have one of these words in their metavar.
_FILES = ("FILE", "DIR", "PATH", ".so")

_ANSWER_S = 1.0  # a person waits for the completion

#: The names in the daemon that the arguments of a command are, as `vernis names` calls them.
NAMES_OF = {
    "use": "policies",
    "show": "policies",
    "discard": "policies",
    "params": "parameters",
    "backends": "backends",
}
#: Options before the command, each with a value.
_BEFORE = (*BEFORE, "--color")
SOURCES: dict[str, Callable[[DaemonClient], list[str]]] = {
    "policies": policy_names,
    "backends": backend_names,
    "parameters": parameter_names,
}


@dataclass(slots=True)
class Option:
    names: tuple[str, ...]
    help: str
    has_value: bool
    values: tuple[str, ...]  # the only ones; empty: any
    is_file: bool

    @property
    def short(self) -> list[str]:
        return [name for name in self.names if not name.startswith("--")]


@dataclass(slots=True)
class Row:
    name: str
    help: str
    options: list[Option]
    words: list[str]  # values of the arguments that are no options

    @property
    def names(self) -> str | None:
        return NAMES_OF.get(self.name)


def names(options: argparse.Namespace) -> int:
    """Prints nothing without a daemon: a message would stand in the middle of the typed line."""
    options.timeout = min(options.timeout, _ANSWER_S)
    try:
        with connect(options) as client:
            print("".join(f"{name}\n" for name in sorted(SOURCES[options.kind](client))), end="")
    except (Trouble, DaemonError, OSError):
        pass
    return EXIT_OK


def completion(options: argparse.Namespace) -> int:
    print("\n".join(SHELLS[options.shell]([_row(name) for name in COMMANDS])))
    return EXIT_OK


def _row(name: str) -> Row:
    parser = argparse.ArgumentParser(prog=f"vernis {name}")
    COMMANDS[name].options(parser)
    options_of_all(parser)
    options: list[Option] = []
    words: list[str] = []
    for action in parser._actions:
        values = tuple(map(str, action.choices or ()))
        if action.option_strings:
            metavar = str(action.metavar or "")
            is_file = any(mark in metavar for mark in _FILES)
            options.append(
                Option(tuple(action.option_strings), str(action.help), action.nargs != 0, values, is_file)
            )
        else:
            words += values
    return Row(name, COMMANDS[name].help, options, words)


# ---- bash --------------------------------------------------------------------------------------------------


def _bash(rows: list[Row]) -> Iterator[str]:
    yield "# Completion of vernis for bash, made by: vernis completion bash"
    yield "_vernis_names() {"
    yield "    local at"
    yield "    local -a where=()"
    yield "    for ((at = 1; at + 1 < COMP_CWORD; at++)); do"
    yield '        [[ ${COMP_WORDS[at]} == -n ]] && where=(-n "${COMP_WORDS[at + 1]}")'
    yield "    done"
    yield '    "${COMP_WORDS[0]}" names "${where[@]}" "$1" 2>/dev/null'
    yield "}"
    yield "_vernis() {"
    yield "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}"
    yield "    local words='' options='' values='' names=''"
    yield "    local at=1"
    yield f"    while [[ ${{COMP_WORDS[at]}} == @({'|'.join(_BEFORE)}) ]] && ((at + 2 <= COMP_CWORD)); do"
    yield "        ((at += 2))"
    yield "    done"
    yield "    case ${COMP_WORDS[at]} in"
    for row in rows:
        names = shlex.quote(" ".join(name for option in row.options for name in option.names))
        more = f" names={row.names}" if row.names else ""
        yield f"    {row.name}) options={names} words={shlex.quote(' '.join(row.words))}{more} ;;"
    yield "    esac"
    yield "    case ${COMP_WORDS[at]}:$previous in"
    for row in rows:
        for option in row.options:
            if option.values:
                labels = " | ".join(f"{row.name}:{name}" for name in option.names)
                yield f"    {labels}) values={shlex.quote(' '.join(option.values))} ;;"
    yield "    esac"
    yield "    if ((COMP_CWORD == at)); then"
    yield f"        values={shlex.quote(' '.join(row.name for row in rows))}"
    yield f"        [[ $current != -* ]] || values={shlex.quote(' '.join(_BEFORE))}"
    yield "    elif ((COMP_CWORD < at)); then"
    yield "        values=''"
    yield "    elif [[ -z $values && $current == -* ]]; then"
    yield "        values=$options"
    yield "    elif [[ -z $values ]]; then"
    yield "        values=$words"
    yield '        [[ -z $names || $previous == -? ]] || values+=" $(_vernis_names "$names")"'
    yield "    fi"
    yield '    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")'
    yield "}"
    yield "complete -o bashdefault -o default -F _vernis vernis"


# ---- zsh ---------------------------------------------------------------------------------------------------


def _zsh(rows: list[Row]) -> Iterator[str]:
    yield "#compdef vernis"
    yield "# Completion of vernis for zsh, made by: vernis completion zsh"
    yield "_vernis_names() {"
    yield "    local -a where"
    yield "    local at=${words[(I)-n]}"
    yield "    where=($before)"
    yield "    ((at)) && where=(-n ${words[at+1]})"
    yield '    compadd -- ${(f)"$(vernis names $where $1 2>/dev/null)"} ${@[2,-1]}'
    yield "}"
    yield "_vernis() {"
    yield "    local -a commands before"
    yield "    while ((CURRENT > 3)) && [[ $words[2] == (" + "|".join(_BEFORE) + ") ]]; do"
    yield "        [[ $words[2] == -n ]] && before=(-n $words[3])"
    yield "        words[2,3]=()"
    yield "        ((CURRENT -= 2))"
    yield "    done"
    yield "    if ((CURRENT == 2)); then"
    yield "        commands=("
    for row in rows:
        yield f"            {_zsh_quoted(row.name)}:{_zsh_quoted(row.help)}"
    yield "        )"
    yield "        _describe command commands"
    yield "        return"
    yield "    fi"
    yield "    local command=$words[2]"
    yield "    shift words"
    yield "    ((CURRENT--))"
    yield "    case $command in"
    for row in rows:
        yield f"    {row.name})"
        yield "        _arguments \\"
        for option in row.options:
            for name in option.names:
                yield f"            {_zsh_option(name, option)} \\"
        words = f":word:({' '.join(row.words)})" if row.words else ":file:_files"
        if row.names:
            words = ":name: " + " ".join(("_vernis_names", row.names, *row.words))
        yield f"            {shlex.quote('*' + words)}"
        yield "        ;;"
    yield "    esac"
    yield "}"
    yield 'if [[ $funcstack[1] == _vernis ]]; then _vernis "$@"; else compdef _vernis vernis; fi'


def _zsh_option(name: str, option: Option) -> str:
    help = option.help
    for mark in "[]:":
        help = help.replace(mark, f"\\{mark}")
    end = ""
    if option.values:
        end = f":value:({' '.join(option.values)})"
    elif option.has_value:
        end = ":file:_files" if option.is_file else ":value:"
    return shlex.quote(f"*{name}[{help}]{end}")


def _zsh_quoted(text: str) -> str:
    return shlex.quote(text.replace(":", "\\:"))


# ---- fish --------------------------------------------------------------------------------------------------


def _fish(rows: list[Row]) -> Iterator[str]:
    yield "# Completion of vernis for fish, made by: vernis completion fish"
    yield "function __vernis_names"
    yield "    set -l words (commandline -opc)"
    yield "    set -l where"
    yield "    if set -l at (contains -i -- -n $words)"
    yield "        set where -n $words[(math $at + 1)]"
    yield "    end"
    yield "    vernis names $where $argv 2>/dev/null"
    yield "end"
    yield "function __vernis_wants_command"
    yield "    set -l words (commandline -opc)[2..]"
    yield f'    while contains -- "$words[1]" {" ".join(_BEFORE)}'
    yield "        set words $words[3..]"
    yield "    end"
    yield "    test (count $words) = 0"
    yield "end"
    for name in _BEFORE:
        kind = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
        yield f"complete -c vernis -n __vernis_wants_command {kind} -r"
    for row in rows:
        help = _fish_quoted(row.help)
        yield f"complete -c vernis -n __vernis_wants_command -f -a {row.name} -d {help}"
    for row in rows:
        here = f"complete -c vernis -n '__fish_seen_subcommand_from {row.name}'"
        if row.names:
            yield f"{here} -f -a '(__vernis_names {row.names})'"
        if row.words:
            yield f"{here} -f -a {_fish_quoted(' '.join(row.words))}"
        for option in row.options:
            yield f"{here} {_fish_option(option)} -d {_fish_quoted(option.help)}"


def _fish_option(option: Option) -> str:
    names = [f"-l {name[2:]}" for name in option.names if name.startswith("--")]
    names += [f"{'-s' if len(name) == 2 else '-o'} {name[1:]}" for name in option.short]
    if option.values:
        names.append(f"-x -a {_fish_quoted(' '.join(option.values))}")
    elif option.has_value:
        names.append("-r" if option.is_file else "-x")
    return " ".join(names)


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS: dict[str, Callable[[list[Row]], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
