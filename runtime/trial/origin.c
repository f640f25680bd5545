/* The origins of a trial: see origin.h. One thread, one loop. */
#include "trial/origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "http/http1.h"
#include "loop/fiber.h"
#include "stream/h1/exchange.h"

struct scripted {
    struct span backend, method, url, head, body; /* SPAN_NULL of the first three: each; owned */
    double delay_s;
    unsigned left; /* uses; UINT_MAX: without a limit */
    enum trial_failure fails;
};

static struct {
    struct scripted answers[TRIAL_ANSWERS_MAX];
    unsigned n;
    struct trial_bytes requests;
} origin;

struct trial_exchange {
    struct exchange x;
    const struct scripted *answer; /* NULL: none fits */
    struct span method;            /* in the arena of the fetch */
    struct arena *arena;
    struct fiber *waiting;
    size_t sent;
    bool interrupted;
};

/* ---- answers ---- */

static struct span
own(const char *text, size_t n)
{
    return text == NULL ? SPAN_NULL : span_of(mem_text(span_of(text, n)), n);
}

static void
drop(struct scripted *a)
{
    const struct span texts[] = { a->backend, a->method, a->url, a->head, a->body };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        free((char *)(uintptr_t)texts[i].ptr);
}

void
origin_forget_requests(void)
{
    origin.requests.n = 0;
    origin.requests.cut = false;
}

void
origin_retire_answers(void)
{
    for (unsigned i = 0; i < origin.n; i++)
        drop(&origin.answers[i]);
    origin.n = 0;
}

void
origin_begin(void)
{
    origin_retire_answers();
    trial_bytes_release(&origin.requests);
}

int
origin_add(const struct trial_answer *a)
{
    if (origin.n == TRIAL_ANSWERS_MAX)
        return ERR_LIMIT;
    origin.answers[origin.n++] = (struct scripted){
        .backend = own(a->backend, a->backend == NULL ? 0 : strlen(a->backend)),
        .method = own(a->method, a->method == NULL ? 0 : strlen(a->method)),
        .url = own(a->url, a->url == NULL ? 0 : strlen(a->url)),
        .head = own(a->head, a->head_bytes),
        .body = own(a->body, a->body_bytes),
        .delay_s = a->delay_s,
        .left = a->times == 0 ? UINT32_MAX : a->times,
        .fails = a->fails,
    };
    return 0;
}

const struct trial_bytes *
origin_requests(void)
{
    return &origin.requests;
}

static bool
fits_url(struct span want, struct span url)
{
    if (want.ptr == NULL)
        return true;
    if (want.len > 0 && want.ptr[want.len - 1] == '*')
        return url.len >= want.len - 1 && memcmp(url.ptr, want.ptr, want.len - 1) == 0;
    return span_eq(want, url);
}

static const struct scripted *
answer_for(const struct backend *b, const struct http_message *head)
{
    for (unsigned i = 0; i < origin.n; i++) {
        struct scripted *a = &origin.answers[i];
        if (a->left == 0 || (a->backend.ptr != NULL && !span_eq(a->backend, backend_name(b))) ||
            (a->method.ptr != NULL && !span_eq(a->method, head->method)) || !fits_url(a->url, head->url))
            continue;
        a->left -= a->left != UINT32_MAX;
        return a;
    }
    return NULL;
}

static void
note(struct span text, const char *after)
{
    trial_bytes_add(&origin.requests, text.ptr, text.len);
    trial_bytes_add(&origin.requests, after, strlen(after));
}

static void
note_request(const struct backend *b, const struct http_message *m)
{
    note(backend_name(b), "\n");
    note(m->method, " ");
    note(m->url, "\n");
    for (unsigned i = 0; i < m->n_fields; i++) {
        if (m->fields[i].flags & FIELD_HOP)
            continue;
        note(m->fields[i].name, ": ");
        note(m->fields[i].value, "\n");
    }
    note(SPAN_NULL, "\n");
}

/* ---- exchange ---- */

