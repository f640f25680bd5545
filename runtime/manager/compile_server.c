/* Starts the process of the compile server: finds the program, gives up rights and confines it. compile.c
 * talks to it. */
#include "manager/compile_server.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "manager/compile_request.h"
#include "manager/jail_users.h"
#include "base/check.h"
#include "log/report.h"

/* The compiler program: VERNIS_COMPILER, else `vernis` beside this daemon, else `vernis` in PATH. */
static void
program_path(char out[PATH_MAX])
{
    const char *env = getenv(COMPILE_ENV);
    char self[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (env != NULL && *env != '\0') {
        snprintf(out, PATH_MAX, "%s", env);
        return;
    }
    if (n > 0 && snprintf(out, PATH_MAX, "%s/vernis", dirname(self)) < PATH_MAX && access(out, X_OK) == 0)
        return;
    snprintf(out, PATH_MAX, "vernis");
}

/* The folders that hold the compiler: of /usr/bin/vernis it is /usr; of build/bin/vernis build, and
 * the checkout, to which py/vernis leads. */
static void
program_folders(const char *program, char out[2 * PATH_MAX])
{
    char path[PATH_MAX];
    bool known = strchr(program, '/') != NULL && realpath(program, path) != NULL;
    const char *folder = known ? dirname(dirname(path)) : "/usr";
    if (strcmp(folder, "/") == 0)
        folder = "/usr";
    snprintf(out, 2 * PATH_MAX, "%s:%.4000s/py/vernis/..", folder, folder);
}

/* Runs in the child process. The server shares the manager's stderr. */
__attribute__((noreturn)) static void
exec_server(const struct compiler_env *env, const char *program, int fd)
{
    sigset_t none;
    char folders[2 * PATH_MAX];
    program_folders(program, folders);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    /* A new group lets the manager kill the server with its children, and keeps a terminal's ^C away. The
     * children stay in the new session, which is_confined() in manager.c checks. */
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("TMPDIR", COMPILE_OUT, 1); /* the manager removes leftovers together with the images */
    /* The server itself drops core files and filters system calls: exec undoes the first, and needs more
     * calls than compiling. */
    const char *argv[] = { program, "compile-server", NULL, NULL, NULL };
    unsigned n = 2;
    if (env->sandbox->calls)
        argv[n++] = "--filter-calls";
    if (!env->sandbox->cores)
        argv[n++] = "--no-cores";
    if (chdir(env->work_dir) == 0 && jail_enter(env->user) == 0 &&
        sandbox_compiler_files(env->sandbox, COMPILE_OUT, folders) == 0 && dup2(fd, STDIN_FILENO) >= 0 &&
        dup2(fd, STDOUT_FILENO) >= 0)
        execvp(program, (char **)argv);
    log_line(LOG_LEVEL_ERROR, "cannot run the compiler %s: %s", program, strerror(errno));
    _exit(127);
}

static int
fail(struct text *why, int error)
{
    text_printf(why, "Cannot start the compile server: %s\n", strerror(error));
    return ERR_SYS;
}

int
compile_server_start(const struct compiler_env *env, pid_t *pid, int *fd, struct text *why)
{
    int pair[2];
    char program[PATH_MAX];
    program_path(program);
    int err = jail_reach(env->user, program, why);
    if (err != 0)
        return err;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(why, errno);
    *pid = fork();
    if (*pid == 0)
        exec_server(env, program, pair[1]);
    close(pair[1]);
    if (*pid < 0) {
        fail(why, errno);
        close(pair[0]);
        return ERR_SYS;
    }
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    *fd = pair[0];
    return 0;
}
