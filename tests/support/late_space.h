/* A space that answers late, out of order, and with errors, like a disk. It has its bytes in memory, and
 * completes each pin when the test decides. One at a time. */
#ifndef VERNIS_TESTS_SUPPORT_LATE_SPACE_H
#define VERNIS_TESTS_SUPPORT_LATE_SPACE_H

#include "base/check.h"
#include "support/memory_space.h"

#define LATE_PINS_MAX 256

struct late_asked {
    struct pin_waiter *waiter; /* NULL: the waiter is gone */
    struct place place;
    struct pinned *into;
};

struct late {
    struct space space;
    struct space *memory;
    struct late_asked asked[LATE_PINS_MAX];
    unsigned n;
    uint64_t checksum; /* of the last place committed */
};

static struct late late;

/* ---- the storage ---- */

static int
late_reserve(struct space *s, uint64_t bytes)
{
    return late.memory->ops->reserve(late.memory, bytes);
}

static void
late_unreserve(struct space *s, uint64_t bytes)
{
    late.memory->ops->unreserve(late.memory, bytes);
}

static int
late_place(struct space *s, uint32_t bytes, struct place *out)
{
    return late.memory->ops->place(late.memory, bytes, out);
}

static int
late_buffer(struct space *s, const struct place *p, char **at)
{
    return late.memory->ops->buffer(late.memory, p, at);
}

static void
late_commit(struct space *s, const struct place *p, uint32_t bytes, uint64_t checksum)
{
    late.checksum = checksum;
    late.memory->ops->commit(late.memory, p, bytes, checksum);
}

static enum pin
late_pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out)
{
    CHECK(late.n < LATE_PINS_MAX);
    late.asked[late.n++] = (struct late_asked){ w, *p, out };
    return PIN_WAIT;
}

static void
late_unwait(struct space *s, struct pin_waiter *w)
{
    for (unsigned i = 0; i < late.n; i++)
        if (late.asked[i].waiter == w)
            late.asked[i].waiter = NULL;
}

static void
late_unpin(struct space *s, struct pinned *x)
{
    late.memory->ops->unpin(late.memory, x);
}

static void
late_free(struct space *s, const struct place *p)
{
    late.memory->ops->free(late.memory, p);
}

static uint64_t
late_cost(uint32_t bytes)
{
    return bytes;
}

static const struct space_ops late_ops = {
    .name = "late",
    .cost = late_cost,
    .reserve = late_reserve,
    .unreserve = late_unreserve,
    .place = late_place,
    .buffer = late_buffer,
    .commit = late_commit,
    .pin = late_pin,
    .unwait = late_unwait,
    .unpin = late_unpin,
    .free = late_free,
};

/* Completes the i-th pin. */
static inline void
late_answer(unsigned i, bool well)
{
    struct late_asked *a = &late.asked[i];
    enum pin result = PIN_FAILED;
    if (a->waiter == NULL)
        return;
    if (well)
        result = late.memory->ops->pin(late.memory, &a->place, NULL, a->into);
    if (result == PIN_READY)
        a->into->space = &late.space;
    struct pin_waiter *w = a->waiter;
    a->waiter = NULL;
    w->fn(w, result);
}

static inline void
late_begin(void)
{
    late = (struct late){ .space.ops = &late_ops };
    CHECK(memory_space_new(0, &late.memory) == 0);
}

/* All places must be free. */
static inline void
late_end(void)
{
    CHECK(memory_space_used(late.memory) == 0);
    memory_space_release(&late.memory);
}

#endif
