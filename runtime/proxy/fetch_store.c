/* Storing of responses: their lifetimes, and whether they are shared, private or only markers. */
#include "base/check.h"
#include "base/params.h"
#include "body/writer.h"
#include "base/put.h"
#include "cache/invalidation.h"
#include "cache/rfc9111/rfc9111.h"
#include "filter/gzip_head.h"
#include "http/chars.h"
#include "http/fields.h"
#include "http/url.h"
#include "proxy/coding/coding.h"
#include "proxy/fetch_internal.h"
#include "reason_texts.h"

static void
add_date(struct fetch *f)
{
    char *p = message_has(&f->beresp, NAME_DATE) ? NULL : arena_alloc(&f->arena, HTTP_DATE_BYTES);
    if (p == NULL)
        return;
    http_date_format(f->response_time, p);
    (void)message_set(&f->beresp, NAME_DATE, SPAN_NULL, span_of(p, HTTP_DATE_BYTES));
}

/* Several equal lengths, as fields or as a list, were accepted (RFC 9112, 6.3): keep one, also when no
 * content follows (HEAD). */
static void
one_content_length(struct fetch *f)
{
    (void)message_collect(&f->beresp, NAME_CONTENT_LENGTH, SPAN_NULL, SPAN_LIT(", "));
    struct span value = message_get(&f->beresp, NAME_CONTENT_LENGTH), item;
    struct span whole = value;
    if (value.ptr != NULL && list_next(&value, &item) && !span_eq(whole, item))
        (void)message_set(&f->beresp, NAME_CONTENT_LENGTH, SPAN_NULL, item);
}

/* Writes seconds as "%.0f" does, at a fraction of the cost of printf. */
static char *
put_rounded(char *p, nsec t)
{
    uint64_t n = t < 0 ? 0 - (uint64_t)t : (uint64_t)t, seconds = n / NSEC_PER_SEC, rest = n % NSEC_PER_SEC;
    seconds += rest > NSEC_PER_SEC / 2 || (rest == NSEC_PER_SEC / 2 && seconds % 2 == 1);
    if (t < 0)
        *p++ = '-';
    return put_decimal(p, seconds);
}

static uint64_t
not_negative(int64_t n)
{
    return n < 0 ? 0 : (uint64_t)n;
}

#define TTL_NUMBERS 8 /* numbers in a TTL record */

/* A private response has no lifetime, and no record. */
static void
log_proposal(struct fetch *f, const struct freshness *fr)
{
    if (f->kind == FETCH_PASS)
        return;
    const nsec times[] = { fr->ttl, fr->grace, fr->keep, f->response_time, fr->origin_time };
    const int64_t told[] = { fr->date / NSEC_PER_SEC, fr->expires / NSEC_PER_SEC, fr->max_age_s };
    char text[TTL_NUMBERS * (2 + DECIMAL_BYTES_MAX)], *p = text;
    _Static_assert(sizeof times / sizeof *times + sizeof told / sizeof *told == TTL_NUMBERS, "text");
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        p = put_rounded(p, times[i]);
        *p++ = ' ';
    }
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        p = put_decimal(p, not_negative(told[i]));
        *p++ = ' ';
    }
    log_words(&f->log, TAG_TTL,
              (struct span[]){ SPAN_LIT("RFC"), span_of(text, (size_t)(p - text) - 1),
                               SPAN_LIT("cacheable") },
              3);
}

static void
compute_freshness(const struct fetch *f, struct freshness *out)
{
    struct freshness_rules rules = {
        nsec_of(params.default_ttl_s),
        nsec_of(params.default_grace_s),
        nsec_of(params.default_keep_s),
        .targeted = params.targeted_control,
        .rfc9111 = f->rfc9111,
        .request = &f->bereq,
        .heuristic_percent = params.heuristic_freshness,
        .heuristic_max = nsec_of(params.heuristic_freshness_max_s),
        .negative_ttl = nsec_of(params.negative_ttl_s),
    };
    freshness_of(&f->beresp, f->response_time, &rules, out);
}

