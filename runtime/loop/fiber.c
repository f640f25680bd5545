/* Fibers over Boost.Context's two C symbols. A fiber's record lies at the top of its own stack mapping, so a
 * recycled stack needs no allocation. When a fiber parks, control returns to its resumer: the loop, or the
 * fiber that spawned it. The pool keeps the stacks of ended fibers and reuses the last used stack first. It
 * unmaps spare stacks in steps, once they were not needed for a while: unmapping them at once would cost page
 * faults in every burst.
 *
 * All loops share fibers_max. A loop takes its share in pieces, so that a request that finds its fiber within
 * the share writes to no memory of other loops. */
#include "loop/fiber.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "loop/loop.h"
#include "loop/loop_internal.h"

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#endif
#ifndef FIBER_ASAN
#define FIBER_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__)
#define FIBER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FIBER_TSAN 1
#endif
#endif
#ifndef FIBER_TSAN
#define FIBER_TSAN 0
#endif

#if FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* Defined in Boost.Context's assembly files. */
typedef struct {
    void *fctx;
    void *data;
} transfer_t;
extern transfer_t jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *stack_top, size_t size, void (*fn)(transfer_t));

#define STACKS_WARM 64        /* idle stacks that each loop keeps for ever */
#define STACKS_TRIM_BATCH 256 /* unmapped at a time */
#define STACKS_TRIM_PERIOD NSEC_PER_SEC
#define FIBER_SLICE (100 * 1000) /* ns a fiber may run before fiber_yield_if_due yields */
/* PCRE2's JIT needs about 140 bytes of stack for each of the at most 64 Ki parts of a pattern */
#define DEEP_STACK_BYTES (8u << 20)
#define DEEP_STACK_KEPT_BYTES (256u << 10)
#define PIECE_MAX 64u      /* fibers that a loop adds to its share at a time */
#define PIECES_OF_LOOP 16u /* idle loops hold at most an eighth of fibers_max: two pieces each */
#define FIBER_PASSES_MAX 8 /* limits fibers that wake each other, so that events get their turn */
#define WOKEN_STEPS 4      /* woken fibers between two looks at the clock */

enum fiber_state { FIBER_IDLE, FIBER_RUNNING, FIBER_PARKED, FIBER_RUNNABLE };

struct fiber {
    struct list link; /* in runnable, yielded or idle */
    struct loop *loop;
    void *context;                   /* where the fiber continues; valid while it does not run */
    void *resumer;                   /* where control returns when the fiber parks; valid while it runs */
    const struct check_place *place; /* value of check_here; valid while the fiber does not run */
    void (*fn)(void *arg);
    void *arg;
    enum fiber_state state;
    bool woken; /* woken while running: the next park returns at once */
    bool timed_out;
    struct timer timer;
    uint64_t parks;   /* times that control left the fiber before its end */
    nsec slice_start; /* 0 = fiber_yield_if_due was not called yet in this slice */
    char *mapping;    /* guard page first */
    char *low;        /* lowest byte of the stack, which ends where this record begins */
    size_t mapping_bytes;
    /* Sanitizers: stack of the resumer, saved fake stack, TSan's view of the fiber. */
    const void *resumer_stack;
    size_t resumer_stack_bytes;
    void *fake_stack;
    void *tsan, *resumer_tsan;
};

static size_t
page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- sanitizer annotations ---- */

static void
switch_to_fiber_begins(struct fiber *f, void **fake_stack)
{
#if FIBER_ASAN
    __sanitizer_start_switch_fiber(fake_stack, f->low, (size_t)((char *)f - f->low));
#endif
#if FIBER_TSAN
    f->resumer_tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f->tsan, 0);
#endif
    (void)f, (void)fake_stack;
}

static void
switch_to_resumer_ended(void *fake_stack)
{
#if FIBER_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, NULL, NULL);
#endif
    (void)fake_stack;
}

static void
switch_to_resumer_begins(struct fiber *f, bool for_ever)
{
#if FIBER_ASAN
    __sanitizer_start_switch_fiber(for_ever ? NULL : &f->fake_stack, f->resumer_stack,
                                   f->resumer_stack_bytes);
#endif
#if FIBER_TSAN
    __tsan_switch_to_fiber(f->resumer_tsan, 0);
#endif
    (void)f, (void)for_ever;
}

static void
switch_to_fiber_ended(struct fiber *f)
{
#if FIBER_ASAN
    __sanitizer_finish_switch_fiber(f->fake_stack, &f->resumer_stack, &f->resumer_stack_bytes);
#endif
    (void)f;
}

static void
fiber_announce(struct fiber *f)
{
#if FIBER_ASAN
    __asan_unpoison_memory_region(f->low, (size_t)((char *)f - f->low));
    f->fake_stack = NULL;
#endif
#if FIBER_TSAN
    f->tsan = __tsan_create_fiber(0);
#endif
    (void)f;
}

