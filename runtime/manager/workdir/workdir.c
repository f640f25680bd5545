/* The work directory: see workdir.h. */
#include "manager/workdir/workdir_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "manager/holder.h"
#include "manager/passed.h"
#include "base/check.h"
#include "base/file.h"
#include "log/report.h"
#include "proxy/rfc9111/successor.h"

#define IMAGES_MODE 0700
#define SECRET_MODE 0600 /* the group reads the log, and must not send commands */
#define REMOVE_FDS 8
#define STORE_NAME "store" /* the compiler's store of compiled parts */

static const char *
next_step(int error)
{
    return error == ENOSPC || error == EDQUOT ? ": make room there, or use another -n"
         : error == EROFS                     ? ": use another -n"
                                              : "";
}

int
workdir_fail(struct text *why, const char *what, const char *path)
{
    text_printf(why, "%s %s: %s%s\n", what, path, strerror(errno), next_step(errno));
    return ERR_SYS;
}

/* All path buffers have PATH_MAX bytes. Refuse a long work directory here once, with 64 bytes reserved for
 * file names. */
static int
set_path(struct workdir *w, const char *name, struct text *why)
{
    if (name == NULL)
        name = WORKDIR_DEFAULT;
    int n = *name == '/' ? snprintf(w->path, sizeof w->path, "%s", name)
                         : snprintf(w->path, sizeof w->path, WORKDIR_PARENT "/%s", name);
    if (*name == '\0' || n < 0 || (size_t)n + 64 > sizeof w->path) {
        text_printf(why, "Invalid work directory (-n): '%.100s'\n", name);
        return ERR_SYNTAX;
    }
    while (n > 1 && w->path[n - 1] == '/')
        w->path[--n] = '\0';
    return 0;
}

void
workdir_join(char out[PATH_MAX], const char *dir, const char *name)
{
    int n = snprintf(out, PATH_MAX, "%s/%s", dir, name);
    CHECK(n > 0 && n < PATH_MAX);
}

static int
cannot_make(const char *path, const char *part, struct text *why)
{
    text_printf(
        why,
        "Cannot create work directory %s: mkdir %s: %s: make it for the user of the daemon, or use another -n\n",
        path, part, strerror(errno));
    return ERR_SYS;
}

/* As mkdir -p, whatever the umask says: who cannot enter the folder cannot see who may. */
static int
make_folders(const char *path, mode_t mode, struct text *why)
{
    char part[PATH_MAX];
    for (size_t i = 1; path[i - 1] != '\0'; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, mode) == 0 ? chmod(part, mode) != 0 : errno != EEXIST)
            return cannot_make(path, part, why);
    }
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        text_printf(why, "Work directory %s is not a directory\n", path);
        return ERR_SYS;
    }
    return 0;
}

/* Reads the pid in a pid file: digits, or "?". */
static void
read_pid(int fd, char pid[32])
{
    ssize_t n = fd < 0 ? -1 : read(fd, pid, 31);
    pid[n > 0 ? n : 0] = '\0';
    pid[strspn(pid, "0123456789")] = '\0';
    if (*pid == '\0')
        strcpy(pid, "?");
}

static int
already_running(const char *pid, const char *path, struct text *why)
{
    text_printf(why, "Varnishd is already running (pid=%s) (pidfile=%s)\n", pid, path);
    return ERR_BUSY;
}

/* The directory of a daemon that runs. `path` is its pid file, open as `fd`. */
static int
refuse_in_use(const struct workdir *w, int fd, const char *path, struct text *why)
{
    char pid[32], name[HOLDER_NAME_BYTES];
    read_pid(fd, pid);
    holder_name(pid, name);
    int err = already_running(pid, path, why);
    text_printf(why, "Work directory %s is in use by %s (pid %s): use another -n", w->path, name, pid);
    if (strcmp(w->path, WORKDIR_DEFAULT) != 0)
        text_str(why, ", or leave out -n for " WORKDIR_DEFAULT);
    text_str(why, "\n");
    return err;
}

/* A running varnishd keeps this lock, and so does a running daemon of ours (write_pid). A foreign directory
 * is only read: nothing is left in it. */
static int
check_in_use(const struct workdir *w, struct text *why)
{
    char path[PATH_MAX];
    workdir_join(path, w->path, "_.pid");
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool busy = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    int err = busy ? refuse_in_use(w, fd, path, why) : 0;
    if (fd >= 0)
        close(fd);
    return err;
}

