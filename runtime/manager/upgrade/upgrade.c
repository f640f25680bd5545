/* An upgrade of the daemon: see upgrade.h. */
#include "manager/upgrade/upgrade.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "manager/notify.h"
#include "manager/passed.h"
#include "base/check.h"
#include "base/split.h"
#include "log/report.h"

#define READY "ready\n"
#define FAILED "failed "
#define TAKE "take\n"
#define TAKEN "taken\n" /* the first line of a message */

static bool
begins(const struct text *said, const char *word)
{
    return said->len >= strlen(word) && memcmp(said->ptr, word, strlen(word)) == 0;
}

static void
send_message(int fd, const char *word)
{
    if (send(fd, word, strlen(word), MSG_NOSIGNAL) < 0)
        log_line(LOG_LEVEL_WARNING, "upgrade: the other daemon does not listen: %s", strerror(errno));
}

static void
close_channel(struct upgrade *u)
{
    if (u->channel.fd < 0)
        return;
    events_remove(u->env.events, &u->channel);
    close(u->channel.fd);
    u->channel.fd = -1;
}

static void
close_settings(struct upgrade *u)
{
    if (u->settings_fd >= 0)
        close(u->settings_fd);
    u->settings_fd = -1;
}

/* Appends received text to u->said. False: the other daemon has closed the channel. */
static bool
receive(struct upgrade *u)
{
    char buf[4096];
    ssize_t n = recv(u->channel.fd, buf, sizeof buf, MSG_DONTWAIT);
    if (n > 0 && u->said.len < UPGRADE_SAID_BYTES_MAX)
        text_add(&u->said, span_of(buf, (size_t)n));
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* ---- the old daemon ------------------------------------------------------------------------------------ */

static void
answer_caller(struct upgrade *u, bool ok, struct span text)
{
    upgrade_done_fn *done = u->done;
    u->done = NULL;
    events_timer_cancel(u->env.events, &u->overdue);
    if (done != NULL)
        done(u->done_arg, ok, text);
}

static void
log_lines(enum log_level level, struct span text)
{
    struct span line;
    while (split_next(&text, SPAN_LIT("\n"), &line))
        log_line(level, "upgrade: %.*s", (int)line.len, line.ptr);
}

static void
give_up(struct upgrade *u)
{
    struct text why = { 0 };
    bool explained = begins(&u->said, FAILED);
    text_str(&why, "The new daemon did not start; this one goes on.\n");
    text_add(&why, explained ? span_of(u->said.ptr + strlen(FAILED), u->said.len - strlen(FAILED))
                             : SPAN_LIT("It ended without a message: see its log.\n"));
    if (u->state == UPGRADE_TAKING)
        u->env.go_on(u->env.arg);
    if (u->state == UPGRADE_TAKING || u->state == UPGRADE_DETACHING)
        u->env.attach(u->env.arg);
    u->state = UPGRADE_NONE;
    close_channel(u);
    close_settings(u);
    if (u->pid != 0)
        kill(u->pid, SIGKILL);
    log_lines(LOG_LEVEL_ERROR, text_span(&why));
    answer_caller(u, false, text_span(&why));
    text_release(&why);
}

static void
overdue(struct event_timer *t)
{
    struct upgrade *u = container_of(t, struct upgrade, overdue);
    text_clear(&u->said);
    text_printf(&u->said, FAILED "It was not ready within %lld s.\n",
                (long long)(UPGRADE_START / NSEC_PER_SEC));
    give_up(u);
}

static void
detach(struct upgrade *u)
{
    u->state = UPGRADE_DETACHING;
    text_clear(&u->said);
    u->detaching++;
    u->env.detach(u->env.arg);
}

/* The service manager accepts messages only from the main process, so announce the new daemon's pid first. */
static void
let_go(struct upgrade *u)
{
    char pid[64];
    snprintf(pid, sizeof pid, "MAINPID=%ld", (long)u->pid);
    u->state = UPGRADE_TAKING;
    u->env.let_go(u->env.arg);
    u->env.save(u->env.arg, u->settings_fd);
    text_clear(&u->said);
    text_clear(&u->summary);
    u->env.describe(u->env.arg, &u->summary);
    notify_send(pid);
    send_message(u->channel.fd, TAKE);
}

/* The worker answers in order: an answer that an earlier upgrade waited for comes first. */
void
upgrade_detached(struct upgrade *u)
{
    CHECK(u->detaching > 0);
    if (--u->detaching == 0 && u->state == UPGRADE_DETACHING)
        let_go(u);
}

static void
hand_over(struct upgrade *u)
{
    struct text text = { 0 };
    struct span lost = span_of(u->said.ptr + strlen(TAKEN), u->said.len - strlen(TAKEN)), line;
    u->state = UPGRADE_DONE;
    text_printf(&text, "Daemon %ld has taken over from %ld.\n", (long)u->pid, (long)getpid());
    text_add(&text, text_span(&u->summary));
    while (split_next(&lost, SPAN_LIT("\n"), &line))
        text_printf(&text, "Not kept: %.*s\n", (int)line.len, line.ptr);
    log_lines(LOG_LEVEL_INFO, text_span(&text));
    answer_caller(u, true, text_span(&text));
    text_release(&text);
    close_channel(u);
    close_settings(u);
    u->env.retire(u->env.arg);
}

static void
on_new_daemon(struct event_fd *e, short seen)
{
    struct upgrade *u = container_of(e, struct upgrade, channel);
    bool open = receive(u);
    if (u->state == UPGRADE_STARTING && begins(&u->said, READY))
        detach(u);
    else if (!open && u->state == UPGRADE_TAKING && begins(&u->said, TAKEN))
        hand_over(u); /* the message is whole */
    else if (!open)
        give_up(u);
}

static void
pass(int fd)
{
    if (fd >= 0)
        fcntl(fd, F_SETFD, 0);
}

/* Runs in the new process. exec closes all descriptors that are not passed. */
__attribute__((noreturn)) static void
exec_new_daemon(const struct upgrade *u, int channel)
{
    struct text value = { 0 };
    sigset_t none;
    text_printf(&value, "%u %d %d %d ", passed()->generation + 1, channel, *u->env.lock_fd, *u->env.pid_fd);
    pass(channel);
    pass(*u->env.lock_fd);
    pass(*u->env.pid_fd);
    for (unsigned i = 0; i < UPGRADE_LISTS_MAX && u->env.listens[i] != NULL; i++)
        for (unsigned k = 0; k < u->env.listens[i]->n; k++) {
            const struct listen_socket *s = &u->env.listens[i]->socket[k];
            text_printf(&value, "%d:%s,", s->fd, s->name.ptr);
            pass(s->fd);
        }
    if (u->settings_fd >= 0) {
        text_printf(&value, "%d:%s,", u->settings_fd, PASSED_SETTINGS);
        pass(u->settings_fd);
    }
    setenv(PASSED_VARIABLE, text_cstr(&value), 1);
    if (u->env.notify_socket != NULL)
        setenv("NOTIFY_SOCKET", u->env.notify_socket, 1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(u->env.argv[0], u->env.argv);
    dprintf(channel, FAILED "Cannot run %s: %s\n", u->env.argv[0], strerror(errno));
    _exit(127);
}

void
upgrade_start(struct upgrade *u, upgrade_done_fn *done, void *arg)
{
    int ends[2];
    struct text why = { 0 };
    if (u->state != UPGRADE_NONE || !u->env.may(u->env.arg, &why)) {
        if (why.len == 0)
            text_str(&why, "An upgrade is in progress.\n");
        log_lines(LOG_LEVEL_WARNING, text_span(&why));
        done(arg, false, text_span(&why));
        text_release(&why);
        return;
    }
    if (u->pid != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        done(arg, false,
             SPAN_LIT(
                 "The process of the previous upgrade has not ended yet, or no descriptors are left.\n"));
        return;
    }
    close_channel(u); /* to the daemon that this one replaced, which has ended or drains by
                       * itself */
    close_settings(u);
    u->settings_fd = memfd_create("settings", MFD_CLOEXEC);
    u->env.save(u->env.arg, u->settings_fd);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        exec_new_daemon(u, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        close_settings(u);
        done(arg, false, SPAN_LIT("Cannot fork.\n"));
        return;
    }
    log_line(LOG_LEVEL_INFO, "upgrade: daemon %ld starts", (long)pid);
    text_clear(&u->said);
    u->pid = pid;
    u->state = UPGRADE_STARTING;
    u->done = done;
    u->done_arg = arg;
    u->channel = (struct event_fd){ .fd = ends[0], .fn = on_new_daemon, .want = POLLIN };
    events_add(u->env.events, &u->channel);
    events_timer(u->env.events, &u->overdue, clock_mono_ns() + UPGRADE_START);
}

void
upgrade_reap(struct upgrade *u)
{
    if (u->pid != 0 && waitpid(u->pid, NULL, WNOHANG) == u->pid)
        u->pid = 0; /* the channel still holds its last message */
}

void
upgrade_cancel(struct upgrade *u)
{
    if (u->state == UPGRADE_STARTING || u->state == UPGRADE_DETACHING)
        give_up(u);
}

/* ---- the new daemon ------------------------------------------------------------------------------------ */

static void
on_old_daemon(struct event_fd *e, short seen)
{
    struct upgrade *u = container_of(e, struct upgrade, channel);
    bool open = receive(u);
    if (open && !begins(&u->said, TAKE))
        return;
    text_clear(&u->said);
    if (open)
        events_remove(u->env.events, &u->channel);
    else
        close_channel(u); /* the old daemon has ended */
    u->env.take(u->env.arg);
}

void
upgrade_taken(struct upgrade *u, struct span lost)
{
    struct text message = { 0 };
    if (u->channel.fd < 0)
        return;
    text_str(&message, TAKEN);
    text_add(&message, lost);
    send_message(u->channel.fd, text_cstr(&message));
    text_release(&message);
    close_channel(u);
}

void
upgrade_ready(struct upgrade *u)
{
    u->channel = (struct event_fd){ .fd = passed()->channel_fd, .fn = on_old_daemon, .want = POLLIN };
    events_add(u->env.events, &u->channel);
    send_message(u->channel.fd, READY);
}

void
upgrade_failed(struct span why)
{
    int fd = passed()->channel_fd;
    if (fd >= 0)
        dprintf(fd, FAILED "%.*s%s", (int)why.len, why.ptr,
                why.len > 0 && why.ptr[why.len - 1] == '\n' ? "" : "\n");
}

/* ---- life ---------------------------------------------------------------------------------------------- */

void
upgrade_init(struct upgrade *u, const struct upgrade_env *env)
{
    *u = (struct upgrade){ .env = *env, .channel.fd = -1, .settings_fd = -1, .overdue.fn = overdue };
}

void
upgrade_release(struct upgrade *u)
{
    if (u->channel.fd >= 0)
        close_channel(u);
    close_settings(u);
    text_release(&u->said);
    text_release(&u->summary);
}
