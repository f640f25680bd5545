/* Socket addresses in 20 bytes. */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include "base/put.h"
#include "loop/conn.h"

#define ZONE_MAX UINT8_MAX /* a zone must fit 8 bits: a higher interface index is dropped */
#define MAPPED_PREFIX_BYTES 12

enum { FAMILY_UNIX = 1, FAMILY_INET = 4, FAMILY_INET6 = 6 };

void
address_of(const struct sockaddr *sa, struct address *out)
{
    *out = (struct address){ 0 };
    if (sa->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, sa, sizeof in);
        out->family = FAMILY_INET;
        out->port = ntohs(in.sin_port);
        memcpy(out->addr, &in.sin_addr, 4);
    } else if (sa->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, sa, sizeof in6);
        out->port = ntohs(in6.sin6_port);
        out->family = FAMILY_INET6;
        out->zone = in6.sin6_scope_id <= ZONE_MAX ? (uint8_t)in6.sin6_scope_id : 0;
        memcpy(out->addr, &in6.sin6_addr, 16);
    } else if (sa->sa_family == AF_UNIX) {
        out->family = FAMILY_UNIX;
    }
}

void
address_unmap(struct address *a)
{
    static const uint8_t mapped[MAPPED_PREFIX_BYTES] = { [10] = 0xff, [11] = 0xff };
    if (a->family != FAMILY_INET6 || memcmp(a->addr, mapped, sizeof mapped) != 0)
        return;
    a->family = FAMILY_INET;
    memmove(a->addr, a->addr + sizeof mapped, 4);
    memset(a->addr + 4, 0, sizeof a->addr - 4);
}

void
address_of_peer(const struct sockaddr *sa, struct address *out)
{
    address_of(sa, out);
    /* Logs and headers show each client address. A zone would cost an interface lookup each time. */
    out->zone = 0;
    address_unmap(out);
}

socklen_t
address_sockaddr(const struct address *a, struct sockaddr_storage *out)
{
    memset(out, 0, sizeof *out);
    if (a->family == FAMILY_INET) {
        struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(a->port) };
        memcpy(&in.sin_addr, a->addr, 4);
        memcpy(out, &in, sizeof in);
        return sizeof in;
    }
    if (a->family == FAMILY_INET6) {
        struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
                                    .sin6_port = htons(a->port),
                                    .sin6_scope_id = a->zone };
        memcpy(&in6.sin6_addr, a->addr, 16);
        memcpy(out, &in6, sizeof in6);
        return sizeof in6;
    }
    if (a->family == FAMILY_UNIX) { /* unnamed: struct address does not keep the path */
        out->ss_family = AF_UNIX;
        return offsetof(struct sockaddr_un, sun_path);
    }
    return 0;
}

/* Formatted by hand because every request needs it, and inet_ntop would call sprintf. */
static size_t
ipv4_text(const uint8_t ip[4], char *out)
{
    char *p = out;
    for (unsigned i = 0; i < 4; i++) {
        p = put_decimal(p, ip[i]);
        *p++ = i < 3 ? '.' : '\0';
    }
    return (size_t)(p - out) - 1;
}

/* Shows the zone by its interface name, as getnameinfo does. */
static void
ipv6_text(const struct address *a, char out[ADDRESS_TEXT_BYTES])
{
    char name[IF_NAMESIZE];
    inet_ntop(AF_INET6, a->addr, out, ADDRESS_TEXT_BYTES);
    size_t n = strlen(out);
    if (a->zone != 0 && if_indextoname(a->zone, name) != NULL)
        snprintf(out + n, ADDRESS_TEXT_BYTES - n, "%%%s", name);
    else if (a->zone != 0)
        snprintf(out + n, ADDRESS_TEXT_BYTES - n, "%%%u", a->zone);
}

size_t
address_text(const struct address *a, char out[ADDRESS_TEXT_BYTES])
{
    if (a->family == FAMILY_INET)
        return ipv4_text(a->addr, out);
    out[0] = '\0';
    if (a->family == FAMILY_INET6)
        ipv6_text(a, out);
    else if (a->family == FAMILY_UNIX) /* as Varnish shows a Unix socket */
        strcpy(out, "0.0.0.0");
    return strlen(out);
}
