/* A stand-in for the room proxy above HTTP/2 connections: requests that answer as their path says. The first
 * letter behind the slash is the deed, the number behind it the bytes of the response body:
 *
 *     /n100  answers now          /l100  later, when served_go is called   /k100  keeps silent until a reset
 *     /r100  reads the body, then answers                                  /b100  reads later, then answers
 *     /e100  resets after its first piece     /x  refuses                  /c100  answers, and ends the
 * session /h100  an interim response before       /t100  trailers behind       /f  fails
 *
 * One service a thread. */
#ifndef VERNIS_TESTS_SUPPORT_H2_SERVICE_H
#define VERNIS_TESTS_SUPPORT_H2_SERVICE_H

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cache/store.h"
#include "http/fields.h"
#include "loop/fiber.h"
#include "stream/service.h"
#include "stream/session.h"

#define SERVED_PATTERN_BYTES 251u /* the content of all bodies repeats */
#define SERVED_BODY_MAX (1u << 20)

struct served_request {
    struct stream_user user;
    struct stream *stream;
    struct arena arena;
    struct http_message head, response; /* both live to the end */
    struct log_txn log;
    struct fiber *fiber;
    struct list link; /* served.requests */
    struct stream_waiter waiter;
    char deed;
    size_t sent, bytes; /* of the response body */
    bool go, delivering;
};

static _Thread_local struct {
    struct service sv;
    struct store *store;
    struct list requests; /* from open to the end */
    unsigned n_live, n_begun, n_done, n_reset, n_refused;
    size_t piece;      /* bytes of content offered at once */
    size_t received;   /* of request bodies */
    ssize_t read_last; /* the last result of recv_body */
    bool content_good; /* what was received is the pattern */
} served;

static inline char *
served_content(void)
{
    static _Thread_local char bytes[SERVED_BODY_MAX + SERVED_PATTERN_BYTES];
    for (size_t i = 0; bytes[1] == '\0' && i < sizeof bytes; i++)
        bytes[i] = (char)(i % SERVED_PATTERN_BYTES);
    return bytes;
}

static inline struct served_request *
served_of(struct stream_user *u)
{
    return container_of(u, struct served_request, user);
}

/* ---- the end ---- */

static inline void served_serve(struct stream_user *u);

static inline void
served_free(struct served_request *r)
{
    list_remove(&r->link);
    arena_release(&r->arena);
    served.n_live--;
    free(r);
}

static inline void
served_finish(struct served_request *r)
{
    struct stream *s = r->stream;
    s->waiter = NULL;
    served.n_reset += s->broken;
    served.n_done++;
    served_free(r);
    struct stream_user *next = s->ops->done(s);
    if (next != NULL)
        served_serve(next);
}

/* ---- the response ---- */

static inline int
served_send_some(struct served_request *r, size_t budget)
{
    struct stream *s = r->stream;
    bool trailed = r->deed == 't';
    for (;;) {
        size_t n = r->bytes - r->sent;
        n = n < served.piece ? n : served.piece;
        n = n < budget ? n : budget;
        if (n == 0 && budget == 0)
            return ERR_AGAIN;
        bool last = r->sent + n == r->bytes;
        struct iovec iov = { served_content() + r->sent % SERVED_PATTERN_BYTES, n };
        ssize_t taken = s->ops->send_body(s, &iov, n > 0, last && !trailed);
        if (taken < 0)
            return (int)taken;
        r->sent += (size_t)taken;
        budget -= (size_t)taken;
        if (r->deed == 'e') {
            s->ops->reset(s, STREAM_FAILED);
            return ERR_RESET;
        }
        if (last && (size_t)taken == n)
            break;
    }
    struct http_message m = { 0 };
    if (trailed && message_init(&m, &r->arena, 4) == 0 &&
        message_set(&m, NAME_NONE, SPAN_LIT("x-sum"), SPAN_LIT("1")) == 0)
        (void)s->ops->send_trailers(s, &m);
    return 0;
}

static inline void
served_pump(struct served_request *r, size_t budget)
{
    if (r->stream->broken || served_send_some(r, budget) != ERR_AGAIN)
        served_finish(r);
}

static inline void
served_on_turn(struct stream_waiter *w, size_t budget)
{
    served_pump(container_of(w, struct served_request, waiter), budget);
}

static inline void
served_on_reset(struct stream_waiter *w)
{
    struct served_request *r = container_of(w, struct served_request, waiter);
    if (r->delivering)
        served_finish(r);
    else
        fiber_wake(r->fiber);
}

