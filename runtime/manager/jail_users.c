/* The users of the jail: see jail_users.h. */
#include "manager/jail_users.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stream/listen.h"
#include "base/check.h"
#include "log/report.h"

/* Manager, worker and compiler are different users and read each other's files, so the caller's umask must
 * not apply. */
#define JAIL_UMASK 022
#define JAIL_IMAGES_MODE 02750 /* files get the group of the folder */

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
        return fail(why, "Unix jail: %s user not found. Create it, or name another one: -j unix,user=NAME\n",
                    name);
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

/* Worker and compiler read each other's files below the work directory, so they must share a group. */
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

/* It shares no file with others, so it needs no group but its own. */
static int
take_keys(const struct options *o, struct jail_env *out, struct text *why)
{
    bool given = *o->jail_key_user != '\0';
    if (!given && !is_user(JAIL_KEY_USER)) {
        out->keys = out->worker;
        return 0;
    }
    int err = take_user(given ? o->jail_key_user : JAIL_KEY_USER, "", &out->keys, why);
    out->keys.groups[0] = out->keys.gid;
    out->keys.n_groups = 1;
    return err;
}

/* Zero, or the errno of a child that tried to become the user. Root may lack the right: a user namespace may
 * map no other user, and a container may run without CAP_SETUID and CAP_SETGID. */
static int
try_user(const struct jail_user *u)
{
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return errno;
    if (pid == 0) {
        bool became = setgroups((size_t)u->n_groups, u->groups) == 0 &&
                      setresgid(u->gid, u->gid, u->gid) == 0 && setresuid(u->uid, u->uid, u->uid) == 0;
        _exit(became ? 0 : errno);
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

/* Without -j the daemon runs without a jail then, as for a user that does not exist. */
static int
without_right(const struct options *o, const char *user, int error, struct jail_env *out, struct text *why)
{
    if (o->jail == JAIL_DEFAULT) {
        *out = (struct jail_env){ .name = "none" };
        log_line(
            LOG_LEVEL_WARNING,
            "no jail: this process may not become user %s (%s), as in a user namespace that maps only root "
            "(-j none turns this warning off)",
            user, strerror(error));
        return 0;
    }
    text_printf(
        why,
        "Unix jail: this process may not become user %s: %s. It needs CAP_SETUID and CAP_SETGID, and a "
        "user namespace that maps the user. Without them start with -j none.\n",
        user, strerror(error));
    return ERR_SYS;
}

int
jail_prepare(const struct options *o, struct jail_env *out, struct text *why)
{
    bool root = geteuid() == 0;
    const char *user = *o->jail_user != '\0'                          ? o->jail_user
                     : is_user(JAIL_USER) || !is_user(JAIL_WORK_USER) ? JAIL_USER
                                                                      : JAIL_WORK_USER;
    *out = (struct jail_env){ .name = "none" };
    if (o->jail == JAIL_NONE || (o->jail == JAIL_DEFAULT && (!root || o->debug || !is_user(user))))
        return 0;
    if (!root)
        return fail(why, "Unix jail: must be root%s.\n", "");
    out->name = "unix";
    int err = take_user(user, o->jail_compiler_group, &out->compiler, why);
    if (err == 0)
        err = take_worker(o, user, out, why);
    if (err == 0)
        err = take_keys(o, out, why);
    int refused = err == 0 ? try_user(&out->worker) : 0;
    if (refused != 0)
        return without_right(o, user, refused, out, why);
    out->drops = err == 0;
    if (out->drops)
        umask(JAIL_UMASK);
    return err;
}

static int
confine(enum confine wish, bool can, const char *name, const char *lacks, bool *on, struct text *why)
{
    *on = can && wish != CONFINE_OFF;
    if (wish == CONFINE_ON && !can) {
        text_printf(why, "Jail: %s=on, but this kernel has %s\n", name, lacks);
        return ERR_SYNTAX;
    }
    if (wish == CONFINE_DEFAULT && !can)
        log_line(
            LOG_LEVEL_WARNING,
            "this kernel has %s: worker and compiler run without it (-j with %s=off turns this warning off)",
            lacks, name);
    return 0;
}

/* The folders of -f. Directly below / it is the file alone, because a folder there holds other things, too.
 */
static void
note_policies(const struct options *o, struct jail_env *out)
{
    size_t n = 0;
    for (unsigned i = 0; i < o->policies.n; i++) {
        char path[PATH_MAX];
        if (realpath(o->policies.text[i], path) == NULL || strchr(path, ':') != NULL)
            continue; /* found along vcl_path, or not at all */
        char *slash = strrchr(path, '/');
        if (strchr(path + 1, '/') != slash)
            *slash = '\0';
        size_t len = strlen(path);
        if (n + len + 2 > sizeof out->policies)
            return;
        n += (size_t)snprintf(out->policies + n, sizeof out->policies - n, "%s%s", n > 0 ? ":" : "", path);
    }
}

int
jail_confine(const struct options *o, struct jail_env *out, struct text *why)
{
    out->sandbox = (struct sandbox){ .cores = o->jail_cores,
                                     .readable = o->jail_readable,
                                     .policies = out->policies };
    note_policies(o, out);
    for (unsigned i = 0; i < o->n_listens; i++)
        out->sandbox.tls |= listen_kinds[o->listens[i].kind].tls;
    int err = confine(o->jail_seccomp, sandbox_has_calls(), "seccomp", "no filter of system calls",
                      &out->sandbox.calls, why);
    if (err == 0)
        err = confine(o->jail_landlock, sandbox_files_version() > 0, "landlock", "no landlock",
                      &out->sandbox.files, why);
    if (err == 0 && *o->jail_readable != '\0' && !out->sandbox.files)
        return fail(why, "Jail: readable= needs landlock%s\n", "");
    return err;
}

void
jail_describe(const struct sandbox *s, struct text *out)
{
    const struct {
        bool on;
        const char *name;
    } parts[] = { { s->calls, "seccomp" }, { s->files, "landlock" }, { !s->cores, "no cores" } };
    const char *before = "";
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].on) {
            text_printf(out, "%s%s", before, parts[i].name);
            before = ", ";
        }
    if (*before == '\0')
        text_str(out, "no");
}

