/* Sends responses; respond_head.c makes their heads. Conditional requests and ranges (RFC 9110) are decided
 * here, after vcl_deliver, so that a policy sees and may change the full response. */
#include "proxy/respond/respond.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#include "base/list.h"
#include "base/params.h"
#include "base/put.h"
#include "cache/freshness.h"
#include "cache/rfc9111/rfc9111.h"
#include "filter/esi_recipe.h"
#include "filter/gzip_head.h"
#include "filter/lists.h"
#include "http/fields.h"
#include "proxy/coding/coding.h"
#include "proxy/esi/esi_source.h"
#include "proxy/esi/packed.h"
#include "proxy/rfc9111/multipart.h"
#include "proxy/rfc9111/trailers.h"
#include "proxy/request_log.h"
#include "proxy/respond/why.h"
#include "proxy/server.h"
#include "proxy/source_filtered.h"
#include "stream/session_log.h"

#define STATUS_CLASS_OTHER 6 /* from 600: a policy can set these */

/* ---- sending ---- */

static void
delivered(struct delivery *d, int err)
{
    struct request *r = container_of(d, struct request, delivery);
    DEBUG_CHECK(r->stream->waiter == NULL);
    (void)err; /* the stream knows that it is broken */
    r->handed_over(r);
}

static nsec
timeout(double policy_s, double param_s)
{
    return nsec_of(policy_s >= 0 ? policy_s : param_s);
}

/* After a memory overflow the response may lack a part: answer 500 instead, as in Varnish. */
static bool
memory_ran_out(struct request *r)
{
    if (r->vars.session_overflowed)
        r->server->counters->ws_session_overflow++;
    else if (!r->arena.overflowed)
        return false;
    log_printf(&r->log, TAG_ERROR, "workspace_%s overflow", r->arena.overflowed ? "client" : "session");
    return true;
}

/* By the class of its status. Responses to ESI includes reach no client, and refusals of malformed requests
 * are in client_req_400. */
static void
count_status(struct request *r, unsigned status)
{
    DEBUG_CHECK(status >= 200);
    uint64_t *classes = &r->server->counters->resp_2xx;
    static_assert(offsetof(struct counters, resp_other) ==
                      offsetof(struct counters, resp_2xx) + (STATUS_CLASS_OTHER - 2) * sizeof *classes,
                  "the counters of the classes follow each other");
    if (r->vars.esi_level == 0)
        classes[(status < 600 ? status / 100 : STATUS_CLASS_OTHER) - 2]++;
}

/* Gives head and body to the stream. All data that the policy lent (constants of its image) was copied
 * before. */
static int
start_sending(struct request *r, int64_t body_bytes, bool has_body)
{
    CHECK(r->stream->taken == 0 && r->route != ROUTE_PIPE);
    struct stream *s = r->stream;
    struct delivery *d = &r->delivery;
    trailers_settle(r);
    why_tell(r);
    if (memory_ran_out(r) || s->ops->send_head(s, &r->resp, body_bytes, has_body) != 0) {
        s->ops->send_failure(s);
        deliver_nothing(d);
        count_status(r, 500);
    } else {
        count_status(r, r->resp.status);
    }
    d->stream = s;
    d->loop = r->loop;
    d->done = delivered;
    d->idle_timeout = timeout(r->vars.idle_send_timeout, params.idle_send_timeout_s);
    d->send_deadline = nsec_add(loop_now(r->loop), timeout(r->vars.send_timeout, params.send_timeout_s));
    if (r->work == WORK_NONE)
        request_leave_policy(r);
    d->place = &r->place;
    d->for_page = r->page != NULL;
    int sent = deliver_start(d);
    if (sent == DELIVERY_PENDING && r->work == WORK_NONE)
        s->ops->head_unused(s);
    return sent;
}

/* A policy may add thousands to a status to mark it. An interim status cannot end a request. */
static void
settle_status(struct http_message *m)
{
    m->status %= 1000;
    if (m->status >= 200)
        return;
    m->status = 503;
    m->reason = status_reason(503);
}

/* Does content follow the head? Not for HEAD, 204 and 304 (RFC 9112, 6.3). */
static bool
may_have_body(const struct request *r)
{
    return !r->is_head && r->resp.status != 204 && r->resp.status != 304;
}

static void
set_status(struct http_message *m, unsigned status)
{
    DEBUG_CHECK(status >= 200 && status < 600);
    m->status = (uint16_t)status;
    m->reason = status_reason(status);
    message_log_start_line(m);
}

