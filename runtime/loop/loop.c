/* The event loop of one thread: epoll, the mailbox, the order of a round. A round makes one system call,
 * epoll_wait (and sched_yield, if it was large), and reads the clocks from the vDSO. The eventfd that wakes a
 * sleeping loop is edge-triggered, so a write of any value wakes the loop, and nobody reads its counter. */
#include "loop/loop.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "log/counters.h"
#include "log/txn.h"
#include "loop/loop_internal.h"

#define WAIT_MAX_MSEC 60000 /* longest sleep; the loop then checks a later timer again */
#define ROW_MAX 32          /* events of a row */
#define LETTERS_PER_CLOCK 8 /* items of the mailbox between two looks at the clock */
#define OFFER_EVENTS_MIN 16 /* events of a round after which the loop offers its CPU */
#define OFFER_LOST_MAX (NSEC_PER_MSEC / 2)
#define WEIGH_EVERY NSEC_PER_SEC
#define LOG_PAUSE (5 * NSEC_PER_MSEC) /* readers look every 10 ms */

static _Thread_local struct loop *current;

struct loop *
loop_current(void)
{
    return current;
}

bool
loop_is_current(const struct loop *loop)
{
    return loop == current;
}

bool
loop_may_use(const struct loop *loop)
{
    return current == NULL || current == loop;
}

struct loop *
loop_swap_current(struct loop *loop)
{
    struct loop *before = current;
    current = loop;
    return before;
}

unsigned
loop_id(const struct loop *loop)
{
    return loop->id;
}

unsigned
loop_part(unsigned n)
{
    return current == NULL ? 0 : current->id % n;
}

nsec
loop_now(const struct loop *loop)
{
    return loop->now;
}

nsec
loop_real(const struct loop *loop)
{
    return loop->real;
}

void *
loop_get(const struct loop *loop, const struct loop_slot *slot)
{
    return loop->slots[atomic_load_explicit(&slot->place, memory_order_relaxed)];
}

static unsigned
place_of(struct loop_slot *slot)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned places_taken;
    CHECK(pthread_mutex_lock(&lock) == 0);
    unsigned place = atomic_load(&slot->place);
    if (place == 0) {
        place = ++places_taken;
        CHECK(place < LOOP_SLOTS_MAX);
        atomic_store(&slot->place, place);
    }
    CHECK(pthread_mutex_unlock(&lock) == 0);
    return place;
}

void
loop_put(struct loop *loop, struct loop_slot *slot, void *value)
{
    loop->slots[place_of(slot)] = value;
}

static void
loop_take_clock(struct loop *loop)
{
    loop->now = clock_mono_ns();
    loop->real = clock_real_ns();
}

int
loop_new(unsigned id, struct loop **out)
{
    struct loop *loop = aligned_alloc(64, (sizeof *loop + 63) & ~(size_t)63);
    CHECK(loop != NULL);
    *loop = (struct loop){ .id = id, .epoll_fd = -1, .wake_fd = -1 };
    fibers_init(loop);
    list_init(&loop->row);
    list_init(&loop->ends);
    loop_take_clock(loop);
    loop->weighed = loop->now;
    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event ev = { .events = EPOLLIN | EPOLLET }; /* data.ptr NULL: nothing to deliver */
    int err = 0;
    if (loop->epoll_fd < 0 || loop->wake_fd < 0 ||
        epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, loop->wake_fd, &ev) != 0)
        err = ERR_SYS;
    if (err == 0)
        *out = loop;
    else
        loop_release(&loop);
    return err;
}

void
loop_release(struct loop **loop)
{
    struct loop *l = *loop;
    if (l == NULL)
        return;
    CHECK(current != l);
    fibers_release(l);
    timers_release(l);
    if (l->wake_fd >= 0)
        close(l->wake_fd);
    if (l->epoll_fd >= 0)
        close(l->epoll_fd);
    free(l);
    *loop = NULL;
}

/* ---- descriptors ---- */

#define EVENTS_OF_STREAM (EPOLLIN | EPOLLRDHUP | EPOLLET)

static int
control(struct loop *loop, struct poll_handle *h, int operation)
{
    struct epoll_event ev = { .events = h->events, .data.ptr = h };
    return epoll_ctl(loop->epoll_fd, operation, h->fd, &ev) == 0 ? 0 : ERR_SYS;
}

