/* Idle connections to origins. The loop that used a connection last keeps watching it and closes it when the
 * origin does; a fetch on that loop takes it without a system call. The list of an endpoint serves all loops:
 * a loop that finds no connection of its own takes another loop's, by moving the socket to a new record. The
 * old record, without a socket, may still have an event in its loop's current round, so that loop frees it. A
 * timer of each loop that stored a connection closes connections that were idle for too long. */
#include <assert.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "origin/endpoint.h"

#define REAP_INTERVAL_MIN_S 1.0
#define OWN_LOOKED_AT 16 /* how many of the newest take_own checks */

struct idle_keeper { /* one per loop that ever put a connection */
    struct timer timer;
    struct loop *loop;
    struct list left; /* struct backend_conn whose socket was taken; moves lock */
    atomic_bool any_left;
};

static struct loop_slot keeper_slot;

/* Lock order: moves_lock, then an endpoint's lock. An idle connection with `moved` false under this lock
 * still has a valid endpoint. */
static pthread_mutex_t moves_lock = PTHREAD_MUTEX_INITIALIZER;

static bool
is_own(const struct backend_conn *bc)
{
    return loop_is_current(bc->keeper->loop);
}

static void
unlist(struct endpoint *ep, struct backend_conn *bc)
{
    CHECK(ep->n_idle > 0);
    list_remove(&bc->link);
    ep->n_idle--;
}

/* ---- moves between loops ---- */

/* Call under the moves lock, after unlist. The result is on no loop. */
static struct backend_conn *
move(struct backend_conn *from)
{
    struct backend_conn *to = mem_zalloc(sizeof *to);
    conn_take_over(&from->conn, &to->conn);
    to->endpoint = from->endpoint;
    to->idle_since = from->idle_since;
    to->peer = from->peer;
    to->local = from->local;
    to->requests = from->requests;
    from->moved = true;
    list_push_back(&from->keeper->left, &from->link);
    atomic_store(&from->keeper->any_left, true);
    return to;
}

/* Call under the moves lock, after unlist. */
static struct backend_conn *
move_unless_own(struct backend_conn *bc)
{
    return is_own(bc) ? bc : move(bc);
}

/* Call on k's loop. */
static void
free_left(struct idle_keeper *k)
{
    if (!atomic_exchange(&k->any_left, false))
        return;
    pthread_mutex_lock(&moves_lock);
    for (struct list *it; (it = list_pop_front(&k->left)) != NULL;) {
        struct backend_conn *bc = container_of(it, struct backend_conn, link);
        conn_forget(&bc->conn);
        free(bc);
    }
    pthread_mutex_unlock(&moves_lock);
}

/* ---- closing ---- */

static void
close_idle(struct backend_conn *bc)
{
    CHECK(bc->backend == NULL);
    conn_close(&bc->conn);
    free(bc);
}

/* The origin closed the idle connection, or sent bytes that belong to no request. */
static void
on_ready(struct conn *c)
{
    struct backend_conn *bc = container_of(c, struct backend_conn, conn);
    if ((c->ready & (CONN_READABLE | CONN_PEER_CLOSED | CONN_ERROR)) == 0)
        return;
    pthread_mutex_lock(&moves_lock);
    bool ours = !bc->moved && !conn_alive(c);
    if (ours) {
        pthread_mutex_lock(&bc->endpoint->lock);
        unlist(bc->endpoint, bc);
        pthread_mutex_unlock(&bc->endpoint->lock);
    }
    pthread_mutex_unlock(&moves_lock);
    if (ours)
        close_idle(bc);
}

/* Closes the idle connections for which `matches` returns true. Returns the number left. */
static unsigned
close_matching(struct endpoint *ep, bool (*matches)(const struct backend_conn *bc, const void *arg),
               const void *arg)
{
    pthread_mutex_lock(&moves_lock);
    pthread_mutex_lock(&ep->lock);
    for (struct list *it = ep->idle.prev, *newer; it != &ep->idle; it = newer) {
        struct backend_conn *bc = container_of(it, struct backend_conn, link);
        newer = it->prev;
        if (!matches(bc, arg))
            continue;
        unlist(ep, bc);
        close_idle(move_unless_own(bc));
    }
    unsigned left = ep->n_idle;
    pthread_mutex_unlock(&ep->lock);
    pthread_mutex_unlock(&moves_lock);
    return left;
}

static bool
any(const struct backend_conn *bc, const void *arg)
{
    return true;
}

