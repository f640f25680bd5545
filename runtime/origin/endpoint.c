/* The table of endpoints, and connection setup. endpoint_idle.c holds the idle connections. */
#include "origin/endpoint.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/un.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "loop/fiber.h"

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list table = { &table, &table };

/* ---- table --------------------------------------------------------------------------------------------- */

static bool
key_eq(const struct endpoint_key *a, const struct endpoint_key *b)
{
    if (a->n_addresses != b->n_addresses || a->proxy_header != b->proxy_header ||
        !span_eq(a->preamble, b->preamble))
        return false;
    for (unsigned i = 0; i < a->n_addresses; i++)
        if (memcmp(&a->addresses[i], &b->addresses[i], sizeof a->addresses[i]) != 0)
            return false;
    return strcmp(a->path, b->path) == 0;
}

static struct endpoint *
endpoint_new(const struct endpoint_key *key)
{
    struct endpoint *ep = mem_zalloc(sizeof *ep);
    ep->key = *key;
    ep->key.preamble = key->preamble.len > 0 ? span_of(mem_text(key->preamble), key->preamble.len)
                                             : SPAN_NULL;
    pthread_mutex_init(&ep->lock, NULL);
    list_init(&ep->pools);
    return ep;
}

struct endpoint *
endpoint_acquire(const struct endpoint_key *key)
{
    struct endpoint *found = NULL;
    pthread_mutex_lock(&table_lock);
    list_each(it, &table)
    {
        struct endpoint *ep = container_of(it, struct endpoint, link);
        if (found == NULL && key_eq(&ep->key, key))
            found = ep;
    }
    if (found == NULL) {
        found = endpoint_new(key);
        list_push_back(&table, &found->link);
    }
    atomic_fetch_add_explicit(&found->refs, 1, memory_order_relaxed);
    pthread_mutex_unlock(&table_lock);
    return found;
}

struct endpoint *
endpoint_ref(struct endpoint *ep)
{
    CHECK(atomic_fetch_add_explicit(&ep->refs, 1, memory_order_relaxed) > 0);
    return ep;
}

static bool
release_not_last(struct endpoint *ep)
{
    unsigned refs = atomic_load_explicit(&ep->refs, memory_order_relaxed);
    CHECK(refs > 0);
    while (refs > 1)
        if (atomic_compare_exchange_weak_explicit(&ep->refs, &refs, refs - 1, memory_order_release,
                                                  memory_order_relaxed))
            return true;
    return false;
}

void
endpoint_release(struct endpoint **endpoint)
{
    struct endpoint *ep = *endpoint;
    if (ep == NULL)
        return;
    *endpoint = NULL;
    if (release_not_last(ep))
        return;
    pthread_mutex_lock(&table_lock); /* no new reference can be taken under this lock */
    bool last = atomic_fetch_sub_explicit(&ep->refs, 1, memory_order_acq_rel) == 1;
    if (last)
        list_remove(&ep->link);
    pthread_mutex_unlock(&table_lock);
    if (last)
        endpoint_close_idle(ep);
}

void
endpoint_free(struct endpoint *ep)
{
    CHECK(ep->closed && list_empty(&ep->pools));
    pthread_mutex_destroy(&ep->lock);
    free((char *)ep->key.preamble.ptr);
    free(ep);
}

/* ---- connecting ---------------------------------------------------------------------------------------- */

#define V2_LENGTH_AT 14
#define V2_HEAD 16
#define FIELD_HEAD 3 /* type and length of a typed field */
#define FIELD_AUTHORITY 0x02

static const char proxy2_signature[12] = "\r\n\r\n\0\r\nQUIT\n";

static size_t
proxy_v1(const struct address *from, const struct address *to, char *out)
{
    char a[ADDRESS_TEXT_BYTES], b[ADDRESS_TEXT_BYTES];
    if (from == NULL)
        return (size_t)snprintf(out, PROXY_HEADER_BYTES_MAX, "PROXY UNKNOWN\r\n");
    address_text(from, a);
    address_text(to, b);
    return (size_t)snprintf(out, PROXY_HEADER_BYTES_MAX, "PROXY TCP%c %s %s %u %u\r\n",
                            from->family == 4 ? '4' : '6', a, b, from->port, to->port);
}

static size_t
put16(char *out, unsigned v)
{
    out[0] = (char)(v >> 8);
    out[1] = (char)v;
    return 2;
}

static size_t
proxy_v2(const struct address *from, const struct address *to, char *out)
{
    memcpy(out, proxy2_signature, sizeof proxy2_signature);
    size_t n = sizeof proxy2_signature;
    size_t bytes = from == NULL ? 0 : from->family == 4 ? 4 : 16;
    out[n++] = from == NULL ? 0x20 : 0x21;                     /* version 2: LOCAL, PROXY */
    out[n++] = from == NULL ? 0x00 : bytes == 4 ? 0x11 : 0x21; /* unspecified, TCP over IPv4, TCP over IPv6 */
    n += put16(out + n, from == NULL ? 0 : (unsigned)(2 * bytes + 4));
    if (from == NULL)
        return n;
    memcpy(out + n, from->addr, bytes);
    memcpy(out + n + bytes, to->addr, bytes);
    n += 2 * bytes;
    n += put16(out + n, from->port);
    return n + put16(out + n, to->port);
}

