/* Text forms and small helpers, shared by function files of this room and of vmod. */
#ifndef VERNIS_POLICY_LIB_H
#define VERNIS_POLICY_LIB_H

#include "loop/conn.h"
#include "policy_abi.h"
#include "vcl_literals.h"

/* Tells whether a SUB value can be called now. `sub` is its place in the image. `name` becomes SPAN_NULL when
 * the value is unset. */
enum sub_call { SUB_CALLABLE, SUB_NONE, SUB_NOT_HERE, SUB_RUNS };
enum sub_call sub_may_be_called(const struct policy_ctx *ctx, int32_t sub, struct span *name);

void fail_match_limit(struct policy_ctx *ctx); /* PCRE2 gave up a match, so the hook fails */

/* Returns the first part of the last concatenation if `text` is its result, else all of `text`: messages show
 * only this part of a long argument. */
struct span text_first_part(const struct policy_ctx *ctx, struct span text);
/* ASCII letters only; the result is never unset */
struct span text_upper(struct policy_ctx *ctx, struct span s);
struct span text_lower(struct policy_ctx *ctx, struct span s);
struct span time_text(struct policy_ctx *ctx, double t); /* HTTP date; calls vcl_fail when out of range */
struct span ip_text(struct policy_ctx *ctx, const struct vcl_ip *ip); /* numeric, without port */
/* An address as the policy sees it; a Unix socket is 0.0.0.0 without a port. NULL: out of workspace. */
const struct vcl_ip *ip_of_address(struct policy_ctx *ctx, const struct address *a);
struct span header_family(enum vcl_msg msg); /* "req.http." */
/* Parses a HEADER argument such as "req.http.Cookie". NULL: the message does not exist in this hook, or the
 * prefix is unknown. */
struct http_message *header_of_text(struct policy_ctx *ctx, struct span text, struct span *name);
/* Adds a ban from an expression. False: no ban was added, and `error` has the reason, or NULL if the
 * workspace is full. `refused`: the expression was valid but the store refused the ban. */
bool ban_by_text(struct policy_ctx *ctx, struct span text, const char **error, bool *refused);
/* The two alphabets (RFC 4648, 4 and 5). */
#define BASE64_STANDARD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
#define BASE64_URL "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
/* Writes at most n / 3 * 4 + 4 bytes and returns their number. pad '\0': no padding. */
size_t base64_encode(const char digits[64], char pad, const void *from, size_t n, char *out);

#endif
