"""Replaces tests of texts by look-ups in pattern sets, so that many rules cost what one rule costs.

A *test* is a block that ends with ``if (subject ~ "pattern")`` or ``if (subject == "text")``; subjects.py has
the kinds of subjects. Tests form a *chain* if each one goes on at the next one when it fails: independent
ifs, if/elseif, the cases of a switch, and the first operands of ``&&``. The runtime matches the patterns of a
subject at once and keeps the result for this value of the subject, so a chain becomes one block, the
dispatch: it gets the subjects, asks for the next test that succeeds, and switches to the body of this test. A
slot holds the test to start from. A body that reaches test i + 1 stores i + 1 and jumps to the dispatch. The
dispatch gets the subjects again, so a body may change them. The block of the first test does as the dispatch
does itself, so that a run without a match needs neither the slot nor a jump. Simple bodies are rows
(rows.py), which the runtime executes while it looks for the next test.

A pattern that is tried outside of a chain is looked up in the set of its subject, if that set exists.

It makes loops, so few passes can follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from vernis.ir import ir
from vernis.ir.facts import Facts, all_facts, blocks_with, constants, facts_of, ops_of, use_counts
from vernis.ir.flow import defined, immediate_dominators, pruned
from vernis.ir.ir import Type
from vernis.ir.passes.rows import RowMaker
from vernis.ir.passes.subjects import Source, Subject, get_again, is_local, is_view, source_at, subject_of
from vernis.ir.plain import plain_pattern

#: A chain or a set must save this much work: 4 calls of PCRE2, 16 comparisons with a whole text, or 24 with
#: the begin or the end of one. Measured with callgrind and a URL of 22 bytes: a call takes 550 instructions,
#: a comparison 27 to 59, the look-up of a whole text 400, a scan for 16 prefixes that all fail 600. A set
#: that is scanned for the first time takes longer, so two calls are not enough.
WORK_MIN = 48
REGEX_WORK, EQUAL_WORK, PLAIN_WORK = 12, 3, 2
#: Texts of one test that are one more unit of work: a comparison that fails takes 8 instructions.
TEXTS_OF_WORK = 4
#: The part of it that each subject of a chain takes, because it has a look-up of its own.
SUBJECT_WORK = 6
#: Subjects of one chain: the dispatch gets all of them each time. The runtime's CHAIN_SUBJECTS_MAX.
SUBJECTS_MAX = 8
#: Patterns of one set, and tests of one chain: the runtime's PATTERN_SET_MAX.
SET_MAX = 65536

#: A set: the first hook that can run its tests, or the function that the subject belongs to; the subject; and
#: a number, since a set may be full.
SetKey = tuple[str, Subject, int]


@dataclass(slots=True)
class _Test:
    """The test at the end of a block. ``ops`` are its ops in the block. ``yes`` and ``no`` are the targets.
    ``made`` are the values that the ops define. ``whole``: the block contains nothing else but marks of
    statements."""

    source: Source
    pattern: ir.Pattern
    ops: tuple[ir.Op, ...]
    made: tuple[ir.Value, ...]
    yes: ir.BlockId
    no: ir.BlockId
    whole: bool
    site: int
    work: int


@dataclass(slots=True)
class _Chain:
    """``blocks`` are the blocks of the tests, in order."""

    blocks: list[ir.BlockId]
    tests: list[_Test]


@dataclass(slots=True)
class _Lone:
    """A match outside of chains."""

    subject: Subject
    op: ir.Match


@dataclass(slots=True)
class _Found:
    """The matches of one function. ``lone`` are those outside of chains, with their subjects."""

    name: str
    root: str
    chains: list[_Chain]
    lone: list[_Lone]

    def owner(self, subject: Subject) -> str:
        """The first part of the key of the subject's sets."""
        return self.name if is_local(subject) else self.root


