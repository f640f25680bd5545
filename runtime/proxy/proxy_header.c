/* PROXY protocol headers. Format: the protocol's own specification, versions 1 (one text line of at most 107 bytes) and 2
 * (12-byte signature, version and command, family, length, addresses, TLVs, which are skipped). */
#include "proxy/proxy_header.h"

#include <arpa/inet.h>
#include <stdlib.h>

#include "base/check.h"
#include "http/fields.h"

#define V1_LINE_MAX 107
#define V2_HEAD 16

static const char v2_signature[12] = { '\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n' };

static bool
next_word(struct span *rest, struct span *word)
{
    const char *sp = memchr(rest->ptr, ' ', rest->len);
    size_t n = sp == NULL ? rest->len : (size_t)(sp - rest->ptr);
    *word = span_of(rest->ptr, n);
    size_t skip = sp == NULL ? n : n + 1;
    rest->ptr += skip;
    rest->len -= skip;
    return n > 0;
}

static int
text_address(struct span ip, struct span port, uint8_t family, struct address *out)
{
    char text[64];
    uint64_t p;
    if (ip.len >= sizeof text || memchr(ip.ptr, '\0', ip.len) != NULL || parse_uint(port, &p) != 0 || p > 65535)
        return ERR_SYNTAX;
    memcpy(text, ip.ptr, ip.len);
    text[ip.len] = '\0';
    memset(out, 0, sizeof *out);
    out->family = family;
    out->port = (uint16_t)p;
    return inet_pton(family == 4 ? AF_INET : AF_INET6, text, out->addr) == 1 ? 0 : ERR_SYNTAX;
}

static ssize_t
parse_v1(struct span in, struct address *client, struct address *server)
{
    const char *lf = memchr(in.ptr, '\n', in.len < V1_LINE_MAX ? in.len : V1_LINE_MAX);
    if (lf == NULL)
        return in.len >= V1_LINE_MAX ? ERR_SYNTAX : 0;
    size_t n = (size_t)(lf - in.ptr);
    if (n == 0 || in.ptr[n - 1] != '\r')
        return ERR_SYNTAX;
    struct span rest = span_of(in.ptr + 6, n - 1 - 6), family, from, to, from_port, to_port;
    if (!next_word(&rest, &family))
        return ERR_SYNTAX;
    if (span_eq(family, SPAN_LIT("UNKNOWN")))
        return (ssize_t)(n + 1);
    uint8_t f = span_eq(family, SPAN_LIT("TCP4")) ? 4 : span_eq(family, SPAN_LIT("TCP6")) ? 6 : 0;
    struct address c, s;
    if (f == 0 || !next_word(&rest, &from) || !next_word(&rest, &to) || !next_word(&rest, &from_port)
        || !next_word(&rest, &to_port) || rest.len > 0)
        return ERR_SYNTAX;
    if (text_address(from, from_port, f, &c) != 0 || text_address(to, to_port, f, &s) != 0)
        return ERR_SYNTAX;
    *client = c;
    *server = s;
    return (ssize_t)(n + 1);
}

static void
binary_address(const uint8_t *ip, size_t n, const uint8_t *port, struct address *out)
{
    memset(out, 0, sizeof *out);
    out->family = n == 4 ? 4 : 6;
    memcpy(out->addr, ip, n);
    out->port = (uint16_t)(port[0] << 8 | port[1]);
}

static ssize_t
parse_v2(struct span in, struct address *client, struct address *server)
{
    if (in.len < V2_HEAD)
        return 0;
    const uint8_t *p = (const uint8_t *)in.ptr;
    size_t len = (size_t)(p[14] << 8 | p[15]);
    if (p[12] >> 4 != 2 || (p[12] & 15) > 1 || V2_HEAD + len > PROXY_HEADER_BYTES_MAX)
        return ERR_SYNTAX;
    if (in.len < V2_HEAD + len)
        return 0;
    bool local = (p[12] & 15) == 0;
    size_t ip = p[13] == 0x11 ? 4 : p[13] == 0x21 ? 16 : 0;
    if (!local && ip != 0) {
        if (len < 2 * ip + 4)
            return ERR_SYNTAX;
        const uint8_t *a = p + V2_HEAD;
        binary_address(a, ip, a + 2 * ip, client);
        binary_address(a + ip, ip, a + 2 * ip + 2, server);
    }
    return (ssize_t)(V2_HEAD + len);
}

ssize_t
proxy_header_parse(struct span in, struct address *client, struct address *server)
{
    size_t n = in.len < sizeof v2_signature ? in.len : sizeof v2_signature;
    if (memcmp(in.ptr, v2_signature, n) == 0)
        return n < sizeof v2_signature ? 0 : parse_v2(in, client, server);
    n = in.len < 6 ? in.len : 6;
    if (memcmp(in.ptr, "PROXY ", n) != 0)
        return ERR_SYNTAX;
    return n < 6 ? 0 : parse_v1(in, client, server);
}
