/* Runs the key process: see key_process.h. One file is loaded at a time, so neither side waits for the other
 * to read. */
#include "manager/tls/key_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

#define WATCH_EVERY NSEC_PER_SEC
#define DIGEST_HEX 64u
#define FDS_KEPT \
    512u /* for commands, workers and everything else of the manager; at most half of its limit */

struct key_file {
    struct list link;
    struct key_process *process;
    struct event_timer leaves;
    char *name;
    uint32_t number;
    int fds[2];                  /* the second -1: none */
    char digest[DIGEST_HEX + 1]; /* of the public key; "": not read yet */
    char *fault;
    unsigned deaths;     /* of the process while it read this file */
    key_loaded_fn *done; /* NULL: it was called */
    void *arg;
};

/* ---- orders ---- */

/* False: the socket is full, or the process is gone. */
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
    ssize_t sent = sendmsg(k->order.fd, &msg, MSG_NOSIGNAL);
    if (sent < 0 && errno == EAGAIN)
        k->order.want |= POLLOUT; /* after other errors the watch tries again */
    return sent == (ssize_t)sizeof order;
}

static bool
send_loops(struct key_process *k)
{
    bool room = true;
    while (room && k->loops_sent < k->n_loops) {
        unsigned n = k->n_loops - k->loops_sent < KEY_FDS_MAX ? k->n_loops - k->loops_sent : KEY_FDS_MAX;
        room = send_order(k, KEY_LOOPS, 0, &k->loops[k->loops_sent], n);
        k->loops_sent += room ? n : 0;
    }
    return room;
}

static bool
send_drops(struct key_process *k)
{
    bool room = true;
    while (room && k->n_drops > 0) {
        room = send_order(k, KEY_DROP, k->drops[k->n_drops - 1], NULL, 0);
        k->n_drops -= room;
    }
    return room;
}

static struct key_file *
next_file(const struct key_process *k)
{
    return list_first(&k->waiting, struct key_file, link);
}

static bool
was_read(const struct key_file *f)
{
    return f->digest[0] != '\0';
}

static void
send_file(struct key_process *k, struct key_file *f)
{
    bool key_apart = f->fds[1] >= 0;
    bool sent = was_read(f) ? send_order(k, KEY_LOAD_AGAIN, f->number, &f->fds[key_apart], 1)
                            : send_order(k, KEY_LOAD, f->number, f->fds, key_apart ? 2 : 1);
    k->reading = sent ? f : NULL;
    k->reading_number = sent ? f->number : 0;
}

/* All that the process has to know, as far as its socket takes it. */
static void
send_due(struct key_process *k)
{
    const struct key_file *next = next_file(k);
    if (k->pid == 0)
        return;
    k->order.want = POLLIN;
    if (!send_drops(k) || !send_loops(k))
        return;
    if (!k->complete && (next == NULL || !was_read(next)))
        k->complete = send_order(k, KEY_COMPLETE, 0, NULL, 0);
    if (next != NULL && k->reading_number == 0)
        send_file(k, next_file(k));
}

/* ---- files ---- */

static void
forget(struct key_process *k, struct key_file *f)
{
    if (k->reading == f)
        k->reading = NULL;
    list_remove(&f->link);
    for (unsigned i = 0; i < 2; i++)
        if (f->fds[i] >= 0) {
            close(f->fds[i]);
            k->n_fds--;
        }
    events_timer_cancel(k->events, &f->leaves);
    free(f->name);
    free(f->fault);
    free(f);
}

static void
add_drop(struct key_process *k, uint32_t number)
{
    k->drops = realloc(k->drops, (k->n_drops + 1) * sizeof *k->drops);
    CHECK(k->drops != NULL);
    k->drops[k->n_drops++] = number;
}

static void
set_fault(struct key_file *f, struct span fault)
{
    free(f->fault);
    f->fault = fault.len == 0 ? NULL : mem_text(fault);
    if (f->fault != NULL)
        log_line(LOG_LEVEL_ERROR, "certificate %s: its key cannot be read again: %s", f->name, f->fault);
}

/* Ends the reading of a file. */
static void
settle(struct key_process *k, struct key_file *f, int err, struct span text)
{
    key_loaded_fn *done = f->done;
    void *arg = f->arg;
    f->done = NULL;
    if (err != 0 && done != NULL)
        forget(k, f);
    else {
        list_remove(&f->link);
        list_push_back(&k->held, &f->link);
        if (done == NULL)
            set_fault(f, err == 0 ? SPAN_LIT("") : text);
    }
    if (done != NULL)
        done(arg, err, text);
}

