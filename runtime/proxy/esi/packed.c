/* Includes of pages in gzip coding: see packed.h. */
#include "proxy/esi/packed.h"

#include "base/check.h"
#include "base/params.h"
#include "cache/store.h"
#include "filter/lists.h"
#include "loop/fiber.h"
#include "proxy/esi/include.h"
#include "proxy/request_state.h"
#include "proxy/server.h"
#include "proxy/source_filtered.h"

/* Limit of waiting for a body fetched for one request: its fetch stops when the request does not read */
#define WAIT_BYTES_MAX 32768u

bool
packed_into(const struct request *r)
{
    return r->page != NULL && include_of_stream(r->stream)->packed;
}

/* Do `filters` give gzip content that we made or checked ourselves? */
static bool
is_gzipped(const struct request *r, struct span filters)
{
    return r->object != NULL && object_form(r->object).gzipped && !filters_have(filters, SPAN_LIT("gunzip"));
}

struct gzip_sum *
packed_sum_of_page(struct request *r, struct span filters)
{
    return packed_into(r) && is_gzipped(r, filters) ? &include_of_stream(r->stream)->part.sum : NULL;
}

/* ---- waiting ---- */

static void
object_moved(struct watch *w)
{
    fiber_wake(container_of(w, struct request, watch)->fiber);
}

static void
client_left(struct stream_waiter *w)
{
    fiber_wake(container_of(w, struct request, waiting)->fiber);
}

static bool
may_wait(const struct object *o)
{
    size_t most = params.transit_buffer_bytes > 0 && params.transit_buffer_bytes < WAIT_BYTES_MAX
                    ? params.transit_buffer_bytes
                    : WAIT_BYTES_MAX;
    return !(object_is_transit(o) || object_has_left(o)) || object_body_pending(o) < most;
}

void
packed_wait(struct request *r)
{
    struct object *o = r->object;
    if (!packed_into(r) || !object_form(o).gzipped)
        return;
    DEBUG_CHECK(r->fiber == fiber_current() && object_state(o) >= OBJECT_STREAMING);
    object_watch(o, &r->watch, r->loop, object_moved);
    CHECK(r->stream->waiter == NULL);
    r->waiting.on_reset = client_left;
    r->stream->waiter = &r->waiting;
    while (object_state(o) < OBJECT_COMPLETE && may_wait(o) && !r->stream->broken)
        fiber_park();
    r->stream->waiter = NULL;
    object_unwatch(&r->watch);
}

/* ---- making the part ---- */

static int
put_around(struct request *r, struct span filter)
{
    DEBUG_CHECK(packed_into(r));
    struct filter_wants wants = { .log = &r->log,
                                  .side = FILTER_PART,
                                  .user = &include_of_stream(r->stream)->part };
    return source_filter(&r->delivery.source, filter, &wants, store_transient(r->server->env->store));
}

static int
unpack(struct request *r)
{
    struct filter_wants wants = { .log = &r->log, .side = FILTER_DELIVERY, .known = object_gzip(r->object) };
    return source_filter(&r->delivery.source, SPAN_LIT("gunzip"), &wants,
                         store_transient(r->server->env->store));
}

/* The gzip facts exist once the body is complete. Without them, unpack the body. */
static int
make_of_gzip(struct request *r)
{
    DEBUG_CHECK(object_form(r->object).gzipped && r->work != WORK_INCLUDES);
    struct gzip_part *part = &include_of_stream(r->stream)->part;
    const struct gzip_facts *facts = object_gzip(r->object);
    uint64_t bytes = body_bytes(&r->object->body);
    if (facts != NULL && stitch_fits(facts, bytes)) {
        part->facts = *facts;
        part->stored_bytes = bytes;
        return put_around(r, SPAN_LIT("part_gzip"));
    }
    int err = unpack(r);
    return err != 0 ? err : put_around(r, SPAN_LIT("part_plain"));
}

int
packed_wrap(struct request *r, struct span filters)
{
    if (!packed_into(r) || r->delivery.source == NULL)
        return 0;
    if (!is_gzipped(r, filters))
        return put_around(r, SPAN_LIT("part_plain"));
    return r->work == WORK_INCLUDES ? 0 : make_of_gzip(r);
}
