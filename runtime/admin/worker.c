/* Start, command loop and end of the worker process: see worker.h. */
#include "admin/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "admin/frame.h"
#include "admin/jail.h"
#include "admin/manager.h"
#include "admin/status.h"
#include "admin/worker_stats.h"
#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "cache/ban.h"
#include "http/names.h"
#include "log/report.h"
#include "log/txn.h"
#include "loop/offload.h"
#include "policy/backend.h"

#define WORKER_COLLECT_MS 100           /* between two looks whether a discarded policy is still in use */
#define WORKER_DRAIN_MS 20
#define LOOP_TURN (500u * 1000)         /* ns */
#define EXPIRE_EVERY (NSEC_PER_SEC / 2)
#define EXPIRE_BUDGET 2000u             /* objects dropped in one go: about a millisecond */
#define EXPIRE_AGAIN (NSEC_PER_MSEC * 5)
/* Between two looks at memory_limit: the allocator needs that long to give back what was freed. */
#define MEMORY_CHECK_EVERY (12 * NSEC_PER_SEC)

/* ---- loops ---------------------------------------------------------------------------------------------------------------- */

struct everywhere {
    void (*fn)(struct loop *loop, void *arg);
    void *arg;
    pthread_mutex_t lock;
    pthread_cond_t done;
    unsigned left;
};

struct one_loop {
    struct post post;
    struct everywhere *all;
};

static void
run_on_loop(struct post *p)
{
    struct one_loop *one = container_of(p, struct one_loop, post);
    struct everywhere *all = one->all;
    all->fn(loop_current(), all->arg);
    pthread_mutex_lock(&all->lock);
    if (--all->left == 0)
        pthread_cond_signal(&all->done);
    pthread_mutex_unlock(&all->lock);
}

void
worker_on_loops(struct worker *w, void (*fn)(struct loop *loop, void *arg), void *arg)
{
    struct one_loop posts[WORKER_LOOPS_MAX];
    struct everywhere all = { .fn = fn, .arg = arg, .lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER,
                              .left = w->n_loops };
    for (unsigned i = 0; i < w->n_loops; i++) {
        posts[i] = (struct one_loop){ .post.fn = run_on_loop, .all = &all };
        loop_post(w->loops[i], &posts[i].post);
    }
    pthread_mutex_lock(&all.lock);
    while (all.left > 0)
        pthread_cond_wait(&all.done, &all.lock);
    pthread_mutex_unlock(&all.lock);
    pthread_cond_destroy(&all.done);
    pthread_mutex_destroy(&all.lock);
}

/* Asks the scheduler for short turns: a busy loop that shares its processor (with another loop, or a load generator) then gets
 * and gives it often, and requests wait for fractions of a millisecond instead of whole turns. Linux 6.12 and later; a wish. */
static void
short_turns(void)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime_ns, deadline_ns, period_ns;
    } attr = { .size = sizeof attr, .policy = SCHED_OTHER, .runtime_ns = LOOP_TURN };
    (void)syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void *
loop_thread(void *arg)
{
    struct loop *loop = arg;
    crash_thread_init();
    short_turns();
    loop_run(loop);
    log_thread_release();
    mem_thread_release();
    crash_thread_release();
    return NULL;
}

struct expiry {
    struct timer timer;
    struct worker *worker;
    nsec memory_checked;
};

static struct expiry expiry;            /* loop 0 */

/* Resident memory of this process that is its alone: not the program, nor the log, whose size is another parameter. 0 when the
 * system does not tell. */
