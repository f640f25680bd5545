/* Pools: the connections of a loop to an endpoint. The loop that used a connection last keeps watching it and
 * closes it when the origin does; its own fetches take it without a system call, and without a line that
 * other loops use. A loop whose pool is empty takes the connection of another loop, by moving the socket to a
 * new record. The old record, without a socket, may still have an event in its loop's current round, so that
 * loop frees it. A timer of each loop closes connections that were idle for too long, and frees unused pools.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "origin/backend_internal.h"

#define REAP_INTERVAL_MIN_S 1.0
/* A loop leaves others this many idle connections, which are soon used again under load. Some times a second
 * it does not: few requests on many loops then share few connections, but a busy loop opens its own. */
#define LEFT_TO_OWNER 2u
#define BORROWED_PER_S 8u
#define POOL_BUCKETS 64u /* a power of two */

struct idle_keeper { /* one per loop that ever used an endpoint */
    struct timer timer;
    struct loop *loop;
    unsigned n_pools;
    struct list pools[POOL_BUCKETS]; /* by endpoint */
};

static struct loop_slot keeper_slot;

/* Call under the pool's lock. */
static void
unlist(struct backend_conn *bc)
{
    struct pool *p = bc->pool;
    unsigned n = atomic_load_explicit(&p->n_idle, memory_order_relaxed);
    CHECK(n > 0);
    list_remove(&bc->link);
    atomic_store_explicit(&p->n_idle, n - 1, memory_order_relaxed);
}

/* ---- moves between loops ---- */

/* Call under the pool's lock, after unlist. The result is in no pool and on no loop. */
static struct backend_conn *
move(struct backend_conn *from)
{
    struct backend_conn *to = mem_zalloc(sizeof *to);
    conn_take_over(&from->conn, &to->conn);
    to->backend = from->backend;
    to->idle_since = from->idle_since;
    to->peer = from->peer;
    to->local = from->local;
    to->requests = from->requests;
    from->moved = true;
    list_push_back(&from->pool->left, &from->link);
    return to;
}

/* Call under the pool's lock, on its loop. */
static void
free_left(struct pool *p)
{
    for (struct list *it; (it = list_pop_front(&p->left)) != NULL;) {
        struct backend_conn *bc = container_of(it, struct backend_conn, link);
        conn_forget(&bc->conn);
        free(bc);
    }
}

/* ---- closing ---- */

/* Call without locks: the reference to the backend may be the last. */
static void
close_all(struct list *closing)
{
    for (struct list *it; (it = list_pop_front(closing)) != NULL;) {
        struct backend_conn *bc = container_of(it, struct backend_conn, link);
        conn_close(&bc->conn);
        if (bc->backend != NULL)
            backend_unref(bc->backend);
        free(bc);
    }
}

static void
close_one(struct backend_conn *bc)
{
    struct list closing = { &closing, &closing };
    list_push_back(&closing, &bc->link);
    close_all(&closing);
}

/* The origin closed the idle connection, or sent bytes that belong to no request. */
static void
on_ready(struct conn *c)
{
    struct backend_conn *bc = container_of(c, struct backend_conn, conn);
    if ((c->ready & (CONN_READABLE | CONN_PEER_CLOSED | CONN_ERROR)) == 0)
        return;
    pthread_mutex_lock(&bc->pool->lock);
    bool ours = !bc->moved && !conn_alive(c);
    if (ours)
        unlist(bc);
    pthread_mutex_unlock(&bc->pool->lock);
    if (ours)
        close_one(bc);
}

static bool
too_old(const struct backend_conn *bc, nsec now)
{
    return now >= nsec_add(bc->idle_since, nsec_of(params.backend_idle_timeout_s));
}

/* Call under the pool's lock. */
static void
take_old(struct pool *p, nsec now, struct list *out)
{
    bool own = loop_is_current(p->keeper->loop);
    while (!list_empty(&p->idle)) {
        struct backend_conn *oldest = container_of(p->idle.prev, struct backend_conn, link);
        if (!too_old(oldest, now))
            return;
        unlist(oldest);
        list_push_back(out, own ? &oldest->link : &move(oldest)->link);
    }
}

void
endpoint_close_idle(struct endpoint *ep)
{
    struct list closing = { &closing, &closing };
    pthread_mutex_lock(&ep->lock);
    ep->closed = true;
    list_each(it, &ep->pools)
    {
        struct pool *p = container_of(it, struct pool, of_endpoint);
        pthread_mutex_lock(&p->lock);
        p->closed = true;
        take_old(p, NSEC_NEVER, &closing);
        pthread_mutex_unlock(&p->lock);
    }
    bool last = list_empty(&ep->pools);
    pthread_mutex_unlock(&ep->lock);
    close_all(&closing);
    if (last)
        endpoint_free(ep);
}

