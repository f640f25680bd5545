"""FIVE: forms of vcl 5.0 that another form says better."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.pattern import ALL_BYTES, Choice, Group, Sequence, Tree, parsed, shape_of
from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.rules.patterns import UnanchoredHost
from vernis.lint.uses import alphabet_of
from vernis.lint.view import View, bare
from vernis.lint.written import all_of, bodies, declared, is_five, same, text_of
from vernis.record import record
from vernis.semantics.vocabulary import load_vocabulary
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span
from vernis.syntax.walk import nodes_in

_RUST = "https://rust-lang.github.io/rust-clippy/master/index.html"
_CHAIN_MIN = 3  # arms from which a switch is shorter
_TEXTS_MIN = 2


class SwitchWithoutDefault(Rule):
    id = "FIVE010"
    name = "switch-without-default"
    severity = Severity.NOTE
    what = "A switch over the request method has no default."
    why = "Clients send any method. One that no case names goes on as if it had been checked."
    remedy = "add default: { return (pass); }, or default: { } if nothing is to be done"
    source = "https://www.rfc-editor.org/rfc/rfc9110#section-9.1"
    bad = 'sub vcl_recv { switch (req.method) { case "GET": { } case "POST": { return (pass); } } }'
    good = 'sub vcl_recv { switch (req.method) { case "GET": { } default: { return (pass); } } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for one in all_of(view, nodes.Switch):
            if view.variable(one.subject) in ("req.method", "bereq.method"):
                if all(case.labels for case in one.cases):
                    yield finding(view, one.subject, "this switch has no default for other methods")


class LabelsDifferByCase(Rule):
    id = "FIVE011"
    name = "labels-differ-by-case"
    severity = Severity.WARNING
    what = "Two labels of a switch differ only by upper and lower case."
    why = "The next client has another spelling."
    remedy = "switch over the lower() of the value"
    source = "https://www.rfc-editor.org/rfc/rfc9110#section-4.2.3"
    bad = 'sub vcl_recv { switch (req.http.X-A) { case "yes", "Yes": { return (pass); } default: { } } }'
    good = 'sub vcl_recv { switch (req.http.X-A.lower()) { case "yes": { return (pass); } default: { } } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for one in all_of(view, nodes.Switch):
            seen: dict[str, nodes.CaseLabel] = {}
            for case in one.cases:
                for label in case.labels:
                    text = None if label.is_pattern else text_of(label.value)
                    if text is not None and seen.setdefault(text.lower(), label) is not label:
                        yield finding(view, label, f'"{text}" is a label in other letters above')


class ChainIsSwitch(Rule):
    id = "FIVE012"
    name = "chain-is-switch"
    severity = Severity.NOTE
    what = "An if with elseif compares one value with three or more texts."
    why = "A switch looks the value up once, and refuses a text that comes twice."
    remedy = "write a switch; if each arm only sets one thing, a table"
    source = _RUST + "#comparison_chain"
    bad = (
        'sub vcl_recv { if (req.http.X-A == "a") { return (pass); } elseif (req.http.X-A == "b") '
        '{ return (hash); } elseif (req.http.X-A == "c") { return (pipe); } }'
    )
    good = (
        'sub vcl_recv { switch (req.http.X-A) { case "a": { return (pass); } case "b": { return (hash); } '
        'case "c": { return (pipe); } } }'
    )
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for one in all_of(view, nodes.If):
            arms = [arm for arm in one.arms if arm.condition is not None]
            tests = [bare(arm.condition) for arm in arms if arm.condition is not None]
            first = tests[0]
            if len(tests) < _CHAIN_MIN or not isinstance(first, nodes.Compare):
                continue
            if all(_asks(test) and same(test.left, first.left, view) for test in tests):  # type: ignore[union-attr]
                form = "table" if _sets_one_thing(view, arms) else "switch"
                yield finding(view, first, f"a {form} over {view.written(first.left)} says this chain")


def _asks(test: nodes.Expr) -> bool:
    return isinstance(test, nodes.Compare) and test.op == "==" and text_of(test.right) is not None


def _sets_one_thing(view: View, arms: list[nodes.IfArm]) -> bool:
    """Whether each arm only sets the same target to a text."""
    targets = set()
    for arm in arms:
        body = arm.body.statements
        if len(body) != 1 or not isinstance(body[0], nodes.Set) or text_of(body[0].value) is None:
            return False
        targets.add(view.name(body[0].target))
    return len(targets) == 1


class PatternIsSet(Rule):
    id = "FIVE013"
    name = "pattern-is-set"
    severity = Severity.NOTE
    what = "A pattern lists plain texts, with or without anchors."
    why = "in, starts, ends and contains take the texts as they are: no dot or bracket has another meaning."
    remedy = "write the texts in a list, or declare a set"
    source = _RUST
    bad = 'sub vcl_recv { if (req.url ~ "\\.(css|js)$") { unset req.http.Cookie; } }'
    good = 'sub vcl_recv { if (req.url ends [".css", ".js"]) { unset req.http.Cookie; } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for test in _written_tests(view):
            texts = _texts(test.tree)
            if texts is not None and len(texts[1]) >= _TEXTS_MIN:
                op, parts = texts
                listed = ", ".join(f'"{part}"' for part in parts)
                fix = _replaced(view, test, op, f"[{listed}]", parts)
                yield Finding(test.span, f"{op} [{listed}] says this without a pattern", fix=fix)


class PatternIsText(Rule):
    id = "FIVE014"
    name = "pattern-is-text"
    severity = Severity.NOTE
    what = "A pattern is a plain text, with or without anchors."
    why = "starts, ends, contains and == take the text as it is: no dot has another meaning."
    remedy = "write ==, starts, ends or contains"
    source = "https://gixy.io/checks/"
    bad = 'sub vcl_recv { if (req.url ~ "^/api/") { return (pass); } }'
    good = 'sub vcl_recv { if (req.url starts "/api/") { return (pass); } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for test in _written_tests(view):
            shape = shape_of(test.tree)
            if shape is None or not shape.text:
                continue
            op = _OPS[shape.at_start, shape.at_end]
            op = "==" if op == "in" else op
            fix = _replaced(view, test, op, f'"{shape.text}"', [shape.text])
            yield Finding(test.span, f'{op} "{shape.text}" says this without a pattern', fix=fix)


_OPS = {(True, True): "in", (True, False): "starts", (False, True): "ends", (False, False): "contains"}


@record(frozen=True)
class _Test:
    """``left ~ "pattern"`` as the author wrote it. ``span`` is the place of the pattern."""

    node: nodes.Compare
    tree: Tree
    span: Span


def _written_tests(view: View) -> Iterator[_Test]:
    """The tests with a pattern in files of 5.0, of values without line feeds, for which $ is the end."""
    for body in bodies(view) if is_five(view) else ():
        inside = list(nodes_in(body))
        lines = _Lines(view, inside)
        captured = {
            id(one.test) for one in inside if isinstance(one, nodes.Captured)
        }  # only a pattern has groups
        for one in inside:
            if isinstance(one, nodes.Compare) and one.op in ("~", "!~") and id(one) not in captured:
                text = text_of(one.right)
                pattern = None if text is None else parsed(text)
                if pattern is not None and lines.has(one.left):
                    yield _Test(one, pattern.tree, view.span(bare(one.right)))


class _Lines:
    """Tells which values of a body have no line feed: a field, a URL, a part of them (``req.cookie["a"]``),
    and a local that is one of these."""

    def __init__(self, view: View, inside: list[nodes.Stmt | nodes.Expr]) -> None:
        self.view = view
        self.locals: dict[str, bool] = {}  # a name may have several: then it is one if all are
        for one in inside:  # in the order of the text, so a value is known before the locals made of it
            match one:
                case nodes.Let():
                    is_one = not one.mutable and self.has(one.value)
                    self.locals[one.name.text] = self.locals.get(one.name.text, True) and is_one
                case nodes.IfArm() if one.binding is not None:
                    self.locals[one.binding.text] = False
                case nodes.For() | nodes.Captured():
                    self.locals[one.name.text] = False

    def has(self, expr: nodes.Expr) -> bool:
        expr = bare(expr)
        named = bare(expr.receiver) if isinstance(expr, nodes.Index) else expr
        if not isinstance(named, nodes.NameExpr):
            return False
        name = named.name
        if name.text in load_vocabulary().views:
            return True
        if isinstance(expr, nodes.Index):
            return False
        if len(name.parts) == 1:
            return self.locals.get(name.text, False)
        return alphabet_of(self.view.name(name)) != ALL_BYTES


def _texts(tree: Tree) -> tuple[str, list[str]] | None:
    """The operator and the texts of a pattern that is one list of texts, with or without text around it."""
    items = list(tree.items) if isinstance(tree, Sequence) else [tree]
    choices = [index for index, item in enumerate(items) if _choice(item) is not None]
    if len(choices) != 1:
        return None
    choice = _choice(items[choices[0]])
    assert choice is not None
    found = []
    ends: set[tuple[bool, bool]] = set()
    for branch in choice.items:
        inner = list(branch.items) if isinstance(branch, Sequence) else [branch]
        whole = Sequence((*items[: choices[0]], *inner, *items[choices[0] + 1 :]))
        shape = shape_of(whole)
        if shape is None or not shape.text:
            return None
        ends.add((shape.at_start, shape.at_end))
        found.append(shape.text)
    return (_OPS[ends.pop()], list(dict.fromkeys(found))) if len(ends) == 1 else None


def _choice(tree: Tree) -> Choice | None:
    while isinstance(tree, Group):
        tree = tree.item
    return tree if isinstance(tree, Choice) else None


def _replaced(view: View, test: _Test, op: str, right: str, texts: list[str]) -> Fix | None:
    """The test with another operator. Only ``~``: the others have no form with `not` in front of it."""
    left = view.span(test.node.left)
    if test.node.op != "~" or left.file != test.span.file or test.span in view.once(_too_wide):
        return None
    if any('"' in text or not text.isprintable() or not text.isascii() for text in texts):
        return None
    between = view.sources.text(Span(left.file, left.end, test.span.start))
    if between.strip() != "~":
        return None
    edit = Edit(Span(left.file, left.end, test.span.end), f" {op} {right}")
    return Fix(f"write {op}", (edit,), safe=True)


def _too_wide(view: View) -> frozenset[Span]:
    """Patterns that match hosts of others. As plain texts they would, too, and nothing would tell."""
    return frozenset(one.span for one in UnanchoredHost().check(view))


class SetOfOne(Rule):
    id = "FIVE015"
    name = "set-of-one"
    severity = Severity.NOTE
    what = "A list or set of texts has only one text."
    why = "The text alone says the same."
    remedy = "write the text without brackets, and == in place of in"
    source = _RUST
    bad = 'sub vcl_recv { if (req.url in ["/a"]) { return (pass); } }'
    good = 'sub vcl_recv { if (req.url == "/a") { return (pass); } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for test in all_of(view, nodes.Compare):
            right = test.right
            if isinstance(right, nodes.ListExpr) and len(right.items) == 1:
                yield finding(view, right, "this list has one text", fix=_unlisted(view, test, right))


def _unlisted(view: View, test: nodes.Compare, right: nodes.ListExpr) -> Fix | None:
    left, whole = view.span(test.left), view.span(right)
    if view.sources.text(Span(left.file, left.end, whole.start)).strip() != test.op:
        return None
    op = "==" if test.op == "in" else test.op
    edit = Edit(Span(left.file, left.end, whole.end), f" {op} {view.written(right.items[0])}")
    return Fix("leave out the brackets", (edit,), safe=True)


class DefaultBeforeEmpty(Rule):
    id = "FIVE016"
    name = "default-before-empty"
    severity = Severity.NOTE
    what = 'A value gets the default "" and is then compared with an empty text.'
    why = "A reader has to think of the absent value and of the empty one; the tests have names."
    remedy = "write `is set` and `is empty`"
    source = _RUST
    bad = 'sub vcl_recv { if ((req.http.X-A ?? "") == "") { return (pass); } }'
    good = "sub vcl_recv { if (req.http.X-A is not set || req.http.X-A is empty) { return (pass); } }"
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for test in all_of(view, nodes.Compare):
            if test.op in ("==", "!=") and text_of(test.right) == "":
                yield from self._found(view, test, test.left)
        for test_ in all_of(view, nodes.Presence):
            yield from self._found(view, test_, test_.operand)

    def _found(self, view: View, test: nodes.Expr, subject: nodes.Expr) -> Iterator[Finding]:
        subject = bare(subject)
        if isinstance(subject, nodes.Coalesce) and text_of(subject.operands[-1]) == "":
            yield finding(view, test, 'a test of an empty text after ?? ""')


class DefaultOfTable(Rule):
    id = "FIVE017"
    name = "row-is-default"
    severity = Severity.NOTE
    what = "A row of a table has the value of the table's default."
    why = "Without the row each look-up has the same result."
    remedy = "delete the row"
    source = _RUST
    bad = (
        'table site : STRING by exact [ "de" => "eu", "us" => "us", default => "us" ]; '
        "sub vcl_recv { set req.http.X = site[req.url]; }"
    )
    good = (
        'table site : STRING by exact [ "de" => "eu", default => "us" ]; '
        "sub vcl_recv { set req.http.X = site[req.url]; }"
    )
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for table in declared(view, nodes.Table):
            defaults = [view.written(row.value) for row in table.rows if row.key is None]
            if not defaults or table.kind.text != "exact":  # a row of a prefix may be an exception of another
                continue
            for row in table.rows:
                if row.key is not None and view.written(row.value) == defaults[0]:
                    yield finding(view, row, "this row has the value of the default")


class LoopOverOne(Rule):
    id = "FIVE018"
    name = "loop-over-one"
    severity = Severity.NOTE
    what = "A loop has one item."
    why = "The loop only hides the value."
    remedy = "write the body with the value"
    source = _RUST + "#single_element_loop"
    bad = 'sub vcl_recv { for (name in ["/a"]) { if (req.url == name) { return (pass); } } }'
    good = 'sub vcl_recv { if (req.url == "/a") { return (pass); } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for one in all_of(view, nodes.For):
            if isinstance(one.items, nodes.ListExpr) and len(one.items.items) == 1:
                yield finding(view, one.items, "this loop has one item")
