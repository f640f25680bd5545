/* The users of worker and compile server (-j). The manager keeps its rights, because it binds ports and
 * writes the work directory. */
#ifndef VERNIS_MANAGER_JAIL_USERS_H
#define VERNIS_MANAGER_JAIL_USERS_H

#include "manager/options.h"
#include "daemon/jail.h"
#include "daemon/sandbox.h"

#define JAIL_USER "varnish"     /* default user of the compiler */
#define JAIL_WORK_USER "vcache" /* default user of the worker, if this user exists */
#define JAIL_KEY_USER "vkeys"   /* default user of the key process, if this user exists */

struct jail_env {
    bool drops;       /* the manager is root, and its children switch users */
    const char *name; /* "unix", "none" */
    struct jail_user worker, compiler, keys;
    struct sandbox sandbox; /* of both */
    char policies[4096];    /* folders of -f, for the sandbox */
};

/* Chooses the users. The default of -j is `unix` if the manager is root and the user exists, but not in debug
 * mode (-d). ERR_SYNTAX: no such user or group, or not root. */
int jail_prepare(const struct options *o, struct jail_env *out, struct text *why);
/* Chooses the confinement of worker and compiler; `o` is lent. A feature that the kernel lacks is an error if
 * -j asks for it, else a warning. ERR_SYNTAX */
int jail_confine(const struct options *o, struct jail_env *out, struct text *why);
/* Lists the active ones of "seccomp, landlock, no cores"; "no" if none is active. */
void jail_describe(const struct sandbox *s, struct text *out);
/* Gives the folder of images to the compiler's user and the worker's group, and closes it to others: images
 * hold the text of the policy, and copies of tables the rows. ERR_SYS: chown failed, or one of the users
 * cannot enter the work directory `dir`. Does nothing without a jail. */
int jail_own(const struct jail_env *j, const char *dir, const char *images, struct text *why);
/* ERR_SYS: the user cannot enter a folder on the way to this program of ours. NULL: the manager's user. */
int jail_reach(const struct jail_user *u, const char *program, struct text *why);
const struct jail_user *jail_worker(const struct jail_env *j); /* NULL: the manager's user */
const struct jail_user *jail_compiler(const struct jail_env *j);
const struct jail_user *jail_keys(const struct jail_env *j);

#endif
