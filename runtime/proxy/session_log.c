/* What a client connection writes to the log over its life, but for the links to its requests (request_log.c). Why a connection
 * ended is counted under the same names as it is logged. */
#include "proxy/session_log.h"

#include <stddef.h>

#include "base/check.h"
#include "proxy/client.h"

struct close_row {
    const char *name;
    size_t counter;                     /* in struct counters */
    bool is_error;
};

#define ROW(text, field, error) { text, offsetof(struct counters, sc_##field), error }

static const struct close_row close_rows[] = {
    [SC_REM_CLOSE] = ROW("REM_CLOSE", rem_close, false),
    [SC_REQ_CLOSE] = ROW("REQ_CLOSE", req_close, false),
    [SC_REQ_HTTP10] = ROW("REQ_HTTP10", req_http10, true),
    [SC_RX_BAD] = ROW("RX_BAD", rx_bad, true),
    [SC_RX_BODY] = ROW("RX_BODY", rx_body, true),
    [SC_RX_JUNK] = ROW("RX_JUNK", rx_junk, true),
    [SC_RX_OVERFLOW] = ROW("RX_OVERFLOW", rx_overflow, true),
    [SC_RX_TIMEOUT] = ROW("RX_TIMEOUT", rx_timeout, true),
    [SC_RX_CLOSE_IDLE] = ROW("RX_CLOSE_IDLE", rx_close_idle, false),
    [SC_TX_PIPE] = ROW("TX_PIPE", tx_pipe, false),
    [SC_TX_ERROR] = ROW("TX_ERROR", tx_error, true),
    [SC_TX_EOF] = ROW("TX_EOF", tx_eof, false),
    [SC_RESP_CLOSE] = ROW("RESP_CLOSE", resp_close, false),
    [SC_OVERLOAD] = ROW("OVERLOAD", overload, true),
    [SC_PIPE_OVERFLOW] = ROW("PIPE_OVERFLOW", pipe_overflow, true),
    [SC_RANGE_SHORT] = ROW("RANGE_SHORT", range_short, true),
    [SC_REQ_HTTP20] = ROW("REQ_HTTP20", req_http20, true),
    [SC_VCL_FAILURE] = ROW("VCL_FAILURE", vcl_failure, true),
};

_Static_assert(sizeof close_rows / sizeof *close_rows == SC_COUNT, "every reason has its row");

const char *
stream_close_name(enum stream_close why)
{
    CHECK(why > SC_NONE && why < SC_COUNT);
    return close_rows[why].name;
}

void
session_log_open(struct client *c)
{
    nsec now = clock_real_ns();
    char remote[ADDRESS_TEXT_BYTES], local[ADDRESS_TEXT_BYTES];
    log_begin(&c->log, LOG_CLIENT, server_xid(c->server), "sess", 0, c->listen->proxy_protocol ? "PROXY" : "HTTP/1");
    c->log.began = now;
    if (!log_wants(TAG_SESS_OPEN))
        return;
    address_text(&c->peer, remote);
    address_text(&c->local, local);
    log_printf(&c->log, TAG_SESS_OPEN, "%s %u %.*s %s %u %lld.%06lld %d", remote, c->peer.port, (int)c->listen->name.len,
               c->listen->name.ptr, local, c->local.port, (long long)(now / NSEC_PER_SEC),
               (long long)(now % NSEC_PER_SEC / 1000), c->conn.poll.fd);
}

void
session_log_close(struct client *c, enum stream_close why)
{
    CHECK(why > SC_NONE && why < SC_COUNT);
    struct counters *counters = c->server->counters;
    (*(uint64_t *)((char *)counters + close_rows[why].counter))++;
    counters->sess_closed_err += close_rows[why].is_error;
    if (log_wants(TAG_SESS_CLOSE)) {
        nsec lived = clock_real_ns() - c->log.began;
        nsec ms = lived < 0 ? 0 : (lived + NSEC_PER_MSEC / 2) / NSEC_PER_MSEC;
        log_printf(&c->log, TAG_SESS_CLOSE, "%s %lld.%03lld", close_rows[why].name, (long long)(ms / 1000), (long long)(ms % 1000));
    }
    log_end(&c->log);
}
