/* vernisd: parses the command line, goes to the background (not with -F or -d), and becomes the manager
 * (manager/manager.c), which forks the worker (worker/process.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/params.h"
#include "manager/cli/commands.h"
#include "manager/manager.h"
#include "manager/passed.h"
#include "manager/syslog_relay.h"
#include "manager/tls/check.h"
#include "manager/upgrade/upgrade.h"
#include "worker/worker.h"
#include "keys/keys.h"
#include "tls/key_wire.h"
#include "base/check.h"
#include "log/report.h"
#include "option_rows.h"
#include "version.h"

#define EXIT_USAGE 2

/* The built-in policy, for -x builtin. */
__asm__(".section .rodata\nbuiltin_policy:\n.incbin \"grammar/builtin.vcl\"\n.byte 0\n.previous\n");
extern const char builtin_policy[];

static struct manager manager = { .worker_main = worker_main };
static int terminal_fd = STDERR_FILENO; /* start-up errors are printed here */
static int ready_fd = -1;               /* pipe: tells the waiting foreground process how the start went */

static void
explain_bits(const char *parameter, struct text *out)
{
    const struct param_row *row = param_find(parameter);
    for (unsigned i = 0; row->bits[i] != NULL; i++)
        text_printf(out, "%s\n", row->bits[i]);
}

static int
explain(const char *what)
{
    struct text out = { 0 };
    int status = 0;
    if (strcmp(what, "parameter") == 0)
        param_describe_all(&out);
    else if (strcmp(what, "vsl") == 0)
        explain_bits("vsl_mask", &out);
    else if (strcmp(what, "cli") == 0)
        commands_describe_all(&out);
    else if (strcmp(what, "builtin") == 0)
        text_str(&out, builtin_policy);
    else if (strcmp(what, "optstring") == 0)
        text_str(&out, OPTION_TEXT "\n");
    else {
        fprintf(stderr, "Error: Invalid -x argument '%s': use parameter, vsl, cli, builtin, optstring\n",
                what);
        status = EXIT_USAGE;
    }
    if (fwrite(text_cstr(&out), 1, out.len, stdout) != out.len || fflush(stdout) != 0) {
        fprintf(stderr,
                "Error: cannot write the answer of -x: %s: free some space, or write to another place\n",
                strerror(errno));
        status = EXIT_USAGE;
    }
    text_release(&out);
    return status;
}

/* The foreground process waits for the status of the daemon's start, or for its end, and exits with it. */
__attribute__((noreturn)) static void
wait_for_daemon(int fd, pid_t pid)
{
    unsigned char status = EXIT_USAGE;
    ssize_t n = read(fd, &status, 1);
    if (n != 1)
        waitpid(pid, NULL, 0);
    _exit(status);
}

static int
go_to_background(void)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
        return ERR_SYS;
    pid_t pid = fork();
    if (pid < 0)
        return ERR_SYS;
    if (pid > 0) {
        close(fds[1]);
        wait_for_daemon(fds[0], pid);
    }
    close(fds[0]);
    ready_fd = fds[1];
    setsid();
    return 0;
}

static void
ready(bool ok, struct span why)
{
    const unsigned char status = 0;
    if (!ok)
        upgrade_failed(why);
    if (!ok)
        dprintf(terminal_fd, "Error: %.*s%s", (int)why.len, why.ptr,
                why.len > 0 && why.ptr[why.len - 1] == '\n' ? "" : "\n");
    syslog_leave_terminal();
    /* After a failed start the foreground process waits until this one has ended: another start can then have
     * its ports and its work directory. */
    if (ready_fd < 0 || !ok)
        return;
    if (terminal_fd != STDERR_FILENO)
        close(terminal_fd);
    terminal_fd = STDERR_FILENO;
    if (write(ready_fd, &status, 1) != 1)
        log_line(LOG_LEVEL_WARNING, "the foreground process ended before the daemon was ready");
    close(ready_fd);
    ready_fd = -1;
}

/* With Varnish, an operator may expect a file storage to survive a restart. */
static void
warn_of_files(const struct options *o)
{
    for (unsigned i = 0; i < o->n_storages; i++) {
        const struct storage_spec *s = &o->storages[i];
        if (s->file[0] != '\0')
            log_line(
                LOG_LEVEL_WARNING,
                "storage %s of -s file is %.0f MB of memory: nothing is written to %s, and a restart empties it",
                s->name, (double)s->limit_bytes / (1 << 20), s->file);
    }
}

static int
serve(char **argv, struct text *why)
{
    const struct options *o = &manager.options;
    warn_of_files(o);
    bool background = !o->foreground && !o->debug;
    if (background && !passed()->upgrade && go_to_background() != 0) {
        text_printf(why, "Cannot go to the background: %s\n", strerror(errno));
        ready(false, text_span(why));
        return 1;
    }
    int status = EXIT_USAGE, err = manager_open(&manager, argv, why);
    if (err == 0 && background) {
        terminal_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        syslog_relay_start(&manager.events);
    }
    if (err == 0)
        status = manager_run(&manager, ready);
    else
        ready(false, text_span(why));
    manager_close(&manager);
    return status;
}

/* -C: the file of -A, then the policies. */
static int
check(struct manager *m)
{
    const struct options *o = &m->options;
    struct text out = { 0 }, why = { 0 };
    int status = o->tls.path == NULL ? 0 : tls_check(&o->tls, &out, &why);
    fputs(text_cstr(&out), stdout);
    if (status != 0)
        fprintf(stderr, "Error: %s", text_cstr(&why));
    text_clear(&why);
    if (status == 0 && (o->backend != NULL || o->policies.n > 0))
        status = manager_check(m, &why);
    text_release(&out);
    text_release(&why);
    return status;
}

int
main(int argc, char **argv)
{
    struct text out = { 0 };
    int status = 0;
    if (argc > 0 && strcmp(argv[0], KEY_PROCESS_NAME) == 0)
        return keys_main(argc, argv);
    passed_init();
    params_init();
    if (argc == 2 && strcmp(argv[1], "--optstring") == 0)
        return explain("optstring");
    if (options_parse(argc, argv, &manager.options, &out) != 0) {
        fprintf(stderr, "Error: %s", text_cstr(&out));
        upgrade_failed(text_span(&out));
        status = EXIT_USAGE;
    } else if (manager.options.usage) {
        options_usage(argv[0], &out);
        fputs(text_cstr(&out), stdout);
        status = manager.options.long_form ? 0 : EXIT_USAGE; /* -?: varnishd exits with 2, too */
    } else if (manager.options.version)
        fprintf(manager.options.long_form ? stdout : stderr,
                "vernisd (vernis-%s, command line and policies as %s)\n", VERNIS_VERSION,
                VARNISH_BANNER_VERSION);
    else if (manager.options.explain != NULL)
        status = explain(manager.options.explain);
    else if (manager.options.compile_only)
        status = check(&manager);
    else
        status = serve(argv, &out);
    text_release(&out);
    return status;
}
