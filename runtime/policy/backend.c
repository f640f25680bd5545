/* A declared backend: its addresses, timeouts, health, and taking and giving back origin connections. Names of hosts are looked
 * up once, when the policy is loaded. Counted: the policy holds one reference, each taken connection another. */
#include "policy/backend.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "http/fields.h"
#include "policy/endpoint.h"
#include "policy/probe.h"
#include "policy/state.h"

struct backend {
    struct director director;           /* BACKEND value */
    atomic_uint refs;
    struct endpoint *endpoint;          /* NULL: `none` */
    struct health *health;              /* NULL: not probed */
    const struct probe *probe;          /* the policy's; used by the admin thread only */
    struct poller *poller;              /* admin thread */
    struct span name, host_header;      /* owned */
    double connect_timeout_s, first_byte_timeout_s, between_bytes_timeout_s;    /* negative: the parameter's */
    uint32_t max_connections, proxy_header;
    atomic_int admin;                   /* enum backend_admin */
    _Atomic double admin_changed_s;
    struct backend_stats stats;
};

/* ---- making one -------------------------------------------------------------------------------------------------------------- */

static struct span
own(struct span text)
{
    if (text.ptr == NULL)
        return SPAN_NULL;
    char *copy = mem_alloc(text.len + 1);
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return span_of(copy, text.len);
}

/* The first address of each family; IPv4 is tried first. */
static int
look_up(const char *host, const char *port, struct endpoint_key *key, char *why, size_t cap)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG }, *list = NULL;
    struct addrinfo numeric = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST };
    int err = getaddrinfo(host, port, &numeric, &list);
    if (err == EAI_NONAME)
        err = getaddrinfo(host, port, &hints, &list);
    if (err != 0) {
        snprintf(why, cap, "host \"%s\" port \"%s\": %s", host, port, gai_strerror(err));
        return ERR_NOTFOUND;
    }
    static const int order[ENDPOINT_ADDRESSES_MAX] = { AF_INET, AF_INET6 };
    for (unsigned f = 0; f < ENDPOINT_ADDRESSES_MAX; f++) {
        const struct addrinfo *ai = list;
        while (ai != NULL && ai->ai_family != order[f])
            ai = ai->ai_next;
        if (ai != NULL)
            address_of(ai->ai_addr, &key->addresses[key->n_addresses++]);
    }
    freeaddrinfo(list);
    if (key->n_addresses > 0)
        return 0;
    snprintf(why, cap, "host \"%s\" has no address", host);
    return ERR_NOTFOUND;
}

static int
key_of_path(struct span path, struct endpoint_key *key, char *why, size_t cap)
{
    if (path.len < sizeof key->path) {
        memcpy(key->path, path.ptr, path.len);
        return 0;
    }
    snprintf(why, cap, "path is longer than %zu bytes", sizeof key->path - 1);
    return ERR_LIMIT;
}

static int
key_of_host(const struct image_backend *im, struct endpoint_key *key, char *why, size_t cap)
{
    char host[256], port[64];
    struct span p = im->port.len > 0 ? im->port : SPAN_LIT("80");
    if (im->host.len == 0 || im->host.len >= sizeof host || p.len >= sizeof port) {
        snprintf(why, cap, "host or port is %s", im->host.len == 0 ? "missing" : "too long");
        return ERR_LIMIT;
    }
    uint64_t number;                    /* getaddrinfo would take a number that is too large modulo 65536 */
    if (parse_uint(p, &number) == 0 && number > UINT16_MAX) {
        snprintf(why, cap, "port %.*s is above 65535", (int)p.len, p.ptr);
        return ERR_LIMIT;
    }
    snprintf(host, sizeof host, "%.*s", (int)im->host.len, im->host.ptr);
    snprintf(port, sizeof port, "%.*s", (int)p.len, p.ptr);
    return look_up(host, port, key, why, cap);
}

static const struct director_ops backend_ops;

/* Sent as Host when a request has none: the declaration's, else the name it was declared by. */
static struct span
host_header_of(const struct image_backend *im)
{
    return im->host_header.ptr != NULL ? im->host_header : im->host;
}

