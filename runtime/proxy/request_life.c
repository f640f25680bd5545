/* Begins and ends requests: memory for a head, the transaction in the log, the fiber, and back. See
 * request_life.h. */
#include "proxy/request_life.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/esi_parse.h"
#include "loop/fiber.h"
#include "proxy/request.h"
#include "proxy/request_log.h"
#include "proxy/request_prepare.h"
#include "proxy/server.h"
#include "stream/session.h"

#define REQUESTS_KEPT 64 /* recycled request structs per loop */

static void serve(struct request *r);
static int begin_include(struct request *page, const struct esi_include *what, bool packed, struct stream *s);

/* ---- memory ---- */

/* Zeroed, but for the source of its delivery. NULL: no memory. */
static struct request *
take(struct server *s)
{
    struct list *l = list_pop_front(&s->free_requests);
    if (l == NULL)
        return calloc(1, sizeof(struct request));
    s->n_free_requests--;
    struct request *r = container_of(l, struct request, link);
    mem_zero(r, offsetof(struct request, delivery.own));
    return r;
}

static void
give(struct server *s, struct request *r)
{
    DEBUG_CHECK(r->object == NULL && r->stale == NULL && r->busy == NULL && r->hole == NULL);
    DEBUG_CHECK(r->policy == NULL && r->first_policy == NULL && r->fetching == NULL && r->body.cache == NULL);
    if (s->n_free_requests >= REQUESTS_KEPT) {
        free(r);
        return;
    }
    list_push_front(&s->free_requests, &r->link);
    s->n_free_requests++;
}

void
request_recycled_release(struct server *s)
{
    for (struct list *l; (l = list_pop_front(&s->free_requests)) != NULL;)
        free(container_of(l, struct request, link));
    s->n_free_requests = 0;
}

/* ---- the end ---- */

/* Every request ends here: served, refused, or without a complete head. The stream still exists. */
static void
end(struct request *r)
{
    struct server *s = r->server;
    CHECK(r->stream->waiter == NULL && r->stream->user == &r->user);
    request_release(r);
    /* "Resp" is the time when the kernel had all bytes, maybe before the stream released them */
    if (r->fiber != NULL && r->route != ROUTE_PIPE)
        request_log_stamp_at(r, SPAN_LIT("Resp"), r->delivery.sent != 0 ? r->delivery.sent : clock_real_ns());
    request_forget_overflow(r);
    request_log_end(r);
    r->stream->user = NULL;
    s->counters->req_live--;
    arena_release(&r->arena);
    give(s, r);
}

/* Timeouts set by a policy stay in force for the session, until a policy sets others. */
static void
keep_timeouts(const struct request *r)
{
    const struct client_vars *v = &r->vars;
    r->stream->session->timeouts = (struct session_timeouts){
        .idle = (float)v->timeout_idle,
        .linger = (float)v->timeout_linger,
        .idle_send = (float)v->idle_send_timeout,
        .send = (float)v->send_timeout,
    };
}

/* Returns the next request of the session that its protocol has ready, or NULL. */
static struct request *
finish(struct request *r)
{
    DEBUG_CHECK(loop_may_use(r->loop));
    struct stream *stream = r->stream;
    if (r->ctx.client != NULL)
        keep_timeouts(r);
    end(r);
    struct stream_user *next = stream->ops->done(stream);
    return next == NULL ? NULL : request_of_user(next);
}

static void
discard(struct stream_user *u)
{
    end(request_of_user(u));
}

/* Ends the request after a delivery or a pipe that went on without the fiber. */
static void
handed_over(struct request *r)
{
    struct request *next = finish(r);
    if (next != NULL)
        serve(next);
}

/* ---- the beginning ---- */

static struct stream_user *
open_request(struct service *sv, struct stream *stream)
{
    DEBUG_CHECK(loop_may_use(sv->loop));
    struct server *s = container_of(sv, struct server, service);
    struct request *r = take(s);
    if (r == NULL)
        return NULL;
    arena_init(&r->arena, params.workspace_client_bytes);
    r->arena.limit_name = "workspace_client";
    if (message_init(&r->req, &r->arena, message_room(params.http_max_hdr, 0)) != 0) {
        arena_release(&r->arena);
        give(s, r);
        return NULL;
    }
    r->stream = stream;
    r->server = s;
    r->loop = sv->loop;
    r->handed_over = handed_over;
    r->begin_include = begin_include;
    r->place.tell = request_tell;
    r->user = (struct stream_user){ .arena = &r->arena, .head = &r->req, .log = &r->log };
    s->counters->req_live++;
    return &r->user;
}

