"""Random policies have the same results on Debian's varnishd and on vernisd: a few here, any number with
stock_run.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from stock_run import STOCK, compare_with_stock, hooks_in
from support.stock import needs_before

pytestmark = [
    pytest.mark.skipif(not STOCK.exists(), reason="no varnishd: Debian's package varnish is not installed"),
    needs_before((7, 2), "some functions of modules may be called in fewer hooks"),
]


@pytest.mark.slow
def test_policies_have_the_same_results_in_varnish(tmp_path: Path) -> None:
    totals = compare_with_stock(policies=90, batch=100, seed=1, keep=tmp_path)
    assert (totals.differ, list(totals.refused)) == ([], [])
    assert totals.compared >= 90


def test_a_difference_is_found() -> None:
    log = "-   VCL_Log        @7\n-   VCL_Log        true\n-   VCL_Error      why\n-   VCL_return     fail\n"
    assert list(hooks_in(log)) == [(7, ["true", "failed", "return fail"])]
    assert list(hooks_in(log.replace("true", "false"))) != list(hooks_in(log))
