/* Start, command loop and end of the worker process: see worker.h. */
#include "worker/worker.h"

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
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/descriptors.h"
#include "worker/stats.h"
#include "worker/upkeep.h"
#include "tls/library.h"
#include "daemon/frame.h"
#include "daemon/jail.h"
#include "daemon/params.h"
#include "daemon/sandbox.h"
#include "daemon/status.h"
#include "base/allocator.h"
#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "cache/ban.h"
#include "cache/near.h"
#include "http/names.h"
#include "log/report.h"
#include "log/txn.h"
#include "loop/offload.h"
#include "origin/backend.h"
#include "origin/probe.h"
#include "proxy/rfc9111/successor.h"
#include "stream/protocols.h"
#include "vmod/register.h"

#define WORKER_COLLECT_MS 100 /* interval of the check whether a discarded policy is still in use */
#define WORKER_DRAIN_MS 20
#define LOOP_TURN (500u * 1000) /* ns */

static unsigned loop_cpus[LOOPS_MAX];
static bool pins_loops;

/* ---- loops --------------------------------------------------------------------------------------------- */

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
    struct one_loop posts[LOOPS_MAX];
    struct everywhere all = { .fn = fn,
                              .arg = arg,
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .done = PTHREAD_COND_INITIALIZER,
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

/* Asks the scheduler for short time slices. Threads that share a processor then alternate often, and a
 * request waits for a fraction of a millisecond instead of a whole slice. Only Linux 6.12 and later can do
 * it; failure is harmless. */
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
    near_empty();
    log_thread_release();
    mem_thread_release();
    crash_thread_release();
    return NULL;
}

static void
start_on_loop(struct loop *loop, void *arg)
{
    struct worker *w = arg;
    CHECK(proxy_start(loop, &w->proxy) == 0);
    if (loop != w->loops[0])
        return;
    upkeep_start(w);
}

/* ---- start --------------------------------------------------------------------------------------------- */

/* Closes the manager's descriptors, except listen sockets, storage files, the command socket and standard
 * streams. */
static void
close_others(const struct inherit *from)
{
    int keep[LISTEN_SOCKETS_MAX + INHERIT_STORAGES_MAX + LOOPS_MAX + 2], n = 0;
    CHECK(from->n_listens <= LISTEN_SOCKETS_MAX && from->n_storages <= INHERIT_STORAGES_MAX);
    keep[n++] = from->command_fd;
    keep[n++] = from->purges_fd;
    for (unsigned i = 0; i < from->n_listens; i++)
        keep[n++] = from->listens[i].fd;
    for (unsigned i = 0; i < from->n_storages; i++)
        keep[n++] = from->storages[i].fd;
    for (unsigned i = 0; i < from->n_key_fds; i++)
        keep[n++] = from->key_fds[i];
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
    CHECK(dup2(null, STDIN_FILENO) >= 0 && dup2(said_fd, STDOUT_FILENO) >= 0 &&
          dup2(said_fd, STDERR_FILENO) >= 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
}

static void
own_signals(void)
{
    sigset_t none;
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGINT, SIG_IGN); /* a terminal sends ^C to the whole process group: the manager
                              * decides */
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void
make_store(struct worker *w)
{
    CHECK(store_new(&(struct store_options){ .seed = w->from->store_seed, .epoch = w->from->epoch },
                    &w->store) == 0);
    for (unsigned i = 0; i < w->from->n_storages; i++) {
        const struct inherit_storage *s = &w->from->storages[i];
        struct storage *st;
        CHECK(store_add_storage(w->store, span_str(s->name), s->limit_bytes, &st) == 0);
        st->less_space = s->less_space;
    }
}

/* Accepted sockets inherit options from the listen socket, which saves system calls for each connection. The
 * calls fail on Unix sockets, which do not need the options. */
static void
set_options(int fd)
{
    int on = 1, idle = (int)params.tcp_keepalive_time_s, every = (int)params.tcp_keepalive_intvl_s;
    int probes = (int)params.tcp_keepalive_probes, silent = (int)params.tcp_defer_accept_s;
    int early = params.tcp_fastopen ? (int)params.listen_depth : 0;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &silent, sizeof silent);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN, &early, sizeof early);
}

