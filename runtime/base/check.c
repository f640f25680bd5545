/* What happens when an invariant is broken: one line to stderr with the place and the condition, the call stack, abort.
 * Called on any thread, also inside signal handlers, so it writes with write(2) only. backtrace() may load libgcc on its
 * first use; crash_handler_install (log/report.c) makes that first use early. */
#include "base/check.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_FRAMES_MAX 64

volatile int check_reported;

const char *
err_name(int err)
{
    switch ((enum err)err) {
    case ERR_OK: return "ok";
    case ERR_NOMEM: return "out of memory";
    case ERR_TIMEOUT: return "timeout";
    case ERR_EOF: return "unexpected end";
    case ERR_RESET: return "reset";
    case ERR_AGAIN: return "would wait";
    case ERR_SYNTAX: return "syntax error";
    case ERR_LIMIT: return "limit exceeded";
    case ERR_SYS: return "system error";
    case ERR_BUSY: return "busy";
    case ERR_SICK: return "sick";
    case ERR_CANCELLED: return "cancelled";
    case ERR_NOTFOUND: return "not found";
    case ERR_EXISTS: return "exists";
    }
    return "unknown error";
}

void
check_backtrace(void)
{
    void *frames[STACK_FRAMES_MAX];
    int n = backtrace(frames, STACK_FRAMES_MAX);
    backtrace_symbols_fd(frames, n, STDERR_FILENO);
}

void
check_failed(const char *file, int line, const char *func, const char *what)
{
    char text[512];
    int n = snprintf(text, sizeof text, "Broken invariant at %s:%d in %s(): %s\n", file, line, func, what);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    ssize_t unused = write(STDERR_FILENO, text, len);
    (void)unused;
    check_backtrace();
    check_reported = 1;
    abort();
}
