/* Log records over the life of a client connection, without the links to its requests (proxy/request_log.c).
 * The reason why a connection ended has the same name in the log and in the counters. */
#include "stream/session_log.h"

#include <stddef.h>

#include "base/check.h"
#include "base/put.h"

struct close_row {
    const char *name;
    size_t counter; /* in struct counters */
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

#define END_BYTES (ADDRESS_TEXT_BYTES + 1 + DECIMAL_BYTES_MAX)

/* "address port" */
static struct span
text_of(const struct address *a, char out[END_BYTES])
{
    char *p = out + address_text(a, out);
    *p++ = ' ';
    return span_of(out, (size_t)(put_decimal(p, a->port) - out));
}

void
session_log_open(struct session *s, const char *protocol, int fd)
{
    nsec now = clock_real_ns();
    log_begin(&s->log, LOG_CLIENT, s->service->ops->next_xid(s->service), "sess", 0, protocol);
    s->log.began = now;
    if (!log_wants(TAG_SESS_OPEN))
        return;
    char remote[END_BYTES], local[END_BYTES], tail[3 * DECIMAL_BYTES_MAX];
    char *p = put_decimal(tail, (uint64_t)(now / NSEC_PER_SEC));
    *p++ = '.';
    p = put_six_digits(p, (uint32_t)(now % NSEC_PER_SEC / 1000));
    *p++ = ' ';
    p = put_decimal(p, (uint64_t)fd);
    log_words(&s->log, TAG_SESS_OPEN,
              (struct span[]){ text_of(&s->peer, remote), s->listen->name, text_of(&s->local, local),
                               span_of(tail, (size_t)(p - tail)) },
              4);
}

/* Writes seconds with three decimals. */
static struct span
seconds_of(nsec time, char out[2 * DECIMAL_BYTES_MAX])
{
    nsec ms = time < 0 ? 0 : (time + NSEC_PER_MSEC / 2) / NSEC_PER_MSEC;
    char *p = put_decimal(out, (uint64_t)(ms / 1000));
    *p++ = '.';
    for (unsigned unit = 100; unit > 0; unit /= 10)
        *p++ = (char)('0' + ms % 1000 / unit % 10);
    return span_of(out, (size_t)(p - out));
}

void
session_log_close(struct session *s, enum session_why why)
{
    CHECK(why > SC_NONE && why < SC_COUNT);
    struct counters *counters = s->service->counters;
    (*(uint64_t *)((char *)counters + close_rows[why].counter))++;
    counters->sess_closed_err += close_rows[why].is_error;
    if (log_wants(TAG_SESS_CLOSE)) {
        char lived[2 * DECIMAL_BYTES_MAX];
        log_words(&s->log, TAG_SESS_CLOSE,
                  (struct span[]){ span_str(close_rows[why].name),
                                   seconds_of(clock_real_ns() - s->log.began, lived) },
                  2);
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