/* A loop that the kernel stops may hold a lock that others wait for. */
static void
warn_of_idle_loops(unsigned n_loops)
{
    const struct cpus *cpus = cpus_here();
    unsigned may_run = cpus_for_loops(cpus);
    char quota[64] = "";
    if (cpus->allowed == 0 || n_loops <= may_run)
        return;
    if (cpus->quota > 0)
        snprintf(quota, sizeof quota, " and a quota of %.4g", cpus->quota);
    log_line(
        LOG_LEVEL_WARNING,
        "loops=%u, but only %u may run at a time (%u CPUs%s): the others wait for their turn, some with a lock "
        "that all need; set loops to %u or less",
        n_loops, may_run, cpus->allowed, quota, may_run);
}

/* Call before files are out of reach: /sys names the nodes. */
static void
choose_cpus(void)
{
    const char *list = param_text("loop_cpus"), *refused = cpus_choose(list, LOOPS_MAX, loop_cpus);
    pins_loops = *list != '\0' && refused == NULL;
    if (refused != NULL)
        log_line(LOG_LEVEL_WARNING, "loop_cpus=%s: %s; loops are not pinned", list, refused);
}

/* This thread takes the loop's CPU: what it starts now stays there, and memory comes from the node of the CPU
 * that first writes it. */
static void
go_to_cpu_of(unsigned loop)
{
    if (pins_loops && !cpus_pin(loop_cpus[loop]))
        log_line(LOG_LEVEL_WARNING, "loop %u is not pinned to CPU %u: %s", loop, loop_cpus[loop],
                 strerror(errno));
}

/* The folder may appear later, so that one without an answer is no reason not to serve. */
static const char *
acme_folder(void)
{
    const char *folder = param_text("acme_folder");
    if (*folder == '\0')
        return NULL;
    if (access(folder, X_OK) != 0)
        log_line(LOG_LEVEL_WARNING, "acme_folder %s cannot be read: %s", folder, strerror(errno));
    return folder;
}

static void
make_loops(struct worker *w, pthread_t threads[])
{
    const struct inherit *from = w->from;
    for (unsigned i = 0; i < from->n_listens; i++)
        set_options(from->listens[i].fd);
    w->n_loops = params.loops < LOOPS_MAX ? params.loops : LOOPS_MAX;
    warn_of_idle_loops(w->n_loops);
    if (pins_loops)
        offload_start();
    for (unsigned i = 0; i < w->n_loops; i++) {
        go_to_cpu_of(i);
        CHECK(loop_new(i, &w->loops[i]) == 0);
    }
    vmod_register();
    w->env = (struct policy_env){ .store = w->store,
                                  .n_loops = w->n_loops,
                                  .loops = w->loops,
                                  .hostname = span_str(from->hostname),
                                  .identity = span_str(from->identity) };
    w->proxy = (struct proxy_env){ .store = w->store,
                                   .body_storage = span_str(param_text("h2_rxbuf_storage")),
                                   .listens = from->listens,
                                   .n_listens = from->n_listens,
                                   .n_loops = w->n_loops,
                                   .loops = w->loops,
                                   .sessions_room = descriptors_for_sessions(),
                                   .server_hostname = span_str(from->hostname),
                                   .server_identity = span_str(from->identity),
                                   .acme_folder = acme_folder(),
                                   .open_exchange = protocols_open };
    /* Pin no loop unasked: one whose processor is busy would wait while another processor idles. */
    for (unsigned i = 0; i < w->n_loops; i++) {
        go_to_cpu_of(i);
        CHECK(pthread_create(&threads[i], NULL, loop_thread, w->loops[i]) == 0);
    }
    cpus_unpin();
    worker_on_loops(w, start_on_loop, w);
    worker_tls_start(w);
}

