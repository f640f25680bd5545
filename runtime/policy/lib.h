/* Text forms and small helpers that several files of functions share. Private to this room. */
#ifndef VERNIS_LIB_H
#define VERNIS_LIB_H

#include "loop/conn.h"
#include "policy_abi.h"

struct span time_text(struct policy_ctx *ctx, double t);                    /* HTTP date; fails when out of range */
struct span ip_text(struct policy_ctx *ctx, const struct vcl_ip *ip);       /* numeric, without port */
/* An address as the policy sees it; a Unix socket is 0.0.0.0 without a port. NULL when out of workspace. */
const struct vcl_ip *ip_of_address(struct policy_ctx *ctx, const struct address *a);
/* Writes at most n / 3 * 4 + 4 bytes; pad '\0': none. Returns how many. */
size_t base64_encode(const char digits[64], char pad, const void *from, size_t n, char *out);

#endif
