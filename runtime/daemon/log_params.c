/* The log's parameters: see log_params.h. */
#include "daemon/log_params.h"

#include <stdatomic.h>
#include <stdint.h>

#include "daemon/params.h"
#include "base/params.h"
#include "log/ring.h"
#include "log/tags.h"
#include "log/txn.h"

static bool reasons_on[REASONS_ASKERS];

static uint64_t
reason_bits(unsigned word)
{
    uint64_t bits = 0;
    if (TAG_DEBUG / 64 == word && (reasons_on[REASONS_FOR_COMMANDS] || reasons_on[REASONS_FOR_DASHBOARD]))
        bits |= UINT64_C(1) << TAG_DEBUG % 64;
    if (TAG_VCL_TRACE / 64 == word && reasons_on[REASONS_FOR_COMMANDS])
        bits |= UINT64_C(1) << TAG_VCL_TRACE % 64;
    return bits;
}

void
log_params_reasons(enum reasons_asker who, bool on)
{
    reasons_on[who] = on;
    log_params_apply();
}

void
log_params_apply(void)
{
    const struct param_row *mask = param_find("vsl_mask");
    uint64_t bits[2] = { 0, 0 };
    for (unsigned i = 0; mask->bits[i] != NULL; i++) {
        unsigned tag = i + 1; /* the names are in the order of the tags, from Debug */
        if (param_bit("vsl_mask", mask->bits[i]))
            bits[tag / 64] |= UINT64_C(1) << tag % 64;
    }
    atomic_store(&log_reasons_wanted, reasons_on[REASONS_FOR_COMMANDS] || reasons_on[REASONS_FOR_DASHBOARD]);
    for (unsigned i = 0; i < 2; i++)
        atomic_store(&log_mask[i], bits[i] | reason_bits(i));
    log_set_limits(params.vsl_reclen_bytes, params.vsl_buffer_bytes, param_bit("debug", "syncvsl"));
}