/* Shares the old daemon's lock: flock belongs to the open file, not to a process. */
static int
share_lock(struct workdir *w, const char *path, struct text *why)
{
    struct stat own, there;
    w->lock_fd = passed()->lock_fd;
    w->generation = passed()->generation;
    if (fstat(w->lock_fd, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev &&
        own.st_ino == there.st_ino)
        return 0;
    text_printf(
        why, "Work directory %s is not the one of the running daemon: restart it instead of upgrading it\n",
        w->path);
    return ERR_SYNTAX;
}

static int
take_lock(struct workdir *w, struct text *why)
{
    char path[PATH_MAX];
    workdir_join(path, w->path, "_.lock");
    if (passed()->upgrade)
        return share_lock(w, path, why);
    w->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (w->lock_fd < 0)
        return workdir_fail(why, "Cannot write to work directory: open", path);
    if (flock(w->lock_fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    bool busy = errno == EWOULDBLOCK;
    int err = busy ? ERR_BUSY : workdir_fail(why, "Cannot lock", path);
    close(w->lock_fd);
    w->lock_fd = -1; /* workdir_close must remove nothing */
    if (!busy)
        return err;
    workdir_join(path, w->path, "_.pid");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    err = refuse_in_use(w, fd, path, why);
    if (fd >= 0)
        close(fd);
    return err;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    return remove(path);
}

/* Whether the compiler's current user owns the store. Another user's store is not writable, and its code
 * cannot be trusted. */
static bool
is_own_store(const struct workdir *w, const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == w->compiler;
}

/* Removes images, and leftovers of a killed compiler. The lock proves that no daemon uses them. Keeps the
 * compiler's store, which makes the next start faster. */
static void
remove_images(const struct workdir *w)
{
    int fd = open(w->images, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    char path[PATH_MAX];
    for (struct dirent *d; dir != NULL && (d = readdir(dir)) != NULL;) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0 ||
            snprintf(path, sizeof path, "%s/%s", w->images, d->d_name) >= (int)sizeof path)
            continue;
        if (strcmp(d->d_name, STORE_NAME) != 0 || !is_own_store(w, path))
            nftw(path, remove_one, REMOVE_FDS, FTW_DEPTH | FTW_PHYS);
    }
    if (dir != NULL)
        closedir(dir);
}

/* Closed to group and others from the start; jail_own() opens it to the worker, and a successor leaves it
 * open: the old worker reads there. */
static int
make_images(const struct workdir *w, struct text *why)
{
    struct stat st;
    mode_t closed = w->ours ? S_IRWXG | S_IRWXO : S_IRWXO;
    if (mkdir(w->images, IMAGES_MODE) != 0 && errno != EEXIST)
        return cannot_make(w->path, w->images, why);
    if (lstat(w->images, &st) == 0 && S_ISDIR(st.st_mode))
        return (st.st_mode & closed) == 0 || chmod(w->images, IMAGES_MODE) == 0
                 ? 0
                 : workdir_fail(why, "Cannot close", w->images);
    text_printf(why, "%s is not a directory: remove it\n", w->images);
    return ERR_SYS;
}

int
workdir_open(struct workdir *w, const char *name, uid_t compiler, struct text *why)
{
    *w = (struct workdir){ .lock_fd = -1,
                           .pid_fd = -1,
                           .own_pid_fd = -1,
                           .purges_fd = -1,
                           .compiler = compiler,
                           .ours = !passed()->upgrade };
    int err = set_path(w, name, why);
    if (err == 0)
        err = make_folders(w->path, 0755, why);
    if (err == 0 && !passed()->upgrade)
        err = check_in_use(w, why);
    if (err == 0) {
        workdir_join(w->images, w->path, "images");
        err = workdir_check(w, why);
    }
    if (err == 0)
        err = take_lock(w, why);
    if (err == 0)
        err = make_images(w, why);
    if (err == 0 && w->ours)
        remove_images(w);
    return err;
}

/* Writes a new file and renames it, so that a link at `path` is replaced and not followed. */
static int
write_file(const char *path, const void *bytes, size_t n, mode_t mode, struct text *why)
{
    char aside[PATH_MAX];
    int length = snprintf(aside, sizeof aside, "%s.new", path);
    CHECK(length > 0 && length < PATH_MAX);
    unlink(aside);
    int fd = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0)
        return workdir_fail(why, "Cannot write", path);
    ssize_t done = write(fd, bytes, n);
    int err = done == (ssize_t)n ? 0 : workdir_fail(why, "Cannot write", path);
    if (close(fd) != 0 && err == 0)
        err = workdir_fail(why, "Cannot write", path);
    if (err == 0 && rename(aside, path) != 0)
        err = workdir_fail(why, "Cannot write", path);
    if (err != 0)
        unlink(aside);
    return err;
}

/* Writes `_.pid` and locks it, so that varnishd refuses this directory while the daemon runs. */
static int
write_pid(struct workdir *w, struct text *why)
{
    char text[32], path[PATH_MAX];
    workdir_join(path, w->path, "_.pid");
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    int err = write_file(path, text, (size_t)n, 0644, why);
    if (err != 0)
        return err;
    w->own_pid_fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    return w->own_pid_fd >= 0 && flock(w->own_pid_fd, LOCK_EX | LOCK_NB) == 0
             ? 0
             : workdir_fail(why, "Cannot lock", path);
}

/* Another user's file, or a link of theirs, could name a file of which the manager would write the first
 * line. */
static bool
is_own_file(int fd)
{
    struct stat st;
    bool file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode), own = st.st_uid == 0 || st.st_uid == geteuid();
    errno = !file ? EINVAL : own ? 0 : EPERM;
    return file && own;
}

