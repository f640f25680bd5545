/* The fetch of a miss that asks the origin for a part: see part.h. */
#include "proxy/parts/part.h"

#include <errno.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "body/writer.h"
#include "base/put.h"
#include "http/cache_control.h"
#include "loop/fiber.h"
#include "proxy/fetch_internal.h"

#define SKIP_BYTES (8u * 1024)
#define WISH_MAX (UINT64_C(1) << 62) /* larger positions: fetch the whole response */

/* A date is a strong validator if it was old enough in its response: 60 s allow for clock differences between
 * origin servers (RFC 9110, 8.8.2.2; the number is from RFC 7232, 2.2.2). */
#define STRONG_DATE_NS (60 * NSEC_PER_SEC)

/* ---- asking ---- */

static bool
may_ask(const struct fetch *f, const struct request *r)
{
    return params.partial_objects && params.http_range_support && f->kind != FETCH_PASS && f->in_index &&
           f->request == NULL && r->page == NULL && span_eq(r->req.method, SPAN_LIT("GET")) &&
           message_has(&r->req, NAME_RANGE);
}

/* Aligns the range to whole segments. A suffix grows by a segment less one byte, so that a segment begins
 * within it. False: the range is the whole content. */
static bool
align(struct range_wish *w, uint64_t size)
{
    DEBUG_CHECK(size > 0 && (w->suffix || w->bytes.first <= w->bytes.last));
    if (w->bytes.first > WISH_MAX || (w->suffix && w->bytes.last > WISH_MAX))
        return false;
    if (w->suffix) {
        w->bytes.last += size - 1;
        return true;
    }
    w->bytes.first -= w->bytes.first % size;
    if (w->bytes.last > WISH_MAX)
        w->bytes.last = UINT64_MAX;
    else
        w->bytes.last += size - 1 - w->bytes.last % size;
    return w->bytes.first > 0 || w->bytes.last != UINT64_MAX;
}

static struct span
wish_text(struct arena *a, const struct range_wish *w)
{
    if (w->suffix)
        return arena_printf(a, "bytes=-%llu", (unsigned long long)w->bytes.last);
    if (w->bytes.last == UINT64_MAX)
        return arena_printf(a, "bytes=%llu-", (unsigned long long)w->bytes.first);
    return arena_printf(a, "bytes=%llu-%llu", (unsigned long long)w->bytes.first,
                        (unsigned long long)w->bytes.last);
}

/* A background refresh has no waiting request, so an open range brings one segment only. */
static void
limit_background(const struct fetch *f, struct range_wish *w, uint64_t size)
{
    if (f->kind == FETCH_BACKGROUND && !w->suffix && w->bytes.last == UINT64_MAX)
        w->bytes.last = w->bytes.first + size - 1;
}

int
fetch_part_ask(struct fetch *f, struct request *r)
{
    CHECK(f->part == NULL && f->kind != FETCH_HOLE);
    struct range_wish w;
    uint32_t size = (uint32_t)params.partial_segment_size_bytes;
    if (!may_ask(f, r) || range_wish_parse(message_get(&r->req, NAME_RANGE), &w) != 1 || !align(&w, size))
        return 0;
    limit_background(f, &w, size);
    struct fetch_part *p = arena_zalloc(&f->arena, sizeof *p);
    struct span text = wish_text(&f->arena, &w);
    if (p == NULL || text.ptr == NULL)
        return ERR_NOMEM;
    p->asked = w;
    p->segment_bytes = size;
    p->text = text;
    p->if_range = message_has(&r->req, NAME_IF_RANGE);
    p->plain = params.http_gzip_support;
    int err = message_set(&f->bereq, NAME_RANGE, SPAN_NULL, text);
    if (err == 0 && p->plain)
        err = message_set(&f->bereq, NAME_ACCEPT_ENCODING, SPAN_NULL, SPAN_LIT("identity"));
    if (err == 0 && f->kind != FETCH_BACKGROUND)
        err = hole_new(&p->hole);
    if (err != 0)
        return err;
    f->part = p;
    hole_leave(&r->hole);
    r->hole = p->hole;
    return 0;
}

