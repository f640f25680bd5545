/* Memory of a stored response and CPU of a hit, without a network: stores N responses (100 bytes of
 * body, 8 fields, 24-byte URLs), prints charged bytes and growth of PSS for each, then looks them up at
 * random from some threads.
 *
 *     make micro-object-memory [OBJECTS=1000000] [THREADS=2] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "cache/store.h"

#define LOOKUPS 3000000u

struct run {
    struct store *store;
    unsigned n_objects, id;
    double ns_per_hit;
    unsigned missed;
};

static long
pss_kib(void)
{
    long kib = -1;
    char line[256];
    FILE *fp = fopen("/proc/self/smaps_rollup", "r");
    if (fp == NULL)
        return -1;
    while (fgets(line, sizeof line, fp) != NULL)
        if (sscanf(line, "Pss: %ld", &kib) == 1)
            break;
    fclose(fp);
    return kib;
}

static void
add(struct http_message *m, const char *name, const char *value)
{
    CHECK(message_add(m, name_lookup(span_str(name)), span_str(name), span_str(value)) == 0);
}

static struct http_message *
make_response(struct arena *a)
{
    struct http_message *m = arena_alloc(a, sizeof *m);
    CHECK(message_init(m, a, 16) == 0);
    m->status = 200;
    m->proto = SPAN_LIT("HTTP/1.1");
    m->reason = SPAN_LIT("OK");
    add(m, "Server", "nginx/1.22.1");
    add(m, "Date", "Tue, 14 Nov 2023 22:13:20 GMT");
    add(m, "Content-Type", "text/html; charset=utf-8");
    add(m, "Content-Length", "100");
    add(m, "Last-Modified", "Tue, 14 Nov 2023 20:00:00 GMT");
    add(m, "ETag", "\"65539b20-64\"");
    add(m, "Cache-Control", "max-age=3600");
    add(m, "X-Request-Id", "4f2a91c07d3e");
    return m;
}

static void
make_key(struct cache_key *k, struct arena *a, unsigned i)
{
    char url[32];
    snprintf(url, sizeof url, "/objects/%07u/page.htm", i);
    k->len = 0;
    key_add(k, a, span_str(url));
    key_add(k, a, SPAN_LIT("www.example.com"));
}

static void
store_one(struct store *s, struct arena *a, struct cache_key *k, const struct http_message *req,
          const struct http_message *resp, unsigned i)
{
    static const char body[100] = "body";
    char *p;
    size_t n;
    make_key(k, a, i);
    struct lookup l = { .key = k, .request = req, .now = NSEC_PER_SEC, .grace_limit = -1, .ttl_limit = -1 };
    CHECK(store_lookup(s, &l) == LOOKUP_MISS);
    l.busy->origin_time = NSEC_PER_SEC;
    l.busy->ttl = 3600 * NSEC_PER_SEC;
    CHECK(object_set_head(l.busy, resp, req) == 0);
    store_insert(s, l.busy, NULL);
    CHECK(object_publish(l.busy, sizeof body) == 0);
    CHECK(object_body_space(l.busy, sizeof body, &p, &n) == 0 && n == sizeof body);
    memcpy(p, body, sizeof body);
    object_body_commit(l.busy, sizeof body);
    object_complete(l.busy);
    object_release(&l.busy);
}

static void *
run_hits(void *arg)
{
    struct run *r = arg;
    struct arena a;
    struct http_message req;
    uint64_t random = 0x9e3779b97f4a7c15u + r->id;
    arena_init(&a, 0);
    CHECK(message_init(&req, &a, 4) == 0);
    enum { BATCH = 64 };
    struct cache_key keys[BATCH] = { 0 };
    nsec spent = 0;
    for (unsigned done = 0; done < LOOKUPS; done += BATCH) {
        for (unsigned i = 0; i < BATCH; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            make_key(&keys[i], &a, (unsigned)((random >> 33) % r->n_objects));
        }
        nsec t0 = clock_mono_ns();
        for (unsigned i = 0; i < BATCH; i++) {
            struct lookup l = {
                .key = &keys[i], .request = &req, .now = NSEC_PER_SEC, .grace_limit = -1, .ttl_limit = -1
            };
            enum lookup_result found = store_lookup(r->store, &l);
            r->missed += found != LOOKUP_HIT;
            if (found == LOOKUP_HIT)
                store_touch(l.object);
            object_release(&l.object);
        }
        spent += clock_mono_ns() - t0;
    }
    r->ns_per_hit = (double)spent / LOOKUPS;
    arena_release(&a);
    return NULL;
}

static void
measure_hits(struct store *s, unsigned n_objects, unsigned n_threads)
{
    pthread_t threads[64];
    struct run runs[64];
    for (unsigned i = 0; i < n_threads; i++) {
        runs[i] = (struct run){ .store = s, .n_objects = n_objects, .id = i };
        CHECK(pthread_create(&threads[i], NULL, run_hits, &runs[i]) == 0);
    }
    for (unsigned i = 0; i < n_threads; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(runs[i].missed == 0);
        printf("thread %u of %u, %u keys: %.0f ns a hit (look-up, touch, release)\n", i + 1, n_threads,
               n_objects, runs[i].ns_per_hit);
    }
}

int
main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1000000,
             n_threads = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
    CHECK(n >= 100 && n_threads >= 1 && n_threads <= 64);
    struct store *s;
    struct storage *st;
    struct arena a;
    struct cache_key k = { 0 };
    struct http_message req;
    names_init();
    arena_init(&a, 0);
    CHECK(message_init(&req, &a, 4) == 0);
    CHECK(store_new(NULL, &s) == 0);
    CHECK(store_add_storage(s, SPAN_LIT("s0"), UINT64_C(1) << 40, &st) == 0);
    const struct http_message *resp = make_response(&a);
    store_one(s, &a, &k, &req, resp, 9999999);
    long before = pss_kib();
    nsec t0 = clock_mono_ns();
    for (unsigned i = 0; i < n; i++)
        store_one(s, &a, &k, &req, resp, i);
    nsec t = clock_mono_ns() - t0;
    long after = pss_kib();
    printf("%u objects: %.0f bytes charged, %.0f bytes of PSS each; %.0f ns to store one\n", n,
           (double)storage_used(st) / (n + 1), (double)(after - before) * 1024 / n, (double)t / n);
    measure_hits(s, 100, 1);
    measure_hits(s, n, 1);
    measure_hits(s, n, n_threads);
    measure_hits(s, 100, n_threads);
    store_release(&s);
    arena_release(&a);
    return 0;
}
