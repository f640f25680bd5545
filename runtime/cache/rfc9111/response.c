/* RFC 9111 for responses: whether a shared cache may store one (section 3), its freshness lifetime if the
 * origin states none (4.2.2), and its use when stale (4.2.4, RFC 5861).
 *
 * Stricter than the RFC in one point: a response with Set-Cookie, or to a request with Cookie, is stored only
 * if the origin states its lifetime. A guessed lifetime must not hand one user's page to another. */
#include "base/check.h"
#include "cache/object.h"
#include "cache/rfc9111/rfc9111.h"
#include "http/fields.h"

/* ---- statuses ---- */

/* Vernis understands these statuses, so must-understand overrides no-store (RFC 9111, 5.2.2.3). 206 is
 * missing, because parts are not stored. */
static bool
is_understood(unsigned status)
{
    switch (status) {
    case 200:
    case 203:
    case 204:
    case 300:
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
    case 400:
    case 401:
    case 403:
    case 404:
    case 405:
    case 410:
    case 414:
    case 421:
    case 451:
    case 500:
    case 501:
    case 502:
    case 503:
    case 504: return true;
    default: return false;
    }
}

/* RFC 9110, 15.1 */
static bool
is_heuristically_cacheable(unsigned status)
{
    switch (status) {
    case 200:
    case 203:
    case 204:
    case 300:
    case 301:
    case 308:
    case 404:
    case 405:
    case 410:
    case 414:
    case 501: return true;
    default: return false;
    }
}

/* 206, 304, 412 and 416 answer a range or a condition of one request. */
static bool
is_final_and_whole(unsigned status)
{
    return status >= 200 && status != 206 && status != 304 && status != 412 && status != 416;
}

/* ---- storing ---- */

static bool
answers_authorized(const struct freshness_rules *rules)
{
    return rules->request != NULL && message_has(rules->request, NAME_AUTHORIZATION);
}

static bool
is_personal(const struct http_message *response, const struct freshness_rules *rules)
{
    return message_has(response, NAME_SET_COOKIE) ||
           (rules->request != NULL && message_has(rules->request, NAME_COOKIE));
}

static bool
is_forbidden(const struct http_message *response, const struct cache_control *cc,
             const struct freshness_rules *rules)
{
    if (!is_final_and_whole(response->status))
        return true;
    if (cc->must_understand && !is_understood(response->status))
        return true;
    if (cc->no_store && !cc->must_understand)
        return true;
    if (cc->is_private && !cc->private_fields)
        return true;
    bool shared_on_purpose = cc->is_public || cc->must_revalidate || cc->s_maxage_s >= 0; /* RFC 9111, 3.5 */
    return answers_authorized(rules) && !shared_on_purpose;
}

/* ---- freshness that the origin does not state ---- */

static int
since_last_change(const struct http_message *response, const struct freshness *f, nsec *out)
{
    struct span text = message_get(response, NAME_LAST_MODIFIED);
    nsec modified;
    if (text.ptr == NULL || http_date_parse_any_case(text, &modified) != 0)
        return ERR_NOTFOUND;
    nsec made = f->date >= 0 ? f->date : f->origin_time;
    *out = made > modified ? made - modified : 0;
    return 0;
}

static nsec
smaller(nsec a, nsec b)
{
    return a < b ? a : b;
}

/* An error response without caching directives gets negative_ttl, whatever its Last-Modified. */
static nsec
guessed_lifetime(const struct http_message *response, const struct freshness_rules *rules,
                 const struct freshness *f)
{
    nsec unchanged;
    if (response->status >= 400)
        return rules->negative_ttl;
    if (rules->heuristic_percent == 0 || since_last_change(response, f, &unchanged) != 0)
        return rules->ttl;
    return smaller(unchanged / 100 * rules->heuristic_percent, rules->heuristic_max);
}

/* ---- use of stale responses ---- */

static bool
must_be_valid(const struct cache_control *cc)
{
    return cc->must_revalidate || cc->proxy_revalidate || (cc->no_cache && !cc->no_cache_fields);
}

static nsec
seconds_of(int64_t s)
{
    return s <= 0 ? 0 : s > NSEC_NEVER / NSEC_PER_SEC ? NSEC_NEVER : s * NSEC_PER_SEC;
}

static bool
has_validator(const struct http_message *response)
{
    return message_has(response, NAME_ETAG) || message_has(response, NAME_LAST_MODIFIED);
}

static nsec
keep_of(const struct http_message *response, const struct cache_control *cc,
        const struct freshness_rules *rules, const struct freshness *f)
{
    nsec if_error = must_be_valid(cc) ? 0 : seconds_of(cc->stale_if_error_s);
    nsec keep = has_validator(response) || f->ttl > 0 ? rules->keep : 0;
    return if_error > keep ? if_error : keep;
}

