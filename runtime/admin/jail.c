/* Dropping of privileges: see jail.h. */
#include "admin/jail.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"

/* Manager, worker and compiler read what the others wrote, as three users: the mask of who started us must not close it. */
#define JAIL_UMASK 022
#define JAIL_IMAGES_MODE 0755

static int
fail(struct text *why, const char *fmt, const char *name)
{
    text_printf(why, fmt, name);
    return ERR_SYNTAX;
}

/* A user with its login group, and one group more when `extra` names it. */
static int
take_user(const char *name, const char *extra, struct jail_user *out, struct text *why)
{
    struct passwd *pw = getpwnam(name);
    if (pw == NULL)
        return fail(why, "Unix jail: %s user not found.\n", name);
    out->uid = pw->pw_uid;
    out->gid = pw->pw_gid;
    out->n_groups = JAIL_GROUPS_MAX - 1;
    if (getgrouplist(name, out->gid, out->groups, &out->n_groups) < 0)
        return fail(why, "Unix jail: user %s is in too many groups.\n", name);
    struct group *gr = *extra == '\0' ? NULL : getgrnam(extra);
    if (*extra != '\0' && gr == NULL)
        return fail(why, "Unix jail: %s group not found.\n", extra);
    if (gr != NULL)
        out->groups[out->n_groups++] = gr->gr_gid;
    return 0;
}

static bool
is_user(const char *name)
{
    return getpwnam(name) != NULL;
}

/* Both write below the work directory and read what the other wrote, so they share a group. */
static int
take_worker(const struct options *o, const char *user, struct jail_env *out, struct text *why)
{
    bool given = *o->jail_work_user != '\0';
    const char *name = given ? o->jail_work_user : is_user(JAIL_WORK_USER) ? JAIL_WORK_USER : user;
    int err = take_user(name, "", &out->worker, why);
    if (err != 0 || out->worker.gid == out->compiler.gid)
        return err;
    if (!given)
        return take_user(user, "", &out->worker, why);
    text_printf(why, "Unix jail: users %s and %s have different login groups.\n", user, name);
    return ERR_SYNTAX;
}

int
jail_prepare(const struct options *o, struct jail_env *out, struct text *why)
{
    bool root = geteuid() == 0;
    const char *user = *o->jail_user != '\0' ? o->jail_user : is_user(JAIL_USER) || !is_user(JAIL_WORK_USER) ? JAIL_USER : JAIL_WORK_USER;
    *out = (struct jail_env){ .name = "none" };
    if (o->jail == JAIL_NONE || (o->jail == JAIL_DEFAULT && (!root || o->debug || !is_user(user))))
        return 0;
    if (!root)
        return fail(why, "Unix jail: must be root%s.\n", "");
    out->name = "unix";
    int err = take_user(user, o->jail_compiler_group, &out->compiler, why);
    if (err == 0)
        err = take_worker(o, user, out, why);
    out->drops = err == 0;
    if (out->drops)
        umask(JAIL_UMASK);
    return err;
}

static bool
is_in_group(const struct jail_user *u, gid_t gid)
{
    bool found = u->gid == gid;
    for (int i = 0; i < u->n_groups; i++)
        found = found || u->groups[i] == gid;
    return found;
}

/* By the bits that count for this user: the first that fit, as the system has it. */
static bool
may_walk(const struct jail_user *u, const struct stat *st)
{
    mode_t bit = st->st_uid == u->uid ? S_IXUSR : is_in_group(u, st->st_gid) ? S_IXGRP : S_IXOTH;
    return (st->st_mode & bit) != 0;
}

int
jail_own(const struct jail_env *j, const char *dir, const char *images, struct text *why)
{
    struct stat st;
    if (!j->drops)
        return 0;
    if (stat(dir, &st) == 0 && !(may_walk(&j->worker, &st) && may_walk(&j->compiler, &st))) {
        text_printf(why, "Work directory %s is closed to the user of the jail: open it (chmod 711 %s), or use another -n\n", dir, dir);
        return ERR_SYS;
    }
    if (chown(images, j->compiler.uid, j->compiler.gid) == 0 && chmod(images, JAIL_IMAGES_MODE) == 0)
        return 0;
    text_printf(why, "Cannot give %s to the user of the jail: %s\n", images, strerror(errno));
    return ERR_SYS;
}

int
jail_enter(const struct jail_env *j, const struct jail_user *as)
{
    if (!j->drops)
        return 0;
    if (setgroups((size_t)as->n_groups, as->groups) != 0 || setresgid(as->gid, as->gid, as->gid) != 0 ||
        setresuid(as->uid, as->uid, as->uid) != 0)
        return ERR_SYS;
    CHECK(as->uid == 0 || (setuid(0) != 0 && geteuid() == as->uid));     /* no way back */
    /* Changing ids clears both of these: cores shall still be written, and nothing gained by exec. */
    prctl(PR_SET_DUMPABLE, 1);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : ERR_SYS;
}