static uint64_t
resident_bytes(void)
{
    unsigned long all, resident, shared;
    FILE *f = fopen("/proc/self/statm", "re");
    int n = f == NULL ? 0 : fscanf(f, "%lu %lu %lu", &all, &resident, &shared);
    if (f != NULL)
        fclose(f);
    return n == 3 ? (uint64_t)(resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* What index, stacks, connections and the allocator take beyond the storages' own limits is won back from stored objects. */
static void
obey_memory_limit(struct worker *w, nsec now)
{
    uint64_t limit = params.memory_limit_bytes;
    if (limit == 0 || now < expiry.memory_checked + MEMORY_CHECK_EVERY)
        return;
    expiry.memory_checked = now;
    uint64_t resident = resident_bytes();
    if (resident <= limit)
        return;
    uint64_t freed = store_shrink(w->store, resident - limit);
    log_line(LOG_LEVEL_WARNING, "memory_limit is exceeded by %llu bytes: stored objects of %llu bytes were dropped",
             (unsigned long long)(resident - limit), (unsigned long long)freed);
}

static void
expire(struct timer *t)
{
    struct worker *w = container_of(t, struct expiry, timer)->worker;
    struct loop *loop = w->loops[0];
    obey_memory_limit(w, loop_now(loop));
    bool more = store_expire(w->store, loop_real(loop), EXPIRE_BUDGET) >= EXPIRE_BUDGET;
    timer_set(loop, t, nsec_add(loop_now(loop), more ? EXPIRE_AGAIN : EXPIRE_EVERY));
}

static void
start_on_loop(struct loop *loop, void *arg)
{
    struct worker *w = arg;
    CHECK(proxy_start(loop, &w->proxy) == 0);
    if (loop != w->loops[0])
        return;
    expiry = (struct expiry){ .timer.fn = expire, .worker = w };
    timer_set(loop, &expiry.timer, nsec_add(loop_now(loop), EXPIRE_EVERY));
}

/* ---- start ---------------------------------------------------------------------------------------------------------------- */

/* Everything the manager had open is closed, but listen sockets, commands and standard streams. */
static void
close_others(const struct manager *m, int command_fd)
{
    int keep[LISTEN_SOCKETS_MAX + 1], n = 0;
    keep[n++] = command_fd;
    for (unsigned i = 0; i < m->clients.n; i++)
        keep[n++] = m->clients.socket[i].fd;
    for (int fd = STDERR_FILENO + 1;;) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (keep[i] >= fd && (next < 0 || keep[i] < next))
                next = keep[i];
        if (next < 0) {
            close_range((unsigned)fd, ~0u, 0);
            return;
        }
        if (next > fd)
            close_range((unsigned)fd, (unsigned)next - 1, 0);
        fd = next + 1;
    }
}

static void
standard_streams(int said_fd)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK(null >= 0);
    CHECK(dup2(null, STDIN_FILENO) >= 0 && dup2(said_fd, STDOUT_FILENO) >= 0 && dup2(said_fd, STDERR_FILENO) >= 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
}

static void
own_signals(void)
{
    sigset_t none;
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGINT, SIG_IGN);            /* a terminal's ^C goes to the whole group: the manager decides */
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Connections, origin connections and fibers: as many descriptors as the system lets us have. */
static void
raise_limits(void)
{
    struct rlimit lim;
    if (getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur < lim.rlim_max) {
        lim.rlim_cur = lim.rlim_max;
        setrlimit(RLIMIT_NOFILE, &lim);
    }
}

static void
make_store(struct worker *w)
{
    CHECK(store_new(&w->store) == 0);
    const struct options *o = &w->setup->options;
    for (unsigned i = 0; i < o->n_storages; i++) {
        struct span name = span_str(o->storages[i].name);
        struct storage *st;
        CHECK(store_add_storage(w->store, name, o->storages[i].limit_bytes, &st) == 0);
        st->less_space = o->storages[i].less_space;
    }
}

/* Accepted sockets inherit these from the listening one, which saves the calls for each. Fails on Unix sockets, which need none. */
static void
keep_alive(int fd)
{
    int on = 1, idle = (int)params.tcp_keepalive_time_s, every = (int)params.tcp_keepalive_intvl_s;
    int probes = (int)params.tcp_keepalive_probes;
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

static void
make_loops(struct worker *w, pthread_t threads[])
{
    for (unsigned i = 0; i < w->setup->clients.n; i++)
        keep_alive(w->setup->clients.socket[i].fd);
    w->n_loops = params.loops < WORKER_LOOPS_MAX ? params.loops : WORKER_LOOPS_MAX;
    for (unsigned i = 0; i < w->n_loops; i++)
        CHECK(loop_new(i, &w->loops[i]) == 0);
    w->env = (struct policy_env){ .store = w->store, .n_loops = w->n_loops, .loops = w->loops,
                                  .hostname = span_str(w->setup->hostname), .identity = span_str(w->setup->identity) };
    w->proxy = (struct proxy_env){ .store = w->store, .listens = w->setup->clients.socket, .n_listens = w->setup->clients.n,
                                   .n_loops = w->n_loops, .loops = w->loops, .server_hostname = span_str(w->setup->hostname),
                                   .server_identity = span_str(w->setup->identity) };
    /* Not pinned: a loop whose processor is taken by others would wait while another processor idles. */
    for (unsigned i = 0; i < w->n_loops; i++)
        CHECK(pthread_create(&threads[i], NULL, loop_thread, w->loops[i]) == 0);
    worker_on_loops(w, start_on_loop, w);
}

/* ---- commands --------------------------------------------------------------------------------------------------------------- */

static void
write_all(int fd, struct span bytes)
{
    while (bytes.len > 0) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0);                   /* the manager is gone */
        bytes = span_of(bytes.ptr + n, bytes.len - (size_t)n);
    }
}

static void
log_command(unsigned argc, char *const argv[])
{
    struct text text = { 0 };
    text_printf(&text, "Rd %s", argc == 0 ? "" : worker_command_shown(argv[0]));
    for (unsigned i = 1; i < argc; i++)
        text_printf(&text, " %s", argv[i]);
    log_text(&log_untied, TAG_CLI, text_span(&text));
    text_release(&text);
}

