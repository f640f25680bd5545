/* The worker's part of shared memory: see stats.h.
 *
 * Each loop counts in its own memory. While counters change, the publisher copies their sums to shared memory
 * every PUBLISH_EVERY, or more rarely if that takes long. When the sums have not changed, the publisher is
 * DOZING: the next loop that counts wakes it (counters_settle). A loop may have settled just before it saw
 * that state, so the publisher checks the sums once more before it is RESTING, without a timer. */
#include "worker/stats.h"

#include <errno.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "worker/worker.h"
#include "daemon/log_params.h"
#include "daemon/params.h"
#include "daemon/sandbox.h"
#include "base/check.h"
#include "base/params.h"
#include "log/report.h"
#include "log/ring.h"
#include "log/tally.h"
#include "log/vsc.h"
#include "match/pattern_set.h"
#include "policy/counter/counters.h"

#define PUBLISH_EVERY (25 * NSEC_PER_MSEC)
#define PUBLISH_PART 8 /* sums of many backends and loops take at most this part of a processor */
#define POOLS_MAX 32u  /* of thread_pools */
#define IDENT_BYTES 64u

enum pool_row { POOL_LIVE, POOL_SPARE, POOL_WANTED, POOL_ACTUAL, POOL_ALLOCS, POOL_FREES, POOL_ROWS = 11 };