unsigned
endpoint_count_idle(struct endpoint *ep)
{
    unsigned n = 0;
    pthread_mutex_lock(&ep->lock);
    list_each(it, &ep->pools) n += atomic_load(&container_of(it, struct pool, of_endpoint)->n_idle);
    pthread_mutex_unlock(&ep->lock);
    return n;
}

unsigned
endpoint_forget(struct endpoint *ep, const struct backend *b)
{
    unsigned n = 0;
    pthread_mutex_lock(&ep->lock);
    list_each(it, &ep->pools)
    {
        struct pool *p = container_of(it, struct pool, of_endpoint);
        pthread_mutex_lock(&p->lock);
        list_each(at, &p->idle)
        {
            struct backend_conn *bc = container_of(at, struct backend_conn, link);
            n += bc->backend == b;
            bc->backend = bc->backend == b ? NULL : bc->backend;
        }
        pthread_mutex_unlock(&p->lock);
    }
    pthread_mutex_unlock(&ep->lock);
    return n;
}

/* ---- pools of a loop ---- */

static void
keeper_arm(struct idle_keeper *k)
{
    double s = params.backend_idle_timeout_s / 2;
    timer_set(k->loop, &k->timer,
              nsec_add(loop_now(k->loop), nsec_of(s < REAP_INTERVAL_MIN_S ? REAP_INTERVAL_MIN_S : s)));
}

static void
keeper_run(struct timer *t)
{
    struct idle_keeper *k = container_of(t, struct idle_keeper, timer);
    if (endpoint_reap(k->loop, loop_now(k->loop)) > 0)
        keeper_arm(k);
}

static struct idle_keeper *
keeper_of(struct loop *loop)
{
    struct idle_keeper *k = loop_get(loop, &keeper_slot);
    if (k != NULL)
        return k;
    k = mem_zalloc(sizeof *k);
    k->timer.fn = keeper_run;
    k->loop = loop;
    for (unsigned i = 0; i < POOL_BUCKETS; i++)
        list_init(&k->pools[i]);
    loop_put(loop, &keeper_slot, k);
    return k;
}

static struct list *
bucket_of(struct idle_keeper *k, const struct endpoint *ep)
{
    uint64_t mixed = (uint64_t)(uintptr_t)ep * 0x9e3779b97f4a7c15u;
    return &k->pools[(mixed >> 32) % POOL_BUCKETS];
}

struct pool *
pool_find(struct loop *loop, const struct endpoint *ep)
{
    struct idle_keeper *k = loop_get(loop, &keeper_slot);
    DEBUG_CHECK(loop_is_current(loop));
    if (k == NULL)
        return NULL;
    list_each(it, bucket_of(k, ep))
    {
        struct pool *p = container_of(it, struct pool, of_loop);
        if (p->endpoint == ep)
            return p;
    }
    return NULL;
}

static struct pool *
pool_new(struct idle_keeper *k, struct endpoint *ep)
{
    struct pool *p = aligned_alloc(CACHE_LINE_BYTES, sizeof *p);
    CHECK(p != NULL);
    *p = (struct pool){ .endpoint = ep, .keeper = k };
    pthread_mutex_init(&p->lock, NULL);
    list_init(&p->idle);
    list_init(&p->left);
    pthread_mutex_lock(&ep->lock);
    p->closed = ep->closed;
    list_push_back(&ep->pools, &p->of_endpoint);
    pthread_mutex_unlock(&ep->lock);
    list_push_front(bucket_of(k, ep), &p->of_loop);
    k->n_pools++;
    if (k->timer.deadline == 0)
        keeper_arm(k);
    return p;
}

struct pool *
pool_of(struct loop *loop, struct endpoint *ep)
{
    struct pool *p = pool_find(loop, ep);
    return p != NULL ? p : pool_new(keeper_of(loop), ep);
}

static void
pool_free(struct pool *p)
{
    struct endpoint *ep = p->endpoint;
    pthread_mutex_lock(&ep->lock); /* no other loop finds the pool any more */
    list_remove(&p->of_endpoint);
    bool last = ep->closed && list_empty(&ep->pools);
    pthread_mutex_unlock(&ep->lock);
    list_remove(&p->of_loop);
    p->keeper->n_pools--;
    pthread_mutex_destroy(&p->lock);
    free(p);
    if (last)
        endpoint_free(ep);
}

