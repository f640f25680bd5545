/* Confinement of the worker and the compile server, after they have become their user (worker/jail.h): files by landlock, system
 * calls by seccomp, no cores. Both processes also give up gaining rights by exec (jail_enter). The compile server's list of
 * calls is compiler/service/sandbox.py, since exec ends what a handler here could report. */
#ifndef VERNIS_WORKER_SANDBOX_H
#define VERNIS_WORKER_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

struct sandbox {                        /* -j; what the kernel lacks is off by now (manager/jail_users.c) */
    bool calls;                         /* seccomp */
    bool files;                         /* landlock */
    bool cores;                         /* write core files, and let other processes of the user trace */
    const char *readable;               /* folders with colons between them that the worker may read, beside those
                                         * of vcl_path and vmod_path as they are at its start; "" any */
};

bool sandbox_has_calls(void);           /* whether the kernel filters system calls */
int sandbox_files_version(void);        /* of landlock in the kernel; 0: it has none */

/* Each in the process to be confined (cores: the manager as well, which knows the secret), while it has one thread; ERR_SYS with errno. Without the wish they do nothing. */
int sandbox_cores(const struct sandbox *s);
int sandbox_worker_files(const struct sandbox *s, const char *writable);
int sandbox_compiler_files(const struct sandbox *s, const char *writable);
/* After the crash handler: a call that is not on the list is reported to stderr, counted, and fails; one that only an intruder
 * makes ends the process with SIGSYS. */
int sandbox_worker_calls(const struct sandbox *s);
uint64_t sandbox_denied(void);          /* calls denied so far. Any thread */

#endif
