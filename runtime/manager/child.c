/* The worker process as seen by the manager: see child.h. */
#include "manager/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/frame.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define CHILD_READ_BYTES 65536u
#define CHILD_LINE_BYTES 1024u

struct call {
    struct list link;
    uint32_t id;
    nsec sent;
    child_done_fn *done;
    void *arg;
};

bool
child_running(const struct child *c)
{
    return c->state == CHILD_RUNNING;
}

bool
child_alive(const struct child *c)
{
    return c->state == CHILD_RUNNING || c->state == CHILD_STARTING;
}

void
child_check(const struct child *c)
{
    CHECK((c->pid == 0) == (c->command.fd < 0) && (c->pid == 0) == (c->said.fd < 0));
    CHECK((c->n_calls == 0) == list_empty(&c->calls) && c->n_calls <= CHILD_CALLS_MAX);
    CHECK(c->pid != 0 || (c->n_calls == 0 && c->state != CHILD_RUNNING && c->state != CHILD_STOPPING));
}

const char *
child_state_name(const struct child *c)
{
    switch (c->state) {
    case CHILD_STOPPED: return "stopped";
    case CHILD_STARTING: return "starting";
    case CHILD_RUNNING: return "running";
    case CHILD_STOPPING: return "stopping";
    case CHILD_DIED: return "died";
    }
    WRONG("child state");
}

/* ---- output of the worker ------------------------------------------------------------------------------ */

static void
keep_tail(struct child *c, struct span bytes)
{
    text_add(&c->tail, bytes);
    if (c->tail.len > 2 * CHILD_TAIL_BYTES)
        text_drop(&c->tail, c->tail.len - CHILD_TAIL_BYTES);
}

static void
say_line(struct child *c)
{
    if (c->line.len > 0)
        log_line(LOG_LEVEL_INFO, "Child (%ld) said %s", (long)c->pid, text_cstr(&c->line));
    text_clear(&c->line);
}

static bool
read_said(struct child *c)
{
    char buf[4096];
    ssize_t n = read(c->said.fd, buf, sizeof buf);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) {
        events_remove(c->events, &c->said);
        return false;
    }
    keep_tail(c, span_of(buf, (size_t)n));
    for (ssize_t i = 0; i < n; i++) {
        if (buf[i] != '\n')
            text_add(&c->line, span_of(&buf[i], 1));
        if (buf[i] == '\n' || c->line.len >= CHILD_LINE_BYTES)
            say_line(c);
    }
    return true;
}

static void
on_said(struct event_fd *e, short seen)
{
    read_said(container_of(e, struct child, said));
}

/* ---- commands ------------------------------------------------------------------------------------------ */

static void
flush(struct child *c)
{
    size_t done = 0;
    while (done < c->output.len) {
        ssize_t n = send(c->command.fd, c->output.ptr + done, c->output.len - done, MSG_NOSIGNAL);
        if (n <= 0)
            break; /* full, or the worker died, which the event loop notices */
        done += (size_t)n;
    }
    text_drop(&c->output, done);
    if (done > 0)
        explicit_bzero(c->output.ptr + c->output.len, done); /* it may have held keys of tickets */
    c->command.want = (short)(POLLIN | (c->output.len > 0 ? POLLOUT : 0));
}

static void
take_answer(struct child *c, const struct frame_head *head, struct span body)
{
    struct call *call = list_first(&c->calls, struct call, link);
    if (call == NULL || call->id != head->id) {
        log_line(LOG_LEVEL_ERROR, "Child (%ld) sent an answer without a request", (long)c->pid);
        child_kill(c, SIGKILL);
        return;
    }
    list_remove(&call->link);
    c->n_calls--;
    call->done(call->arg, (int)head->status, body);
    free(call);
}

static void
on_command(struct event_fd *e, short seen)
{
    struct child *c = container_of(e, struct child, command);
    char buf[CHILD_READ_BYTES];
    if (seen & POLLOUT)
        flush(c);
    if (!(seen & ~POLLOUT))
        return;
    ssize_t n = recv(e->fd, buf, sizeof buf, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        events_remove(c->events, &c->command); /* SIGCHLD follows */
        return;
    }
    text_add(&c->input, span_of(buf, (size_t)n));
    struct frame_head head;
    struct span body;
    int err;
    while (frame_next(&c->input, &head, &body, &err)) {
        struct text copy = { 0 }; /* the callback may send more, and the input may move */
        text_add(&copy, body);
        text_drop(&c->input, sizeof head + head.bytes);
        take_answer(c, &head, text_span(&copy));
        text_release(&copy);
    }
    if (err != 0)
        child_kill(c, SIGKILL);
}

