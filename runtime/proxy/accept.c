/* Accepts connections on a loop, hands each to the least loaded of three loops, and handles failures. After a
 * failure for lack of descriptors or memory, the connection stays in the queue and the next accept fails at
 * once. The listener pauses then, as it would otherwise keep its loop busy. */
#include "proxy/accept.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/params.h"
#include "log/report.h"
#include "stream/start.h"

/* When several connections are taken at one event, the last accept call often finds the queue empty. After
 * such a call, the next ACCEPTS_SINGLE events take one connection each. */
#define ACCEPTS_FIRST 2u
#define ACCEPTS_MAX 64u
#define ACCEPTS_SINGLE 16u
#define MANY_EVENTS 8u
/* Each connection may bring a request that takes long, so an event takes no more connections after this. */
#define ACCEPTS_SLICE NSEC_PER_MSEC
/* A loop that works all the time weighs as much as LOOP_BUSY idle sessions. Less than a part of BUSY_PARTS of
 * the time is noise. */
#define BUSY_PARTS 16u
#define ASKED_LOOPS 2u
#define WEIGHT_FULL (UINT_MAX - 1)

struct listener {
    struct poll_handle poll;
    struct acceptor *acceptor;
    const struct listen_socket *socket;
    unsigned single;  /* number of coming events that take one connection each */
    unsigned several; /* connections to take at an event after those */
};

struct acceptor {
    struct server *server;
    struct timer pause;  /* while it is set, the listeners are not watched */
    nsec next_pause;     /* 0: accept_pause */
    unsigned next_asked; /* of the other loops, counted from this one */
    bool on;
    struct listener listeners[]; /* one per env->listens */
};

/* A connection on its way to another loop. */
struct handover {
    struct post post;
    const struct listen_socket *listen;
    struct address peer;
    int fd;
};

unsigned
accept_sessions_max(const struct proxy_env *env)
{
    unsigned room = env->sessions_room;
    return room != 0 && room < params.sessions_max ? room : params.sessions_max;
}

/* ---- watching and pausing ---- */

static void
watch(struct acceptor *a)
{
    DEBUG_CHECK(a->on && !timer_is_set(&a->pause));
    struct loop *loop = a->server->loop;
    for (unsigned i = 0; i < a->server->env->n_listens; i++) {
        struct span name = a->listeners[i].socket->name;
        if (loop_add_listen(loop, &a->listeners[i].poll) != 0)
            log_line(LOG_LEVEL_ERROR, "cannot watch listener %.*s: %s", (int)name.len, name.ptr,
                     strerror(errno));
    }
}

static void
unwatch(struct acceptor *a)
{
    for (unsigned i = 0; i < a->server->env->n_listens; i++)
        loop_remove(a->server->loop, &a->listeners[i].poll);
}

static void
pause_over(struct timer *t)
{
    watch(container_of(t, struct acceptor, pause));
}

/* Pauses all listeners of the loop, because all of them lack the same resource. The pause doubles until a
 * connection is accepted. */
static void
pause_listeners(struct acceptor *a)
{
    DEBUG_CHECK(a->on && !timer_is_set(&a->pause));
    struct loop *loop = a->server->loop;
    nsec first = nsec_of(params.accept_pause_s), most = nsec_of(params.accept_pause_max_s);
    nsec wait = a->next_pause > first ? a->next_pause : first;
    wait = wait < most ? wait : most;
    a->next_pause = wait * 2;
    a->server->counters->sess_fail_pauses++;
    unwatch(a);
    timer_set(loop, &a->pause, nsec_add(loop_now(loop), wait));
}

/* ---- failures ---- */

/* Counts the failure under its kind, by Varnish's counters. True: the next accept would fail, too. */
static bool
count_failure(struct counters *n, int why)
{
    n->sess_fail++;
    switch (why) {
    case EINTR: n->sess_fail_eintr++; return false;
    case ECONNABORTED: n->sess_fail_econnaborted++; return false;
    case EMFILE:
    case ENFILE: n->sess_fail_emfile++; return true;
    case ENOBUFS:
    case ENOMEM: n->sess_fail_enomem++; return true;
    case EBADF: n->sess_fail_ebadf++; return true;
    /* Network errors that belong to the connection and remove it from the queue (accept(2)). */
    case ENETDOWN:
    case EPROTO:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case EOPNOTSUPP:
    case ENETUNREACH:
    case ETIMEDOUT:
    case EPERM: n->sess_fail_other++; return false;
    default: n->sess_fail_other++; return true;
    }
}

/* False: stop accepting in this turn. */
static bool
accept_failed(struct listener *l, int why)
{
    static struct log_limiter limiter;
    struct acceptor *a = l->acceptor;
    if (why == EAGAIN) {
        l->single = ACCEPTS_SINGLE;
        l->several = ACCEPTS_FIRST;
        return false;
    }
    if (!count_failure(a->server->counters, why))
        return true;
    log_line_limited(
        &limiter, loop_now(a->server->loop), LOG_LEVEL_WARNING,
        "accept: %s; new connections wait until some end (listeners pause, see accept_pause and sess_fail)",
        strerror(why));
    pause_listeners(a);
    return false;
}

/* Close at once: to a client that waits in the queue, the server would seem to hang. */
static void
too_many(struct server *s, int fd)
{
    static struct log_limiter limiter;
    s->counters->sess_dropped++;
    close(fd);
    log_line_limited(&limiter, loop_now(s->loop), LOG_LEVEL_WARNING,
                     "%u client connections are open: new ones are closed (%s)", accept_sessions_max(s->env),
                     s->env->sessions_room < params.sessions_max && s->env->sessions_room > 0
                         ? "all that the descriptor limit allows"
                         : "sessions_max");
}