/* ttl, grace, keep and age of the response as it is now. */
static void
propose_lifetime(struct fetch *f)
{
    DEBUG_CHECK(!f->published && f->response_time > 0);
    struct freshness fr;
    compute_freshness(f, &fr);
    f->vars.targeted = fr.targeted;
    f->origin_time = fr.origin_time;
    log_proposal(f, &fr);
    nsec age = f->response_time - fr.origin_time;
    bool shared = f->kind != FETCH_PASS;
    f->vars.ttl = shared ? nsec_seconds((fr.ttl > 0 ? fr.ttl : 0) - age) : 0;
    f->vars.grace = shared ? nsec_seconds(fr.grace) : 0;
    f->vars.keep = shared ? nsec_seconds(fr.keep) : 0;
    f->vars.age = nsec_seconds(age);
}

void
fetch_judge_again(struct fetch_vars *v)
{
    propose_lifetime(container_of(v, struct fetch, vars));
}

void
fetch_propose(struct fetch *f)
{
    CHECK(f->exchange != NULL && !f->published);
    message_mark_hop(&f->beresp); /* hop-by-hop fields are for the policy only, and are not sent on */
    if (f->content.kind == CONTENT_UNKNOWN && !f->until_close)
        message_unset(&f->beresp, NAME_CONTENT_LENGTH, SPAN_NULL);
    one_content_length(f);
    add_date(f);
    (void)message_collect(&f->beresp, NAME_CACHE_CONTROL, SPAN_NULL, SPAN_LIT(", "));
    (void)message_collect(&f->beresp, NAME_VARY, SPAN_NULL, SPAN_LIT(", "));
    propose_lifetime(f);
    f->vars.time_resp = nsec_seconds(f->response_time);
    f->vars.uncacheable = f->kind == FETCH_PASS;
    f->vars.no_content = !fetch_has_content(f);
}

/* ---- stale responses ---- */

/* While the origin is away, requests get the stale response at once, and one request a second tries the
 * origin. */
#define FALLBACK_HOLD_NS (1 * NSEC_PER_SEC)

static bool
is_failure(unsigned status)
{
    return status == 500 || (status >= 502 && status <= 504); /* RFC 5861, 4 */
}

bool
fetch_falls_back(struct fetch *f, unsigned status)
{
    CHECK(!f->published);
    nsec now = loop_real(f->loop);
    if (!f->rfc9111 || f->stale == NULL || !f->stale_may_answer || object_state(f->stale) != OBJECT_COMPLETE)
        return false;
    if (status != 0 && !is_failure(status))
        return false;
    if (!(status == 0 ? rfc9111_stale_if_away(f->stale, now) : rfc9111_stale_if_error(f->stale, now)))
        return false;
    log_text(&f->log, TAG_NOTICE, SPAN_LIT("vsl: The stale response is used instead"));
    store_stretch_grace(f->server->env->store, f->stale, nsec_add(now, FALLBACK_HOLD_NS));
    return true;
}

/* ---- settling ---- */

static nsec
positive(double seconds)
{
    return seconds > 0 ? nsec_of(seconds) : 0;
}

/* The ttl counts from the last hook, so the age at that time is added. */
static void
set_lifetimes(struct fetch *f, struct object *o, double ttl_s)
{
    CHECK(object_state(o) < OBJECT_STREAMING || o == f->stale);
    bool passed = f->vars.hit_for_pass > 0;
    nsec age = nsec_of(f->ctx.now) - f->origin_time;
    o->origin_time = f->origin_time;
    o->ttl = nsec_add(nsec_of(ttl_s), age);
    o->grace = passed ? 0 : positive(f->vars.grace);
    o->keep = passed ? 0 : positive(f->vars.keep);
    DEBUG_CHECK(o->grace >= 0 && o->keep >= 0);
}

/* After a failed fetch the waiters take turns: the next fetch may bring a response for all. After a response
 * that is not stored they do not wait for each other. */
static void
withdraw(struct fetch *f)
{
    CHECK(f->in_index && !f->published);
    store_withdraw_for(f->server->env->store, f->busy, f->is_error ? WITHDRAW_FAILED : WITHDRAW_UNSHARED);
    f->in_index = false;
    f->unshared = f->refusal;
}

/* Was the response fresh when it was made? If not, it is neither served in grace nor replaces a stored one,
 * as in Varnish. */
static bool
was_fresh(const struct fetch *f)
{
    nsec sent = f->request_time > f->origin_time ? f->request_time : f->origin_time;
    return f->vars.ttl + nsec_seconds(sent - f->origin_time) > 0;
}