static int
pid_file_in_use(int fd, const char *path, struct text *why)
{
    char pid[32];
    read_pid(fd, pid);
    return already_running(pid, path, why);
}

/* -P: a lock keeps a second daemon with another work directory from taking the file. During an upgrade the
 * new daemon writes the file in workdir_take(). */
static int
open_pid_file(struct workdir *w, const char *path, struct text *why)
{
    if (snprintf(w->pid_file, sizeof w->pid_file, "%s", path) >= (int)sizeof w->pid_file) {
        w->pid_file[0] = '\0';
        text_str(why, "Path of -P is too long\n");
        return ERR_SYNTAX;
    }
    if (passed()->pid_fd >= 0) {
        w->pid_fd = passed()->pid_fd;
        return 0;
    }
    int err = 0, fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0644);
    if (fd >= 0 && is_own_file(fd) && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        err = pid_file_in_use(fd, path, why);
    else if (fd < 0 || !is_own_file(fd) || ftruncate(fd, 0) != 0 ||
             dprintf(fd, "%ld\n", (long)getpid()) < 0) {
        text_printf(why, "Could not open pid-file (%s): %s: name a file in a directory that exists with -P\n",
                    path, errno == ELOOP ? "it is a symbolic link" : strerror(errno));
        err = ERR_SYS;
    }
    if (err == 0) {
        w->pid_fd = fd;
        return 0;
    }
    w->pid_file[0] = '\0';
    if (fd >= 0)
        close(fd);
    return err;
}

static int
make_secret(struct workdir *w, struct text *why)
{
    unsigned char secret[SECRET_BYTES];
    workdir_join(w->secret, w->path, "_.secret");
    if (!w->ours && access(w->secret, R_OK) == 0)
        return 0;      /* clients keep the secret they know */
    unlink(w->secret); /* of an earlier daemon */
    if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret)
        return workdir_fail(why, "Cannot make a secret", w->secret);
    struct text detail = { 0 };
    int err = write_file(w->secret, secret, sizeof secret, SECRET_MODE, &detail);
    if (err != 0)
        text_printf(why, "Cannot create secret-file in %s (%s)%s\n", w->path, strerror(errno),
                    next_step(errno));
    text_release(&detail);
    return err;
}

int
workdir_fill(struct workdir *w, const char *secret_file, bool no_secret, const char *pid_file,
             struct text *why)
{
    int err = w->ours ? write_pid(w, why) : 0;
    if (err == 0 && pid_file != NULL)
        err = open_pid_file(w, pid_file, why);
    if (err != 0 || no_secret)
        return err;
    if (secret_file == NULL)
        return make_secret(w, why);
    if (realpath(secret_file, w->secret) == NULL || access(w->secret, R_OK) != 0) {
        w->secret[0] = '\0';
        text_printf(why,
                    "Cannot open -S file (%s): %s: name a file that this user may read, or leave out -S\n",
                    secret_file, strerror(errno));
        return ERR_SYS;
    }
    return 0;
}