/* Vernis has no memory pools. The first pool of a kind shows the objects in use; all other values stay 0. */
static const struct vsc_row pool_rows[POOL_ROWS] = {
    { "live", VSC_GAUGE, VSC_DEBUG, VSC_INTEGER, "In use" },
    { "pool", VSC_GAUGE, VSC_DEBUG, VSC_INTEGER, "Always 0: spare ones are not counted" },
    { "sz_wanted", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Always 0: sizes vary" },
    { "sz_actual", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Always 0: sizes vary" },
    { "allocs", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0" },
    { "frees", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0" },
    { "recycle", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0" },
    { "timeout", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0" },
    { "toosmall", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0" },
    { "surplus", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0" },
    { "randry", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0" },
};
static const struct vsc_type pool_type = { "mempool", "Memory of one kind, as Varnish's pools of it",
                                           pool_rows, POOL_ROWS };

/* Varnish's lock counters, for scripts that read them. Vernis has other locks and does not count them. */
static const struct vsc_row lock_rows[] = {
    { "creat", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0: locks are not counted" },
    { "destroy", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0: locks are not counted" },
    { "locks", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0: locks are not counted" },
    { "dbg_busy", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0: locks are not counted" },
    { "dbg_try_fail", VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0: locks are not counted" },
};
static const struct vsc_type lock_type = { "lck", "Locks of one kind, for scripts that read them", lock_rows,
                                           sizeof lock_rows / sizeof *lock_rows };
static const char *const lock_names[] = {
    "LCK.ban",    "LCK.busyobj",   "LCK.cli",    "LCK.director", "LCK.exp",      "LCK.hcb",
    "LCK.lru",    "LCK.mempool",   "LCK.objhdr", "LCK.perpool",  "LCK.pipestat", "LCK.probe",
    "LCK.sess",   "LCK.conn_pool", "LCK.vbe",    "LCK.vcapace",  "LCK.vcl",      "LCK.vxid",
    "LCK.waiter", "LCK.wq",        "LCK.wstat",  "LCK.sma",
};

enum publisher_state { AWAKE, DOZING, RESTING };

static struct {
    struct vsm *set;
    uint64_t *groups[COUNTER_GROUPS], *req, *sess, *busyobj;
    struct counters last; /* as published */
    int wake_fd;
    enum publisher_state state;
    nsec next; /* CLOCK_MONOTONIC */
} shown = { .wake_fd = -1 };

/* ---- opening ------------------------------------------------------------------------------------------- */

static int
open_log(void)
{
    size_t bytes = params.vsl_space_bytes;
    void *mem = vsm_alloc(shown.set, bytes);
    if (mem == NULL)
        return ERR_SYS;
    if (params.vsl_7_3)
        ring_open_later(mem, bytes);
    else
        ring_open(mem, bytes);
    return vsm_publish(shown.set, mem, "Log", "Log");
}

static uint64_t *
new_pools(const char *kind)
{
    unsigned n = (unsigned)param_number("thread_pools");
    uint64_t *first = NULL;
    for (unsigned i = 0; i < n && i < POOLS_MAX; i++) {
        char ident[IDENT_BYTES];
        snprintf(ident, sizeof ident, "MEMPOOL.%s%u", kind, i);
        uint64_t *pool = vsc_new(&pool_type, ident);
        if (first == NULL)
            first = pool;
    }
    return first;
}

static void
open_counters(void)
{
    for (unsigned i = 0; i < COUNTER_GROUPS; i++)
        shown.groups[i] = vsc_new(&counter_groups[i].type, counter_groups[i].ident);
    shown.busyobj = vsc_new(&pool_type, "MEMPOOL.busyobj");
    shown.req = new_pools("req");
    shown.sess = new_pools("sess");
    for (unsigned i = 0; i < sizeof lock_names / sizeof *lock_names; i++)
        (void)vsc_new(&lock_type, lock_names[i]);
}

int
worker_stats_open(struct worker *w)
{
    bool first = w->from->first;
    shown.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    CHECK(shown.wake_fd >= 0);
    counters_wake_by(shown.wake_fd);
    log_params_apply();
    int err = vsm_open(w->from->vsm_folder, &shown.set);
    if (err == 0)
        err = open_log();
    if (err != 0)
        log_line(first ? LOG_LEVEL_ERROR : LOG_LEVEL_WARNING,
                 "cannot make shared memory for the log in %s/%s: %s", w->from->dir, w->from->vsm_folder,
                 strerror(errno));
    vsc_open(shown.set);
    open_counters();
    return first ? err : 0;
}

/* ---- publishing ---------------------------------------------------------------------------------------- */

static void
sum_patterns(struct counters *out)
{
    struct pattern_totals totals;
    pattern_totals(&totals);
    out->pattern_undecided = totals.undecided;
    out->pattern_flushes = totals.flushes;
    out->pattern_rests = totals.rests;
    out->pattern_bytes = totals.bytes;
}

/* The two searches for the names would take most of the time of each sum. */
static void
sum_emulated_threads(struct counters *out)
{
    static const struct param_row *pools, *least;
    if (pools == NULL) {
        pools = param_find("thread_pools");
        least = param_find("thread_pool_min");
    }
    out->pools = (uint64_t)param_number_of(pools);
    out->threads = out->pools * (uint64_t)param_number_of(least);
}

void
worker_stats_sum(struct worker *w, struct counters *out)
{
    struct store_stats stats;
    counters_sum(out);
    store_stats(w->store, &stats);
    out->summs = shown.last.summs;
    out->uptime = (uint64_t)((clock_real_ns() - w->started_real) / NSEC_PER_SEC);
    sum_emulated_threads(out);
    out->threads_created = w->n_loops;
    out->threads_limited = out->fibers_limited;
    out->syscalls_denied = sandbox_denied();
    out->n_object = stats.stored;
    out->n_objectcore = stats.objects;
    out->n_objecthead = stats.entries;
    sum_patterns(out);
    list_each(it, &w->policies)
    {
        const struct loaded *l = container_of(it, struct loaded, link);
        if (l->policy == NULL)
            continue; /* a label */
        out->n_vcl++;
        out->n_vcl_avail += !l->discarded;
        out->n_vcl_discard += l->discarded;
    }
}

static bool
same_counts(const struct counters *a, const struct counters *b)
{
    struct counters x = *a;
    x.summs = b->summs;
    x.uptime = b->uptime;
    x.shm_records = b->shm_records; /* a ping changes only its log records: stay at rest */
    x.shm_writes = b->shm_writes;
    return memcmp(&x, b, sizeof x) == 0;
}

/* True: counters other than time and log records have changed. */
static bool
publish(struct worker *w)
{
    struct counters now;
    worker_stats_sum(w, &now);
    bool changed = !same_counts(&now, &shown.last);
    now.summs++;
    const uint64_t *from = (const uint64_t *)&now;
    for (unsigned g = 0; g < COUNTER_GROUPS; g++)
        for (unsigned i = 0; i < counter_groups[g].type.n; i++)
            vsc_set(&shown.groups[g][i], *from++);
    vsc_set(&shown.sess[POOL_LIVE], now.sess_live);
    vsc_set(&shown.req[POOL_LIVE], now.req_live);
    vsc_set(&shown.busyobj[POOL_LIVE], now.fetch_live);
    policy_counters_publish();
    tallies_show();
    shown.last = now;
    return changed;
}

int
worker_stats_fd(void)
{
    return shown.wake_fd;
}

int
worker_stats_wait(void)
{
    if (shown.state == RESTING)
        return -1;
    nsec left = shown.next - clock_mono_ns();
    return left <= 0 ? 0 : (int)((left + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC);
}

void
worker_stats_turn(struct worker *w, bool woken)
{
    nsec now = clock_mono_ns();
    if (!woken && (shown.state == RESTING || now < shown.next))
        return;
    uint64_t n;
    bool counted = woken && read(shown.wake_fd, &n, sizeof n) > 0;
    if (publish(w) || counted)
        shown.state = AWAKE;
    else if (shown.state != RESTING)
        shown.state++;
    counters_doze(shown.state != AWAKE);
    nsec took = clock_mono_ns() - now;
    shown.next = now + (took > PUBLISH_EVERY / PUBLISH_PART ? PUBLISH_PART * took : PUBLISH_EVERY);
}
