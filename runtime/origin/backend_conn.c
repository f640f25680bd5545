/* Takes and returns origin connections of a backend, and writes their log records and counters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "base/put.h"
#include "log/counters.h"
#include "log/report.h"
#include "loop/fiber.h"
#include "origin/backend_internal.h"

static void
count_failure(struct backend *b, int why)
{
    static const struct {
        int why;
        enum backend_counter counter;
    } reasons[] = {
        { EACCES, VBE_FAIL_EACCES },
        { EPERM, VBE_FAIL_EACCES },
        { EADDRNOTAVAIL, VBE_FAIL_EADDRNOTAVAIL },
        { ECONNREFUSED, VBE_FAIL_ECONNREFUSED },
        { ENETUNREACH, VBE_FAIL_ENETUNREACH },
        { ETIMEDOUT, VBE_FAIL_ETIMEDOUT },
    };
    if (why == 0) {
        backend_count(b, VBE_HELDDOWN);
        return;
    }
    enum backend_counter counter = VBE_FAIL_OTHER;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].why == why)
            counter = reasons[i].counter;
    backend_count(b, counter);
    backend_count(b, VBE_FAIL);
}

/* Warns the operator when this machine, not the origin, is short of a resource. */
static void
report_shortage(const struct backend *b, struct loop *loop, int why)
{
    static struct log_limiter limiter;
    if (why == EMFILE || why == ENFILE || why == ENOBUFS || why == ENOMEM)
        log_line_limited(&limiter, loop_now(loop), LOG_LEVEL_WARNING,
                         "backend %.*s: no connection: %s (see descriptors_reserved)", (int)b->terms.name.len,
                         b->terms.name.ptr, strerror(why));
}

/* True when this machine, not the origin, caused the failure. */
static bool
is_our_failure(int why)
{
    static const int ours[] = { 0, EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL, EACCES, EPERM };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (ours[i] == why)
            return true;
    return false;
}

static void
note(struct backend *b, struct endpoint *ep, const char *failure)
{
    char rule[EJECTED_WHY_BYTES];
    if (!ejection_is_on() || !endpoint_note(ep, failure == NULL, clock_mono_ns(), rule))
        return;
    backend_count(b, VBE_EJECTED);
    counters_here()->backend_ejected++;
    log_printf(&log_untied, TAG_BACKEND_HEALTH, "%.*s Ejected for %.3f s: %s, the last one: %s",
               (int)b->terms.name.len, b->terms.name.ptr, params.backend_eject_time_s, rule, failure);
    log_line(LOG_LEVEL_WARNING, "backend %.*s ejected for %.3f s: %s, the last one: %s",
             (int)b->terms.name.len, b->terms.name.ptr, params.backend_eject_time_s, rule, failure);
    backend_dismiss(b);
}

void
backend_note(struct backend_conn *bc, const char *failure)
{
    note(bc->backend, bc->pool->endpoint, failure);
}

static int
connect_new(struct backend *b, struct pool *p, struct loop *loop, double timeout_s,
            const struct client_addresses *client, struct backend_conn **out)
{
    struct endpoint *ep = p->endpoint;
    struct backend_conn *bc = mem_zalloc(sizeof *bc);
    nsec deadline = nsec_add(loop_now(loop), nsec_of(timeout_s));
    p->n_used++;
    int err = endpoint_connect(ep, loop, &bc->conn, deadline, client);
    if (err != 0) {
        int why = errno;
        free(bc);
        p->n_used--;
        count_failure(b, why);
        report_shortage(b, loop, why);
        if (!is_our_failure(why))
            note(b, ep, strerror(why));
        errno = why;
        return err == ERR_TIMEOUT ? err : ERR_RESET;
    }
    conn_peer(&bc->conn, &bc->peer);
    conn_local(&bc->conn, &bc->local);
    bc->pool = p;
    *out = bc;
    return 0;
}

/* No lock and no reference if the loop used the endpoint lately: its pool keeps the endpoint. */
static struct pool *
pool_for(struct backend *b, struct loop *loop)
{
    struct pool *p = pool_find(loop, atomic_load_explicit(&b->endpoint, memory_order_relaxed));
    if (p != NULL)
        return p;
    struct endpoint *ep = backend_endpoint(b);
    p = pool_of(loop, ep);
    endpoint_release(&ep);
    return p;
}

static bool
may_reuse(const struct backend *b, bool fresh)
{
    return !fresh && b->terms.proxy_header == 0;
}

static void
hold(struct backend_conn *bc, struct backend *b)
{
    struct backend *before = bc->backend;
    if (before == b)
        return;
    atomic_fetch_add(&b->refs, 1);
    bc->backend = b;
    if (before != NULL)
        backend_unref(before);
}

/* May wait: for a place, for the origin. */
static int
get_in_turn(struct backend *b, struct loop *loop, double connect_timeout_s, bool fresh,
            const struct client_addresses *client, struct backend_conn **out)
{
    bool look = b->terms.max_connections != 0 && may_reuse(b, fresh);
    int err = backend_reserve(b, loop);
    if (err != 0) {
        backend_count(b, err == ERR_BUSY ? VBE_BUSY : VBE_UNHEALTHY);
        return err;
    }
    struct pool *p = pool_for(b, loop);
    *out = look ? pool_take(p) : NULL;
    bool reused = *out != NULL;
    err = reused ? 0 : connect_new(b, p, loop, connect_timeout_s, client, out);
    if (err != 0) {
        int why = errno;
        backend_unreserve(b);
        errno = why;
        return err;
    }
    (*out)->reused = reused;
    hold(*out, b);
    return 0;
}