void
child_call(struct child *c, child_done_fn *done, void *arg, unsigned n, const char *const words[])
{
    child_check(c);
    if (c->pid == 0 || c->n_calls >= CHILD_CALLS_MAX) {
        done(arg, CLI_COMMS, SPAN_LIT("The worker is not running.\n"));
        return;
    }
    CHECK(n <= FRAME_WORDS_MAX);
    struct call *call = mem_zalloc(sizeof *call);
    *call = (struct call){ .id = ++c->next_id, .sent = clock_mono_ns(), .done = done, .arg = arg };
    list_push_back(&c->calls, &call->link);
    c->n_calls++;
    size_t bytes = 0;
    for (unsigned i = 0; i < n; i++)
        bytes += strlen(words[i]) + 1;
    char *body = mem_alloc(bytes), *at = body; /* exact, because a text leaves copies behind as it grows */
    for (unsigned i = 0; i < n; i++)
        at = stpcpy(at, words[i]) + 1;
    frame_add(&c->output, call->id, 0, span_of(body, bytes));
    explicit_bzero(body, bytes);
    free(body);
    flush(c);
}

nsec
child_oldest_call(const struct child *c)
{
    const struct call *call = list_first(&c->calls, struct call, link);
    return call == NULL ? NSEC_NEVER : call->sent;
}

/* ---- the process --------------------------------------------------------------------------------------- */

void
child_init(struct child *c, struct events *ev, inherit_main_fn *worker_main)
{
    *c = (struct child){
        .events = ev, .worker_main = worker_main, .command = { .fd = -1 }, .said = { .fd = -1 }
    };
    list_init(&c->calls);
}

static void
open_pipes(int command[2], int said[2], int *err)
{
    *err = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, command) != 0) {
        *err = ERR_SYS;
    } else if (pipe2(said, O_CLOEXEC) != 0) {
        *err = ERR_SYS;
        close(command[0]);
        close(command[1]);
    }
}

void
child_adopt(struct child *c, pid_t pid, int command_fd, int said_fd)
{
    child_check(c);
    CHECK(c->pid == 0 && pid != 0);
    fcntl(command_fd, F_SETFL, O_NONBLOCK);
    fcntl(said_fd, F_SETFL, O_NONBLOCK);
    c->pid = pid;
    c->started = clock_mono_ns();
    c->command = (struct event_fd){ .fd = command_fd, .fn = on_command, .want = POLLIN };
    c->said = (struct event_fd){ .fd = said_fd, .fn = on_said, .want = POLLIN };
    events_add(c->events, &c->command);
    events_add(c->events, &c->said);
    text_clear(&c->tail);
}

int
child_fork(struct child *c, struct inherit *from)
{
    child_check(c);
    CHECK(c->pid == 0 && c->state == CHILD_STARTING);
    int command[2], said[2], err;
    open_pipes(command, said, &err);
    if (err != 0)
        return err;
    fflush(NULL);
    from->command_fd = command[1];
    from->said_fd = said[1];
    pid_t pid = fork();
    if (pid == 0) {
        c->worker_main(from);
        WRONG("worker_main has returned");
    }
    close(command[1]);
    close(said[1]);
    if (pid < 0) {
        close(command[0]);
        close(said[0]);
        return ERR_SYS;
    }
    child_adopt(c, pid, command[0], said[0]);
    return 0;
}

void
child_kill(struct child *c, int signal)
{
    if (c->pid != 0)
        kill(c->pid, signal);
}

void
child_bury(struct child *c)
{
    while (read_said(c))
        ;
    say_line(c);
    events_remove(c->events, &c->command);
    events_remove(c->events, &c->said);
    close(c->command.fd);
    close(c->said.fd);
    c->command.fd = c->said.fd = -1;
    c->pid = 0;
    text_release(&c->input);
    text_release(&c->output);
    text_release(&c->line);
    struct list calls = c->calls; /* a callback may call again; without a process this fails at once */
    if (!list_empty(&c->calls)) {
        calls.next->prev = &calls;
        calls.prev->next = &calls;
    } else
        list_init(&calls);
    list_init(&c->calls);
    c->n_calls = 0;
    for (struct list *n; (n = list_pop_front(&calls)) != NULL;) {
        struct call *call = container_of(n, struct call, link);
        call->done(call->arg, CLI_COMMS, SPAN_LIT("The worker died before it answered.\n"));
        free(call);
    }
}