static void
unset_part(struct http_message *bereq, const struct fetch_part *p)
{
    message_unset(bereq, NAME_RANGE, SPAN_NULL);
    if (p->plain && span_eq(message_get(bereq, NAME_ACCEPT_ENCODING), SPAN_LIT("identity")))
        (void)message_set(bereq, NAME_ACCEPT_ENCODING, SPAN_NULL, SPAN_LIT("gzip"));
}

/* std.rollback(bereq) in a later try must not bring Range back: the fetch would not treat its 206 as a
 * part. */
static void
end_part(struct fetch *f)
{
    if (f->vars.bereq_original != NULL)
        unset_part((struct http_message *)(uintptr_t)f->vars.bereq_original, f->part);
    fetch_part_release(f);
}

void
fetch_part_forget(struct fetch *f)
{
    CHECK(f->part != NULL && f->exchange == NULL);
    struct fetch_part *p = f->part;
    f->server->counters->partial_whole++;
    log_text(&f->log, TAG_NOTICE, SPAN_LIT("vsl: All of the content is fetched instead of a part"));
    unset_part(&f->bereq, p);
    end_part(f);
}

void
fetch_part_drop(struct fetch *f)
{
    if (f->part != NULL)
        f->part->total = 0;
}

void
fetch_part_sent(struct fetch *f)
{
    DEBUG_CHECK(f->exchange == NULL);
    if (f->part != NULL && !span_eq(message_get(&f->bereq, NAME_RANGE), f->part->text))
        end_part(f); /* the policy changed Range */
}

/* ---- the answer ---- */

static struct span
strong_validator(const struct http_message *m)
{
    struct span etag = message_get(m, NAME_ETAG), modified = message_get(m, NAME_LAST_MODIFIED);
    nsec at, date;
    if (etag.ptr != NULL) /* a weak ETag also rules out the date (RFC 9110, 13.1.5) */
        return etag.len >= 2 && etag.ptr[0] == '"' ? etag : SPAN_NULL;
    if (modified.ptr == NULL || http_date_parse(modified, &at) != 0 ||
        http_date_parse(message_get(m, NAME_DATE), &date) != 0)
        return SPAN_NULL;
    return date - at >= STRONG_DATE_NS ? modified : SPAN_NULL;
}

bool
is_version(const struct http_message *m, struct span validator)
{
    DEBUG_CHECK(validator.len > 0);
    bool is_etag = validator.ptr[0] == '"';
    return span_eq(message_get(m, is_etag ? NAME_ETAG : NAME_LAST_MODIFIED), validator) &&
           (is_etag || !message_has(m, NAME_ETAG));
}

/* Is the part exactly the requested one, cut at the end of the content? */
static bool
is_what_was_asked(const struct fetch_part *p)
{
    const struct byte_range *w = &p->asked.bytes;
    DEBUG_CHECK(p->got.first <= p->got.last && p->got.last < p->total);
    if (p->asked.suffix)
        return p->got.last == p->total - 1 && p->got.first == (p->total > w->last ? p->total - w->last : 0);
    return p->got.first == w->first && p->got.last == (w->last < p->total ? w->last : p->total - 1);
}

static bool
is_coded(const struct http_message *m)
{
    struct span coding = message_get(m, NAME_CONTENT_ENCODING);
    return coding.ptr != NULL && !span_eq_nocase(coding, SPAN_LIT("identity"));
}

/* Rejects encoded content: an origin may use one ETag for the content and for its encoded form. */
bool
fetch_part_fits(const struct fetch *f, struct byte_range got)
{
    CHECK(f->part != NULL && got.first <= got.last);
    uint64_t bytes = got.last - got.first + 1;
    bool as_long = f->content.kind == CONTENT_UNKNOWN ||
                   (f->content.kind == CONTENT_KNOWN && f->content.bytes == bytes);
    return as_long && !(f->part->plain && is_coded(&f->beresp));
}

