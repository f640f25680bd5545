/* A hit of a partial object. Before its response begins, the origin must confirm the version of the first
 * hole. A new version is then mostly noticed while the request can still look up again, so that no response
 * has to break off. */
#include "base/check.h"
#include "base/params.h"
#include "cache/freshness.h"
#include "http/range_set.h"
#include "loop/fiber.h"
#include "proxy/parts/part.h"
#include "proxy/request_log.h"
#include "proxy/request_steps.h"
#include "proxy/respond/respond.h"
#include "proxy/server.h"

struct hole_wait {
    struct hole_watch watch;
    struct fiber *fiber;
};

/* ---- what the response needs ---- */

/* The ranges that a GET needs, as far as known before vcl_deliver. False: the response needs no content. */
static bool
wanted(struct request *r, uint64_t total, struct range_set *out)
{
    struct http_message m;
    struct span field = message_get(&r->req, NAME_RANGE);
    if (r->is_head || message_init(&m, &r->arena, object_fields(r->object)) != 0 ||
        object_head_load(r->object, &m) != 0 ||
        conditional_check(&r->req, &m, r->rfc9111) == CONDITIONAL_NOT_MODIFIED)
        return false;
    bool ranged = field.ptr != NULL && params.http_range_support && respond_if_range_holds(&r->req, &m);
    int n = ranged ? range_set_parse(field, (int64_t)total, respond_ranges_max(r), out) : 0;
    if (n == 0)
        *out = (struct range_set){ .n = 1, .ranges = { { 0, total - 1 } } };
    return n >= 0;
}

/* Finds the first range that is not fully stored, and its state. */
static enum body_sight
look(const struct body *b, const struct range_set *set, const struct byte_range **at, struct body_gap *gap)
{
    DEBUG_CHECK(set->n > 0);
    enum body_sight sight = SIGHT_THERE;
    for (unsigned i = 0; i < set->n && sight == SIGHT_THERE; i++) {
        *at = &set->ranges[i];
        sight = body_look(b, (*at)->first, (*at)->last + 1, gap);
    }
    return sight;
}

/* ---- waiting ---- */

static void
moved(struct hole_watch *w)
{
    fiber_wake(container_of(w, struct hole_wait, watch)->fiber);
}

/* The fetch that this request waited for has failed. Another fetch would make the request wait as long
 * again. */
static bool
has_failed(const struct body_gap *waited, const struct body_gap *now)
{
    return waited->extent == now->extent && waited->failures != now->failures;
}

/* Waits until the claiming fetch of the first hole has heard from the origin. */
static void
wait_for_origin(struct request *r, const struct body *b, const struct byte_range *range,
                const struct body_gap *gap)
{
    CHECK(r->fiber != NULL);
    struct hole_wait wait = { .fiber = r->fiber };
    struct body_gap now;
    hole_watch(b, &wait.watch, r->loop, moved);
    while (body_look(b, range->first, range->last + 1, &now) == SIGHT_CLAIMED && !has_failed(gap, &now) &&
           !r->stream->broken) {
        request_watch_client(r);
        fiber_park();
        request_unwatch_client(r);
    }
    hole_unwatch(&wait.watch);
}

/* ---- the step ---- */

static void
leave_object(struct request *r)
{
    CHECK(r->object != NULL && r->busy == NULL);
    object_release(&r->object);
    hole_leave(&r->hole);
    r->vars.found = FOUND_NOTHING;
}

/* Drops the object: its holes will not be filled any more. */
static enum request_step
look_up_again(struct request *r)
{
    store_drop(r->server->env->store, r->object);
    leave_object(r);
    r->changes++;
    log_text(r->ctx.log, TAG_NOTICE,
             SPAN_LIT("vsl: The origin has another version of a partial object: look-up again"));
    return REQUEST_STEP_LOOKUP;
}

static enum request_step
fail_part(struct request *r)
{
    leave_object(r);
    return request_synth(r, 503, SPAN_LIT("Service Unavailable"));
}

/* The origin refuses the stored content to this request: pass, so that only this client sees the refusal. */
static enum request_step
pass_instead(struct request *r)
{
    leave_object(r);
    log_text(r->ctx.log, TAG_NOTICE,
             SPAN_LIT("vsl: The origin refused to fill a hole of a partial object: pass"));
    return REQUEST_STEP_PASS;
}

/* Fetches the first hole, which no other fetch has claimed. A request does this once. */
static bool
try_hole(struct request *r, uint64_t hole, uint64_t end)
{
    CHECK(hole < end);
    int err = r->hole != NULL ? ERR_SICK : hole_fetch(r, r->object, hole, end, &r->hole);
    return err == 0 || err == ERR_BUSY;
}

static bool
is_refused(const struct request *r)
{
    return r->hole != NULL && r->hole->state == HOLE_REFUSED;
}

static bool
has_confirmation(const struct request *r)
{
    return r->hole != NULL && r->hole->state != HOLE_FAILED;
}

enum request_step
request_step_parts(struct request *r)
{
    CHECK(r->object != NULL && r->busy == NULL && r->stale == NULL && r->hole == NULL);
    const struct body *b = &r->object->body;
    struct body_gap gap, waited = { .extent = UINT32_MAX };
    struct range_set set;
    const struct byte_range *range;
    if (!wanted(r, body_bytes(b), &set))
        return REQUEST_STEP_DELIVER;
    for (;;) {
        enum body_sight sight = look(b, &set, &range, &gap);
        bool missing = sight == SIGHT_CLAIMED || sight == SIGHT_HOLE;
        if (missing && is_refused(r))
            return pass_instead(r);
        if (missing && has_failed(&waited, &gap))
            return fail_part(r);
        switch (sight) {
        case SIGHT_THERE:
        case SIGHT_COMING: return REQUEST_STEP_DELIVER;
        case SIGHT_CLAIMED:
            waited = gap;
            wait_for_origin(r, b, range, &gap);
            if (r->stream->broken)
                return REQUEST_STEP_GONE;
            break;
        case SIGHT_GONE: return look_up_again(r);
        case SIGHT_HOLE:
            if (has_confirmation(r))
                return REQUEST_STEP_DELIVER;
            if (!try_hole(r, gap.at, range->last + 1))
                return fail_part(r);
            break;
        }
    }
}
