/* The life of the worker: see supervise.h. */
#include "manager/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "manager/epoch.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/params.h"
#include "log/report.h"

#define CALL(...) (const char *const[]){ __VA_ARGS__ }

static void start_worker(struct supervisor *s);

static void
answer_caller(supervisor_done_fn **done, void *arg, int status, struct span text)
{
    supervisor_done_fn *fn = *done;
    *done = NULL;
    if (fn != NULL)
        fn(arg, status, text);
}

/* ---- watchdog ------------------------------------------------------------------------------------------ */

static void
pinged(void *arg, int status, struct span text)
{
}

/* Until it accepts connections a worker may take longer: modules and policies start in it. */
static double
patience_s(const struct supervisor *s)
{
    bool starts = s->env.child->state == CHILD_STARTING;
    return starts && params.startup_timeout_s > params.cli_timeout_s ? params.startup_timeout_s
                                                                     : params.cli_timeout_s;
}

static void
watch(struct event_timer *t)
{
    struct supervisor *s = container_of(t, struct supervisor, watchdog);
    nsec now = clock_mono_ns(), interval = nsec_of(params.ping_interval);
    double patience = patience_s(s);
    nsec oldest = child_oldest_call(s->env.child);
    if (s->env.child->pid == 0 || s->env.child->state == CHILD_STOPPING)
        return;
    if (oldest != NSEC_NEVER && now - oldest > nsec_of(patience)) {
        snprintf(s->kill_reason, sizeof s->kill_reason, "it did not answer within %s (%.0f s)",
                 patience > params.cli_timeout_s ? "startup_timeout" : "cli_timeout", patience);
        log_line(LOG_LEVEL_ERROR, "Child (%ld) killed: %s", (long)s->env.child->pid, s->kill_reason);
        child_kill(s->env.child, SIGKILL);
        return;
    }
    if (oldest == NSEC_NEVER && interval > 0 && now - s->pinged >= interval) {
        s->pinged = now;
        child_call(s->env.child, pinged, NULL, 1, CALL("ping"));
    }
    events_timer(s->env.events, t, now + (interval > 0 && interval < NSEC_PER_SEC ? interval : NSEC_PER_SEC));
}

/* ---- start --------------------------------------------------------------------------------------------- */

/* The worker can use no policy: end it, and do not retry before an operator acts. */
static void
give_up(struct supervisor *s)
{
    log_line(LOG_LEVEL_ERROR, "the worker cannot serve: %s", text_cstr(&s->boot_errors));
    s->env.child->state = CHILD_STOPPING;
    child_kill(s->env.child, SIGKILL);
}

static void
accepting(void *arg, int status, struct span text)
{
    struct supervisor *s = arg;
    if (status != CLI_OK || s->env.child->state != CHILD_STARTING)
        return;                         /* it died, or a stop is in progress */
    s->env.child->state = CHILD_RUNNING;
    log_line(LOG_LEVEL_INFO, "Child (%ld) serves policy %s", (long)s->env.child->pid, s->env.policies->active->name);
    answer_caller(&s->started, s->started_arg, CLI_OK, SPAN_LIT(""));
}

/* The worker has the certificates. At the start a set that it refuses is a mistake of the operator; later it is
 * one that the worker before had accepted. */
static void
certified(void *arg, int status, struct span text)
{
    struct supervisor *s = arg;
    if (s->env.child->state != CHILD_STARTING)
        return;                         /* it died, or a stop is in progress */
    if (status != CLI_OK && s->started != NULL) {
        text_add(&s->boot_errors, text);
        give_up(s);
    } else if (s->closed)
        accepting(s, CLI_OK, SPAN_LIT(""));
    else
        child_call(s->env.child, accepting, s, 1, CALL("accept"));
}

/* Result of policies_restore for a new worker. */
static void
restored(void *arg, const struct policy_result *r)
{
    struct supervisor *s = arg;
    text_clear(&s->boot_errors);
    text_add(&s->boot_errors, r->detail);
    if (r->outcome == POLICY_DONE) {
        ticket_keys_send(s->env.tickets);
        if (key_process_is_on(s->env.certificates->certificates->keys))
            changes_send(s->env.certificates, certified, s);
        else
            certified(s, CLI_OK, SPAN_LIT(""));
    } else if (r->outcome == POLICY_NO_WAY_BACK)
        give_up(s);
    else
        CHECK(r->outcome == POLICY_WORKER_GONE);    /* SIGCHLD follows */
}