/* ---- commands ------------------------------------------------------------------------------------------ */

static void
write_all(int fd, struct span bytes)
{
    while (bytes.len > 0) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0); /* the manager is gone */
        bytes = span_of(bytes.ptr + n, bytes.len - (size_t)n);
    }
}

static void
log_command(unsigned argc, char *const argv[])
{
    struct text text = { 0 };
    text_printf(&text, "Rd %s", argc == 0 ? "" : worker_command_shown(argv[0]));
    bool secret = argc > 0 && strncmp(argv[0], "tls.", 4) == 0; /* keys of tickets; and chains are long */
    for (unsigned i = 1; i < argc && !secret; i++)
        text_printf(&text, " %s", argv[i]);
    log_text(&log_untied, TAG_CLI, text_span(&text));
    text_release(&text);
}

/* Separates the fields of an answer with spaces. */
static void
log_answer(int status, struct span answer)
{
    struct text text = { 0 };
    text_printf(&text, "Wr %03d %zu ", status, answer.len);
    size_t from = text.len;
    text_add(&text, answer);
    for (char *nul; (nul = memchr(text.ptr + from, '\0', text.len - from)) != NULL;)
        *nul = ' ';
    log_text(&log_untied, TAG_CLI, text_span(&text));
    text_release(&text);
}

static void
run_frame(struct worker *w, const struct frame_head *head, struct span body)
{
    double began = nsec_seconds(clock_real_ns());
    char *argv[FRAME_WORDS_MAX + 1];
    unsigned argc = 0;
    char *copy = mem_text(body);
    for (size_t at = 0; at < body.len && argc < FRAME_WORDS_MAX; at += strlen(copy + at) + 1)
        argv[argc++] = copy + at;
    argv[argc] = NULL;
    struct text answer = { 0 }, frame = { 0 };
    /* log readers do not know this command: Varnish's manager sets parameters itself */
    bool logged = argc == 0 || strcmp(argv[0], "param") != 0;
    if (logged)
        log_command(argc, argv);
    int status = argc == 0 ? CLI_SYNTAX : worker_command(w, argc, argv, &answer);
    if (logged) {
        log_answer(status, text_span(&answer));
        log_printf(&log_untied, TAG_TIMESTAMP, "Command: %.6f 0.000000 0.000000", began);
    }
    log_flush(); /* before any request that comes after the answer */
    frame_add(&frame, head->id, (uint32_t)status, text_span(&answer));
    write_all(w->from->command_fd, text_span(&frame));
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
    if (store_is_retired(w->store)) /* fetches go on storing, and nothing can find it */
        (void)store_shrink(w->store, UINT64_MAX);
    atomic_uint n = 0;
    worker_on_loops(w, count_sessions, &n);
    return atomic_load(&n) == 0;
}

