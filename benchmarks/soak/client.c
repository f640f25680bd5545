/* The clients of the soak, one thread for each connection. Usage:
 *
 *     client PORT SEED OBJECTS CONNECTIONS SLOW SECONDS REQUESTS RATE [calm|lenient|upgrades]
 *
 * Request number k is the same in each run with this seed. The run ends after SECONDS or REQUESTS (0: no
 * limit). RATE is requests per second, 0: no limit. SLOW of the connections read a few KB at a time. calm:
 * the origin has stopped failing, so every response must be right. lenient: accepts bodies that a purge or
 * ban should have removed. upgrades: an old daemon may refuse a purge or ban by 503, and close. The times of
 * responses are those of the other connections. Prints one line of JSON, and errors to stderr. The exit code
 * is 1 after an error.
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "latency.h"
#include "wire.h"

#define ZIPF 0.9
#define TOLD_MAX 40u
#define STACK_BYTES (512u << 10)

enum act { GET, PURGE, BAN, HEAD, RANGE, VALIDATE, LEAVE, PASS, ACTS };

/* Shares of ten thousand requests. The rest is GET. */
static const unsigned shares[ACTS] = { [PURGE] = 30,     [BAN] = 2,     [HEAD] = 200, [RANGE] = 800,
                                       [VALIDATE] = 300, [LEAVE] = 100, [PASS] = 200 };

static struct options {
    int port;
    unsigned connections, slow;
    double seconds, rate;
    unsigned long long requests;
    bool calm, lenient, upgrades;
} options;

static struct timespec begun;
static double *zipf;                             /* probability of a smaller rank */
static _Atomic uint64_t *purged, banned[GROUPS]; /* done << 32 | sent, milliseconds */
static _Atomic uint32_t *seen;                   /* last received version */
static atomic_ullong next_request, done[ACTS], outcomes[OUTCOMES], hits, bytes, failed_parts, cut_parts, told;

static double
elapsed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)(t.tv_sec - begun.tv_sec) + (double)(t.tv_nsec - begun.tv_nsec) / 1e9;
}

static void
make_zipf(void)
{
    double sum = 0;
    zipf = malloc(n_objects * sizeof *zipf);
    purged = calloc(n_objects, sizeof *purged);
    seen = calloc(n_objects, sizeof *seen);
    if (zipf == NULL || purged == NULL || seen == NULL)
        abort();
    for (uint32_t i = 0; i < n_objects; i++)
        zipf[i] = sum += pow(i + 1, -ZIPF);
    for (uint32_t i = 0; i < n_objects; i++)
        zipf[i] /= sum;
}

