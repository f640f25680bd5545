/* Dropping of privileges: see jail.h. */
#include "daemon/jail.h"

#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/check.h"

int
jail_enter(const struct jail_user *as)
{
    if (as != NULL &&
        (setgroups((size_t)as->n_groups, as->groups) != 0 || setresgid(as->gid, as->gid, as->gid) != 0 ||
         setresuid(as->uid, as->uid, as->uid) != 0))
        return ERR_SYS;
    CHECK(as == NULL || as->uid == 0 || (setuid(0) != 0 && geteuid() == as->uid)); /* no way back */
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : ERR_SYS;
}
