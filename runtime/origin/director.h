/* Members of a director, and what its kinds share. Private to this room. */
#ifndef VERNIS_DIRECTOR_H
#define VERNIS_DIRECTOR_H

#include <pthread.h>
#include <stdatomic.h>

#include "origin/backend.h"

#define DIRECTOR_MEMBERS_MAX 65536u
#define DIRECTOR_DEPTH_MAX 16           /* directors inside directors */

struct member {
    struct director *director;
    double weight;
};

struct members {                        /* changed by vcl_init as a rule, read by every loop */
    pthread_rwlock_t lock;
    struct member *list;
    unsigned n, cap;
};

void members_init(struct members *m);
void members_release(struct members *m);
/* ERR_LIMIT when d is none, holds `self` somewhere below, or there are too many. */
int members_add(struct members *m, struct director *self, struct director *d, double weight);
/* Is `wanted` d, or somewhere below it? Too many levels count as yes: neither may be built. */
bool director_reaches(struct director *d, struct director *wanted);
unsigned members_remove(struct members *m, struct director *d);        /* its first place, which is told; UINT_MAX: it has none */
bool members_healthy(struct members *m, const struct policy_ctx *ctx, double *changed_s);     /* any of them */
void members_each(struct members *m, void (*each)(struct director *member, void *arg), void *arg);
/* By weight among healthy ones; NULL: none. */
struct director *members_pick(struct members *m, const struct policy_ctx *ctx, double point);

double random_unit(void);               /* [0, 1), any thread */
double random_choice(void);             /* the same; differs from it only in what it takes of a known sequence (debug.srandom) */

#endif
