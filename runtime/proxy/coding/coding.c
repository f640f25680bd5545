/* Chooses a coding for a response, and changes its head: see coding.h. */
#include "proxy/coding/coding.h"

#include "base/params.h"
#include "cache/second_form.h"
#include "filter/gzip_head.h"
#include "filter/lists.h"
#include "http/cache_control.h"
#include "http/fields.h"
#include "proxy/coding/keep.h"
#include "proxy/request_state.h"
#include "proxy/server.h"

/* ---- the choice ---- */

static bool
may_be_coded(const struct request *r)
{
    const struct object *o = r->object;
    return object_form(o).codable && !object_form(o).partial && r->route == ROUTE_CACHE && r->page == NULL &&
           !object_is_transit(o);
}

/* A body coded during delivery has no known length, and its bytes may differ the next time. So it has no
 * ranges. */
static struct span
filters_for(const struct request *r, enum coding c, bool wants_range)
{
    DEBUG_CHECK(c < CODING_NONE);
    if (r->second != NULL)
        return filters_of_delivery(false, false, wants_range);
    return wants_range ? SPAN_NULL : filters_of_coding(object_form(r->object).gzipped, c);
}

void
coding_choose(struct request *r)
{
    CHECK(r->object != NULL);
    unsigned enabled = codings_enabled();
    r->second = NULL;
    r->vars.coding_filters = SPAN_NULL;
    if (enabled == 0 || !may_be_coded(r))
        return;
    vary_on_coding(&r->resp);
    unsigned preferred = codings_preferred(message_get(&r->req, NAME_ACCEPT_ENCODING), enabled);
    if (preferred == 0)
        return;
    r->coding = preferred & 1u << CODING_BR ? CODING_BR : CODING_ZSTD;
    r->second = object_second_form(r->object, r->coding);
    r->vars.coding_filters = filters_for(r, r->coding,
                                         params.http_range_support && message_has(&r->req, NAME_RANGE));
    if (r->vars.coding_filters.ptr != NULL)
        weaken_etag(&r->resp);
}

/* ---- sending ---- */

/* Does this delivery make the chosen coding itself? True if no second form is kept and the policy named no
 * filters. */
static bool
is_made_here(const struct request *r)
{
    return r->vars.coding_filters.ptr != NULL && r->vars.resp_filters.ptr == NULL && r->second == NULL;
}

bool
coding_give_up(struct request *r)
{
    if (!is_made_here(r))
        return false;
    r->vars.coding_filters = SPAN_NULL;
    return true;
}

static void
add_coding(struct http_message *m, struct span name)
{
    struct span had = message_get(m, NAME_CONTENT_ENCODING);
    struct span text = had.ptr == NULL ? name
                                       : arena_printf(m->arena, "%.*s, %.*s", (int)had.len, had.ptr,
                                                      (int)name.len, name.ptr);
    if (text.ptr == NULL)
        m->failed = 1;
    else
        (void)message_set(m, NAME_CONTENT_ENCODING, SPAN_NULL, text);
}

void
coding_announce(struct request *r, struct span filters, int64_t *total)
{
    for (unsigned c = 0; c < CODINGS; c++) {
        if (!filters_have(filters, coding_name((enum coding)c)))
            continue;
        add_coding(&r->resp, coding_name((enum coding)c));
        message_unset(&r->resp, NAME_CONTENT_LENGTH, SPAN_NULL);
        *total = -1;
    }
    if (is_made_here(r))
        coding_keep_if_due(r->loop, r->server, r->object, r->coding);
}

void
coding_replace_body(struct request *r, int64_t *total)
{
    if (r->second == NULL || r->vars.coding_filters.ptr == NULL || r->vars.resp_filters.ptr != NULL)
        return;
    DEBUG_CHECK(object_state(r->object) == OBJECT_COMPLETE);
    deliver_second_form(&r->delivery, r->object, r->second);
    message_unset(&r->resp, NAME_CONTENT_LENGTH, SPAN_NULL);
    (void)message_set(&r->resp, NAME_CONTENT_ENCODING, SPAN_NULL, coding_name(r->coding));
    r->server->counters->coded_hits++;
    *total = (int64_t)body_bytes(r->second);
}
