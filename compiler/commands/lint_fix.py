"""`lint --fix` and `lint --diff`: applies fixes in memory until none is left, then writes all files or none.

After each step the policy passes the checker again without a new error or warning: a deleted statement could
have been the last one to use an ACL, which a server refuses. A fix that fails this test is left out.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from vernis.commands.files import replace_files, unified_diff
from vernis.commands.linting import Linted, Linter
from vernis.commands.outcome import Trouble
from vernis.lint.engine import Result
from vernis.lint.fixing import Planned, new_texts, plan
from vernis.pipeline import Compilation
from vernis.record import field, record
from vernis.shown import plain

ROUNDS_MAX = 100  # runs of the rules over all policies; later fixes wait for earlier ones that they overlap

Texts = dict[str, bytes]


@record
class Fixer:
    """``texts`` are the changed files and ``before`` the same files as they were, by real path. ``names`` are
    their names in messages. ``applied`` are the fixes of each step, with the policy that they are for,
    ``refused`` the keys of fixes that break the policy, ``elsewhere`` files that may not be changed."""

    linter: Linter
    files: Sequence[str]
    unsafe: bool
    texts: Texts = field(default_factory=dict)
    before: Texts = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    applied: list[tuple[Linted, list[Planned]]] = field(default_factory=list)
    refused: dict[object, str] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    paths_of: dict[str, set[str]] = field(default_factory=dict)  # real paths of the files of each policy

    def run(self) -> list[Linted]:
        """Applies all fixes in memory. Returns the policies after them. Raises Trouble, UnreadableSource."""
        for _ in range(ROUNDS_MAX):
            linted = [self._lint(file) for file in self.files]
            n_changed = sum(self._step(one) for one in linted)
            if not n_changed:
                return linted
        raise Trouble(
            f"after {ROUNDS_MAX} rounds there are fixes of {', '.join(sorted(self._counts()))} still; "
            "nothing is written; please report it"
        )

    def write(self) -> None:
        """Replaces the changed files. Raises Trouble."""
        for path, before in self.before.items():
            if self._on_disk(path) != before:
                raise Trouble(f"{self.names[path]} changed meanwhile; nothing is written")
        replace_files(self.texts)

    def diff(self) -> Iterator[bytes]:
        for path, after in sorted(self.texts.items()):
            yield from unified_diff(self.names[path], self.before[path], after)

    def tell(self, verb: str) -> None:
        """Reports to stderr the counts, and the fixes that are left out."""
        counts = self._counts()
        n_fixed = counts.total()
        lines = []
        if n_fixed:
            rules = ", ".join(f"{code} {n}" for code, n in sorted(counts.items()))
            lines.append(f"{verb} {n_fixed} finding{'s' * (n_fixed != 1)} ({rules})")
        lines += [
            f"left out a fix of {code}: the checker would refuse the result" for code in self.refused.values()
        ]
        if self.elsewhere:
            names = ", ".join(sorted(self.elsewhere))
            lines.append(f"left out fixes in files outside of the policy's folder: {names}; see --fix-in")
        sys.stdout.flush()
        sys.stderr.write("".join(plain(f"vernis lint: {line}\n") for line in lines))

    def _counts(self) -> Counter[str]:
        return Counter(fix.result.rule.id for _, fixes in self.applied for fix in fixes)

    # ---- one round -----------------------------------------------------------------------------------------

    def _lint(self, file: str) -> Linted:
        one = self.linter.lint(file, self.texts)
        self.paths_of[file] = {os.path.realpath(source.name) for source in one.run.sources.files}
        return one

    def _step(self, one: Linted) -> bool:
        """Applies the fixes of a policy that go together. Returns whether there were any."""
        if any(path in self.paths_of[one.file] for path in self._stale(one)):
            return True  # another policy has changed an include of this one: look again in the next round
        if not one.results:
            return False
        names = {os.path.realpath(source.name): source.name for source in one.run.sources.files}
        results = [result for result in one.results if self._key(one, result) not in self.refused]
        made = plan(results, one.run.sources, self._may_write(one.file), self.unsafe)
        self.elsewhere |= {names[path] for path in made.elsewhere}
        self.names = names | self.names
        return self._apply(one, made.fixes)

    def _stale(self, one: Linted) -> Iterator[str]:
        """Files of a policy that have changed since it was read."""
        for source in one.run.sources.files:
            path = os.path.realpath(source.name)
            if path in self.texts and self.texts[path] != source.data:
                yield path

    def _apply(self, one: Linted, fixes: list[Planned]) -> bool:
        """Applies the fixes, or a first part of them that leaves a sound policy. The next round goes on."""
        if not fixes:
            return False
        data = {os.path.realpath(source.name): source.data for source in one.run.sources.files}
        changed = new_texts(fixes, lambda path: data[path])
        if self._is_sound(changed):
            for path, text in changed.items():
                self.before.setdefault(path, data[path])
                self.texts[path] = text
            self.applied.append((one, fixes))
            return True
        if len(fixes) == 1:
            result = fixes[0].result
            self.refused[self._key(one, result)] = result.rule.id
            return True  # the next round goes on without it
        half = len(fixes) // 2
        return self._apply(one, fixes[:half])

    def _is_sound(self, changed: Texts) -> bool:
        """Whether the checker finds nothing new in the policies that have one of the files."""
        after = self.texts | changed
        return all(
            _findings(self.linter.checked(file, after)) <= _findings(self.linter.checked(file, self.texts))
            for file in self.files
            if not self.paths_of[file].isdisjoint(changed)
        )

    def _may_write(self, file: str) -> Callable[[str], bool]:
        named = {os.path.realpath(name) for name in self.files}
        folders = [
            os.path.dirname(os.path.realpath(file)),
            *map(os.path.realpath, self.linter.options.fix_in),
        ]

        def may_write(path: str) -> bool:
            return path in named or any(os.path.commonpath([path, folder]) == folder for folder in folders)

        return may_write

    def _key(self, one: Linted, result: Result) -> object:
        """A fix of the same rule at the same text is the same fix, also if its line has moved."""
        span = result.finding.span
        source = one.run.sources.files[span.file]
        line = source.line_bytes(source.line_of(span.start)).strip()
        return os.path.realpath(source.name), result.rule.id, result.finding.message, line

    def _on_disk(self, path: str) -> bytes:
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError as error:
            raise Trouble(f"cannot read {self.names[path]}: {error.strerror}") from None


def _findings(run: Compilation) -> Counter[tuple[str, str]]:
    return Counter((item.code, item.message) for item in run.diagnostics.items)
