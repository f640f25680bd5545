/* The budget of one HTTP/2 session: a bound on the work that a client causes without use for anybody. Resets,
 * frames without content and decoded header fields all take from it, so an attacker who mixes them gains
 * nothing. The budget refills with time (h2_budget_period) and with useful work. */
#ifndef VERNIS_STREAM_H2_BUDGET_H
#define VERNIS_STREAM_H2_BUDGET_H

#include <stddef.h>

#include "base/clock.h"

struct counters;

/* Each has its counter, H2.killed_*. */
enum h2_cost {
    H2_COST_RESET,   /* rapid reset, by the client or caused by it (h2_rapid_reset_limit) */
    H2_COST_CONTROL, /* SETTINGS, PING, PRIORITY, WINDOW_UPDATE, unknown frame, late reset (h2_frame_limit) */
    H2_COST_EMPTY,   /* DATA, HEADERS or CONTINUATION without a byte, which ends nothing (h2_frame_limit) */
    H2_COST_TINY,    /* DATA of less than H2_TINY_BYTES, which does not end the body (h2_frame_limit) */
    H2_COST_HEADER,  /* byte of decoded header fields (h2_header_limit) */
    H2_COST_BROKEN,  /* connection that broke the protocol: for its address alone (h2_broken_limit) */
    H2_COSTS
};

#define H2_TINY_BYTES 64u

enum h2_budget_state {
    H2_BUDGET_LEFT,
    H2_BUDGET_LOW, /* three quarters of what it began with are used up: end the session gracefully */
    H2_BUDGET_GONE /* end the session at once: ENHANCE_YOUR_CALM */
};

/* Zeroed: full. */
struct h2_budget {
    double used;        /* 0: full; 1: gone */
    double began;       /* the part that was used up at the beginning; 0 once the budget was full */
    nsec at;            /* CLOCK_MONOTONIC, of the last refill */
    float by[H2_COSTS]; /* what each kind has used since the budget was full */
};

/* Begins with what earlier sessions of the client left: `used` of it is gone. A little is left even then, so
 * that a good client that shares its address with a bad one can send a request. */
void h2_budget_begin(struct h2_budget *b, double used, nsec now);
/* The part that this session used up and did not earn back. */
double h2_budget_own(struct h2_budget *b, nsec now);
double h2_budget_price(enum h2_cost kind); /* the part of a full budget that one frame or byte takes */
/* n: frames, or bytes of H2_COST_HEADER. Prices are the parameters of this moment. */
enum h2_budget_state h2_budget_charge(struct h2_budget *b, enum h2_cost kind, size_t n, nsec now);
/* n requests were answered, or kilobytes of a body were sent or received. Each gives back the price of one
 * frame and of one kilobyte of header fields. */
void h2_budget_work(struct h2_budget *b, size_t n);
/* a reset so long after the request's head counts as H2_COST_RESET; otherwise as H2_COST_CONTROL */
enum h2_cost h2_reset_cost(nsec age);
const char *h2_cost_name(enum h2_cost kind);
enum h2_cost h2_budget_worst(const struct h2_budget *b); /* the kind that has used most */
void h2_budget_count_kill(struct counters *c, enum h2_cost kind);

#endif
