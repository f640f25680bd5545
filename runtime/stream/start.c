/* The start of a client connection: a PROXY header if the listener wants one, a handshake of TLS if it wants
 * that, then the protocol. Each is a state: on_ready, on_timer and start_ops are its events. */
#include "stream/start.h"

#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "log/report.h"
#include "stream/addresses.h"
#include "stream/foreign.h"
#include "stream/h1/connection.h"
#include "stream/h2/connection.h"
#include "loop/fiber.h"
#include "tls/facts.h"
#include "tls/layer.h"

enum start { START_READY, START_WAIT, START_GONE };

static void
end_shaking(struct wire *w)
{
    w->session.service->n_handshakes -= w->shaking;
    if (w->shakes_counted)
        addresses_shaken(session_known_client(&w->session));
    w->shaking = w->shakes_counted = false;
}

static enum start
give_up(struct wire *w, enum session_why why)
{
    w->session.service->counters->s_req_hdrbytes += w->rx_bytes;
    end_shaking(w);
    conn_close(&w->conn);
    wire_release(w, why);
    return START_GONE;
}

static void
warn_of_address(struct wire *w, struct log_limiter *limiter, unsigned n, const char *what,
                const char *parameter)
{
    char text[ADDRESS_TEXT_BYTES];
    address_text(session_known_client(&w->session), text);
    log_line_limited(limiter, loop_now(w->session.service->loop), LOG_LEVEL_WARNING,
                     "client %s has %u %s: closing further ones (%s)", text, n, what, parameter);
}

static enum start
count_address(struct wire *w)
{
    static struct log_limiter limiter;
    struct session *s = &w->session;
    const struct address *client = session_known_client(s);
    if (client == NULL)
        return START_READY;
    enum address_entry entry = addresses_enter(client);
    w->counted = entry == ADDRESS_COUNTED;
    if (entry != ADDRESS_LIMITED)
        return START_READY;
    s->service->counters->sess_address_limited++;
    warn_of_address(w, &limiter, params.connections_per_address, "connections", "connections_per_address");
    return give_up(w, SC_OVERLOAD);
}

/* ---- the PROXY header ---- */

/* The PROXY header precedes all other bytes. Removes it from the buffer once it is complete. */
static enum start
take_proxy_header(struct wire *w)
{
    struct session *s = &w->session;
    struct proxy_note note;
    struct proxy_info info = { .client = s->peer, .server = s->local };
    ssize_t n = proxy_header_parse(span_of(w->rx, w->rx_bytes), &info, &note);
    if (note.tag != 0)
        log_text(&s->log, note.tag, span_str(note.text));
    struct span first = span_of(w->rx, w->rx_bytes);
    if (n == ERR_SYNTAX && note.tag == 0 && foreign_protocol(first) != FOREIGN_PROXY) {
        log_text(&s->log, TAG_ERROR, SPAN_LIT("no PROXY header on a listener with PROXY"));
        foreign_warn_no_header(s);
    }
    if (n == 0)
        return w->rx_bytes < PROXY_RECEIVED_BYTES_MAX ? START_WAIT : give_up(w, SC_RX_OVERFLOW);
    if (n < 0)
        return give_up(w, n == ERR_LIMIT ? SC_RX_OVERFLOW : SC_RX_JUNK);
    int err = note.tag == TAG_PROXY ? session_keep_proxy_info(s, &info) : 0;
    if (err != 0)
        return give_up(w, err == ERR_LIMIT ? SC_RX_JUNK : SC_OVERLOAD);
    memmove(w->rx, w->rx + n, w->rx_bytes - (size_t)n);
    w->rx_bytes -= (uint32_t)n;
    return START_READY;
}

static enum start
read_proxy_header(struct wire *w)
{
    struct service *sv = w->session.service;
    if (w->rx == NULL && (w->rx = buffers_take(&sv->buffers)) == NULL)
        return give_up(w, SC_OVERLOAD);
    for (enum start done = START_WAIT; done == START_WAIT;) {
        size_t room = wire_head_room(w);
        if (w->rx_bytes >= room)
            return give_up(w, SC_RX_OVERFLOW);
        ssize_t n = conn_read_now(&w->conn, w->rx + w->rx_bytes, room - w->rx_bytes);
        if (n == ERR_AGAIN)
            return START_WAIT;
        if (n <= 0)
            return give_up(w, SC_REM_CLOSE);
        if (w->rx_bytes == 0)
            w->rx_began = loop_real(sv->loop);
        w->rx_bytes += (uint32_t)n;
        done = take_proxy_header(w);
        if (done == START_GONE)
            return START_GONE;
    }
    return START_READY;
}

