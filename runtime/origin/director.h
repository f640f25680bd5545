/* Members of a director, and helpers that all kinds of directors share. Private to this room. */
#ifndef VERNIS_ORIGIN_DIRECTOR_H
#define VERNIS_ORIGIN_DIRECTOR_H

#include <pthread.h>
#include <stdatomic.h>

#include "origin/backend.h"

#define DIRECTOR_MEMBERS_MAX 65536u
#define DIRECTOR_DEPTH_MAX 16 /* directors inside directors */

struct member {
    struct director *director;
    double weight;
};

struct members { /* normally changed in vcl_init only; read by every loop */
    pthread_rwlock_t lock;
    struct member *list;
    unsigned n, cap;
};

void members_init(struct members *m);
void members_release(struct members *m);
/* ERR_LIMIT when d is NULL, d contains `self`, or m is full. */
int members_add(struct members *m, struct director *self, struct director *d, double weight);
/* True if `wanted` is d or lies below d. Also true past DIRECTOR_DEPTH_MAX levels, so that callers refuse
 * loops and deep nests alike. */
bool director_reaches(struct director *d, struct director *wanted);
/* removes the first entry of d and returns its index; UINT_MAX: not a member */
unsigned members_remove(struct members *m, struct director *d);
/* true if any member is healthy */
bool members_healthy(struct members *m, const struct policy_ctx *ctx, double *changed_s);
void members_each(struct members *m, void (*each)(struct director *member, void *arg), void *arg);
/* Picks a healthy member by weight; `point` is in [0, 1). NULL: no member is healthy. */
struct director *members_pick(struct members *m, const struct policy_ctx *ctx, double point);

double random_unit(void); /* [0, 1), any thread */
/* As random_unit, but takes one number of a seeded sequence instead of two (debug.srandom). */
double random_choice(void);

#endif
