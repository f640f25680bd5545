/* Switches to another user for good (-j). The worker and the compile server do this first. The manager
 * chooses the user (manager/jail_users.h). */
#ifndef VERNIS_DAEMON_JAIL_H
#define VERNIS_DAEMON_JAIL_H

#include <sys/types.h>

#define JAIL_GROUPS_MAX 64

struct jail_user {
    uid_t uid;
    gid_t gid, groups[JAIL_GROUPS_MAX];
    int n_groups;
};

/* Call in a child process. NULL keeps the user. Afterwards no exec can gain rights. ERR_SYS */
int jail_enter(const struct jail_user *as);

#endif
