/* Runs the key process: see key_process.h. One file is loaded at a time, so neither side waits for the other
 * to read. */
#include "manager/tls/key_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/report.h"
#include "tls/key_wire.h"

#define RESTARTS_AT_ONCE 3u /* within KEY_DEATHS_WITHIN; then each waits for RESTART_PAUSE */
#define KEY_DEATHS_WITHIN (30 * NSEC_PER_SEC)
#define RESTART_PAUSE NSEC_PER_SEC
#define FILES_OF_EXEC "/proc/self/exe"

struct key_file {
    struct list link;
    uint32_t number;
    int fds[2]; /* the second -1: none */
    bool sent, loaded;
    key_loaded_fn *done; /* NULL: it was called */
    void *arg;
};

/* ---- orders ---- */

static bool
send_order(struct key_process *k, enum key_op op, uint32_t number, const int fds[], unsigned n)
{
    struct key_order order = { .op = op, .number = number };
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(KEY_FDS_MAX * sizeof(int))];
    } control = { 0 };
    struct iovec iov = { .iov_base = &order, .iov_len = sizeof order };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
    CHECK(n <= KEY_FDS_MAX);
    if (n > 0) {
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(n * sizeof(int));
        control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(n * sizeof(int)),
                                         .cmsg_level = SOL_SOCKET,
                                         .cmsg_type = SCM_RIGHTS };
        memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
    }
    return sendmsg(k->order.fd, &msg, MSG_NOSIGNAL) == (ssize_t)sizeof order;
}

static void
send_loops(struct key_process *k)
{
    for (unsigned at = 0; at < k->n_loops; at += KEY_FDS_MAX) {
        unsigned n = k->n_loops - at < KEY_FDS_MAX ? k->n_loops - at : KEY_FDS_MAX;
        (void)send_order(k, KEY_LOOPS, 0, &k->loops[at], n);
    }
}

/* The next file that the process does not have, unless it is at work on one. */
static void
send_next(struct key_process *k)
{
    if (k->pid == 0)
        return;
    list_each(it, &k->files)
    {
        struct key_file *f = container_of(it, struct key_file, link);
        if (f->loaded)
            continue;
        if (!f->sent)
            f->sent = send_order(k, KEY_LOAD, f->number, f->fds, f->fds[1] < 0 ? 1 : 2);
        return;
    }
}

static struct key_file *
find(struct key_process *k, uint32_t number)
{
    list_each(it, &k->files)
    {
        struct key_file *f = container_of(it, struct key_file, link);
        if (f->number == number)
            return f;
    }
    return NULL;
}

static void
forget(struct key_file *f)
{
    list_remove(&f->link);
    close(f->fds[0]);
    if (f->fds[1] >= 0)
        close(f->fds[1]);
    free(f);
}

static void
take_answer(struct key_process *k, const struct key_loaded *head, struct span text)
{
    struct key_file *f = find(k, head->number);
    if (f == NULL)
        return;
    key_loaded_fn *done = f->done;
    void *arg = f->arg;
    f->loaded = true;
    f->done = NULL;
    if (head->err != 0 && done == NULL)
        log_line(LOG_LEVEL_ERROR, "key process: a certificate that is in use cannot be loaded again: %.*s",
                 (int)text.len, text.ptr);
    if (head->err != 0 && done != NULL)
        forget(f);
    if (done != NULL)
        done(arg, head->err, text);
    send_next(k);
}

static void
on_answer(struct event_fd *e, short seen)
{
    struct key_process *k = container_of(e, struct key_process, order);
    static char packet[sizeof(struct key_loaded) + KEY_LOADED_BYTES_MAX];
    struct key_loaded head;
    ssize_t n = recv(e->fd, packet, sizeof packet, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n < (ssize_t)sizeof head) {
        events_remove(k->events, e); /* SIGCHLD follows */
        return;
    }
    memcpy(&head, packet, sizeof head);
    take_answer(k, &head, span_of(packet + sizeof head, (size_t)n - sizeof head));
}

/* ---- the process ---- */

__attribute__((noreturn)) static void
exec_keys(const struct key_process *k, int fd)
{
    char rate[32];
    const char *argv[] = { KEY_PROCESS_NAME, rate, NULL, NULL, NULL };
    unsigned n = 2;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid(); /* keeps a terminal's ^C away */
    snprintf(rate, sizeof rate, "%u", params.tls_signatures_max);
    if (k->sandbox->calls)
        argv[n++] = "calls";
    if (k->sandbox->files)
        argv[n++] = "files";
    /* It must not hold the terminal of who starts the daemon. Its exit code is logged. */
    int null = open("/dev/null", O_RDWR);
    if (jail_enter(k->user) == 0 && null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
        dup2(null, STDOUT_FILENO) >= 0 && dup2(fd, KEY_PROCESS_FD) == KEY_PROCESS_FD &&
        fcntl(KEY_PROCESS_FD, F_SETFD, 0) == 0 && close_range(KEY_PROCESS_FD + 1, ~0u, 0) == 0)
        if (dup2(STDIN_FILENO, STDERR_FILENO) >= 0)
            execv(FILES_OF_EXEC, (char **)argv);
    log_line(LOG_LEVEL_ERROR, "cannot run the key process: %s", strerror(errno));
    _exit(127);
}

