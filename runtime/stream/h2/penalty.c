/* An HTTP/2 session leaves its use of the budget as a debt to the next one of its address
 * (stream/addresses.h). Without it, a client whose connection was closed would connect again and have a new
 * budget. */
#include "base/params.h"
#include "log/report.h"
#include "stream/addresses.h"
#include "stream/h2/connection.h"

#define LATE_FROM 0.75 /* debt from which on sessions begin late */
#define USED_LEAST 0.5 /* sessions that ended with less were not misused */

static nsec
now_of(const struct h2_connection *c)
{
    return loop_now(c->wire->session.service->loop);
}

/* NULL: there are no penalties for it. */
static const struct address *
address_of_client(const struct h2_connection *c)
{
    return params.h2_penalty_s > 0 ? session_known_client(&c->wire->session) : NULL;
}

/* ---- the end of a session ---- */

void
h2_penalty_charge(struct h2_connection *c, enum h2_cost kind)
{
    static struct log_limiter limiter;
    const struct address *a = address_of_client(c);
    char text[ADDRESS_TEXT_BYTES];
    double part = kind == H2_COST_BROKEN ? h2_budget_price(kind) : 1;
    if (a == NULL || part == 0)
        return;
    addresses_charge(a, part, now_of(c));
    address_text(a, text);
    log_line_limited(
        &limiter, now_of(c), LOG_LEVEL_WARNING,
        "client %s misuses HTTP/2 (%s): closed, and its next connections begin with less (h2_penalty)", text,
        h2_cost_name(kind));
}

void
h2_penalty_end(struct h2_connection *c)
{
    const struct address *a = address_of_client(c);
    double own = h2_budget_own(&c->budget, now_of(c));
    if (a != NULL && c->budget.used >= USED_LEAST && !c->calm) /* a calm one was charged */
        addresses_charge(a, own, now_of(c));
}

/* ---- the beginning ---- */

bool
h2_penalty_begin(struct h2_connection *c)
{
    const struct address *a = address_of_client(c);
    double debt = a == NULL ? 0 : addresses_debt(a, now_of(c));
    if (debt == 0)
        return true;
    h2_budget_begin(&c->budget, debt, now_of(c));
    if (debt < LATE_FROM)
        return true;
    if (!addresses_wait(a)) {
        h2_counters(c)->h2_sessions_refused++;
        return false;
    }
    h2_counters(c)->h2_sessions_late++;
    c->state = H2_LATE;
    timer_set(c->wire->session.service->loop, &c->wire->timer,
              nsec_add(now_of(c), nsec_of(params.h2_penalty_s)));
    return true;
}

void
h2_penalty_stop(struct h2_connection *c)
{
    if (c->state == H2_LATE)
        addresses_waited(session_known_client(&c->wire->session));
}

void
h2_penalty_over(struct h2_connection *c)
{
    h2_penalty_stop(c);
    c->state = H2_OPEN;
    h2_budget_begin(&c->budget, addresses_debt(session_known_client(&c->wire->session), now_of(c)),
                    now_of(c));
}