static void
fiber_withdraw(struct fiber *f)
{
#if FIBER_TSAN
    __tsan_destroy_fiber(f->tsan);
#endif
    (void)f;
}

/* ---- stacks ---- */

static struct fiber *
stack_map(struct loop *loop, size_t wanted)
{
    size_t page = page_bytes();
    size_t stack = (wanted + page - 1) / page * page;
    size_t bytes = stack + page;
    char *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (mprotect(p + page, stack, PROT_READ | PROT_WRITE) != 0) {
        munmap(p, bytes);
        return NULL;
    }
    struct fiber *f = (struct fiber *)(p + bytes - ((sizeof *f + 63) & ~(size_t)63));
    f->loop = loop;
    f->mapping = p;
    f->low = p + page;
    f->mapping_bytes = bytes;
    return f;
}

static void
stack_unmap(struct fiber *f)
{
#if FIBER_ASAN
    __asan_unpoison_memory_region(f->mapping, f->mapping_bytes);
#endif
    CHECK(munmap(f->mapping, f->mapping_bytes) == 0);
}

static void
stacks_trim(struct timer *t)
{
    struct fiber_pool *pool = container_of(t, struct fiber_pool, trim);
    struct loop *loop = container_of(pool, struct loop, fibers);
    CHECK(pool->peak >= pool->n_live);
    unsigned keep = pool->peak - pool->n_live > STACKS_WARM ? pool->peak - pool->n_live : STACKS_WARM;
    for (unsigned i = 0; i < STACKS_TRIM_BATCH && pool->n_idle > keep; i++) {
        struct fiber *f = container_of(pool->idle.prev, struct fiber, link);
        list_remove(&f->link);
        pool->n_idle--;
        stack_unmap(f);
    }
    /* Reset the peak only after the last batch. Otherwise later batches of a long series would compare
     * against a stale peak. */
    if (pool->n_idle <= keep)
        pool->peak = pool->n_live;
    if (pool->n_idle > STACKS_WARM)
        timer_set(loop, t, nsec_add(loop->now, STACKS_TRIM_PERIOD));
}

static struct fiber *
stack_take(struct loop *loop)
{
    struct fiber_pool *pool = &loop->fibers;
    struct list *link = list_pop_front(&pool->idle);
    if (link == NULL)
        return stack_map(loop, params.fiber_stack_bytes);
    pool->n_idle--;
    return container_of(link, struct fiber, link);
}

static void
stack_give(struct fiber *f)
{
    struct fiber_pool *pool = &f->loop->fibers;
    CHECK(f->fn == NULL && f->state == FIBER_IDLE);
    list_push_front(&pool->idle, &f->link);
    pool->n_idle++;
    if (pool->n_idle > STACKS_WARM && pool->trim.deadline == 0)
        timer_set(f->loop, &pool->trim, nsec_add(f->loop->now, STACKS_TRIM_PERIOD));
}

/* ---- shares ---- */

static struct {
    _Alignas(CACHE_LINE_BYTES) atomic_uint taken; /* of fibers_max, by all loops */
} shares;

static unsigned
piece(void)
{
    unsigned n = params.fibers_max / (PIECES_OF_LOOP * (params.loops == 0 ? 1 : params.loops));
    return n > PIECE_MAX ? PIECE_MAX : n == 0 ? 1 : n;
}

/* False: fibers_max is reached. */
__attribute__((noinline)) static bool
share_grow(struct fiber_pool *pool)
{
    unsigned taken = atomic_load_explicit(&shares.taken, memory_order_relaxed), wanted = piece(), n;
    do {
        unsigned room = params.fibers_max > taken ? params.fibers_max - taken : 0;
        n = room < wanted ? room : wanted;
    } while (n > 0 && !atomic_compare_exchange_weak_explicit(&shares.taken, &taken, taken + n,
                                                             memory_order_relaxed, memory_order_relaxed));
    pool->share += n;
    pool->spare_max = 2 * wanted;
    return n > 0;
}

__attribute__((noinline)) static void
share_give(struct fiber_pool *pool, unsigned n)
{
    pool->share -= n;
    atomic_fetch_sub_explicit(&shares.taken, n, memory_order_relaxed);
}

/* ---- switching ---- */

