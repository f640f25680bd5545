/* Becoming another user for good (-j): the worker, and the compile server, do so first of all. Who that user is, the manager
 * decides (manager/jail_users.h). */
#ifndef VERNIS_WORKER_JAIL_H
#define VERNIS_WORKER_JAIL_H

#include <sys/types.h>

#define JAIL_GROUPS_MAX 64

struct jail_user {
    uid_t uid;
    gid_t gid, groups[JAIL_GROUPS_MAX];
    int n_groups;
};

/* In a child; NULL: stays who it is. From here on no exec gains rights. ERR_SYS */
int jail_enter(const struct jail_user *as);

#endif
