/* Computes how long a response is fresh, and whether a client's copy is still valid.
 *
 * Freshness lifetime (RFC 9111, 4.2.1): s-maxage, else max-age, else Expires minus Date, else the configured
 * default. Age (4.2.3): only the received Age field. The origin's response time is not added (freshness_of
 * gives the reason). The Date field does not count against an origin with a slow clock, which 4.2.3 leaves
 * open. A wrong clock does not affect Expires either, because Expires and Date come from the same clock.
 *
 * Policies decide the rest: no-store, private, no-cache, Set-Cookie and Vary "*" (builtin.vcl marks these
 * uncacheable), and must-revalidate (grace serves stale responses in spite of it, as VCL's manual describes;
 * a policy sets beresp.grace to 0 to prevent that). With rules->rfc9111 the RFC decides:
 * cache/rfc9111/response.c. */
#include "cache/freshness.h"
#include "base/check.h"
#include "cache/rfc9111/rfc9111.h"
#include "http/cache_control.h"
#include "http/fields.h"

/* ---- fields ---- */

static struct span
first_member(struct span list)
{
    struct span item = SPAN_NULL;
    return list_next(&list, &item) ? item : SPAN_NULL;
}

/* Returns the received Age in seconds; -1 if absent or malformed, which RFC 9111, 5.1 says to ignore. The
 * first value of a list or of several lines counts. Values out of range become INT32_MAX. */
static int64_t
received_age_s(const struct http_message *m)
{
    struct span text = message_get(m, NAME_AGE);
    uint64_t value;
    if (text.ptr == NULL)
        return -1;
    text = first_member(text);
    int err = parse_uint(text, &value);
    if (err == ERR_LIMIT || (err == 0 && value > INT32_MAX))
        return INT32_MAX;
    return err == 0 ? (int64_t)value : -1;
}

static nsec
seconds(int64_t s)
{
    return s > NSEC_NEVER / NSEC_PER_SEC ? NSEC_NEVER : s * NSEC_PER_SEC;
}

static nsec
date_field(const struct http_message *m, name_id id, bool any_case)
{
    struct span text = message_get(m, id);
    nsec t;
    int err = text.ptr == NULL ? ERR_NOTFOUND
            : any_case         ? http_date_parse_any_case(text, &t)
                               : http_date_parse(text, &t);
    return err == 0 ? t : -1;
}

/* Expires is a single value: several different lines make it invalid, and an invalid Expires means "already
 * stale" (RFC 9111, 5.3). */
static bool
expires_is_one(const struct http_message *m)
{
    struct span first = message_get(m, NAME_EXPIRES);
    for (unsigned i = 0; i < m->n_fields; i++)
        if (m->fields[i].id == NAME_EXPIRES && !span_eq(span_trim(m->fields[i].value), span_trim(first)))
            return false;
    return true;
}

/* ---- statuses ---- as VCL's manual lists them, plus 303 and 308, which it lacks. The default lifetime
 * applies only to STATUS_BY_DEFAULT. */
enum status_kind { STATUS_UNCACHEABLE, STATUS_BY_DEFAULT, STATUS_IF_EXPLICIT };

static enum status_kind
status_kind(unsigned status)
{
    switch (status) {
    case 200:
    case 203:
    case 204:
    case 300:
    case 301:
    case 304:
    case 404:
    case 410:
    case 414: return STATUS_BY_DEFAULT;
    case 302:
    case 303:
    case 307:
    case 308: return STATUS_IF_EXPLICIT;
    default: return STATUS_UNCACHEABLE;
    }
}

/* ---- lifetime ---- */

static nsec
lifetime_of_expires(const struct http_message *m, const struct freshness *f, nsec response_time)
{
    if (f->expires < 0 || !expires_is_one(m))
        return 0;
    nsec from = f->date >= 0 ? f->date : response_time;
    return f->expires > from ? f->expires - from : 0;
}

/* False: the response states no lifetime. */
static bool
explicit_lifetime(const struct http_message *m, const struct cache_control *cc, nsec response_time,
                  struct freshness *f)
{
    f->max_age_s = cc->s_maxage_s >= 0 ? cc->s_maxage_s : cc->max_age_s;
    if (f->max_age_s >= 0)
        f->ttl = seconds(f->max_age_s);
    else if (!f->targeted && message_has(m, NAME_EXPIRES))
        f->ttl = lifetime_of_expires(m, f, response_time);
    else
        return false;
    return true;
}