@dataclass(slots=True)
class _Sets:
    """Patterns by set. A pattern has a place in its set; ``first`` of the set is known when all sets are
    full."""

    patterns: dict[SetKey, list[ir.Pattern]] = field(default_factory=dict)
    work: Counter[SetKey] = field(default_factory=Counter)

    def key(self, root: str, subject: Subject, room: int) -> SetKey:
        """The first set of the subject that has room for so many patterns."""
        key = root, subject, 0
        while len(self.patterns.get(key, ())) + room > SET_MAX:
            key = root, subject, key[2] + 1
        return key

    def layout(self) -> tuple[list[ir.Pattern], dict[SetKey, tuple[int, ir.PatternSet]]]:
        """All patterns, and number and range of each set."""
        patterns: list[ir.Pattern] = []
        sets: dict[SetKey, tuple[int, ir.PatternSet]] = {}
        for key, members in self.patterns.items():
            sets[key] = len(sets), ir.PatternSet(len(patterns), len(members))
            patterns += members
        return patterns, sets


def use_pattern_sets(module: ir.Module) -> ir.Module:
    roots = _roots(module)
    found = {name: _search(module, function, roots[name]) for name, function in module.functions.items()}
    sets = _Sets()
    places = {name: [_enter(sets, of, chain) for chain in of.chains] for name, of in found.items()}
    lone = _enter_lone(sets, found.values())
    if not sets.patterns:
        return module
    patterns, numbers = sets.layout()
    result = replace(
        module,
        functions=dict(module.functions),
        patterns=patterns,
        pattern_sets=[s for _, s in numbers.values()],
    )
    result.chains = []
    for name, of in found.items():
        function = module.functions[name]
        if of.chains:
            function = _with_dispatches(result, function, of, places[name], numbers)
        tests = {
            id(alone.op): (of.owner(alone.subject), alone.subject, 0)
            for alone in of.lone
            if id(alone.op) in lone
        }
        result.functions[name] = _with_look_ups(function, tests, lone, numbers)
    return result


def _roots(module: ir.Module) -> dict[str, str]:
    """The first hook that reaches each function, so that a sub shares the sets of its hook."""
    roots: dict[str, str] = {}
    for hook in [hook for hook in ir.HOOKS if hook in module.functions] + list(module.functions):
        stack = [hook]
        while stack:
            name = stack.pop()
            if name not in roots:
                roots[name] = hook
                stack += [op.sub for op in ops_of(module.functions[name], ir.CallSub)]
    return roots


# ---- tests -------------------------------------------------------------------------------------------------


def _search(module: ir.Module, function: ir.Function, root: str) -> _Found:
    matches: list[ir.Match | ir.CompareOp] = ops_of(function, ir.Match, ir.CompareOp)
    chains = _chains(function, _tests(module, function)) if len(matches) * REGEX_WORK >= WORK_MIN else []
    return _Found(function.name, root, chains, _lone(module, function, chains, matches))


def _tests(module: ir.Module, function: ir.Function) -> dict[ir.BlockId, _Test]:
    used = use_counts(function)
    texts = {op.dst: op for op in constants(function) if op.type is Type.STRING and op.value is not None}
    tests: dict[ir.BlockId, _Test] = {}
    for number, block in blocks_with(function, ir.Match, ir.CompareOp):
        facts = facts_of(block)
        test = _known_test(module, facts, used)
        if test is None:
            test = _test(module, function, block.ops, used, texts)
            if test is not None and test.pattern.regex is not None:
                facts.test = module.regexes[test.pattern.regex], test
        if test is not None:
            tests[number] = test
    return tests


def _known_test(module: ir.Module, facts: Facts, used: Counter[ir.Value]) -> _Test | None:
    """The test of a pattern that an earlier compile has found in the block."""
    if facts.test is None:
        return None
    text, test = facts.test
    assert isinstance(test, _Test) and test.pattern.regex is not None
    for value in test.made:
        if used[value] != 1:
            return None
    regex, regexes = test.pattern.regex, module.regexes
    return test if regex < len(regexes) and regexes[regex] == text else None