/* 304 keeps all fields except Content-Length, as in Varnish: clients update their stored response (RFC 9110,
 * 15.4.5). */
static int
send_not_modified(struct request *r)
{
    DEBUG_CHECK(r->resp.status == 304);
    message_unset(&r->resp, NAME_CONTENT_LENGTH, SPAN_NULL);
    deliver_nothing(&r->delivery);
    return start_sending(r, 0, false);
}

unsigned
respond_ranges_max(const struct request *r)
{
    return r->rfc9111 ? params.http_ranges_max : 1;
}

bool
respond_if_range_holds(const struct http_message *req, const struct http_message *response)
{
    struct span v = message_get(req, NAME_IF_RANGE);
    if (v.ptr == NULL)
        return true;
    bool weak = v.len > 1 && v.ptr[0] == 'W' && v.ptr[1] == '/';
    if (weak || (v.len > 0 && v.ptr[0] == '"'))
        return !weak && span_eq(v, message_get(response, NAME_ETAG));
    return span_eq(v, message_get(response, NAME_LAST_MODIFIED));
}

/* ---- filters ---- */

/* The filters of the body: those that the policy named, or those that the request needs. */
static struct span
filter_list(const struct request *r)
{
    if (r->vars.resp_filters.ptr != NULL)
        return r->vars.resp_filters;
    if (r->vars.coding_filters.ptr != NULL)
        return r->vars.coding_filters;
    bool gunzip = params.http_gzip_support && r->object != NULL && object_form(r->object).gzipped &&
                  !respond_takes_gzip(r);
    bool range = params.http_range_support && r->resp.status == 200 && message_has(&r->req, NAME_RANGE);
    return filters_of_delivery(r->vars.resp_do_esi && r->vars.can_esi, gunzip, range);
}

/* The object has an ESI recipe, and the filters follow it. */
static bool
is_page(const struct request *r, struct span filters)
{
    return r->vars.can_esi && filters_have(filters, SPAN_LIT("esi"));
}

static int
put_around(struct request *r, struct span filters)
{
    const struct gzip_facts *known = r->object == NULL || r->work == WORK_INCLUDES ? NULL
                                                                                   : object_gzip(r->object);
    struct filter_wants wants = { .log = &r->log, .side = FILTER_DELIVERY, .known = known };
    int err = source_filter(&r->delivery.source, filters, &wants, store_transient(r->server->env->store));
    if (err != 0)
        log_text(&r->log, TAG_ERROR, SPAN_LIT("Could not get storage"));
    return err;
}

/* Length of the unpacked object; -1: not known. */
static int64_t
plain_length(const struct request *r)
{
    const struct gzip_facts *gzip = r->object == NULL ? NULL : object_gzip(r->object);
    return gzip == NULL || gzip->plain_bytes == 0 ? -1 : (int64_t)gzip->plain_bytes;
}

/* Wraps the source of r's delivery in filters. *total becomes the length of their output. ERR_NOTFOUND: the
 * policy named an unknown filter; ERR_NOMEM. */
static int
apply_filters(struct request *r, struct span filters, int64_t *total)
{
    log_text(&r->log, TAG_FILTERS, filters);
    if (filters.len == 0)
        return packed_wrap(r, filters);
    struct span unknown = filters_unknown(filters, FILTER_DELIVERY);
    if (unknown.ptr != NULL) {
        log_printf(&r->log, TAG_ERROR, "Filter '%.*s' not found", (int)unknown.len, unknown.ptr);
        return ERR_NOTFOUND;
    }
    int err = put_around(r, filters);
    if (err != 0 && coding_give_up(r))
        return apply_filters(r, filter_list(r), total);
    if (err == 0)
        err = packed_wrap(r, filters);
    if (err != 0)
        return err;
    if (filters_have(filters, SPAN_LIT("gunzip"))) {
        message_unset(&r->resp, NAME_CONTENT_ENCODING, SPAN_NULL);
        message_unset(&r->resp, NAME_CONTENT_LENGTH, SPAN_NULL);
        *total = is_page(r, filters) ? -1 : plain_length(r);
    }
    coding_announce(r, filters, total);
    return 0;
}

/* ---- ranges ---- */

