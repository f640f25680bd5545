/* The steps of a request from the look-up to the fetch: hit, miss, pass, and waiting for other requests and
 * for origins. See request.c. */
#include "base/check.h"
#include "base/params.h"
#include "cache/freshness.h"
#include "loop/fiber.h"
#include "proxy/bereq.h"
#include "proxy/rfc9111/cache_status.h"
#include "proxy/fetch.h"
#include "proxy/parts/hole.h"
#include "proxy/reason/reason.h"
#include "proxy/rfc9111/invalidate.h"
#include "proxy/request_log.h"
#include "proxy/request_steps.h"
#include "proxy/respond/respond.h"
#include "proxy/server.h"

/* ---- look-up ---- */

static void
waiter_called(struct store_waiter *w)
{
    struct request *r = container_of(w, struct request, waiter);
    DEBUG_CHECK(loop_may_use(r->loop) && !r->woken);
    r->woken = true;
    fiber_wake(r->fiber);
}

static void
client_left(struct stream_waiter *w)
{
    fiber_wake(container_of(w, struct request, waiting)->fiber);
}

void
request_watch_client(struct request *r)
{
    CHECK(r->stream->waiter == NULL);
    r->waiting.on_reset = client_left;
    r->stream->waiter = &r->waiting;
}

void
request_unwatch_client(struct request *r)
{
    CHECK(r->stream->waiter == &r->waiting);
    r->stream->waiter = NULL;
}

/* Waits until the fetch of another request has published. False: busy_wait_timeout is over, or the client has
 * left. */
static bool
wait_for_busy(struct request *r)
{
    DEBUG_CHECK(r->fiber == fiber_current());
    struct counters *n = r->server->counters;
    nsec deadline = nsec_add(loop_now(r->loop), nsec_of(params.busy_wait_timeout_s));
    int err = 0;
    n->busy_sleep++;
    request_watch_client(r);
    while (!r->woken && err == 0)
        err = r->stream->broken ? ERR_RESET : fiber_park_until(deadline);
    request_unwatch_client(r);
    if (!r->woken)
        store_unwait(r->server->env->store, &r->waiter);
    n->busy_killed += !r->woken && err == ERR_TIMEOUT;
    n->busy_wakeup += r->woken;
    return r->woken;
}

static nsec
limit_of(double s)
{
    return s < 0 ? -1 : nsec_of(s);
}

/* Freshness is judged at the time the request arrived, not at the time of this look-up, so that waiting never
 * turns a hit into a miss. LOOKUP_WAIT: the client left while the request waited, or the request may not
 * wait. */
static enum lookup_result
look_up(struct request *r, struct lookup *l)
{
    bool patient = !r->demand.only_if_cached && !r->demand.no_cache, waited = false;
    for (;;) {
        r->waiter.loop = r->loop;
        r->waiter.fn = waiter_called;
        r->woken = false;
        *l = (struct lookup){
            .key = &r->vars.key,
            .request = &r->req,
            .now = r->start,
            .grace_limit = limit_of(r->vars.grace_limit),
            .ttl_limit = limit_of(r->vars.ttl_limit),
            /* Purges reach the process that has taken over, and not this one. */
            .always_miss = r->vars.hash_always_miss || r->changes >= REQUEST_CHANGES_MAX ||
                           r->server->service.retiring,
            .ignore_busy = r->vars.hash_ignore_busy || !patient,
            .ignore_vary = r->vars.hash_ignore_vary,
            .waiter = patient ? &r->waiter : NULL,
            .demand = r->demand.any ? &r->demand : NULL,
            .rfc9111 = r->rfc9111,
            .explain = log_wants_reasons(),
            .log = r->ctx.log,
        };
        enum lookup_result found = store_lookup(r->server->env->store, l);
        if (found != LOOKUP_WAIT) {
            if (waited)
                request_log_stamp(r, "Waitinglist");
            return found;
        }
        DEBUG_CHECK(l->object == NULL && l->busy == NULL);
        if (!fetch_may_wait(r)) {
            store_unwait(r->server->env->store, &r->waiter);
            return LOOKUP_WAIT;
        }
        waited = true;
        patient = wait_for_busy(r);
        if (r->stream->broken)
            return LOOKUP_WAIT;
    }
}

/* With only-if-cached the client forbids a fetch, with no-store that its response is stored (RFC 9111,
 * 5.2.1). */
static enum request_step
refuse_miss(struct request *r, enum request_step next)
{
    if ((next != REQUEST_STEP_MISS && next != REQUEST_STEP_PASS) ||
        !(r->demand.only_if_cached || r->demand.no_store))
        return next;
    request_withdraw_busy(r);
    object_release(&r->stale);
    return r->demand.only_if_cached ? request_synth(r, 504, SPAN_NULL) : REQUEST_STEP_PASS;
}

