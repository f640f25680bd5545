/* The per-loop server: accepting connections and handing each to the least loaded loop, recycling requests and buffers,
 * switching the policy, draining. See server.h for ownership; proxy.h is what the worker sees. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "log/report.h"
#include "proxy/client.h"
#include "proxy/request.h"
#include "proxy/server.h"

#define XID_CHUNK 32768u

struct listener {
    struct poll_handle poll;
    struct server *server;
    const struct listen_socket *socket;
};

/* A connection on its way to another loop. */
struct handover {
    struct post post;
    struct server *to;
    const struct listen_socket *listen;
    struct address peer;
    int fd;
};

struct buffer {
    struct list link;                   /* while it is free */
    size_t capacity;
    char bytes[];
};

static atomic_ullong xid_global = 1;
static atomic_uint xid_chunk = XID_CHUNK;
static atomic_uint xid_epoch;           /* raised by server_set_xid: loops drop their chunk */
static _Thread_local unsigned xid_seen_epoch;

struct server *
server_of(const struct loop *loop)
{
    struct server *s = loop_get(loop, LOOP_SLOT_CLIENTS);
    CHECK(s != NULL);
    return s;
}

uint64_t
server_xid(struct server *s)
{
    unsigned epoch = atomic_load_explicit(&xid_epoch, memory_order_acquire);
    if (s->xid_next == s->xid_end || epoch != xid_seen_epoch) {
        unsigned chunk = atomic_load_explicit(&xid_chunk, memory_order_relaxed);
        s->xid_next = atomic_fetch_add(&xid_global, chunk);
        s->xid_end = s->xid_next + chunk;
        xid_seen_epoch = epoch;
    }
    return s->xid_next++ & LOG_ID_BITS;    /* 0 is one of them, as in Varnish: with its marker it still is a transaction */
}

void
server_set_xid(uint64_t next, unsigned chunk)
{
    atomic_store(&xid_global, next);
    atomic_store(&xid_chunk, chunk == 0 ? XID_CHUNK : chunk);
    atomic_fetch_add(&xid_epoch, 1);
}

/* ---- recycled memory ---- */

static struct buffer *
buffer_of(char *bytes)
{
    return container_of(bytes, struct buffer, bytes);
}

/* As the parameters are now: those of buffers in use may be older. */
static size_t
wanted_bytes(void)
{
    size_t req = params.http_req_size_bytes, resp = params.http_resp_size_bytes, n = req > resp ? req : resp;
    return (n < 4096 ? 4096 : n) + BUFFER_SPARE_BYTES;
}

size_t
server_buffer_bytes(char *buf)
{
    return buffer_of(buf)->capacity;
}

char *
server_buffer_take(struct server *s)
{
    size_t n = wanted_bytes();
    struct list *l = list_pop_front(&s->free_buffers);
    struct buffer *b = l == NULL ? NULL : container_of(l, struct buffer, link);
    s->n_free_buffers -= l != NULL;
    if (b != NULL && b->capacity != n) {
        free(b);                        /* a parameter was changed */
        b = NULL;
    }
    if (b == NULL && (b = malloc(sizeof *b + n)) != NULL)
        b->capacity = n;
    return b == NULL ? NULL : b->bytes;
}

void
server_buffer_give(struct server *s, char **buf)
{
    char *bytes = *buf;
    *buf = NULL;
    if (bytes == NULL)
        return;
    struct buffer *b = buffer_of(bytes);
    if (s->n_free_buffers >= BUFFERS_KEPT) {
        free(b);
        return;
    }
    list_push_front(&s->free_buffers, &b->link);
    s->n_free_buffers++;
}

struct request *
server_request_take(struct server *s)
{
    struct list *l = list_pop_front(&s->free_requests);
    struct request *r;
    if (l != NULL) {
        s->n_free_requests--;
        r = container_of(l, struct request, link);
        memset(r, 0, sizeof *r);
    } else
        r = calloc(1, sizeof *r);
    if (r != NULL) {
        arena_init(&r->arena, params.workspace_client_bytes);
        s->counters->req_live++;
    }
    return r;
}

