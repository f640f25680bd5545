/* Socket addresses in 20 bytes. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "loop/conn.h"

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
        /* An IPv4 client of a dual-stack socket is an IPv4 client: ACLs and logs must see it as one. */
        bool mapped = IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr);
        out->family = mapped ? FAMILY_INET : FAMILY_INET6;
        memcpy(out->addr, in6.sin6_addr.s6_addr + (mapped ? 12 : 0), mapped ? 4 : 16);
    } else if (sa->sa_family == AF_UNIX) {
        out->family = FAMILY_UNIX;
    }
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
        struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(a->port) };
        memcpy(&in6.sin6_addr, a->addr, 16);
        memcpy(out, &in6, sizeof in6);
        return sizeof in6;
    }
    if (a->family == FAMILY_UNIX) {     /* the path is not kept: an unnamed one */
        out->ss_family = AF_UNIX;
        return offsetof(struct sockaddr_un, sun_path);
    }
    return 0;
}

/* Each request asks for one: inet_ntop would format it with sprintf. */
static void
ipv4_text(const uint8_t ip[4], char *out)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned n = ip[i];
        if (n >= 100)
            *out++ = (char)('0' + n / 100);
        if (n >= 10)
            *out++ = (char)('0' + n / 10 % 10);
        *out++ = (char)('0' + n % 10);
        *out++ = i < 3 ? '.' : '\0';
    }
}

size_t
address_text(const struct address *a, char out[ADDRESS_TEXT_BYTES])
{
    out[0] = '\0';
    if (a->family == FAMILY_INET)
        ipv4_text(a->addr, out);
    else if (a->family == FAMILY_INET6)
        inet_ntop(AF_INET6, a->addr, out, ADDRESS_TEXT_BYTES);
    else if (a->family == FAMILY_UNIX)  /* what Varnish shows for an address that has none */
        strcpy(out, "0.0.0.0");
    return strlen(out);
}