static enum request_step
step_of_result(struct request *r, enum lookup_result found, const struct lookup *looked)
{
    DEBUG_CHECK(request_holds_nothing(r));
    struct counters *n = r->server->counters;
    struct lookup l = *looked;
    r->busy = found == LOOKUP_WAIT ? NULL : l.busy;
    r->forwarded = (uint8_t)forward_reason_of(&r->demand, &l);
    reason_of_lookup(r, found, &l);
    switch (found) {
    case LOOKUP_HIT:
    case LOOKUP_HIT_GRACE:
    case LOOKUP_HIT_GRACE_FETCH:
        r->object = l.object;
        r->vars.found = found == LOOKUP_HIT ? FOUND_FRESH : FOUND_STALE;
        request_log_hit(r, r->object);
        store_touch(r->object);
        return REQUEST_STEP_HIT;
    case LOOKUP_MISS: r->stale = l.object; return REQUEST_STEP_MISS;
    case LOOKUP_HIT_FOR_MISS:
        DEBUG_CHECK(l.object->flags & OBJECT_HIT_FOR_MISS);
        request_log_marker(r, TAG_HIT_MISS, l.object);
        object_release(&l.object);
        r->vars.found = FOUND_HIT_FOR_MISS;
        n->cache_hitmiss++;
        return REQUEST_STEP_MISS;
    case LOOKUP_HIT_FOR_PASS:
        DEBUG_CHECK(l.object->flags & OBJECT_HIT_FOR_PASS);
        request_log_marker(r, TAG_HIT_PASS, l.object);
        object_release(&l.object);
        r->vars.found = FOUND_HIT_FOR_PASS;
        n->cache_hitpass++;
        return REQUEST_STEP_PASS;
    case LOOKUP_FULL: return request_synth(r, 503, SPAN_LIT("Cache memory is full"));
    case LOOKUP_WAIT:
        return r->stream->broken ? REQUEST_STEP_GONE
                                 : request_synth(r, 503, SPAN_LIT("Too many requests wait"));
    }
    WRONG("lookup result");
}

enum request_step
request_step_lookup(struct request *r)
{
    struct lookup l;
    CHECK(request_holds_nothing(r));
    hole_leave(&r->hole); /* left from a look-up before a restart */
    r->demand = (struct rfc9111_demand){ .age_max = -1, .fresh_min = -1, .stale_max = -1 };
    if (r->rfc9111 && !message_lacks(&r->req, NAME_CACHE_CONTROL))
        rfc9111_demand_of(&r->req, &r->demand);
    enum lookup_result found = look_up(r, &l);
    return refuse_miss(r, step_of_result(r, found, &l));
}

void
request_withdraw_busy(struct request *r)
{
    if (r->busy == NULL)
        return;
    store_withdraw(r->server->env->store, r->busy);
    object_release(&r->busy);
}

static void
fetch_moved(struct watch *w)
{
    fiber_wake(container_of(w, struct request, watch)->fiber);
}

/* False: the client has left. A request whose body the fetch sends must stay until the body is sent; the
 * fetch notices a lost client itself. */
static bool
wait_until(struct request *r, enum object_state state)
{
    bool may_leave = r->body.content.kind == CONTENT_NONE;
    CHECK(r->busy != NULL);
    DEBUG_CHECK(r->fiber == fiber_current() && (state == OBJECT_REQ_DONE || state == OBJECT_STREAMING));
    object_watch(r->busy, &r->watch, r->loop, fetch_moved);
    while (object_state(r->busy) < state && !(may_leave && r->stream->broken)) {
        if (r->interim.first != NULL) {
            interim_send(r); /* may wait for the client, so check the state again */
            continue;
        }
        request_watch_client(r);
        fiber_park();
        request_unwatch_client(r);
    }
    interim_send(r);
    object_unwatch(&r->watch);
    return object_state(r->busy) >= state;
}

static void
refresh_in_background(struct request *r)
{
    CHECK(r->object != NULL);
    if (r->busy == NULL)
        return;
    /* With no-store the response must not be stored */
    if (r->demand.no_store || fetch_start(r, FETCH_BACKGROUND, r->busy, r->object) != 0) {
        request_withdraw_busy(r);
        return;
    }
    r->server->counters->s_bgfetch++;
    if (r->body.content.kind != CONTENT_NONE)
        (void)wait_until(r, OBJECT_REQ_DONE); /* the fetch reads the body of this request */
    object_release(&r->busy);
}

/* The policy chose an action that does not use the result of the look-up. */
static enum request_step
leave_lookup(struct request *r, enum vcl_action action)
{
    CHECK(action != ACTION_DELIVER);
    if (action == ACTION_PASS)
        reason_of_action(r, action);
    request_withdraw_busy(r);
    object_release(&r->object);
    object_release(&r->stale);
    return action == ACTION_PASS ? REQUEST_STEP_PASS : request_exit_step(r, action);
}