/* Decides: shared, private, or a marker. A marker says for its ttl that responses of this key are not shared,
 * so that requests stop waiting for each other. Each later response could renew it: it does so only in the
 * second half of the marker's time, because a new marker costs all loops more than a response that is not
 * stored. */
static double
decide_sharing(struct fetch *f)
{
    CHECK(!f->published);
    double ttl = f->vars.hit_for_pass > 0 ? f->vars.hit_for_pass : f->vars.ttl;
    /* The RFC also stores responses that must be validated before each use */
    bool may_stay = f->rfc9111 || was_fresh(f);
    bool lives = ttl > 0 || (!f->vars.uncacheable && may_stay && (f->vars.grace > 0 || f->vars.keep > 0));
    if (!f->in_index)
        return ttl;
    if (f->vars.uncacheable) {
        f->server->counters->beresp_uncacheable++;
        fetch_refuse_uncacheable(f);
    } else if (!lives) {
        fetch_refuse_dead(f);
    }
    f->marked = lives && f->vars.uncacheable && f->vars.hit_for_pass <= 0 &&
                store_is_marked(f->server->env->store, f->busy, nsec_of(ttl) / 2, nsec_of(f->ctx.now));
    if (!lives || f->marked)
        withdraw(f);
    if (f->vars.uncacheable)
        f->busy->flags |= f->vars.hit_for_pass > 0 ? OBJECT_HIT_FOR_PASS : OBJECT_HIT_FOR_MISS;
    return ttl;
}

/* May the response to this POST answer a GET? Only if the origin says, with Content-Location, that a GET
 * would get the same, and states a lifetime (RFC 9110, 9.3.3). */
static bool
post_answers_get(const struct fetch *f, struct freshness *fr)
{
    DEBUG_CHECK(f->kind == FETCH_PASS);
    struct span location = message_get(&f->beresp, NAME_CONTENT_LOCATION), url;
    struct url_base base = { message_get(&f->bereq, NAME_HOST), f->bereq.url };
    if (f->is_error || f->beresp.status != 200 || f->vars.hit_for_pass > 0 || location.ptr == NULL)
        return false;
    struct arena *a = (struct arena *)f->beresp.arena;
    if (url_of_same_origin(&base, location, a, &url) != 0 || !span_eq(url, f->bereq.url))
        return false;
    compute_freshness(f, fr);
    return fr->stated && fr->cacheable && fr->ttl > f->response_time - fr->origin_time;
}

/* For a passed request the object is in the index only if its response may replace a stored one: withdraw it
 * otherwise. */
static void
settle_post(struct fetch *f)
{
    CHECK(f->kind == FETCH_PASS && f->in_index);
    struct freshness fr;
    if (!post_answers_get(f, &fr)) {
        withdraw(f);
        return;
    }
    f->vars.uncacheable = false;
    fetch_refuse(f, REASON_NONE);
    f->vars.ttl = nsec_seconds(fr.ttl - (f->response_time - fr.origin_time));
    f->vars.grace = nsec_seconds(fr.grace);
    f->vars.keep = nsec_seconds(fr.keep);
    struct invalidated done = { 0 };
    store_purge(f->server->env->store, f->vars.key, f->vars.xid, &done);
    f->server->counters->n_obj_purged += done.objects;
}

/* NULL: the policy unset the storage. */
static struct storage *
choose_storage(struct fetch *f)
{
    CHECK(!f->published);
    struct store *st = f->server->env->store;
    bool short_lived = f->vars.ttl + f->vars.grace + f->vars.keep < params.shortlived_s;
    if (!f->in_index || f->vars.uncacheable || short_lived) {
        f->server->counters->beresp_shortlived += f->in_index && !f->vars.uncacheable;
        return store_transient(st);
    }
    return f->vars.storage;
}

/* As in Varnish; the limit is for responses that name absurdly long fields */
#define VARY_NAME_BYTES_MAX 127u

/* The reason if no other request can be known to select this response (RFC 9111, 4.1). */
static unsigned
varies_on_anything(const struct fetch *f)
{
    const struct http_message *m = &f->beresp;
    for (unsigned i = 0; i < m->n_fields; i++) {
        struct span rest = m->fields[i].value, item;
        if (m->fields[i].id != NAME_VARY)
            continue;
        while (list_next(&rest, &item)) {
            if (span_eq(item, SPAN_LIT("*")))
                return REASON_VARY_STAR;
            if (!is_token(item) || item.len > VARY_NAME_BYTES_MAX) {
                log_text(&f->log, TAG_ERROR, SPAN_LIT("Illegal 'Vary' header"));
                return REASON_VARY_ILLEGAL;
            }
        }
    }
    return REASON_NONE;
}

