/* Dropping of privileges: see jail.h. */
#include "admin/jail.h"

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/check.h"

int
jail_prepare(const struct options *o, struct jail_env *out, struct text *why)
{
    *out = (struct jail_env){ .name = o->jail == JAIL_UNIX ? "unix" : "none" };
    if (o->jail != JAIL_UNIX)
        return 0;
    if (geteuid() != 0) {
        /* Not root: there is nothing to drop, and nobody else to become. */
        return 0;
    }
    const char *user = *o->jail_user == '\0' ? JAIL_USER : o->jail_user;
    struct passwd *pw = getpwnam(user);
    if (pw == NULL) {
        text_printf(why, "Unix jail: no such user '%s' (-j unix,user=...)\n", user);
        return ERR_SYNTAX;
    }
    out->uid = pw->pw_uid;
    out->gid = pw->pw_gid;
    if (*o->jail_group != '\0') {
        struct group *gr = getgrnam(o->jail_group);
        if (gr == NULL) {
            text_printf(why, "Unix jail: no such group '%s' (-j unix,group=...)\n", o->jail_group);
            return ERR_SYNTAX;
        }
        out->gid = gr->gr_gid;
    }
    out->n_groups = JAIL_GROUPS_MAX;
    if (getgrouplist(user, out->gid, out->groups, &out->n_groups) < 0) {
        text_printf(why, "Unix jail: user '%s' is in more than %d groups\n", user, JAIL_GROUPS_MAX);
        return ERR_LIMIT;
    }
    out->drops = true;
    return 0;
}

int
jail_own(const struct jail_env *j, const char *path)
{
    return !j->drops || chown(path, j->uid, j->gid) == 0 ? 0 : ERR_SYS;
}

int
jail_enter(const struct jail_env *j)
{
    if (!j->drops)
        return 0;
    if (setgroups((size_t)j->n_groups, j->groups) != 0 || setresgid(j->gid, j->gid, j->gid) != 0 ||
        setresuid(j->uid, j->uid, j->uid) != 0)
        return ERR_SYS;
    CHECK(setuid(0) != 0 && geteuid() == j->uid);   /* no way back */
    /* Changing ids clears both of these: cores shall still be written, and nothing gained by exec. */
    prctl(PR_SET_DUMPABLE, 1);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : ERR_SYS;
}