unsigned
endpoint_reap(struct loop *loop, nsec now)
{
    struct idle_keeper *k = keeper_of(loop);
    struct list closing = { &closing, &closing };
    CHECK(loop_is_current(loop));
    for (unsigned i = 0; i < POOL_BUCKETS; i++)
        list_each(it, &k->pools[i])
        {
            struct pool *p = container_of(it, struct pool, of_loop);
            pthread_mutex_lock(&p->lock);
            free_left(p);
            take_old(p, now, &closing);
            bool empty = p->n_used == 0 && list_empty(&p->idle);
            pthread_mutex_unlock(&p->lock);
            if (empty)
                pool_free(p);
        }
    close_all(&closing);
    return k->n_pools;
}

/* A loop that ends before its last fetch leaves its pools of taken connections to the end of the process. */
void
endpoint_loop_release(struct loop *loop)
{
    struct idle_keeper *k = loop_get(loop, &keeper_slot);
    if (k == NULL || endpoint_reap(loop, NSEC_NEVER) > 0)
        return;
    timer_cancel(loop, &k->timer);
    loop_put(loop, &keeper_slot, NULL);
    free(k);
}

/* ---- taking and putting ---- */

/* The newest one: it is the most likely to be alive, and older ones reach their idle timeout. */
static struct backend_conn *
take_own(struct pool *p)
{
    if (atomic_load_explicit(&p->n_idle, memory_order_relaxed) == 0)
        return NULL;
    pthread_mutex_lock(&p->lock);
    free_left(p);
    struct backend_conn *bc = list_first(&p->idle, struct backend_conn, link);
    if (bc != NULL)
        unlist(bc);
    pthread_mutex_unlock(&p->lock);
    return bc;
}

static struct backend_conn *
take_from(struct pool *p, unsigned least)
{
    struct backend_conn *bc = NULL;
    if (atomic_load_explicit(&p->n_idle, memory_order_relaxed) < least)
        return NULL;
    pthread_mutex_lock(&p->lock);
    if (atomic_load_explicit(&p->n_idle, memory_order_relaxed) >= least) {
        bc = list_first(&p->idle, struct backend_conn, link);
        unlist(bc);
        bc = move(bc);
    }
    pthread_mutex_unlock(&p->lock);
    return bc;
}

/* Asks the pools behind the own one, so that loops do not all ask the same. */
static struct backend_conn *
take_other(struct pool *own, nsec now)
{
    struct endpoint *ep = own->endpoint;
    struct backend_conn *bc = NULL;
    if (now >= own->second_ends) {
        own->second_ends = nsec_add(now, NSEC_PER_SEC);
        own->n_borrowed = 0;
    }
    bool borrows = own->n_borrowed < BORROWED_PER_S;
    pthread_mutex_lock(&ep->lock);
    for (struct list *it = own->of_endpoint.next; it != &own->of_endpoint && bc == NULL; it = it->next)
        if (it != &ep->pools)
            bc = take_from(container_of(it, struct pool, of_endpoint), borrows ? 1 : LEFT_TO_OWNER + 1);
    pthread_mutex_unlock(&ep->lock);
    own->n_borrowed += bc != NULL && borrows;
    return bc;
}

struct backend_conn *
pool_take(struct pool *p)
{
    struct loop *loop = p->keeper->loop;
    CHECK(loop_is_current(loop));
    nsec now = loop_now(loop);
    for (struct backend_conn *bc; (bc = take_own(p)) != NULL || (bc = take_other(p, now)) != NULL;
         close_one(bc)) {
        bc->conn.on_ready = NULL;
        bc->pool = p;
        if (!too_old(bc, now) && (bc->conn.loop != NULL || conn_attach(&bc->conn, loop) == 0) &&
            conn_alive(&bc->conn)) {
            p->n_used++;
            return bc;
        }
    }
    return NULL;
}

bool
pool_keeps(const struct pool *p, const struct backend_conn *bc)
{
    return p->endpoint->key.proxy_header == 0 &&
           (bc->conn.ready & (CONN_PEER_CLOSED | CONN_ERROR | CONN_UNSENT)) == 0;
}

bool
pool_put(struct backend_conn *bc)
{
    struct pool *p = bc->pool;
    struct loop *loop = p->keeper->loop;
    CHECK(loop_is_current(loop) && bc->conn.loop == loop && bc->backend != NULL);
    bc->idle_since = loop_now(loop);
    bc->conn.on_ready = on_ready;
    pthread_mutex_lock(&p->lock);
    free_left(p);
    unsigned n = atomic_load_explicit(&p->n_idle, memory_order_relaxed);
    bool kept = !p->closed && n < ENDPOINT_IDLE_MAX && backend_is_at(bc->backend, p->endpoint);
    if (kept) {
        list_push_front(&p->idle, &bc->link);
        atomic_store_explicit(&p->n_idle, n + 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&p->lock);
    return kept;
}
