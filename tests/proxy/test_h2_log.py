"""Log records and counters of HTTP/2 with clients."""

from __future__ import annotations

from proxy.daemon import wait_equal
from proxy.frames import GOAWAY, HEADERS, H2Client
from proxy.origin import Origin
from proxy.test_delivery import page, policy
from proxy.test_log_client import logged, values

ON = ("-p", "feature=+http2")
FRAMES = ("-p", "vsl_mask=+H2RxHdr,+H2RxBody,+H2TxHdr,+H2TxBody")


def test_records_of_a_request_and_its_fetch_name_the_protocol() -> None:
    """The fetch is first logged with the client's protocol, then with its own, as in Varnish."""
    with Origin(page) as origin, logged(policy(origin), ON) as (d, log), H2Client(d.port) as c:
        c.request(1, "/a", "GET", ("cookie", "a=1"), ("cookie", "b=2"))
        assert c.status(1) == 200
        assert values(log.request(), "ReqProtocol") == ["HTTP/2.0"]
        bereq = log.of(log.ended("bereq")[0])
        assert values(bereq, "BereqProtocol") == ["HTTP/2.0", "HTTP/1.1"]
        assert [text for text in values(bereq, "BereqHeader") if "a=1" in text] == ["cookie: a=1; b=2"]
        assert (origin.requests[0].proto, origin.requests[0].headers["cookie"]) == ("HTTP/1.1", "a=1; b=2")


def test_frames_are_records_of_the_session_and_left_out_by_default() -> None:
    for mask, has_frames in ((FRAMES, True), ((), False)):
        with Origin(page) as origin, logged(policy(origin), (*ON, *mask)) as (d, log):
            with H2Client(d.port) as c:
                c.request(1)
                c.ends(1)
            session = log.session()
            received, sent = values(session, "H2RxHdr"), values(session, "H2TxHdr")
            assert (bool(received), bool(sent)) == (has_frames, has_frames)
            if has_frames:
                assert (received[0], sent[0]) == ("[000000040000000000]", "[000006040000000000]")      # SETTINGS
                assert values(session, "H2TxBody")[0] == "[000300000064]"       # one entry: 100 streams


def test_counters_of_connections_and_streams() -> None:
    with Origin(page) as origin, logged(policy(origin), ON) as (d, _):
        with H2Client(d.port) as c:
            for stream in (1, 3):
                c.request(stream)
                assert [f.status for f in c.ends(stream) if f.type == HEADERS] == [200]
            assert [d.counters[f"H2.{name}"] for name in ("sessions", "sessions_live", "streams")] == [1, 1, 2]
            c.send(GOAWAY, 0, 0, bytes(8))
            while c.read() is not None:
                pass
        wait_equal(lambda: [d.counters[f"H2.{name}"] for name in ("sessions_live", "goaway_in")], [0, 1])
