/* Reasons of requests: see reason.h. */
#include "proxy/reason/reason.h"

#include <assert.h>
#include <stdio.h>

#include "base/params.h"
#include "base/put.h"
#include "http/fields.h"
#include "http/pairs.h"
#include "proxy/server.h"
#include "reason_texts.h"

#define SECONDS_BYTES 32u

static const struct policy_place nowhere;

void
reason_log(const struct log_txn *t, const char *decision, unsigned reason, const struct policy_place *at,
           const char *details)
{
    char place[3 * DECIMAL_BYTES_MAX] = "-";
    CHECK(reason < REASONS);
    if (at->known)
        snprintf(place, sizeof place, "%u.%u.%u", at->site.file, at->site.line, at->site.column);
    log_printf(t, TAG_DEBUG, "why %s %s %s %s", decision, reason_texts[reason].id, place, details);
}

unsigned
reason_of_builtin(const struct policy_place *at, const char *action)
{
    for (size_t i = 0; at->builtin && i < sizeof reason_builtin / sizeof *reason_builtin; i++) {
        const struct reason_builtin *b = &reason_builtin[i];
        if (b->first <= at->site.line && at->site.line <= b->last && strcmp(b->action, action) == 0)
            return b->reason;
    }
    return REASON_NONE;
}

static unsigned
refusal_of(const struct object *o)
{
    static_assert(REASONS <= REFUSED_BY_POLICY, "a reason leaves the bit free");
    unsigned reason = object_refusal(o) & ~REFUSED_BY_POLICY;
    DEBUG_CHECK(reason < REASONS);
    return reason;
}

/* ---- actions of hooks ---- */

static void
append(char out[REASON_DETAILS_BYTES], const char *between, struct span text)
{
    size_t n = strlen(out);
    DEBUG_CHECK(n < REASON_DETAILS_BYTES);
    snprintf(out + n, REASON_DETAILS_BYTES - n, "%s%.*s", n > 0 ? between : "", (int)text.len, text.ptr);
}

/* The names of the cookies; their values are secrets. */
static void
name_cookies(const struct request *r, char out[REASON_DETAILS_BYTES])
{
    struct span cookies = message_get(&r->req, NAME_COOKIE), pair;
    if (cookies.len == 0)
        return;
    for (const char *at = cookies.ptr, *end = at + cookies.len; pairs_next(&pairs_cookie, &at, end, &pair);)
        append(out, ", ", pair_name(pair));
}

static unsigned
of_policy(const struct request *r, enum vcl_action action)
{
    switch (action) {
    case ACTION_PASS: return REASON_PASS_POLICY;
    case ACTION_PIPE: return REASON_PIPE_POLICY;
    case ACTION_PURGE: return REASON_PURGE;
    case ACTION_SYNTH: return REASON_SYNTH_POLICY;
    case ACTION_RESTART:
        return r->vars.restarts < params.max_restarts ? REASON_RESTART_POLICY : REASON_TOO_MANY_RESTARTS;
    default: return REASON_POLICY_FAILED;
    }
}

static void
describe(const struct request *r, unsigned reason, char out[REASON_DETAILS_BYTES])
{
    const struct policy_ctx *c = &r->ctx;
    *out = '\0';
    switch (reason) {
    case REASON_PASS_METHOD:
    case REASON_PIPE_METHOD:
    case REASON_SYNTH_METHOD: append(out, "", r->req.method); break;
    case REASON_PASS_COOKIE: name_cookies(r, out); break;
    case REASON_PASS_AUTHORIZATION:
    case REASON_SYNTH_HOST: break;
    case REASON_POLICY_FAILED:
        append(out, "",
               c->failed && c->failed_why != NULL ? span_str(c->failed_why)
               : c->ret.text.ptr != NULL          ? c->ret.text
                                                  : SPAN_LIT("Failed from VCL"));
        break;
    default: append(out, "", span_str(hook_name(c->hook)));
    }
}

