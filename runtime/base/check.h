/* What may happen is returned as a negative enum err; what must not happen is CHECKed. CHECK stays on in
 * production: a worker that would go on with broken state dies instead, and the manager starts a new one. */
#ifndef VERNIS_CHECK_H
#define VERNIS_CHECK_H

enum err {
    ERR_OK = 0,
    ERR_NOMEM = -1,       /* arena, storage or table limit reached */
    ERR_TIMEOUT = -2,
    ERR_EOF = -3,         /* peer closed in the middle of something */
    ERR_RESET = -4,       /* connection broken */
    ERR_AGAIN = -5,       /* would wait */
    ERR_SYNTAX = -6,      /* bytes do not parse */
    ERR_LIMIT = -7,       /* a named limit was exceeded */
    ERR_SYS = -8,         /* a system call failed; errno tells */
    ERR_BUSY = -9,        /* all connections of a backend in use, ... */
    ERR_SICK = -10,       /* no healthy backend */
    ERR_CANCELLED = -11,  /* the other side of a hand-over went away */
    ERR_NOTFOUND = -12,
    ERR_EXISTS = -13,
};

const char *err_name(int err);          /* base/check.c: "timeout", "reset", ... */
void check_backtrace(void);             /* call stack of this thread to stderr */
extern volatile int check_reported;     /* set once check_failed has printed its report */

__attribute__((noreturn, cold)) void
check_failed(const char *file, int line, const char *func, const char *what);

/* The work that the running code is doing, for the report of a failed check or a crash. Whoever works on something for long
 * keeps a place in its record, enters it, and leaves before the record goes. A fiber has its own: the loop swaps the pointer
 * with the stack. */
struct check_report {
    const char *task, *step, *policy, *hook;    /* static texts, or texts of what the place belongs to; NULL: nothing to say */
    unsigned long long xid;
};

struct check_place {
    void (*tell)(const struct check_place *place, struct check_report *out);    /* reads memory and calls nothing: signal handlers */
};

extern _Thread_local const struct check_place *check_here;     /* NULL: nothing that reports itself */
void check_tell(void);                  /* one line about it to stderr, if there is something to say */

#define CHECK(cond) \
    ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, __func__, #cond))
#ifdef NDEBUG
#define DEBUG_CHECK(cond) ((void)0)
#else
#define DEBUG_CHECK(cond) CHECK(cond)
#endif
#define WRONG(what) check_failed(__FILE__, __LINE__, __func__, what)

#endif
