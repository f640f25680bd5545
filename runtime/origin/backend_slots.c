/* Counts the connections in use of a backend with max_connections, and queues fibers that wait for one. A
 * returned connection passes its place to the first waiter, on whichever loop it waits, so no later request
 * overtakes it. */
#include "base/check.h"
#include "base/params.h"
#include "log/counters.h"
#include "loop/fiber.h"
#include "origin/backend_internal.h"

struct waiter {       /* on the stack of its fiber */
    struct list link; /* lock */
    struct post post;
    struct loop *loop;
    struct fiber *fiber;
    int err;     /* lock, until `called` */
    bool called; /* lock; left the queue, and the post is on its way */
    bool woken;  /* owner loop; the post has arrived */
};

static void
on_call(struct post *post)
{
    struct waiter *w = container_of(post, struct waiter, post);
    w->woken = true;
    fiber_wake(w->fiber);
}

/* Call under the lock. The waiter may be gone as soon as the lock is released. */
static bool
call_first(struct backend *b, int err)
{
    struct waiter *w = list_first(&b->waiting, struct waiter, link);
    if (w == NULL)
        return false;
    list_remove(&w->link);
    b->n_waiting--;
    w->called = true;
    w->err = err;
    loop_post(w->loop, &w->post);
    return true;
}

static bool
may_wait(const struct backend *b, double timeout_s)
{
    uint32_t limit = b->terms.wait_limit > 0 ? b->terms.wait_limit : params.backend_wait_limit;
    return timeout_s > 0 && b->n_waiting < limit;
}

static bool
leave(struct backend *b, struct waiter *w)
{
    pthread_mutex_lock(&b->lock);
    bool waits = !w->called;
    if (waits) {
        list_remove(&w->link);
        b->n_waiting--;
    }
    pthread_mutex_unlock(&b->lock);
    return waits;
}

static int
wait_for_call(struct backend *b, struct waiter *w, nsec deadline)
{
    while (!w->woken) {
        if (fiber_park_until(deadline) == 0 || w->woken)
            continue;
        if (leave(b, w))
            return ERR_BUSY;
        deadline = NSEC_NEVER; /* the call came at the deadline: wait for its post */
    }
    return w->err;
}

/* Checks health again: if the backend became sick during the wait, the place goes to the next waiter. */
static int
wait_for_place(struct backend *b, struct waiter *w, double timeout_s)
{
    struct counters *n = counters_here();
    n->backend_wait++;
    int err = wait_for_call(b, w, nsec_add(loop_now(w->loop), nsec_of(timeout_s)));
    if (err == 0 && !director_healthy(&b->director, NULL)) {
        backend_unreserve(b);
        err = ERR_SICK;
    }
    n->backend_wait_fail += err != 0;
    return err;
}

int
backend_reserve(struct backend *b, struct loop *loop)
{
    double timeout_s = b->terms.wait_timeout_s >= 0 ? b->terms.wait_timeout_s : params.backend_wait_timeout_s;
    struct waiter w = { .post.fn = on_call, .loop = loop, .fiber = fiber_current() };
    if (b->terms.max_connections == 0)
        return 0;
    pthread_mutex_lock(&b->lock);
    bool free_place = b->in_use < b->terms.max_connections;
    bool waits = !free_place && may_wait(b, timeout_s);
    b->in_use += free_place;
    if (waits) {
        list_push_back(&b->waiting, &w.link);
        b->n_waiting++;
    }
    pthread_mutex_unlock(&b->lock);
    if (waits)
        return wait_for_place(b, &w, timeout_s);
    return free_place ? 0 : ERR_BUSY;
}

void
backend_unreserve(struct backend *b)
{
    if (b->terms.max_connections == 0)
        return;
    pthread_mutex_lock(&b->lock);
    CHECK(b->in_use > 0);
    if (!call_first(b, 0))
        b->in_use--;
    pthread_mutex_unlock(&b->lock);
}

void
backend_dismiss(struct backend *b)
{
    pthread_mutex_lock(&b->lock);
    while (call_first(b, ERR_SICK))
        continue;
    pthread_mutex_unlock(&b->lock);
}
