/* As whom worker and compile server run (-j). The manager keeps its rights: it binds ports and writes the work directory. */
#ifndef VERNIS_ADMIN_JAIL_H
#define VERNIS_ADMIN_JAIL_H

#include <sys/types.h>

#include "admin/options.h"

#define JAIL_GROUPS_MAX 64
#define JAIL_USER "varnish"             /* of the compiler, when nobody says */
#define JAIL_WORK_USER "vcache"         /* of the worker, when there is one of this name */

struct jail_user {
    uid_t uid;
    gid_t gid, groups[JAIL_GROUPS_MAX];
    int n_groups;
};

struct jail_env {
    bool drops;                         /* we are root and shall not be */
    const char *name;                   /* "unix", "none" */
    struct jail_user worker, compiler;
};

/* Without -j as `unix` when we are root and there is a user for it; in debug mode (-d) nothing is dropped that nobody asked for.
 * ERR_SYNTAX: no such user or group, or not root. */
int jail_prepare(const struct options *o, struct jail_env *out, struct text *why);
/* Gives the folder of images to the compiler's user, whoever had it before. ERR_SYS: not possible, or both users cannot come into
 * the work directory `dir`; 0 when it drops nothing. */
int jail_own(const struct jail_env *j, const char *dir, const char *images, struct text *why);
int jail_enter(const struct jail_env *j, const struct jail_user *as);   /* in a child: for good. ERR_SYS */

#endif