/* The number of ranges to send as 206; 0: send the whole; ERR_LIMIT: 416. */
static int
choose_ranges(const struct request *r, struct span filters, int64_t total, struct range_set *out)
{
    struct span range = message_get(&r->req, NAME_RANGE);
    bool wanted = range.ptr != NULL && span_eq(r->req.method, SPAN_LIT("GET")) &&
                  filters_have(filters, SPAN_LIT("range"));
    return wanted && !is_page(r, filters) && !packed_into(r) && respond_if_range_holds(&r->req, &r->resp)
             ? range_set_parse(range, total, respond_ranges_max(r), out)
             : 0;
}

static void
set_content_range(struct request *r, const char *range, int64_t total)
{
    struct span v = total < 0 ? arena_printf(&r->arena, "bytes %s/*", range)
                              : arena_printf(&r->arena, "bytes %s/%lld", range, (long long)total);
    if (v.ptr == NULL)
        r->resp.failed = 1;
    else
        (void)message_set(&r->resp, NAME_CONTENT_RANGE, SPAN_NULL, v);
}

static int
send_unsatisfiable(struct request *r, int64_t total)
{
    if (total >= 0)
        set_content_range(r, "*", total);
    set_status(&r->resp, 416);
    deliver_nothing(&r->delivery);
    return start_sending(r, 0, true);
}

static void
announce_range(struct request *r, const struct byte_range *range, int64_t total)
{
    DEBUG_CHECK(range->first <= range->last && (total < 0 || range->last < (uint64_t)total));
    char text[2 * 20 + 2];
    snprintf(text, sizeof text, "%llu-%llu", (unsigned long long)range->first,
             (unsigned long long)range->last);
    set_content_range(r, text, total);
    set_status(&r->resp, 206);
}

/* Skips to the range. A source that can seek does not fetch the bytes before it. */
static void
skip_to(struct request *r, const struct byte_range *range)
{
    DEBUG_CHECK(r->delivery.skip == 0);
    struct body_source *s = r->delivery.source;
    if (s != NULL && s->ops->seek != NULL)
        s->ops->seek(s, range->first, range->last + 1);
    else
        r->delivery.skip = range->first;
}

/* Sends n bytes of the delivery's source. The policy may have made a GET of a client's HEAD, whose response
 * has no content all the same. */
static int
send_bytes(struct request *r, uint64_t n)
{
    DEBUG_CHECK(n > 0);
    r->delivery.left = n;
    if (!may_have_body(r))
        deliver_nothing(&r->delivery);
    return start_sending(r, (int64_t)n, may_have_body(r));
}

static int
send_range(struct request *r, const struct byte_range *range, int64_t total)
{
    CHECK(range->first <= range->last);
    announce_range(r, range, total);
    skip_to(r, range);
    return send_bytes(r, range->last - range->first + 1);
}

static int
send_ranges(struct request *r, const struct range_set *set, int64_t total)
{
    DEBUG_CHECK(set->n > 0 && (set->n == 1 || total >= 0));
    struct multipart_facts facts;
    if (set->n == 1)
        return send_range(r, &set->ranges[0], total);
    struct span type = message_get(&r->resp, NAME_CONTENT_TYPE);
    if (multipart_open(&r->arena, set, (uint64_t)total, type, &r->delivery.source, &facts) != 0)
        return respond_send_bare(r, 500);
    (void)message_set(&r->resp, NAME_CONTENT_TYPE, SPAN_NULL, facts.content_type);
    set_status(&r->resp, 206);
    return send_bytes(r, facts.bytes);
}

static int
send_whole(struct request *r, int64_t total)
{
    DEBUG_CHECK(total >= -1);
    if (may_have_body(r))
        return start_sending(r, total, true);
    deliver_nothing(&r->delivery);
    if (r->resp.status == 304)
        message_unset(&r->resp, NAME_CONTENT_LENGTH, SPAN_NULL);
    /* The answer to a passed HEAD keeps the Content-Length of the origin. One made from a stored GET has that
     * of the body. */
    return start_sending(r, r->route == ROUTE_PASS ? -1 : total, false);
}