/* ---- TLS ---- */

static void run_handshake(void *arg);

static void
log_handshake_failure(struct wire *w)
{
    struct counters *n = w->session.service->counters;
    uint64_t *const counts[] = {
        [TLS_FAILURE_CLIENT] = &n->tls_fail_client,
        [TLS_FAILURE_PLAIN] = &n->tls_fail_plain,
        [TLS_FAILURE_HELLO] = &n->tls_fail_hello,
        [TLS_FAILURE_NAME] = &n->tls_fail_name,
        [TLS_FAILURE_SHARED] = &n->tls_fail_shared,
        [TLS_FAILURE_KEY] = &n->tls_fail_key,
        [TLS_FAILURE_CERTIFICATE] = &n->tls_fail_certificate,
    };
    const char *text;
    ++*counts[tls_failure(&w->conn, &text)];
    log_printf(&w->session.log, TAG_SESS_ERROR, "TLS: %s", text);
}

/* Varnish's log says nothing of a good handshake, so it is a record that vsl_mask hides. */
static void
log_handshake(struct wire *w)
{
    static const enum tls_fact facts[] = { TLS_FACT_VERSION, TLS_FACT_CIPHER, TLS_FACT_GROUP };
    struct text line = { 0 };
    if (!log_wants(TAG_DEBUG))
        return;
    text_str(&line, "TLS:");
    for (unsigned i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct text one = { 0 };
        if (tls_fact(&w->conn, facts[i], &one))
            text_printf(&line, " %s", one.ptr);
        text_release(&one);
    }
    text_str(&line, tls_resumed(&w->conn) ? " resumed" : "");
    log_text(&w->session.log, TAG_DEBUG, text_span(&line));
    text_release(&line);
}

static void
take_step(struct wire *w, enum tls_step step)
{
    struct service *sv = w->session.service;
    switch (step) {
    case TLS_WAIT:
        if (!timer_is_set(&w->timer)) { /* its time was over while the fiber waited for the key process */
            sv->counters->tls_fail_timeout++;
            give_up(w, SC_RX_TIMEOUT);
        }
        return;
    case TLS_FIBER:
        if (fiber_spawn(sv->loop, run_handshake, w) != 0)
            give_up(w, SC_OVERLOAD);
        return;
    case TLS_FAILED:
        log_handshake_failure(w);
        give_up(w, SC_RX_JUNK);
        return;
    case TLS_DONE:
        timer_cancel(sv->loop, &w->timer);
        end_shaking(w);
        sv->counters->tls_sessions++;
        sv->counters->tls_resumed += tls_resumed(&w->conn);
        log_handshake(w);
        if (span_eq(tls_protocol(&w->conn), SPAN_LIT("h2")))
            h2_take_over(w);
        else
            h1_take_over(w);
        return;
    }
}

static void
run_handshake(void *arg)
{
    struct wire *w = arg;
    w->asks_key = true;
    enum tls_step step = tls_handshake(&w->conn);
    w->asks_key = false;
    take_step(w, step);
}

static void
on_handshake_ready(struct conn *c)
{
    struct wire *w = container_of(c, struct wire, conn);
    if (!w->asks_key)
        take_step(w, tls_handshake(c));
}

static enum start
count_handshake(struct wire *w)
{
    static struct log_limiter limiter;
    struct service *sv = w->session.service;
    const struct address *client = session_known_client(&w->session);
    if (sv->n_handshakes >= params.tls_handshakes_max) {
        sv->counters->tls_fail_limit++;
        return give_up(w, SC_OVERLOAD);
    }
    enum address_entry entry = client == NULL ? ADDRESS_UNCOUNTED
                                              : addresses_shake(client, loop_now(sv->loop));
    bool too_many = entry == ADDRESS_LIMITED, too_fast = entry == ADDRESS_TOO_FAST;
    sv->counters->tls_fail_address += too_many;
    sv->counters->tls_fail_rate += too_fast;
    if (too_many)
        warn_of_address(w, &limiter, params.tls_handshakes_per_address, "handshakes of TLS",
                        "tls_handshakes_per_address");
    if (too_fast)
        warn_of_address(w, &limiter, params.tls_handshake_rate_per_address, "new handshakes of TLS a second",
                        "tls_handshake_rate_per_address");
    if (too_many || too_fast)
        return give_up(w, SC_OVERLOAD);
    w->shakes_counted = entry == ADDRESS_COUNTED;
    w->shaking = true;
    sv->n_handshakes++;
    return START_READY;
}