/* Enforces a targeted field that forbids storing with a lifetime of 0, because policies written for Varnish
 * do not check targeted fields. */
static bool
targeted_forbids(const struct freshness *f, const struct cache_control *cc)
{
    return f->targeted && (cc->no_store || cc->no_cache || cc->is_private);
}

static void
judge_by_status(const struct cache_control *cc, unsigned status, struct freshness *f)
{
    enum status_kind kind = status_kind(status);
    f->cacheable = kind == STATUS_BY_DEFAULT || (kind == STATUS_IF_EXPLICIT && f->stated);
    if (!f->cacheable)
        f->ttl = -NSEC_PER_SEC;
    if (cc->stale_while_revalidate_s >= 0 && f->cacheable)
        f->grace = seconds(cc->stale_while_revalidate_s);
    if (targeted_forbids(f, cc))
        f->ttl = f->grace = f->keep = 0;
}

void
freshness_of(const struct http_message *response, nsec response_time, const struct freshness_rules *rules,
             struct freshness *out)
{
    struct cache_control cc;
    int64_t age_s = received_age_s(response);
    *out = (struct freshness){
        .ttl = rules->ttl,
        .grace = rules->grace,
        .keep = rules->keep,
        .age = age_s < 0 ? -1 : seconds(age_s),
        .date = date_field(response, NAME_DATE, rules->rfc9111),
        .expires = date_field(response, NAME_EXPIRES, rules->rfc9111),
        .targeted = rules->targeted && cache_control_targeted(response, &cc),
    };
    if (!out->targeted && rules->rfc9111)
        cache_control_parse(response, &cc);
    else if (!out->targeted)
        cache_control_parse_as_varnish(response, &cc);
    /* The origin's response time (RFC 9111's response_delay) is not counted, as in Varnish: a response with
     * max-age=1 from a slow origin stays fresh for one second, and policies compare beresp.ttl with the
     * max-age of the origin. */
    out->origin_time = response_time - (out->age > 0 ? out->age : 0);
    DEBUG_CHECK(out->origin_time <= response_time && out->max_age_s == 0);
    out->stated = explicit_lifetime(response, &cc, response_time, out);
    if (rules->rfc9111)
        rfc9111_judge(response, &cc, rules, out);
    else
        judge_by_status(&cc, response->status, out);
}

/* ---- conditional requests ---- */

/* RFC 9110, 13.1.2 compares weakly. For a request with Range, Varnish compares strongly and answers a weak
 * tag with the range; so do we. */
static bool
none_match(const struct http_message *request, struct span etag, bool *matches)
{
    bool asked = false, strong = message_has(request, NAME_RANGE);
    *matches = false;
    for (unsigned i = 0; i < request->n_fields; i++) {
        const struct http_field *f = &request->fields[i];
        if (f->id != NAME_IF_NONE_MATCH)
            continue;
        asked = true;
        *matches |= strong ? etag_list_match_strong(f->value, etag) : etag_list_match(f->value, etag);
    }
    return asked;
}

/* Without Last-Modified, Date takes its place (RFC 9111, 4.3.2). */
static bool
not_modified_since(const struct http_message *request, const struct http_message *response, bool rfc9111)
{
    nsec since = date_field(request, NAME_IF_MODIFIED_SINCE, rfc9111);
    if (since < 0)
        return false; /* the usual case: skip parsing the response's dates */
    nsec modified = date_field(response, NAME_LAST_MODIFIED, rfc9111);
    if (!message_has(response, NAME_LAST_MODIFIED))
        modified = date_field(response, NAME_DATE, rfc9111);
    return modified >= 0 && modified <= since;
}

enum conditional
conditional_check(const struct http_message *request, const struct http_message *response, bool rfc9111)
{
    if (message_lacks(request, NAME_IF_NONE_MATCH) && message_lacks(request, NAME_IF_MODIFIED_SINCE))
        return CONDITIONAL_NONE; /* the usual case */
    bool matches,
        get = span_eq(request->method, SPAN_LIT("GET")) || span_eq(request->method, SPAN_LIT("HEAD"));
    if (!get || response->status != 200)
        return CONDITIONAL_NONE;
    if (!none_match(request, message_get(response, NAME_ETAG), &matches))
        matches = not_modified_since(request, response, rfc9111);
    return matches ? CONDITIONAL_NOT_MODIFIED : CONDITIONAL_NONE;
}
