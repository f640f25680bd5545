/* Expected failures are returned as a negative enum err; impossible states are CHECKed. CHECK stays on in production: a worker
 * with broken state dies, and the manager starts a new one. */
#ifndef VERNIS_BASE_CHECK_H
#define VERNIS_BASE_CHECK_H

#include <stdbool.h>

enum err {
    ERR_OK = 0,
    ERR_NOMEM = -1,       /* arena, storage or table limit reached */
    ERR_TIMEOUT = -2,
    ERR_EOF = -3,         /* peer closed before the message was complete */
    ERR_RESET = -4,       /* connection broken */
    ERR_AGAIN = -5,       /* would wait */
    ERR_SYNTAX = -6,      /* bytes do not parse */
    ERR_LIMIT = -7,       /* a named limit was exceeded */
    ERR_SYS = -8,         /* a system call failed and set errno */
    ERR_BUSY = -9,        /* all connections of a backend in use, ... */
    ERR_SICK = -10,       /* no healthy backend */
    ERR_CANCELLED = -11,  /* the fiber or loop that was to take the work is gone */
    ERR_NOTFOUND = -12,
    ERR_EXISTS = -13,
};

const char *err_name(int err);          /* base/check.c: "timeout", "reset", ... */
void check_backtrace(void);             /* call stack of this thread to stderr */
extern volatile int check_reported;     /* set once check_failed has printed its report */

__attribute__((noreturn, cold)) void
check_failed(const char *file, int line, const char *func, const char *what);

/* The current work of a thread, for the report of a failed check or a crash. A request, fetch or other long task has a
 * check_place in its record, enters it, and leaves it before the record is freed. Each fiber has its own current place: the loop
 * swaps the pointer together with the stack. */
struct check_report {
    const char *task, *step, *policy, *hook;    /* static texts, or texts of the task's record; NULL: unknown */
    unsigned long long xid;
};

struct check_place {
    void (*tell)(const struct check_place *place, struct check_report *out);    /* reads memory and calls nothing: signal handlers */
};

extern _Thread_local const struct check_place *check_here;     /* NULL: no current work */
/* Writes "request 5, step lookup, hook recv, policy boot" of the current work, and a NUL. Also for signal handlers. Returns
 * false, and writes nothing, if there is no current work. */
bool check_describe(char *out, unsigned bytes);
void check_tell(void);                  /* writes one line about the current work to stderr, if there is any */

#define CHECK(cond) \
    ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, __func__, #cond))
#ifdef NDEBUG
#define DEBUG_CHECK(cond) ((void)0)
#else
#define DEBUG_CHECK(cond) CHECK(cond)
#endif
#define WRONG(what) check_failed(__FILE__, __LINE__, __func__, what)

#endif