/* A PROXY header may have brought the beginning of the handshake with it. */
static void
begin_handshake(struct wire *w)
{
    static struct log_limiter limiter;
    struct service *sv = w->session.service;
    if (count_handshake(w) != START_READY)
        return;
    int err = tls_attach(&w->conn, w->session.listen->name, span_of(w->rx, w->rx_bytes));
    if (err == ERR_NOTFOUND)
        log_line_limited(
            &limiter, loop_now(sv->loop), LOG_LEVEL_ERROR,
            "-a %.*s has no certificate: closing its connections (tls.cert.load, tls.cert.commit)",
            (int)w->session.listen->name.len, w->session.listen->name.ptr);
    if (err != 0) {
        sv->counters->tls_fail_name += err == ERR_NOTFOUND;
        give_up(w, SC_OVERLOAD);
        return;
    }
    w->rx_bytes = 0;
    buffers_give(&sv->buffers, &w->rx);
    w->conn.on_ready = on_handshake_ready;
    timer_set(sv->loop, &w->timer, nsec_add(loop_now(sv->loop), nsec_of(params.tls_handshake_timeout_s)));
    take_step(w, tls_handshake(&w->conn));
}

/* Here a connection learns its protocol. Each takes the wire with the bytes received so far. */
static void
learn_protocol(struct wire *w)
{
    if (count_address(w) != START_READY)
        return;
    if (listen_kinds[w->session.listen->kind].tls)
        begin_handshake(w);
    else
        h1_take_over(w);
}

static void
on_ready(struct conn *c)
{
    struct wire *w = container_of(c, struct wire, conn);
    if (read_proxy_header(w) == START_READY)
        learn_protocol(w);
}

/* The fiber that asks for a key has a deadline of its own, and closes after it. */
static void
on_timer(struct timer *t)
{
    struct wire *w = container_of(t, struct wire, timer);
    if (w->asks_key)
        return;
    w->session.service->counters->tls_fail_timeout += w->shaking;
    give_up(w, SC_RX_TIMEOUT);
}

static void
drain(struct session *s)
{
    struct wire *w = wire_of(s);
    bool arriving = w->rx_bytes > 0 || w->asks_key || (w->shaking && w->conn.bytes_in > 0);
    if (!arriving)
        give_up(w, SC_RX_CLOSE_IDLE);
}

/* The rest of the header may be on its way: do not close. */
static bool
close_start(struct session *s, enum session_why why)
{
    return false;
}

static const struct session_ops start_ops = {
    .conn = wire_conn,
    .drain = drain,
    .close = close_start,
    .reset_at_exit = wire_reset_at_exit,
};

/* ---- beginning ---- */

void
start_session(struct service *sv, int fd, const struct listen_socket *listen, const struct address *peer)
{
    struct wire *w = wire_new();
    if (w == NULL || conn_init(&w->conn, sv->loop, fd) != 0) {
        if (w == NULL)
            close(fd);
        else
            wire_free(w);
        sv->counters->sess_fail++;
        atomic_fetch_sub_explicit(&sv->load->sessions, 1, memory_order_relaxed);
        return;
    }
    struct session *s = &w->session;
    s->ops = &start_ops;
    s->service = sv;
    s->listen = listen;
    s->peer = *peer;
    s->local = listen->local;
    if (!listen->local_known)
        conn_local(&w->conn, &s->local);
    session_open(s, listen_kinds[listen->kind].opens, fd);
    w->conn.on_ready = on_ready;
    w->timer.fn = on_timer;
    conn_expect(&w->conn);
    if (listen_kinds[listen->kind].proxy) {
        timer_set(sv->loop, &w->timer, nsec_add(loop_now(sv->loop), nsec_of(params.timeout_idle_s)));
        on_ready(&w->conn);
    } else
        learn_protocol(w);
}
