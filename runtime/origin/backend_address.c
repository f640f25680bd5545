/* Turns declared texts into addresses, and addresses into an endpoint. See backend_address.h. */
#include "origin/backend_address.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "http/fields.h"

#define HOST_BYTES_MAX 256u /* with the NUL */
#define PORT_BYTES_MAX 64u

/* ---- lookup -------------------------------------------------------------------------------------------- */

static bool
was_found(const struct found *before, const struct address *a)
{
    for (unsigned i = 0; i < before->n; i++)
        if (memcmp(&before->at[i], a, sizeof *a) == 0)
            return true;
    return false;
}

/* Adds one address of a family: a previous address if it is still in the list, or else the first. */
static void
take_family(const struct addrinfo *list, int family, const struct found *before, struct found *out)
{
    struct address first;
    bool any = false;
    for (const struct addrinfo *ai = list; ai != NULL; ai = ai->ai_next) {
        struct address a;
        if (ai->ai_family != family)
            continue;
        address_of(ai->ai_addr, &a);
        address_unmap(&a);
        if (any && !was_found(before, &a))
            continue;
        first = a;
        any = true;
        if (was_found(before, &a))
            break;
    }
    if (any)
        out->at[out->n++] = first;
}

/* Connects try addresses in this order, so IPv4 first. An empty host means this machine. */
static int
look_up(const struct place *p, const struct found *before, struct found *out, char *why, size_t cap)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG },
                    *list = NULL;
    struct addrinfo numeric = { .ai_family = AF_UNSPEC,
                                .ai_socktype = SOCK_STREAM,
                                .ai_flags = AI_NUMERICHOST };
    out->n = 0;
    if (p->host == NULL)
        return 0;
    int err = getaddrinfo(*p->host == '\0' ? NULL : p->host, p->port, p->by_name ? &hints : &numeric, &list);
    if (err != 0) {
        snprintf(why, cap, "host \"%s\" port \"%s\": %s", p->host, p->port, gai_strerror(err));
        return ERR_NOTFOUND;
    }
    take_family(list, AF_INET, before, out);
    take_family(list, AF_INET6, before, out);
    freeaddrinfo(list);
    if (out->n > 0)
        return 0;
    snprintf(why, cap, "host \"%s\" has no address", p->host);
    return ERR_NOTFOUND;
}

int
backend_address_look_up(const struct backend_address *a, struct found *to, struct found *through, char *why,
                        size_t cap)
{
    through->n = 0;
    int err = look_up(&a->to, &a->to_found, to, why, cap);
    if (err == 0 && a->has_via)
        err = look_up(&a->through, &a->through_found, through, why, cap);
    return err;
}

/* ---- declaration --------------------------------------------------------------------------------------- */

static struct span
own(struct span text)
{
    return text.ptr == NULL ? SPAN_NULL : span_of(mem_text(text), text.len);
}

static int
place_of_path(struct span path, struct place *p, char *why, size_t cap)
{
    if (path.len < sizeof p->path) {
        memcpy(p->path, path.ptr, path.len);
        return 0;
    }
    snprintf(why, cap, "path is longer than %zu bytes", sizeof p->path - 1);
    return ERR_LIMIT;
}

/* A host may carry its port, as `name:port` or `[address]:port`; that port replaces .port. A host with more
 * than one colon and no brackets is an IPv6 address. */
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

static bool
is_numeric(const char *host)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC,
                              .ai_socktype = SOCK_STREAM,
                              .ai_flags = AI_NUMERICHOST },
                    *list = NULL;
    if (*host != '\0' && getaddrinfo(host, NULL, &hints, &list) == EAI_NONAME)
        return false;
    if (list != NULL)
        freeaddrinfo(list);
    return true;
}

static int
place_of_host(const struct image_backend *im, struct place *p, char *why, size_t cap)
{
    struct span h = im->host, port = im->port.len > 0 ? im->port : SPAN_LIT("80");
    if (h.len > 0)
        split_port(&h, &port);
    if (im->host.len == 0 || port.len == 0 || h.len >= HOST_BYTES_MAX || port.len >= PORT_BYTES_MAX) {
        snprintf(why, cap, "host or port is %s", im->host.len == 0 || port.len == 0 ? "missing" : "too long");
        return ERR_LIMIT;
    }
    uint64_t number; /* getaddrinfo would take a too large number modulo 65536 */
    if (parse_uint(port, &number) == 0 && number > UINT16_MAX) {
        snprintf(why, cap, "port %.*s is above 65535", (int)port.len, port.ptr);
        return ERR_LIMIT;
    }
    p->host = mem_text(h);
    p->port = mem_text(port);
    p->by_name = !is_numeric(p->host);
    return 0;
}

static int
place_of(const struct image_backend *im, struct place *p, char *why, size_t cap)
{
    return im->path.ptr != NULL ? place_of_path(im->path, p, why, cap) : place_of_host(im, p, why, cap);
}

int
backend_address_init(struct backend_address *a, const struct image_backend *im,
                     const struct image_backend *via, char *why, size_t cap)
{
    *a = (struct backend_address){ .has_via = via != NULL, .proxy_header = im->proxy_header };
    a->preamble = own(im->preamble);
    a->authority = own(im->authority);
    int err = place_of(im, &a->to, why, cap);
    if (err == 0 && via != NULL) {
        a->greeting = own(via->preamble);
        err = place_of(via, &a->through, why, cap);
    }
    struct found to = { 0 }, through = { 0 };
    if (err == 0)
        err = backend_address_look_up(a, &to, &through, why, cap);
    if (err != 0) {
        backend_address_release(a);
        return err;
    }
    a->to_found = to;
    a->through_found = through;
    return 0;
}

void
backend_address_release(struct backend_address *a)
{
    free(a->to.host);
    free(a->to.port);
    free(a->through.host);
    free(a->through.port);
    free((char *)a->greeting.ptr);
    free((char *)a->preamble.ptr);
    free((char *)a->authority.ptr);
    *a = (struct backend_address){ 0 };
}

bool
backend_address_by_name(const struct backend_address *a)
{
    return a->to.by_name || a->through.by_name;
}

/* ---- endpoint ------------------------------------------------------------------------------------------ */

/* Names no client, because all clients share the connections through a proxy. */
static size_t
via_header(const struct backend_address *a, char out[PROXY_HEADER_BYTES_MAX])
{
    const struct address *to = &a->to_found.at[0], nobody = { .family = to->family };
    size_t n = proxy_header_of(2, &nobody, to, a->authority, out);
    CHECK(n > 0); /* the compiler limits the authority */
    return n;
}

struct endpoint *
backend_address_endpoint(const struct backend_address *a)
{
    const struct place *place = a->has_via ? &a->through : &a->to;
    const struct found *found = a->has_via ? &a->through_found : &a->to_found;
    char header[PROXY_HEADER_BYTES_MAX];
    size_t n = a->has_via ? via_header(a, header) : 0;
    char *preamble = mem_alloc(a->greeting.len + n + a->preamble.len + 1), *p = preamble;
    struct span parts[] = { a->greeting, span_of(header, n), a->preamble };
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].len > 0)
            memcpy(p, parts[i].ptr, parts[i].len);
        p += parts[i].len;
    }
    struct endpoint_key key = { .n_addresses = found->n,
                                .preamble = span_of(preamble, (size_t)(p - preamble)),
                                .proxy_header = a->proxy_header };
    memcpy(key.addresses, found->at, sizeof key.addresses);
    memcpy(key.path, place->path, sizeof key.path);
    struct endpoint *ep = endpoint_acquire(&key);
    free(preamble);
    return ep;
}