enum request_step
request_step_hit(struct request *r)
{
    struct counters *n = r->server->counters;
    CHECK(r->object != NULL && r->stale == NULL && r->hole == NULL);
    if (respond_show_object(r) != 0)
        return leave_lookup(r, ACTION_FAIL);
    enum vcl_action action = request_hook(r, HOOK_HIT);
    r->ctx.msg[MSG_OBJ] = NULL;
    if (action == ACTION_DELIVER || action == ACTION_PASS)
        n->cache_hit++;
    else
        r->vars.found = FOUND_NOTHING;
    if (action != ACTION_DELIVER)
        return leave_lookup(r, action);
    n->cache_hit_grace += r->vars.found == FOUND_STALE;
    refresh_in_background(r);
    return object_is_partial(r->object) ? request_step_parts(r) : REQUEST_STEP_DELIVER;
}

/* ---- fetching ---- */

/* Returns the stale response, with its reference, if it may answer after a failed fetch (RFC 9111, 4.2.4; RFC
 * 5861). Otherwise NULL. */
static struct object *
stale_answer(struct request *r)
{
    CHECK(object_state(r->busy) == OBJECT_FAILED);
    struct object *o = r->stale;
    bool may = r->rfc9111 && o != NULL && object_state(o) == OBJECT_COMPLETE &&
               rfc9111_takes_stale(&r->demand) && rfc9111_stale_if_away(o, loop_real(r->loop));
    if (may)
        r->stale = NULL;
    return may ? o : NULL;
}

/* Waits until the fetch publishes: with the head, or with the whole body if the policy turned streaming
 * off. */
static enum request_step
wait_for_head(struct request *r)
{
    CHECK(r->object == NULL);
    bool there = wait_until(r, OBJECT_STREAMING);
    fetch_leave(r);
    struct object *fallback = there && object_state(r->busy) == OBJECT_FAILED ? stale_answer(r) : NULL;
    object_release(&r->stale);
    if (fallback != NULL) {
        object_release(&r->busy);
        r->object = fallback;
        r->vars.found = FOUND_STALE;
        return REQUEST_STEP_DELIVER;
    }
    if (!there) { /* the fetch keeps its own reference, and others may use its response */
        object_release(&r->busy);
        return REQUEST_STEP_GONE;
    }
    request_log_stamp(r, "Fetch");
    /* No byte was sent yet: a clean error beats a cut response */
    if (object_state(r->busy) == OBJECT_FAILED) {
        object_release(&r->busy);
        return request_synth(r, 503, SPAN_LIT("Service Unavailable"));
    }
    r->object = r->busy;
    r->busy = NULL;
    if (r->route == ROUTE_PASS)
        request_invalidate(r);
    return REQUEST_STEP_DELIVER;
}

static enum request_step
start_fetch(struct request *r, enum fetch_kind kind)
{
    DEBUG_CHECK(r->object == NULL && r->busy != NULL && (kind == FETCH_MISS || kind == FETCH_PASS));
    if (fetch_start(r, kind, r->busy, r->stale) == 0)
        return wait_for_head(r);
    request_withdraw_busy(r);
    object_release(&r->stale);
    return request_synth(r, 503, SPAN_LIT("Too many fetches"));
}

enum request_step
request_step_miss(struct request *r)
{
    CHECK(r->object == NULL && r->busy != NULL && r->hole == NULL);
    enum vcl_action action = request_hook(r, HOOK_MISS);
    if (action != ACTION_FETCH)
        return leave_lookup(r, action);
    r->server->counters->cache_miss++;
    return start_fetch(r, FETCH_MISS);
}

/* The response to a POST may answer later GETs (RFC 9110, 9.3.3). So it is fetched into an indexed object,
 * for which no other request waits. fetch_store.c withdraws the object if the origin does not allow the
 * reuse. False: this request cannot do so. */
static bool
start_reusable_post(struct request *r)
{
    CHECK(r->busy == NULL);
    if (!r->rfc9111 || !span_eq(r->req.method, SPAN_LIT("POST")) || r->vars.found == FOUND_HIT_FOR_PASS)
        return false;
    struct lookup l = {
        .key = &r->vars.key,
        .request = &r->req,
        .now = r->start,
        .grace_limit = -1,
        .ttl_limit = -1,
        .always_miss = true,
        .ignore_busy = true,
        .no_wait = true,
        .rfc9111 = true,
        .log = r->ctx.log,
    };
    if (store_lookup(r->server->env->store, &l) != LOOKUP_MISS)
        return false;
    DEBUG_CHECK(l.object == NULL);
    r->busy = l.busy;
    return true;
}

enum request_step
request_step_pass(struct request *r)
{
    CHECK(request_holds_nothing(r));
    if (bereq_forwards_left(&r->req) == 0)
        return request_answer_here(r);
    r->route = ROUTE_PASS;
    enum vcl_action action = request_hook(r, HOOK_PASS);
    if (action != ACTION_FETCH)
        return request_exit_step(r, action);
    if (r->body.started && r->body.cached.ptr == NULL && r->body.content.kind != CONTENT_NONE)
        return request_synth(r, 503, SPAN_LIT("Request body is gone"));
    if (!start_reusable_post(r) &&
        object_new(store_transient(r->server->env->store), OBJECT_PRIVATE, &r->busy) != 0)
        return request_synth(r, 503, SPAN_LIT("Cache memory is full"));
    r->server->counters->s_pass++;
    return start_fetch(r, FETCH_PASS);
}
