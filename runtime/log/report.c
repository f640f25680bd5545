/* Lines for the operator, and the crash report. The crash handler calls only async-signal-safe functions.
 * backtrace() becomes one of them by a first call at installation, which loads libgcc. */
#include "log/report.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"

#define CRASH_STACK_BYTES (64 * 1024)

enum log_level log_level_shown = LOG_LEVEL_INFO;

static const char *const level_names[] = { "Error", "Warning", "Info", "Debug" };

static void
write_all(const char *text, size_t n)
{
    while (n > 0) {
        ssize_t put = write(STDERR_FILENO, text, n);
        if (put <= 0)
            return;
        text += put;
        n -= (size_t)put;
    }
}

static void
log_vline(enum log_level level, const char *fmt, va_list ap)
{
    if (level > log_level_shown)
        return;
    char line[LOG_LINE_BYTES];
    int prefix = snprintf(line, sizeof line, "%s: ", level_names[level]);
    int n = vsnprintf(line + prefix, sizeof line - (size_t)prefix, fmt, ap);
    size_t len = (size_t)prefix + (n < 0 ? 0 : (size_t)n);
    if (len > sizeof line - 1)
        len = sizeof line - 1;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = '?';
    line[len] = '\n';
    write_all(line, len + 1);
}

void
log_line(enum log_level level, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    log_vline(level, fmt, ap);
    va_end(ap);
}

bool
log_limiter_pass(struct log_limiter *l, nsec now, unsigned *left_out)
{
    long long until = atomic_load_explicit(&l->quiet_until, memory_order_relaxed);
    if (now < until ||
        !atomic_compare_exchange_strong(&l->quiet_until, &until, now + LOG_LIMITED_SECONDS * NSEC_PER_SEC)) {
        atomic_fetch_add_explicit(&l->left_out, 1, memory_order_relaxed);
        return false;
    }
    *left_out = atomic_exchange_explicit(&l->left_out, 0, memory_order_relaxed);
    return true;
}

bool
log_line_limited(struct log_limiter *l, nsec now, enum log_level level, const char *fmt, ...)
{
    unsigned left_out;
    if (!log_limiter_pass(l, now, &left_out))
        return false;
    char text[LOG_LINE_BYTES];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (left_out > 0)
        log_line(level, "%s (%u such messages left out before)", text, left_out);
    else
        log_line(level, "%s", text);
    return true;
}

/* ---- crash ---- */

static const struct {
    int number;
    const char *name;
} crash_signals[] = {
    { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGILL, "SIGILL" },
    { SIGFPE, "SIGFPE" },   { SIGABRT, "SIGABRT" },
};
#define N_CRASH_SIGNALS (sizeof crash_signals / sizeof *crash_signals)

static const char *crash_process = "vernisd";
static _Thread_local void *crash_stack;

static void
write_text(const char *text)
{
    write_all(text, strlen(text));
}

static void
write_address(uintptr_t address)
{
    char text[2 + 2 * sizeof address];
    size_t at = sizeof text;
    do
        text[--at] = "0123456789abcdef"[address & 15];
    while ((address >>= 4) != 0);
    text[--at] = 'x';
    text[--at] = '0';
    write_all(text + at, sizeof text - at);
}

static void
crash_report(int number, const siginfo_t *info)
{
    const char *name = "signal";
    for (size_t i = 0; i < N_CRASH_SIGNALS; i++)
        if (crash_signals[i].number == number)
            name = crash_signals[i].name;
    write_text("Crash: ");
    write_text(crash_process);
    write_text(" died of ");
    write_text(name);
    if (number != SIGABRT) {
        write_text(" at address ");
        write_address((uintptr_t)info->si_addr);
    }
    write_text("\n");
    if (check_reported) /* check_failed has printed the rest already */
        return;
    check_backtrace();
    check_tell(); /* last, because the memory it reads may be broken */
}

/* SA_RESETHAND has restored the default action, and the signal is blocked until the handler returns. So
 * raising it now makes it pending, and it ends the process on return. A fault would happen again by itself.
 */
static void
crash_handler(int number, siginfo_t *info, void *context)
{
    (void)context;
    crash_report(number, info);
    raise(number);
}

void
crash_thread_init(void)
{
    if (crash_stack != NULL)
        return;
    crash_stack = mem_alloc(CRASH_STACK_BYTES);
    stack_t stack = { .ss_sp = crash_stack, .ss_size = CRASH_STACK_BYTES };
    CHECK(sigaltstack(&stack, NULL) == 0);
}

void
crash_thread_release(void)
{
    if (crash_stack == NULL)
        return;
    stack_t none = { .ss_flags = SS_DISABLE };
    CHECK(sigaltstack(&none, NULL) == 0);
    free(crash_stack);
    crash_stack = NULL;
}

void
crash_handler_install(const char *process)
{
    void *frame[1];
    (void)backtrace(frame, 1);
    crash_process = process;
    crash_thread_init();
    struct sigaction sa = { .sa_sigaction = crash_handler,
                            .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND };
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < N_CRASH_SIGNALS; i++)
        CHECK(sigaction(crash_signals[i].number, &sa, NULL) == 0);
}