static struct trial_exchange *
of(struct exchange *x)
{
    return container_of(x, struct trial_exchange, x);
}

/* In the words of open_failed() in proxy/unreached.c. */
static const char *
refused(struct trial_exchange *t)
{
    struct span name = backend_name(t->x.backend);
    struct span text = arena_printf(t->arena, "backend %.*s: fail errno %d (%s)", (int)name.len, name.ptr,
                                    ECONNREFUSED, strerror(ECONNREFUSED));
    return text.ptr == NULL ? "out of memory" : text.ptr;
}

static int
ask(struct exchange *x, const struct http_message *head)
{
    struct trial_exchange *t = of(x);
    note_request(x->backend, head);
    t->method = arena_copy(t->arena, head->method);
    t->answer = answer_for(x->backend, head);
    if (t->answer == NULL)
        return exchange_failed(x, ERR_RESET, "the test has no answer for this request", CLOSE_TX_ERROR);
    if (t->answer->fails == TRIAL_REFUSES)
        return exchange_failed(x, ERR_RESET, refused(t), CLOSE_TX_ERROR);
    return 0;
}

static int
send_head(struct exchange *x, struct http_message *head, const struct content *content, nsec deadline)
{
    int err = h1_frame(head, content); /* the fields that a real origin gets */
    return err == 0 ? ask(x, head) : exchange_failed(x, err, "out of workspace", CLOSE_OVERLOAD);
}

static int
send_body(struct exchange *x, struct span piece, bool last, nsec deadline)
{
    x->bytes.bereq_body += piece.len;
    return 0;
}

/* Waits `seconds` of the trial's clock. */
static int
pause(struct trial_exchange *t, double seconds, nsec deadline)
{
    nsec until = nsec_add(loop_now(loop_current()), nsec_of(seconds));
    t->waiting = fiber_current();
    while (!t->interrupted && fiber_park_until(until < deadline ? until : deadline) != ERR_TIMEOUT)
        ;
    t->waiting = NULL;
    return t->interrupted ? ERR_EOF : until <= deadline ? 0 : ERR_TIMEOUT;
}

static void
set_content(struct trial_exchange *t, const struct http_message *head)
{
    struct exchange *x = &t->x;
    struct http1_error e = { .status = 503, .why = "malformed" };
    struct http1_framing framing;
    if (http1_response_framing(head, t->method, &framing, &e) != 0) {
        x->content_wrong = true;
        x->error.why = e.why;
        return;
    }
    x->content = framing.kind == BODY_NONE   ? (struct content){ CONTENT_NONE, 0 }
               : framing.kind == BODY_LENGTH ? (struct content){ CONTENT_KNOWN, framing.length }
                                             : (struct content){ CONTENT_UNKNOWN, 0 };
}

static int
recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s)
{
    struct trial_exchange *t = of(x);
    int err = t->answer->delay_s > 0 ? pause(t, t->answer->delay_s, first_byte) : 0;
    if (err == ERR_TIMEOUT)
        return exchange_failed(x, err, "first byte timeout", CLOSE_RX_TIMEOUT);
    if (err != 0 || t->answer->fails == TRIAL_CLOSES)
        return exchange_failed(x, ERR_EOF, "HTC eof (-1)", CLOSE_RX_BAD);
    struct http1_limits limits = { params.http_resp_size_bytes, params.http_resp_hdr_len_bytes,
                                   params.http_max_hdr };
    struct http1_error e = { .status = 503, .why = "malformed" };
    struct span text = arena_copy(t->arena, t->answer->head); /* the parser writes into it */
    if (text.ptr == NULL)
        return exchange_failed(x, ERR_NOMEM, "out of memory", CLOSE_OVERLOAD);
    out->n_fields = 0;
    if (http1_parse_response((char *)(uintptr_t)text.ptr, text.len, &limits, out, &e) <= 0)
        return exchange_failed(x, ERR_SYNTAX, "http format error", CLOSE_RX_JUNK);
    x->bytes.beresp_head += text.len;
    if (!exchange_head_is_interim(out))
        set_content(t, out);
    return 0;
}

