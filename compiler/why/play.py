"""Plays an inquiry: compiles its policy so that it tells its steps, and sends its requests in a world of
runtime/trial."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path

from vernis import pipeline
from vernis.observe.tags import NUMBERS
from vernis.pipeline import Compilation
from vernis.record import record, replace
from vernis.trial.facts import Facts, text_of
from vernis.trial.world import Answer, Host, Response, World
from vernis.why.inquiry import Inquiry, Sent
from vernis.why.story import Story, Teller


_PURGE_OPTIONS = re.compile("(-[js] )*")
# The log has the words of a command with blanks between them, so a field begins at a name with a colon.
_FIELD_BEGIN = re.compile(r" (?=[!#$%&'*+.^_`|~0-9A-Za-z-]+: )")


class PolicyTrouble(Exception):
    """The policy does not compile. ``run`` has the findings."""

    def __init__(self, run: Compilation) -> None:
        super().__init__(f"{run.path} does not compile")
        self.run = run


class ForeignCode(Exception):
    """The policy has a module outside the directories of modules. Its code would run here."""


@record(frozen=True)
class Played:
    """One request of an inquiry: what was sent, when, and what came of it. ``at_s`` counts from the first
    request."""

    sent: Sent
    at_s: float
    response: Response
    facts: Facts
    stories: list[Story]

    @property
    def legs(self) -> list[Story]:
        """The request and its restarts."""
        return [story for story in self.stories if story.kind in ("request", "restart")]

    @property
    def last(self) -> Story:
        return self.legs[-1]

    @property
    def fetches(self) -> list[Story]:
        return [story for story in self.stories if story.kind in ("fetch", "retry", "background fetch")]

    @property
    def fetch(self) -> Story | None:
        """The last try of the fetch for which the client waited; else that of a background fetch."""
        waited = [story for story in self.fetches if story.kind != "background fetch"]
        found = waited or self.fetches
        return found[-1] if found else None

    @property
    def key(self) -> list[str]:
        return self.last.texts("Hash")


class Policy:
    """The compiled policy of an inquiry."""

    def __init__(self, run: Compilation) -> None:
        assert run.module is not None and run.image is not None
        self.run, self.image, self.teller = run, run.image, Teller(run.module, run.told)


def compiled(inquiry: Inquiry, image: Path) -> Policy:
    """PolicyTrouble; ForeignCode; pipeline.UnreadableSource: the file cannot be read."""
    run = Compilation(
        Path(inquiry.path).stem or "policy",
        inquiry.path,
        text=inquiry.text,
        options=replace(inquiry.options, rule_counters=False),
        image=image,
        changed=inquiry.changed,
    )
    pipeline.run_stages(run, pipeline.TELLING)
    if run.failed:
        raise PolicyTrouble(run)
    _refuse_foreign(run)
    return Policy(run)


def _refuse_foreign(run: Compilation) -> None:
    """A policy under inspection chooses no code that runs here: a module must be in a directory that the user
    or the administrator has named."""
    assert run.checked is not None
    folders = {os.path.realpath(folder) for folder in run.options.vmod_path}
    for module in run.checked.modules:
        folder = os.path.dirname(os.path.realpath(module.library))
        if folder not in folders:
            raise ForeignCode(
                f"{run.path} imports module {module.name} from {module.library}. vernis why runs only "
                "modules of the module directories, so what this policy does is not known; if you trust the "
                f"module, add --vmod-path {folder}"
            )


def play(host: Host, policy: Policy, inquiry: Inquiry) -> list[Played]:
    """Sends the requests to an empty cache. WorldError: one is malformed or stuck."""
    found: list[Played] = []
    with host.world(policy.image, now=inquiry.began) as world:
        began, commands = world.now(), _Commands(world, policy)
        for sent in inquiry.exchanges:
            world.advance(sent.wait_s)
            for command in sent.commands:
                commands.run(command)
            world.retire_answers()
            for a in sent.answers_before:
                world.answer(Answer(head=a.head(), body=a.body, fails=a.fails, times=1))
            a = sent.answer
            world.answer(Answer(head=a.head(), body=a.body, fails=a.fails))
            world.set_client(sent.client.encode())
            at = world.now() - began
            response = world.request(sent.head(), sent.body)
            records = list(world.records())
            facts = Facts(response, records, world.asked())
            found.append(Played(sent, at, response, facts, policy.teller.stories(records)))
    return found


class _Commands:
    """Runs commands of PLAYED_COMMANDS (observed.py), as the log has them. A backend has the health that a
    command set, or else that of its probe."""

    def __init__(self, world: World, policy: Policy) -> None:
        self.world = world
        checked = policy.run.checked
        self.backends = [] if checked is None else [one.name for one in checked.backends]
        self.set: dict[str, str] = {}
        self.probed: dict[str, str] = {}

    def run(self, command: str) -> None:
        name, _, words = command.partition(" ")
        if name == "ban":
            self.world.ban(words.encode("latin-1"))
        elif name in ("backend.set_health", "backend_health"):
            self._health(self.set if name == "backend.set_health" else self.probed, *words.split(" "))
        else:
            self._purge(name, words)

    def _health(self, known: dict[str, str], pattern: str, state: str) -> None:
        for name in self.backends:
            if fnmatchcase(name, pattern):
                known[name] = state
                own = self.set.get(name, "auto")
                now = self.probed.get(name, "healthy") if own == "auto" else own
                self.world.set_health(name.encode(), now == "healthy")

    def _purge(self, name: str, words: str) -> None:
        found = _PURGE_OPTIONS.match(words)
        assert found is not None
        is_soft, words = "-s" in found[0], words[found.end() :]
        if name == "purge":
            client, method, url, *fields = [*words.split(" ", 3), "", ""][:4]
            lines = _FIELD_BEGIN.split(fields[0]) if fields[0] else []
            self.world.set_client(client.encode())
            head = "\r\n".join((f"{method} {url} HTTP/1.1", *lines, "", ""))
            self.world.purge_key(head.encode("latin-1"), is_soft)  # a request without a key purges nothing
            return
        self.world.purge(words.encode("latin-1") if name == "purge_key" else None, is_soft)


def is_fresh_hit(played: Played) -> bool:
    """Whether the response came from the cache and was fresh."""
    run = played.last.run_of("vcl_hit")
    left = hit_left_s(played)
    return run is not None and run.action == "deliver" and left is not None and left > 0


def hit_left_s(played: Played) -> float | None:
    """Seconds until the object of a hit becomes stale; negative if it was stale. None without a hit."""
    texts = [text_of(one.text) for one in played.last.records if one.tag == NUMBERS["Hit"]]
    return float(texts[-1].split()[1]) if texts else None
