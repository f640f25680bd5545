"""FIVE: names of vcl 5.0 that are not used, or that are wider than their use."""

from __future__ import annotations

from collections.abc import Iterator

from vernis.lint.rule import Finding, Fix, Rule, finding
from vernis.lint.view import View
from vernis.lint.written import all_of, bodies, declared, field_name, reads
from vernis.syntax import nodes
from vernis.syntax.diagnostics import Edit, Severity, Span
from vernis.syntax.walk import nodes_in

_LANGUAGE = "https://openpolicyagent.org/projects/regal/rules/bugs/unused-output-variable"


class UnusedLocal(Rule):
    id = "FIVE001"
    name = "unused-local"
    severity = Severity.WARNING
    what = "No statement reads a local."
    why = "Often another name was meant."
    remedy = "delete the `let`, or use the local"
    source = _LANGUAGE
    bad = 'sub vcl_recv { let path = req.url; if (req.url == "/") { return (pass); } }'
    good = 'sub vcl_recv { let path = req.url; if (path == "/") { return (pass); } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for block in all_of(view, nodes.Block):
            for index, one in enumerate(block.statements):
                if isinstance(one, nodes.Let) and not reads(one.name.text, block.statements[index + 1 :]):
                    yield finding(view, one.name, f"nothing reads {one.name.text}")


class NeedlessMut(Rule):
    id = "FIVE002"
    name = "needless-mut"
    severity = Severity.NOTE
    what = "A local is declared with mut, and no statement sets it again."
    why = "Without mut a reader knows that the value stays, and a test tells about it until the block ends."
    remedy = "leave out mut"
    source = "https://doc.rust-lang.org/rustc/lints/listing/warn-by-default.html#unused-mut"
    bad = 'sub vcl_recv { let mut path = req.url; if (path == "/") { return (pass); } }'
    good = 'sub vcl_recv { let mut n = 0; if (req.url == "/") { set n = 1; } if (n == 1) { return (pass); } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for block in all_of(view, nodes.Block):
            for index, one in enumerate(block.statements):
                if not isinstance(one, nodes.Let) or not one.mutable:
                    continue
                rest = nodes_in(block.statements[index + 1 :])
                if not any(isinstance(s, nodes.Set) and s.target.text == one.name.text for s in rest):
                    yield finding(
                        view, one.name, f"{one.name.text} never changes", fix=_without_mut(view, one)
                    )


def _without_mut(view: View, let: nodes.Let) -> Fix:
    name, start = view.span(let.name), view.span(let)
    return Fix("leave out mut", (Edit(Span(name.file, start.start, name.start), "let "),), safe=True)


class UnusedParameter(Rule):
    id = "FIVE003"
    name = "unused-parameter"
    severity = Severity.WARNING
    what = "A function or sub does not read one of its parameters."
    why = "Each caller computes a value that changes nothing."
    remedy = "delete the parameter and the arguments for it"
    source = _LANGUAGE
    bad = (
        "fn site(host : STRING, path : STRING) -> STRING { return (host.lower()); } "
        'sub vcl_recv { set req.http.X = site(req.http.host ?? "", req.url); }'
    )
    good = (
        "fn site(host : STRING) -> STRING { return (host.lower()); } "
        'sub vcl_recv { set req.http.X = site(req.http.host ?? ""); }'
    )
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for one in bodies(view):
            for param in one.params or ():
                if not reads(param.name.text, one.body):
                    yield finding(view, param, f"nothing reads {param.name.text}")


class UnusedMatch(Rule):
    id = "FIVE004"
    name = "unused-match"
    severity = Severity.NOTE
    what = "A match has a name, and no expression uses its groups."
    why = "The name tells a reader to look for a use."
    remedy = "leave out `as`"
    source = _LANGUAGE
    bad = 'sub vcl_recv { if (req.url ~ "^/(api|admin)/" as m) { return (pass); } }'
    good = 'sub vcl_recv { if (req.url ~ "^/(api|admin)/" as m) { set req.http.X-Part = m[1]; } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for sub in bodies(view):
            for one in nodes_in(sub.body):
                if isinstance(one, nodes.Captured) and not reads(one.name.text, sub.body):
                    name, test = view.span(one.name), view.span(one.test)
                    edit = Edit(Span(test.file, test.end, name.end), "")
                    fix = Fix("leave out as", (edit,), safe=True)
                    yield finding(view, one.name, f"nothing uses {one.name.text}", fix=fix)