/* Bytes that the origin sends: the whole body, or half of it. */
static size_t
body_bytes(const struct trial_exchange *t)
{
    size_t all = t->answer->body.len;
    if (t->x.content.kind == CONTENT_KNOWN && all > t->x.content.bytes)
        all = (size_t)t->x.content.bytes;
    return t->answer->fails == TRIAL_CUTS_OFF ? all / 2 : all;
}

static ssize_t
recv_wait(struct exchange *x, nsec deadline)
{
    const struct trial_exchange *t = of(x);
    if (x->content.kind == CONTENT_NONE || (x->content.kind == CONTENT_KNOWN && t->sent == x->content.bytes))
        return 0;
    if (t->sent < body_bytes(t))
        return 1;
    if (x->content.kind == CONTENT_KNOWN || t->answer->fails == TRIAL_CUTS_OFF)
        return exchange_failed(x, ERR_EOF, "straight insufficient bytes", CLOSE_RX_BODY);
    return 0;
}

static ssize_t
recv_poll(struct exchange *x, nsec deadline)
{
    return 1;
}

static ssize_t
recv_body(struct exchange *x, void *buf, size_t n, nsec deadline)
{
    struct trial_exchange *t = of(x);
    ssize_t more = recv_wait(x, deadline);
    if (more <= 0)
        return more;
    size_t left = body_bytes(t) - t->sent, k = left < n ? left : n;
    memcpy(buf, t->answer->body.ptr + t->sent, k);
    t->sent += k;
    return (ssize_t)k;
}

static int
recv_trailers(struct exchange *x, struct http_message *out)
{
    return ERR_NOTFOUND;
}

/* A tunnel gives head and body of the answer, and ends. */
static int
tunnel_start(struct exchange *x, const struct http_message *head)
{
    return ask(x, head);
}

static ssize_t
tunnel_read(struct exchange *x, void *buf, size_t n)
{
    struct trial_exchange *t = of(x);
    struct span head = t->answer->head, body = t->answer->body;
    struct span part = t->sent < head.len
                         ? span_of(head.ptr + t->sent, head.len - t->sent)
                         : span_of(body.ptr + (t->sent - head.len), body.len - (t->sent - head.len));
    size_t k = part.len < n ? part.len : n;
    if (k > 0)
        memcpy(buf, part.ptr, k);
    t->sent += k;
    return (ssize_t)k;
}

static ssize_t
tunnel_write(struct exchange *x, const struct iovec *iov, int n)
{
    ssize_t taken = 0;
    for (int i = 0; i < n; i++)
        taken += (ssize_t)iov[i].iov_len;
    return taken;
}

static void
tunnel_shut(struct exchange *x)
{
}

static void
interrupt(struct exchange *x)
{
    of(x)->interrupted = true;
    if (of(x)->waiting != NULL)
        fiber_wake(of(x)->waiting);
}

static bool
end(struct exchange *x, bool keep)
{
    free(of(x));
    return keep;
}

static const struct exchange_ops ops = {
    .send_head = send_head,
    .send_body = send_body,
    .recv_head = recv_head,
    .recv_wait = recv_wait,
    .recv_poll = recv_poll,
    .recv_body = recv_body,
    .recv_trailers = recv_trailers,
    .tunnel_start = tunnel_start,
    .tunnel_read = tunnel_read,
    .tunnel_write = tunnel_write,
    .tunnel_shut = tunnel_shut,
    .interrupt = interrupt,
    .end = end,
};

int
origin_open(const struct exchange_wants *w, struct exchange **out)
{
    if (!director_healthy(backend_director(w->backend), NULL))
        return ERR_SICK;
    struct trial_exchange *t = mem_zalloc(sizeof *t);
    t->x.ops = &ops;
    t->x.backend = w->backend;
    t->x.close_why = CLOSE_RESP_CLOSE;
    t->arena = w->arena;
    *out = &t->x;
    return 0;
}
