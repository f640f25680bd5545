/* Helpers of accessors of several messages, here and in vmod. */
#ifndef VERNIS_VARS_TEXT_H
#define VERNIS_VARS_TEXT_H

#include "policy/vars.h"
#include "policy_abi.h"

/* Method, URL and protocol: never empty, no blanks or controls that would end them early. `part` is in m. */
void set_line_part(struct policy_ctx *ctx, struct http_message *m, struct span *part, struct span text, const char *name);
void set_reason(struct policy_ctx *ctx, struct http_message *m, struct span text, const char *name);
bool is_status(struct policy_ctx *ctx, int64_t status, const char *name);      /* else fails */
void set_status(struct policy_ctx *ctx, struct http_message *m, int64_t status, const char *name);    /* and its standard reason */
struct http_message *message_of_object(struct policy_ctx *ctx);     /* of ctx->obj; NULL: there is none, or no room (fails) */
const struct vcl_blob *blob_of_key(struct policy_ctx *ctx, const struct cache_key *key);     /* SHA-256 */

#endif