static int
watch(struct loop *loop, struct poll_handle *h, uint32_t events)
{
    CHECK(h->on_event != NULL);
    h->events = events;
    return control(loop, h, EPOLL_CTL_ADD);
}

int
loop_add(struct loop *loop, struct poll_handle *h)
{
    return watch(loop, h, EVENTS_OF_STREAM);
}

int
loop_add_listen(struct loop *loop, struct poll_handle *h)
{
    return watch(loop, h, EPOLLIN | EPOLLEXCLUSIVE);
}

int
loop_add_later(struct loop *loop, struct poll_handle *h)
{
    CHECK(current == NULL || current == loop);
    if (loop->n_added == LOOP_ADDED_MAX)
        return loop_add(loop, h);
    CHECK(h->on_event != NULL);
    h->events = EVENTS_OF_STREAM;
    loop->added[loop->n_added++] = h;
    return 0;
}

/* Index of h in loop->added, or -1. */
static int
place_among_added(const struct loop *loop, const struct poll_handle *h)
{
    for (int i = loop->n_added - 1; i >= 0; i--)
        if (loop->added[i] == h)
            return i;
    return -1;
}

void
loop_watch_room(struct loop *loop, struct poll_handle *h)
{
    if ((h->events & EPOLLOUT) != 0)
        return;
    h->events |= EPOLLOUT;
    if (place_among_added(loop, h) < 0)
        CHECK(control(loop, h, EPOLL_CTL_MOD) == 0);
}

/* Removes h from the events not yet delivered and from loop->added. Returns false when epoll does not know h
 * yet. */
static bool
drop(struct loop *loop, struct poll_handle *h)
{
    CHECK(current == NULL || current == loop);
    for (int i = loop->at_event; i < loop->n_events; i++)
        if (loop->events[i].data.ptr == h)
            loop->events[i].data.ptr = NULL;
    int at = place_among_added(loop, h);
    if (at < 0)
        return true;
    loop->added[at] = NULL;
    if (at == loop->n_added - 1)
        loop->n_added--;
    return false;
}

void
loop_remove(struct loop *loop, struct poll_handle *h)
{
    if (drop(loop, h))
        (void)control(loop, h, EPOLL_CTL_DEL);
}

void
loop_unwatch(struct loop *loop, struct poll_handle *h)
{
    (void)control(loop, h, EPOLL_CTL_DEL);
}

void
loop_forget(struct loop *loop, struct poll_handle *h)
{
    (void)drop(loop, h);
}

/* If epoll refuses a handle, its owner gets EPOLLERR, and may close this handle and others. */
static void
watch_added(struct loop *loop)
{
    for (int i = 0; i < loop->n_added; i++) {
        struct poll_handle *h = loop->added[i];
        loop->added[i] = NULL;
        if (h == NULL || control(loop, h, EPOLL_CTL_ADD) == 0)
            continue;
        /* The kernel refuses to watch the socket (max_user_watches, memory). End it, so that its owner does
         * not wait for an event. */
        h->events |= EPOLLOUT;
        (void)shutdown(h->fd, SHUT_RDWR);
        h->on_event(h, EPOLLERR | EPOLLHUP);
    }
    loop->n_added = 0;
}

/* ---- mailbox ---- */

/* Sequential consistency prevents a lost wake. loop_wait stores `sleeping`, then reads the mailbox. loop_post
 * pushes to the mailbox, then reads `sleeping`. At least one side sees the other's store. */
void
loop_post(struct loop *loop, struct post *p)
{
    CHECK(p->fn != NULL);
    struct post *head = atomic_load_explicit(&loop->mailbox, memory_order_relaxed);
    do
        p->next = head;
    while (!atomic_compare_exchange_weak_explicit(&loop->mailbox, &head, p, memory_order_seq_cst,
                                                  memory_order_relaxed));
    if (atomic_load(&loop->sleeping) && atomic_exchange(&loop->sleeping, false))
        CHECK(eventfd_write(loop->wake_fd, 1) == 0);
}

void
loop_stop(struct loop *loop)
{
    atomic_store(&loop->stopping, true);
    if (atomic_exchange(&loop->sleeping, false))
        CHECK(eventfd_write(loop->wake_fd, 1) == 0);
}

