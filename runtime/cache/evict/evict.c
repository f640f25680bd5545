/* Chooses the stored objects to evict when a storage is full: S3-FIFO (Yang et al., "FIFO queues are all you
 * need for cache eviction", SOSP 2023). New objects enter a small queue that may hold a tenth of the budget.
 * Objects hit more than once there move to the main queue; the others are evicted and remembered as ghosts. A
 * key that returns while its ghost exists enters the main queue at once. So does an object over a tenth of
 * the budget, which the small queue is too short to judge. The main queue is a FIFO that moves objects hit
 * since their last turn back to its end.
 *
 * Only complete objects of the index are in a queue, so an object is never evicted while its fetch writes it.
 * Objects with readers are skipped: evicting them would free no memory. A search skips at most EVICT_SCAN_MAX
 * objects before it takes the next one without readers, however often that was hit, so that the lock is held
 * for a bounded time. */
#include <stdlib.h>

#include "cache/evict/evict.h"
#include "cache/evict/ghosts.h"
#include "cache/index.h"
#include "cache/near.h"
#include "cache/store.h"
#include "log/counters.h"

#define FREQUENCY_MAX 3u
#define FREQUENCY_PROMOTES 2u /* hits in the small queue that promote an object to the main queue */
#define EVICT_SCAN_MAX 64u
#define EVICT_SCAN_LIMIT 512u /* most objects that a search examines */

enum queue_id { QUEUE_NONE, QUEUE_SMALL, QUEUE_MAIN };

struct queue {
    struct list objects; /* oldest first */
    uint64_t bytes, count;
};

struct storage_queues {
    pthread_mutex_t lock;
    struct queue small, main;
    struct ghosts ghosts;
};

int
queues_new(struct storage *st)
{
    DEBUG_CHECK(st->queues == NULL);
    struct storage_queues *q = calloc(1, sizeof *q);
    if (q == NULL)
        return ERR_NOMEM;
    pthread_mutex_init(&q->lock, NULL);
    list_init(&q->small.objects);
    list_init(&q->main.objects);
    st->queues = q;
    st->evict_one = queues_evict_one;
    return 0;
}

void
queues_release(struct storage *st)
{
    struct storage_queues *q = st->queues;
    st->queues = NULL;
    if (q == NULL)
        return;
    CHECK(q->small.count == 0 && q->main.count == 0);
    pthread_mutex_destroy(&q->lock);
    ghosts_release(&q->ghosts);
    free(q);
}

/* ---- queues ---- */

static struct queue *
queue_of(struct storage_queues *q, uint8_t id)
{
    DEBUG_CHECK(id == QUEUE_SMALL || id == QUEUE_MAIN);
    return id == QUEUE_SMALL ? &q->small : &q->main;
}

static void
queue_push(struct storage_queues *q, uint8_t id, struct object *o, uint64_t bytes)
{
    LOCK_HELD(&q->lock);
    DEBUG_CHECK(id != QUEUE_NONE && o->queue == QUEUE_NONE && !list_linked(&o->in_queue));
    struct queue *to = queue_of(q, id);
    o->queue = id;
    list_push_back(&to->objects, &o->in_queue);
    to->bytes += bytes;
    to->count++;
}

static uint64_t
queue_take(struct storage_queues *q, struct object *o)
{
    LOCK_HELD(&q->lock);
    struct queue *from = queue_of(q, o->queue);
    uint64_t bytes = object_stored_bytes(o);
    list_remove(&o->in_queue);
    o->in_queue = (struct list){ NULL, NULL };
    o->queue = QUEUE_NONE;
    CHECK(from->bytes >= bytes && from->count > 0);
    from->bytes -= bytes;
    from->count--;
    DEBUG_CHECK(from->count > 0 ? !list_empty(&from->objects)
                                : list_empty(&from->objects) && from->bytes == 0);
    return bytes;
}

/* The 32 bits of a digest that ghosts keep. They leave out the bits that choose the shard: a storage holds
 * objects of all shards. */
static uint32_t
ghost_hash(struct digest key)
{
    return (uint32_t)(key.low >> 16);
}

void
queues_add(struct object *o, struct digest key)
{
    struct storage *st = object_storage(o);
    CHECK(o->queue == QUEUE_NONE && !list_linked(&o->in_queue) && o->entry != NULL);
    struct storage_queues *q = st->queues;
    bool limited = st->limit_bytes > 0; /* without a limit only memory_limit evicts, in order of arrival */
    uint64_t bytes = object_stored_bytes(o), grown = 0;
    pthread_mutex_lock(&q->lock);
    if (limited)
        grown = ghosts_fit(&q->ghosts, q->main.count + q->small.count);
    bool to_main = limited &&
                   (ghosts_take(&q->ghosts, ghost_hash(key), q->main.count) || bytes > st->limit_bytes / 10);
    queue_push(q, to_main ? QUEUE_MAIN : QUEUE_SMALL, o, bytes);
    pthread_mutex_unlock(&q->lock);
    if (grown > 0)
        storage_hold(st, USE_INDEX, (int64_t)grown);
}