/* Lack of memory, processes or descriptors may pass. Report it to a waiting caller; retry a restart. */
static void
fork_failed(struct supervisor *s)
{
    bool waits = s->started != NULL;
    log_line(LOG_LEVEL_ERROR, "cannot fork a worker: %s%s", strerror(errno), waits ? "" : "; next try in a second");
    s->env.child->state = waits ? CHILD_STOPPED : CHILD_DIED;
    if (waits)
        answer_caller(&s->started, s->started_arg, CLI_CANT, SPAN_LIT("Cannot fork a worker\n"));
    else
        events_timer(s->env.events, &s->restart, clock_mono_ns() + NSEC_PER_SEC);
}

/* A worker without an epoch of its own serves all the same. */
static void
take_epoch(struct supervisor *s)
{
    struct text why = { 0 };
    if (epoch_next(s->env.inherit->dir, &s->env.inherit->epoch, &why) != 0)
        log_line(LOG_LEVEL_ERROR, "%s", text_cstr(&why));
    text_release(&why);
}

static int
fork_worker(struct supervisor *s)
{
    struct inherit *i = s->env.inherit;
    struct key_process *keys = s->env.certificates->certificates->keys;
    i->n_key_fds = key_process_is_on(keys) ? key_process_loops(keys, params.loops, i->key_fds) : 0;
    int err = child_fork(s->env.child, i);
    for (unsigned at = 0; at < i->n_key_fds; at++)
        close(i->key_fds[at]);
    return err;
}

static void
start_worker(struct supervisor *s)
{
    CHECK(s->env.child->pid == 0 && s->env.policies->active != NULL && s->stopped == NULL);
    s->env.child->state = CHILD_STARTING;
    s->kill_reason[0] = '\0';
    if (shared_worker_new(s->env.shared, text_span(&s->panic)) != 0)
        log_line(LOG_LEVEL_WARNING, "cannot make the worker's folder of shared memory: %s", strerror(errno));
    shared_worker_folder(s->env.shared, s->env.inherit->vsm_folder);
    take_epoch(s);
    if (fork_worker(s) != 0) {
        fork_failed(s);
        return;
    }
    s->starts++;
    s->env.inherit->first = false;
    shared_count(s->env.shared, MGT_CHILD_START);
    log_line(LOG_LEVEL_DEBUG, "Child (%ld) Started", (long)s->env.child->pid);
    text_clear(&s->boot_errors);
    policies_restore(s->env.policies, restored, s);
    events_timer(s->env.events, &s->watchdog, clock_mono_ns() + NSEC_PER_SEC);
}

void
supervisor_start(struct supervisor *s, supervisor_done_fn *done, void *arg)
{
    struct text why = { 0 };
    if (s->env.child->state != CHILD_STOPPED)
        text_printf(&why, "Child in state %s", child_state_name(s->env.child));
    else if (s->env.policies->n == 0)
        text_str(&why, "No VCL loaded");
    else if (s->env.policies->active == NULL)
        text_str(&why, "No active VCL");
    if (why.len > 0) {
        done(arg, CLI_CANT, text_span(&why));
        text_release(&why);
        return;
    }
    s->started = done;
    s->started_arg = arg;
    start_worker(s);
}

/* ---- stop ---------------------------------------------------------------------------------------------- */

static void
overdue(struct event_timer *t)
{
    struct supervisor *s = container_of(t, struct supervisor, overdue);
    log_line(LOG_LEVEL_WARNING, "Child (%ld) does not stop and is killed", (long)s->env.child->pid);
    child_kill(s->env.child, SIGKILL);
}

static void
stop_worker(struct supervisor *s, const char *how, double drain_s, supervisor_done_fn *done, void *arg)
{
    struct child *c = s->env.child;
    events_timer_cancel(s->env.events, &s->restart);
    if (c->pid == 0 && c->state != CHILD_STOPPED) {      /* between a death and the next start */
        c->state = CHILD_STOPPED;
        done(arg, CLI_OK, SPAN_LIT(""));
        return;
    }
    if (c->pid == 0 || s->stopped != NULL) {
        struct text why = { 0 };
        text_printf(&why, "Child in state %s", child_state_name(c));
        done(arg, CLI_CANT, text_span(&why));
        text_release(&why);
        return;
    }
    s->stopped = done;
    s->stopped_arg = arg;
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.3f", drain_s);
    c->state = CHILD_STOPPING;
    log_line(LOG_LEVEL_DEBUG, "Stopping Child");
    child_call(c, pinged, NULL, 2, CALL(how, seconds));
    events_timer(s->env.events, &s->overdue, clock_mono_ns() + nsec_of(drain_s) + STOP_GRACE);
    answer_caller(&s->started, s->started_arg, CLI_CANT, SPAN_LIT("The worker was stopped while it started\n"));
}

