/* Text forms and small helpers that several files of functions share, here and in vmod. */
#ifndef VERNIS_LIB_H
#define VERNIS_LIB_H

#include "loop/conn.h"
#include "policy_abi.h"
#include "vcl_literals.h"

/* Whether a sub that is a value can be called now, by its place in the image. `name` is SPAN_NULL when there is none. */
enum sub_call { SUB_CALLABLE, SUB_NONE, SUB_NOT_HERE, SUB_RUNS };
enum sub_call sub_may_be_called(const struct policy_ctx *ctx, int32_t sub, struct span *name);

/* The first part of a text that was joined last, else all of it: what a message shows of a long argument. */
struct span text_first_part(const struct policy_ctx *ctx, struct span text);
struct span text_upper(struct policy_ctx *ctx, struct span s);              /* ASCII letters; always set */
struct span text_lower(struct policy_ctx *ctx, struct span s);
struct span time_text(struct policy_ctx *ctx, double t);                    /* HTTP date; fails when out of range */
struct span ip_text(struct policy_ctx *ctx, const struct vcl_ip *ip);       /* numeric, without port */
/* An address as the policy sees it; a Unix socket is 0.0.0.0 without a port. NULL when out of workspace. */
const struct vcl_ip *ip_of_address(struct policy_ctx *ctx, const struct address *a);
struct span header_family(enum vcl_msg msg);                    /* "req.http." */
/* "req.http.Cookie", as HEADER arguments arrive. NULL when the message is not there or the family unknown. */
struct http_message *header_of_text(struct policy_ctx *ctx, struct span text, struct span *name);
/* Bans what the expression describes. False: nothing was banned, and `error` says why; NULL when even that had no room. */
bool ban_by_text(struct policy_ctx *ctx, struct span text, const char **error, bool *refused);
/* The two alphabets (RFC 4648, 4 and 5). */
#define BASE64_STANDARD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
#define BASE64_URL "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
/* Writes at most n / 3 * 4 + 4 bytes; pad '\0': none. Returns how many. */
size_t base64_encode(const char digits[64], char pad, const void *from, size_t n, char *out);

#endif
