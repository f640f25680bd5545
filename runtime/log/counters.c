/* The table of counters and the blocks they live in: one a thread, in a list that is locked only when a thread comes, goes or
 * somebody sums. A reader sees each 64-bit value whole, perhaps a moment old. */
#include "log/counters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"

#define ROW(field, kind, level, format, text) { #field, kind, level, format, text }

const struct vsc_row counter_rows[] = {
    ROW(summs, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Publications of the sums of all threads"),
    ROW(uptime, VSC_COUNTER, VSC_INFO, VSC_DURATION, "Seconds this worker has run"),
    ROW(sess_conn, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions accepted"),
    ROW(sess_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Session accept failures"),
    ROW(sess_fail_econnaborted, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: connection gone again"),
    ROW(sess_fail_eintr, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: interrupted"),
    ROW(sess_fail_emfile, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: too many descriptors"),
    ROW(sess_fail_ebadf, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: descriptor closed"),
    ROW(sess_fail_enomem, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: no memory"),
    ROW(sess_fail_other, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: other"),
    ROW(client_req_400, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Client requests refused as malformed"),
    ROW(client_req_417, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Client requests with an expectation that cannot be met"),
    ROW(client_req, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Good client requests received"),
    ROW(esi_req, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests made for ESI includes"),
    ROW(cache_hit, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Cache hits"),
    ROW(cache_hit_grace, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Cache hits in grace"),
    ROW(cache_hitpass, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Hits on an object that says pass"),
    ROW(cache_hitmiss, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Hits on an object that says miss"),
    ROW(cache_miss, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Cache misses"),
    ROW(beresp_uncacheable, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Uncacheable responses of origins"),
    ROW(beresp_shortlived, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Responses of origins that live too briefly to be kept"),
    ROW(backend_conn, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections opened to origins"),
    ROW(backend_unhealthy, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins not tried: sick"),
    ROW(backend_busy, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins not tried: too many"),
    ROW(backend_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins that failed"),
    ROW(backend_reuse, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins used again"),
    ROW(backend_recycle, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins put back for use again"),
    ROW(backend_retry, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests sent again because a reused connection had died"),
    ROW(fetch_head, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: HEAD"),
    ROW(fetch_length, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches with Content-Length"),
    ROW(fetch_chunked, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches with chunked content"),
    ROW(fetch_eof, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches delimited by the end of the connection"),
    ROW(fetch_bad, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches with framing that was refused"),
    ROW(fetch_none, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content"),
    ROW(fetch_1xx, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: 1xx"),
    ROW(fetch_204, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: 204"),
    ROW(fetch_304, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: 304"),
    ROW(fetch_failed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches that failed"),
    ROW(fetch_no_thread, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches not begun for want of a fiber"),
    ROW(pools, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Thread pools, as thread_pools says: threads are emulated"),
    ROW(threads, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Threads, as thread_pool_min says: threads are emulated"),
    ROW(threads_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fibers not started because of fibers_max"),
    ROW(threads_created, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Loops started"),
    ROW(threads_destroyed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Always 0: loops stay"),
    ROW(threads_failed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Always 0: a loop that cannot be started ends the worker"),
    ROW(thread_queue_len, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Requests that wait for a fiber"),
    ROW(busy_sleep, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests that waited for another's fetch"),
    ROW(busy_wakeup, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests woken after such a wait"),
    ROW(busy_killed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests whose wait for another's fetch timed out"),
    ROW(sess_queued, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions that waited for a fiber"),
    ROW(sess_dropped, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions dropped because of a limit"),
    ROW(req_dropped, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests dropped"),
    ROW(n_object, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Objects stored"),
    ROW(n_vampireobject, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Always 0: objects do not outlive a worker"),
    ROW(n_objectcore, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Objects and fetches of them"),
    ROW(n_objecthead, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Keys with objects or waiting requests"),
    ROW(n_backend, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Origins of loaded policies"),
    ROW(n_expired, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Objects that expired"),
    ROW(n_lru_nuked, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Objects evicted for room"),
    ROW(n_lru_moved, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects used again since eviction last looked at them"),
    ROW(n_lru_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Evictions that reached nuke_limit"),
    ROW(losthdr, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fields that did not fit"),
    ROW(s_sess, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions seen"),
    ROW(n_pipe, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Pipes open"),
    ROW(pipe_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Pipes not started because of pipe_sess_max"),
    ROW(s_pipe, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Pipes seen"),
    ROW(s_pass, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Passed requests seen"),
    ROW(s_fetch, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches begun"),
    ROW(s_bgfetch, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Background fetches begun"),
    ROW(s_synth, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Synthetic responses made"),
    ROW(s_req_hdrbytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Request head bytes"),
    ROW(s_req_bodybytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Request content bytes"),
    ROW(s_resp_hdrbytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Response head bytes"),
    ROW(s_resp_bodybytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Response content bytes"),
    ROW(s_pipe_hdrbytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Head bytes of piped requests"),
    ROW(s_pipe_in, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes from clients"),
    ROW(s_pipe_out, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes to clients"),
    ROW(sess_closed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions closed"),
    ROW(sess_closed_err, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions closed with errors"),
    ROW(sess_readahead, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests that came before the answer to the one before"),
    ROW(sess_herd, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions that waited for a request"),
    ROW(sc_rem_close, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended by the client"),
    ROW(sc_req_close, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because the client asked for it"),
    ROW(sc_req_http10, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because HTTP/1.0 does not keep them"),
    ROW(sc_rx_bad, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after a request that was refused"),
    ROW(sc_rx_body, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because request content could not be read"),
    ROW(sc_rx_junk, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because what came was no request"),
    ROW(sc_rx_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because a head was too large"),
    ROW(sc_rx_timeout, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because a head did not come in time"),
    ROW(sc_rx_close_idle, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after timeout_idle"),
    ROW(sc_tx_pipe, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after a pipe"),
    ROW(sc_tx_error, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because a response could not be sent"),
    ROW(sc_tx_eof, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended to end a response"),
    ROW(sc_resp_close, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because the policy or the origin asked for it"),
    ROW(sc_overload, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended for want of memory or fibers"),
    ROW(sc_pipe_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because of too many pipes"),
    ROW(sc_range_short, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because a range was not complete"),
    ROW(sc_req_http20, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because HTTP/2 is off"),
    ROW(sc_vcl_failure, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after a failure of the policy"),
    ROW(client_resp_500, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Responses that did not fit the workspace"),
    ROW(ws_backend_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Fetches that filled their workspace"),
    ROW(ws_client_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Requests that filled their workspace"),
    ROW(ws_thread_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Always 0: threads have no workspace"),
    ROW(ws_session_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions that filled their workspace"),
    ROW(shm_records, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Log records written"),
    ROW(shm_writes, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Writes to the log"),
    ROW(shm_flushes, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Writes to the log because a buffer was full"),
    ROW(shm_cont, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Writes to the log that waited for another"),
    ROW(shm_cycles, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Times the log began anew"),
    ROW(backend_req, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests sent to origins"),
    ROW(n_vcl, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Policies loaded"),
    ROW(n_vcl_avail, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Policies loaded and not discarded"),
    ROW(n_vcl_discard, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Policies discarded and still in use"),
    ROW(vcl_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Policy failures"),
    ROW(bans, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Bans in the list"),
    ROW(bans_completed, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Bans in the list that are done"),
    ROW(bans_obj, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Bans that the lurker can test"),
    ROW(bans_req, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Bans that only requests can test"),
    ROW(bans_added, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Bans added"),
    ROW(bans_deleted, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Bans removed"),
    ROW(bans_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects tested against bans at lookup"),
    ROW(bans_obj_killed, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects banned at lookup"),
    ROW(bans_lurker_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects tested against bans by the lurker"),
    ROW(bans_tests_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Ban conditions tested at lookup"),
    ROW(bans_lurker_tests_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Ban conditions tested by the lurker"),
    ROW(bans_lurker_obj_killed, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects banned by the lurker"),
    ROW(bans_lurker_obj_killed_cutoff, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects dropped because of ban_cutoff"),
    ROW(bans_dups, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Bans that a newer one covers"),
    ROW(bans_lurker_contention, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Times the lurker gave way to lookups"),
    ROW(bans_persisted_bytes, VSC_GAUGE, VSC_DIAG, VSC_BYTES, "Bytes of the ban list"),
    ROW(bans_persisted_fragmentation, VSC_GAUGE, VSC_DIAG, VSC_BYTES, "Always 0: bans are not persistent"),
    ROW(n_purges, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Purges"),
    ROW(n_obj_purged, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Objects purged"),
    ROW(exp_mailed, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects handed over for expiry"),
    ROW(exp_received, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects taken over for expiry"),
    ROW(hcb_nolock, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Lookups in the index"),
    ROW(hcb_lock, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0: the index has one kind of lookup"),
    ROW(hcb_insert, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Keys added to the index"),
    ROW(esi_errors, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Documents with ESI errors"),
    ROW(esi_warnings, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Documents with ESI warnings"),
    ROW(vmods, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Modules loaded"),
    ROW(n_gzip, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Bodies compressed"),
    ROW(n_gunzip, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Bodies decompressed"),
    ROW(n_test_gunzip, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Compressed bodies verified"),
    ROW(req_restarts, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests restarted"),
    ROW(fibers_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fibers not started because of fibers_max"),
    ROW(sess_live, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Sessions open"),
    ROW(req_live, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Requests at work"),
    ROW(fetch_live, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Fetches at work"),
};
const unsigned n_counter_rows = sizeof counter_rows / sizeof *counter_rows;
const struct vsc_type counters_type = { "main", "The worker", counter_rows, sizeof counter_rows / sizeof *counter_rows };

_Static_assert(sizeof counter_rows / sizeof *counter_rows == sizeof(struct counters) / sizeof(uint64_t),
               "every counter has its row");

/* Aligned, so that threads do not write to each other's cache lines. */
struct block {
    _Alignas(64) struct counters counters;
    uint64_t settled;                   /* digest of them when counters_settle last looked */
    struct list link;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list blocks = { &blocks, &blocks };       /* lock */
static struct counters ended;                           /* lock; sums of threads that are gone */
static pthread_key_t block_key;
static pthread_once_t block_once = PTHREAD_ONCE_INIT;
static _Thread_local struct block *here;
static atomic_bool dozing;                              /* the publisher wants to be woken through wake_fd */
static int wake_fd = -1;                                /* fixed before counters_doze */

uint64_t
counters_value(const struct counters *c, const struct vsc_row *row)
{
    return ((const uint64_t *)c)[row - counter_rows];
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

/* ---- waking the publisher ---- */

void
counters_wake_by(int eventfd)
{
    wake_fd = eventfd;
}

void
counters_doze(bool on)
{
    atomic_store(&dozing, on && wake_fd >= 0);
}

static uint64_t
digest(const struct counters *c)
{
    const uint64_t *value = (const uint64_t *)c;
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof *c / sizeof *value; i++)
        sum = sum * 31 + value[i];      /* a plain sum would not see one thing become another */
    return sum;
}

void
counters_settle(void)
{
    if (!atomic_load_explicit(&dozing, memory_order_relaxed) || here == NULL)
        return;
    uint64_t now = digest(&here->counters);
    if (now == here->settled)
        return;
    here->settled = now;
    if (atomic_exchange(&dozing, false))
        CHECK(eventfd_write(wake_fd, 1) == 0);
}
