/* The work directory (-n): locks against a second daemon and against varnishd, secret, process ids, images of
 * loaded policies.
 *
 * During an upgrade (upgrade/upgrade.h) two daemons use it. They share the lock, and each has its own images.
 * Everything else belongs to the old daemon until the new one takes it. */
#ifndef VERNIS_MANAGER_WORKDIR_WORKDIR_H
#define VERNIS_MANAGER_WORKDIR_WORKDIR_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

/* Not varnishd's default: a daemon started without -n must not touch a Varnish of the same machine. */
#define WORKDIR_DEFAULT "/var/lib/vernis"
#define WORKDIR_PARENT "/var/lib/varnish" /* of a relative -n, for varnishd and its tools as well */
/* The work directory as named by worker and compiler: their current directory, because their user may be
 * unable to search its parent folders. */
#define WORKDIR_INSIDE "/proc/self/cwd"
#define SECRET_BYTES 256u
#define SECRET_BYTES_MAX 65536u

struct workdir {
    char path[PATH_MAX];     /* absolute */
    char images[PATH_MAX];   /* <path>/images */
    char secret[PATH_MAX];   /* "" with -S none */
    char pid_file[PATH_MAX]; /* -P; "" none */
    uid_t compiler;          /* user who writes below images */
    int lock_fd, pid_fd;     /* locked while the daemon lives; pid_fd -1: no -P */
    int own_pid_fd;          /* `_.pid` that this daemon wrote, locked as varnishd locks its own; -1 none */
    int purges_fd;           /* socket of the worker (proxy/rfc9111/successor.h); -1 none */
    unsigned generation;     /* part of the names of image copies, which two daemons may keep in
                              * one folder */
    bool took;               /* this daemon took the directory over from an older one */
    bool ours;               /* this daemon owns the pid files, and removes its files at its end */
    unsigned next_image;
};

/* Creates missing folders, takes the lock, and removes useless files of an earlier daemon. `name` is -n or
 * NULL. ERR_BUSY, ERR_SYS, ERR_SYNTAX with lines in `why`. */
int workdir_open(struct workdir *w, const char *name, uid_t compiler, struct text *why);
/* Call when the process has its final pid. `secret_file` is -S; NULL: create a secret. */
int workdir_fill(struct workdir *w, const char *secret_file, bool no_secret, const char *pid_file,
                 struct text *why);
/* Opens the socket on which retiring workers of `worker` reach the worker of this daemon; after a failure
 * purges_fd is -1. During an upgrade it gets its name in workdir_take(). */
void workdir_open_purges(struct workdir *w, uid_t worker);
int workdir_take(struct workdir *w, struct text *why); /* new daemon: the pid files become its own */
void workdir_leave(struct workdir *w);                 /* old daemon: gives the pid files to the new one */
void workdir_close(struct workdir *w); /* removes pid files and images if this daemon owns them; closes the
                                        * lock */
/* A new file name below images for a policy. */
void workdir_image_path(struct workdir *w, const char *name, char out[PATH_MAX]);
int workdir_copy_image(const char *from, const char *to, struct text *why);
int workdir_copy_table(const char *from, const char *to, struct text *why);
/* workdir_outside: the manager's name of a file that the compiler named. workdir_inside: the worker's name of
 * a file below the work directory. */
void workdir_outside(const struct workdir *w, const char *inside, char out[PATH_MAX]);
const char *workdir_inside(const struct workdir *w, const char *path);
int workdir_secret(const struct workdir *w, struct text *out); /* reads the secret file */

#endif
