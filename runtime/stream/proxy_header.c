/* PROXY protocol headers. Format: the specification of the protocol. Version 1 is one text line of at most
 * 107 bytes. Version 2 has a 12-byte signature, version and command, family, length, addresses and typed
 * fields. This file checks the form of typed fields; vmod/proxy.c reads their meaning. */
#include "stream/proxy_header.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "http/fields.h"

#define V1_LINE_MAX 108 /* one more than the protocol allows, as in Varnish */
#define V1_FIELDS 5     /* family, two addresses, two ports */
#define V2_HEAD 16
#define FIELD_HEAD 3 /* type and length of a typed field */
#define FIELD_CRC32C 0x03
#define FIELD_TLS 0x20
#define FIELD_TLS_HEAD 5 /* before the fields inside it */

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
    if (ip.len >= sizeof text || memchr(ip.ptr, '\0', ip.len) != NULL || parse_uint(port, &p) != 0 ||
        p > 65535)
        return ERR_SYNTAX;
    memcpy(text, ip.ptr, ip.len);
    text[ip.len] = '\0';
    memset(out, 0, sizeof *out);
    out->family = family;
    out->port = (uint16_t)p;
    if (inet_pton(family == 4 ? AF_INET : AF_INET6, text, out->addr) != 1)
        return ERR_SYNTAX;
    address_unmap(out);
    return 0;
}

static ssize_t
garbage(struct proxy_note *note, const char *text)
{
    note->tag = TAG_PROXY_GARBAGE;
    snprintf(note->text, sizeof note->text, "%s", text);
    return ERR_SYNTAX;
}

static void
note_addresses(struct proxy_note *note, unsigned version, const struct proxy_info *info)
{
    char from[ADDRESS_TEXT_BYTES], to[ADDRESS_TEXT_BYTES];
    address_text(&info->client, from);
    address_text(&info->server, to);
    note->tag = TAG_PROXY;
    snprintf(note->text, sizeof note->text, "%u %s %u %s %u", version, from, info->client.port, to,
             info->server.port);
}

/* ---- version 1 ---- */

static ssize_t
parse_v1_fields(struct span rest, struct proxy_info *info, struct proxy_note *note)
{
    struct span f[V1_FIELDS];
    const char *end = rest.ptr + rest.len;
    if (rest.len >= 7 && memcmp(rest.ptr, "UNKNOWN", 7) == 0 && (rest.len == 7 || rest.ptr[7] == ' '))
        return 0;
    for (unsigned i = 0; i < V1_FIELDS; i++)
        if (!next_word(&rest, &f[i]))
            return garbage(note, "PROXY1: Too few fields");
    if (f[V1_FIELDS - 1].ptr + f[V1_FIELDS - 1].len != end) /* even a single space is too much */
        return garbage(note, "PROXY1: Too many fields");
    uint8_t family = span_eq(f[0], SPAN_LIT("TCP4")) ? 4 : span_eq(f[0], SPAN_LIT("TCP6")) ? 6 : 0;
    struct address c, s;
    if (family == 0)
        return garbage(note, "PROXY1: Wrong TCP[46] field");
    if (text_address(f[1], f[3], family, &c) != 0)
        return garbage(note, "PROXY1: Cannot resolve source address");
    if (text_address(f[2], f[4], family, &s) != 0)
        return garbage(note, "PROXY1: Cannot resolve destination address");
    info->client = c;
    info->server = s;
    note_addresses(note, 1, info);
    return 0;
}

static ssize_t
parse_v1(struct span in, struct proxy_info *info, struct proxy_note *note)
{
    const char *lf = memchr(in.ptr, '\n', in.len < V1_LINE_MAX ? in.len : V1_LINE_MAX);
    if (lf == NULL)
        return in.len >= V1_LINE_MAX ? ERR_LIMIT : 0;
    size_t n = (size_t)(lf - in.ptr);
    if (n == 0 || in.ptr[n - 1] != '\r')
        return ERR_SYNTAX;
    size_t fields = n - 1 > 6 ? 6 : n - 1; /* behind "PROXY " */
    ssize_t err = parse_v1_fields(span_of(in.ptr + fields, n - 1 - fields), info, note);
    return err < 0 ? err : (ssize_t)(n + 1);
}

/* ---- version 2 ---- */

static void
binary_address(const uint8_t *ip, size_t n, const uint8_t *port, struct address *out)
{
    memset(out, 0, sizeof *out);
    out->family = n == 4 ? 4 : 6;
    memcpy(out->addr, ip, n);
    out->port = (uint16_t)(port[0] << 8 | port[1]);
    address_unmap(out);
}

/* The checksum covers the whole header, with its own four bytes taken as zero. It runs once a connection, so
 * a table would not pay. */
static uint32_t
crc32c(const uint8_t *p, size_t n, size_t checksum_at)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= i >= checksum_at && i < checksum_at + 4 ? 0 : p[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0x82f63b78 & -(crc & 1));
    }
    return ~crc;
}