int
backend_get_for(struct backend *b, struct loop *loop, double connect_timeout_s, bool fresh,
                const struct client_addresses *client, struct backend_conn **out)
{
    CHECK(loop_is_current(loop) && fiber_current() != NULL);
    if (!director_healthy(&b->director, NULL)) {
        backend_count(b, VBE_UNHEALTHY);
        return ERR_SICK;
    }
    struct backend_conn *bc = NULL;
    if (b->terms.max_connections == 0 && may_reuse(b, fresh))
        bc = pool_take(pool_for(b, loop));
    if (bc != NULL) {
        hold(bc, b);
        bc->reused = true;
    } else {
        atomic_fetch_add(&b->refs, 1);
        int err = get_in_turn(b, loop, connect_timeout_s, fresh, client, &bc);
        int why = errno;
        backend_unref(b);
        errno = why;
        if (err != 0)
            return err;
    }
    uint64_t *counts = backend_counts(b);
    counts[VBE_CONN]++;
    counts[VBE_REQ]++;
    bc->log = NULL;
    bc->close_why = CLOSE_RESP_CLOSE;
    *out = bc;
    return 0;
}

#define NAME_BYTES (ADDRESS_TEXT_BYTES + 1 + DECIMAL_BYTES_MAX)

/* Returns "address port"; Varnish shows a Unix socket as "0.0.0.0 0". */
static struct span
name_of(const struct address *a, char out[NAME_BYTES])
{
    if (a->family != 4 && a->family != 6)
        return SPAN_LIT("0.0.0.0 0");
    char *p = out + address_text(a, out);
    *p++ = ' ';
    return span_of(out, (size_t)(put_decimal(p, a->port) - out));
}

static struct span
descriptor_of(const struct backend_conn *bc, char out[DECIMAL_BYTES_MAX])
{
    return span_of(out, (size_t)(put_decimal(out, (uint64_t)bc->conn.poll.fd) - out));
}

void
backend_log_open(struct backend_conn *bc, struct log_txn *log)
{
    CHECK(bc->backend != NULL);
    bc->log = log;
    if (!log_wants(TAG_BACKEND_OPEN) || log == NULL)
        return;
    char fd[DECIMAL_BYTES_MAX], there[NAME_BYTES], here[NAME_BYTES];
    struct span words[] = {
        descriptor_of(bc, fd),
        bc->backend->terms.name,
        name_of(&bc->peer, there),
        name_of(&bc->local, here),
        bc->reused ? SPAN_LIT("reuse") : SPAN_LIT("connect"),
    };
    log_words(log, TAG_BACKEND_OPEN, words, sizeof words / sizeof *words);
}

/* Varnish's texts, which log readers match. */
static const char *const close_texts[] = {
    [CLOSE_RESP_CLOSE] = "Backend/VCL requested close",
    [CLOSE_RX_BAD] = "Received bad req/resp",
    [CLOSE_RX_BODY] = "Failure receiving req.body",
    [CLOSE_RX_JUNK] = "Received junk data",
    [CLOSE_RX_OVERFLOW] = "Received buffer overflow",
    [CLOSE_RX_TIMEOUT] = "Receive timeout",
    [CLOSE_TX_PIPE] = "Piped transaction",
    [CLOSE_TX_ERROR] = "Error transaction",
    [CLOSE_OVERLOAD] = "Out of some resource",
};

/* Call before the connection is released: afterwards another thread may use or close the descriptor. */
static void
log_close(const struct backend_conn *bc, bool keep)
{
    char fd[DECIMAL_BYTES_MAX];
    struct span words[4] = { descriptor_of(bc, fd), bc->backend->terms.name, SPAN_LIT("recycle") };
    if (!keep) {
        words[2] = SPAN_LIT("close");
        words[3] = span_str(close_texts[bc->close_why]);
    }
    log_words(bc->log, TAG_BACKEND_CLOSE, words, keep ? 3 : 4);
}

void
backend_put(struct backend_conn **conn, bool keep)
{
    struct backend_conn *bc = *conn;
    if (bc == NULL)
        return;
    *conn = NULL;
    struct backend *b = bc->backend;
    struct pool *p = bc->pool;
    CHECK(b != NULL && p != NULL);
    keep = keep && bc->conn.loop != NULL && pool_keeps(p, bc) && backend_is_at(b, p->endpoint);
    log_close(bc, keep);
    bc->log = NULL;
    bc->requests++;
    bc->conn.on_ready = NULL;
    bc->user = NULL;
    backend_counts(b)[VBE_CONN]--;
    bool limited = b->terms.max_connections != 0;
    if (limited)
        atomic_fetch_add(&b->refs, 1);
    if (!keep || !pool_put(bc)) {
        conn_close(&bc->conn);
        free(bc);
        backend_unref(b);
    } /* otherwise bc keeps the reference, and another loop may have bc already */
    p->n_used--;
    if (limited) {
        backend_unreserve(b); /* whoever waits may take bc */
        backend_unref(b);
    }
}