void
queues_remove(struct object *o)
{
    struct storage_queues *q = object_storage(o)->queues;
    pthread_mutex_lock(&q->lock);
    if (o->queue != QUEUE_NONE)
        queue_take(q, o);
    pthread_mutex_unlock(&q->lock);
}

/* ---- eviction ---- */

static bool
somebody_reads(const struct object *o)
{
    struct object *of = (struct object *)(uintptr_t)o;
    unsigned near = atomic_load_explicit(&of->near, memory_order_relaxed);
    return atomic_load_explicit(&of->refs, memory_order_relaxed) > 1 + near;
}

static void
requeue(struct storage_queues *q, uint8_t id, struct object *o, unsigned frequency)
{
    DEBUG_CHECK(frequency <= FREQUENCY_MAX);
    atomic_store_explicit(&o->frequency, (unsigned char)frequency, memory_order_relaxed);
    queue_push(q, id, o, queue_take(q, o));
}

/* Examines the oldest object of the queue whose turn it is: chooses it as victim (true), or requeues it. */
static bool
try_oldest(struct storage_queues *q, uint64_t small_limit, bool force, struct object **victim)
{
    LOCK_HELD(&q->lock);
    bool small = q->main.count == 0 || (q->small.count > 0 && q->small.bytes > small_limit);
    struct object *o = list_first(small ? &q->small.objects : &q->main.objects, struct object, in_queue);
    CHECK(o != NULL);
    DEBUG_CHECK(o->queue == (small ? QUEUE_SMALL : QUEUE_MAIN));
    unsigned frequency = atomic_load_explicit(&o->frequency, memory_order_relaxed);
    if (somebody_reads(o))
        requeue(q, QUEUE_MAIN, o, frequency);
    else if (small && frequency >= FREQUENCY_PROMOTES && !force)
        requeue(q, QUEUE_MAIN, o, 0);
    else if (!small && frequency > 0 && !force)
        requeue(q, QUEUE_MAIN, o, frequency - 1);
    else {
        *victim = o;
        return true;
    }
    return false;
}

/* Takes the victim out of its queue and adds a reference. The object is alive: a thread that removes an
 * object from the index removes it from its queue, under our lock, before it drops the index's reference. */
static struct object *
choose_victim(struct storage *st, uint64_t *bytes)
{
    struct storage_queues *q = st->queues;
    struct object *victim = NULL;
    pthread_mutex_lock(&q->lock);
    uint64_t all = q->small.count + q->main.count;
    uint64_t limit = all + EVICT_SCAN_MAX < EVICT_SCAN_LIMIT ? all + EVICT_SCAN_MAX : EVICT_SCAN_LIMIT;
    for (uint64_t i = 0; all > 0 && i < limit; i++)
        if (try_oldest(q, st->limit_bytes / 10, i >= EVICT_SCAN_MAX, &victim))
            break;
    if (victim != NULL) {
        object_ref(victim);
        *bytes = queue_take(q, victim);
    }
    pthread_mutex_unlock(&q->lock);
    return victim;
}

uint64_t
queues_evict_one(struct storage *st)
{
    struct storage_queues *q = st->queues;
    uint64_t bytes = 0;
    struct object *o = choose_victim(st, &bytes);
    if (o == NULL) {
        log_text(&log_untied, TAG_EXP_KILL, SPAN_LIT("LRU_Fail"));
        return 0;
    }
    DEBUG_CHECK(bytes >= OBJECT_CORE_BYTES);
    struct digest key;
    bool listed = index_drop(st->store, o, REMOVAL_EVICTED, &key);
    if (log_wants(TAG_EXP_KILL))
        log_printf(&log_untied, TAG_EXP_KILL, "LRU x=%u", o->xid);
    pthread_mutex_lock(&q->lock);
    if (listed)
        ghosts_add(&q->ghosts, ghost_hash(key));
    pthread_mutex_unlock(&q->lock);
    object_release(&o);
    return bytes;
}

void
store_touch(struct object *o)
{
    CHECK(o->head != NULL && object_state(o) >= OBJECT_STREAMING);
    if (!near_touch(o))
        atomic_fetch_add_explicit(&o->hits, 1, memory_order_relaxed);
    unsigned char f = atomic_load_explicit(&o->frequency, memory_order_relaxed);
    if (f == 0)
        counters_here()->n_lru_moved++; /* eviction will count it as used */
    if (f < FREQUENCY_MAX)              /* a lost race loses one count of at most three */
        atomic_store_explicit(&o->frequency, (unsigned char)(f + 1), memory_order_relaxed);
}
