/* Reports a broken invariant: writes the condition, the current work and the call stack to stderr, then
 * aborts. May run on any thread and inside signal handlers, so it writes with write(2) only. backtrace() may
 * load libgcc on its first call; crash_handler_install (log/report.c) makes that first call early. */
#include "base/check.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_FRAMES_MAX 64

volatile int check_reported;
_Thread_local const struct check_place *check_here;

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

/* ---- the place ---- */

#define PLACE_BYTES 512

struct line {
    char *bytes;
    size_t n, room; /* without the last byte */
};

static void
line_add(struct line *line, const char *text)
{
    for (; *text != '\0' && line->n < line->room; text++)
        line->bytes[line->n++] = (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text;
}

static void
line_add_named(struct line *line, const char *before, const char *text)
{
    if (text == NULL)
        return;
    line_add(line, before);
    line_add(line, text);
}

static void
line_add_number(struct line *line, unsigned long long n)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do
        digits[--at] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    line_add(line, digits + at);
}

static size_t
describe(const struct check_place *place, char *out, size_t bytes)
{
    struct check_report report = { .task = "task" };
    struct line line = { .bytes = out, .room = bytes - 1 };
    place->tell(place, &report);
    line_add(&line, report.task);
    if (report.xid != 0) {
        line_add(&line, " ");
        line_add_number(&line, report.xid);
    }
    line_add_named(&line, ", step ", report.step);
    line_add_named(&line, ", hook ", report.hook);
    line_add_named(&line, ", policy ", report.policy);
    out[line.n] = '\0';
    return line.n;
}

bool
check_describe(char *out, unsigned bytes)
{
    if (check_here == NULL)
        return false;
    (void)describe(check_here, out, bytes);
    return true;
}

void
check_tell(void)
{
    static const char before[] = "Working on: ";
    const struct check_place *place = check_here;
    if (place == NULL)
        return;
    check_here = NULL; /* a fault below must not report the place again */
    char text[PLACE_BYTES];
    memcpy(text, before, sizeof before - 1);
    size_t n = sizeof before - 1 + describe(place, text + sizeof before - 1, sizeof text - sizeof before);
    text[n++] = '\n';
    ssize_t unused = write(STDERR_FILENO, text, n);
    (void)unused;
}

void
check_failed(const char *file, int line, const char *func, const char *what)
{
    char text[512];
    int n = snprintf(text, sizeof text, "Broken invariant at %s:%d in %s(): %s\n", file, line, func, what);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    ssize_t unused = write(STDERR_FILENO, text, len);
    (void)unused;
    check_tell();
    check_backtrace();
    check_reported = 1;
    abort();
}
