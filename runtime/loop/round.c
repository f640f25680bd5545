/* How long a loop works in one round, while all its other clients wait. The loop reads the clock once more at
 * the end of each round. Of a long round it also reads the CPU time of its thread, because a round on a busy
 * machine contains the time of other programs. A timer on the same CPU time interrupts a loop that works: the
 * handler sees when a round exceeds loop_stall_warn, and names its step while the step still runs. So the log
 * names an endless step as well, before the manager kills the worker. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/params.h"
#include "base/put.h"
#include "log/counters.h"
#include "log/report.h"
#include "log/txn.h"
#include "loop/loop_internal.h"

#ifndef sigev_notify_thread_id /* glibc before 2.41 */
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define LINE_BYTES (ROUND_STEP_BYTES + 256)
#define SAMPLE_EVERY (10 * NSEC_PER_MSEC)

static struct log_limiter limiter;
static const char *const parts[] = { [PART_EVENTS] = "events of sockets",
                                     [PART_MAILBOX] = "mailbox",
                                     [PART_TIMERS] = "timers",
                                     [PART_FIBERS] = "fibers",
                                     [PART_ENDS] = "writes of many streams",
                                     [PART_WATCH] = "new sockets",
                                     [PART_LOG] = "records of the log",
                                     [PART_WAIT] = "wait for events" };

static nsec
shorter(nsec a, nsec b)
{
    return a < b ? a : b;
}

/* Formats without the C library, because on_sample calls it. */
static void
warn(const struct loop *loop, nsec now, nsec work)
{
    unsigned left_out;
    if (LOG_LEVEL_WARNING > log_level_shown || !log_limiter_pass(&limiter, now, &left_out))
        return;
    char line[LINE_BYTES], *p = line;
    p = put_span(p, SPAN_LIT("Warning: loop "));
    p = put_decimal(p, loop->id);
    p = put_span(p, SPAN_LIT(" has worked for "));
    p = put_decimal(p, (uint64_t)(work / NSEC_PER_MSEC));
    p = put_span(p, SPAN_LIT(" ms without a pause, longer than loop_stall_warn: "));
    p = put_span(p, span_str(loop->rounds.step));
    if (left_out > 0) {
        p = put_span(p, SPAN_LIT(" ("));
        p = put_decimal(p, left_out);
        p = put_span(p, SPAN_LIT(" such messages left out before)"));
    }
    *p++ = '\n';
    ssize_t unused = write(STDERR_FILENO, line, (size_t)(p - line));
    (void)unused;
}

/* A signal handler, on the loop's thread and on the stack of its fiber, because callgrind cannot follow a
 * handler from a fiber to another stack. It needs about 4 KiB, most of them for the kernel's frame. */
static void
on_sample(int number)
{
    struct loop *loop = loop_current();
    nsec limit = nsec_of(params.loop_stall_warn_s);
    (void)number;
    if (loop == NULL || limit <= 0 || loop->rounds.told)
        return;
    int before = errno;
    struct rounds *r = &loop->rounds;
    nsec now = clock_mono_ns(), work = shorter(clock_thread_ns() - r->cpu, now - loop->now);
    if (work >= limit / 2 &&
        !check_describe(r->step, sizeof r->step)) /* perhaps the last sample of this round */
        *put_span(r->step, span_str(parts[r->part])) = '\0';
    if (work >= limit) {
        r->told = true;
        warn(loop, now, work);
    }
    errno = before;
}

/* Without a timer, round_was_long still counts and warns, but names no step. */
void
rounds_watch(struct loop *loop)
{
    struct rounds *r = &loop->rounds;
    struct sigaction sa = { .sa_handler = on_sample, .sa_flags = SA_RESTART };
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
    struct timespec every = { .tv_nsec = SAMPLE_EVERY };
    sigemptyset(&sa.sa_mask);
    CHECK(sigaction(SIGRTMIN, &sa, NULL) == 0);
    event.sigev_notify_thread_id = gettid();
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &r->timer) != 0)
        return;
    r->sampled = true;
    CHECK(timer_settime(r->timer, 0, &(struct itimerspec){ .it_interval = every, .it_value = every }, NULL) ==
          0);
}

void
rounds_unwatch(struct loop *loop)
{
    if (loop->rounds.sampled)
        CHECK(timer_delete(loop->rounds.timer) == 0);
    loop->rounds.sampled = false;
}

void
round_read_cpu(struct loop *loop)
{
    loop->rounds.cpu = clock_thread_ns();
    loop->rounds.cpu_read = loop->now;
}

static void
count_long(struct loop *loop, nsec work)
{
    struct rounds *r = &loop->rounds;
    struct counters *c = counters_here();
    uint64_t usec = (uint64_t)work / 1000;
    if (usec > c->loop_longest_round_us)
        c->loop_longest_round_us = usec;
    nsec limit = nsec_of(params.loop_stall_warn_s);
    if (limit <= 0 || work < limit)
        return;
    c->loop_stalls++;
    if (r->step[0] == '\0')
        *put_span(r->step, SPAN_LIT("unknown step")) = '\0';
    if (!r->told)
        warn(loop, loop->now, work);
    log_printf(&log_untied, TAG_ERROR, "Loop %u worked for %lld ms without a pause: %s", loop->id,
               (long long)(work / NSEC_PER_MSEC), r->step);
    log_flush();
}

void
round_was_long(struct loop *loop, nsec began)
{
    struct rounds *r = &loop->rounds;
    nsec before = r->cpu;
    round_read_cpu(loop);
    nsec work = shorter(r->cpu - before, loop->now - began);
    if (work >= ROUND_LONG)
        count_long(loop, work);
    r->told = false;
    r->step[0] = '\0';
}
