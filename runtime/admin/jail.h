/* As whom worker and compile server run (-j). The manager keeps its rights: it binds ports and writes the work directory. */
#ifndef VERNIS_ADMIN_JAIL_H
#define VERNIS_ADMIN_JAIL_H

#include <sys/types.h>

#include "admin/options.h"

#define JAIL_GROUPS_MAX 64
#define JAIL_USER "vcache"

struct jail_env {
    bool drops;                         /* we are root and -j unix was given */
    const char *name;                   /* "unix", "none" */
    uid_t uid;
    gid_t gid, groups[JAIL_GROUPS_MAX];
    int n_groups;
};

int jail_prepare(const struct options *o, struct jail_env *out, struct text *why);  /* ERR_SYNTAX: no such user or group */
int jail_own(const struct jail_env *j, const char *path);       /* gives a folder to the jail's user; 0 when it drops nothing */
int jail_enter(const struct jail_env *j);                       /* in a child: for good. ERR_SYS */

#endif