void
supervisor_stop(struct supervisor *s, double drain_s, supervisor_done_fn *done, void *arg)
{
    stop_worker(s, "shutdown", drain_s, done, arg);
}

void
supervisor_retire(struct supervisor *s, double drain_s, supervisor_done_fn *done, void *arg)
{
    s->ending = true;
    stop_worker(s, "retire", drain_s, done, arg);
}

/* ---- upgrade ------------------------------------------------------------------------------------------- */

void
supervisor_detach(struct supervisor *s, supervisor_done_fn *done, void *arg)
{
    s->ending = true;
    child_call(s->env.child, done, arg, 1, CALL("detach"));
}

static void
started_again(void *arg, int status, struct span text)
{
    if (status != CLI_OK)
        log_line(LOG_LEVEL_ERROR, "upgrade: the worker does not start again: %.*s", (int)text.len, text.ptr);
}

void
supervisor_attach(struct supervisor *s)
{
    s->ending = false;
    if (s->env.child->state == CHILD_STOPPED)
        supervisor_start(s, started_again, s);
    else
        child_call(s->env.child, pinged, NULL, 1, CALL("attach"));
}

void
supervisor_open(struct supervisor *s)
{
    s->closed = false;
    if (child_running(s->env.child))
        child_call(s->env.child, pinged, NULL, 1, CALL("accept"));
}

/* ---- death --------------------------------------------------------------------------------------------- */

static void
describe_death(struct supervisor *s, int status)
{
    struct text why = { 0 };
    if (WIFSIGNALED(status))
        text_printf(&why, "died of signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                    WCOREDUMP(status) ? ", core dumped" : "");
    else
        text_printf(&why, "ended with exit code %d", WEXITSTATUS(status));
    if (*s->kill_reason != '\0')
        text_printf(&why, ": %s", s->kill_reason);
    if (why.len >= sizeof s->reason)
        why.len = sizeof s->reason - 1;
    memcpy(s->reason, why.ptr, why.len);
    s->reason[why.len] = '\0';
    text_release(&why);
    s->reason_at = clock_real_ns();
}

static void
keep_panic(struct supervisor *s, pid_t pid)
{
    char date[64];
    time_t now = (time_t)(s->reason_at / NSEC_PER_SEC);
    struct tm tm;
    gmtime_r(&now, &tm);
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &tm);
    shared_count(s->env.shared, MGT_CHILD_PANIC);
    text_clear(&s->panic);
    text_printf(&s->panic, "Last panic at: %s\nChild (%ld) %s\n", date, (long)pid, s->reason);
    text_add(&s->panic, text_span(&s->env.child->tail));
}

/* Third death within half a minute: withhold the policy activated last, if an earlier one can replace it. */
static void
blame(struct supervisor *s)
{
    struct policies *p = s->env.policies;
    struct vcl *bad = p->active == NULL ? NULL : vcl_policy(p->active), *earlier = policies_earlier(p);
    if (bad == NULL || earlier == NULL)
        return;
    snprintf(s->suspect, sizeof s->suspect, "%s", bad->name);
    log_line(LOG_LEVEL_ERROR, "policy %s is suspect: workers died after it became active; going back to %s", bad->name, earlier->name);
    policies_activated(p, earlier, "fallback: workers died under another policy");
    bad->suspect = bad->absent = true;
}

/* Counts a death. Returns the pause before the next start. */
static nsec
count_death(struct supervisor *s)
{
    nsec now = clock_mono_ns();
    s->died++;
    memmove(&s->deaths[1], &s->deaths[0], sizeof s->deaths - sizeof *s->deaths);
    s->deaths[0] = now;
    nsec third = s->deaths[DEATHS_BEFORE_BACKOFF - 1];
    if (third == 0 || now - third > DEATHS_WITHIN) {
        s->backoff = 0;
        return 0;
    }
    if (s->backoff == 0)
        blame(s);
    s->backoff = s->backoff == 0 ? NSEC_PER_SEC : 2 * s->backoff < BACKOFF_MAX ? 2 * s->backoff : BACKOFF_MAX;
    log_line(LOG_LEVEL_ERROR, "%u workers died within %lld s: the next one starts in %lld s", DEATHS_BEFORE_BACKOFF,
             (long long)(DEATHS_WITHIN / NSEC_PER_SEC), (long long)(s->backoff / NSEC_PER_SEC));
    return s->backoff;
}