static void
begin(struct stream_user *u, nsec first, nsec complete)
{
    struct request *r = request_of_user(u);
    CHECK(r->log.id == 0 && r->policy == NULL);
    request_log_begin(r, first, complete);
}

static void
log_head(struct stream_user *u)
{
    request_log_head(request_of_user(u));
}

/* Serves requests of a session until none is ready: HTTP/1 serves pipelined ones in order. */
static void
serve_fiber(void *arg)
{
    struct request *r = arg;
    while (r != NULL) {
        DEBUG_CHECK(loop_is_current(r->loop) && r->stream->user == &r->user);
        r->fiber = fiber_current();
        check_here = &r->place;
        r->body.content = r->stream->content;
        request_enter_policy(r);
        if (request_run(r) == REQUEST_HANDED)
            return;
        check_here = NULL;
        r = finish(r);
        if (r != NULL)
            fiber_yield_if_due(); /* many pipelined requests must not hold the loop */
    }
}

static void
serve(struct request *r)
{
    CHECK(r->stream->user == &r->user && r->fiber == NULL);
    if (fiber_spawn(r->loop, serve_fiber, r) == 0)
        return;
    r->server->counters->fibers_limited++;
    r->server->counters->req_dropped++;
    r->stream->ops->refuse(r->stream, STREAM_REFUSED);
}

static void
serve_user(struct stream_user *u)
{
    serve(request_of_user(u));
}

/* ---- ESI includes ---- */

/* An include begins with the request that the client sent, without the changes of the policy, as in Varnish.
 * Conditions and ranges concern the page only, and the request body was handled with the page. */
static int
include_head(struct http_message *m, const struct request *page, const struct esi_include *what, bool packed)
{
    static const name_id not_copied[] = {
        NAME_IF_MODIFIED_SINCE,   NAME_IF_NONE_MATCH,  NAME_RANGE,
        NAME_IF_UNMODIFIED_SINCE, NAME_IF_MATCH,       NAME_IF_RANGE,
        NAME_REQUEST_RANGE,       NAME_A_IM,           NAME_UNLESS_MODIFIED_SINCE,
        NAME_ACCEPT_ENCODING,     NAME_CONTENT_LENGTH, NAME_TRANSFER_ENCODING,
    };
    const struct http_message *sent = page->vars.req_original != NULL ? page->vars.req_original : &page->req;
    int err = message_copy(m, sent);
    m->url = what->target;
    m->method = SPAN_LIT("GET");
    m->proto = SPAN_LIT("HTTP/1.1");
    m->minor = 1;
    message_log_start_line(m);
    if (err == 0 && what->host.ptr != NULL)
        err = message_set(m, NAME_HOST, SPAN_NULL, what->host);
    for (size_t i = 0; i < sizeof not_copied / sizeof *not_copied; i++)
        message_unset(m, not_copied[i], SPAN_NULL);
    if (err == 0 && packed)
        err = message_set(m, NAME_ACCEPT_ENCODING, SPAN_NULL, SPAN_LIT("gzip"));
    return err;
}

static int
begin_include(struct request *page, const struct esi_include *what, bool packed, struct stream *s)
{
    DEBUG_CHECK(s->user == NULL && s->session == page->stream->session);
    s->user = open_request(&page->server->service, s);
    if (s->user == NULL)
        return ERR_NOMEM;
    struct request *r = request_of_user(s->user);
    r->page = page;
    request_log_begin_include(r);
    r->req.log = &r->log;
    r->req.log_family = TAG_REQ;
    if (include_head(&r->req, page, what, packed) != 0)
        r->req.failed = true;
    r->server->counters->esi_req++;
    serve(r);
    return 0;
}

static uint64_t
next_xid(struct service *sv)
{
    return server_xid(container_of(sv, struct server, service));
}

const struct service_ops request_service = {
    .open = open_request,
    .begin = begin,
    .log_head = log_head,
    .serve = serve_user,
    .discard = discard,
    .next_xid = next_xid,
};
