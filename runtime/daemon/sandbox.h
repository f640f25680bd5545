/* Confinement of the worker and the compile server, after they have switched to their user (daemon/jail.h):
 * files by landlock, system calls by seccomp, no core files. jail_enter also stops both from gaining rights
 * by exec. The compile server has its own list of calls (compiler/service/sandbox.py), because an exec would
 * remove a handler set here. */
#ifndef VERNIS_DAEMON_SANDBOX_H
#define VERNIS_DAEMON_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

struct sandbox {          /* -j, without the parts that the kernel lacks
                           * (manager/jail_users.c) */
    bool calls;           /* seccomp */
    bool files;           /* landlock */
    bool cores;           /* allow core files, and tracing by the user's other processes */
    bool tls;             /* a listener has TLS: worker and compiler read only the system's
                           * files, vcl_path and vmod_path, `readable` and `policies`, never
                           * the whole of /etc and /run */
    const char *readable; /* folders, separated by colons, that the worker may read besides
                           * vcl_path and vmod_path (their values at the start); "": all
                           * folders */
    const char *policies; /* with TLS: the folders of -f, separated by colons; NULL: none */
};

bool sandbox_has_calls(void);    /* whether the kernel filters system calls */
int sandbox_files_version(void); /* version of the kernel's landlock; 0: the kernel lacks it */

/* Each confines the calling process, which must have one thread. They do nothing if `s` turns them off. The
 * manager calls sandbox_cores too, because it holds the CLI secret. ERR_SYS with errno. */
int sandbox_cores(const struct sandbox *s);
int sandbox_worker_files(const struct sandbox *s, const char *writable);
/* `program`: the folders of the compiler itself, separated by colons */
int sandbox_compiler_files(const struct sandbox *s, const char *writable, const char *program);
int sandbox_no_files(const struct sandbox *s); /* the calling process opens nothing any more */
/* Call after the crash handler is installed. A system call outside the list is reported to stderr, counted,
 * and fails. A call that only an intruder makes ends the process with SIGSYS. */
int sandbox_worker_calls(const struct sandbox *s);
/* The key process: no file at all, and a short list of calls; any other ends it. ERR_SYS with errno. */
int sandbox_keys(const struct sandbox *s);
uint64_t sandbox_denied(void); /* calls denied so far. Any thread */

#endif