static void
restart(struct event_timer *t)
{
    start_worker(container_of(t, struct supervisor, restart));
}

static void
died(struct supervisor *s, pid_t pid)
{
    CHECK(s->env.child->pid == 0 && pid != 0 && !s->env.policies->restoring);
    log_line(LOG_LEVEL_ERROR, "Child (%ld) %s", (long)pid, s->reason);
    s->env.child->state = CHILD_DIED;
    /* If a caller waits for the start, report the failure and do not restart: the next start would fail as
     * well. */
    if (!params.auto_restart || s->ending || s->started != NULL) {
        struct text why = { 0 };
        text_printf(&why, "The worker %s while it started\n", s->reason);
        text_add(&why, text_span(&s->env.child->tail)); /* what it said, with the reason */
        s->env.child->state = CHILD_STOPPED;
        s->died++;
        answer_caller(&s->started, s->started_arg, CLI_CANT, text_span(&why));
        text_release(&why);
        answer_caller(&s->stopped, s->stopped_arg, CLI_OK, SPAN_LIT(""));
        return;
    }
    nsec wait = count_death(s);
    if (wait == 0)
        start_worker(s);
    else
        events_timer(s->env.events, &s->restart, clock_mono_ns() + wait);
}

/* Counts how a worker ended. A worker that was told to stop always counts as stopped. */
static void
count_end(struct supervisor *s, int status, bool wanted)
{
    if (wanted)
        shared_count(s->env.shared, MGT_CHILD_STOP);
    else if (WIFSIGNALED(status))
        shared_count(s->env.shared, MGT_CHILD_DIED);
    else
        shared_count(s->env.shared, MGT_CHILD_EXIT);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        shared_count(s->env.shared, MGT_SYSCALL_DEATHS);
    if (WIFSIGNALED(status) && WCOREDUMP(status))
        shared_count(s->env.shared, MGT_CHILD_DUMP);
}

void
supervisor_reap(struct supervisor *s)
{
    struct child *c = s->env.child;
    int status;
    pid_t pid = c->pid;
    child_check(c);
    if (pid == 0 || waitpid(pid, &status, WNOHANG) != pid)
        return;
    bool wanted = c->state == CHILD_STOPPING;
    events_timer_cancel(s->env.events, &s->watchdog);
    events_timer_cancel(s->env.events, &s->overdue);
    bool starting = c->state == CHILD_STARTING;
    describe_death(s, status);
    c->state = wanted ? CHILD_STOPPED : CHILD_DIED;
    child_bury(c);
    shared_worker_gone(s->env.shared);
    count_end(s, status, wanted);
    bool killed_by_us = wanted && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (WIFSIGNALED(status) && !killed_by_us) {
        s->exit_bits |= EXIT_WORKER_SIGNAL | (WCOREDUMP(status) ? EXIT_WORKER_CORE : 0);
        keep_panic(s, pid);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        s->exit_bits |= EXIT_WORKER_FAILED;
        if (!wanted)
            keep_panic(s, pid);
    }
    if (!wanted) {
        died(s, pid);
        return;
    }
    log_line(LOG_LEVEL_DEBUG, "Child (%ld) ended", (long)pid);
    if (starting || s->started != NULL)
        answer_caller(&s->started, s->started_arg, CLI_CANT, text_span(&s->boot_errors));
    answer_caller(&s->stopped, s->stopped_arg, CLI_OK, SPAN_LIT(""));
}

void
supervisor_forgive(struct supervisor *s)
{
    memset(s->deaths, 0, sizeof s->deaths);
    s->backoff = 0;
    struct vcl *active = s->env.policies->active;
    if (*s->suspect != '\0' && active != NULL && strcmp(s->suspect, vcl_policy(active)->name) == 0)
        s->suspect[0] = '\0';
}

void
supervisor_init(struct supervisor *s, const struct supervisor_env *env)
{
    *s = (struct supervisor){ .env = *env };
    s->restart.fn = restart;
    s->watchdog.fn = watch;
    s->overdue.fn = overdue;
}

void
supervisor_release(struct supervisor *s)
{
    text_release(&s->panic);
    text_release(&s->boot_errors);
}