static void
run_frame(struct worker *w, const struct frame_head *head, struct span body)
{
    char *argv[FRAME_WORDS_MAX + 1];
    unsigned argc = 0;
    char *copy = mem_text(body);
    for (size_t at = 0; at < body.len && argc < FRAME_WORDS_MAX; at += strlen(copy + at) + 1)
        argv[argc++] = copy + at;
    argv[argc] = NULL;
    struct text answer = { 0 }, frame = { 0 };
    log_command(argc, argv);
    int status = argc == 0 ? CLI_SYNTAX : worker_command(w, argc, argv, &answer);
    log_printf(&log_untied, TAG_CLI, "Wr %03d %zu %s", status, answer.len, text_cstr(&answer));
    frame_add(&frame, head->id, (uint32_t)status, text_span(&answer));
    write_all(w->command_fd, text_span(&frame));
    text_release(&answer);
    text_release(&frame);
    free(copy);
}

static void
count_sessions(struct loop *loop, void *arg)
{
    atomic_fetch_add((atomic_uint *)arg, proxy_sessions(loop));
}

static bool
drained(struct worker *w)
{
    if (clock_mono_ns() >= w->drain_deadline)
        return true;
    atomic_uint n = 0;
    worker_on_loops(w, count_sessions, &n);
    return atomic_load(&n) == 0;
}

/* In milliseconds; -1 is for ever. */
static int
shorter_wait(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Until the manager is gone or a drain is over. False: the manager is gone. */
static bool
serve_commands(struct worker *w)
{
    struct text in = { 0 };
    char buf[65536];
    bool over = false, orphaned = false;
    while (!over) {
        struct pollfd p[] = { { .fd = w->command_fd, .events = POLLIN }, { .fd = worker_stats_fd(), .events = POLLIN } };
        int wait = w->draining ? WORKER_DRAIN_MS : worker_collecting(w) ? WORKER_COLLECT_MS : -1;
        int seen = poll(p, 2, shorter_wait(wait, worker_stats_wait()));
        if (seen > 0 && p[0].revents != 0) {
            ssize_t n = read(w->command_fd, buf, sizeof buf);
            orphaned = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
            if (n > 0)
                text_add(&in, span_of(buf, (size_t)n));
            struct frame_head head;
            struct span body;
            int err;
            while (frame_next(&in, &head, &body, &err)) {
                run_frame(w, &head, body);
                text_drop(&in, sizeof head + head.bytes);
            }
            orphaned |= err != 0;
        }
        worker_collect(w);
        log_flush();
        worker_stats_turn(w, seen > 0);
        over = orphaned || (w->draining && drained(w));
    }
    text_release(&in);
    return !orphaned;
}

/* ---- end ------------------------------------------------------------------------------------------------------------------- */

static void
stop_on_loop(struct loop *loop, void *arg)
{
    struct worker *w = arg;
    if (loop == w->loops[0])
        timer_cancel(loop, &expiry.timer);
    proxy_set_policy(loop, NULL);
    proxy_stop(loop);
    backend_loop_release(loop);
}

static void
end_worker(struct worker *w, pthread_t threads[])
{
    store_lurker_stop(w->store);
    worker_on_loops(w, stop_on_loop, w);
    w->active = NULL;
    list_each(it, &w->policies) {
        struct loaded *l = container_of(it, struct loaded, link);
        l->discarded = l->cold = l->policy != NULL;
    }
    worker_collect(w);                  /* runs vcl_fini of what nothing uses any more; the rest ends with the process */
    for (unsigned i = 0; i < w->n_loops; i++)
        loop_stop(w->loops[i]);
    for (unsigned i = 0; i < w->n_loops; i++)
        pthread_join(threads[i], NULL);
    offload_stop();
    log_thread_release();
    worker_stats_turn(w, true);
}

/* _exit runs no handlers, so a build with AddressSanitizer is asked here (ASAN_OPTIONS=detect_leaks=1). */
static void
report_leaks(void)
{
#if defined(__SANITIZE_ADDRESS__)
    __lsan_do_leak_check();
#endif
}

void
worker_main(const struct manager *m, int command_fd, int said_fd)
{
    static struct worker worker;
    static pthread_t threads[WORKER_LOOPS_MAX];
    struct worker *w = &worker;
    standard_streams(said_fd);
    close_others(m, command_fd);
    own_signals();
    if (chdir(m->dir.path) != 0 || jail_enter(&m->jail, &m->jail.worker) != 0) {
        log_line(LOG_LEVEL_ERROR, "cannot enter the work directory, or become the user of the jail: %s", strerror(errno));
        _exit(2);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);   /* after the change of ids, which clears it */
    if (getppid() != m->pid)
        _exit(0);
    prctl(PR_SET_NAME, "vernisd-worker");
    crash_handler_install("worker");
    names_init();
    raise_limits();
    *w = (struct worker){ .setup = m, .command_fd = command_fd, .started_real = clock_real_ns() };
    list_init(&w->policies);
    if (worker_stats_open(w, m->supervisor.starts == 0) != 0)
        _exit(2);
    make_store(w);
    make_loops(w, threads);
    CHECK(store_lurker_start(w->store) == 0);
    worker_stats_turn(w, true);
    if (!serve_commands(w))
        _exit(0);
    end_worker(w, threads);
    report_leaks();
    _exit(0);
}
