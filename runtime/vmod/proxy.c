/* Module proxy: TLS data of the client's connection, which a TLS offloader sends in the typed fields of a
 * PROXY version 2 header. Without it, the same fields are made of a handshake of ours. */
#include "exports_vmod.h"
#include "policy/exports.h"
#include "stream/proxy_fields.h"
#include "stream/session.h"

/* The client's TLS may end at an offloader that speaks TLS with us, too: then its fields tell of the client.
 * Fetches have a copy of the fields. */
static struct span
fields_of(struct policy_ctx *ctx)
{
    struct client_vars *v = client_of(ctx);
    if (v == NULL || v->session == NULL || proxy_field_tls(v->proxy_fields).ptr != NULL)
        return v == NULL ? SPAN_NULL : v->proxy_fields;
    const struct conn *c = session_tls(v->session);
    struct span made = c == NULL ? SPAN_NULL : proxy_fields_make(c, ctx->arena);
    if (c != NULL && made.ptr == NULL)
        vcl_fail(ctx, "Workspace overflow");
    if (made.ptr != NULL)
        v->proxy_fields = made;
    return v->proxy_fields;
}

static struct span
field_of(struct policy_ctx *ctx, enum proxy_field type)
{
    return proxy_field_find(fields_of(ctx), type);
}

static struct span
text_of(struct policy_ctx *ctx, struct span field)
{
    return field.ptr == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, field);
}

static struct span
tls_text(struct policy_ctx *ctx, enum proxy_field type)
{
    struct span tls = proxy_field_tls(fields_of(ctx));
    if (tls.ptr == NULL)
        return SPAN_NULL;
    return text_of(ctx, proxy_field_find(span_of(tls.ptr + PROXY_TLS_HEAD, tls.len - PROXY_TLS_HEAD), type));
}

struct span
vcl_proxy_alpn(struct policy_ctx *ctx)
{
    return text_of(ctx, field_of(ctx, PROXY_ALPN));
}

struct span
vcl_proxy_authority(struct policy_ctx *ctx)
{
    return text_of(ctx, field_of(ctx, PROXY_AUTHORITY));
}

int32_t
vcl_proxy_is_ssl(struct policy_ctx *ctx)
{
    return proxy_field_tls_bit(fields_of(ctx), PROXY_TLS_CONNECTED);
}

int32_t
vcl_proxy_client_has_cert_sess(struct policy_ctx *ctx)
{
    return proxy_field_tls_bit(fields_of(ctx), PROXY_TLS_CERT_SESS);
}

int32_t
vcl_proxy_client_has_cert_conn(struct policy_ctx *ctx)
{
    return proxy_field_tls_bit(fields_of(ctx), PROXY_TLS_CERT_CONN);
}

/* Returns 0 (success) also without TLS data: the result has a meaning only with a client certificate. */
int64_t
vcl_proxy_ssl_verify_result(struct policy_ctx *ctx)
{
    const uint8_t *p = (const uint8_t *)proxy_field_tls(fields_of(ctx)).ptr;
    return p == NULL ? 0 : (int64_t)p[1] << 24 | p[2] << 16 | p[3] << 8 | p[4];
}

struct span
vcl_proxy_ssl_version(struct policy_ctx *ctx)
{
    return tls_text(ctx, PROXY_TLS_VERSION);
}

struct span
vcl_proxy_client_cert_cn(struct policy_ctx *ctx)
{
    return tls_text(ctx, PROXY_TLS_CN);
}

struct span
vcl_proxy_ssl_cipher(struct policy_ctx *ctx)
{
    return tls_text(ctx, PROXY_TLS_CIPHER);
}

struct span
vcl_proxy_cert_sign(struct policy_ctx *ctx)
{
    return tls_text(ctx, PROXY_TLS_SIGNATURE);
}

struct span
vcl_proxy_cert_key(struct policy_ctx *ctx)
{
    return tls_text(ctx, PROXY_TLS_KEY);
}