bool
fetch_part_take(struct fetch *f)
{
    CHECK(f->part != NULL && f->exchange != NULL);
    struct fetch_part *p = f->part;
    struct http_message *m = &f->beresp;
    fetch_part_drop(f);
    if (m->status != 206)
        return m->status != 416;
    if (content_range_parse(message_get(m, NAME_CONTENT_RANGE), &p->got, &p->total) != 0 ||
        !is_what_was_asked(p) || !fetch_part_fits(f, p->got)) {
        fetch_part_drop(f);
        return false;
    }
    log_printf(&f->log, TAG_NOTICE, "vsl: Part %llu-%llu of %llu", (unsigned long long)p->got.first,
               (unsigned long long)p->got.last, (unsigned long long)p->total);
    p->validator = strong_validator(m);
    p->personal = cache_control_is_personal(m);
    message_unset(m, NAME_CONTENT_RANGE, SPAN_NULL);
    m->status = 200;
    m->reason = status_reason(200);
    if (p->got.last - p->got.first + 1 == p->total)
        fetch_part_drop(f); /* the part is the whole content */
    return true;
}

bool
fetch_has_part(const struct fetch *f)
{
    return f->part != NULL && f->part->total > 0;
}

bool
fetch_part_is_confirmed(const struct fetch *f)
{
    DEBUG_CHECK(f->vars.was_304 && f->stale->head != NULL);
    return !object_is_partial(f->stale) || is_version(&f->beresp, body_validator(&f->stale->body));
}

void
fetch_part_announce(struct fetch *f)
{
    CHECK(fetch_has_part(f));
    struct span text = arena_decimal(&f->arena, f->part->total);
    if (text.ptr == NULL || message_set(&f->beresp, NAME_CONTENT_LENGTH, SPAN_NULL, text) != 0)
        f->beresp.failed = 1;
}

/* Could the part be stored, apart from its lifetimes? */
static bool
could_stay(const struct fetch *f, const struct storage *st)
{
    const struct fetch_part *p = f->part;
    return p->validator.ptr != NULL && body_may_have_holes(p->total, p->segment_bytes) && st != NULL &&
           body_fits(st, p->total) && !storage_refuses(st);
}

bool
fetch_part_is_unwanted(const struct fetch *f)
{
    const struct fetch_vars *v = &f->vars;
    if (!fetch_has_part(f))
        return false;
    if (v->do_esi || v->do_gzip || v->do_gunzip || !v->do_stream || v->filters.ptr != NULL ||
        f->beresp.status != 200)
        return true;
    return f->part->if_range && (v->uncacheable || v->ttl <= 0 || !could_stay(f, v->storage));
}

/* ---- storing ---- */

bool
fetch_part_may_stay(struct fetch *f, const struct storage *st)
{
    CHECK(fetch_has_part(f));
    f->part->kept = f->in_index && !f->vars.uncacheable && could_stay(f, st);
    return f->part->kept;
}

int
fetch_part_settle(struct fetch *f)
{
    CHECK(fetch_has_part(f) && !f->published);
    struct fetch_part *p = f->part;
    if (p->kept) {
        int err = object_set_holes(f->busy, p->total, p->segment_bytes, p->validator);
        if (err == 0 && p->personal)
            body_set_personal(&f->busy->body);
        return err;
    }
    f->server->counters->partial_passed++;
    object_set_part(f->busy, (struct body_part){ p->got.first, p->got.last + 1, p->total });
    return 0;
}

/* got: 0 (end of the content) or an error. */
static int
cut_short(struct fetch *f, ssize_t got)
{
    DEBUG_CHECK(got <= 0);
    return got == 0 ? fetch_failed(f, ERR_EOF, "the part is shorter than its Content-Range says")
                    : fetch_recv_failed(f, got);
}

