/* The table of counters and the blocks they live in: one a thread, in a list that is locked only when a thread comes, goes or
 * somebody sums. A reader sees each 64-bit value whole, perhaps a moment old. */
#include "log/counters.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"

#define ROW(field, text) { #field, text, offsetof(struct counters, field) }

const struct counter_row counter_rows[] = {
    ROW(sess_conn, "Sessions accepted"),
    ROW(sess_fail, "Session accept failures"),
    ROW(sess_closed, "Sessions closed"),
    ROW(sess_closed_err, "Sessions closed with errors"),
    ROW(sess_dropped, "Sessions dropped because of a limit"),
    ROW(client_req, "Good client requests received"),
    ROW(client_req_400, "Client requests refused as malformed"),
    ROW(client_req_417, "Client requests with an expectation that cannot be met"),
    ROW(cache_hit, "Cache hits"),
    ROW(cache_hit_grace, "Cache hits in grace"),
    ROW(cache_hitpass, "Hits on an object that says pass"),
    ROW(cache_hitmiss, "Hits on an object that says miss"),
    ROW(cache_miss, "Cache misses"),
    ROW(beresp_uncacheable, "Uncacheable responses of origins"),
    ROW(beresp_shortlived, "Responses of origins that live too briefly to be kept"),
    ROW(backend_conn, "Connections opened to origins"),
    ROW(backend_unhealthy, "Connections to origins not tried: sick"),
    ROW(backend_busy, "Connections to origins not tried: too many"),
    ROW(backend_fail, "Connections to origins that failed"),
    ROW(backend_reuse, "Connections to origins used again"),
    ROW(backend_recycle, "Connections to origins put back for use again"),
    ROW(backend_retry, "Requests sent again because a reused connection had died"),
    ROW(backend_req, "Requests sent to origins"),
    ROW(fetch_head, "Fetches without content: HEAD"),
    ROW(fetch_length, "Fetches with Content-Length"),
    ROW(fetch_chunked, "Fetches with chunked content"),
    ROW(fetch_eof, "Fetches delimited by the end of the connection"),
    ROW(fetch_bad, "Fetches with framing that was refused"),
    ROW(fetch_none, "Fetches without content"),
    ROW(fetch_1xx, "Fetches without content: 1xx"),
    ROW(fetch_204, "Fetches without content: 204"),
    ROW(fetch_304, "Fetches without content: 304"),
    ROW(fetch_failed, "Fetches that failed"),
    ROW(busy_sleep, "Requests that waited for another's fetch"),
    ROW(busy_wakeup, "Requests woken after such a wait"),
    ROW(busy_killed, "Requests whose wait for another's fetch timed out"),
    ROW(s_sess, "Sessions seen"),
    ROW(s_pipe, "Pipes seen"),
    ROW(s_pass, "Passed requests seen"),
    ROW(s_fetch, "Fetches begun"),
    ROW(s_bgfetch, "Background fetches begun"),
    ROW(s_synth, "Synthetic responses made"),
    ROW(s_req_hdrbytes, "Request head bytes"),
    ROW(s_req_bodybytes, "Request content bytes"),
    ROW(s_resp_hdrbytes, "Response head bytes"),
    ROW(s_resp_bodybytes, "Response content bytes"),
    ROW(s_pipe_hdrbytes, "Head bytes of piped requests"),
    ROW(s_pipe_in, "Piped bytes from clients"),
    ROW(s_pipe_out, "Piped bytes to clients"),
    ROW(losthdr, "Fields that did not fit"),
    ROW(n_purges, "Purges"),
    ROW(n_obj_purged, "Objects purged"),
    ROW(n_expired, "Objects that expired"),
    ROW(n_lru_nuked, "Objects evicted for room"),
    ROW(n_lru_limited, "Evictions that reached nuke_limit"),
    ROW(vcl_fail, "Policy failures"),
    ROW(req_dropped, "Requests dropped"),
    ROW(req_restarts, "Requests restarted"),
    ROW(fibers_limited, "Fibers not started because of fibers_max"),
    ROW(pipe_limited, "Pipes not started because of pipe_sess_max"),
};
const unsigned n_counter_rows = sizeof counter_rows / sizeof *counter_rows;

_Static_assert(sizeof counter_rows / sizeof *counter_rows == sizeof(struct counters) / sizeof(uint64_t),
               "every counter has its row");

/* Aligned, so that threads do not write to each other's cache lines. */
struct block {
    _Alignas(64) struct counters counters;
    struct list link;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list blocks = { &blocks, &blocks };       /* lock */
static struct counters ended;                           /* lock; sums of threads that are gone */
static pthread_key_t block_key;
static pthread_once_t block_once = PTHREAD_ONCE_INIT;
static _Thread_local struct block *here;

uint64_t
counters_value(const struct counters *c, const struct counter_row *row)
{
    return *(const uint64_t *)((const char *)c + row->offset);
}

/* The owner stores without atomics. An aligned 64-bit load is whole on every machine we run on, and a sum that is a moment
 * old is what a reader asks for; so TSan is told not to look here. */
__attribute__((no_sanitize_thread, noinline)) static void
counters_add(struct counters *to, const struct counters *from)
{
    uint64_t *sum = (uint64_t *)to;
    const volatile uint64_t *value = (const volatile uint64_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += value[i];
}

static void
block_end(void *arg)
{
    struct block *b = arg;
    CHECK(pthread_mutex_lock(&lock) == 0);
    list_remove(&b->link);
    counters_add(&ended, &b->counters);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    here = NULL;
    free(b);
}

static void
block_key_make(void)
{
    CHECK(pthread_key_create(&block_key, block_end) == 0);
}

__attribute__((noinline)) static struct counters *
block_new(void)
{
    CHECK(pthread_once(&block_once, block_key_make) == 0);
    struct block *b = aligned_alloc(64, sizeof *b);
    CHECK(b != NULL);
    *b = (struct block){ .link = { NULL, NULL } };
    CHECK(pthread_mutex_lock(&lock) == 0);
    list_push_back(&blocks, &b->link);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    CHECK(pthread_setspecific(block_key, b) == 0);
    here = b;
    return &b->counters;
}

struct counters *
counters_here(void)
{
    return here != NULL ? &here->counters : block_new();
}

struct counters *
counters_of(struct loop *loop)
{
    (void)loop;                         /* one loop a thread, and each counts on its own thread only */
    return counters_here();
}

void
counters_sum(struct counters *out)
{
    CHECK(pthread_mutex_lock(&lock) == 0);
    *out = ended;
    list_each(link, &blocks)
        counters_add(out, &container_of(link, struct block, link)->counters);
    CHECK(pthread_mutex_unlock(&lock) == 0);
}
