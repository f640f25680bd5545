/* The budget of an HTTP/2 session: see budget.h. */
#include "stream/h2/budget.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "log/counters.h"

#define ROUNDING 1e-9 /* sums of fractions are not exact: a limit of 100 allows 100 */
#define LOW_SHARE 0.75
#define BEGIN_MOST 0.99
#define GONE (1 + ROUNDING)
#define HEADER_BYTES_A_WORK 1024

double
h2_budget_price(enum h2_cost kind)
{
    uint32_t limit = 0;
    switch (kind) {
    case H2_COST_RESET: limit = params.h2_rapid_reset_limit; break;
    case H2_COST_CONTROL:
    case H2_COST_EMPTY:
    case H2_COST_TINY: limit = params.h2_frame_limit; break;
    case H2_COST_HEADER: limit = params.h2_header_limit_bytes; break;
    case H2_COST_BROKEN: limit = params.h2_broken_limit; break;
    case H2_COSTS: CHECK(false);
    }
    return limit == 0 ? 0 : 1.0 / limit;
}

static void
refill(struct h2_budget *b, nsec now)
{
    double passed = (double)(now - b->at) / (double)NSEC_PER_SEC;
    b->used = fmax(0, b->used - passed / params.h2_budget_period_s);
    b->at = now;
    if (b->used == 0)
        b->began = 0;
}

void
h2_budget_begin(struct h2_budget *b, double used, nsec now)
{
    *b = (struct h2_budget){ .used = fmin(used, BEGIN_MOST), .at = now };
    b->began = b->used;
}

double
h2_budget_own(struct h2_budget *b, nsec now)
{
    refill(b, now);
    return fmax(0, b->used - b->began);
}

enum h2_budget_state
h2_budget_charge(struct h2_budget *b, enum h2_cost kind, size_t n, nsec now)
{
    refill(b, now);
    if (b->used == 0)
        memset(b->by, 0, sizeof b->by);
    double cost = h2_budget_price(kind) * (double)n;
    b->used += cost;
    b->by[kind] += (float)cost;
    if (b->used > GONE)
        return H2_BUDGET_GONE;
    double low = b->began + (1 - b->began) * LOW_SHARE;
    return b->used > low + ROUNDING ? H2_BUDGET_LOW : H2_BUDGET_LEFT;
}

enum h2_cost
h2_budget_worst(const struct h2_budget *b)
{
    enum h2_cost worst = H2_COST_RESET;
    for (enum h2_cost kind = H2_COST_RESET; kind < H2_COSTS; kind++)
        if (b->by[kind] > b->by[worst])
            worst = kind;
    return worst;
}

void
h2_budget_work(struct h2_budget *b, size_t n)
{
    double gain = h2_budget_price(H2_COST_CONTROL) + HEADER_BYTES_A_WORK * h2_budget_price(H2_COST_HEADER);
    b->used = fmax(0, b->used - gain * (double)n);
}

enum h2_cost
h2_reset_cost(nsec age)
{
    double rapid = params.h2_rapid_reset_s;
    return rapid == 0 || (double)age < rapid * (double)NSEC_PER_SEC ? H2_COST_RESET : H2_COST_CONTROL;
}

void
h2_budget_count_kill(struct counters *c, enum h2_cost kind)
{
    uint64_t *const counts[H2_COSTS] = {
        [H2_COST_RESET] = &c->h2_killed_reset,   [H2_COST_CONTROL] = &c->h2_killed_control,
        [H2_COST_EMPTY] = &c->h2_killed_empty,   [H2_COST_TINY] = &c->h2_killed_tiny,
        [H2_COST_HEADER] = &c->h2_killed_header, [H2_COST_BROKEN] = &c->h2_killed_broken,
    };
    CHECK(kind < H2_COSTS);
    ++*counts[kind];
}

const char *
h2_cost_name(enum h2_cost kind)
{
    static const char *const names[H2_COSTS] = {
        [H2_COST_RESET] = "resets",         [H2_COST_CONTROL] = "control frames",
        [H2_COST_EMPTY] = "empty frames",   [H2_COST_TINY] = "tiny DATA frames",
        [H2_COST_HEADER] = "header fields", [H2_COST_BROKEN] = "broken frames",
    };
    CHECK(kind < H2_COSTS);
    return names[kind];
}
