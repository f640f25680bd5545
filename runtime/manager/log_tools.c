/* Asks varnishlog for its release: see log_tools.h. It runs with the rights of the manager, so PATH must name
 * folders that only its user can change. */
#include "manager/log_tools.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/params.h"
#include "base/clock.h"
#include "log/report.h"

#define ANSWER_BYTES 256u
#define PATIENCE NSEC_PER_SEC
#define LATER_MAJOR 7u /* the release that brought the later form */
#define LATER_MINOR 3u

extern char **environ;

/* Reads until the end, or until the time is over. Returns bytes. */
static size_t
read_answer(int fd, char *out, size_t max)
{
    nsec end = clock_mono_ns() + PATIENCE;
    size_t n = 0;
    for (nsec left; n < max && (left = end - clock_mono_ns()) > 0;) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        if (poll(&p, 1, (int)(left / NSEC_PER_MSEC) + 1) <= 0)
            continue;
        ssize_t got = read(fd, out + n, max - n);
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    return n;
}

/* Starts `varnishlog -V`, whose release goes to its standard error. 0: it is not there */
static pid_t
start_varnishlog(int out_fd)
{
    char *argv[] = { "varnishlog", "-V", NULL };
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return 0;
    if (posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, out_fd, STDERR_FILENO) != 0 ||
        posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) != 0)
        pid = 0;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/* The answer of varnishlog -V, NUL-terminated; empty: none */
static void
ask_varnishlog(char answer[ANSWER_BYTES])
{
    int fds[2];
    answer[0] = '\0';
    if (pipe2(fds, O_CLOEXEC) != 0)
        return;
    pid_t pid = start_varnishlog(fds[1]);
    close(fds[1]);
    if (pid != 0) {
        answer[read_answer(fds[0], answer, ANSWER_BYTES - 1)] = '\0';
        kill(pid, SIGKILL); /* it has answered, or never will */
        waitpid(pid, NULL, 0);
    }
    close(fds[0]);
}

void
log_tools_choose_form(void)
{
    char answer[ANSWER_BYTES];
    unsigned major, minor;
    ask_varnishlog(answer);
    const char *release = strstr(answer, "varnish-");
    if (release == NULL || sscanf(release, "varnish-%u.%u", &major, &minor) != 2 || major < LATER_MAJOR ||
        (major == LATER_MAJOR && minor < LATER_MINOR))
        return;
    param_set_default(LOG_FORM_PARAM, "on");
    log_line(LOG_LEVEL_INFO,
             "the log has the form of Varnish 7.3, because varnishlog is of %u.%u (-p " LOG_FORM_PARAM
             "=off: that of 7.2)",
             major, minor);
}