static void
letters_take(struct loop *loop)
{
    struct post *newest = atomic_exchange_explicit(&loop->mailbox, NULL, memory_order_acquire);
    while (newest != NULL) {
        struct post *next = newest->next;
        newest->next = loop->letters;
        loop->letters = newest;
        newest = next;
    }
}

/* Runs items in the order they were posted. Items posted during this run wait for the next round, and so do
 * those that are left over after a slice. */
__attribute__((noinline)) static void
letters_run(struct loop *loop)
{
    struct slice slice = { 0 };
    if (loop->letters == NULL)
        letters_take(loop);
    while (loop->letters != NULL) {
        struct post *p = loop->letters;
        loop->letters = p->next;
        p->fn(p); /* may post p again, or free it */
        if (slice_is_over(&slice, LETTERS_PER_CLOCK))
            break;
    }
}

static inline void
mailbox_run(struct loop *loop)
{
    if (loop->letters != NULL || atomic_load_explicit(&loop->mailbox, memory_order_relaxed) != NULL)
        letters_run(loop);
}

/* ---- rounds ---- */

/* Shows the part of the time that the loop has worked since it last did. */
__attribute__((noinline)) static void
weigh(struct loop *loop)
{
    nsec since = loop->now - loop->weighed, worked = loop->worked < since ? loop->worked : since;
    unsigned busy = (unsigned)((double)worked / (double)since * LOOP_BUSY);
    atomic_store_explicit(&loop->load.busy, busy, memory_order_relaxed);
    loop->worked = 0;
    loop->weighed = loop->now;
}

struct loop_load *
loop_load(struct loop *loop)
{
    return &loop->load;
}

/* Rounds up, so that a timer is due when the wait for it ends. A loop that was busy wakes once more to show
 * that it no longer is. */
