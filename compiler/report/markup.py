"""Findings as XML: JUnit and Checkstyle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vernis.report.found import UNCHANGED, Found, Policy, Report, path_of, text_of
from vernis.shown import in_xml, visible

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def _text(root: Element) -> str:
    from xml.etree.ElementTree import indent, tostring

    indent(in_xml(root), " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root).decode() + "\n"  # all of it is ASCII


def junit(report: Report) -> str:
    """A suite for each policy, a failed case for each finding, a skipped one for each of the baseline, and a
    passed case for a policy without any."""
    from xml.etree.ElementTree import Element

    n_new = len(list(report.new()))
    n_cases = sum(max(len(policy.found), 1) for policy in report.policies)
    root = Element("testsuites", name="vernis", tests=str(n_cases), failures=str(n_new), errors="0")
    root.extend([_suite(policy) for policy in report.policies])
    return _text(root)


def _suite(policy: Policy) -> Element:
    from xml.etree.ElementTree import Element, SubElement

    n_new, n_found = len(policy.new), len(policy.found)
    n_cases = str(max(n_found, 1))
    suite = Element("testsuite", name=policy.name, tests=n_cases, failures=str(n_new), errors="0", time="0")
    suite.set("skipped", str(n_found - n_new))
    if not policy.found:
        SubElement(suite, "testcase", name="no findings", classname=policy.name, time="0")
    for found in policy.found:
        item = found.item
        name, line, column = found.sources.place(item.span)
        title = f"{item.code} {name}:{line}:{column}"
        case = SubElement(suite, "testcase", name=title, classname=name, file=name, line=str(line), time="0")
        if found.state == UNCHANGED:
            SubElement(case, "skipped", message=f"in the baseline: {item.message}")
            continue
        failure = SubElement(case, "failure", message=item.message, type=item.severity.value)
        failure.text = f"{visible(name)}:{line}:{column}: {text_of(found)}"
    return suite


def checkstyle(report: Report) -> str:
    """The findings by file."""
    from xml.etree.ElementTree import Element, SubElement

    by_file: dict[str, list[Found]] = {}
    for found in report.new():
        by_file.setdefault(path_of(found.item.span, found.sources), []).append(found)
    root = Element("checkstyle", version="4.3")
    for path, all_of in by_file.items():
        file = SubElement(root, "file", name=path)
        for found in all_of:
            item = found.item
            _, line, column = found.sources.place(item.span)
            severity = item.severity.value.replace("note", "info")
            at = {"line": str(line), "column": str(column), "severity": severity}
            SubElement(file, "error", at, message=text_of(found), source=f"vernis.{item.code}")
    return _text(root)
