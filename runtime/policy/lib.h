/* Text forms and small helpers that several files of functions share. Private to this room. */
#ifndef VERNIS_LIB_H
#define VERNIS_LIB_H

#include "loop/conn.h"
#include "policy_abi.h"

/* What has a text form: 15 digits, 3 of a real's behind its point (RFC 8941, 3.3.1 and 3.3.2). */
#define VCL_INT_MAX 999999999999999
#define VCL_REAL_MAX 999999999999.999

/* Whether a sub that is a value can be called now, by its place in the image. `name` is SPAN_NULL when there is none. */
enum sub_call { SUB_CALLABLE, SUB_NONE, SUB_NOT_HERE, SUB_RUNS };
enum sub_call sub_may_be_called(const struct policy_ctx *ctx, int32_t sub, struct span *name);

/* The first part of a text that was joined last, else all of it: what a message shows of a long argument. */
struct span text_first_part(const struct policy_ctx *ctx, struct span text);
struct span time_text(struct policy_ctx *ctx, double t);                    /* HTTP date; fails when out of range */
struct span ip_text(struct policy_ctx *ctx, const struct vcl_ip *ip);       /* numeric, without port */
/* An address as the policy sees it; a Unix socket is 0.0.0.0 without a port. NULL when out of workspace. */
const struct vcl_ip *ip_of_address(struct policy_ctx *ctx, const struct address *a);
/* "req.http.Cookie", as HEADER arguments arrive. NULL when the message is not there or the family unknown. */
struct http_message *header_of_text(struct policy_ctx *ctx, struct span text, struct span *name);
/* The two alphabets (RFC 4648, 4 and 5). */
#define BASE64_STANDARD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
#define BASE64_URL "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
/* Writes at most n / 3 * 4 + 4 bytes; pad '\0': none. Returns how many. */
size_t base64_encode(const char digits[64], char pad, const void *from, size_t n, char *out);

#endif