/* Sends the bytes of the delivery's source through the filters. */
static int
send_filtered(struct request *r, struct span filters, int64_t total, bool not_modified)
{
    if (apply_filters(r, filters, &total) != 0)
        return respond_send_bare(r, 503);
    if (not_modified)
        return send_not_modified(r);
    struct range_set *set = message_has(&r->req, NAME_RANGE) ? arena_alloc(&r->arena, sizeof *set) : NULL;
    int ranged = set == NULL ? 0 : choose_ranges(r, filters, total, set);
    if (ranged == ERR_LIMIT)
        return send_unsatisfiable(r, total);
    if (ranged == 0 && filters.len == 0 && may_have_body(r) && trailers_follow(r))
        total = -1; /* send chunks, which can carry trailers */
    return ranged > 0 ? send_ranges(r, set, total) : send_whole(r, total);
}

/* Do the validators of the page say nothing about the response? They are the origin's for its own bytes, and
 * the includes may have changed. In 4.x a date is believed all the same, as in Varnish (script r01518). */
static bool
has_parts_of_its_own(const struct request *r)
{
    return (r->rfc9111 || message_has(&r->req, NAME_IF_NONE_MATCH)) && is_page(r, filter_list(r)) &&
           esi_recipe_includes(object_note(r->object));
}

/* A page with includes differs from the bytes that its validator was given for, and its length is not
 * known. */
static int
open_page(struct request *r, struct span filters)
{
    CHECK(r->object != NULL && r->work == WORK_NONE);
    weaken_etag(&r->resp);
    message_unset(&r->resp, NAME_CONTENT_LENGTH, SPAN_NULL);
    if (r->rfc9111 && esi_recipe_includes(object_note(r->object)))
        message_unset(&r->resp, NAME_LAST_MODIFIED, SPAN_NULL);
    if (!may_have_body(r))
        return 0;
    deliver_nothing(&r->delivery);
    r->work = WORK_INCLUDES;
    return esi_source_open(r, packed_sum_of_page(r, filters), &r->delivery.source);
}

/* Only a part was fetched, and the policy has changed the request or the status since. */
static int
refuse_part(struct request *r)
{
    DEBUG_CHECK(r->hole != NULL && r->stream->taken == 0);
    log_text(&r->log, TAG_ERROR,
             r->resp.status != 200
                 ? SPAN_LIT("The policy changed the status of a response of which only a part was fetched")
                 : SPAN_LIT("The policy changed Range after a part was fetched for it"));
    return respond_send_bare(r, 503);
}

/* Sends a part from an object that has only the part its client asked for. */
static int
send_part(struct request *r, struct span filters, bool not_modified)
{
    CHECK(r->hole != NULL);
    struct range_set set;
    struct body_part part = object_part(r->object);
    if (not_modified)
        return send_not_modified(r);
    int ranged = choose_ranges(r, filters, (int64_t)part.total, &set);
    if (ranged == ERR_LIMIT)
        return send_unsatisfiable(r, (int64_t)part.total);
    const struct byte_range *range = &set.ranges[0];
    if (ranged != 1 || range->first < part.at || range->last >= part.end)
        return refuse_part(r);
    announce_range(r, range, (int64_t)part.total);
    r->delivery.skip = range->first - part.at;
    return send_bytes(r, range->last - range->first + 1);
}

static void
open_body(struct request *r)
{
    CHECK(r->object != NULL);
    if (!object_is_partial(r->object)) {
        deliver_object(&r->delivery, r->object);
        return;
    }
    deliver_partial(&r->delivery, r, r->object, &r->hole);
    r->work = body_is_whole(&r->object->body) ? WORK_NONE : WORK_HOLES;
}

int
respond_send_object(struct request *r)
{
    DEBUG_CHECK(r->object != NULL && object_state(r->object) >= OBJECT_STREAMING);
    struct http_message *m = &r->resp;
    message_restore(m);
    settle_status(m);
    bool not_modified = m->status == 200 &&
                        conditional_check(&r->req, m, r->rfc9111) == CONDITIONAL_NOT_MODIFIED &&
                        !has_parts_of_its_own(r);
    if (not_modified)
        set_status(m, 304);
    struct span filters = filter_list(r);
    bool page = is_page(r, filters) && !not_modified;
    open_body(r);
    if (r->hole != NULL && object_part(r->object).total > 0)
        return send_part(r, filters, not_modified);
    if (page && open_page(r, filters) != 0)
        return respond_send_bare(r, 503);
    /* A response to HEAD keeps the Content-Length of the origin */
    bool of_head = r->is_head && object_form(r->object).of_head;
    int64_t total = page || of_head ? -1 : respond_body_length(r->object);
    coding_replace_body(r, &total);
    return send_filtered(r, filters, total, not_modified);
}

