"""Log records that modules write when a function has no value to return."""

from __future__ import annotations

import shutil
from pathlib import Path

import mmdb_writer
import pytest
from netaddr import IPSet

from proxy.origin import Client
from proxy.test_log_client import logged, values

pytestmark = pytest.mark.skipif(shutil.which("varnishlog") is None, reason="needs Debian's varnish")

POLICY = """vcl 4.1;
import geoip2; import digest;
backend default none;
sub vcl_init {{ new geo = geoip2.geoip2("{database}"); }}
sub vcl_recv {{
    set req.http.A = geo.lookup("city", "192.0.2.1");
    set req.http.B = geo.lookup("country", "192.0.2.1");
    set req.http.C = geo.lookup("country", "198.51.100.1");
    set req.http.D = geo.lookup(req.http.none, "192.0.2.1");
    set req.http.E = digest.base64_decode("a*b");
    return (synth(200));
}}
"""


def test_a_lookup_without_a_value_logs_its_reason(tmp_path: Path) -> None:
    database = tmp_path / "test.mmdb"
    writer = mmdb_writer.MMDBWriter(ip_version=4)
    writer.insert_network(IPSet(["192.0.2.0/24"]), {"country": {"iso_code": "NO"}})
    writer.to_db_file(str(database))
    with logged(POLICY.format(database=database), ("-p", "vsl_mask=+Debug")) as (d, log), Client(d.port) as c:
        assert c.request("/").status == 200
        records = log.request()
    reasons = ["geoip2.lookup: No data for this path (city)", "geoip2.lookup: No entry for this IP address (198.51.100.1)"]
    # varnishlog quotes Debug
    assert [text.strip('"').removesuffix("%00") for text in values(records, "Debug")] == reasons
    assert values(records, "Error") == ["geoip2.lookup: Unsupported data type (7)", "geoip2.lookup: Invalid or missing path (NULL)"]
    assert values(records, "VCL_Error") == ["digest: Base64 input contains invalid characters"]