static int
wait_msec(const struct loop *loop, nsec max_wait)
{
    nsec next = timers_next(loop);
    nsec wait = next == NSEC_NEVER ? NSEC_NEVER : next - loop->now;
    if (max_wait < wait)
        wait = max_wait;
    if (wait > WEIGH_EVERY && atomic_load_explicit(&loop->load.busy, memory_order_relaxed) > 0)
        wait = WEIGH_EVERY;
    if (wait <= 0 || loop->letters != NULL || fibers_waiting_to_run(loop) || !list_empty(&loop->ends))
        return 0;
    if (wait >= WAIT_MAX_MSEC * NSEC_PER_MSEC)
        return WAIT_MAX_MSEC;
    return (int)((wait + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC);
}

/* A loop whose sockets are always ready never sleeps, and a kernel without preemption takes the CPU from it
 * only at a timer tick (4 ms). Clients on the same CPU wait for that tick, so the loop offers the CPU after
 * each large round. A busy program may keep it for a whole tick: then the loop does not offer it again for as
 * long, and keeps its share. */
static void
cpu_offer(struct loop *loop)
{
    if (loop->n_handled < OFFER_EVENTS_MIN || loop->now < loop->offer_next)
        return;
    nsec before = loop->now;
    sched_yield();
    loop_take_clock(loop);
    nsec lost = loop->now - before;
    loop->offer_next = lost > OFFER_LOST_MAX ? loop->now + lost : loop->now;
}

/* Shows readers the records of the last rounds. All loops write to one log, under one lock, so a loop does it
 * at most once in LOG_PAUSE, unless its buffer is full. Returns for how long the records wait. A loop that
 * has waited for nothing else does not look at its clock, which may stand still (clock_stop). */
static nsec
log_show(struct loop *loop)
{
    if (log_is_flushed())
        return NSEC_NEVER;
    if (loop->now < loop->log_next && !loop->waited_in_vain)
        return loop->log_next - loop->now;
    log_flush();
    loop->log_next = loop->now + LOG_PAUSE;
    return NSEC_NEVER;
}

static void
loop_wait(struct loop *loop, nsec max_wait)
{
    loop->rounds.part = PART_WATCH;
    watch_added(loop);
    loop->rounds.part = PART_LOG;
    nsec records_wait = log_show(loop);
    nsec began = loop->now;
    loop->now = clock_mono_ns();
    loop->worked += loop->now - began;
    if (loop->now - loop->weighed >= WEIGH_EVERY)
        weigh(loop);
    if (loop->now - began >= ROUND_LONG)
        round_was_long(loop, began);
    loop->rounds.part = PART_WAIT;
    counters_settle();
    cpu_offer(loop);
    if (loop->row_closed) { /* the last round left events over */
        loop->row_closed = false;
        return;
    }
    int msec = wait_msec(loop, records_wait < max_wait ? records_wait : max_wait);
    if (msec > 0) {
        atomic_store(&loop->sleeping, true);
        if (atomic_load(&loop->mailbox) != NULL || atomic_load(&loop->stopping))
            msec = 0;
    }
    int n = epoll_wait(loop->epoll_fd, loop->events, LOOP_EVENTS_MAX, msec);
    atomic_store_explicit(&loop->sleeping, false, memory_order_relaxed);
    CHECK(n >= 0 || errno == EINTR);
    loop->waited_in_vain = n == 0 && msec > 0;
    loop->n_events = n < 0 ? 0 : n;
}

/* Reads of a row before its work: each step of a row finds its code, and the kernel's, in the cache of the
 * processor. */
static void
row_read_ahead(struct loop *loop, int end)
{
    for (int i = loop->at_event; i < end; i++) {
        struct epoll_event *ev = &loop->events[i];
        struct poll_handle *h = ev->data.ptr;
        if (h != NULL && h->on_ahead != NULL)
            h->on_ahead(h, ev->events);
    }
}

static inline void
row_deliver(struct loop *loop, int end)
{
    if (end - loop->at_event > 1)
        row_read_ahead(loop, end);
    for (; loop->at_event < end; loop->at_event++) {
        struct epoll_event *ev = &loop->events[loop->at_event];
        struct poll_handle *h = ev->data.ptr;
        if (h != NULL)
            h->on_event(h, ev->events);
    }
    loop_row_run(loop);
}

/* Events left over after a slice wait for the next round, before new ones. */
__attribute__((noinline)) static void
rows_deliver(struct loop *loop)
{
    struct slice slice = { .end = loop->now + PART_SLICE };
    bool over = false;
    for (int left; !over && (left = loop->n_events - loop->at_event) > 0;) {
        row_deliver(loop, loop->at_event + (left < ROW_MAX ? left : ROW_MAX));
        over = slice_is_over(&slice, 1);
    }
}

static void
events_deliver(struct loop *loop)
{
    CHECK(loop->n_events >= 0 && loop->n_events <= LOOP_EVENTS_MAX);
    int first = loop->at_event;
    if (loop->n_events - first <= ROW_MAX)
        row_deliver(loop, loop->n_events);
    else
        rows_deliver(loop);
    loop->n_handled = loop->at_event - first;
    loop->row_closed = loop->at_event < loop->n_events;
    if (!loop->row_closed)
        loop->n_events = loop->at_event = 0;
}

nsec
loop_next_timer(const struct loop *loop)
{
    return timers_next(loop);
}

unsigned
loop_events(const struct loop *loop)
{
    return (unsigned)loop->n_events;
}

static void
loop_round(struct loop *loop, nsec max_wait)
{
    CHECK(loop->fibers.current == NULL);
    loop_wait(loop, max_wait);
    loop_take_clock(loop);
    if (loop->now - loop->rounds.cpu_read >= ROUND_LONG)
        round_read_cpu(loop);
    loop->rounds.part = PART_EVENTS;
    events_deliver(loop);
    loop->rounds.part = PART_MAILBOX;
    mailbox_run(loop);
    loop->rounds.part = PART_TIMERS;
    timers_run(loop);
    loop->rounds.part = PART_FIBERS;
    fibers_run(loop);
    /* Items posted in this round: the bytes a fetch received go out before the next wait. */
    mailbox_run(loop);
    fibers_run_woken(loop);
    loop->rounds.part = PART_ENDS;
    loop_ends_run(loop);
}

void
loop_run(struct loop *loop)
{
    struct loop *before = loop_swap_current(loop);
    CHECK(before == NULL);
    rounds_watch(loop);
    while (!atomic_load_explicit(&loop->stopping, memory_order_acquire))
        loop_round(loop, NSEC_NEVER);
    rounds_unwatch(loop);
    loop_swap_current(before);
}

void
loop_run_once(struct loop *loop, nsec max_wait)
{
    struct loop *before = loop_swap_current(loop);
    CHECK(before == NULL);
    loop_take_clock(loop);
    loop_round(loop, max_wait);
    loop_swap_current(before);
}
