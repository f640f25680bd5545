/* See syslog_relay.h. */
#include "manager/syslog_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <syslog.h>
#include <unistd.h>

#include "daemon/params.h"
#include "base/check.h"
#include "base/text.h"

#define SYSLOG_LINE_BYTES 2048u

static struct {
    struct event_fd event;
    struct text line;
    bool quiet;
    int echo_fd; /* the terminal during the start; then -1 */
} relay = { .echo_fd = -1 };

static int
priority_of(const char *line)
{
    static const struct {
        const char *prefix;
        int priority;
    } rows[] = {
        { "Error: ", LOG_ERR },
        { "Warning: ", LOG_WARNING },
        { "Debug: ", LOG_DEBUG },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(line, rows[i].prefix, strlen(rows[i].prefix)) == 0)
            return rows[i].priority;
    return LOG_INFO;
}

static void
on_lines(struct event_fd *e, short seen)
{
    char buf[4096];
    ssize_t n = read(e->fd, buf, sizeof buf);
    if (n > 0 && relay.echo_fd >= 0 && write(relay.echo_fd, buf, (size_t)n) < 0)
        syslog_leave_terminal();
    for (ssize_t i = 0; i < n; i++) {
        if (buf[i] != '\n')
            text_add(&relay.line, span_of(&buf[i], 1));
        if (buf[i] != '\n' && relay.line.len < SYSLOG_LINE_BYTES)
            continue;
        if (!relay.quiet)
            syslog(priority_of(text_cstr(&relay.line)), "%s", text_cstr(&relay.line));
        text_clear(&relay.line);
    }
}

void
syslog_leave_terminal(void)
{
    if (relay.echo_fd >= 0)
        close(relay.echo_fd);
    relay.echo_fd = -1;
}

void
syslog_relay_start(struct events *ev)
{
    int fds[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    relay.echo_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    close(null);
    dup2(fds[1], STDERR_FILENO);
    close(fds[1]);
    relay.quiet = param_bit("debug", "vtc_mode");
    openlog("vernisd", LOG_PID, LOG_DAEMON);
    relay.event = (struct event_fd){ .fd = fds[0], .fn = on_lines, .want = POLLIN };
    events_add(ev, &relay.event);
}