static int
recv_skipped(struct fetch *f, uint64_t skip)
{
    char drop[SKIP_BYTES];
    while (skip > 0) {
        ssize_t got = exchange_recv_wait(f->exchange, fetch_next_bytes(f));
        if (got > 0)
            got = exchange_recv_body(f->exchange, drop, skip < sizeof drop ? (size_t)skip : sizeof drop,
                                     fetch_next_bytes(f));
        if (got <= 0)
            return cut_short(f, got);
        skip -= (uint64_t)got;
    }
    return 0;
}

/* Bytes received, or an error. */
static ssize_t
recv_piece(struct fetch *f)
{
    char *at;
    size_t room;
    ssize_t got = exchange_recv_wait(f->exchange, fetch_next_bytes(f));
    if (got <= 0)
        return cut_short(f, got);
    int err = claim_space(&f->part->claim, &at, &room);
    if (err != 0)
        return fetch_failed(f, err, "Could not get storage");
    DEBUG_CHECK(room > 0 && f->part->claim.at < f->part->claim.end);
    uint64_t left = f->part->claim.end - f->part->claim.at;
    got = exchange_recv_body(f->exchange, at, room < left ? room : (size_t)left, fetch_next_bytes(f));
    return got > 0 ? got : cut_short(f, got);
}

static void
end_claim(struct fetch_part *p)
{
    if (p->trouble)
        claim_fail(&p->claim);
    else
        claim_end(&p->claim);
}

static bool
is_left(const struct fetch_part *p)
{
    return p->hole != NULL && p->hole->left && claim_at_edge(&p->claim);
}

int
fetch_part_receive(struct fetch *f, uint64_t skip)
{
    CHECK(f->part->claim.content != NULL && f->exchange != NULL);
    struct fetch_part *p = f->part;
    int err = recv_skipped(f, skip);
    while (err == 0 && p->claim.content != NULL && !is_left(p)) {
        ssize_t got = recv_piece(f);
        if (got < 0)
            err = (int)got;
        else if (claim_commit(&p->claim, (size_t)got))
            fiber_yield_if_due();
        p->received += got > 0 ? (uint64_t)got : 0;
    }
    if (err == 0)
        fetch_end_exchange(f); /* closes the connection if the response was not read in full */
    else if (f->exchange != NULL)
        f->exchange->close_why = CLOSE_RX_BODY;
    fetch_cancel_exchange(f);
    hole_end(&p->hole, err == 0 ? HOLE_DONE : HOLE_FAILED);
    p->trouble = err != 0;
    end_claim(p); /* after the state was set: woken requests read it */
    return err;
}

int
fetch_part_store(struct fetch *f)
{
    struct fetch_part *part = f->part;
    const struct body *b = &f->busy->body;
    uint64_t size = body_extent_bytes(b), at = (part->got.first + size - 1) / size * size;
    CHECK(part->kept && at <= part->got.last);
    CHECK(hole_claim(b, at, part->got.last + 1, &part->claim));
    claim_confirm(&part->claim);
    f->server->counters->partial_stored++;
    int err = fetch_publish(f, (int64_t)part->total);
    fetch_drop_policy(f);
    object_complete(f->busy); /* missing bytes are holes: the object is complete for the index */
    if (err == 0)
        err = fetch_part_receive(f, at - part->got.first);
    if (err == 0)
        log_timestamp(&f->log, "BerespBody", clock_real_ns());
    f->server->counters->fetch_failed += err != 0;
    return err;
}

void
fetch_part_release(struct fetch *f)
{
    struct fetch_part *p = f->part;
    f->part = NULL;
    if (p == NULL)
        return;
    hole_end(&p->hole, HOLE_FAILED);
    end_claim(p);
    object_release(&p->object);
}