int
backend_new(struct policy *p, const struct image_backend *im, const struct probe *probe, struct backend **out, char *why, size_t why_cap)
{
    struct endpoint_key key = { .preamble = im->preamble, .proxy_header = im->proxy_header };
    int err = 0;
    if (!im->none)
        err = im->path.ptr != NULL ? key_of_path(im->path, &key, why, why_cap) : key_of_host(im, &key, why, why_cap);
    if (err != 0)
        return err;
    struct backend *b = mem_zalloc(sizeof *b);
    atomic_init(&b->refs, 1);
    b->name = own(im->name);
    b->director = (struct director){ .ops = &backend_ops, .name = b->name, .policy = p };
    b->host_header = own(host_header_of(im));
    b->connect_timeout_s = im->connect_timeout_s;
    b->first_byte_timeout_s = im->first_byte_timeout_s;
    b->between_bytes_timeout_s = im->between_bytes_timeout_s;
    b->max_connections = im->max_connections;
    b->proxy_header = im->proxy_header;
    double now = nsec_seconds(clock_real_ns());
    atomic_init(&b->admin_changed_s, now);
    if (!im->none)
        b->endpoint = endpoint_acquire(&key);
    if (probe != NULL && !im->none) {
        b->probe = probe;
        b->health = health_new(probe, now);
    }
    *out = b;
    return 0;
}

static void
backend_unref(struct backend *b)
{
    if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1)
        return;
    endpoint_release(&b->endpoint);
    health_release(&b->health);
    free((char *)b->name.ptr);
    free((char *)b->host_header.ptr);
    free(b);
}

void
backend_release(struct backend **backend)
{
    struct backend *b = *backend;
    if (b == NULL)
        return;
    *backend = NULL;
    backend_stop_probe(b);
    b->director.policy = NULL;
    b->probe = NULL;
    backend_unref(b);
}

void
backend_start_probe(struct backend *b, struct loop *loop)
{
    if (b->health != NULL && b->poller == NULL)
        b->poller = poller_start(loop, b->endpoint, b->probe, b->health, b->host_header);
}

void
backend_stop_probe(struct backend *b)
{
    poller_stop(&b->poller);
}

/* ---- as a director ------------------------------------------------------------------------------------------------------------- */

/* A sick backend resolves to itself: taking a connection tells that it is sick, and counts it. */
static struct backend *
resolve_self(struct director *d, struct policy_ctx *ctx)
{
    return container_of(d, struct backend, director);
}

static bool
backend_healthy(struct director *d, double *changed_s)
{
    struct backend *b = container_of(d, struct backend, director);
    if (b->endpoint == NULL)
        return false;
    int admin = atomic_load_explicit(&b->admin, memory_order_relaxed);
    if (changed_s != NULL) {
        *changed_s = atomic_load(&b->admin_changed_s);
        struct probe_view view;
        backend_probe_view(b, &view);
        if (admin == BACKEND_AUTO && view.probed)
            *changed_s = view.last_changed_s;
    }
    if (admin != BACKEND_AUTO)
        return admin == BACKEND_HEALTHY;
    return b->health == NULL || atomic_load_explicit(&b->health->healthy, memory_order_relaxed);
}

static const struct director_ops backend_ops = {
    .type = "backend", .resolve = resolve_self, .healthy = backend_healthy, .list = NULL,
};

struct backend *
director_backend(struct director *d)
{
    return d != NULL && d->ops == &backend_ops ? container_of(d, struct backend, director) : NULL;
}

/* ---- what it says ---------------------------------------------------------------------------------------------------------------- */

struct director *
backend_director(struct backend *b)
{
    return &b->director;
}

struct span
backend_name(const struct backend *b)
{
    return b->name;
}

struct span
backend_host_header(const struct backend *b)
{
    return b->host_header;
}

double
backend_connect_timeout(const struct backend *b)
{
    return b->connect_timeout_s >= 0 ? b->connect_timeout_s : params.connect_timeout_s;
}

double
backend_first_byte_timeout(const struct backend *b)
{
    return b->first_byte_timeout_s >= 0 ? b->first_byte_timeout_s : params.first_byte_timeout_s;
}