void
endpoint_close_idle(struct endpoint *ep)
{
    CHECK(close_matching(ep, any, NULL) == 0 && list_empty(&ep->idle));
}

static bool
too_old(const struct backend_conn *bc, const void *now)
{
    return *(const nsec *)now >= nsec_add(bc->idle_since, nsec_of(params.backend_idle_timeout_s));
}

static unsigned
reap(struct endpoint *ep, void *now)
{
    return close_matching(ep, too_old, now);
}

unsigned
endpoint_reap(nsec now)
{
    return endpoint_each(reap, &now);
}

/* ---- per-loop state ---- */

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
    free_left(k);
    if (endpoint_reap(loop_now(k->loop)) > 0)
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
    list_init(&k->left);
    loop_put(loop, &keeper_slot, k);
    return k;
}

static bool
is_kept_by(const struct backend_conn *bc, const void *keeper)
{
    return bc->keeper == keeper;
}

static unsigned
close_kept_by(struct endpoint *ep, void *keeper)
{
    return close_matching(ep, is_kept_by, keeper);
}

void
endpoint_loop_release(struct loop *loop)
{
    struct idle_keeper *k = loop_get(loop, &keeper_slot);
    if (k == NULL)
        return;
    (void)endpoint_each(close_kept_by, k);
    free_left(k);
    timer_cancel(loop, &k->timer);
    loop_put(loop, &keeper_slot, NULL);
    free(k);
}

/* ---- taking and putting ---- */

/* Takes the newest connection that this loop watches. */
static struct backend_conn *
take_own(struct endpoint *ep)
{
    struct backend_conn *found = NULL;
    unsigned n = 0;
    pthread_mutex_lock(&ep->lock);
    for (struct list *it = ep->idle.next; it != &ep->idle && found == NULL && n < OWN_LOOKED_AT;
         it = it->next, n++) {
        struct backend_conn *bc = container_of(it, struct backend_conn, link);
        found = is_own(bc) ? bc : NULL;
    }
    if (found != NULL)
        unlist(ep, found);
    pthread_mutex_unlock(&ep->lock);
    return found;
}

static struct backend_conn *
take_any(struct endpoint *ep)
{
    struct backend_conn *bc = NULL;
    pthread_mutex_lock(&moves_lock);
    pthread_mutex_lock(&ep->lock);
    CHECK(list_empty(&ep->idle) == (ep->n_idle == 0));
    if (ep->n_idle > 0) {
        bc = container_of(ep->idle.next, struct backend_conn, link);
        unlist(ep, bc);
        bc = move_unless_own(bc);
    }
    pthread_mutex_unlock(&ep->lock);
    pthread_mutex_unlock(&moves_lock);
    return bc;
}

/* Takes the newest connection first: it is the most likely to be alive, and older ones reach their idle
 * timeout. */
struct backend_conn *
endpoint_take_idle(struct endpoint *ep, struct loop *loop)
{
    CHECK(loop_is_current(loop));
    nsec now = loop_now(loop);
    for (struct backend_conn *bc; (bc = take_own(ep)) != NULL || (bc = take_any(ep)) != NULL;
         close_idle(bc)) {
        bc->conn.on_ready = NULL;
        if (!too_old(bc, &now) && (bc->conn.loop != NULL || conn_attach(&bc->conn, loop) == 0) &&
            conn_alive(&bc->conn))
            return bc;
    }
    return NULL;
}

bool
endpoint_keeps(const struct endpoint *ep, const struct backend_conn *bc)
{
    return ep->key.proxy_header == 0 && (bc->conn.ready & (CONN_PEER_CLOSED | CONN_ERROR | CONN_UNSENT)) == 0;
}

bool
endpoint_put_idle(struct endpoint *ep, struct backend_conn *bc)
{
    struct loop *loop = bc->conn.loop;
    CHECK(loop_is_current(loop) && bc->endpoint == ep && bc->backend == NULL);
    if (!endpoint_keeps(ep, bc))
        return false;
    struct idle_keeper *k = keeper_of(loop);
    bc->keeper = k;
    bc->idle_since = loop_now(loop);
    bc->conn.on_ready = on_ready;
    pthread_mutex_lock(&ep->lock);
    bool room = ep->n_idle < ENDPOINT_IDLE_MAX;
    if (room) {
        list_push_front(&ep->idle, &bc->link);
        ep->n_idle++;
    }
    pthread_mutex_unlock(&ep->lock);
    if (!room)
        return false;
    free_left(k);
    if (k->timer.deadline == 0)
        keeper_arm(k);
    return true;
}
