/* URLs of requests and why they missed: see urls.h. The reason for which a response was not stored follows
 * from the records of its fetch, as in compiler/observe/storing.py, which knows more cases. */
#include "manager/dashboard/urls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/check.h"
#include "base/mem.h"
#include "log/txn.h"
#include "manager/dashboard/hide.h"
#include "reason_texts.h"

#define FADE_S 120.0   /* after this time a count has faded to 1/e */
#define COUNT_MIN 0.05 /* a URL with less is dropped */
#define TIMES 128u     /* classes of origin times, four for each doubling */
#define TIME_FIRST_S 20e-6
#define NUMBER_BYTES 64u
#define HOOK_BYTES 24u
#define BUILTIN_TTL_S 120.0                  /* of vcl_beresp_hitmiss; as in compiler/observe/storing.py */
#define ABOUT_BYTES (URL_REASON_BYTES + 40u) /* details of a reason */

enum handling { UNKNOWN, HIT, MISS, PASS, OTHER };
enum marker { NO_MARKER, HIT_FOR_MISS, HIT_FOR_PASS };
enum refusal { NOTHING, SET_COOKIE, CACHE_CONTROL, VARY, TTL, POLICY, FAILED };

/* The cause of a miss, in the words of runtime/proxy/request_log.c, while somebody wants reasons
 * (compiler/observe/reasons.py). The details are the number of a word of the record between two texts. */
static const struct cause {
    const char *word;
    enum reason reason;
    unsigned number; /* its place in the record; 0: none */
    const char *before, *after;
} causes[] = {
    { "absent", REASON_ABSENT, 0, "", "" },
    { "expired", REASON_EXPIRED, 3, "", " s ago" },
    { "evicted", REASON_EVICTED, 3, " ", " s ago" },
    { "purged", REASON_PURGED, 3, " ", " s ago" },
    { "banned", REASON_BANNED, 3, " ", " s ago" },
    { "marker-ended", REASON_MARKER_ENDED, 3, " ", " s ago" },
    { "variant", REASON_OTHER_VARIANT, 4, "", " stored" },
    { "always", REASON_ALWAYS_MISS, 0, "", "" },
    { "req.ttl", REASON_OVER_REQ_TTL, 0, "req.ttl", "" },
    { "req.grace", REASON_OVER_REQ_GRACE, 3, "its freshness ended ", " s ago" },
    { "client", REASON_CLIENT_DEMAND, 0, "", "" },
};

struct open { /* a transaction in progress, in the slot of its id */
    uint32_t id;
    bool passes; /* a fetch for a request that was passed */
    enum handling handling;
    enum marker marker;
    enum refusal field; /* of the fields, the one that forbids to store */
    bool failed, uncacheable;
    unsigned n_ttl;                       /* TTL records */
    bool by_builtin;                      /* the built-in policy declared it uncacheable */
    double ttl_s, before_s, two_before_s; /* of the last TTL record, and of those before it */
    double refused_ttl_s;                 /* when the built-in policy refused */
    double age_s;                         /* of the response */
    double fetch_s;                       /* when the fetch began, since its start; negative: unknown */
    const struct cause *cause;            /* of a miss; NULL: not logged */
    double cause_value;
    char hook[HOOK_BYTES], passed_by[HOOK_BYTES]; /* the hook that runs; the one that returned pass */
    char host[URL_HOST_BYTES], url[URL_BYTES];
    char refused[URL_REASON_BYTES]; /* the value of the field, or the error of the fetch */
};

struct entry {
    uint64_t hash; /* 0: free */
    double hits, misses, passes, others;
    enum marker marker;   /* of the last request that was no hit */
    enum refusal refusal; /* of the last fetch */
    double ttl_s;
    const struct cause *cause; /* of the last miss; NULL: not logged */
    double cause_value;
    char host[URL_HOST_BYTES], url[URL_BYTES], refused[URL_REASON_BYTES], passed_by[HOOK_BYTES];
};

struct urls {
    struct open open[URLS_OPEN_MAX];
    struct entry entries[URLS_MAX];
    unsigned times[TIMES], n_times;
    unsigned long long seen;
};

