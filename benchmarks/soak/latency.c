/* A histogram of response times: sixteen buckets for each doubling. */
#include "latency.h"

#include <stdatomic.h>
#include <stddef.h>

#define STEP_BITS 4u
#define STEPS (1u << STEP_BITS)
#define BUCKETS (64u * STEPS)

static atomic_ullong counts[BUCKETS], worst;

static unsigned
bucket_of(uint64_t us)
{
    if (us < STEPS)
        return (unsigned)us;
    unsigned shift = 63u - (unsigned)__builtin_clzll(us) - STEP_BITS;
    return (shift + 1) * STEPS + (unsigned)(us >> shift) % STEPS;
}

static uint64_t
end_of(unsigned bucket)
{
    if (bucket < STEPS)
        return bucket + 1;
    unsigned shift = bucket / STEPS - 1;
    return (uint64_t)(STEPS + bucket % STEPS + 1) << shift;
}

void
latency_note(uint64_t us)
{
    unsigned long long before = atomic_load(&worst);
    atomic_fetch_add(&counts[bucket_of(us)], 1);
    while (us > before && !atomic_compare_exchange_weak(&worst, &before, us))
        ;
}

double
latency_worst_ms(void)
{
    return (double)atomic_load(&worst) / 1e3;
}

double
latency_of_share_ms(double share)
{
    uint64_t all = 0, so_far = 0;
    for (unsigned i = 0; i < BUCKETS; i++)
        all += atomic_load(&counts[i]);
    for (unsigned i = 0; i < BUCKETS; i++) {
        so_far += atomic_load(&counts[i]);
        if (so_far > 0 && (double)so_far >= share * (double)all)
            return (double)end_of(i) / 1e3;
    }
    return 0;
}