static inline void
served_answer(struct served_request *r)
{
    struct stream *s = r->stream;
    struct http_message *m = &r->response;
    CHECK(message_init(m, &r->arena, 8) == 0);
    m->status = 200;
    if (r->deed == 'h')
        (void)s->ops->send_interim(s, 103, m, NSEC_NEVER);
    if (r->deed == 'c')
        stream_close_after(s, SC_RESP_CLOSE);
    if (r->deed == 'f')
        s->ops->send_failure(s);
    else
        CHECK(s->ops->send_head(s, m, r->deed == 't' ? -1 : (int64_t)r->bytes, true) == 0);
    r->bytes = r->deed == 'f' ? 0 : r->bytes;
    r->delivering = true;
    r->fiber = NULL;
    s->waiter = &r->waiter;
    served_pump(r, SIZE_MAX);
}

/* ---- the request ---- */

static inline void
served_read(struct served_request *r)
{
    char buf[1000];
    struct stream *s = r->stream;
    size_t at = 0;
    while ((served.read_last = s->ops->recv_body(s, buf, sizeof buf, NSEC_NEVER)) > 0) {
        size_t n = (size_t)served.read_last;
        served.content_good &= memcmp(buf, served_content() + at % SERVED_PATTERN_BYTES, n) == 0;
        served.received += n;
        at += n;
    }
}

static inline void
served_fiber(void *arg)
{
    struct served_request *r = arg;
    struct stream *s = r->stream;
    r->fiber = fiber_current();
    s->waiter = &r->waiter;
    while (strchr("lbk", r->deed) != NULL && !s->broken && (!r->go || r->deed == 'k'))
        fiber_park();
    if (r->deed == 'r' || r->deed == 'b')
        served_read(r);
    if (s->broken)
        served_finish(r);
    else
        served_answer(r);
}

/* Those that wait for a word go on. */
static inline void
served_go(void *unused)
{
    for (struct list *l = served.requests.next; l != &served.requests; l = l->next) {
        struct served_request *r = container_of(l, struct served_request, link);
        r->go = true;
        if (r->fiber != NULL)
            fiber_wake(r->fiber);
    }
}

static inline void
served_serve(struct stream_user *u)
{
    struct served_request *r = served_of(u);
    struct span path = r->head.url;
    r->deed = path.len > 1 ? path.ptr[1] : 'n';
    for (size_t i = 2; i < path.len && path.ptr[i] >= '0' && path.ptr[i] <= '9' && r->bytes < SERVED_BODY_MAX;
         i++)
        r->bytes = r->bytes * 10 + (size_t)(path.ptr[i] - '0');
    r->bytes = r->bytes < SERVED_BODY_MAX ? r->bytes : SERVED_BODY_MAX;
    if (r->deed == 'x' || fiber_spawn(served.sv.loop, served_fiber, r) != 0) {
        served.n_refused++;
        r->stream->ops->refuse(r->stream, STREAM_REFUSED);
    }
}

static inline struct stream_user *
served_open(struct service *sv, struct stream *s)
{
    struct served_request *r = calloc(1, sizeof *r);
    CHECK(r != NULL);
    arena_init(&r->arena, 0);
    CHECK(message_init(&r->head, &r->arena, 64) == 0);
    r->stream = s;
    r->user = (struct stream_user){ .arena = &r->arena, .head = &r->head, .log = &r->log };
    r->waiter.on_turn = served_on_turn;
    r->waiter.on_reset = served_on_reset;
    list_push_back(&served.requests, &r->link);
    served.n_live++;
    return &r->user;
}

static inline void
served_begin(struct stream_user *u, nsec first, nsec complete)
{
    served.n_begun++;
}

static inline void
served_log_head(struct stream_user *u)
{
}

static inline void
served_discard(struct stream_user *u)
{
    served_free(served_of(u));
}

static inline uint64_t
served_next_xid(struct service *sv)
{
    return 1;
}

static const struct service_ops served_ops = {
    .open = served_open,
    .begin = served_begin,
    .log_head = served_log_head,
    .serve = served_serve,
    .discard = served_discard,
    .next_xid = served_next_xid,
};

/* On the loop. */
static inline void
served_start(void *loop)
{
    memset(&served, 0, sizeof served);
    list_init(&served.requests);
    service_init(&served.sv, &served_ops, loop);
    CHECK(store_new(NULL, &served.store) == 0);
    CHECK(store_add_storage(served.store, SPAN_LIT("s"), 1 << 24, &served.sv.bodies) == 0);
    served.piece = 32768;
    served.content_good = true;
}

static inline void
served_stop(void *unused)
{
    CHECK(served.n_live == 0 && list_empty(&served.sv.sessions));
    CHECK(storage_used_for(served.sv.bodies, USE_BODIES) == 0);
    service_release(&served.sv);
    store_release(&served.store);
}

#endif