struct urls *
urls_new(void)
{
    return mem_zalloc(sizeof(struct urls));
}

void
urls_free(struct urls **u)
{
    free(*u);
    *u = NULL;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static double
requests_of(const struct entry *e)
{
    return e->hits + e->misses + e->passes + e->others;
}

static uint64_t
hash_of(const char *host, const char *url)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = host; *c != '\0'; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    h = (h ^ 0xff) * 0x100000001b3u;
    for (const char *c = url; *c != '\0'; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    return h | 1;
}

/* Finds or makes the entry. In a full table it replaces the one with the fewest requests. */
static struct entry *
entry_of(struct urls *u, const char *host, const char *url)
{
    uint64_t hash = hash_of(host, url);
    struct entry *least = &u->entries[0];
    for (unsigned i = 0; i < URLS_MAX; i++) {
        struct entry *e = &u->entries[i];
        if (e->hash == hash && strcmp(e->url, url) == 0 && strcmp(e->host, host) == 0)
            return e;
        if (least->hash != 0 && (e->hash == 0 || requests_of(e) < requests_of(least)))
            least = e;
    }
    *least = (struct entry){ .hash = hash };
    snprintf(least->host, sizeof least->host, "%s", host);
    snprintf(least->url, sizeof least->url, "%s", url);
    return least;
}

void
urls_age(struct urls *u, double seconds)
{
    double left = exp(-seconds / FADE_S);
    for (unsigned i = 0; i < URLS_MAX; i++) {
        struct entry *e = &u->entries[i];
        e->hits *= left;
        e->misses *= left;
        e->passes *= left;
        e->others *= left;
        if (e->hash != 0 && requests_of(e) < COUNT_MIN)
            *e = (struct entry){ 0 };
    }
}

/* ---- transactions -------------------------------------------------------------------------------------- */

/* Loops take their ids from chunks of a round size, so the last bits of ids are the same in all loops: the
 * product spreads them. */
static struct open *
slot_of(struct urls *u, uint32_t id)
{
    return &u->open[(uint32_t)(id * UINT32_C(0x9e3779b1)) / (UINT32_MAX / URLS_OPEN_MAX + 1)];
}

static struct open *
find_open(struct urls *u, uint32_t id)
{
    struct open *o = slot_of(u, id);
    return o->id == id && id != 0 ? o : NULL;
}

static void
copy(char *to, size_t bytes, struct span text)
{
    size_t n = text.len < bytes - 1 ? text.len : bytes - 1;
    memcpy(to, text.ptr, n);
    to[n] = '\0';
}

/* Number `index` of a text such as "Beresp: 1795795525.377869 0.000449 0.000428". NAN: there is none. */
static double
number_at(struct span text, unsigned index)
{
    char number[NUMBER_BYTES], *end;
    size_t at = 0;
    for (unsigned i = 0; i < index; i++) {
        while (at < text.len && text.ptr[at] != ' ')
            at++;
        while (at < text.len && text.ptr[at] == ' ')
            at++;
    }
    copy(number, sizeof number, span_of(text.ptr + at, text.len - at));
    double value = strtod(number, &end);
    return end == number || !isfinite(value) ? (double)NAN : value;
}

static bool
starts(struct span text, const char *with)
{
    size_t n = strlen(with);
    return text.len >= n && memcmp(text.ptr, with, n) == 0;
}

/* The value of a record "Name: value". False: another field. */
static bool
field_is(struct span text, const char *name, struct span *value)
{
    size_t n = strlen(name);
    if (text.len <= n || text.ptr[n] != ':' || strncasecmp(text.ptr, name, n) != 0)
        return false;
    for (n++; n < text.len && text.ptr[n] == ' ';)
        n++;
    *value = span_of(text.ptr + n, text.len - n);
    return true;
}

static bool
mentions(struct span text, const char *word)
{
    char copied[URL_BYTES];
    copy(copied, sizeof copied, text);
    return strcasestr(copied, word) != NULL;
}

static void
take_origin_time(struct urls *u, double seconds)
{
    if (!(seconds >= 0))
        return;
    double class = seconds <= TIME_FIRST_S ? 0 : 4 * log2(seconds / TIME_FIRST_S);
    u->times[class >= TIMES - 1 ? TIMES - 1 : (unsigned)class]++;
    u->n_times++;
}

static void
call(struct open *o, struct span hook)
{
    static const struct {
        const char *hook;
        enum handling handling;
    } rows[] = { { "HIT", HIT },    { "MISS", MISS },   { "PASS", PASS },
                 { "PIPE", OTHER }, { "SYNTH", OTHER }, { "PURGE", OTHER } };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (span_eq(hook, span_str(rows[i].hook)))
            o->handling = rows[i].handling;
    if (span_eq(hook, SPAN_LIT("BACKEND_ERROR")) && !o->failed) {
        o->failed = true;
        copy(o->refused, sizeof o->refused, SPAN_LIT("vcl_backend_error made the answer"));
    }
    copy(o->hook, sizeof o->hook, hook);
}

/* The log has names of hooks in capitals. */
static void
returned(struct open *o, struct span action)
{
    if (!span_eq(action, SPAN_LIT("pass")))
        return;
    for (unsigned i = 0; i < HOOK_BYTES; i++)
        o->passed_by[i] = ascii_lower(o->hook[i]);
}

static void
fetch_error(struct open *o, struct span text)
{
    for (unsigned i = 0; i < sizeof reason_unwanted / sizeof *reason_unwanted; i++)
        if (span_eq(text, span_str(reason_unwanted[i])))
            return;
    o->failed = true;
    copy(o->refused, sizeof o->refused, text);
}

/* The first field of a response that keeps the built-in policy from storing it. */
static void
response_field(struct open *o, struct span text)
{
    struct span value;
    enum refusal field = NOTHING;
    if (field_is(text, "set-cookie", &value))
        field = SET_COOKIE;
    else if (field_is(text, "cache-control", &value) &&
             (mentions(value, "no-store") || mentions(value, "no-cache") || mentions(value, "private")))
        field = CACHE_CONTROL;
    else if (field_is(text, "vary", &value) && mentions(value, "*"))
        field = VARY;
    if (field == NOTHING || o->failed || (o->field != NOTHING && field != SET_COOKIE))
        return;
    o->field = field;
    if (field == SET_COOKIE) /* its value is a secret */
        *o->refused = '\0';
    else
        copy(o->refused, sizeof o->refused, value);
}

/* "RFC 120 10 0 ..." or "VCL 120 10 0 0 uncacheable". The built-in vcl_beresp_hitmiss sets the ttl and then
 * beresp.uncacheable; whatever else declares a response uncacheable is the author's. */
static void
lifetime(struct open *o, struct span text)
{
    double ttl_s = number_at(text, 1), age_s = number_at(text, 4) - number_at(text, 5);
    if (isnan(ttl_s))
        return;
    if (starts(text, "RFC") && age_s > 0)
        o->age_s = age_s;
    bool uncacheable = mentions(text, "uncacheable");
    o->two_before_s = o->before_s;
    o->before_s = o->ttl_s;
    o->ttl_s = starts(text, "HFP") ? ttl_s : ttl_s - o->age_s;
    if (uncacheable && !o->uncacheable) {
        o->by_builtin = o->n_ttl >= 2 && !starts(text, "HFP") && round(o->before_s) == BUILTIN_TTL_S &&
                        round(o->ttl_s) == BUILTIN_TTL_S;
        o->refused_ttl_s = o->two_before_s;
    }
    o->n_ttl++;
    o->uncacheable |= uncacheable;
}

static void
timestamp(struct urls *u, struct open *o, struct span text)
{
    if (starts(text, "Fetch:"))
        o->fetch_s = number_at(text, 2);
    else if (starts(text, "Beresp:") && o->fetch_s >= 0)
        take_origin_time(u, number_at(text, 2) - o->fetch_s);
}

/* "lookup miss expired 13.2 1" */
static void
cause(struct open *o, struct span text)
{
    static const char before[] = "lookup miss ";
    if (!starts(text, before))
        return;
    struct span word = span_of(text.ptr + sizeof before - 1, text.len - (sizeof before - 1));
    const char *end = memchr(word.ptr, ' ', word.len);
    word.len = end == NULL ? word.len : (size_t)(end - word.ptr);
    for (unsigned i = 0; i < sizeof causes / sizeof *causes; i++)
        if (span_eq(word, span_str(causes[i].word))) {
            o->cause = &causes[i];
            o->cause_value = number_at(text, causes[i].number);
        }
}

static enum refusal
refusal_of(const struct open *o)
{
    if (o->failed)
        return FAILED;
    if (!o->uncacheable)
        return o->n_ttl > 0 && o->ttl_s <= 0 ? TTL : NOTHING;
    if (!o->by_builtin)
        return POLICY;
    if (o->refused_ttl_s <= 0)
        return TTL;
    return o->field != NOTHING ? o->field : POLICY;
}

static void
end_fetch(struct urls *u, const struct open *o)
{
    if (o->passes || *o->url == '\0')
        return;
    struct entry *e = entry_of(u, o->host, o->url);
    e->refusal = refusal_of(o);
    e->ttl_s = e->refusal == TTL && o->uncacheable ? o->refused_ttl_s : o->ttl_s;
    memcpy(e->refused, o->refused, sizeof e->refused);
}

static void
end_request(struct urls *u, const struct open *o)
{
    if (*o->url == '\0' || o->handling == UNKNOWN)
        return;
    struct entry *e = entry_of(u, o->host, o->url);
    double *const counts[] = {
        [HIT] = &e->hits, [MISS] = &e->misses, [PASS] = &e->passes, [OTHER] = &e->others
    };
    *counts[o->handling] += 1;
    u->seen++;
    if (o->handling != MISS && o->handling != PASS)
        return;
    e->marker = o->marker;
    e->cause = o->handling == MISS ? o->cause : NULL;
    e->cause_value = isnan(o->cause_value) ? 0 : o->cause_value;
    memcpy(e->passed_by, o->passed_by, sizeof e->passed_by);
}

static void
begin(struct urls *u, const struct log_record *r)
{
    bool request = starts(r->text, "req "), fetch = starts(r->text, "bereq ");
    if (!request && !fetch)
        return;
    struct open *o = slot_of(u, r->id);
    *o = (struct open){ .id = r->id, .fetch_s = -1 };
    o->passes = fetch && r->text.len > 5 && memcmp(r->text.ptr + r->text.len - 5, " pass", 5) == 0;
}

void
urls_record(void *arg, const struct log_record *r)
{
    struct urls *u = arg;
    if (r == NULL) {
        memset(u->open, 0, sizeof u->open); /* their next records may be among those left out */
        return;
    }
    struct open *o = find_open(u, r->id);
    struct span value;
    if (r->tag == TAG_BEGIN)
        begin(u, r);
    if (o == NULL)
        return;
    switch ((unsigned)r->tag) {
    case TAG_REQ + LOG_URL:
    case TAG_BEREQ + LOG_URL: hide_url(o->url, sizeof o->url, r->text); break;
    case TAG_REQ + LOG_HEADER:
    case TAG_BEREQ + LOG_HEADER:
        if (field_is(r->text, "host", &value))
            copy(o->host, sizeof o->host, value);
        break;
    case TAG_BERESP + LOG_HEADER: response_field(o, r->text); break;
    case TAG_VCL_CALL: call(o, r->text); break;
    case TAG_VCL_RETURN: returned(o, r->text); break;
    case TAG_HIT_MISS: o->marker = HIT_FOR_MISS; break;
    case TAG_HIT_PASS: o->marker = HIT_FOR_PASS; break;
    case TAG_TTL: lifetime(o, r->text); break;
    case TAG_DEBUG: cause(o, r->text); break;
    case TAG_FETCH_ERROR: fetch_error(o, r->text); break;
    case TAG_TIMESTAMP: timestamp(u, o, r->text); break;
    case TAG_END:
        if (r->id & LOG_BACKEND)
            end_fetch(u, o);
        else
            end_request(u, o);
        o->id = 0;
        break;
    default: break;
    }
}

/* ---- results ------------------------------------------------------------------------------------------- */

/* The middle of the class that has the sample of this rank. */
static double
time_at(const struct urls *u, unsigned rank)
{
    unsigned class = 0, below = 0;
    while (class < TIMES - 1 && below + u->times[class] <= rank)
        below += u->times[class++];
    return TIME_FIRST_S * exp2((class + 0.5) / 4);
}

bool
urls_origin_times(struct urls *u, struct origin_times *out)
{
    *out = (struct origin_times){ .n = u->n_times };
    if (u->n_times == 0)
        return false;
    out->p50_s = time_at(u, u->n_times / 2);
    out->p95_s = time_at(u, (unsigned)((unsigned long long)u->n_times * 95 / 100));
    memset(u->times, 0, sizeof u->times);
    u->n_times = 0;
    return true;
}

/* Why the last response of the URL was not stored. */
static enum reason
reason_of_refusal(const struct entry *e, char about[ABOUT_BYTES])
{
    switch (e->refusal) {
    case SET_COOKIE: snprintf(about, ABOUT_BYTES, "Set-Cookie"); return REASON_SET_COOKIE;
    case CACHE_CONTROL:
        snprintf(about, ABOUT_BYTES, "Cache-Control: %s", e->refused);
        return REASON_CACHE_CONTROL;
    case VARY: return REASON_VARY_STAR;
    case TTL: snprintf(about, ABOUT_BYTES, "ttl %.0f s", e->ttl_s); return REASON_NO_LIFETIME;
    case POLICY: return REASON_POLICY_UNCACHEABLE;
    case FAILED: snprintf(about, ABOUT_BYTES, "%s", e->refused); return REASON_FETCH_FAILED;
    case NOTHING: break;
    }
    if (e->cause != NULL) {
        if (e->cause->number == 0)
            snprintf(about, ABOUT_BYTES, "%s", e->cause->before);
        else
            snprintf(about, ABOUT_BYTES, "%s%.0f%s", e->cause->before, e->cause_value, e->cause->after);
        return e->cause->reason;
    }
    if (e->ttl_s > 0)
        snprintf(about, ABOUT_BYTES, "; the answer is stored for %.0f s", e->ttl_s);
    else if (e->marker == HIT_FOR_MISS) { /* the sample has no fetch of this URL */
        snprintf(about, ABOUT_BYTES, ", nor the fetch of the marker");
        return REASON_UNKNOWN;
    }
    return REASON_NOT_CACHED;
}

/* Why most requests of the URL were no hits: a row of the table of reasons, and details. */
static enum reason
reason_of(const struct entry *e, char about[ABOUT_BYTES])
{
    *about = '\0';
    if (e->passes <= e->misses)
        return reason_of_refusal(e, about);
    if (e->marker == HIT_FOR_PASS)
        return REASON_POLICY_HIT_FOR_PASS;
    if (*e->passed_by == '\0') /* the log left out the records of the hook */
        snprintf(about, ABOUT_BYTES, "a hook");
    else
        snprintf(about, ABOUT_BYTES, "vcl_%s", e->passed_by);
    return REASON_PASS_POLICY;
}

static void
add_reason(const struct entry *e, struct text *out)
{
    char about[ABOUT_BYTES];
    const struct reason_text *reason = &reason_texts[reason_of(e, about)];
    struct text sentence = { 0 };
    text_printf(&sentence, "%s%s%s", reason->before, about, reason->after);
    static const char *const markers[] = { [HIT_FOR_MISS] = "hit-for-miss", [HIT_FOR_PASS] = "hit-for-pass" };
    if (e->marker != NO_MARKER)
        text_printf(out, ",\"marker\":\"%s\"", markers[e->marker]);
    text_printf(out, ",\"reason\":\"%s\",\"text\":", reason->id);
    text_json(out, text_span(&sentence));
    text_release(&sentence);
}

static void
add_entry(const struct entry *e, bool reason, struct text *out)
{
    text_str(out, "{\"host\":");
    text_json(out, span_str(e->host));
    text_str(out, ",\"url\":");
    text_json(out, span_str(e->url));
    text_printf(out, ",\"requests\":%.2f,\"hits\":%.2f,\"misses\":%.2f,\"passes\":%.2f", requests_of(e),
                e->hits, e->misses, e->passes);
    if (reason)
        add_reason(e, out);
    text_str(out, "}");
}

static double
all_of(const struct entry *e)
{
    return requests_of(e);
}

static double
lost_of(const struct entry *e)
{
    return e->misses + e->passes;
}

static void
add_list(const struct urls *u, double (*rank)(const struct entry *), bool reason, struct text *out)
{
    const struct entry *top[URLS_SHOWN];
    unsigned n = 0;
    for (unsigned i = 0; i < URLS_MAX; i++) {
        const struct entry *e = &u->entries[i];
        if (e->hash == 0 || rank(e) < COUNT_MIN || (n == URLS_SHOWN && rank(e) <= rank(top[n - 1])))
            continue;
        unsigned at = n < URLS_SHOWN ? n++ : n - 1;
        for (; at > 0 && rank(top[at - 1]) < rank(e); at--)
            top[at] = top[at - 1];
        top[at] = e;
    }
    for (unsigned i = 0; i < n; i++) {
        text_str(out, i > 0 ? "," : "");
        add_entry(top[i], reason, out);
    }
}

/* All misses and passes of a reason. */
struct of_reason {
    double requests;
    unsigned urls;
    bool differ; /* the details */
    char about[ABOUT_BYTES];
};

#define REASONS (sizeof reason_texts / sizeof *reason_texts)

static unsigned
sum_reasons(const struct urls *u, struct of_reason sums[REASONS])
{
    char about[ABOUT_BYTES];
    unsigned n = 0;
    for (unsigned i = 0; i < URLS_MAX; i++) {
        const struct entry *e = &u->entries[i];
        if (e->hash == 0 || lost_of(e) < COUNT_MIN)
            continue;
        struct of_reason *sum = &sums[reason_of(e, about)];
        sum->requests += lost_of(e);
        sum->differ |= sum->urls > 0 && strcmp(sum->about, about) != 0;
        memcpy(sum->about, about, sizeof about);
        sum->urls++;
        n++;
    }
    return n;
}

static void
add_reasons(const struct of_reason sums[REASONS], struct text *out)
{
    const char *between = "";
    for (unsigned i = 0; i < REASONS; i++) {
        const struct of_reason *sum = &sums[i];
        if (sum->urls == 0)
            continue;
        struct text sentence = { 0 };
        text_printf(&sentence, "%s%s%s", reason_texts[i].before, sum->differ ? " \u2026" : sum->about,
                    reason_texts[i].after);
        text_printf(out, "%s{\"reason\":\"%s\",\"requests\":%.2f,\"urls\":%u,\"text\":", between,
                    reason_texts[i].id, sum->requests, sum->urls);
        text_json(out, text_span(&sentence));
        text_str(out, "}");
        text_release(&sentence);
        between = ",";
    }
}

void
urls_json(const struct urls *u, struct text *out)
{
    double requests = 0;
    unsigned known = 0;
    struct of_reason sums[REASONS] = { 0 };
    for (unsigned i = 0; i < URLS_MAX; i++) {
        requests += requests_of(&u->entries[i]);
        known += u->entries[i].hash != 0 && requests_of(&u->entries[i]) >= COUNT_MIN;
    }
    text_str(out, "\"urls\":[");
    add_list(u, all_of, false, out);
    text_str(out, "],\"misses\":[");
    add_list(u, lost_of, true, out);
    text_printf(out, "],\"urls_in_all\":%u,\"misses_in_all\":%u,\"reasons\":[", known, sum_reasons(u, sums));
    add_reasons(sums, out);
    text_printf(out, "],\"sampled\":%llu,\"recent\":%.2f", u->seen, requests);
}
