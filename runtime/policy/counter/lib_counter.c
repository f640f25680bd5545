/* Functions of counters that compiled code calls. */
#include "base/check.h"
#include "policy/counter/counters.h"
#include "policy/exports.h"
#include "policy/state.h"

/* The value of a label as it stands between the quotes of a series' key: ASCII without control characters,
 * with `"` and `\` escaped as Prometheus wants it, and cut behind a whole character. */
struct span
vcl_counter_label(struct policy_ctx *ctx, struct span value)
{
    char *result = vcl_alloc(ctx, COUNTER_VALUE_MAX + 1);
    size_t n = 0;
    if (result == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        bool escaped = c == '"' || c == '\\';
        if (n + 1 + escaped > COUNTER_VALUE_MAX)
            break;
        if (escaped)
            result[n++] = '\\';
        result[n++] = c >= ' ' && c < 0x7f ? c : '?';
    }
    ctx->fresh = result;
    return span_of(result, n);
}

void
vcl_counter_add(struct policy_ctx *ctx, int64_t counter, struct span series)
{
    CHECK(counter >= 0 && counter < (int64_t)ctx->policy->n_counters);
    policy_counter_add(ctx->policy->counters[counter], ctx->rule_slot, series);
}
