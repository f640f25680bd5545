/* Refuses a work directory whose folders or files other users could replace, and one in which something else
 * is in the way. */
#include "manager/workdir/workdir_internal.h"

#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "log/report.h"
#include "proxy/rfc9111/successor.h"

/* A user who owns a folder or link of the path could have the daemon overwrite any file of the machine, and
 * run an image of theirs. */
static bool
is_trusted(const struct workdir *w, uid_t owner)
{
    return owner == 0 || owner == geteuid() || owner == w->compiler;
}

/* May all users rename and remove what others have there? */
static bool
is_open_to_all(const struct stat *st)
{
    return S_ISDIR(st->st_mode) && (st->st_mode & (S_IWOTH | S_ISVTX)) == S_IWOTH;
}

static int
refuse_owner(const struct workdir *w, const char *path, const struct stat *st, struct text *why)
{
    text_printf(
        why,
        "Work directory %s: %s belongs to user %lu: chown it to the user of the daemon, or use another "
        "-n\n",
        w->path, path, (unsigned long)st->st_uid);
    return ERR_SYS;
}

/* A container often has nothing but a volume of mode 0777, and a daemon without root's rights cannot close
 * it. */
static int
refuse_mode(const char *path, bool last, const struct stat *st, struct text *why)
{
    if (last && geteuid() == 0) {
        text_printf(
            why,
            "Work directory %s is writable by all users (mode %04o): chmod o-w %s, or use a folder below it for -n\n",
            path, st->st_mode & 07777u, path);
        return ERR_SYS;
    }
    log_line(LOG_LEVEL_WARNING,
             "all users may replace files of %s, which the work directory needs: chmod +t %s", path, path);
    return 0;
}

/* Checks the folders and links of an absolute path, from the root on. */
static int
check_folders(const struct workdir *w, const char *path, struct text *why)
{
    char part[PATH_MAX];
    struct stat st;
    int err = 0;
    for (size_t i = 1; err == 0 && path[i - 1] != '\0'; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (lstat(part, &st) != 0)
            err = workdir_fail(why, "Cannot look at", part);
        else if (!is_trusted(w, st.st_uid))
            err = refuse_owner(w, part, &st, why);
        else if (is_open_to_all(&st))
            err = refuse_mode(part, path[i] == '\0', &st, why);
    }
    return err;
}

/* The path as it is written may lead over links, whose targets have folders of their own. */
static int
check_owners(const struct workdir *w, struct text *why)
{
    char real[PATH_MAX];
    int err = check_folders(w, w->path, why);
    if (err == 0 && realpath(w->path, real) == NULL)
        err = workdir_fail(why, "Cannot look at", w->path);
    return err == 0 && strcmp(real, w->path) != 0 ? check_folders(w, real, why) : err;
}

static bool
is_empty_folder(const char *path)
{
    int entries = 0;
    DIR *dir = opendir(path);
    while (dir != NULL && entries <= 2 && readdir(dir) != NULL)
        entries++;
    if (dir != NULL)
        closedir(dir);
    return entries <= 2; /* "." and ".." */
}

/* The daemon empties `images`. If no vernisd has used the directory, such a folder has files of somebody
 * else. */
static int
check_images(const struct workdir *w, struct text *why)
{
    char lock[PATH_MAX];
    struct stat st;
    workdir_join(lock, w->path, "_.lock");
    if (lstat(lock, &st) == 0 || lstat(w->images, &st) != 0 || !S_ISDIR(st.st_mode) ||
        is_empty_folder(w->images))
        return 0;
    text_printf(why,
                "Work directory %s: the daemon would empty %s, which no vernisd has made: use another -n\n",
                w->path, w->images);
    return ERR_SYS;
}

static void
print_user(uid_t uid, struct text *out)
{
    const struct passwd *user = getpwuid(uid);
    if (user != NULL)
        text_str(out, user->pw_name);
    else
        text_printf(out, "%lu", (unsigned long)uid);
}

static int
refuse_file(const struct workdir *w, const char *path, uid_t owner, struct text *why)
{
    text_printf(why, "Work directory %s: %s belongs to user ", w->path, path);
    print_user(owner, why);
    text_str(why, ", and this daemon runs as user ");
    print_user(geteuid(), why);
    text_str(why, ", who cannot replace it. A daemon of the other user left it there: as root run chown -R ");
    print_user(geteuid(), why);
    text_printf(why, " %s, or use another -n\n", w->path);
    return ERR_SYS;
}

static bool
is_foreign(const char *path, struct stat *st)
{
    return lstat(path, st) == 0 && st->st_uid != geteuid();
}

/* Looks for files of another user that are in the way: a daemon started earlier by root or by another user.
 * root can replace all. */
static int
check_files(const struct workdir *w, struct text *why)
{
    static const char *const names[] = { "_.lock",         "_.pid",     "_.secret",    "_.epoch", "cli.sock",
                                         SUCCESSOR_SOCKET, "_.vsm_mgt", "_.vsm_child", "images" };
    char path[PATH_MAX];
    struct stat st;
    int err = 0;
    if (geteuid() == 0)
        return 0;
    for (unsigned i = 0; err == 0 && i < sizeof names / sizeof *names; i++) {
        workdir_join(path, w->path, names[i]);
        if (is_foreign(path, &st))
            err = refuse_file(w, path, st.st_uid, why);
    }
    DIR *dir = err == 0 ? opendir(w->images) : NULL;
    for (struct dirent *d; err == 0 && dir != NULL && (d = readdir(dir)) != NULL;) {
        bool fits = snprintf(path, sizeof path, "%s/%s", w->images, d->d_name) < (int)sizeof path;
        if (fits && strcmp(d->d_name, "..") != 0 && is_foreign(path, &st))
            err = refuse_file(w, path, st.st_uid, why);
    }
    if (dir != NULL)
        closedir(dir);
    return err;
}

int
workdir_check(const struct workdir *w, struct text *why)
{
    int err = check_owners(w, why);
    if (err == 0)
        err = check_images(w, why);
    return err == 0 ? check_files(w, why) : err;
}