class HeaderAsVariable(Rule):
    id = "FIVE005"
    name = "header-as-variable"
    severity = Severity.NOTE
    what = "A sub sets a header field, reads it, and unsets it; no other sub uses the field."
    why = "Clients and origins neither see nor send a local, and it takes no room in the request."
    remedy = "use `let` or `let mut`"
    source = "https://www.varnish.org/docs/reference/vcl-var/"
    bad = (
        'sub vcl_recv { set req.http.X-Tmp = req.url; if (req.http.X-Tmp ~ "^/a") { set req.url = "/a"; } '
        "unset req.http.X-Tmp; }"
    )
    good = 'sub vcl_recv { let tmp = req.url; if (tmp ~ "^/a") { set req.url = "/a"; } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        where: dict[str, set[nodes.Sub]] = {}
        first: dict[str, nodes.Set] = {}
        unset: set[str] = set()
        read: set[str] = set()
        for sub in declared(view, nodes.Sub):
            for one in nodes_in(sub.body):
                if isinstance(one, nodes.Name) and (name := field_name(one)):
                    where.setdefault(name.partition(".http.")[2], set()).add(sub)
                if isinstance(one, nodes.Set) and (name := field_name(one.target)):
                    first.setdefault(name, one)
                elif isinstance(one, nodes.Unset) and (name := field_name(one.target)):
                    unset.add(name)
                elif isinstance(one, nodes.NameExpr) and (name := field_name(one.name)):
                    read.add(name)
        for name, at_set in first.items():
            field = name.partition(".http.")[2]
            if name in unset and name in read and len(where[field]) == 1 and field.startswith("x-"):
                yield finding(view, at_set.target, f"{at_set.target.text} is a variable of this sub alone")


class BindWhatIsTested(Rule):
    id = "FIVE006"
    name = "bind-what-is-tested"
    severity = Severity.NOTE
    what = "A block that runs if a value is set begins with a let of the same value."
    why = "`if (let x = value)` says both, and reads the value once."
    remedy = "write if (let name = value)"
    source = "https://rust-lang.github.io/rust-clippy/master/index.html#unnecessary_unwrap"
    bad = 'sub vcl_recv { if (req.http.X-A is set) { let a = req.http.X-A; set req.url = "/" + a; } }'
    good = 'sub vcl_recv { if (let a = req.http.X-A) { set req.url = "/" + a; } }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        for arm in all_of(view, nodes.IfArm):
            test, first = arm.condition, arm.body.statements[:1]
            if not isinstance(test, nodes.Presence) or test.word != "set" or not first:
                continue
            if isinstance(first[0], nodes.Let) and not first[0].mutable:
                if view.written(test.operand) == view.written(first[0].value):
                    yield finding(
                        view, test, f"write if (let {first[0].name.text} = {view.written(test.operand)})"
                    )


class ConstantArguments(Rule):
    id = "FIVE007"
    name = "constant-arguments"
    severity = Severity.NOTE
    what = "A function is called in one place only, and all its arguments are constants."
    why = "Its result is always the same: a constant says it better."
    remedy = "declare a `const` with the result"
    source = "https://rust-lang.github.io/rust-clippy/master/index.html"
    bad = (
        'fn link(host : STRING) -> STRING { return ("https://" + host); } '
        'sub vcl_deliver { set resp.http.X-Home = link("example.com"); }'
    )
    good = 'const HOME = "https://example.com"; sub vcl_deliver { set resp.http.X-Home = HOME; }'
    version = "5.0"

    def check(self, view: View) -> Iterator[Finding]:
        names = {one.name for one in declared(view, nodes.Function)}
        calls: dict[str, list[nodes.CallExpr]] = {}
        for call in all_of(view, nodes.CallExpr):
            if call.name.text in names and call.receiver is None:
                calls.setdefault(call.name.text, []).append(call)
        for name, found in calls.items():
            constant = (nodes.StringLit, nodes.NumberLit)
            if len(found) == 1 and found[0].args:
                if all(isinstance(arg.value, constant) for arg in found[0].args):
                    yield finding(view, found[0], f"{name} always gives the same value here")