/* Checks the typed fields in header[at..end). Returns the text of a fault, or NULL. */
static const char *
check_fields(const uint8_t *header, size_t header_bytes, size_t at, size_t end)
{
    while (at < end) {
        if (end - at < FIELD_HEAD)
            return "PROXY2: TLV Dribble bytes";
        size_t n = (size_t)(header[at + 1] << 8 | header[at + 2]), value = at + FIELD_HEAD;
        if (n > end - value)
            return "PROXY2: TLV Length Error";
        const uint8_t *v = header + value;
        if (header[at] == FIELD_CRC32C) {
            if (n != 4)
                return "PROXY2: TLV Length Error";
            uint32_t sent = (uint32_t)v[0] << 24 | (uint32_t)v[1] << 16 | (uint32_t)v[2] << 8 | v[3];
            if (crc32c(header, header_bytes, value) != sent)
                return "PROXY2: CRC error";
        }
        if (header[at] == FIELD_TLS) {
            const char *fault = n < FIELD_TLS_HEAD ? "PROXY2: TLV Length Error" : NULL;
            for (size_t in = value + FIELD_TLS_HEAD; fault == NULL && in < value + n;) {
                size_t left = value + n - in,
                       m = left < FIELD_HEAD ? 0 : (size_t)(header[in + 1] << 8 | header[in + 2]);
                if (left < FIELD_HEAD)
                    fault = "PROXY2: TLV Dribble bytes";
                else if (m > left - FIELD_HEAD)
                    fault = "PROXY2: TLV Length Error";
                in += FIELD_HEAD + m;
            }
            if (fault != NULL)
                return fault;
        }
        at = value + n;
    }
    return NULL;
}

/* Parses addresses and typed fields, after version and command were checked. */
static ssize_t
parse_v2_addresses(const uint8_t *p, size_t len, struct proxy_info *info, struct proxy_note *note)
{
    size_t ip = p[13] == 0x11 ? 4 : p[13] == 0x21 ? 16 : 0, need = 2 * ip + 4;
    if (ip == 0 || len < need) {
        note->tag = TAG_PROXY_GARBAGE;
        if (p[13] == 0)
            snprintf(note->text, sizeof note->text, "PROXY2: Ignoring UNSPEC|UNSPEC addresses");
        else if (ip == 0)
            snprintf(note->text, sizeof note->text, "PROXY2: Ignoring unsupported protocol (0x%02x)", p[13]);
        else
            snprintf(note->text, sizeof note->text, "PROXY2: Ignoring short %s addresses (%zu)",
                     ip == 4 ? "IPv4" : "IPv6", len);
        return 0;
    }
    const char *fault = check_fields(p, V2_HEAD + len, V2_HEAD + need, V2_HEAD + len);
    if (fault != NULL)
        return garbage(note, fault);
    const uint8_t *a = p + V2_HEAD;
    binary_address(a, ip, a + 2 * ip, &info->client);
    binary_address(a + ip, ip, a + 2 * ip + 2, &info->server);
    info->fields = span_of((const char *)a + need, len - need);
    note_addresses(note, 2, info);
    return 0;
}

static ssize_t
parse_v2(struct span in, struct proxy_info *info, struct proxy_note *note)
{
    if (in.len < V2_HEAD)
        return 0;
    const uint8_t *p = (const uint8_t *)in.ptr;
    size_t len = (size_t)(p[14] << 8 | p[15]);
    if (V2_HEAD + len > PROXY_RECEIVED_BYTES_MAX)
        return ERR_LIMIT;
    if (in.len < V2_HEAD + len)
        return 0;
    ssize_t err = 0;
    note->tag = TAG_PROXY_GARBAGE;
    if (p[12] >> 4 != 2) {
        snprintf(note->text, sizeof note->text, "PROXY2: bad version (%d)", p[12] >> 4);
        err = ERR_SYNTAX;
    } else if ((p[12] & 15) > 1) {
        snprintf(note->text, sizeof note->text, "PROXY2: bad command (%d)", p[12] & 15);
        err = ERR_SYNTAX;
    } else if ((p[12] & 15) == 0) {
        note->tag = TAG_PROXY;
        snprintf(note->text, sizeof note->text, "2 local local local local");
    } else
        err = parse_v2_addresses(p, len, info, note);
    return err < 0 ? err : (ssize_t)(V2_HEAD + len);
}

ssize_t
proxy_header_parse(struct span in, struct proxy_info *info, struct proxy_note *note)
{
    note->tag = 0;
    info->fields = SPAN_NULL;
    size_t n = in.len < sizeof v2_signature ? in.len : sizeof v2_signature;
    if (memcmp(in.ptr, v2_signature, n) == 0)
        return n < sizeof v2_signature ? 0 : parse_v2(in, info, note);
    n = in.len < 5 ? in.len : 5;
    if (memcmp(in.ptr, "PROXY", n) != 0)
        return ERR_SYNTAX;
    return n < 5 ? 0 : parse_v1(in, info, note);
}