/* Charges a body written by the policy to Transient, as other short-lived bodies. */
static int
take_synth_room(struct request *r, size_t bytes)
{
    CHECK(r->synth_bytes == 0);
    if (store_take(store_transient(r->server->env->store), USE_BODIES, bytes) != 0) {
        log_text(&r->log, TAG_ERROR, SPAN_LIT("Could not get storage"));
        return ERR_NOMEM;
    }
    r->synth_bytes = bytes;
    return 0;
}

/* Ends the connection without a response, as Varnish does without storage for a synthetic body. Closes and
 * does not reset it, as earlier responses may still be under way. */
static int
end_unanswered(struct request *r)
{
    DEBUG_CHECK(r->stream->taken == 0 && r->synth_bytes == 0);
    stream_close_after(r->stream, SC_OVERLOAD);
    request_leave_policy(r);
    return 0;
}

int
respond_send_synth(struct request *r)
{
    CHECK(r->object == NULL);
    struct span body = r->vars.synth_body;
    if (body.len > 0) {
        if (take_synth_room(r, body.len) != 0)
            return end_unanswered(r);
        body = arena_copy(&r->arena, body); /* the body may be a constant in the image of the policy */
        if (body.ptr == NULL)
            return respond_send_bare(r, 503);
    }
    message_restore(&r->resp);
    settle_status(&r->resp);
    deliver_text(&r->delivery, body);
    return send_filtered(r, filter_list(r), (int64_t)body.len, false);
}

int
respond_send_bare(struct request *r, unsigned status)
{
    DEBUG_CHECK(r->stream->taken == 0 && status >= 500);
    struct http_message *m = &r->resp;
    stream_close_after(r->stream, SC_OVERLOAD);
    m->failed = m->fields == NULL && message_init(m, &r->arena, MESSAGE_OWN_FIELDS) != 0;
    message_restore(m);
    message_clear(m);
    m->log = NULL;
    m->status = (uint16_t)status;
    m->reason = status_reason(status);
    stream_log_response(r->stream, status);
    deliver_nothing(&r->delivery);
    return start_sending(r, 0, true);
}

static bool
is_secret(const struct http_field *f)
{
    return f->id == NAME_AUTHORIZATION || f->id == NAME_COOKIE || f->id == NAME_PROXY_AUTHORIZATION;
}

/* The received head as text. SPAN_NULL: no memory. */
static struct span
received_head(struct request *r)
{
    const struct http_message *m = &r->req;
    const struct span blank = SPAN_LIT(" "), colon = SPAN_LIT(": "), end = SPAN_LIT("\r\n");
    size_t n = m->method.len + m->url.len + m->proto.len + 2 * blank.len + 2 * end.len;
    for (unsigned i = 0; i < m->n_fields; i++)
        n += m->fields[i].name.len + m->fields[i].value.len + colon.len + end.len;
    char *text = arena_alloc(&r->arena, n), *p = text;
    if (text == NULL)
        return SPAN_NULL;
    p = put_span(put_span(put_span(p, m->method), blank), m->url);
    p = put_span(put_span(put_span(p, blank), m->proto), end);
    for (unsigned i = 0; i < m->n_fields; i++)
        if (!is_secret(&m->fields[i]))
            p = put_span(put_span(put_span(put_span(p, m->fields[i].name), colon), m->fields[i].value), end);
    p = put_span(p, end);
    DEBUG_CHECK((size_t)(p - text) <= n);
    return span_of(text, (size_t)(p - text));
}

int
respond_send_received(struct request *r)
{
    CHECK(r->object == NULL);
    bool traced = span_eq(r->req.method, SPAN_LIT("TRACE"));
    struct span text = traced ? received_head(r) : SPAN_LIT("");
    if (text.ptr == NULL)
        return respond_send_bare(r, 500);
    return respond_send_text(r, 200, traced ? SPAN_LIT("message/http") : SPAN_NULL, text);
}

int
respond_send_text(struct request *r, unsigned status, struct span type, struct span text)
{
    CHECK(r->object == NULL);
    if (respond_prepare_synth(r, status, SPAN_NULL) != 0)
        return respond_send_bare(r, 500);
    request_log_stamp(r, "Process");
    if (type.ptr != NULL)
        (void)message_set(&r->resp, NAME_CONTENT_TYPE, SPAN_NULL, type);
    deliver_text(&r->delivery, text);
    return send_whole(r, (int64_t)text.len);
}