/* A response larger than its storage goes to its client only. As long as it would be fresh, a marker lets
 * other requests fetch their own at once. */
static bool
too_large(const struct fetch *f, const struct storage *st)
{
    DEBUG_CHECK(st != NULL && f->in_index);
    bool known = f->content.kind == CONTENT_KNOWN && !fetch_has_part(f) &&
                 (f->chain == NULL || !chain_changes(f->chain));
    return known && !f->vars.was_304 && !body_fits(st, f->content.bytes);
}

static int
store_head(struct fetch *f, struct storage *st)
{
    CHECK(!f->published && st != NULL);
    object_body_drop(f->busy);
    object_set_storage(f->busy, st);
    return object_set_head(f->busy, &f->beresp, f->in_index ? &f->bereq : NULL);
}

/* If the chosen storage is full, the response goes to Transient for at most `shortlived`. */
static void
shorten(struct object *o)
{
    DEBUG_CHECK(object_state(o) < OBJECT_STREAMING);
    nsec now = clock_real_ns(), left = object_ttl_left(o, now), limit = nsec_of(params.shortlived_s);
    if (left > limit)
        o->ttl = nsec_add(object_age(o, now), limit);
    o->grace = o->keep = 0;
}

int64_t
fetch_content_length(const struct fetch *f)
{
    CHECK(!f->vars.was_304 || f->stale != NULL);
    if (f->is_error)
        return (int64_t)f->vars.synth_body.len;
    if (f->vars.was_304)
        return (int64_t)body_bytes(&f->stale->body);
    if (fetch_has_part(f) && f->part->kept)
        return (int64_t)f->part->total;
    if (f->chain != NULL && chain_changes(f->chain))
        return -1;
    switch (f->content.kind) {
    case CONTENT_NONE: return 0;
    case CONTENT_KNOWN: return (int64_t)f->content.bytes;
    case CONTENT_UNKNOWN: break;
    }
    return -1;
}

/* Reserves memory for the body. A body in parts gets memory with each part. */
static int
allocate_body(struct fetch *f)
{
    DEBUG_CHECK(f->busy->head != NULL && !f->published);
    int64_t length = fetch_content_length(f);
    int err = fetch_has_part(f) ? fetch_part_settle(f) : 0;
    if (f->vars.was_304)
        object_share_body(f->busy, f->stale);
    else if (err == 0 && length >= 0 && !object_is_partial(f->busy))
        err = object_expect(f->busy, (uint64_t)length);
    bool fails_later = length < 0 && !fetch_in_transit(f) && storage_refuses(object_storage(f->busy));
    return fails_later ? ERR_NOMEM : err;
}

/* How long requests of a key do not wait for each other after a response found no room. */
#define UNSHARED_NS (1 * NSEC_PER_SEC)

/* Slow clients fill the storage that lends to Transient. The response still goes to its client, in pieces; a
 * marker lets all waiters fetch their own at once. */
static int
allocate_unshared(struct fetch *f)
{
    CHECK(f->in_index && object_storage(f->busy)->backing != NULL);
    log_text(&f->log, TAG_NOTICE, SPAN_LIT("vsl: Not stored: slow clients fill its storage"));
    fetch_refuse(f, REASON_STORAGE_FULL);
    f->busy->flags |= OBJECT_HIT_FOR_MISS;
    f->busy->ttl = nsec_add(object_age(f->busy, clock_real_ns()), UNSHARED_NS);
    f->busy->grace = f->busy->keep = 0;
    int err = store_head(f, object_storage(f->busy));
    return err == 0 ? allocate_body(f) : err;
}

/* The content of a 304 and that of a part have memory of their own. */
static bool
may_be_unshared(const struct fetch *f)
{
    return f->in_index && object_storage(f->busy)->backing != NULL && !f->vars.was_304 && !fetch_has_part(f);
}