double
backend_between_bytes_timeout(const struct backend *b)
{
    return b->between_bytes_timeout_s >= 0 ? b->between_bytes_timeout_s : params.between_bytes_timeout_s;
}

struct backend_stats *
backend_stats(struct backend *b)
{
    return &b->stats;
}

void
backend_set_admin(struct backend *b, enum backend_admin a)
{
    if (atomic_exchange(&b->admin, (int)a) != (int)a)
        atomic_store(&b->admin_changed_s, nsec_seconds(clock_real_ns()));
}

enum backend_admin
backend_admin_state(const struct backend *b)
{
    return (enum backend_admin)atomic_load(&((struct backend *)b)->admin);
}

void
backend_probe_view(struct backend *b, struct probe_view *out)
{
    if (b->health != NULL) {
        health_view(b->health, out);
        return;
    }
    *out = (struct probe_view){ .last_changed_s = atomic_load(&b->admin_changed_s), .healthy = b->endpoint != NULL };
}

unsigned
backend_idle(struct backend *b)
{
    if (b->endpoint == NULL)
        return 0;
    pthread_mutex_lock(&b->endpoint->lock);
    unsigned n = b->endpoint->n_idle;
    pthread_mutex_unlock(&b->endpoint->lock);
    return n;
}

/* ---- connections ------------------------------------------------------------------------------------------------------------------- */

/* Counts one connection in use, unless that would be too many. */
static bool
reserve(struct backend *b)
{
    unsigned long long in_use = atomic_fetch_add(&b->stats.conn_now, 1) + 1;
    if (b->max_connections == 0 || in_use <= b->max_connections)
        return true;
    atomic_fetch_sub(&b->stats.conn_now, 1);
    return false;
}

static int
connect_new(struct backend *b, struct loop *loop, double timeout_s, const struct client_vars *client, struct backend_conn **out)
{
    struct backend_conn *bc = mem_zalloc(sizeof *bc);
    nsec deadline = nsec_add(loop_now(loop), nsec_of(timeout_s));
    int err = endpoint_connect(b->endpoint, loop, &bc->conn, deadline, client);
    if (err != 0) {
        free(bc);
        atomic_fetch_add(&b->stats.fail, 1);
        return err == ERR_TIMEOUT ? err : ERR_RESET;
    }
    *out = bc;
    return 0;
}

int
backend_get_for(struct backend *b, struct loop *loop, double connect_timeout_s, bool fresh, const struct client_vars *client,
                struct backend_conn **out)
{
    CHECK(loop_is_current(loop) && fiber_current() != NULL);
    if (!backend_healthy(&b->director, NULL)) {
        atomic_fetch_add(&b->stats.unhealthy, 1);
        return ERR_SICK;
    }
    if (!reserve(b)) {
        atomic_fetch_add(&b->stats.busy, 1);
        return ERR_BUSY;
    }
    atomic_fetch_add(&b->refs, 1);
    struct backend_conn *bc = fresh || b->proxy_header != 0 ? NULL : endpoint_take_idle(b->endpoint, loop);
    bool reused = bc != NULL;
    int err = reused ? 0 : connect_new(b, loop, connect_timeout_s, client, &bc);
    if (err != 0) {
        atomic_fetch_sub(&b->stats.conn_now, 1);
        backend_unref(b);
        return err;
    }
    bc->backend = b;
    bc->endpoint = b->endpoint;
    bc->reused = reused;
    atomic_fetch_add(&b->stats.req, 1);
    *out = bc;
    return 0;
}

void
backend_put(struct backend_conn **conn, bool keep)
{
    struct backend_conn *bc = *conn;
    if (bc == NULL)
        return;
    *conn = NULL;
    struct backend *b = bc->backend;
    bc->backend = NULL;
    bc->requests++;
    bc->conn.on_ready = NULL;
    bc->conn.owner = NULL;
    atomic_fetch_sub(&b->stats.conn_now, 1);
    if (!keep || bc->conn.loop == NULL || !endpoint_put_idle(b->endpoint, bc)) {
        conn_close(&bc->conn);
        free(bc);
    }
    backend_unref(b);
}
