"""Patterns that no text matches: RE012 says so once, and the walks of all rules take the test for false."""

from __future__ import annotations

import pytest

from lint_helpers import check_marks, results_of

NEVER = '"!^gzip$"'


def ids_of(text: str) -> list[str]:
    return sorted(one.rule.id for one in results_of(text, ("recommended", "security")))


@pytest.mark.parametrize("condition", [f"req.http.X-A ~ {NEVER}", f"req.http.X-B && req.http.X-A ~ {NEVER}",
                                       f"req.http.X-B || req.http.X-A ~ {NEVER}", f"!(req.http.X-A !~ {NEVER})",
                                       f"req.http.X-A !~ {NEVER}", 'req.url ~ "a^b"', 'req.url ~ "$a"', r'req.url ~ "a\b\Bz"'])
def test_it_is_said_once(condition: str) -> None:
    text = f"sub vcl_recv {{ if ({condition}) {{ set req.http.X-C = \"1\"; }} }} sub vcl_hash {{ hash_data(req.http.X-C); }}"
    assert [one for one in ids_of(text) if one.startswith(("FL", "RE"))] == ["RE012"]


def test_a_substitution_that_changes_nothing_is_found() -> None:
    check_marks('sub vcl_recv {\n set req.url = regsub(req.url, "a^b", ""); #! RE012\n set req.url = regsub(req.url, "^b", ""); }', "RE012")


def test_the_remedy_of_a_mark_in_the_pattern_is_the_sign() -> None:
    (found,) = results_of(f"sub vcl_recv {{ if (req.http.X-A ~ {NEVER}) {{ return (pass); }} }}", ("RE012",))
    assert found.finding.help.endswith('write !~ "^gzip$"') and "never holds" in found.finding.message


@pytest.mark.parametrize("rule, silent, found", [
    ("CK001", f"sub vcl_recv {{ if (req.http.X-A ~ {NEVER}) {{ set req.http.X-C = \"1\"; }} }}",
     "sub vcl_recv { if (req.http.X-A ~ \"^gzip$\") {\n set req.http.X-C = \"1\"; #! CK001\n } }"),
    ("SEC001", f"sub vcl_recv {{ if (req.http.X-A ~ {NEVER}) {{ return (purge); }} }}",
     f"sub vcl_recv {{ if (req.http.X-A !~ {NEVER}) {{\n return (purge); #! SEC001\n }} }}"),
    ("CS003", f"sub vcl_recv {{ if (req.url !~ {NEVER}) {{ return (pass); }} return (hash); }}",
     f"sub vcl_recv {{ if (req.url ~ {NEVER}) {{ return (pass); }}\n return (hash); #! CS003\n }}"),
    ("CS001", f"sub vcl_backend_response {{ if (bereq.url ~ {NEVER}) {{ return (deliver); }} }}",
     "sub vcl_backend_response { if (bereq.url ~ \"^x$\") {\n return (deliver); #! CS001\n } }"),
])
def test_walks_take_the_test_for_false(rule: str, silent: str, found: str) -> None:
    check_marks(silent, rule)
    check_marks(found, rule)


@pytest.mark.parametrize("pattern", ["", ".*", "a*", "^", "(a|)"])
def test_a_pattern_that_matches_everything_is_said_once(pattern: str) -> None:
    text = f'sub vcl_recv {{ if (req.http.X-A ~ "{pattern}") {{ return (pass); }} }}'
    assert [one for one in ids_of(text) if one.startswith(("FL", "RE"))] == ["FL003"]
