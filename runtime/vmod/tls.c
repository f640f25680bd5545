/* Module tls: the handshake of a client with a listener that has HTTPS. Connections to origins have no TLS:
 * in vcl_backend_response there are no facts. */
#include "exports_vmod.h"
#include "policy/exports.h"
#include "stream/session.h"
#include "tls/facts.h"

/* NULL: no TLS of ours. */
static struct conn *
conn_of(const struct policy_ctx *ctx)
{
    struct session *s = ctx->client == NULL ? NULL : ctx->client->session;
    return s == NULL ? NULL : session_tls(s);
}

static struct span
fact_of(struct policy_ctx *ctx, enum tls_fact fact)
{
    struct text text = { 0 };
    const struct conn *c = conn_of(ctx);
    bool has = c != NULL && tls_fact(c, fact, &text);
    struct span kept = has ? vcl_keep(ctx, ctx->arena, text_span(&text)) : SPAN_NULL;
    text_release(&text);
    return kept;
}

int32_t
vcl_tls_is_tls(struct policy_ctx *ctx)
{
    return conn_of(ctx) != NULL;
}

int32_t
vcl_tls_resumed(struct policy_ctx *ctx)
{
    const struct conn *c = conn_of(ctx);
    return c != NULL && tls_resumed(c);
}

struct span
vcl_tls_version(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_VERSION);
}

struct span
vcl_tls_cipher(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CIPHER);
}

struct span
vcl_tls_authority(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_AUTHORITY);
}

struct span
vcl_tls_alpn(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_ALPN);
}

struct span
vcl_tls_cert_sign(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CERT_SIGN);
}

struct span
vcl_tls_cert_key(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CERT_KEY);
}

struct span
vcl_tls_group(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_GROUP);
}

struct span
vcl_tls_client_verify(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CLIENT_VERIFY);
}

struct span
vcl_tls_client_subject(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CLIENT_SUBJECT);
}

struct span
vcl_tls_client_issuer(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CLIENT_ISSUER);
}

struct span
vcl_tls_client_serial(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CLIENT_SERIAL);
}

struct span
vcl_tls_client_san(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CLIENT_SAN);
}

struct span
vcl_tls_client_sha256(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_CLIENT_SHA256);
}

struct span
vcl_tls_ja3(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_JA3);
}

struct span
vcl_tls_ja4(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_JA4);
}

struct span
vcl_tls_ja4_r(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_JA4_R);
}

struct span
vcl_tls_ja4_o(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_JA4_O);
}

struct span
vcl_tls_ja4_ro(struct policy_ctx *ctx)
{
    return fact_of(ctx, TLS_FACT_JA4_RO);
}