static void
fiber_resume(struct fiber *f)
{
    struct fiber_pool *pool = &f->loop->fibers;
    struct fiber *before = pool->current;
    const struct check_place *outside = check_here;
    void *fake_stack = NULL;
    CHECK(f->state != FIBER_RUNNING && f->fn != NULL);
    f->state = FIBER_RUNNING;
    f->slice_start = 0;
    pool->current = f;
    check_here = f->place;
    switch_to_fiber_begins(f, &fake_stack);
    transfer_t back = jump_fcontext(f->context, f);
    switch_to_resumer_ended(fake_stack);
    CHECK(pool->current == f);
    pool->current = before;
    f->place = check_here;
    check_here = outside;
    f->context = back.fctx;
    if (f->fn != NULL)
        return;
    fiber_withdraw(f); /* fn returned */
    f->state = FIBER_IDLE;
    if (f != pool->deep) {
        pool->n_live--;
        stack_give(f);
        if (pool->share - pool->n_live > pool->spare_max)
            share_give(pool, pool->spare_max / 2);
    }
}

static void
fiber_leave(struct fiber *f, enum fiber_state state)
{
    CHECK(f->loop->fibers.current == f && f->resumer != NULL);
    f->state = state;
    f->parks++;
    switch_to_resumer_begins(f, false);
    transfer_t back = jump_fcontext(f->resumer, NULL);
    switch_to_fiber_ended(f);
    f->resumer = back.fctx;
}

static void
fiber_main(transfer_t from)
{
    struct fiber *f = from.data;
    switch_to_fiber_ended(f);
    f->resumer = from.fctx;
    f->fn(f->arg);
    f->fn = NULL;
    switch_to_resumer_begins(f, true);
    jump_fcontext(f->resumer, NULL);
    WRONG("an ended fiber was resumed");
}

static void
fiber_timeout(struct timer *t)
{
    struct fiber *f = container_of(t, struct fiber, timer);
    if (f->state != FIBER_PARKED) /* a wake in this round came first and wins */
        return;
    f->timed_out = true;
    fiber_wake(f);
}

/* Returns when the fiber parks or ends. */
static void
fiber_start(struct fiber *f, void (*fn)(void *arg), void *arg)
{
    f->link = (struct list){ NULL, NULL };
    f->timer = (struct timer){ .fn = fiber_timeout };
    f->fn = fn;
    f->arg = arg;
    f->woken = f->timed_out = false;
    f->place = f == f->loop->fibers.deep ? check_here : NULL; /* a deep call continues the caller's work */
    fiber_announce(f);
    f->context = make_fcontext(f, (size_t)((char *)f - f->low), fiber_main);
    fiber_resume(f);
}

/* Fibers that other loops have taken and do not use count as used. */
bool
fiber_may_wait(const struct loop *loop)
{
    unsigned max = params.fibers_max, reserve = (unsigned)((uint64_t)max * params.fibers_reserve / 100),
             taken = atomic_load_explicit(&shares.taken, memory_order_relaxed),
             spare = loop->fibers.share - loop->fibers.n_live;
    return taken - spare + reserve < max;
}

int
fiber_spawn(struct loop *loop, void (*fn)(void *arg), void *arg)
{
    CHECK(fn != NULL);
    struct loop *before = loop_current();
    CHECK(before == NULL || before == loop);
    struct fiber_pool *pool = &loop->fibers;
    /* fibers_max may have been lowered: tests */
    if ((pool->n_live >= pool->share || pool->n_live >= params.fibers_max) && !share_grow(pool))
        return ERR_LIMIT;
    struct fiber *f = stack_take(loop);
    if (f == NULL)
        return ERR_LIMIT;
    pool->n_live++;
    if (pool->peak < pool->n_live)
        pool->peak = pool->n_live;
    loop_swap_current(loop); /* tests spawn outside loop_run */
    fiber_start(f, fn, arg);
    loop_swap_current(before);
    return 0;
}

/* One deep stack per loop is enough, because code on it never parks. The kernel gets back the pages beyond
 * DEEP_STACK_KEPT_BYTES. */
int
fiber_call_deep(void (*fn)(void *arg), void *arg)
{
    struct fiber *f = fiber_current();
    struct fiber_pool *pool = f == NULL ? NULL : &f->loop->fibers;
    if (f == NULL || f == pool->deep) {
        fn(arg);
        return 0;
    }
    if (pool->deep == NULL && (pool->deep = stack_map(f->loop, DEEP_STACK_BYTES)) == NULL)
        return ERR_NOMEM;
    fiber_start(pool->deep, fn, arg);
    CHECK(pool->deep->fn == NULL);
    (void)madvise(pool->deep->low, DEEP_STACK_BYTES - DEEP_STACK_KEPT_BYTES, MADV_DONTNEED);
    return 0;
}

const char *
fiber_stack(size_t *bytes)
{
    const struct fiber *f = fiber_current();
    if (f == NULL)
        return NULL;
    *bytes = (size_t)((const char *)f - f->low);
    return f->low;
}

uint64_t
fiber_parks(void)
{
    const struct fiber *f = fiber_current();
    return f == NULL ? 0 : f->parks;
}

