/* As whom worker and compile server run (-j). The manager keeps its rights: it binds ports and writes the work directory. */
#ifndef VERNIS_MANAGER_JAIL_USERS_H
#define VERNIS_MANAGER_JAIL_USERS_H

#include "manager/options.h"
#include "worker/jail.h"
#include "worker/sandbox.h"

#define JAIL_USER "varnish"             /* of the compiler, when nobody says */
#define JAIL_WORK_USER "vcache"         /* of the worker, when there is one of this name */

struct jail_env {
    bool drops;                         /* we are root and shall not be */
    const char *name;                   /* "unix", "none" */
    struct jail_user worker, compiler;
    struct sandbox sandbox;             /* of both */
};

/* Without -j as `unix` when we are root and there is a user for it; in debug mode (-d) nothing is dropped that nobody asked for.
 * ERR_SYNTAX: no such user or group, or not root. */
int jail_prepare(const struct options *o, struct jail_env *out, struct text *why);
/* How worker and compiler are confined; `o` is lent. What the kernel cannot do is an error when -j asks for it, else a warning.
 * ERR_SYNTAX */
int jail_confine(const struct options *o, struct jail_env *out, struct text *why);
/* "seccomp, landlock, no cores", or what is in force of it; "no". */
void jail_describe(const struct sandbox *s, struct text *out);
/* Gives the folder of images to the compiler's user, whoever had it before. ERR_SYS: not possible, or both users cannot come into
 * the work directory `dir`; 0 when it drops nothing. */
int jail_own(const struct jail_env *j, const char *dir, const char *images, struct text *why);
const struct jail_user *jail_worker(const struct jail_env *j);      /* NULL: as the manager */
const struct jail_user *jail_compiler(const struct jail_env *j);

#endif