void
key_process_adopt(struct key_process *k, pid_t pid, int order_fd)
{
    CHECK(k->pid == 0 && k->order.fd < 0);
    k->pid = pid;
    k->starts++;
    k->order = (struct event_fd){ .fd = order_fd, .want = POLLIN, .fn = on_answer };
    events_add(k->events, &k->order);
    send_loops(k);
    send_next(k);
}

int
key_process_start(struct key_process *k, struct text *why)
{
    int pair[2];
    CHECK(k->pid == 0 && k->order.fd < 0);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        text_printf(why, "Cannot start the key process: %s\n", strerror(errno));
        return ERR_SYS;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        exec_keys(k, pair[1]);
    close(pair[1]);
    if (pid < 0) {
        text_printf(why, "Cannot start the key process: %s\n", strerror(errno));
        close(pair[0]);
        return ERR_SYS;
    }
    key_process_adopt(k, pid, pair[0]);
    return 0;
}

static void
start_again(struct event_timer *t)
{
    struct key_process *k = container_of(t, struct key_process, restart);
    struct text why = { 0 };
    if (k->pid == 0 && key_process_start(k, &why) != 0) {
        log_line(LOG_LEVEL_ERROR, "%s", text_cstr(&why));
        events_timer(k->events, t, clock_mono_ns() + RESTART_PAUSE);
    }
    text_release(&why);
}

static void
close_order(struct key_process *k)
{
    events_remove(k->events, &k->order);
    if (k->order.fd >= 0)
        close(k->order.fd);
    k->order.fd = -1;
}

void
key_process_reap(struct key_process *k)
{
    int status;
    if (k->pid == 0 || waitpid(k->pid, &status, WNOHANG) != k->pid)
        return;
    log_line(LOG_LEVEL_ERROR, "key process (%ld) died (%s %d): handshakes wait for the next one",
             (long)k->pid, WIFSIGNALED(status) ? "signal" : "exit code",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    k->pid = 0;
    close_order(k);
    list_each(it, &k->files)
    {
        struct key_file *f = container_of(it, struct key_file, link);
        f->sent = f->loaded = false;
    }
    nsec now = clock_mono_ns();
    if (now - k->calm_since > KEY_DEATHS_WITHIN) {
        k->calm_since = now;
        k->deaths = 0;
    }
    events_timer(k->events, &k->restart, ++k->deaths <= RESTARTS_AT_ONCE ? now : now + RESTART_PAUSE);
}

void
key_process_stop(struct key_process *k)
{
    if (k->events == NULL)
        return;
    events_timer_cancel(k->events, &k->restart);
    close_order(k);
    if (k->pid != 0) {
        kill(k->pid, SIGKILL);
        waitpid(k->pid, NULL, 0);
    }
    k->pid = 0;
    while (!list_empty(&k->files))
        forget(list_first(&k->files, struct key_file, link));
    for (unsigned i = 0; i < k->n_loops; i++)
        close(k->loops[i]);
    k->n_loops = 0;
}

void
key_process_init(struct key_process *k, struct events *ev, const struct jail_user *user,
                 const struct sandbox *sandbox)
{
    *k = (struct key_process){ .events = ev,
                               .user = user,
                               .sandbox = sandbox,
                               .order = { .fd = -1 },
                               .restart = { .fn = start_again } };
    list_init(&k->files);
}

bool
key_process_is_on(const struct key_process *k)
{
    return k->starts > 0;
}

/* ---- keys and loops ---- */

uint32_t
key_process_load(struct key_process *k, int cert_fd, int key_fd, key_loaded_fn *done, void *arg)
{
    struct key_file *f = mem_zalloc(sizeof *f);
    *f = (struct key_file){
        .number = ++k->last_number, .fds = { cert_fd, key_fd }, .done = done, .arg = arg
    };
    list_push_back(&k->files, &f->link);
    send_next(k);
    return f->number;
}

void
key_process_drop(struct key_process *k, uint32_t number)
{
    struct key_file *f = find(k, number);
    if (f == NULL)
        return;
    forget(f);
    if (k->pid != 0)
        (void)send_order(k, KEY_DROP, number, NULL, 0);
}

unsigned
key_process_loops(struct key_process *k, unsigned n, int out[LOOPS_MAX])
{
    for (unsigned i = 0; i < k->n_loops; i++)
        close(k->loops[i]);
    for (k->n_loops = 0; k->n_loops < n && k->n_loops < LOOPS_MAX; k->n_loops++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
            break;
        out[k->n_loops] = pair[0];
        k->loops[k->n_loops] = pair[1];
    }
    if (k->pid != 0)
        send_loops(k);
    return k->n_loops;
}
