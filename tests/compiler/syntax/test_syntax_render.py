"""A finding is rendered with its place, source line, carets and help."""

import threading

import pytest
from syntax_helpers import ENGINES, parse

from vernis.syntax.diagnostics import Diagnostic, Label, Severity, Span
from vernis.syntax.dump import dump
from vernis.syntax.engine import Engine
from vernis.syntax.render import render, render_all
from vernis.syntax.source import SourceFile, SourceMap


def shown(data: bytes, start: int, end: int, *labels: Label) -> str:
    item = Diagnostic("V299", Severity.ERROR, "message", Span(0, start, end), "do this", labels)
    return render(item, SourceMap([SourceFile("f.vcl", data)]))


def test_a_finding_shows_place_line_carets_and_help() -> None:
    assert shown(b"one\ntwo three\nfour", 8, 13) == (
        "f.vcl:2:5: error[V299]: message\n"
        " 2 | two three\n"
        "   |     ^^^^^\n"
        "help: do this")


def test_labels_show_a_second_place() -> None:
    assert shown(b"ab\ncd", 0, 1, Label(Span(0, 4, 5), "here too")) == (
        "f.vcl:1:1: error[V299]: message\n"
        " 1 | ab\n"
        "   | ^\n"
        "f.vcl:2:2: note: here too\n"
        " 2 | cd\n"
        "   |  -\n"
        "help: do this")


def test_wide_characters_keep_the_carets_in_place() -> None:
    data = '"\u65e5\u672ce\u0301" x'.encode()
    assert shown(data, len(data) - 1, len(data)).split("\n")[2] == "   | " + " " * 8 + "^"
    assert shown(data, 1, 4).split("\n")[2] == "   |  ^^"


def test_tabs_keep_the_carets_in_place() -> None:
    assert shown(b"\tx\ty", 3, 4).split("\n")[2] == "   | \t \t^"


def test_columns_count_characters_of_utf8() -> None:
    text = "\u00e9\u20ac x".encode()
    assert shown(text, 6, 7).split("\n")[::2] == ["f.vcl:1:4: error[V299]: message", "   |    ^"]


def test_columns_count_bytes_if_a_line_is_not_utf8() -> None:
    assert shown(b"\xe9\xff x", 3, 4).split("\n")[:3] == [
        "f.vcl:1:4: error[V299]: message", " 1 | \u00e9\u00ff x", "   |    ^"]


def test_control_characters_are_not_sent_to_the_terminal() -> None:
    assert "\x1b" not in shown(b"a \x1b[31m b", 2, 3)


def test_a_place_at_the_end_and_in_an_empty_file() -> None:
    assert shown(b"ab", 2, 2).split("\n")[2] == "   |   ^"
    assert shown(b"", 0, 0).split("\n")[:3] == ["f.vcl:1:1: error[V299]: message", " 1 | ", "   | ^"]


def test_a_place_of_several_lines_shows_its_first_line() -> None:
    assert shown(b"ab\ncd\n", 0, 5).split("\n")[1:3] == [" 1 | ab", "   | ^^"]


def test_very_long_lines_are_cut_around_the_place() -> None:
    lines = shown(b"x" * 10_000 + b"HERE" + b"y" * 10_000, 10_000, 10_004).split("\n")
    assert all(len(line) < 200 for line in lines)
    assert lines[1][lines[2].index("^"):][:4] == "HERE"


def test_line_ends_of_dos_are_not_shown() -> None:
    assert shown(b"ab\r\ncd\r\n", 4, 5).split("\n")[1] == " 2 | cd"


@pytest.mark.parametrize("offset, place", [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (4, (3, 1)), (5, (3, 2)), (99, (3, 2))])
def test_an_offset_becomes_line_and_column(offset: int, place: tuple[int, int]) -> None:
    assert SourceFile("f", b"ab\n\nc").position(offset) == place


@pytest.mark.parametrize("engine", ENGINES)
def test_threads_may_parse_at_once(engine: Engine) -> None:
    """The extension releases the interpreter lock."""
    text = "sub s { " + 'if (a && b) { set x = "y" + z; } ' * 200 + "set = 1; }"
    program, diags = parse(text, engine=engine)
    expected = (dump(program), [d.code for d in diags.items])
    found: list[tuple[str, list[str]]] = []

    def work() -> None:
        for _ in range(3):
            program, diags = parse(text, engine=engine)
            found.append((dump(program), [d.code for d in diags.items]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 12


def findings(*places: int, message: str = "message", help: str = "do this", labels: tuple[Label, ...] = ()) -> list[Diagnostic]:
    return [Diagnostic("V299", Severity.ERROR, message, Span(0, at, at + 1), help, labels) for at in places]


def all_shown(items: list[Diagnostic], *more: bytes) -> list[str]:
    files = [SourceFile(f"{name}.vcl", data) for name, data in zip("fgh", (b"one\ntwo three\nfour", *more))]
    return render_all(items, SourceMap(files)).split("\n\n")


def test_equal_findings_are_shown_once_with_all_places() -> None:
    other = [Diagnostic("V299", Severity.ERROR, "message", Span(1, at, at + 1), "do this") for at in (0, 2)]
    assert all_shown(findings(0, 4) + findings(5, message="another") + findings(9) + other, b"a\nb") == [
        "f.vcl:1:1: error[V299]: message\n 1 | one\n   | ^\nhelp: do this\nthe same at: 2:1, 2:6, g.vcl:1:1, 2:1",
        "f.vcl:2:2: error[V299]: another\n 2 | two three\n   |  ^\nhelp: do this"]


def test_findings_with_labels_are_shown_each_time() -> None:
    assert len(all_shown(findings(0, 4, labels=(Label(Span(0, 0, 1), "here too"),)))) == 2


def test_many_places_are_shortened() -> None:
    assert all_shown(findings(*[4] * 24))[0].endswith(", 2:1 and 3 more")


def test_a_long_help_is_not_repeated() -> None:
    long = "any of " + ", ".join(f"word{n}" for n in range(30))
    items = [finding for n, help in enumerate((long, long, "short", "short", long)) for finding in findings(n, message=f"message {n}", help=help)]
    assert [text.rpartition("help: ")[2] for text in all_shown(items)] == [long, "as above", "short", "short", long]
