/* Log records of a client connection over its life, but for the links to its requests (proxy/request_log.c). Why a connection
 * ended is counted under the same names as it is logged. */
#include "stream/session_log.h"

#include <stddef.h>

#include "base/check.h"

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
session_why_name(enum session_why why)
{
    CHECK(why > SC_NONE && why < SC_COUNT);
    return close_rows[why].name;
}

void
session_log_open(struct session *s, const char *protocol, int fd)
{
    nsec now = clock_real_ns();
    char remote[ADDRESS_TEXT_BYTES], local[ADDRESS_TEXT_BYTES];
    log_begin(&s->log, LOG_CLIENT, s->service->ops->next_xid(s->service), "sess", 0, protocol);
    s->log.began = now;
    if (!log_wants(TAG_SESS_OPEN))
        return;
    address_text(&s->peer, remote);
    address_text(&s->local, local);
    log_printf(&s->log, TAG_SESS_OPEN, "%s %u %.*s %s %u %lld.%06lld %d", remote, s->peer.port, (int)s->listen->name.len,
               s->listen->name.ptr, local, s->local.port, (long long)(now / NSEC_PER_SEC),
               (long long)(now % NSEC_PER_SEC / 1000), fd);
}

void
session_log_close(struct session *s, enum session_why why)
{
    CHECK(why > SC_NONE && why < SC_COUNT);
    struct counters *counters = s->service->counters;
    (*(uint64_t *)((char *)counters + close_rows[why].counter))++;
    counters->sess_closed_err += close_rows[why].is_error;
    if (log_wants(TAG_SESS_CLOSE)) {
        nsec lived = clock_real_ns() - s->log.began;
        nsec ms = lived < 0 ? 0 : (lived + NSEC_PER_MSEC / 2) / NSEC_PER_MSEC;
        log_printf(&s->log, TAG_SESS_CLOSE, "%s %lld.%03lld", close_rows[why].name, (long long)(ms / 1000), (long long)(ms % 1000));
    }
    log_end(&s->log);
}

void
stream_log_response(const struct stream *s, unsigned status)
{
    struct log_txn *t = s->user->log;
    log_text(t, TAG_RESP + LOG_PROTOCOL, s->proto);
    log_number(t, TAG_RESP + LOG_STATUS, status);
    log_text(t, TAG_RESP + LOG_REASON, status_reason(status));
}