void
server_request_give(struct server *s, struct request **rp)
{
    struct request *r = *rp;
    *rp = NULL;
    if (r == NULL)
        return;
    s->counters->req_live--;
    arena_release(&r->arena);
    if (s->n_free_requests >= REQUESTS_KEPT) {
        free(r);
        return;
    }
    list_push_front(&s->free_requests, &r->link);
    s->n_free_requests++;
}

/* ---- accepting ---- */

static struct server *
least_loaded(struct server *here)
{
    struct server *best = here;
    unsigned least = atomic_load_explicit(&here->sessions, memory_order_relaxed);
    for (unsigned i = 0; i < here->env->n_loops; i++) {
        struct server *s = loop_get(here->env->loops[i], LOOP_SLOT_CLIENTS);
        if (s == NULL || s == here)
            continue;
        unsigned n = atomic_load_explicit(&s->sessions, memory_order_relaxed);
        if (n + 1 < least) {
            least = n;
            best = s;
        }
    }
    return best;
}

static void
handover_arrives(struct post *p)
{
    struct handover *h = container_of(p, struct handover, post);
    client_new(h->to, h->fd, h->listen, &h->peer);
    free(h);
}

static void
hand_over(struct server *to, int fd, const struct listen_socket *listen, const struct address *peer)
{
    struct handover *h = calloc(1, sizeof *h);
    if (h == NULL) {
        close(fd);
        return;
    }
    *h = (struct handover){ .post.fn = handover_arrives, .to = to, .listen = listen, .peer = *peer, .fd = fd };
    loop_post(to->loop, &h->post);
}

static void
count_accept_failure(struct server *s, int why)
{
    if (why == EAGAIN || why == EINTR)
        return;
    s->counters->sess_fail++;
    if (why == EMFILE || why == ENFILE || why == ENOBUFS || why == ENOMEM)
        log_line(LOG_LEVEL_WARNING, "accept: %s; the connection waits", strerror(why));
}

static void
on_listen(struct poll_handle *h, uint32_t events)
{
    struct listener *l = container_of(h, struct listener, poll);
    struct server *s = l->server;
    for (int i = 0; i < ACCEPTS_PER_EVENT; i++) {
        struct sockaddr_storage ss;
        socklen_t len = sizeof ss;
        int fd = accept4(h->fd, (struct sockaddr *)&ss, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            count_accept_failure(s, errno);
            return;
        }
        struct address peer;
        address_of((struct sockaddr *)&ss, &peer);
        struct server *to = least_loaded(s);
        if (atomic_load_explicit(&to->sessions, memory_order_relaxed) >= params.sessions_max / s->env->n_loops + 1) {
            s->counters->sess_dropped++;
            close(fd);
            continue;
        }
        atomic_fetch_add_explicit(&to->sessions, 1, memory_order_relaxed);
        if (to == s)
            client_new(s, fd, l->socket, &peer);
        else
            hand_over(to, fd, l->socket, &peer);
    }
}

/* ---- what the worker calls ---- */

int
proxy_start(struct loop *loop, const struct proxy_env *env)
{
    CHECK(loop_is_current(loop));
    struct server *s = mem_zalloc(sizeof *s);
    s->loop = loop;
    s->env = env;
    s->counters = counters_of(loop);
    list_init(&s->clients);
    list_init(&s->labels);
    list_init(&s->free_requests);
    list_init(&s->free_buffers);
    s->listeners = mem_zalloc(sizeof *s->listeners * (env->n_listens + 1));
    for (unsigned i = 0; i < env->n_listens; i++)
        s->listeners[i] = (struct listener){ { env->listens[i].fd, on_listen }, s, &env->listens[i] };
    loop_put(loop, LOOP_SLOT_CLIENTS, s);
    return 0;
}