/* Takes the line "public DIGEST" from the front. False: it is none. */
static bool
take_digest(struct span *text, char out[DIGEST_HEX + 1])
{
    static const char begin[] = "public ";
    size_t n = sizeof begin - 1;
    if (text->len <= n + DIGEST_HEX || memcmp(text->ptr, begin, n) != 0 || text->ptr[n + DIGEST_HEX] != '\n')
        return false;
    memcpy(out, text->ptr + n, DIGEST_HEX);
    out[DIGEST_HEX] = '\0';
    *text = span_of(text->ptr + n + DIGEST_HEX + 1, text->len - n - DIGEST_HEX - 1);
    return strlen(out) == DIGEST_HEX;
}

static void
take_key(struct key_process *k, int err, struct span text, const char *digest)
{
    struct key_file *f = k->reading;
    k->reading = NULL;
    k->reading_number = 0;
    if (f == NULL) /* it was dropped, and so was its key, right behind */
        return;
    f->deaths = 0;
    if (err == 0 && was_read(f) && strcmp(f->digest, digest) != 0) {
        add_drop(k, f->number);
        settle(k, f, ERR_SYNTAX, SPAN_LIT("its file holds another key now"));
        return;
    }
    if (err == 0)
        memcpy(f->digest, digest, DIGEST_HEX + 1);
    settle(k, f, err, text);
}

/* ---- answers ---- */

/* why NULL: it ends by itself, as far as anybody knows. SIGCHLD follows. */
static void
kill_it(struct key_process *k, const char *why)
{
    if (why != NULL)
        log_line(LOG_LEVEL_ERROR, "key process (%ld) %s: it is killed", (long)k->pid, why);
    events_remove(k->events, &k->order);
    kill(k->pid, SIGKILL);
}

/* False: it makes no sense, so who knows what the process is. */
static bool
take_answer(struct key_process *k, const char *packet, size_t n)
{
    char digest[DIGEST_HEX + 1] = "";
    struct key_loaded head;
    if (n < sizeof head)
        return false;
    memcpy(&head, packet, sizeof head);
    struct span text = span_of(packet + sizeof head, n - sizeof head);
    if (head.number == 0) {
        k->asked = 0;
        return true;
    }
    if (head.number != k->reading_number || (head.err == 0 && !take_digest(&text, digest)))
        return false;
    take_key(k, head.err, text, digest);
    return true;
}

/* False: there is no answer. */
static bool
receive(struct key_process *k)
{
    static char packet[sizeof(struct key_loaded) + KEY_LOADED_BYTES_MAX];
    ssize_t n = recv(k->order.fd, packet, sizeof packet, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n > 0 && take_answer(k, packet, (size_t)n))
        return true;
    kill_it(k, n > 0 ? "has sent nonsense" : NULL);
    return false;
}

static void
on_order(struct event_fd *e, short seen)
{
    struct key_process *k = container_of(e, struct key_process, order);
    if ((seen & ~POLLOUT) == 0 || receive(k))
        send_due(k);
}

/* A process that lives answers in between two looks, unless it has much to read. */
static void
look(struct event_timer *t)
{
    struct key_process *k = container_of(t, struct key_process, watch);
    nsec now = clock_mono_ns();
    if (k->pid == 0 || !list_linked(&k->order.link))
        return;
    while (receive(k)) /* the manager itself may have been late */
        ;
    if (!list_linked(&k->order.link))
        return;
    events_timer(k->events, t, now + WATCH_EVERY);
    if (k->asked != 0 && now - k->asked >= nsec_of(params.tls_key_timeout_s)) {
        kill_it(k, "has not answered for tls_key_timeout");
        return;
    }
    send_due(k);
    if (k->asked == 0) {
        k->asked = now;
        k->pinged = false;
    }
    if (!k->pinged) /* the socket may be full: it hangs, too, if it stays so */
        k->pinged = send_order(k, KEY_PING, 0, NULL, 0);
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
    k->asked = 0;
    k->order = (struct event_fd){ .fd = order_fd, .want = POLLIN, .fn = on_order };
    fcntl(order_fd, F_SETFL, O_NONBLOCK);
    events_add(k->events, &k->order);
    events_timer(k->events, &k->watch, clock_mono_ns() + WATCH_EVERY);
    send_due(k);
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
    events_timer_cancel(k->events, &k->watch);
    if (k->order.fd >= 0)
        close(k->order.fd);
    k->order.fd = -1;
}

