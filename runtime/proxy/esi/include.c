/* The stream of a sub-request: see include.h. */
#include "proxy/esi/include.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "proxy/request_state.h"
#include "stream/session.h"

static void
wake_page(struct include *i)
{
    DEBUG_CHECK(loop_may_use(i->page->loop));
    timer_set(i->page->loop, i->wake, loop_now(i->page->loop));
}

/* ---- the sub-request's side ---- */

static int
send_interim(struct stream *s, unsigned status, const struct http_message *head, nsec deadline)
{
    return 0;
}

/* Ends the include after an error that must not stand in the page (onerror). */
static int
send_head(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body)
{
    bool is_error = head->status != 200 && head->status != 204;
    return head->failed || (is_error && include_of_stream(s)->must) ? ERR_RESET : 0;
}

static void
send_failure(struct stream *s)
{
    include_of_stream(s)->failed = true;
}

static ssize_t
send_body(struct stream *s, const struct iovec *iov, int n, bool last)
{
    struct include *i = include_of_stream(s);
    DEBUG_CHECK(!i->over && n >= 0);
    if (s->broken)
        return ERR_RESET;
    if (!include_is_empty(i))
        return ERR_AGAIN;
    int takes = n < INCLUDE_IOV_MAX ? n : INCLUDE_IOV_MAX;
    size_t taken = 0;
    i->first = i->n = 0;
    for (int k = 0; k < takes; k++) {
        i->iov[i->n++] = iov[k];
        taken += iov[k].iov_len;
    }
    i->last = last && takes == n;
    s->taken += taken;
    wake_page(i);
    return (ssize_t)taken;
}

static int
send_trailers(struct stream *s, const struct http_message *trailers)
{
    return ERR_NOTFOUND;
}

static ssize_t
recv_body(struct stream *s, void *buf, size_t n, nsec deadline)
{
    return 0;
}

static bool
body_unread(const struct stream *s)
{
    return false;
}

static void
head_unused(struct stream *s)
{
}

/* Is it the turn of this include, at all levels, so that the client waits for it? */
static bool
has_turn(const struct include *i)
{
    while (i->has_turn && i->page->page != NULL)
        i = include_of_stream(i->page->stream);
    return i->has_turn;
}

/* A client that is too slow for an include is too slow for its page. But an include that waits for earlier
 * ones does not wait for the client. */
static void
reset(struct stream *s, enum stream_why why)
{
    struct include *i = include_of_stream(s);
    struct stream *client = i->page->stream;
    bool slow = why == STREAM_SLOW || why == STREAM_IDLE;
    if (slow && !has_turn(i))
        return;
    s->broken = true;
    i->failed = true;
    if (slow)
        client->ops->reset(client, why);
}

static struct stream_user *
done(struct stream *s)
{
    struct include *i = include_of_stream(s);
    DEBUG_CHECK(!i->over);
    i->failed |= !i->last;
    i->last = i->over = true;
    wake_page(i);
    return NULL;
}

static void
refuse(struct stream *s, enum stream_why why)
{
    struct include *i = include_of_stream(s);
    i->failed = true;
    s->session->service->ops->discard(s->user);
    (void)done(s);
}

static const struct stream_ops ops = {
    .send_interim = send_interim,
    .send_head = send_head,
    .send_failure = send_failure,
    .send_body = send_body,
    .send_trailers = send_trailers,
    .recv_body = recv_body,
    .body_unread = body_unread,
    .head_unused = head_unused,
    .reset = reset,
    .refuse = refuse,
    .done = done,
};

/* ---- the page's side ---- */

bool
include_must(const struct esi_include *what)
{
    return (params.features & FEATURE_ESI_INCLUDE_ONERROR) != 0 && !what->onerror_continue;
}

struct include *
include_start(struct request *page, const struct esi_include *what, bool packed, struct timer *wake)
{
    struct include *i = calloc(1, sizeof *i);
    if (i == NULL)
        return NULL;
    const struct stream *client = page->stream;
    i->page = page;
    i->wake = wake;
    i->packed = packed;
    i->must = include_must(what);
    i->stream.ops = &ops;
    i->stream.session = client->session;
    i->stream.proto = SPAN_LIT("HTTP/1.1");
    i->stream.transport = SPAN_LIT("ESI_INCLUDE");
    i->stream.urgency = client->urgency;
    i->stream.incremental = client->incremental;
    if (page->begin_include(page, what, packed, &i->stream) == 0)
        return i;
    free(i);
    return NULL;
}

void
include_release(struct include **ip)
{
    struct include *i = *ip;
    *ip = NULL;
    CHECK(i->over);
    free(i);
}

void
include_cancel(struct include *i)
{
    if (!i->over && !i->stream.broken)
        stream_break(&i->stream);
}

int
include_gather(const struct include *i, struct iovec *iov, int max, size_t most)
{
    int n = 0;
    for (unsigned k = i->first; k < i->n && n < max && most > 0; k++) {
        iov[n] = i->iov[k];
        iov[n].iov_len = iov[n].iov_len < most ? iov[n].iov_len : most;
        most -= iov[n++].iov_len;
    }
    return n;
}

void
include_take(struct include *i, size_t n)
{
    while (n > 0) {
        struct iovec *v = &i->iov[i->first];
        CHECK(i->first < i->n);
        size_t k = n < v->iov_len ? n : v->iov_len;
        v->iov_base = (char *)v->iov_base + k;
        v->iov_len -= k;
        n -= k;
        i->first += v->iov_len == 0;
    }
}

void
include_released(struct include *i, size_t n)
{
    struct stream *s = &i->stream;
    if (i->over)
        return;
    DEBUG_CHECK(s->released + n <= s->taken);
    s->released += n;
    if (s->waiter != NULL && s->waiter->on_released != NULL)
        s->waiter->on_released(s->waiter);
    if (!i->over && !i->last && include_is_empty(i))
        stream_turn(s, SIZE_MAX);
}