def _test(
    module: ir.Module,
    function: ir.Function,
    ops: list[ir.Op],
    used: Counter[ir.Value],
    texts: dict[ir.Value, ir.Const],
) -> _Test | None:
    if len(ops) < 2:
        return None
    branch, test = ops[-1], ops[-2]
    if not isinstance(branch, ir.Branch) or used[branch.cond] != 1 or defined(test) != branch.cond:
        return None
    yes, no = branch.then, branch.other
    text: ir.Const | None = None
    match test:
        case ir.Match():
            value, pattern = test.subject, ir.Pattern(test.regex)
            work = _work_of(module, test)
        case ir.CompareOp() if test.op in ("==", "!=") and function.types[test.a] is Type.STRING:
            value, constant = (test.b, test.a) if test.a in texts else (test.a, test.b)
            text = texts.get(constant)
            if text is None or used[constant] != 1:
                return None
            assert isinstance(text.value, bytes)
            pattern, work = ir.Pattern(None, text.value), EQUAL_WORK
            yes, no = (yes, no) if test.op == "==" else (no, yes)
        case _:
            return None
    end = len(ops) - 2
    while text is not None and end > 0 and ops[end - 1] is text:
        end -= 1
    source = source_at(ops, end, value, used)
    others = ops[: end - len(source.ops)]
    whole = all(isinstance(op, ir.SiteMark) or op is text for op in others)
    mine = (*source.ops, *((text,) if text is not None else ()), test, branch)
    made = tuple([dst for op in mine if (dst := defined(op)) is not None])
    return _Test(source, pattern, mine, made, yes, no, whole, test.site, work)