/* In milliseconds; -1 means no limit. */
static int
shorter_wait(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Runs commands until the manager ends or a drain has finished. False: the manager ended. */
static bool
serve_commands(struct worker *w)
{
    struct text in = { 0 };
    char buf[65536];
    bool over = false, orphaned = false;
    while (!over) {
        struct pollfd p[] = { { .fd = w->from->command_fd, .events = POLLIN },
                              { .fd = worker_stats_fd(), .events = POLLIN },
                              { .fd = w->from->purges_fd, .events = POLLIN } };
        int wait = w->draining ? WORKER_DRAIN_MS : worker_collecting(w) ? WORKER_COLLECT_MS : -1;
        int seen = poll(p, 3, shorter_wait(wait, worker_stats_wait()));
        if (seen > 0 && p[0].revents != 0) {
            ssize_t n = read(w->from->command_fd, buf, sizeof buf);
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
        if (seen > 0 && p[2].revents != 0)
            successor_serve(w->store, w->from->purges_fd);
        worker_collect(w);
        log_flush();
        worker_stats_turn(w, seen > 0);
        over = orphaned || (w->draining && drained(w));
    }
    text_release(&in);
    return !orphaned;
}

/* ---- end ----------------------------------------------------------------------------------------------- */

static void
stop_on_loop(struct loop *loop, void *arg)
{
    struct worker *w = arg;
    if (loop == w->loops[0])
        upkeep_stop(w);
    proxy_set_policy(loop, NULL);
    proxy_stop(loop);
    backend_loop_release(loop);
}

static void
end_worker(struct worker *w, pthread_t threads[])
{
    store_lurker_stop(w->store);
    worker_on_loops(w, stop_on_loop, w);
    worker_tls_stop(w);
    w->active = NULL;
    list_each(it, &w->policies)
    {
        struct loaded *l = container_of(it, struct loaded, link);
        l->discarded = l->cold = l->policy != NULL;
    }
    worker_collect(w); /* runs vcl_fini of unused policies; the others end with the
                        * process */
    for (unsigned i = 0; i < w->n_loops; i++)
        loop_stop(w->loops[i]);
    for (unsigned i = 0; i < w->n_loops; i++)
        pthread_join(threads[i], NULL);
    offload_stop();
    log_thread_release();
    worker_stats_turn(w, true);
}

/* _exit skips what the compiler runs at the end of a program, so run it here: AddressSanitizer's leak check
 * (ASAN_OPTIONS=detect_leaks=1), and the profile of a training load (mk/profile.mk). */
static void
report_of_compiler(void)
{
#if defined(__SANITIZE_ADDRESS__)
    __lsan_do_leak_check();
#endif
#if defined(PROFILE_TRAINING)
    extern void __gcov_dump(void);
    __gcov_dump();
#endif
}

static void
enter_jail(const struct inherit *from)
{
    if (chdir(from->dir) != 0 || jail_enter(from->user) != 0 || sandbox_cores(from->sandbox) != 0) {
        log_line(LOG_LEVEL_ERROR, "cannot enter the work directory or switch to the user of -j: %s",
                 strerror(errno));
        _exit(2);
    }
    if (sandbox_worker_files(from->sandbox, from->vsm_folder) != 0) {
        log_line(LOG_LEVEL_ERROR, "cannot confine files: %s; use -j with landlock=off to run without",
                 strerror(errno));
        _exit(2);
    }
}

void
worker_main(const struct inherit *from)
{
    static struct worker worker;
    static pthread_t threads[LOOPS_MAX];
    struct worker *w = &worker;
    standard_streams(from->said_fd);
    close_others(from);
    own_signals();
    choose_cpus();
    enter_jail(from);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* after the change of ids, which clears it */
    if (getppid() != from->manager_pid)
        _exit(0);
    prctl(PR_SET_NAME, "vernisd-worker");
    crash_handler_install("worker");
    names_init();
    if (tls_library_start() != 0)
        log_line(LOG_LEVEL_ERROR, "OpenSSL cannot be used for TLS: no listener with HTTPS will serve");
    if (sandbox_worker_calls(from->sandbox) != 0) {
        log_line(LOG_LEVEL_ERROR, "cannot filter system calls: %s; use -j with seccomp=off to run without",
                 strerror(errno));
        _exit(2);
    }
    allocator_start_threads();
    *w = (struct worker){ .from = from, .started_real = clock_real_ns() };
    list_init(&w->policies);
    probes_hold(param_bit("debug", "test_clock")); /* a clock that stands still has no time for polls */
    if (worker_stats_open(w) != 0)
        _exit(2);
    make_store(w);
    make_loops(w, threads);
    CHECK(store_lurker_start(w->store) == 0);
    worker_stats_turn(w, true);
    if (!serve_commands(w))
        _exit(0);
    end_worker(w, threads);
    report_of_compiler();
    _exit(0);
}
