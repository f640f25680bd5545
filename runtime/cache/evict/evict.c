/* Chooses the stored objects to evict when a storage is full: S3-FIFO (Yang et al., "FIFO queues are all you
 * need for cache eviction", SOSP 2023). New objects enter a small queue that may hold a tenth of the budget.
 * Objects hit more than once there move to the main queue; the others are evicted and remembered as ghosts. A
 * key that returns while its ghost exists enters the main queue at once. So does an object over a tenth of
 * the budget, which the small queue is too short to judge. The main queue is a FIFO that moves objects hit
 * since their last turn back to its end.
 *
 * All loops share the lock of the queues, so a loop takes it once for many objects: its newest ones wait
 * together in its intake, and it evicts as many as make a piece of the budget.
 *
 * Only complete objects of the index are in a queue, so an object is never evicted while its fetch writes it.
 * Objects with readers are skipped: evicting them would free no memory. A search skips at most EVICT_SCAN_MAX
 * objects before it takes the next one without readers, however often that was hit, so that the lock is held
 * for a bounded time. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
#define EVICT_AT_ONCE 16u     /* most objects that it evicts */

#define INTAKES 64u /* loops beyond it share them */
#define INTAKE_OBJECTS 32u
/* Of the budget. A loop that evicts a piece takes its intake in, so it rarely fills up in a full storage. */
#define INTAKE_PIECES 2u

enum queue_id { QUEUE_NONE, QUEUE_SMALL, QUEUE_MAIN, QUEUE_INTAKE /* and the number of the intake */ };

struct queue {
    struct list objects; /* oldest first */
    uint64_t bytes, count;
};

/* The newest objects of a loop, oldest first, which do not wait for the lock of all loops one by one. They
 * enter the queues together, or when nothing else can be evicted. */
struct intake {
    _Alignas(CACHE_LINE_BYTES) pthread_mutex_t lock; /* taken before the lock of the queues */
    unsigned n;
    uint64_t bytes;
    struct object *newcomers[INTAKE_OBJECTS];
};

struct storage_queues {
    pthread_mutex_t lock;
    struct queue small, main;
    struct ghosts ghosts;
    struct intake intakes[INTAKES];
};

