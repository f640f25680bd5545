/* Lines for the operator and the crash report, read from the stderr of a child. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "log/report.h"
#include "test.h"

static char output[64 * 1024];

/* Runs fn in a child. Returns its wait status; `output` has its stderr. */
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
    EXPECT_EQ_INT(strlen(strstr(output, "Info: ")), LOG_LINE_BYTES); /* cut, with a newline */
}

static void
log_limited(void)
{
    static struct log_limiter a, b;
    nsec now = 5 * NSEC_PER_SEC, period = LOG_LIMITED_SECONDS * NSEC_PER_SEC;
    for (int i = 0; i < 100; i++)
        log_line_limited(&a, now + i, LOG_LEVEL_WARNING, "out of %s", "a");
    log_line_limited(&b, now, LOG_LEVEL_WARNING, "out of b");
    log_line_limited(&a, now + period, LOG_LEVEL_WARNING, "out of a");
    log_line_limited(&a, now + 2 * period, LOG_LEVEL_WARNING, "out of a");
}

static void
lines_that_traffic_causes_are_few_and_counted(void)
{
    EXPECT_EQ_INT(run_child(log_limited), 0);
    EXPECT_EQ_STR(span_str(output),
                  "Warning: out of a\nWarning: out of b\n"
                  "Warning: out of a (99 such messages left out before)\nWarning: out of a\n");
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
tell(const struct check_place *place, struct check_report *out)
{
    *out = (struct check_report){
        .task = "request", .xid = 32770, .step = "hit", .hook = "vcl_hit", .policy = "bo\not"
    };
}

static void
fail_check_in_place(void)
{
    static const struct check_place place = { tell };
    check_here = &place;
    fail_check();
}

static void
fault_in_place(void)
{
    static const struct check_place place = { tell };
    check_here = &place;
    fault();
}

static void
tell_and_fault(const struct check_place *place, struct check_report *out)
{
    *(volatile int *)8 = 1;
}

static void
fault_while_telling(void)
{
    static const struct check_place place = { tell_and_fault };
    check_here = &place;
    fault();
}

static void
a_report_names_what_was_worked_on(void)
{
    static const char said[] = "\nWorking on: request 32770, step hit, hook vcl_hit, policy bo?ot\n";
    run_child(fail_check_in_place);
    const char *line = strstr(output, said);
    EXPECT(line != NULL && strstr(line + 1, said) == NULL);
    run_child(fault_in_place);
    EXPECT(strstr(output, said) != NULL);
}

static void
a_broken_place_costs_only_its_own_line(void)
{
    int status = run_child(fault_while_telling);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    EXPECT(strstr(output, "Crash: tester died of SIGSEGV") != NULL && strstr(output, "(main+") != NULL);
}

static void
a_crash_is_reported_and_dies_of_its_signal(void)
{
    int status = run_child(fault);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    EXPECT(strstr(output, "Crash: tester died of SIGSEGV at address 0x") != NULL);
    EXPECT(strstr(output, "main") != NULL); /* the call stack */
}

static void
a_broken_invariant_is_reported_once(void)
{
    int status = run_child(fail_check);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    EXPECT(strstr(output, "test_report.c") != NULL && strstr(output, "1 == 2") != NULL);
    EXPECT(strstr(output, "Crash: tester died of SIGABRT\n") != NULL);
    const char *stack = strstr(output, "(main+");
    EXPECT(stack != NULL && strstr(stack + 1, "(main+") == NULL); /* one call stack, not two */
}

static const struct test tests[] = {
    { "lines_have_a_level_and_cannot_be_forged", lines_have_a_level_and_cannot_be_forged },
    { "lines_that_traffic_causes_are_few_and_counted", lines_that_traffic_causes_are_few_and_counted },
    { "a_crash_is_reported_and_dies_of_its_signal", a_crash_is_reported_and_dies_of_its_signal },
    { "a_broken_invariant_is_reported_once", a_broken_invariant_is_reported_once },
    { "a_report_names_what_was_worked_on", a_report_names_what_was_worked_on },
    { "a_broken_place_costs_only_its_own_line", a_broken_place_costs_only_its_own_line },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