void
rfc9111_judge(const struct http_message *response, const struct cache_control *cc,
              const struct freshness_rules *rules, struct freshness *out)
{
    DEBUG_CHECK(rules->rfc9111);
    bool guessable = (is_heuristically_cacheable(response->status) || cc->is_public) &&
                     !is_personal(response, rules);
    out->cacheable = !is_forbidden(response, cc, rules) && (out->stated || guessable);
    out->grace = out->keep = 0;
    if (!out->cacheable) {
        out->ttl = 0;
        return;
    }
    if (!out->stated)
        out->ttl = guessed_lifetime(response, rules, out);
    if (cc->no_cache && !cc->no_cache_fields) /* stale from its arrival on, and kept from then, at any age */
        out->ttl = smaller(out->ttl, out->age > 0 ? out->age : 0);
    if (!must_be_valid(cc))
        out->grace = seconds_of(cc->stale_while_revalidate_s);
    out->keep = keep_of(response, cc, rules, out);
    DEBUG_CHECK(out->ttl >= 0 && out->grace >= 0 && out->keep >= 0);
}

/* ---- stored responses ---- */

/* Reads the directives of a stored response, with the same choice of field as at its arrival. */
static void
stored_control(const struct object *o, struct cache_control *out)
{
    static const name_id names[] = { NAME_CACHE_CONTROL, NAME_VERNIS_CACHE_CONTROL, NAME_CDN_CACHE_CONTROL };
    struct http_field fields[sizeof names / sizeof *names];
    struct http_message m = { .fields = fields, .ids_known = UINT16_MAX };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct span value = object_head_get(o, names[i], SPAN_NULL);
        if (value.ptr != NULL)
            message_put(&m, m.n_fields++, (struct http_field){ .id = names[i], .value = value });
    }
    if (!params.targeted_control || !cache_control_targeted(&m, out))
        cache_control_parse(&m, out);
}

/* s-maxage forbids stale use, as proxy-revalidate does (RFC 9111, 5.2.2.10), unless the origin also states a
 * time for it: many origins send s-maxage and stale-while-revalidate together, and mean both. */
bool
rfc9111_stale_if_away(const struct object *stored, nsec now)
{
    struct cache_control cc;
    stored_control(stored, &cc);
    if (must_be_valid(&cc))
        return false;
    if (cc.stale_if_error_s >= 0)
        return -object_ttl_left(stored, now) <= seconds_of(cc.stale_if_error_s);
    return cc.s_maxage_s < 0;
}

bool
rfc9111_stale_if_error(const struct object *stored, nsec now)
{
    struct cache_control cc;
    stored_control(stored, &cc);
    return !must_be_valid(&cc) && cc.stale_if_error_s >= 0 &&
         -object_ttl_left(stored, now) <= seconds_of(cc.stale_if_error_s);
}

/* ---- fields that are for one user ---- */

/* message_retain moves fields while it runs; Cache-Control is found at its old or new place. */
static bool
is_for_all(const struct http_field *f, void *arg)
{
    const struct http_message *m = arg;
    for (unsigned i = 0; i < m->n_fields; i++)
        if (m->fields[i].id == NAME_CACHE_CONTROL && cache_control_names(m->fields[i].value, f->name))
            return false;
    return true;
}

/* Does "=" end the word "private" or "no-cache"? May say so of other words, too. */
static bool
may_end_limited_word(struct span value, const char *equals)
{
    if (equals - value.ptr < 2)
        return false;
    char before = equals[-2] | 0x20, last = equals[-1] | 0x20;
    return equals[-1] == ' ' || equals[-1] == '\t' || (last == 'e' && (before == 't' || before == 'h'));
}

/* A look before the parse, because most responses have no such directive. */
bool
rfc9111_may_withhold(const struct http_message *m)
{
    for (unsigned i = 0; i < m->n_fields; i++) {
        struct span value = m->fields[i].value;
        const char *at = value.ptr, *end = value.ptr + value.len;
        if (m->fields[i].id != NAME_CACHE_CONTROL || value.len == 0)
            continue;
        while ((at = memchr(at, '=', (size_t)(end - at))) != NULL) {
            if (may_end_limited_word(value, at))
                return true;
            at++;
        }
    }
    return false;
}

void
rfc9111_withhold_fields(struct http_message *response)
{
    struct cache_control cc;
    if (!message_has(response, NAME_CACHE_CONTROL) || !rfc9111_may_withhold(response))
        return;
    cache_control_parse(response, &cc);
    if (!cc.no_cache_fields && !cc.private_fields)
        return;
    message_retain(response, is_for_all, response);
}

bool
rfc9111_method_is_safe(struct span method)
{
    static const struct span safe[] = {
        /* RFC 9110, 9.2.1 */
        { "GET", 3 },      { "HEAD", 4 },   { "OPTIONS", 7 }, { "TRACE", 5 },
        { "PROPFIND", 8 }, { "REPORT", 6 }, { "SEARCH", 6 },  { "QUERY", 5 },
    };
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
        if (span_eq(method, safe[i]))
            return true;
    return false;
}