void
reason_of_action(struct request *r, enum vcl_action action)
{
    char details[REASON_DETAILS_BYTES];
    if (!log_wants_reasons())
        return;
    struct policy_place at = policy_decided_at(&r->ctx);
    unsigned builtin = reason_of_builtin(&at, action_name(action));
    unsigned reason = builtin != REASON_NONE ? builtin : of_policy(r, action);
    bool failed = reason == REASON_TOO_MANY_RESTARTS || reason == REASON_POLICY_FAILED;
    describe(r, reason, details);
    reason_log(&r->log, failed ? "failure" : action_name(action), reason, &at, details);
}

/* ---- look-ups ---- */

/* "3 s", "0.4 s", "97 s" */
static const char *
seconds(nsec t, char out[SECONDS_BYTES])
{
    double s = nsec_seconds(t);
    snprintf(out, SECONDS_BYTES - 2, "%.*f", s >= 9.95 || s <= -9.95 ? 0 : 1, s);
    size_t n = strlen(out);
    if (n > 2 && memcmp(out + n - 2, ".0", 2) == 0)
        n -= 2;
    memcpy(out + n, " s", sizeof " s");
    return out;
}

static void
log_hit(struct request *r, bool stale, const struct object *o)
{
    DEBUG_CHECK(o->head != NULL);
    struct object *readable = (struct object *)(uintptr_t)o;
    char age[SECONDS_BYTES], left[SECONDS_BYTES], grace[SECONDS_BYTES], details[REASON_DETAILS_BYTES];
    nsec now = loop_real(r->loop), ttl_left = object_ttl_left(o, now),
         grace_ns = atomic_load(&readable->grace);
    seconds(object_age(o, now), age);
    if (stale)
        snprintf(details, sizeof details, ": age %s, stale for %s, grace left %s", age,
                 seconds(-ttl_left, left), seconds(grace_ns + ttl_left, grace));
    else
        snprintf(details, sizeof details, ": age %s, ttl left %s, grace %s", age, seconds(ttl_left, left),
                 seconds(grace_ns, grace));
    reason_log(&r->log, stale ? "stale-hit" : "hit", stale ? REASON_STALE : REASON_FRESH, &nowhere, details);
}

/* The statement that made the look-up a miss: 1 + its site, 0: none. */
static uint32_t
setting(const struct request *r, enum miss_cause cause)
{
    switch (cause) {
    case MISS_ALWAYS: return r->vars.always_miss_site;
    case MISS_REQ_TTL: return r->vars.ttl_limit_site;
    case MISS_REQ_GRACE: return r->vars.grace_limit_site;
    default: return 0;
    }
}

static void
log_miss(struct request *r, const struct lookup *l)
{
    static const struct miss_row {
        unsigned reason;
        const char *before, *after; /* around the seconds; NULL: no seconds */
    } rows[MISS_CAUSES] = {
        [MISS_ABSENT] = { REASON_ABSENT, "", NULL },
        [MISS_EXPIRED] = { REASON_EXPIRED, "", " ago" },
        [MISS_EVICTED] = { REASON_EVICTED, " ", " ago" },
        [MISS_PURGED] = { REASON_PURGED, " ", " ago" },
        [MISS_BANNED] = { REASON_BANNED, " ", " ago" },
        [MISS_MARKER_ENDED] = { REASON_MARKER_ENDED, " ", " ago" },
        [MISS_VARIANT] = { REASON_OTHER_VARIANT, "", NULL },
        [MISS_ALWAYS] = { REASON_ALWAYS_MISS, "", NULL },
        [MISS_REQ_TTL] = { REASON_OVER_REQ_TTL, "req.ttl", NULL },
        [MISS_REQ_GRACE] = { REASON_OVER_REQ_GRACE, "its freshness ended ", " ago" },
        [MISS_CLIENT] = { REASON_CLIENT_DEMAND, "", NULL },
    };
    DEBUG_CHECK(l->busy != NULL && l->miss.cause < MISS_CAUSES);
    const struct miss_row *row = &rows[l->miss.cause];
    char ago[SECONDS_BYTES] = "", details[REASON_DETAILS_BYTES];
    if (row->after != NULL)
        seconds(l->miss.ago, ago);
    snprintf(details, sizeof details, "%s%s%s", row->before, ago, row->after == NULL ? "" : row->after);
    if (l->miss.cause == MISS_VARIANT)
        snprintf(details, sizeof details, "%u stored", l->other_variants);
    struct policy_place at = policy_place(&r->ctx, setting(r, l->miss.cause));
    reason_log(&r->log, "miss", row->reason, &at, details);
}