static uint32_t
popular(uint64_t random)
{
    double x = (double)(random >> 11) / (double)(UINT64_C(1) << 53);
    uint32_t low = 0, high = n_objects - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (zipf[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t
removed_at(uint64_t removal, uint32_t sent_at)
{
    return (uint32_t)(removal >> 32) < sent_at ? (uint32_t)removal : 0;
}

uint32_t
oldest_allowed(uint32_t number, uint32_t sent_at)
{
    uint32_t purge = removed_at(atomic_load(&purged[number]), sent_at),
             ban = removed_at(atomic_load(&banned[number % GROUPS]), sent_at);
    return options.lenient ? 0 : purge > ban ? purge : ban;
}

/* ---- one request ---- */

struct turn {
    uint64_t k, random;
    enum act act;
    struct asked asked;
    struct soak_object object;
    size_t most; /* bytes of the body to read */
};

static struct turn
turn_of(uint64_t k)
{
    struct turn t = { .k = k, .random = chance(7, k), .most = SIZE_MAX };
    unsigned share = t.random % 10000;
    for (enum act a = PURGE; a < ACTS && t.act == GET; a++) {
        if (share < shares[a])
            t.act = a;
        share -= shares[a];
    }
    t.asked.number = popular(chance(8, k));
    t.asked.calm = options.calm;
    t.asked.variant = (t.random >> 16) % VARIANTS;
    t.asked.takes_gzip = (t.random >> 20) % 10 < 7;
    t.object = object_of(t.asked.number);
    if (t.act == LEAVE)
        t.most = (t.random >> 32) % 30000 + 1;
    if (t.act == RANGE && t.object.kind != PLAIN && t.object.kind != VARIES)
        t.asked.takes_gzip = false;
    return t;
}

static int
range_of(char *out, size_t room, const struct turn *t)
{
    uint32_t n = t->object.bytes, first = (t->random >> 24) % n, last = first + (t->random >> 40) % 20000;
    switch ((t->random >> 60) % 4) {
    case 0: return snprintf(out, room, "Range: bytes=-%u\r\n", first + 1);
    case 1: return snprintf(out, room, "Range: bytes=%u-\r\n", first);
    case 2:
        return snprintf(out, room, "Range: bytes=%u-%u\r\nIf-Range: \"%07u-%02u-%08x\"\r\n", first, last,
                        t->asked.number, t->object.kind == VARIES ? t->asked.variant : 0,
                        atomic_load(&seen[t->asked.number]));
    default: return snprintf(out, room, "Range: bytes=%u-%u\r\n", first, last);
    }
}

static int
request_of(char *out, size_t room, struct turn *t)
{
    static const char *const methods[ACTS] = { [PURGE] = "PURGE", [BAN] = "BAN", [HEAD] = "HEAD" };
    char url[64];
    url_of(url, sizeof url, t->asked.number);
    int n = snprintf(out, room, "%s %s HTTP/1.1\r\nHost: soak\r\nX-Var: %u\r\n%s%s",
                     methods[t->act] != NULL ? methods[t->act] : "GET", url, t->asked.variant,
                     t->asked.takes_gzip ? "Accept-Encoding: gzip\r\n" : "",
                     t->act == PASS ? "X-Pass: 1\r\n" : "");
    unsigned group = t->asked.number % GROUPS;
    uint32_t version = atomic_load(&seen[t->asked.number]);
    if (t->act == BAN)
        n += snprintf(out + n, room - (size_t)n,
                      t->random >> 63 ? "X-Ban: obj.http.X-Group == %u\r\n" : "X-Ban: req.url ~ ^/o/g%u/\r\n",
                      group);
    if (t->act == RANGE)
        n += range_of(out + n, room - (size_t)n, t);
    if (t->act == VALIDATE && version != 0) {
        t->asked.has_validator = true;
        t->asked.validator = version;
        n += snprintf(out + n, room - (size_t)n, "If-None-Match: W/\"%07u-%02u-%08x\"\r\n", t->asked.number,
                      t->object.kind == VARIES ? t->asked.variant : 0, version);
    }
    return n + snprintf(out + n, room - (size_t)n, "\r\n");
}

static void
tell(const struct turn *t, const char *why)
{
    static const char *const acts[ACTS] = { "GET",   "PURGE",    "BAN",   "HEAD",
                                            "RANGE", "VALIDATE", "LEAVE", "PASS" };
    static const char *const kinds[] = { "plain", "gzipped", "to gzip", "to gunzip", "varies", "page" };
    atomic_fetch_add(&outcomes[WRONG], 1);
    if (atomic_fetch_add(&told, 1) < TOLD_MAX)
        fprintf(stderr, "WRONG %s request %llu, object %u of %u bytes, %s%s%s, %.1f s: %s\n", acts[t->act],
                (unsigned long long)t->k, t->asked.number, t->object.bytes, kinds[t->object.kind],
                t->object.chunked ? ", chunked" : "", t->asked.takes_gzip ? ", takes gzip" : "", elapsed(),
                why);
}

static void
tell_body(const struct turn *t, const struct received *r)
{
    char why[100];
    snprintf(why, sizeof why, "the body of version %u does not go on after %zu bytes", r->version, r->n);
    tell(t, why);
}

static void
tell_start(const struct wire *w, const struct turn *t, const struct turn *last)
{
    char why[800];
    snprintf(why, sizeof why, "the head begins with %s; before it came request %llu of %u, a %d", w->start,
             (unsigned long long)last->k, last->asked.number, (int)last->act);
    tell(t, why);
}

static void
judge(const struct turn *t, struct received *r, bool closes)
{
    struct verdict v;
    if (t->act == PURGE || t->act == BAN) {
        uint64_t now = now_ms(), removal = now << 32 | t->asked.sent_at;
        if (options.upgrades && r->status == 503 && closes)
            return; /* the old daemon leaves it to the new one */
        if (r->status != (t->act == PURGE ? 200 : 204))
            tell(t, "refused");
        else
            atomic_store(t->act == PURGE ? &purged[t->asked.number] : &banned[t->asked.number % GROUPS],
                         removal);
        return;
    }
    if (t->act == HEAD || (t->act == LEAVE && r->n >= t->most))
        return;
    check_answer(&t->asked, r, &v);
    atomic_fetch_add(&failed_parts, v.failed_parts);
    atomic_fetch_add(&cut_parts, v.cut_parts);
    if (v.outcome == WRONG)
        tell(t, v.why);
    else
        atomic_fetch_add(&outcomes[v.outcome], 1);
    if (r->status == 200 && r->complete)
        atomic_store(&seen[t->asked.number], r->version);
}

static void
run_turn(struct wire *w, struct turn *t, const struct turn *last, bool slow)
{
    char request[1024];
    struct received r = { 0 };
    bool hit = false, closes = false, fresh = w->fd < 0;
    int n = request_of(request, sizeof request, t);
    if (fresh && !wire_open(w, options.port, slow)) {
        tell(t, "no connection");
        usleep(10000);
        return;
    }
    double sent = elapsed();
    t->asked.sent_at = now_ms();
    if (!wire_send(w, request, (size_t)n) || !wire_receive(w, t->act == HEAD, t->most, &r, &hit, &closes)) {
        tell(t, w->timed_out ? "no answer" : fresh ? "closed a new connection" : "closed without an answer");
        wire_close(w, false);
        return;
    }
    if (!slow) /* its own pace says nothing about the server */
        latency_note((uint64_t)((elapsed() - sent) * 1e6));
    if (w->timed_out)
        tell_body(t, &r);
    else if (strncmp(w->start, "HTTP/1.1 ", 9) != 0 ||
             (r.status == 200 && t->act == GET && r.number != t->asked.number))
        tell_start(w, t, last);
    else
        judge(t, &r, closes);
    atomic_fetch_add(&done[t->act], 1);
    atomic_fetch_add(&hits, hit);
    atomic_fetch_add(&bytes, r.n);
    if (closes || !r.complete)
        wire_close(w, t->act == LEAVE && t->random >> 63);
    free(r.body);
}

static void *
run_client(void *arg)
{
    bool slow = (uintptr_t)arg < options.slow;
    struct turn last = { 0 };
    struct wire *w = malloc(sizeof *w);
    if (w == NULL)
        abort();
    w->fd = -1;
    while (options.seconds == 0 || elapsed() < options.seconds) {
        uint64_t k = atomic_fetch_add(&next_request, 1);
        double early = options.rate > 0 ? (double)k / options.rate - elapsed() : 0;
        if (options.requests != 0 && k >= options.requests)
            break;
        if (early > 0)
            usleep((useconds_t)(early * 1e6));
        struct turn t = turn_of(k);
        run_turn(w, &t, &last, slow);
        last = t;
    }
    wire_close(w, false);
    free(w);
    return NULL;
}

static void
print_result(void)
{
    printf(
        "{\"seconds\": %.1f, \"hits\": %llu, \"bytes\": %llu, \"right\": %llu, \"cut\": %llu, \"failed\": %llu, \"wrong\": %llu, "
        "\"failed_parts\": %llu, \"cut_parts\": %llu, ",
        elapsed(), hits, bytes, outcomes[RIGHT], outcomes[CUT], outcomes[FAILED], outcomes[WRONG],
        failed_parts, cut_parts);
    printf(
        "\"get\": %llu, \"purge\": %llu, \"ban\": %llu, \"head\": %llu, \"range\": %llu, \"validate\": %llu, \"leave\": %llu, "
        "\"pass\": %llu, \"slowest_ms\": %.1f, \"percentile_99_9_ms\": %.1f}\n",
        done[GET], done[PURGE], done[BAN], done[HEAD], done[RANGE], done[VALIDATE], done[LEAVE], done[PASS],
        latency_worst_ms(), latency_of_share_ms(0.999));
}

int
main(int argc, char **argv)
{
    if (argc < 9)
        return 2;
    options = (struct options){ atoi(argv[1]),
                                (unsigned)atoi(argv[4]),
                                (unsigned)atoi(argv[5]),
                                atof(argv[6]),
                                atof(argv[8]),
                                strtoull(argv[7], NULL, 10),
                                argc > 9 && strcmp(argv[9], "calm") == 0,
                                argc > 9 && strcmp(argv[9], "lenient") == 0,
                                argc > 9 && strcmp(argv[9], "upgrades") == 0 };
    seed = strtoull(argv[2], NULL, 10);
    n_objects = (uint32_t)strtoul(argv[3], NULL, 10);
    make_zipf();
    clock_gettime(CLOCK_MONOTONIC, &begun);
    pthread_t *threads = malloc(options.connections * sizeof *threads);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    for (uintptr_t i = 0; i < options.connections; i++)
        if (pthread_create(&threads[i], &attr, run_client, (void *)i) != 0)
            abort();
    for (unsigned i = 0; i < options.connections; i++)
        pthread_join(threads[i], NULL);
    print_result();
    return outcomes[WRONG] > 0;
}
