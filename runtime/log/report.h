/* Messages for the operator, each written to stderr as one whole line, and the report of a crash. log/txn.h
 * has the log of transactions. */
#ifndef VERNIS_LOG_REPORT_H
#define VERNIS_LOG_REPORT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

#define LOG_LINE_BYTES 2048 /* a longer line is cut */

extern enum log_level log_level_shown; /* lines above it are dropped; set at start, LOG_LEVEL_INFO */

/* Writes "Error: text", "Warning: text", ... on any thread. Control bytes in the text become '?', so that a
 * client's bytes cannot forge a line. */
void log_line(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* For messages that traffic can cause: each limiter writes at most one line in LOG_LIMITED_SECONDS. Returns
 * false when the line was left out; the next line tells how many were. A static, zeroed limiter is ready. Any
 * thread. */
#define LOG_LIMITED_SECONDS 10

struct log_limiter {
    atomic_llong quiet_until; /* monotonic */
    atomic_uint left_out;
};

/* Whether a line may be written now, and how many lines were left out before it. Also for signal handlers. */
bool log_limiter_pass(struct log_limiter *l, nsec now, unsigned *left_out);
bool log_line_limited(struct log_limiter *l, nsec now, enum log_level level, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* On SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT the handler prints "process: signal, address", the call
 * stack and the thread's current work (base/check.h) to stderr. Then the process dies of the same signal, so
 * that the parent sees it and a core is written. It works on an overflown fiber stack too. `process` is a
 * literal. Installs an alternate stack for the calling thread; other threads call crash_thread_init. */
void crash_handler_install(const char *process);
void crash_thread_init(void);
void crash_thread_release(void);

#endif