/* The successor reads all files, in the order of before. */
static void
wait_again(struct key_process *k)
{
    struct key_file *f = k->reading;
    k->reading = NULL;
    k->reading_number = 0;
    k->loops_sent = k->n_drops = 0;
    k->complete = false;
    while (!list_empty(&k->held)) {
        struct list *last = k->held.prev;
        list_remove(last);
        list_push_front(&k->waiting, last);
    }
    if (f != NULL && ++f->deaths >= KEY_READS_MAX)
        settle(k, f, ERR_SYS, SPAN_LIT("the key process died each time it read the file"));
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
    nsec now = clock_mono_ns();
    if (now - k->calm_since > KEY_DEATHS_WITHIN) {
        k->calm_since = now;
        k->deaths = 0;
    }
    events_timer(k->events, &k->restart, ++k->deaths <= RESTARTS_AT_ONCE ? now : now + RESTART_PAUSE);
    wait_again(k);
}

static void
forget_all(struct key_process *k, struct list *files)
{
    for (struct key_file *f; (f = list_first(files, struct key_file, link)) != NULL;)
        forget(k, f);
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
    forget_all(k, &k->held);
    forget_all(k, &k->waiting);
    for (unsigned i = 0; i < k->n_loops; i++)
        close(k->loops[i]);
    k->n_loops = 0;
    free(k->drops);
    k->drops = NULL;
    k->n_drops = 0;
}

/* Each certificate keeps its files open. */
static unsigned
room_for_files(void)
{
    struct rlimit lim;
    if (getrlimit(RLIMIT_NOFILE, &lim) != 0)
        return 0;
    rlim_t before = lim.rlim_cur;
    lim.rlim_cur = lim.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &lim) != 0)
        lim.rlim_cur = before;
    unsigned most = lim.rlim_cur > UINT_MAX ? UINT_MAX : (unsigned)lim.rlim_cur;
    return most > 2 * FDS_KEPT ? most - FDS_KEPT : most / 2;
}

void
key_process_init(struct key_process *k, struct events *ev, const struct jail_user *user,
                 const struct sandbox *sandbox)
{
    *k = (struct key_process){ .events = ev,
                               .user = user,
                               .sandbox = sandbox,
                               .order = { .fd = -1 },
                               .fds_max = room_for_files(),
                               .restart = { .fn = start_again },
                               .watch = { .fn = look } };
    list_init(&k->held);
    list_init(&k->waiting);
}

bool
key_process_is_on(const struct key_process *k)
{
    return k->starts > 0;
}

/* ---- keys and loops ---- */

struct key_file *
key_process_load(struct key_process *k, const char *name, int cert_fd, int key_fd, key_loaded_fn *done,
                 void *arg)
{
    struct key_file *f = mem_zalloc(sizeof *f);
    *f = (struct key_file){ .process = k,
                            .name = mem_text(span_str(name)),
                            .number = ++k->last_number,
                            .fds = { cert_fd, key_fd },
                            .done = done,
                            .arg = arg };
    k->n_fds += key_fd < 0 ? 1 : 2;
    list_push_back(&k->waiting, &f->link);
    send_due(k);
    return f;
}

uint32_t
key_file_number(const struct key_file *f)
{
    return f->number;
}

const char *
key_file_fault(const struct key_file *f)
{
    return f->fault;
}

void
key_process_drop(struct key_process *k, struct key_file *f)
{
    if (k->pid != 0)
        add_drop(k, f->number); /* harmless if it has no such key */
    forget(k, f);
    send_due(k);
}

static void
on_leaves(struct event_timer *t)
{
    struct key_file *f = container_of(t, struct key_file, leaves);
    key_process_drop(f->process, f);
}

void
key_process_retire(struct key_process *k, struct key_file *f)
{
    f->leaves.fn = on_leaves;
    events_timer(k->events, &f->leaves, clock_mono_ns() + nsec_of(params.tls_handshake_timeout_s));
}

unsigned
key_process_loops(struct key_process *k, unsigned n, int out[LOOPS_MAX])
{
    for (unsigned i = 0; i < k->n_loops; i++)
        close(k->loops[i]);
    k->loops_sent = 0;
    for (k->n_loops = 0; k->n_loops < n && k->n_loops < LOOPS_MAX; k->n_loops++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) {
            log_line(LOG_LEVEL_ERROR, "%u loops have no socket to the key process: %s", n - k->n_loops,
                     strerror(errno));
            break;
        }
        out[k->n_loops] = pair[0];
        k->loops[k->n_loops] = pair[1];
    }
    send_due(k);
    return k->n_loops;
}
