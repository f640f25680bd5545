/* Module bodyaccess: the length, a match, a hash and a log of the request body that std.cache_req_body
 * kept. */
#include <openssl/evp.h>

#include "exports_vmod.h"
#include "log/txn.h"
#include "match/pcre.h"
#include "policy/exports.h"

/* True if the body was kept and this is the right hook. Otherwise logs the reason. */
static bool
can_look(struct policy_ctx *ctx, unsigned hook, const char *where)
{
    const struct client_vars *c = ctx->client;
    bool kept = c != NULL && c->content.ptr != NULL;
    if (!kept)
        log_text(ctx->log, TAG_VCL_ERROR, SPAN_LIT("Unbuffered req.body"));
    else if (ctx->hook != hook)
        log_printf(ctx->log, TAG_VCL_ERROR, "%s{}", where);
    return kept && ctx->hook == hook;
}

int64_t
vcl_bodyaccess_len_req_body(struct policy_ctx *ctx)
{
    return can_look(ctx, HOOK_RECV, "len_req_body can only be used in vcl_recv")
             ? (int64_t)ctx->client->content.len
             : -1;
}

int64_t
vcl_bodyaccess_rematch_req_body(struct policy_ctx *ctx, const struct regex *re)
{
    if (re == NULL || !can_look(ctx, HOOK_RECV, "rematch_req_body can be used only in vcl_recv"))
        return -1;
    int found = regex_match(re, ctx->client->content);
    if (found < 0)
        log_text(ctx->log, TAG_VCL_ERROR, SPAN_LIT("rematch_req_body: a limit of matching was reached"));
    return found < 0 ? -1 : found;
}

/* Adds a digest of the body to the cache key, because keys are stored and compared whole and must not hold
 * megabytes. */
void
vcl_bodyaccess_hash_req_body(struct policy_ctx *ctx)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (!can_look(ctx, HOOK_HASH, "hash_req_body can only be used in vcl_hash"))
        return;
    struct span content = ctx->client->content;
    if (EVP_Digest(content.ptr, content.len, digest, &n, EVP_sha256(), NULL) != 1) {
        vcl_fail(ctx, "bodyaccess: SHA-256 is not available here");
        return;
    }
    if (log_wants(TAG_HASH))
        log_text(ctx->log, TAG_HASH, content);
    key_add(&ctx->client->key, ctx->arena, span_of((const char *)digest, n));
    if (ctx->client->key.failed)
        vcl_fail(ctx, "the cache key is too long, or out of workspace");
}

/* Logs the body in records of `length` bytes, each with the prefix. */
void
vcl_bodyaccess_log_req_body(struct policy_ctx *ctx, struct span prefix, int64_t length)
{
    if (!can_look(ctx, ctx->hook, "") || !log_wants(TAG_DEBUG))
        return;
    struct span left = ctx->client->content;
    while (left.len > 0) {
        size_t n = length > 0 && (uint64_t)length < left.len ? (size_t)length : left.len;
        log_printf(ctx->log, TAG_DEBUG, "%.*s%.*s", (int)prefix.len, prefix.ptr == NULL ? "" : prefix.ptr,
                   (int)n, left.ptr);
        left = span_of(left.ptr + n, left.len - n);
    }
}
