/* Lines for the operator and the crash report, read from the stderr of a child. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "log/report.h"
#include "test.h"

static char output[64 * 1024];

/* Runs fn in a child; its stderr is in `output`. Returns the wait status. */
static int
run_child(void (*fn)(void))
{
    int fds[2], status = 0;
    size_t n = 0;
    ssize_t got;
    CHECK(pipe(fds) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        close(fds[0]);
        fn();
        _exit(0);
    }
    close(fds[1]);
    while ((got = read(fds[0], output + n, sizeof output - 1 - n)) > 0)
        n += (size_t)got;
    output[n] = '\0';
    close(fds[0]);
    CHECK(waitpid(pid, &status, 0) == pid);
    return status;
}

static void
log_some(void)
{
    log_line(LOG_LEVEL_WARNING, "low on %s: %d", "fuel", 7);
    log_line(LOG_LEVEL_DEBUG, "not shown");
    log_line(LOG_LEVEL_ERROR, "forged\nError: line\x1b[1m");
    log_line(LOG_LEVEL_INFO, "%0*d", 2 * LOG_LINE_BYTES, 0);
}

static void
lines_have_a_level_and_cannot_be_forged(void)
{
    EXPECT_EQ_INT(run_child(log_some), 0);
    const char *expected = "Warning: low on fuel: 7\nError: forged?Error: line?[1m\nInfo: 000";
    EXPECT(strncmp(output, expected, strlen(expected)) == 0);
    EXPECT_EQ_INT(strlen(strstr(output, "Info: ")), LOG_LINE_BYTES);     /* cut, and ended */
}

static void
fault(void)
{
    crash_handler_install("tester");
    raise(SIGSEGV);
}

static void
fail_check(void)
{
    crash_handler_install("tester");
    CHECK(1 == 2);
}

static void
a_crash_is_reported_and_dies_of_its_signal(void)
{
    int status = run_child(fault);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    EXPECT(strstr(output, "Crash: tester died of SIGSEGV at address 0x") != NULL);
    EXPECT(strstr(output, "main") != NULL);     /* the call stack */
}

static void
a_broken_invariant_is_reported_once(void)
{
    int status = run_child(fail_check);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    EXPECT(strstr(output, "test_report.c") != NULL && strstr(output, "1 == 2") != NULL);
    EXPECT(strstr(output, "Crash: tester died of SIGABRT\n") != NULL);
    const char *stack = strstr(output, "(main+");
    EXPECT(stack != NULL && strstr(stack + 1, "(main+") == NULL);       /* one call stack, not two */
}

static const struct test tests[] = {
    { "lines_have_a_level_and_cannot_be_forged", lines_have_a_level_and_cannot_be_forged },
    { "a_crash_is_reported_and_dies_of_its_signal", a_crash_is_reported_and_dies_of_its_signal },
    { "a_broken_invariant_is_reported_once", a_broken_invariant_is_reported_once },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