static bool
is_in_group(const struct jail_user *u, gid_t gid)
{
    bool found = u->gid == gid;
    for (int i = 0; i < u->n_groups; i++)
        found = found || u->groups[i] == gid;
    return found;
}

/* As the kernel: the first class (owner, group, others) that fits the user decides. */
static bool
may_walk(const struct jail_user *u, const struct stat *st)
{
    mode_t bit = st->st_uid == u->uid ? S_IXUSR : is_in_group(u, st->st_gid) ? S_IXGRP : S_IXOTH;
    return (st->st_mode & bit) != 0;
}

/* The first folder of an absolute path that the user cannot enter; false: there is none. */
static bool
closed_folder(const struct jail_user *u, const char *path, char out[PATH_MAX], struct stat *st)
{
    for (size_t n = 1; path[n] != '\0'; n++) {
        if (path[n] != '/' && n > 1)
            continue;
        snprintf(out, PATH_MAX, "%.*s", (int)n, path);
        if (stat(out, st) == 0 && !may_walk(u, st))
            return true;
    }
    return false;
}

int
jail_reach(const struct jail_user *u, const char *program, struct text *why)
{
    char path[PATH_MAX], folder[PATH_MAX];
    struct stat st;
    if (u == NULL || strchr(program, '/') == NULL || realpath(program, path) == NULL ||
        !closed_folder(u, path, folder, &st))
        return 0;
    struct passwd *pw = getpwuid(u->uid);
    text_printf(why,
                "The compiler runs as user %s, who may not enter %s (mode %04o). Install or clone Vernis "
                "elsewhere, or start with -j none.\n",
                pw == NULL ? "of -j" : pw->pw_name, folder, st.st_mode & 07777u);
    return ERR_SYS;
}

int
jail_own(const struct jail_env *j, const char *dir, const char *images, struct text *why)
{
    struct stat st;
    if (!j->drops)
        return 0;
    if (stat(dir, &st) == 0 && !(may_walk(&j->worker, &st) && may_walk(&j->compiler, &st))) {
        text_printf(
            why,
            "Work directory %s is closed to the user of the jail: open it (chmod 711 %s), or use another -n\n",
            dir, dir);
        return ERR_SYS;
    }
    if (lchown(images, j->compiler.uid, j->worker.gid) == 0 && chmod(images, JAIL_IMAGES_MODE) == 0)
        return 0;
    text_printf(why, "Cannot give %s to the user of the jail: %s\n", images, strerror(errno));
    return ERR_SYS;
}

const struct jail_user *
jail_worker(const struct jail_env *j)
{
    return j->drops ? &j->worker : NULL;
}

const struct jail_user *
jail_compiler(const struct jail_env *j)
{
    return j->drops ? &j->compiler : NULL;
}

const struct jail_user *
jail_keys(const struct jail_env *j)
{
    return j->drops ? &j->keys : NULL;
}