/* Since when the marker is there. */
static nsec
marker_age(const struct object *o, nsec now)
{
    uint64_t initial_s = 0;
    (void)parse_uint(object_head_get(o, NAME_AGE, SPAN_NULL), &initial_s);
    nsec age = object_age(o, now) - nsec_of((double)initial_s);
    return age > 0 ? age : 0;
}

static void
log_marker(struct request *r, const char *decision, const struct object *o)
{
    char age[SECONDS_BYTES], details[REASON_DETAILS_BYTES];
    DEBUG_CHECK(object_is_marker(o) && o->head != NULL);
    log_printf(&r->log, TAG_DEBUG, "marker for %s", seconds(marker_age(o, loop_real(r->loop)), age));
    reason_details(o, details);
    reason_log(&r->log, decision, refusal_of(o), &nowhere, details);
}

void
reason_of_lookup(struct request *r, enum lookup_result found, const struct lookup *l)
{
    if (!log_wants_reasons())
        return;
    switch (found) {
    case LOOKUP_MISS: log_miss(r, l); break;
    case LOOKUP_HIT_FOR_MISS: log_marker(r, "hit-for-miss", l->object); break;
    case LOOKUP_HIT_FOR_PASS: log_marker(r, "hit-for-pass", l->object); break;
    case LOOKUP_HIT:
    case LOOKUP_HIT_GRACE:
    case LOOKUP_HIT_GRACE_FETCH:
        if (log_wants(TAG_VCL_TRACE))
            log_hit(r, found != LOOKUP_HIT, l->object);
        break;
    case LOOKUP_WAIT:
    case LOOKUP_FULL: break;
    }
}

/* ---- responses that are not stored ---- */

static void
add_field(const struct object *o, name_id id, char out[REASON_DETAILS_BYTES])
{
    struct span value = object_head_get(o, id, SPAN_NULL);
    if (value.ptr == NULL)
        return;
    append(out, ", ", name_text(id));
    append(out, ": ", value);
}

void
reason_details(const struct object *o, char out[REASON_DETAILS_BYTES])
{
    static const name_id lifetimes[] = { NAME_CDN_CACHE_CONTROL, NAME_SURROGATE_CONTROL, NAME_CACHE_CONTROL,
                                         NAME_EXPIRES, NAME_AGE };
    *out = '\0';
    switch (refusal_of(o)) {
    case REASON_SET_COOKIE: append(out, "", name_text(NAME_SET_COOKIE)); break; /* its value is a secret */
    case REASON_CACHE_CONTROL:
        add_field(o, NAME_SURROGATE_CONTROL, out); /* if there is one, the other is not heard */
        if (*out == '\0')
            add_field(o, NAME_CACHE_CONTROL, out);
        break;
    case REASON_NO_LIFETIME:
        if (object_refusal(o) & REFUSED_BY_POLICY) {
            append(out, "", SPAN_LIT("set by the policy"));
            break;
        }
        for (size_t i = 0; i < sizeof lifetimes / sizeof *lifetimes; i++)
            add_field(o, lifetimes[i], out);
        if (*out == '\0')
            snprintf(out, REASON_DETAILS_BYTES, "status %u", (unsigned)o->status);
        break;
    default: break;
    }
}

void
reason_json(const struct object *o, struct text *out)
{
    char details[REASON_DETAILS_BYTES];
    struct text sentence = { 0 };
    const struct reason_text *reason = &reason_texts[refusal_of(o)];
    reason_details(o, details);
    text_printf(&sentence, "%s%s%s", reason->before, details, reason->after);
    text_printf(out, "\"reason\": \"%s\", \"text\": ", reason->id);
    text_json(out, text_span(&sentence));
    text_release(&sentence);
}