/* Stores the head and reserves the body in the same storage. */
static int
allocate(struct fetch *f, struct storage *st)
{
    struct storage *transient = store_transient(f->server->env->store);
    int err = store_head(f, st);
    if (err == ERR_NOMEM && st != transient) {
        shorten(f->busy);
        st = transient;
        err = store_head(f, st);
    }
    if (err == 0)
        err = allocate_body(f);
    if (err == ERR_NOMEM && may_be_unshared(f))
        err = allocate_unshared(f);
    if (err == 0)
        log_words(&f->log, TAG_STORAGE, (struct span[]){ SPAN_LIT("malloc"), st->name }, 2);
    return err;
}

/* A 304 may bring no-transform, which forbids the other codings from now on. */
static struct body_form
form_of_stale(const struct fetch *f)
{
    CHECK(f->vars.was_304 && f->stale != NULL);
    struct body_form form = object_form(f->stale);
    form.codable = form.codable && coding_fits(&f->beresp, form.gzipped);
    return form;
}

int
fetch_settle(struct fetch *f)
{
    CHECK(object_state(f->busy) < OBJECT_STREAMING);
    DEBUG_CHECK(f->chain == NULL && f->busy->live != NULL);
    if (f->kind == FETCH_PASS && f->in_index)
        settle_post(f);
    double ttl = decide_sharing(f);
    unsigned unmatched = f->in_index && !f->vars.uncacheable ? varies_on_anything(f) : REASON_NONE;
    if (unmatched != REASON_NONE) {
        fetch_refuse(f, unmatched);
        withdraw(f);
        f->busy->flags |= OBJECT_HIT_FOR_MISS; /* obj.uncacheable */
    }
    f->trailed = f->vars.was_304 && object_form(f->stale).trailed;
    object_set_form(f->busy,
                    f->vars.was_304 ? form_of_stale(f) : (struct body_form){ .partial = fetch_has_part(f) });
    int err = !f->vars.was_304 && f->exchange != NULL && !fetch_has_part(f) ? fetch_open_filters(f) : 0;
    if (err != 0)
        return err;
    struct storage *st = choose_storage(f);
    if (fetch_has_part(f) && !fetch_part_may_stay(f, st) && f->in_index && !f->vars.uncacheable) {
        /* obj.uncacheable, and requests do not wait for the next response */
        fetch_refuse(f, REASON_PART_NOT_KEPT);
        f->busy->flags |= OBJECT_HIT_FOR_MISS;
        withdraw(f);
        st = store_transient(f->server->env->store);
    }
    if (st != NULL && f->in_index && !f->vars.uncacheable && too_large(f, st)) {
        log_text(&f->log, TAG_NOTICE, SPAN_LIT("vsl: Not stored: larger than its storage"));
        fetch_refuse(f, REASON_TOO_LARGE);
        f->busy->flags |= OBJECT_HIT_FOR_MISS;
        st = store_transient(f->server->env->store);
    }
    set_lifetimes(f, f->busy, ttl);
    f->busy->xid = (uint32_t)f->vars.xid;
    message_mark_always(&f->beresp); /* hop-by-hop fields set by the policy are also for this hop only */
    fetch_announce_trailers(f);
    err = st == NULL ? ERR_NOMEM : allocate(f, st);
    if (err == 0) {
        fetch_keep_refusal(f);
        return 0;
    }
    (void)fetch_failed(f, err, "Could not get storage");
    fetch_close_filters(f); /* may log a record, which comes after the reason, as in Varnish */
    return err;
}

static void
insert(struct fetch *f)
{
    f->in_index = store_insert(f->server->env->store, f->busy, f->stale);
    if (f->in_index || f->refusal != REASON_NONE)
        return;
    fetch_refuse(f, REASON_MARKER_ENDED);
    fetch_keep_refusal(f);
}

int
fetch_publish(struct fetch *f, int64_t content_length)
{
    CHECK(!f->published && f->busy->head != NULL);
    if (f->in_index)
        insert(f);
    else if (f->stale != NULL && !f->is_error)
        store_supersede(f->busy, f->stale); /* the origin has a new response, even if it is not stored */
    int err = object_publish(f->busy, content_length);
    DEBUG_CHECK(object_state(f->busy) >= OBJECT_STREAMING);
    f->published = true;
    f->request = NULL; /* the request may end now */
    f->vars.client = NULL;
    return err;
}
