/* URLs of requests and why they missed: see urls.h. The worker decides the reasons (proxy/reason/reason.h).
 */
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

enum handling { UNKNOWN, HIT, MISS, PASS, OTHER };
enum marker { NO_MARKER, HIT_FOR_MISS, HIT_FOR_PASS };

/* A reason, and the details for its sentence. */
struct told {
    enum reason reason; /* REASON_NONE: not told, or the response was stored */
    char details[URL_DETAILS_BYTES];
};

struct open { /* a transaction in progress, in the slot of its id */
    uint32_t id;
    bool passes; /* a fetch for a request that was passed */
    enum handling handling;
    enum marker marker;
    struct told why;
    double fetch_s; /* when the fetch began, since its start; negative: unknown */
    char host[URL_HOST_BYTES], url[URL_BYTES];
};

struct entry {
    uint64_t hash; /* 0: free */
    double hits, misses, passes, others;
    enum marker marker;  /* of the last request that was no hit */
    struct told why;     /* the same */
    struct told refusal; /* of the last fetch */
    char host[URL_HOST_BYTES], url[URL_BYTES];
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
}

static struct span
next_word(struct span *rest)
{
    const char *end = memchr(rest->ptr, ' ', rest->len);
    size_t n = end == NULL ? rest->len : (size_t)(end - rest->ptr), skip = end == NULL ? n : n + 1;
    struct span word = span_of(rest->ptr, n);
    *rest = span_of(rest->ptr + skip, rest->len - skip);
    return word;
}

/* "why miss expired - 13 s ago": see proxy/reason/reason.h. */
static void
why(struct open *o, struct span text)
{
    if (!span_eq(next_word(&text), SPAN_LIT("why")))
        return;
    (void)next_word(&text); /* the decision, which other records have, too */
    struct span id = next_word(&text);
    (void)next_word(&text); /* the place */
    o->why.reason = REASON_NONE;
    for (unsigned i = 0; i < REASONS; i++)
        if (span_eq(id, span_str(reason_texts[i].id)))
            o->why.reason = (enum reason)i;
    copy(o->why.details, sizeof o->why.details, text);
}

static void
timestamp(struct urls *u, struct open *o, struct span text)
{
    if (starts(text, "Fetch:"))
        o->fetch_s = number_at(text, 2);
    else if (starts(text, "Beresp:") && o->fetch_s >= 0)
        take_origin_time(u, number_at(text, 2) - o->fetch_s);
}

static void
end_fetch(struct urls *u, const struct open *o)
{
    if (o->passes || *o->url == '\0')
        return;
    entry_of(u, o->host, o->url)->refusal = o->why;
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
    e->why = o->why;
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
    case TAG_VCL_CALL: call(o, r->text); break;
    case TAG_HIT_MISS: o->marker = HIT_FOR_MISS; break;
    case TAG_HIT_PASS: o->marker = HIT_FOR_PASS; break;
    case TAG_DEBUG: why(o, r->text); break;
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

/* Why requests of the URL were no hits: because the last response was not stored, or failed; otherwise as the
 * last request was told. */
static struct told
reason_of(const struct entry *e)
{
    struct told told = e->passes <= e->misses && e->refusal.reason != REASON_NONE ? e->refusal : e->why;
    if (told.reason == REASON_NONE)
        told.reason = REASON_UNKNOWN;
    return told;
}

static void
add_reason(const struct entry *e, struct text *out)
{
    struct told told = reason_of(e);
    const struct reason_text *reason = &reason_texts[told.reason];
    struct text sentence = { 0 };
    text_printf(&sentence, "%s%s%s", reason->before, told.details, reason->after);
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
    char details[URL_DETAILS_BYTES];
};

static unsigned
sum_reasons(const struct urls *u, struct of_reason sums[REASONS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < URLS_MAX; i++) {
        const struct entry *e = &u->entries[i];
        if (e->hash == 0 || lost_of(e) < COUNT_MIN)
            continue;
        struct told told = reason_of(e);
        struct of_reason *sum = &sums[told.reason];
        sum->requests += lost_of(e);
        sum->differ |= sum->urls > 0 && strcmp(sum->details, told.details) != 0;
        memcpy(sum->details, told.details, sizeof told.details);
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
        text_printf(&sentence, "%s%s%s", reason_texts[i].before, sum->differ ? " \u2026" : sum->details,
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
