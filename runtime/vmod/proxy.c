/* Module proxy: TLS data of the client's connection, which a TLS offloader sends in the typed fields of a
 * PROXY version 2 header. stream/proxy_header.c has checked the form of the fields. For types and bits see
 * the protocol's specification, "The PP2_TYPE_SSL type and subtypes". */
#include "exports_vmod.h"
#include "policy/exports.h"

#define FIELD_HEAD 3 /* type, two bytes of length */
#define TLS_HEAD 5   /* fixed part of a TLS field: bits, four bytes of the verification result */

enum field_type {
    FIELD_ALPN = 0x01,
    FIELD_AUTHORITY = 0x02,
    FIELD_TLS = 0x20,
    FIELD_TLS_VERSION = 0x21,
    FIELD_TLS_CN = 0x22,
    FIELD_TLS_CIPHER = 0x23,
    FIELD_TLS_SIGNATURE = 0x24,
    FIELD_TLS_KEY = 0x25
};

enum tls_bit { TLS_CONNECTED = 1, TLS_CERT_CONN = 2, TLS_CERT_SESS = 4 };

/* Returns the first field of the type, or SPAN_NULL. */
static struct span
field_find(struct span fields, enum field_type type)
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

static struct span
field_of(const struct policy_ctx *ctx, enum field_type type)
{
    const struct client_vars *v = client_of(ctx);
    return v == NULL ? SPAN_NULL : field_find(v->proxy_fields, type);
}

/* Returns SPAN_NULL, or a field with at least the fixed part. */
static struct span
tls_field(const struct policy_ctx *ctx)
{
    struct span tls = field_of(ctx, FIELD_TLS);
    return tls.len >= TLS_HEAD ? tls : SPAN_NULL;
}

static int32_t
tls_bit(const struct policy_ctx *ctx, enum tls_bit bit)
{
    struct span tls = tls_field(ctx);
    return tls.ptr != NULL && ((uint8_t)tls.ptr[0] & bit) != 0;
}

static struct span
text_of(struct policy_ctx *ctx, struct span field)
{
    return field.ptr == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, field);
}

static struct span
tls_text(struct policy_ctx *ctx, enum field_type type)
{
    struct span tls = tls_field(ctx);
    return tls.ptr == NULL ? SPAN_NULL
                           : text_of(ctx, field_find(span_of(tls.ptr + TLS_HEAD, tls.len - TLS_HEAD), type));
}

struct span
vcl_proxy_alpn(struct policy_ctx *ctx)
{
    return text_of(ctx, field_of(ctx, FIELD_ALPN));
}

struct span
vcl_proxy_authority(struct policy_ctx *ctx)
{
    return text_of(ctx, field_of(ctx, FIELD_AUTHORITY));
}

int32_t
vcl_proxy_is_ssl(struct policy_ctx *ctx)
{
    return tls_bit(ctx, TLS_CONNECTED);
}

int32_t
vcl_proxy_client_has_cert_sess(struct policy_ctx *ctx)
{
    return tls_bit(ctx, TLS_CERT_SESS);
}

int32_t
vcl_proxy_client_has_cert_conn(struct policy_ctx *ctx)
{
    return tls_bit(ctx, TLS_CERT_CONN);
}

/* Returns 0 (success) also without TLS data: the result has a meaning only with a client certificate. */
int64_t
vcl_proxy_ssl_verify_result(struct policy_ctx *ctx)
{
    const uint8_t *p = (const uint8_t *)tls_field(ctx).ptr;
    return p == NULL ? 0 : (int64_t)p[1] << 24 | p[2] << 16 | p[3] << 8 | p[4];
}

struct span
vcl_proxy_ssl_version(struct policy_ctx *ctx)
{
    return tls_text(ctx, FIELD_TLS_VERSION);
}

struct span
vcl_proxy_client_cert_cn(struct policy_ctx *ctx)
{
    return tls_text(ctx, FIELD_TLS_CN);
}

struct span
vcl_proxy_ssl_cipher(struct policy_ctx *ctx)
{
    return tls_text(ctx, FIELD_TLS_CIPHER);
}

struct span
vcl_proxy_cert_sign(struct policy_ctx *ctx)
{
    return tls_text(ctx, FIELD_TLS_SIGNATURE);
}

struct span
vcl_proxy_cert_key(struct policy_ctx *ctx)
{
    return tls_text(ctx, FIELD_TLS_KEY);
}