#define PURGES_QUEUE 64
#define PURGES_NEW "purges.new"

static bool
bind_purges(int fd, const struct sockaddr_un *sun, uid_t worker)
{
    unlink(sun->sun_path);
    mode_t mask = umask(0177);
    bool bound = bind(fd, (const struct sockaddr *)sun, sizeof *sun) == 0;
    umask(mask);
    return bound && (worker == geteuid() || lchown(sun->sun_path, worker, (gid_t)-1) == 0) &&
           listen(fd, PURGES_QUEUE) == 0;
}

void
workdir_open_purges(struct workdir *w, uid_t worker)
{
    struct sockaddr_un sun = { .sun_family = AF_UNIX };
    int n = snprintf(sun.sun_path, sizeof sun.sun_path, "%.100s/%s", w->path,
                     w->ours ? SUCCESSOR_SOCKET : PURGES_NEW);
    int fd = n >= (int)sizeof sun.sun_path
               ? -1
               : socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind_purges(fd, &sun, worker)) {
        w->purges_fd = fd;
        return;
    }
    log_line(LOG_LEVEL_WARNING,
             "cannot open %s: after an upgrade, responses to POST of the old worker invalidate nothing: %s",
             sun.sun_path,
             fd < 0 && n >= (int)sizeof sun.sun_path ? "the path is too long" : strerror(errno));
    if (fd >= 0)
        close(fd);
}

static void
name_purges(const struct workdir *w)
{
    char from[PATH_MAX], to[PATH_MAX];
    workdir_join(from, w->path, PURGES_NEW);
    workdir_join(to, w->path, SUCCESSOR_SOCKET);
    if (w->purges_fd >= 0)
        (void)rename(from, to);
}

int
workdir_take(struct workdir *w, struct text *why)
{
    w->ours = w->took = true;
    name_purges(w);
    int err = write_pid(w, why);
    if (err == 0 && w->pid_fd >= 0 &&
        (ftruncate(w->pid_fd, 0) != 0 || lseek(w->pid_fd, 0, SEEK_SET) != 0 ||
         dprintf(w->pid_fd, "%ld\n", (long)getpid()) < 0))
        err = workdir_fail(why, "Cannot write", w->pid_file);
    return err;
}

void
workdir_leave(struct workdir *w)
{
    w->ours = false;
}

static void
remove_at(const struct workdir *w, const char *name)
{
    char path[PATH_MAX];
    workdir_join(path, w->path, name);
    unlink(path);
}

/* A varnishd of another kind of lock may have written its own `_.pid` over this one. */
static bool
is_own_pid_file(const struct workdir *w)
{
    char path[PATH_MAX];
    struct stat own, there;
    workdir_join(path, w->path, "_.pid");
    return w->own_pid_fd >= 0 && fstat(w->own_pid_fd, &own) == 0 && lstat(path, &there) == 0 &&
           own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

static void
remove_ours(const struct workdir *w)
{
    remove_images(w);
    rmdir(w->images);
    if (is_own_pid_file(w))
        remove_at(w, "_.pid");
    remove_at(w, SUCCESSOR_SOCKET);
    if (*w->pid_file != '\0')
        unlink(w->pid_file);
}

void
workdir_close(struct workdir *w)
{
    if (w->lock_fd < 0)
        return;
    if (w->ours)
        remove_ours(w);
    if (w->purges_fd >= 0)
        close(w->purges_fd);
    if (passed()->upgrade && !w->took)
        remove_at(w, PURGES_NEW);
    if (w->pid_fd >= 0)
        close(w->pid_fd);
    if (w->own_pid_fd >= 0)
        close(w->own_pid_fd);
    close(w->lock_fd);
    w->lock_fd = -1;
}

int
workdir_secret(const struct workdir *w, struct text *out)
{
    char bytes[4096];
    int fd = file_open(w->secret, SECRET_BYTES_MAX);
    if (fd < 0)
        return ERR_SYS;
    ssize_t n;
    while ((n = read(fd, bytes, sizeof bytes)) > 0 && out->len < SECRET_BYTES_MAX)
        text_add(out, span_of(bytes, (size_t)n));
    close(fd);
    return n < 0 ? ERR_SYS : 0;
}
