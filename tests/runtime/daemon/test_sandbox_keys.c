/* The confinement of the key process: it answers on its sockets, and a call outside its list ends it. */
#include "daemon/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "test.h"

typedef void deed_fn(void);

/* The status of a confined process that does the deed and ends with 7. */
static int
status_after(deed_fn *deed)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        const struct sandbox s = { .calls = true, .files = sandbox_files_version() > 0, .readable = "" };
        if (sandbox_cores(&s) != 0 || sandbox_keys(&s) != 0)
            _exit(1);
        deed();
        _exit(7);
    }
    EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid);
    return status;
}

static void
deed_work(void)
{
    char bytes[8];
    free(malloc(1u << 20));
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes || clock_mono_ns() <= 0)
        _exit(2);
}

static void
deed_open(void)
{
    (void)!open("/etc/hostname", O_RDONLY);
}

static void
deed_socket(void)
{
    (void)!socket(AF_INET, SOCK_STREAM, 0);
}

static void
deed_exec(void)
{
    char *const argv[] = { "true", NULL };
    execv("/bin/true", argv);
}

static void
deed_kill(void)
{
    kill(getppid(), SIGCONT);
}

static bool
was_ended(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

static void
its_own_work_is_allowed(void)
{
    int status = status_after(deed_work);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void
a_call_outside_the_list_ends_it(void)
{
    EXPECT(was_ended(status_after(deed_open)));
    EXPECT(was_ended(status_after(deed_socket)));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their lists have more */
    EXPECT(was_ended(status_after(deed_exec)));
    EXPECT(was_ended(status_after(deed_kill)));
#else
    (void)deed_exec, (void)deed_kill;
#endif
}

static const struct test tests[] = {
    { "its_own_work_is_allowed", its_own_work_is_allowed },
    { "a_call_outside_the_list_ends_it", a_call_outside_the_list_ends_it },
};

int
main(int argc, char **argv)
{
    if (!sandbox_has_calls()) {
        printf("0 passed, 0 failed: this kernel has no filter of system calls\n");
        return 0;
    }
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
