/* Fetches that fill holes of partial objects: vcl_backend_fetch, one exchange, and the bytes into the
 * segments. The bytes are stored only if the validator of the response is that of the stored version; the
 * head is dropped. On a fiber of its own. See part.h. */
#include "base/check.h"
#include "http/cache_control.h"
#include "http/fields.h"
#include "loop/fiber.h"
#include "proxy/fetch_internal.h"
#include "proxy/parts/part.h"

/* ---- the answer ---- */

static bool
is_the_part(const struct fetch *f)
{
    const struct fetch_part *p = f->part;
    struct byte_range got;
    uint64_t total;
    DEBUG_CHECK(p->claim.at < p->claim.end && f->exchange != NULL);
    if (f->beresp.status != 206 ||
        content_range_parse(message_get(&f->beresp, NAME_CONTENT_RANGE), &got, &total) != 0)
        return false;
    return got.first == p->claim.at && got.last == p->claim.end - 1 &&
           total == body_bytes(&p->object->body) && fetch_part_fits(f, got);
}

/* vcl_backend_response does not run for a response that fills a hole. So that response must not be more
 * personal than the one that the policy accepted. */
static bool
may_be_stored(const struct fetch *f)
{
    DEBUG_CHECK(object_is_partial(f->part->object));
    const struct body *b = &f->part->object->body;
    return is_version(&f->beresp, body_validator(b)) &&
           (body_is_personal(b) || !cache_control_is_personal(&f->beresp));
}

static bool
is_away(unsigned status)
{
    return status >= 500 || status == 408;
}

/* A refusal concerns this request only (credentials, a login, this client's rate) and says nothing about
 * the content. 301, 308, 404, 410 and 416 say that nobody gets this content here. */
static bool
is_refusal(unsigned status)
{
    bool moved = status >= 300 && status < 400 && status != 301 && status != 308;
    return moved || (status >= 400 && status < 500 && status != 404 && status != 410 && status != 416);
}

/* The origin has another version, or none, or does not send parts any more: drop the stored object, so that
 * the next look-up fetches again. An origin in trouble, or a refusal of this request, changes nothing:
 * docs/partial-objects.md has the table. */
static int
give_up(struct fetch *f)
{
    DEBUG_CHECK(f->exchange != NULL && !f->part->trouble);
    fetch_cancel_exchange(f);
    f->part->trouble = is_away(f->beresp.status);
    if (f->part->trouble)
        return fetch_failed(f, ERR_SICK, "the origin cannot send a part now");
    if (is_refusal(f->beresp.status)) {
        hole_end(&f->part->hole, HOLE_REFUSED);
        return fetch_failed(f, ERR_CANCELLED, "the origin refused to send a part");
    }
    f->server->counters->partial_changed++;
    body_forsake(&f->part->object->body);
    store_drop(f->server->env->store, f->part->object);
    return fetch_failed(f, ERR_CANCELLED, "the origin has another version");
}

/* ---- the walk ---- */

/* Range and If-Range keep versions apart, so they are set again after the policy ran, which may have changed
 * them. */
static int
put_conditions(struct fetch *f)
{
    int err = message_set(&f->bereq, NAME_RANGE, SPAN_NULL, f->part->text);
    if (err == 0)
        err = message_set(&f->bereq, NAME_IF_RANGE, SPAN_NULL, body_validator(&f->part->object->body));
    return err;
}

int
fetch_hole_ask(struct fetch *f)
{
    CHECK(f->kind == FETCH_HOLE && f->part != NULL && f->part->object != NULL);
    int err = put_conditions(f);
    if (err == 0 && f->part->plain)
        err = message_set(&f->bereq, NAME_ACCEPT_ENCODING, SPAN_NULL, SPAN_LIT("identity"));
    return err;
}

static int
ask(struct fetch *f)
{
    DEBUG_CHECK(f->exchange == NULL && f->policy != NULL);
    f->vars.storage = object_storage(f->part->object);
    if (fetch_hook(f, HOOK_BACKEND_FETCH) != ACTION_FETCH)
        return fetch_failed(f, ERR_CANCELLED, "the policy did not fetch a part");
    if (put_conditions(f) != 0)
        return fetch_failed(f, ERR_NOMEM, "out of workspace");
    int err = fetch_exchange(f);
    f->part->trouble = err != 0;
    fetch_drop_policy(f);
    return err;
}

static void
fill(struct fetch *f)
{
    int err = ask(f);
    if (err == 0 && is_the_part(f) && may_be_stored(f)) {
        claim_confirm(&f->part->claim);
        err = fetch_part_receive(f, 0);
    } else if (err == 0) {
        err = give_up(f);
    }
    if (err == 0)
        log_timestamp(&f->log, "BerespBody", clock_real_ns());
    f->server->counters->fetch_failed += err != 0 && err != ERR_CANCELLED;
}

void
fetch_run_hole(void *arg)
{
    struct fetch *f = arg;
    f->fiber = fiber_current();
    CHECK(loop_is_current(f->loop) && f->fiber != NULL && f->part->claim.content != NULL);
    f->server->counters->partial_fetch++;
    fill(f);
    object_fail(f->busy);
    fetch_free(f);
}

/* ---- the beginning ---- */

static int
begin(struct request *r, struct object *o, struct hole_claim *claim, struct hole **out)
{
    struct object *busy = NULL;
    struct hole *hole = NULL;
    int err = hole_new(&hole);
    if (err == 0)
        err = object_new(store_transient(r->server->env->store), OBJECT_PRIVATE, &busy);
    if (err == 0)
        err = fetch_start_hole(r, o, busy, claim, hole);
    object_release(&busy);
    if (err == 0) {
        *out = hole;
        return 0;
    }
    struct hole *other = hole; /* no fetch took the other side */
    hole_end(&other, HOLE_FAILED);
    hole_leave(&hole);
    return err;
}

int
hole_fetch(struct request *r, struct object *o, uint64_t at, uint64_t end, struct hole **out)
{
    CHECK(at < end && *out == NULL);
    struct hole_claim claim;
    if (!hole_claim(&o->body, at, end, &claim))
        return ERR_BUSY;
    int err = begin(r, o, &claim, out);
    if (err != 0)
        claim_end(&claim);
    return err;
}
