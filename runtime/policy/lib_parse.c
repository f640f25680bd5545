/* Values from text in vcl 5.0. A value that may be absent is two functions for a compiled policy: X_of gives
 * it, or 0; X_of_is tells whether the text is one. Both are pure, so code that needs one calls only that. */
#include "base/literal.h"
#include "http/fields.h"
#include "policy/exports.h"

int64_t
vcl_int_of(struct policy_ctx *ctx, struct span text)
{
    int64_t value = 0;
    (void)literal_int(text, &value);
    return value;
}

int32_t
vcl_int_of_is(struct policy_ctx *ctx, struct span text)
{
    int64_t value;
    return literal_int(text, &value);
}

double
vcl_real_of(struct policy_ctx *ctx, struct span text)
{
    double value = 0;
    (void)literal_real(text, &value);
    return value;
}

int32_t
vcl_real_of_is(struct policy_ctx *ctx, struct span text)
{
    double value;
    return literal_real(text, &value);
}

double
vcl_duration_of(struct policy_ctx *ctx, struct span text)
{
    double seconds = 0;
    (void)literal_duration(text, &seconds);
    return seconds;
}

int32_t
vcl_duration_of_is(struct policy_ctx *ctx, struct span text)
{
    double seconds;
    return literal_duration(text, &seconds);
}

int64_t
vcl_bytes_of(struct policy_ctx *ctx, struct span text)
{
    int64_t bytes = 0;
    (void)literal_bytes(text, &bytes);
    return bytes;
}

int32_t
vcl_bytes_of_is(struct policy_ctx *ctx, struct span text)
{
    int64_t bytes;
    return literal_bytes(text, &bytes);
}

double
vcl_time_of(struct policy_ctx *ctx, struct span text)
{
    int64_t seconds = 0;
    return http_date_seconds(text, &seconds) == 0 ? (double)seconds : 0;
}

int32_t
vcl_time_of_is(struct policy_ctx *ctx, struct span text)
{
    int64_t seconds;
    return http_date_seconds(text, &seconds) == 0;
}

const struct vcl_ip *
vcl_ip_of(struct policy_ctx *ctx, struct span text)
{
    uint8_t address[16];
    size_t bytes;
    if (!literal_address(text, address, &bytes))
        return NULL;
    struct vcl_ip *ip = vcl_alloc(ctx, sizeof *ip);
    if (ip == NULL)
        return NULL;
    *ip = (struct vcl_ip){ .family = bytes == 4 ? 4 : 6 };
    memcpy(ip->addr, address, bytes);
    return ip;
}

int32_t
vcl_ip_of_is(struct policy_ctx *ctx, struct span text)
{
    uint8_t address[16];
    size_t bytes;
    return literal_address(text, address, &bytes);
}
