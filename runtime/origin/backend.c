/* A declared backend: its addresses, timeouts and health. Names of hosts are looked up once, when the policy is loaded. Counted: the
 * policy holds one reference, each taken connection another (backend_conn.c). */
#include "origin/backend.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "http/fields.h"
#include "log/counters.h"
#include "log/vsc.h"
#include "origin/backend_internal.h"

#define COUNTERS_IDENT_BYTES 512u

static const struct vsc_row vbe_rows[VBE_COUNT] = {
    [VBE_HAPPY] = { "happy", VSC_BITMAP, VSC_INFO, VSC_BITS, "Outcomes of the last polls, newest in bit 0" },
    [VBE_BEREQ_HDRBYTES] = { "bereq_hdrbytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Request head bytes sent" },
    [VBE_BEREQ_BODYBYTES] = { "bereq_bodybytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Request content bytes sent" },
    [VBE_BERESP_HDRBYTES] = { "beresp_hdrbytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Response head bytes received" },
    [VBE_BERESP_BODYBYTES] = { "beresp_bodybytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Response content bytes received" },
    [VBE_PIPE_HDRBYTES] = { "pipe_hdrbytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Head bytes of piped requests" },
    [VBE_PIPE_OUT] = { "pipe_out", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes sent" },
    [VBE_PIPE_IN] = { "pipe_in", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes received" },
    [VBE_CONN] = { "conn", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Concurrent connections used" },
    [VBE_REQ] = { "req", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests sent" },
    [VBE_UNHEALTHY] = { "unhealthy", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches not tried: sick" },
    [VBE_BUSY] = { "busy", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches not tried: max_connections" },
    [VBE_FAIL] = { "fail", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections that could not be opened, for any reason" },
    [VBE_FAIL_EACCES] = { "fail_eacces", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: EACCES or EPERM" },
    [VBE_FAIL_EADDRNOTAVAIL] = { "fail_eaddrnotavail", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: EADDRNOTAVAIL" },
    [VBE_FAIL_ECONNREFUSED] = { "fail_econnrefused", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: ECONNREFUSED" },
    [VBE_FAIL_ENETUNREACH] = { "fail_enetunreach", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: ENETUNREACH" },
    [VBE_FAIL_ETIMEDOUT] = { "fail_etimedout", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: ETIMEDOUT" },
    [VBE_FAIL_OTHER] = { "fail_other", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: other reasons" },
    [VBE_HELDDOWN] = { "helddown", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not tried, because opening had just failed" },
};
static const struct vsc_type vbe_type = { "vbe", "An origin", vbe_rows, VBE_COUNT };

/* ---- making one -------------------------------------------------------------------------------------------------------------- */

static struct span
own(struct span text)
{
    return text.ptr == NULL ? SPAN_NULL : span_of(mem_text(text), text.len);
}

/* The first address of each family; IPv4 is tried first. An empty name is this machine. */
static int
look_up(const char *host, const char *port, struct endpoint_key *key, char *why, size_t cap)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG }, *list = NULL;
    struct addrinfo numeric = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST };
    int err = getaddrinfo(*host == '\0' ? NULL : host, port, &numeric, &list);
    if (err == EAI_NONAME && *host != '\0')
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
        if (ai == NULL)
            continue;
        address_of(ai->ai_addr, &key->addresses[key->n_addresses]);
        address_unmap(&key->addresses[key->n_addresses++]);
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

/* A host may have its port with it, as `name:port` or `[address]:port`; that one counts then. More than one colon without
 * brackets is an IPv6 address. */
static void
split_port(struct span *host, struct span *port)
{
    const char *end = host->ptr + host->len, *colon = memchr(host->ptr, ':', host->len);
    const char *bracket = *host->ptr == '[' ? memchr(host->ptr, ']', host->len) : NULL;
    if (bracket != NULL) {
        if (bracket + 1 < end && bracket[1] == ':')
            *port = span_of(bracket + 2, (size_t)(end - bracket - 2));
        *host = span_of(host->ptr + 1, (size_t)(bracket - host->ptr - 1));
    } else if (colon != NULL && memchr(colon + 1, ':', (size_t)(end - colon - 1)) == NULL) {
        *port = span_of(colon + 1, (size_t)(end - colon - 1));
        *host = span_of(host->ptr, (size_t)(colon - host->ptr));
    }
}

static int
key_of_host(const struct image_backend *im, struct endpoint_key *key, char *why, size_t cap)
{
    char host[256], port[64];
    struct span h = im->host, p = im->port.len > 0 ? im->port : SPAN_LIT("80");
    if (h.len > 0)
        split_port(&h, &p);
    if (im->host.len == 0 || p.len == 0 || h.len >= sizeof host || p.len >= sizeof port) {
        snprintf(why, cap, "host or port is %s", im->host.len == 0 || p.len == 0 ? "missing" : "too long");
        return ERR_LIMIT;
    }
    uint64_t number;                    /* getaddrinfo would take a number that is too large modulo 65536 */
    if (parse_uint(p, &number) == 0 && number > UINT16_MAX) {
        snprintf(why, cap, "port %.*s is above 65535", (int)p.len, p.ptr);
        return ERR_LIMIT;
    }
    snprintf(host, sizeof host, "%.*s", (int)h.len, h.ptr);
    snprintf(port, sizeof port, "%.*s", (int)p.len, p.ptr);
    return look_up(host, port, key, why, cap);
}

/* The `nothing` that each policy has is nobody's origin, and is not counted. */
static void
counters_make(struct backend *b, struct span policy)
{
    char ident[COUNTERS_IDENT_BYTES];
    snprintf(ident, sizeof ident, "VBE.%.*s.%.*s", (int)policy.len, policy.ptr, (int)b->name.len, b->name.ptr);
    b->counters = vsc_new(&vbe_type, ident);
    vsc_hide(b->counters, true);
}

static const struct director_ops backend_ops;

/* Sent as Host when a request has none: the declaration's, else the name it was declared by. */
static struct span
host_header_of(const struct image_backend *im)
{
    if (im->host_header.ptr != NULL)
        return im->host_header;
    return im->path.ptr != NULL ? SPAN_LIT("0.0.0.0") : im->host;
}

int
backend_new(struct span policy, const struct image_backend *im, const struct probe *probe, struct backend **out, char *why,
            size_t why_cap)
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
    b->director = (struct director){ .ops = &backend_ops, .name = b->name };
    b->host_header = own(host_header_of(im));
    b->connect_timeout_s = im->connect_timeout_s;
    b->first_byte_timeout_s = im->first_byte_timeout_s;
    b->between_bytes_timeout_s = im->between_bytes_timeout_s;
    b->max_connections = im->max_connections;
    b->proxy_header = im->proxy_header;
    double now = nsec_seconds(clock_real_ns());
    atomic_init(&b->admin_changed_s, now);
    if (!im->none) {
        b->endpoint = endpoint_acquire(&key);
        counters_make(b, policy);
        counters_here()->n_backend++;
    }
    if (probe != NULL && !im->none) {
        b->probe = probe;
        b->health = health_new(probe, now);
        health_show(b->health, &b->counters[VBE_HAPPY]);
    }
    *out = b;
    return 0;
}

void
backend_unref(struct backend *b)
{
    unsigned refs = atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel);
    CHECK(refs > 0);
    if (refs != 1)
        return;
    CHECK(b->poller == NULL && atomic_load(&b->in_use) == 0);
    if (b->health != NULL)
        health_show(b->health, NULL);
    vsc_free(&b->counters);
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
    counters_here()->n_backend -= b->endpoint != NULL;
    b->probe = NULL;
    backend_unref(b);
}

void
backend_start_probe(struct backend *b, struct loop *loop)
{
    CHECK(loop != NULL);
    if (b->counters != NULL)
        vsc_hide(b->counters, false);
    if (b->health != NULL && b->poller == NULL)
        b->poller = poller_start(loop, b->endpoint, b->probe, b->health, b->name, b->host_header);
}

void
backend_stop_probe(struct backend *b)
{
    poller_stop(&b->poller);
    if (b->counters != NULL)
        vsc_hide(b->counters, true);
}

/* ---- as a director ----------------------------------------------------------------------------------------------------------- */

/* A sick backend resolves to itself: taking a connection tells that it is sick, and counts it. */
static struct backend *
resolve_self(struct director *d, struct policy_ctx *ctx)
{
    return container_of(d, struct backend, director);
}

static bool
backend_healthy(struct director *d, const struct policy_ctx *ctx, double *changed_s)
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

bool
director_is_none(struct director *d)
{
    struct backend *b = director_backend(d);
    return b != NULL && b->endpoint == NULL;
}

struct backend *
director_backend(struct director *d)
{
    return d != NULL && d->ops == &backend_ops ? container_of(d, struct backend, director) : NULL;
}

/* ---- what it says ------------------------------------------------------------------------------------------------------------ */

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

bool
backend_is_real(const struct backend *b)
{
    return b->endpoint != NULL;
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

uint64_t *
backend_counters(struct backend *b)
{
    return b->counters;
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

void
backend_loop_release(struct loop *loop)
{
    endpoint_loop_release(loop);
}
