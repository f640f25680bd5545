/* The counters SMA.name and MEMORY.name of a storage: sums of what the threads have counted. */
#include <stdio.h>

#include "base/list.h"
#include "log/vsc.h"
#include "storage/storage_internal.h"

#define IDENT_BYTES 256u
/* Limit for the rounding and index bytes that do not count. */
#define FREE_BYTES_MAX (64u * 1024)
#define FREE_PART 16u /* they are also limited to this part of the storage */

static const struct vsc_row rows[SMA_COUNT] = {
    [SMA_C_REQ] = { "c_req", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Allocations" },
    [SMA_C_FAIL] = { "c_fail", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                     "Allocations that failed for lack of room" },
    [SMA_C_BYTES] = { "c_bytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Bytes allocated since the start" },
    [SMA_C_FREED] = { "c_freed", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Bytes freed since the start" },
    [SMA_G_ALLOC] = { "g_alloc", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Allocations held" },
    [SMA_G_BYTES] = { "g_bytes", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bytes allocated or reserved" },
    [SMA_G_SPACE] = { "g_space", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bytes left; 0 without a limit" },
};
static const struct vsc_type type = { "sma", "A storage", rows, SMA_COUNT };

static const struct vsc_row use_rows[USE_COUNT] = {
    [USE_BODIES] = { "g_bodies", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                     "Bodies, with space reserved for unfinished ones" },
    [USE_HEADS] = { "g_heads", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                    "Heads of responses, with their share of bookkeeping" },
    [USE_INDEX] = { "g_index", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Keys and tables of the index" },
    [USE_KEYS] = { "g_keys", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Surrogate keys (xkey)" },
    [USE_BANS] = { "g_bans", VSC_GAUGE, VSC_INFO, VSC_BYTES, "The list of bans" },
    [USE_PURGES] = { "g_purges", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Remembered purges" },
    [USE_THROTTLE] = { "g_throttle", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Buckets of vsthrottle" },
    [USE_ADDRESSES] = { "g_addresses", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                        "Addresses of clients, for connections_per_address" },
    [USE_REQUESTS] = { "g_requests", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bodies of current requests" },
    [USE_FILTERS] = { "g_filters", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Active body filters and their buffers" },
    [USE_TRANSIENT] = { "g_transient", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                        "Memory of Transient without its own size, except the first 1 MB of filters" },
    [USE_ROUNDING] = { "g_rounding", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                       "The allocator's overhead for heads and bodies" },
    [USE_FRAGMENTS] = { "g_fragments", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                        "Memory the allocator keeps and cannot use" },
};
static const struct vsc_type use_type = { "memory", "Use of a storage's memory", use_rows, USE_COUNT };

uint64_t
storage_free_overhead(const struct storage *st)
{
    uint64_t part = st->limit_bytes / FREE_PART;
    return part < FREE_BYTES_MAX ? part : FREE_BYTES_MAX;
}

/* Publishes the sums in the counters. Also remembers whether the overhead is so large that all of it counts
 * (see room): the next sums are due before it can be much less. */
static void
show(struct tally *t, const uint64_t *words)
{
    struct storage *st = container_of(t, struct storage, tally);
    const struct share *sums = (const struct share *)words;
    uint64_t used = 0, overhead = sums->uses[USE_INDEX] + sums->uses[USE_ROUNDING];
    for (int use = 0; use < USE_COUNT; use++) {
        uint64_t bytes = use == USE_FILTERS ? atomic_load(&st->filter_bytes) : tally_gauge(sums->uses[use]);
        vsc_set(&st->uses[use], bytes);
        used += bytes;
    }
    for (int i = 0; i < SMA_G_BYTES; i++)
        vsc_set(&st->counters[i], i == SMA_G_ALLOC ? tally_gauge(sums->counts[i]) : sums->counts[i]);
    vsc_set(&st->counters[SMA_G_BYTES], used);
    vsc_set(&st->counters[SMA_G_SPACE], st->limit_bytes > used ? st->limit_bytes - used : 0);
    atomic_store_explicit(&st->overhead_counts,
                          st->piece_bytes > 0 && tally_gauge(overhead) > 4 * storage_free_overhead(st),
                          memory_order_relaxed);
}

void
storage_counters_make(struct storage *st)
{
    char ident[IDENT_BYTES];
    snprintf(ident, sizeof ident, "SMA.%.*s", (int)st->name.len, st->name.ptr);
    st->counters = vsc_new(&type, ident);
    snprintf(ident, sizeof ident, "MEMORY.%.*s", (int)st->name.len, st->name.ptr);
    st->uses = vsc_new(&use_type, ident);
    tally_open(&st->tally, SHARE_WORDS, show);
}

void
storage_counters_free(struct storage *st)
{
    tally_close(&st->tally);
    vsc_free(&st->counters);
    vsc_free(&st->uses);
}