void
proxy_accept(struct loop *loop, bool on)
{
    struct server *s = server_of(loop);
    if (s->accepting == on)
        return;
    s->accepting = on;
    for (unsigned i = 0; i < s->env->n_listens; i++) {
        if (!on)
            loop_remove(loop, &s->listeners[i].poll);
        else if (loop_add_listen(loop, &s->listeners[i].poll) != 0)
            log_line(LOG_LEVEL_ERROR, "listener %.*s: cannot be watched: %s", (int)s->env->listens[i].name.len,
                     s->env->listens[i].name.ptr, strerror(errno));
    }
}

void
proxy_set_policy(struct loop *loop, struct policy *policy)
{
    struct server *s = server_of(loop);
    if (policy != NULL)
        policy_ref(policy, loop);
    if (s->policy != NULL)
        policy_unref(s->policy, loop);
    s->policy = policy;
}

static struct server_label *
find_label(struct server *s, struct span name)
{
    list_each(it, &s->labels)
        if (span_eq(container_of(it, struct server_label, link)->name, name))
            return container_of(it, struct server_label, link);
    return NULL;
}

struct policy *
server_labelled(struct server *s, struct span label)
{
    struct server_label *l = find_label(s, label);
    return l == NULL ? NULL : l->policy;
}

static void
drop_label(struct server *s, struct server_label *l)
{
    policy_unref(l->policy, s->loop);
    list_remove(&l->link);
    free((char *)l->name.ptr);
    free(l);
}

void
proxy_set_label(struct loop *loop, struct span label, struct policy *policy)
{
    struct server *s = server_of(loop);
    struct server_label *old = find_label(s, label);
    if (policy != NULL) {
        struct server_label *l = mem_zalloc(sizeof *l);
        *l = (struct server_label){ .name = span_of(mem_text(label), label.len), .policy = policy };
        policy_ref(policy, loop);
        list_push_front(&s->labels, &l->link);
    }
    if (old != NULL)
        drop_label(s, old);
}

void
proxy_drain(struct loop *loop)
{
    struct server *s = server_of(loop);
    proxy_accept(loop, false);
    s->draining = true;
    list_each(l, &s->clients) {
        struct client *c = container_of(l, struct client, link);
        if (c->state == CLIENT_IDLE || (c->state == CLIENT_PROXY_HEADER && c->rx_bytes == 0))
            client_close(c, SC_RX_CLOSE_IDLE);
    }
}

unsigned
proxy_sessions(const struct loop *loop)
{
    return atomic_load(&server_of(loop)->sessions);
}

/* A request that still runs when the time is over must not look complete to its client: with this the end of the process resets
 * the connection. Closing it here would take it away under the fiber that may be waiting for it. */
static void
reset_at_exit(struct client *c)
{
    struct linger hard = { .l_onoff = 1, .l_linger = 0 };
    (void)setsockopt(c->conn.poll.fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
}

/* What still runs is cut: only called after drain's time is over, when the process is about to end. Requests on fibers are
 * left where they are (their stacks go with the loop). */
void
proxy_stop(struct loop *loop)
{
    struct server *s = server_of(loop);
    proxy_accept(loop, false);
    s->draining = true;
    list_each(l, &s->clients) {
        struct client *c = container_of(l, struct client, link);
        if (c->state == CLIENT_IDLE || c->state == CLIENT_HEAD || c->state == CLIENT_LINGER)
            client_close(c, SC_RX_CLOSE_IDLE);
        else
            reset_at_exit(c);
    }
    list_each(it, &s->labels)
        drop_label(s, container_of(it, struct server_label, link));
    for (struct list *l; (l = list_pop_front(&s->free_requests)) != NULL;)
        free(container_of(l, struct request, link));
    for (struct list *l; (l = list_pop_front(&s->free_buffers)) != NULL;)
        free(container_of(l, struct buffer, link));
    s->n_free_requests = s->n_free_buffers = 0;
}