int
queues_new(struct storage *st)
{
    DEBUG_CHECK(st->queues == NULL);
    struct storage_queues *q = aligned_alloc(CACHE_LINE_BYTES, sizeof *q);
    if (q == NULL)
        return ERR_NOMEM;
    memset(q, 0, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    for (unsigned i = 0; i < INTAKES; i++)
        pthread_mutex_init(&q->intakes[i].lock, NULL);
    list_init(&q->small.objects);
    list_init(&q->main.objects);
    st->queues = q;
    st->evict = queues_evict;
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
    for (unsigned i = 0; i < INTAKES; i++) {
        CHECK(q->intakes[i].n == 0);
        pthread_mutex_destroy(&q->intakes[i].lock);
    }
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

/* An object that will be in a queue again is never seen in none: see queues_remove. */
static void
set_queue(struct object *o, uint8_t id)
{
    atomic_store_explicit(&o->queue, id, memory_order_release);
}

static void
queue_push(struct storage_queues *q, uint8_t id, struct object *o, uint64_t bytes)
{
    LOCK_HELD(&q->lock);
    DEBUG_CHECK(!list_linked(&o->in_queue));
    struct queue *to = queue_of(q, id);
    set_queue(o, id);
    list_push_back(&to->objects, &o->in_queue);
    to->bytes += bytes;
    to->count++;
}

/* The caller says in which queue it is then. */
static uint64_t
queue_unlink(struct storage_queues *q, struct object *o)
{
    LOCK_HELD(&q->lock);
    struct queue *from = queue_of(q, o->queue);
    uint64_t bytes = object_stored_bytes(o);
    list_remove(&o->in_queue);
    o->in_queue = (struct list){ NULL, NULL };
    CHECK(from->bytes >= bytes && from->count > 0);
    from->bytes -= bytes;
    from->count--;
    DEBUG_CHECK(from->count > 0 ? !list_empty(&from->objects)
                                : list_empty(&from->objects) && from->bytes == 0);
    return bytes;
}

static uint64_t
queue_take(struct storage_queues *q, struct object *o)
{
    uint64_t bytes = queue_unlink(q, o);
    set_queue(o, QUEUE_NONE);
    return bytes;
}

/* The 32 bits of a digest that ghosts keep. They leave out the bits that choose the shard: a storage holds
 * objects of all shards. */
static uint32_t
ghost_hash(struct digest key)
{
    return (uint32_t)(key.low >> 16);
}

/* Returns the bytes by which the table of ghosts has grown. */
static uint64_t
enter(struct storage *st, struct object *o)
{
    struct storage_queues *q = st->queues;
    bool limited = st->limit_bytes > 0; /* without a limit only memory_limit evicts, in order of arrival */
    uint64_t bytes = object_stored_bytes(o), grown = 0;
    if (limited)
        grown = ghosts_fit(&q->ghosts, q->main.count + q->small.count);
    bool to_main = limited &&
                   (ghosts_take(&q->ghosts, o->ghost, q->main.count) || bytes > st->limit_bytes / 10);
    queue_push(q, to_main ? QUEUE_MAIN : QUEUE_SMALL, o, bytes);
    return grown;
}

/* ---- intakes ---- */

static struct intake *
intake_here(struct storage *st)
{
    return &st->queues->intakes[loop_part(INTAKES)];
}

/* Returns the bytes by which the table of ghosts has grown. */
static uint64_t
enter_all(struct storage *st, struct intake *in)
{
    uint64_t grown = 0;
    LOCK_HELD(&in->lock);
    for (unsigned i = 0; i < in->n; i++)
        grown += enter(st, in->newcomers[i]);
    in->n = 0;
    in->bytes = 0;
    return grown;
}

static void
take_in(struct storage *st, struct intake *in)
{
    if (in->n == 0)
        return;
    pthread_mutex_lock(&st->queues->lock);
    uint64_t grown = enter_all(st, in);
    pthread_mutex_unlock(&st->queues->lock);
    storage_hold(st, USE_INDEX, (int64_t)grown);
}

static void
take_all_in(struct storage *st)
{
    for (unsigned i = 0; i < INTAKES; i++) {
        struct intake *in = &st->queues->intakes[i];
        pthread_mutex_lock(&in->lock);
        take_in(st, in);
        pthread_mutex_unlock(&in->lock);
    }
}

/* Of a storage too small for pieces, each object enters the queues at once: its order is that of arrival. */
void
queues_add(struct object *o, struct digest key)
{
    struct storage *st = object_storage(o);
    CHECK(o->queue == QUEUE_NONE && !list_linked(&o->in_queue) && o->entry != NULL);
    struct intake *in = intake_here(st);
    o->ghost = ghost_hash(key);
    pthread_mutex_lock(&in->lock);
    in->newcomers[in->n++] = o;
    in->bytes += object_stored_bytes(o);
    set_queue(o, (uint8_t)(QUEUE_INTAKE + (in - st->queues->intakes)));
    if (in->n == INTAKE_OBJECTS || in->bytes >= INTAKE_PIECES * st->piece_bytes)
        take_in(st, in);
    pthread_mutex_unlock(&in->lock);
}

static void
intake_remove(struct intake *in, struct object *o)
{
    unsigned i = 0;
    LOCK_HELD(&in->lock);
    while (i < in->n && in->newcomers[i] != o)
        i++;
    CHECK(i < in->n);
    in->bytes -= object_stored_bytes(o);
    in->n--;
    memmove(&in->newcomers[i], &in->newcomers[i + 1], (in->n - i) * sizeof in->newcomers[0]);
    set_queue(o, QUEUE_NONE);
}

/* An object leaves its intake under both locks, and never comes back. One that is in no queue enters none
 * while the shard is locked. */
void
queues_remove(struct object *o)
{
    struct storage_queues *q = object_storage(o)->queues;
    unsigned char id = atomic_load_explicit(&o->queue, memory_order_acquire);
    if (id == QUEUE_NONE)
        return;
    if (id >= QUEUE_INTAKE) {
        struct intake *in = &q->intakes[id - QUEUE_INTAKE];
        pthread_mutex_lock(&in->lock);
        bool is_new = o->queue == id;
        if (is_new)
            intake_remove(in, o);
        pthread_mutex_unlock(&in->lock);
        if (is_new)
            return;
    }
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
    queue_push(q, id, o, queue_unlink(q, o));
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

struct victims {
    struct evicted all;
    struct object *objects[EVICT_AT_ONCE]; /* with a reference */
};

/* Takes the victim out of its queue and adds a reference. The object is alive: a thread that removes an
 * object from the index removes it from its queue, under our lock, before it drops the index's reference. */
static void
take_victim(struct storage_queues *q, struct object *o, struct victims *v)
{
    object_ref(o);
    v->objects[v->all.objects++] = o;
    v->all.bytes += queue_take(q, o);
    ghosts_add(&q->ghosts, o->ghost);
}

static void
choose_victims(struct storage *st, uint64_t bytes, struct victims *v)
{
    struct storage_queues *q = st->queues;
    LOCK_HELD(&q->lock);
    uint64_t all = q->small.count + q->main.count;
    uint64_t limit = all + EVICT_SCAN_MAX < EVICT_SCAN_LIMIT ? all + EVICT_SCAN_MAX : EVICT_SCAN_LIMIT;
    unsigned passed = 0; /* since the last victim */
    for (uint64_t i = 0; i < limit && q->small.count + q->main.count > 0; i++) {
        struct object *victim = NULL;
        if (!try_oldest(q, st->limit_bytes / 10, passed++ >= EVICT_SCAN_MAX, &victim))
            continue;
        passed = 0;
        take_victim(q, victim, v);
        if (v->all.bytes >= bytes || v->all.objects == EVICT_AT_ONCE)
            return;
    }
}

/* Takes in what this loop has stored, since it has the lock. The newest objects of other loops come last. */
static void
find_victims(struct storage *st, uint64_t bytes, struct victims *v)
{
    struct storage_queues *q = st->queues;
    struct intake *own = intake_here(st);
    pthread_mutex_lock(&own->lock);
    pthread_mutex_lock(&q->lock);
    uint64_t grown = enter_all(st, own);
    choose_victims(st, bytes, v);
    pthread_mutex_unlock(&q->lock);
    pthread_mutex_unlock(&own->lock);
    storage_hold(st, USE_INDEX, (int64_t)grown);
    if (v->all.objects > 0 || st->piece_bytes == 0)
        return;
    take_all_in(st);
    pthread_mutex_lock(&q->lock);
    choose_victims(st, bytes, v);
    pthread_mutex_unlock(&q->lock);
}

struct evicted
queues_evict(struct storage *st, uint64_t bytes)
{
    struct victims v;
    v.all = (struct evicted){ 0 };
    find_victims(st, bytes, &v);
    if (v.all.objects == 0)
        log_text(&log_untied, TAG_EXP_KILL, SPAN_LIT("LRU_Fail"));
    for (unsigned i = 0; i < v.all.objects; i++) {
        struct object *o = v.objects[i];
        (void)index_drop(st->store, o, REMOVAL_EVICTED);
        if (log_wants(TAG_EXP_KILL))
            log_printf(&log_untied, TAG_EXP_KILL, "LRU x=%u", o->xid);
        object_release(&o);
    }
    counters_here()->n_lru_nuked += v.all.objects;
    return v.all;
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
