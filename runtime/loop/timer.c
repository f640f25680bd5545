/* Timers of a loop, in a 4-ary heap. Timeouts move far more often than they fire, and nearly always to a
 * later time. Such a move changes only the timer's own deadline; the heap sorts the timer again when its old
 * key comes up. */
#include <stdlib.h>

#include "base/check.h"
#include "loop/loop.h"
#include "loop/loop_internal.h"

#define HEAP_FIRST_CAP 64

static void
heap_place(struct timer_heap *h, uint32_t at, struct timer_entry e)
{
    h->entries[at] = e;
    e.timer->slot = at;
}

/* Children of i are 4i-2 .. 4i+1, its parent is (i+2)/4. */
static void
heap_up(struct timer_heap *h, uint32_t at, struct timer_entry e)
{
    while (at > 1) {
        uint32_t parent = (at + 2) / 4;
        if (h->entries[parent].key <= e.key)
            break;
        heap_place(h, at, h->entries[parent]);
        at = parent;
    }
    heap_place(h, at, e);
}

static void
heap_down(struct timer_heap *h, uint32_t at, struct timer_entry e)
{
    for (;;) {
        uint32_t child = 4 * at - 2, end = child + 4 <= h->n + 1 ? child + 4 : h->n + 1;
        uint32_t least = child;
        for (uint32_t i = child + 1; i < end; i++)
            if (h->entries[i].key < h->entries[least].key)
                least = i;
        if (child > h->n || h->entries[least].key >= e.key)
            break;
        heap_place(h, at, h->entries[least]);
        at = least;
    }
    heap_place(h, at, e);
}

static void
heap_resize(struct timer_heap *h, uint32_t cap)
{
    h->entries = realloc(h->entries, (size_t)cap * sizeof *h->entries);
    CHECK(h->entries != NULL);
    h->cap = cap;
}

static void
heap_add(struct timer_heap *h, struct timer_entry e)
{
    if (h->n + 2 > h->cap)
        heap_resize(h, h->cap == 0 ? HEAP_FIRST_CAP : h->cap * 2);
    h->n++;
    heap_up(h, h->n, e);
}

static void
heap_remove(struct timer_heap *h, uint32_t at)
{
    CHECK(at >= 1 && at <= h->n);
    CHECK(h->entries[at].timer->slot == at);
    h->entries[at].timer->slot = 0;
    struct timer_entry last = h->entries[h->n];
    h->n--;
    if (at <= h->n) {
        if (at > 1 && last.key < h->entries[(at + 2) / 4].key)
            heap_up(h, at, last);
        else
            heap_down(h, at, last);
    }
    if (h->cap > HEAP_FIRST_CAP && h->n < h->cap / 8)
        heap_resize(h, h->cap / 4);
}

void
timer_set(struct loop *loop, struct timer *t, nsec deadline)
{
    DEBUG_CHECK(loop_may_use(loop));
    struct timer_heap *h = &loop->timers;
    CHECK(t->fn != NULL);
    if (deadline == NSEC_NEVER) {
        timer_cancel(loop, t);
        return;
    }
    list_remove(&t->link); /* it may be due in this round but not have run yet */
    t->deadline = deadline;
    struct timer_entry e = { .key = deadline, .timer = t };
    if (t->slot == 0)
        heap_add(h, e);
    else if (deadline < h->entries[t->slot].key)
        heap_up(h, t->slot, e);
}

void
timer_cancel(struct loop *loop, struct timer *t)
{
    t->deadline = 0;
    list_remove(&t->link);
    if (t->slot != 0)
        heap_remove(&loop->timers, t->slot);
}

void
timer_suspend(struct timer *t)
{
    list_remove(&t->link);
    /* NSEC_NEVER is a later deadline: the heap sorts t when its old one comes */
    t->deadline = t->slot == 0 ? 0 : NSEC_NEVER;
}

bool
timer_is_set(const struct timer *t)
{
    return t->deadline != 0 && t->deadline != NSEC_NEVER;
}

nsec
timers_next(const struct loop *loop)
{
    return loop->timers.n == 0 ? NSEC_NEVER : loop->timers.entries[1].key;
}

/* Due timers leave the heap before the first callback, so that a timer that sets itself to now does not run
 * twice in a round. */
static void
timers_detach_due(struct loop *loop, struct list *due)
{
    struct timer_heap *h = &loop->timers;
    while (h->n > 0 && h->entries[1].key <= loop->now) {
        struct timer *t = h->entries[1].timer;
        if (t->deadline > h->entries[1].key) { /* the deadline was moved later */
            heap_down(h, 1, (struct timer_entry){ .key = t->deadline, .timer = t });
        } else {
            heap_remove(h, 1);
            list_push_back(due, &t->link);
        }
    }
}

void
timers_run(struct loop *loop)
{
    if (timers_next(loop) > loop->now)
        return;
    struct list due;
    list_init(&due);
    timers_detach_due(loop, &due);
    struct list *link;
    struct slice slice = { 0 };
    while ((link = list_pop_front(&due)) != NULL) {
        struct timer *t = container_of(link, struct timer, link);
        t->deadline = 0;
        t->fn(t); /* may set, cancel or free any timer, itself too */
        if (slice_is_over(&slice, 1))
            break;
    }
    while ((link = list_pop_front(&due)) != NULL) {
        struct timer *t = container_of(link, struct timer, link);
        timer_set(loop, t, t->deadline);
    }
}

void
timers_release(struct loop *loop)
{
    free(loop->timers.entries);
    loop->timers = (struct timer_heap){ 0 };
}
