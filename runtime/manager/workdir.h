/* The work directory (-n): lock against a second daemon, secret, process ids, images of loaded policies.
 *
 * During an upgrade (upgrade.h) two daemons have it: the lock is one, each has images of its own, and all else is the elder's until
 * the younger takes it. */
#ifndef VERNIS_MANAGER_WORKDIR_H
#define VERNIS_MANAGER_WORKDIR_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "worker/text.h"

#define WORKDIR_PARENT "/var/lib/varnish"
#define WORKDIR_DEFAULT "varnishd"      /* where tools look that were not told -n */
/* The work directory for worker and compiler: they have it as current directory, and their user may not be allowed to walk
 * down to it. */
#define WORKDIR_INSIDE "/proc/self/cwd"
#define SECRET_BYTES 256u
#define SECRET_BYTES_MAX 65536u

struct workdir {
    char path[PATH_MAX];                /* absolute */
    char images[PATH_MAX];              /* <path>/images */
    char secret[PATH_MAX];              /* "" with -S none */
    char pid_file[PATH_MAX];            /* -P; "" none */
    uid_t compiler;                     /* who writes below images */
    int lock_fd, pid_fd;                /* locked while we live; pid_fd -1: no -P */
    unsigned generation;                /* in the names of our copies of images: another daemon may have its own beside them */
    bool ours;                          /* process ids, and what goes when we end */
    unsigned next_image;
};

/* Creates what is missing, takes the lock, and removes what an earlier daemon left that we cannot use. `name` is -n or NULL.
 * ERR_BUSY, ERR_SYS, ERR_SYNTAX with lines in `why`. */
int workdir_open(struct workdir *w, const char *name, uid_t compiler, struct text *why);
/* After the last fork that changes the process id. `secret_file` is -S, NULL for our own. */
int workdir_fill(struct workdir *w, const char *secret_file, bool no_secret, const char *pid_file, struct text *why);
int workdir_take(struct workdir *w, struct text *why);      /* the elder daemon lets go: its process ids become ours */
void workdir_leave(struct workdir *w);              /* to the younger daemon */
void workdir_close(struct workdir *w);              /* removes pid files, the images and the lock, while they are ours */
/* A new file name in images/ for a policy. */
void workdir_image_path(struct workdir *w, const char *name, char out[PATH_MAX]);
int workdir_copy_image(const char *from, const char *to, struct text *why);
/* Of what the compiler wrote, as we name it; and of a file below the work directory, as the worker names it. */
void workdir_outside(const struct workdir *w, const char *inside, char out[PATH_MAX]);
const char *workdir_inside(const struct workdir *w, const char *path);
int workdir_secret(const struct workdir *w, struct text *out);      /* reads the secret file */

#endif
