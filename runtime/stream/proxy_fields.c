/* Typed fields about TLS: see proxy_fields.h. proxy_header.c has checked the form of those that were
 * received. */
#include "stream/proxy_fields.h"

#include "base/check.h"
#include "tls/facts.h"

#define FIELD_HEAD 3u /* type, two bytes of length */
#define VALUE_BYTES_MAX 255u

struct span
proxy_field_find(struct span fields, enum proxy_field type)
{
    while (fields.len >= FIELD_HEAD) {
        const uint8_t *p = (const uint8_t *)fields.ptr;
        size_t n = (size_t)(p[1] << 8 | p[2]);
        if (n > fields.len - FIELD_HEAD)
            break;
        if (p[0] == type)
            return span_of(fields.ptr + FIELD_HEAD, n);
        fields = span_of(fields.ptr + FIELD_HEAD + n, fields.len - FIELD_HEAD - n);
    }
    return SPAN_NULL;
}

struct span
proxy_field_tls(struct span fields)
{
    struct span tls = proxy_field_find(fields, PROXY_TLS);
    return tls.len >= PROXY_TLS_HEAD ? tls : SPAN_NULL;
}

bool
proxy_field_tls_bit(struct span fields, enum proxy_tls_bit bit)
{
    struct span tls = proxy_field_tls(fields);
    return tls.ptr != NULL && ((uint8_t)tls.ptr[0] & bit) != 0;
}

static void
add_bytes(struct text *out, enum proxy_field type, struct span value)
{
    char head[FIELD_HEAD] = { (char)type, (char)(value.len >> 8), (char)value.len };
    text_add(out, span_of(head, sizeof head));
    text_add(out, value);
}

/* A fact that is longer than any that hitch sends is left out. */
static void
add_fact(struct text *out, enum proxy_field type, const struct conn *c, enum tls_fact fact)
{
    struct text value = { 0 };
    if (tls_fact(c, fact, &value) && value.len <= VALUE_BYTES_MAX)
        add_bytes(out, type, text_span(&value));
    text_release(&value);
}

static void
add_tls(struct text *out, const struct conn *c)
{
    struct text tls = { 0 };
    uint32_t result = (uint32_t)tls_client_verify(c);
    uint8_t bits = PROXY_TLS_CONNECTED;
    if (tls_client_has_certificate(c))
        bits |= PROXY_TLS_CERT_SESS | (tls_resumed(c) ? 0 : PROXY_TLS_CERT_CONN);
    char head[PROXY_TLS_HEAD] = { (char)bits, (char)(result >> 24), (char)(result >> 16), (char)(result >> 8),
                                  (char)result };
    text_add(&tls, span_of(head, sizeof head));
    add_fact(&tls, PROXY_TLS_VERSION, c, TLS_FACT_VERSION);
    add_fact(&tls, PROXY_TLS_CN, c, TLS_FACT_CLIENT_CN);
    add_fact(&tls, PROXY_TLS_CIPHER, c, TLS_FACT_CIPHER);
    add_fact(&tls, PROXY_TLS_SIGNATURE, c, TLS_FACT_CERT_SIGN);
    add_fact(&tls, PROXY_TLS_KEY, c, TLS_FACT_CERT_KEY);
    add_bytes(out, PROXY_TLS, text_span(&tls));
    text_release(&tls);
}

struct span
proxy_fields_make(const struct conn *c, struct arena *a)
{
    struct text all = { 0 };
    add_fact(&all, PROXY_ALPN, c, TLS_FACT_ALPN);
    add_fact(&all, PROXY_AUTHORITY, c, TLS_FACT_AUTHORITY);
    add_tls(&all, c);
    struct span made = arena_copy(a, text_span(&all));
    text_release(&all);
    return made;
}
