/* Helpers for accessors of all messages, in this room and vmod. */
#ifndef VERNIS_POLICY_VARS_TEXT_H
#define VERNIS_POLICY_VARS_TEXT_H

#include "policy/vars.h"
#include "policy_abi.h"

/* Sets the method, URL or protocol. Fails on empty text, and on blanks or controls that would end the part
 * early. `part` lies in m. */
void set_line_part(struct policy_ctx *ctx, struct http_message *m, struct span *part, struct span text,
                   const char *name);
void set_reason(struct policy_ctx *ctx, struct http_message *m, struct span text, const char *name);
bool is_status(struct policy_ctx *ctx, int64_t status, const char *name); /* calls vcl_fail if not */
/* also sets the standard reason */
void set_status(struct policy_ctx *ctx, struct http_message *m, int64_t status, const char *name);
/* head of ctx->obj; NULL: no object, or out of workspace (vcl_fail) */
struct http_message *message_of_object(struct policy_ctx *ctx);
const struct vcl_blob *blob_of_key(struct policy_ctx *ctx, const struct cache_key *key); /* SHA-256 */

#endif