/* ---- accepting ---- */

static unsigned
weight_of(struct loop *loop, unsigned sessions_max)
{
    const unsigned part = LOOP_BUSY / BUSY_PARTS;
    struct loop_load *load = loop_load(loop);
    unsigned n = atomic_load_explicit(&load->sessions, memory_order_relaxed);
    unsigned busy = atomic_load_explicit(&load->busy, memory_order_relaxed);
    return n < sessions_max ? n + busy / part * part : WEIGHT_FULL;
}

/* An accept that read the load of every loop would wait for as many cache lines. The least of a few is nearly
 * as good (Mitzenmacher, "The power of two choices in randomized load balancing"). Taken in turn instead of
 * by chance, two of them are all others of three loops. */
struct loop *
accept_place(struct server *here)
{
    const struct proxy_env *env = here->env;
    struct acceptor *a = here->acceptor;
    unsigned n_others = env->n_loops - 1, most = accept_sessions_max(env) / env->n_loops + 1;
    struct loop *best = here->loop;
    unsigned least = weight_of(best, most);
    /* Once all that were asked are full, ask each: a client is refused only for lack of room. */
    for (unsigned i = 0; i < n_others && (i < ASKED_LOOPS || least == WEIGHT_FULL); i++) {
        unsigned other = loop_id(here->loop) + 1 + a->next_asked++ % n_others;
        struct loop *loop = env->loops[other % env->n_loops];
        unsigned weight = weight_of(loop, most);
        if (weight + 1 < least) {
            least = weight;
            best = loop;
        }
    }
    return least == WEIGHT_FULL ? NULL : best;
}

static void
handover_arrives(struct post *p)
{
    struct handover *h = container_of(p, struct handover, post);
    start_session(&server_of(loop_current())->service, h->fd, h->listen, &h->peer);
    free(h);
}

/* False: no memory. */
static bool
hand_over(struct loop *to, int fd, const struct listen_socket *listen, const struct address *peer)
{
    struct handover *h = calloc(1, sizeof *h);
    if (h == NULL)
        return false;
    *h = (struct handover){ .post.fn = handover_arrives, .listen = listen, .peer = *peer, .fd = fd };
    loop_post(to, &h->post);
    return true;
}

static void
accepted(struct server *s, int fd, const struct listen_socket *listen, const struct address *peer)
{
    DEBUG_CHECK(fd >= 0 && s->env->n_loops > 0);
    struct loop *to = accept_place(s);
    if (to == NULL) {
        too_many(s, fd);
        return;
    }
    atomic_fetch_add_explicit(&loop_load(to)->sessions, 1, memory_order_relaxed);
    if (to == s->loop)
        start_session(&s->service, fd, listen, peer);
    else if (!hand_over(to, fd, listen, peer)) {
        (void)count_failure(s->counters, ENOMEM);
        atomic_fetch_sub_explicit(&loop_load(to)->sessions, 1, memory_order_relaxed);
        close(fd);
    }
}

/* The most connections to take at this event. The listener is level-triggered: connections left in the queue
 * raise another event, but only in the next round. A round with many events is long: empty the queue then,
 * since one call more costs little among theirs. */
static unsigned
next_accepts(struct listener *l)
{
    DEBUG_CHECK(l->several > 0 && l->several <= ACCEPTS_MAX && l->single <= ACCEPTS_SINGLE);
    if (loop_events(l->acceptor->server->loop) >= MANY_EVENTS)
        return ACCEPTS_MAX;
    if (l->single > 0) {
        l->single--;
        return 1;
    }
    unsigned n = l->several;
    l->several = n * 2 < ACCEPTS_MAX ? n * 2 : ACCEPTS_MAX;
    return n;
}

static void
on_listen(struct poll_handle *h, uint32_t events)
{
    struct listener *l = container_of(h, struct listener, poll);
    struct acceptor *a = l->acceptor;
    DEBUG_CHECK(loop_may_use(a->server->loop) && a->on);
    unsigned n = next_accepts(l);
    nsec end = clock_mono_ns() + ACCEPTS_SLICE;
    for (unsigned i = 0; i < n && (i == 0 || clock_mono_ns() < end); i++) {
        struct sockaddr_storage ss;
        socklen_t len = sizeof ss;
        int fd = accept4(h->fd, (struct sockaddr *)&ss, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            struct address peer;
            address_of_peer((struct sockaddr *)&ss, &peer);
            a->next_pause = 0;
            accepted(a->server, fd, l->socket, &peer);
        } else if (!accept_failed(l, errno)) {
            return;
        }
    }
}

/* ---- life ---- */

void
acceptor_new(struct server *s)
{
    const struct proxy_env *env = s->env;
    struct acceptor *a = mem_zalloc(sizeof *a + sizeof *a->listeners * env->n_listens);
    a->server = s;
    a->pause.fn = pause_over;
    for (unsigned i = 0; i < env->n_listens; i++)
        a->listeners[i] = (struct listener){ .poll = { .fd = env->listens[i].fd, .on_event = on_listen },
                                             .acceptor = a,
                                             .socket = &env->listens[i],
                                             .single = ACCEPTS_SINGLE,
                                             .several = ACCEPTS_FIRST };
    s->acceptor = a;
}

void
acceptor_switch(struct server *s, bool on)
{
    DEBUG_CHECK(loop_may_use(s->loop));
    struct acceptor *a = s->acceptor;
    if (a->on == on)
        return;
    a->on = on;
    timer_cancel(s->loop, &a->pause);
    a->next_pause = 0;
    if (on)
        watch(a);
    else
        unwatch(a);
}