/* Appends the authority to a version 2 header with addresses, and updates the header's length. */
static size_t
add_authority(struct span authority, char *out, size_t n)
{
    if (authority.len > PROXY_HEADER_BYTES_MAX - n - FIELD_HEAD)
        return 0;
    out[n++] = FIELD_AUTHORITY;
    n += put16(out + n, (unsigned)authority.len);
    memcpy(out + n, authority.ptr, authority.len);
    n += authority.len;
    (void)put16(out + V2_LENGTH_AT, (unsigned)(n - V2_HEAD));
    return n;
}

size_t
proxy_header_of(unsigned version, const struct address *from, const struct address *to, struct span authority,
                char out[PROXY_HEADER_BYTES_MAX])
{
    size_t n = version == 1 ? proxy_v1(from, to, out) : proxy_v2(from, to, out);
    return version == 1 || from == NULL || authority.ptr == NULL ? n : add_authority(authority, out, n);
}

/* A header cannot carry addresses of different families or of a Unix socket, so it then names no
 * addresses. */
size_t
proxy_header_write(unsigned version, const struct client_addresses *client, char out[PROXY_HEADER_BYTES_MAX])
{
    const struct address *from = NULL, *to = NULL;
    if (client != NULL && client->client.family == client->server.family &&
        (client->client.family == 4 || client->client.family == 6)) {
        from = &client->client;
        to = &client->server;
    }
    return proxy_header_of(version, from, to, SPAN_NULL, out);
}

static int
send_greeting(struct endpoint *ep, struct conn *c, nsec deadline, const struct client_addresses *client)
{
    char header[PROXY_HEADER_BYTES_MAX];
    struct iovec iov[2];
    int n = 0;
    if (ep->key.preamble.len > 0)
        iov[n++] = (struct iovec){ (void *)ep->key.preamble.ptr, ep->key.preamble.len };
    if (ep->key.proxy_header != 0)
        iov[n++] = (struct iovec){ header, proxy_header_write(ep->key.proxy_header, client, header) };
    return n == 0 ? 0 : conn_write(c, iov, n, deadline);
}

static int
connect_unix(struct endpoint *ep, struct loop *loop, struct conn *c, nsec deadline)
{
    struct sockaddr_un sun = { .sun_family = AF_UNIX };
    static_assert(sizeof sun.sun_path == sizeof ep->key.path, "a path fits");
    memcpy(sun.sun_path, ep->key.path, sizeof sun.sun_path);
    socklen_t len = sizeof sun;
    if (*sun.sun_path == '@') { /* an abstract name starts with a NUL and ends with the address (unix(7)) */
        *sun.sun_path = '\0';
        len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(ep->key.path));
    }
    return conn_connect(c, loop, (struct sockaddr *)&sun, len, deadline);
}

static int
connect_any(struct endpoint *ep, struct loop *loop, struct conn *c, nsec deadline)
{
    int err = ERR_RESET;
    if (ep->key.n_addresses == 0)
        err = connect_unix(ep, loop, c, deadline);
    for (unsigned i = 0; i < ep->key.n_addresses; i++) {
        struct sockaddr_storage ss;
        socklen_t len = address_sockaddr(&ep->key.addresses[i], &ss);
        err = conn_connect(c, loop, (struct sockaddr *)&ss, len, deadline);
        if (err == 0)
            break;
    }
    if (err == ERR_TIMEOUT)
        errno = ETIMEDOUT;
    return err;
}

/* These errors come at once and would come again at once. Without a pause a busy server would spend its time
 * on failed attempts. */
static double
pause_after(int why)
{
    switch (why) {
    case EACCES:
    case EPERM:
    case EADDRNOTAVAIL: return params.backend_local_error_holddown_s;
    case ECONNREFUSED:
    case ENETUNREACH: return params.backend_remote_error_holddown_s;
    }
    return 0;
}

int
endpoint_connect(struct endpoint *ep, struct loop *loop, struct conn *c, nsec deadline,
                 const struct client_addresses *client)
{
    CHECK(loop_is_current(loop) && fiber_current() != NULL);
    if (client != NULL && loop_now(loop) < atomic_load_explicit(&ep->held_until, memory_order_relaxed)) {
        errno = 0;
        return ERR_RESET;
    }
    int err = connect_any(ep, loop, c, deadline);
    if (err != 0) {
        double pause = pause_after(errno);
        if (pause > 0)
            atomic_store_explicit(&ep->held_until, nsec_add(loop_now(loop), nsec_of(pause)),
                                  memory_order_relaxed);
        return err;
    }
    err = send_greeting(ep, c, deadline, client);
    if (err != 0)
        conn_close(c);
    return err;
}