struct fiber *
fiber_current(void)
{
    struct loop *loop = loop_current();
    return loop == NULL ? NULL : loop->fibers.current;
}

int
fiber_park_until(nsec deadline_mono)
{
    struct fiber *f = fiber_current();
    CHECK(f != NULL && f->state == FIBER_RUNNING);
    if (f->woken) {
        f->woken = false;
        return 0;
    }
    f->timed_out = false;
    if (deadline_mono != NSEC_NEVER)
        timer_set(f->loop, &f->timer, deadline_mono > 0 ? deadline_mono : 1);
    fiber_leave(f, FIBER_PARKED);
    if (deadline_mono != NSEC_NEVER)
        timer_cancel(f->loop, &f->timer);
    return f->timed_out ? ERR_TIMEOUT : 0;
}

void
fiber_park(void)
{
    (void)fiber_park_until(NSEC_NEVER);
}

void
fiber_wake(struct fiber *f)
{
    CHECK(f->state != FIBER_IDLE);
    CHECK(loop_may_use(f->loop));
    if (f->state == FIBER_RUNNING)
        f->woken = true;
    if (f->state != FIBER_PARKED)
        return;
    f->state = FIBER_RUNNABLE;
    list_push_back(&f->loop->fibers.runnable, &f->link);
}

void
fiber_yield(void)
{
    struct fiber *f = fiber_current();
    CHECK(f != NULL && f->state == FIBER_RUNNING);
    list_push_back(&f->loop->fibers.yielded, &f->link);
    fiber_leave(f, FIBER_RUNNABLE);
}

void
fiber_yield_if_due(void)
{
    struct fiber *f = fiber_current();
    if (f == NULL)
        return;
    nsec now = clock_mono_ns();
    if (f->slice_start == 0) /* The slice starts at the first call, which saves a clock read per switch. */
        f->slice_start = now;
    else if (now - f->slice_start >= FIBER_SLICE)
        fiber_yield();
}

unsigned
fiber_count(const struct loop *loop)
{
    return loop->fibers.n_live;
}

/* ---- called by the loop ---- */

static void
list_take_all(struct list *from, struct list *to)
{
    list_init(to);
    if (list_empty(from))
        return;
    *to = *from;
    to->next->prev = to;
    to->prev->next = to;
    list_init(from);
}

void
fibers_init(struct loop *loop)
{
    struct fiber_pool *pool = &loop->fibers;
    list_init(&pool->runnable);
    list_init(&pool->yielded);
    list_init(&pool->idle);
    pool->trim.fn = stacks_trim;
}

bool
fibers_waiting_to_run(const struct loop *loop)
{
    return !list_empty(&loop->fibers.runnable) || !list_empty(&loop->fibers.yielded);
}

/* Puts all of `first` before those of `list`. */
static void
list_put_before(struct list *first, struct list *list)
{
    struct list *link;
    while (!list_empty(first)) {
        link = first->prev;
        list_remove(link);
        list_push_front(list, link);
    }
}

/* Runs the fibers of `list`, not those that join it meanwhile. False: the slice is over, and some are left.
 */
static bool
fibers_run_all(struct list *list, struct slice *slice, unsigned every)
{
    struct list now, *link;
    list_take_all(list, &now);
    while ((link = list_pop_front(&now)) != NULL) {
        fiber_resume(container_of(link, struct fiber, link));
        if (slice_is_over(slice, every) && !list_empty(&now)) {
            list_put_before(&now, list);
            return false;
        }
    }
    return true;
}

void
fibers_run_woken(struct loop *loop)
{
    struct fiber_pool *pool = &loop->fibers;
    struct slice slice = { 0 };
    bool more = true;
    for (int pass = 0; more && pass < FIBER_PASSES_MAX && !list_empty(&pool->runnable); pass++)
        more = fibers_run_all(&pool->runnable, &slice, WOKEN_STEPS);
}

void
fibers_run(struct loop *loop)
{
    struct slice slice = { 0 };
    /* Fibers that yielded in the last round. Those that yield now run in the next round. */
    if (!list_empty(&loop->fibers.yielded))
        (void)fibers_run_all(&loop->fibers.yielded, &slice, 1);
    fibers_run_woken(loop);
}

void
fibers_release(struct loop *loop)
{
    struct fiber_pool *pool = &loop->fibers;
    CHECK(pool->n_live == 0);
    struct list *link;
    while ((link = list_pop_front(&pool->idle)) != NULL)
        stack_unmap(container_of(link, struct fiber, link));
    pool->n_idle = 0;
    if (pool->deep != NULL)
        stack_unmap(pool->deep);
    pool->deep = NULL;
    share_give(pool, pool->share);
    timer_cancel(loop, &pool->trim);
}