def _work_of(module: ir.Module, op: ir.Match) -> int:
    plain = plain_pattern(module.regexes[op.regex])
    return REGEX_WORK if plain is None else min(PLAIN_WORK + plain.count // TEXTS_OF_WORK, REGEX_WORK - 1)


# ---- chains ------------------------------------------------------------------------------------------------


def _chains(function: ir.Function, tests: dict[ir.BlockId, _Test]) -> list[_Chain]:
    """The chains that are worth a dispatch. A test that several tests lead to belongs to the first one, which
    is the outermost."""
    if sum(test.work for test in tests.values()) < WORK_MIN:
        return []
    dominators = immediate_dominators(function) if _has_crossing_values(function) else None
    taken: set[ir.BlockId] = set()
    chains: list[_Chain] = []
    for number in tests:
        if number in taken:
            continue
        blocks = _follow(number, tests, taken, dominators)
        taken.update(blocks)
        if _pays([tests[block] for block in blocks]):
            chains.append(_Chain(blocks, [tests[block] for block in blocks]))
    return chains


def _pays(tests: list[_Test]) -> bool:
    work: Counter[Subject] = Counter()
    for test in tests:
        work[test.source.subject] += test.work
    return sum(max(0, of_subject - SUBJECT_WORK) for of_subject in work.values()) >= WORK_MIN - SUBJECT_WORK


def _follow(
    number: ir.BlockId,
    tests: dict[ir.BlockId, _Test],
    taken: set[ir.BlockId],
    dominators: dict[int, int] | None,
) -> list[ir.BlockId]:
    """The tests from this one on. With values that cross blocks, each must be dominated by the first, so that
    a value from before the chain still dominates the bodies."""
    blocks = [number]
    members = {number}
    subjects = {tests[number].source.subject}
    while (number := tests[number].no) in tests and tests[number].whole:
        if number in taken or number in members or len(blocks) == SET_MAX:
            break
        subjects.add(tests[number].source.subject)
        if len(subjects) > SUBJECTS_MAX or dominators is not None and dominators.get(number) not in members:
            break
        blocks.append(number)
        members.add(number)
    return blocks


def _has_crossing_values(function: ir.Function) -> bool:
    """Whether a block uses a value of another block. Actions do not count: only the branch behind the call of
    a sub leads to the block that returns its action."""
    types = function.types
    return any(types[value] is not Type.ACTION for facts in all_facts(function) for value in facts.foreign)


def _lone(
    module: ir.Module, function: ir.Function, chains: list[_Chain], matches: list[ir.Match | ir.CompareOp]
) -> list[_Lone]:
    """The matches outside of chains that call PCRE2."""
    taken = {id(test.ops[-2]) for chain in chains for test in chain.tests}
    wanted = [
        op
        for op in matches
        if isinstance(op, ir.Match) and id(op) not in taken and _work_of(module, op) == REGEX_WORK
    ]
    if not wanted:
        return []
    makers = _makers(function, {op.subject for op in wanted})
    return [_Lone(subject_of(op.subject, makers), op) for op in wanted]


def _makers(function: ir.Function, wanted: set[ir.Value]) -> dict[ir.Value, ir.Op]:
    """The ops that make the values, and those that make the arguments of views among them."""
    makers: dict[ir.Value, ir.Op] = {}
    while wanted:
        found = {
            dst: op
            for block in function.blocks
            if not wanted.isdisjoint(facts_of(block).defined)
            for op in block.ops
            if (dst := defined(op)) in wanted and dst is not None
        }
        makers |= found
        views = [op for op in found.values() if isinstance(op, ir.Call) and is_view(op.extern)]
        wanted = {value for view in views for value in view.args} - makers.keys()
    return makers


# ---- sets --------------------------------------------------------------------------------------------------

#: The tests of one subject of a chain: its set, the place of its first pattern in the set, and the tests.
Place = tuple[SetKey, int, tuple[int, ...]]


def _enter(sets: _Sets, of: _Found, chain: _Chain) -> list[Place]:
    """Adds the patterns of a chain to the sets. The patterns of one subject stay together and in order."""
    by_subject: dict[Subject, list[int]] = {}
    for number, test in enumerate(chain.tests):
        by_subject.setdefault(test.source.subject, []).append(number)
    places: list[Place] = []
    for subject, numbers in by_subject.items():
        key = sets.key(of.owner(subject), subject, len(numbers))
        members = sets.patterns.setdefault(key, [])
        places.append((key, len(members), tuple(numbers)))
        members += [chain.tests[number].pattern for number in numbers]
        sets.work[key] += sum(chain.tests[number].work for number in numbers)
    return places


def _enter_lone(sets: _Sets, found: Iterable[_Found]) -> dict[int, int]:
    """Adds the patterns outside of chains, where a set is worth it. The result maps the id of each such op to
    the place of its pattern in the set."""
    by_set: dict[SetKey, list[_Lone]] = {}
    for of in found:
        for alone in of.lone:
            by_set.setdefault((of.owner(alone.subject), alone.subject, 0), []).append(alone)
    places: dict[int, int] = {}
    for key, all_of_set in by_set.items():
        if sets.work[key] + REGEX_WORK * len(all_of_set) < WORK_MIN:
            continue
        members = sets.patterns.setdefault(key, [])
        known = {pattern: place for place, pattern in reversed(list(enumerate(members)))}
        for alone in all_of_set:
            pattern = ir.Pattern(alone.op.regex)
            if pattern not in known:
                if len(members) == SET_MAX:
                    continue
                known[pattern] = len(members)
                members.append(pattern)
            places[id(alone.op)] = known[pattern]
    return places


# ---- code --------------------------------------------------------------------------------------------------


def _with_dispatches(
    module: ir.Module,
    function: ir.Function,
    found: _Found,
    places: list[list[Place]],
    sets: dict[SetKey, tuple[int, ir.PatternSet]],
) -> ir.Function:
    """All chains of a function share one slot: it is stored just before each jump to a dispatch, and only the
    dispatch loads it."""
    blocks = list(function.blocks)
    result = ir.Function(function.name, list(function.types), [*function.slots, Type.INT], blocks)
    slot, rows = len(function.slots), RowMaker(result)
    for chain, of_chain in zip(found.chains, places, strict=True):
        number, end = len(module.chains), chain.tests[-1].no
        ways = {block: start for start, block in enumerate(chain.blocks[1:], 1)} | {end: len(chain.tests)}
        bodies, exits = rows.bodies(
            [(test.yes, test.site) for test in chain.tests], ways, [key[1] for key, _, _ in of_chain]
        )
        module.chains.append(
            ir.Chain(
                tuple(
                    ir.ChainSubject(sets[key][0], sets[key][1].first + place, tests)
                    for key, place, tests in of_chain
                ),
                tuple(test.site for test in chain.tests),
                bodies,
                len(exits),
            )
        )
        firsts = [tests[0] for _, _, tests in of_chain]
        out = ir.Switch(0, tuple(exits), end, chain.tests[0].site)
        blocks[chain.blocks[0]] = _head(result, blocks[chain.blocks[0]], chain, number, firsts, out)
        dispatch = len(blocks)
        blocks.append(_dispatch(result, chain, number, slot, firsts, out))
        for start, (block, test) in enumerate(zip(chain.blocks[1:], chain.tests[1:], strict=True), 1):
            blocks[block] = _entry(result, blocks[block], test, start, slot, dispatch)
    return pruned(result, last=True)


def _entry(
    function: ir.Function, block: ir.Block, test: _Test, start: int, slot: int, dispatch: ir.BlockId
) -> ir.Block:
    """The block of a test behind the first, without the test: the dispatch starts from it. The block is that
    of the last compile if its inputs are."""
    value = _new(function, Type.INT)
    facts, inputs = facts_of(block), (value, start, slot, dispatch)
    if facts.derived is None or facts.derived[0] != inputs:
        ops: list[ir.Op] = [
            ir.Const(value, Type.INT, start, test.site),
            ir.Store(slot, value, test.site),
            ir.Jump(dispatch, test.site),
        ]
        facts.derived = inputs, ir.Block(ops)
    return facts.derived[1]


def _head(
    function: ir.Function, block: ir.Block, chain: _Chain, number: int, firsts: list[int], out: ir.Switch
) -> ir.Block:
    """The block of the first test, with the dispatch from there in place of the test."""
    first = chain.tests[0]
    mine = {id(op) for op in first.ops}
    start = _new(function, Type.INT)
    kept = [op for op in block.ops if id(op) not in mine]
    zero = ir.Const(start, Type.INT, 0, first.site)
    return ir.Block([*kept, zero, *_next_of(function, chain, number, start, firsts, out)])


def _dispatch(
    function: ir.Function, chain: _Chain, number: int, slot: int, firsts: list[int], out: ir.Switch
) -> ir.Block:
    start = _new(function, Type.INT)
    load = ir.Load(start, slot, chain.tests[0].site)
    return ir.Block([load, *_next_of(function, chain, number, start, firsts, out)])


def _next_of(
    function: ir.Function, chain: _Chain, number: int, start: ir.Value, firsts: list[int], out: ir.Switch
) -> list[ir.Op]:
    """Goes on where the chain leads from test ``start`` on. ``firsts`` has a test of each subject, ``out``
    the targets of the exits."""
    site, found = chain.tests[0].site, _new(function, Type.INT)
    ops: list[ir.Op] = []
    subjects: list[ir.Value] = []
    for first in firsts:
        got, value = get_again(function, chain.tests[first].source)
        ops += got
        subjects.append(value)
    ops.append(ir.NextMatch(found, number, start, tuple(subjects), site))
    ops.append(ir.Switch(found, out.targets, out.other, site) if out.targets else ir.Jump(out.other, site))
    return ops


def _new(function: ir.Function, type: Type) -> ir.Value:
    function.types.append(type)
    return len(function.types) - 1


def _with_look_ups(
    function: ir.Function,
    tests: dict[int, SetKey],
    places: dict[int, int],
    sets: dict[SetKey, tuple[int, ir.PatternSet]],
) -> ir.Function:
    """Turns matches, given by their ids, into look-ups in their sets."""
    if not tests:
        return function

    def rewritten(op: ir.Op) -> ir.Op:
        if not isinstance(op, ir.Match) or id(op) not in tests:
            return op
        number, found = sets[tests[id(op)]]
        return ir.PatternTest(op.dst, number, found.first + places[id(op)], op.subject, op.site)

    blocks = list(function.blocks)
    for place, block in blocks_with(function, ir.Match):
        blocks[place] = ir.Block([rewritten(op) for op in block.ops])
    return ir.Function(function.name, function.types, function.slots, blocks)
