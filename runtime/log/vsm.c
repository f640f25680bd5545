/* Sets of shared-memory segments: see vsm.h. This file writes the segment files and the text of the index.
 *
 * Readers follow the index as it grows, so lines are appended whole. When it has many lines of removed
 * segments, it is rewritten without them. A reader that finds a new file under the old name reads from its
 * start and keeps its open segments. */
#include "log/vsm.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"

#define FOLDER_MODE 0755
#define FILE_MODE 0640
#define PAGE_BYTES 4096u
#define NAME_BYTES 64u
#define LINE_BYTES 2048u /* longest line of the index; longer names are refused */
#define REMOVED_FEW 10u  /* up to so many lines of removed segments the index is not rewritten */
#define REMOVE_FDS 8

struct segment {
    struct list link;
    void *mem;
    size_t bytes; /* requested size, rounded up to words */
    size_t mapped;
    char file[NAME_BYTES];
    char *line; /* text after + or - in the index; NULL: not published */
};

struct vsm {
    char path[PATH_MAX];
    int folder_fd, index_fd;
    char head[NAME_BYTES]; /* first line of the index */
    pthread_mutex_t lock;
    struct list segments;        /* lock; in the order of the index */
    unsigned published, removed; /* lock; live segments, and lines of removed ones, in the index */
};

/* ---- the directory
 * ---------------------------------------------------------------------------------------------------------
 */

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    return remove(path);
}

void
vsm_folder_remove(const char *path)
{
    (void)nftw(path, remove_one, REMOVE_FDS, FTW_DEPTH | FTW_PHYS);
}

int
vsm_folder_new(const char *path, uid_t user, gid_t group)
{
    struct stat made;
    vsm_folder_remove(path);
    if (mkdir(path, FOLDER_MODE) != 0 || stat(path, &made) != 0)
        return ERR_SYS;
    /* With S_ISGID files get the group of the folder. RestrictSUIDSGID= of a systemd unit forbids to set it,
     * so it is set only for a group that is not the process's own anyway. */
    mode_t mode = FOLDER_MODE | (group != (gid_t)-1 ? S_ISGID : made.st_mode & S_ISGID);
    if ((user != (uid_t)-1 || group != (gid_t)-1) && chown(path, user, group) != 0)
        return ERR_SYS;
    /* overrides the umask; after chown, which clears S_ISGID */
    return chmod(path, mode) == 0 ? 0 : ERR_SYS;
}

/* ---- the index
 * -------------------------------------------------------------------------------------------------------------
 */

/* Appends all of the line or nothing. On a full disk the written part is removed, or the next line would be
 * appended to it. */
static int
write_whole(int fd, const char *text, size_t n)
{
    ssize_t done = write(fd, text, n);
    if (done == (ssize_t)n)
        return 0;
    if (done >= 0 && ftruncate(fd, lseek(fd, 0, SEEK_END) - done) == 0)
        errno = ENOSPC;
    return ERR_SYS;
}

/* Creates a file in the directory. If `name` is empty, a unique name is chosen and stored there. */
static int
file_new(struct vsm *v, char name[NAME_BYTES])
{
    uint64_t number;
    CHECK(getrandom(&number, sizeof number, 0) == (ssize_t)sizeof number);
    if (*name == '\0')
        snprintf(name, NAME_BYTES, "_.%016llx", (unsigned long long)number);
    int fd = openat(v->folder_fd, name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, FILE_MODE);
    if (fd < 0 || fchmod(fd, FILE_MODE) == 0)
        return fd;
    close(fd);
    return -1;
}

static int
index_new(struct vsm *v)
{
    char name[NAME_BYTES] = "";
    int fd = file_new(v, name);
    if (fd < 0)
        return ERR_SYS;
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);
    CHECK(f != NULL);
    fputs(v->head, f);
    unsigned published = 0;
    list_each(it, &v->segments)
    {
        const struct segment *s = container_of(it, struct segment, link);
        if (s->line == NULL)
            continue;
        fprintf(f, "+ %s\n", s->line);
        published++;
    }
    CHECK(fclose(f) == 0);
    int err = write_whole(fd, text, bytes);
    free(text);
    if (err == 0 && renameat(v->folder_fd, name, v->folder_fd, "_.index") != 0)
        err = ERR_SYS;
    if (err != 0) {
        unlinkat(v->folder_fd, name, 0);
        close(fd);
        return err;
    }
    if (v->index_fd >= 0)
        close(v->index_fd);
    v->index_fd = fd;
    v->published = published;
    v->removed = 0;
    return 0;
}

static int
index_append(struct vsm *v, char sign, const char *line)
{
    char text[LINE_BYTES + 4];
    int n = snprintf(text, sizeof text, "%c %s\n", sign, line);
    CHECK(n > 0 && (size_t)n < sizeof text);
    return write_whole(v->index_fd, text, (size_t)n);
}

static void
segment_release(struct segment *s)
{
    list_remove(&s->link);
    CHECK(munmap(s->mem, s->mapped) == 0);
    free(s->line);
    free(s);
}

/* Frees the set, but leaves all files. */
static void
vsm_leave(struct vsm **v)
{
    struct vsm *vsm = *v;
    if (vsm == NULL)
        return;
    for (struct list *it; (it = vsm->segments.next) != &vsm->segments;)
        segment_release(container_of(it, struct segment, link));
    if (vsm->index_fd >= 0)
        close(vsm->index_fd);
    if (vsm->folder_fd >= 0)
        close(vsm->folder_fd);
    pthread_mutex_destroy(&vsm->lock);
    free(vsm);
    *v = NULL;
}

int
vsm_open(const char *path, struct vsm **out)
{
    struct vsm *v = mem_zalloc(sizeof *v);
    int n = snprintf(v->path, sizeof v->path, "%s", path);
    CHECK(n > 0 && (size_t)n < sizeof v->path);
    v->index_fd = -1;
    list_init(&v->segments);
    CHECK(pthread_mutex_init(&v->lock, NULL) == 0);
    snprintf(v->head, sizeof v->head, "# %ld %lld\n", (long)getpid(), (long long)time(NULL));
    v->folder_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (v->folder_fd >= 0 && index_new(v) == 0) {
        *out = v;
        return 0;
    }
    int why = errno;
    vsm_leave(&v);
    errno = why;
    return ERR_SYS;
}

/* ---- segments
 * --------------------------------------------------------------------------------------------------------------
 */

void
vsm_moved(struct vsm *v, const char *path)
{
    int n = snprintf(v->path, sizeof v->path, "%s", path);
    CHECK(n > 0 && (size_t)n < sizeof v->path);
}

void
vsm_close(struct vsm **v)
{
    if (*v == NULL)
        return;
    unlinkat((*v)->folder_fd, "_.index", 0);
    vsm_folder_remove((*v)->path);
    vsm_leave(v);
}

/* Allocates the file's space now: if a page could not be had at its first write, the process would die. A
 * forked process must not inherit the segments of its parent. Each first write to a page costs one page: by
 * default, ext4 clears megabytes ahead of it, and the loop that writes a record would work 20 ms on that. */
static int
segment_map(struct vsm *v, struct segment *s)
{
    int fd = file_new(v, s->file);
    if (fd < 0)
        return ERR_SYS;
    int why = posix_fallocate(fd, 0, (off_t)s->mapped);
    if (why == 0)
        s->mem = mmap(NULL, s->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (why == 0 && s->mem == MAP_FAILED)
        why = errno;
    close(fd);
    if (why == 0) {
        (void)madvise(s->mem, s->mapped, MADV_DONTFORK);
        (void)madvise(s->mem, s->mapped, MADV_RANDOM);
        return 0;
    }
    unlinkat(v->folder_fd, s->file, 0);
    errno = why;
    return ERR_SYS;
}

void *
vsm_alloc(struct vsm *v, size_t bytes)
{
    struct segment *s = mem_zalloc(sizeof *s);
    s->bytes = (bytes + 7) & ~(size_t)7;
    s->mapped = (s->bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
    if (segment_map(v, s) != 0) {
        free(s);
        return NULL;
    }
    CHECK(pthread_mutex_lock(&v->lock) == 0);
    list_push_back(&v->segments, &s->link);
    CHECK(pthread_mutex_unlock(&v->lock) == 0);
    return s->mem;
}

static struct segment *
segment_find(struct vsm *v, const void *mem)
{
    list_each(it, &v->segments) if (container_of(it, struct segment, link)->mem ==
                                    mem) return container_of(it, struct segment, link);
    WRONG("no segment of this set");
}

/* Appends a word, quoted as on the command line if necessary. False: too long. */
static bool
line_make(const struct segment *s, const char *class, const char *ident, char line[LINE_BYTES])
{
    int n = snprintf(line, LINE_BYTES, "%s 0 %zu %s ", s->file, s->bytes, class);
    CHECK(n > 0 && (size_t)n < LINE_BYTES / 2);
    bool quoted = strpbrk(ident, " \t\"\\") != NULL;
    size_t at = (size_t)n;
    if (quoted)
        line[at++] = '"';
    for (const char *p = ident; *p != '\0'; p++) {
        if (at + 4 > LINE_BYTES)
            return false;
        if (*p == '"' || *p == '\\')
            line[at++] = '\\';
        line[at++] = (unsigned char)*p < 0x20 || *p == 0x7f ? '?' : *p;
    }
    if (quoted)
        line[at++] = '"';
    line[at] = '\0';
    return true;
}

int
vsm_publish(struct vsm *v, void *mem, const char *class, const char *ident)
{
    char line[LINE_BYTES];
    CHECK(pthread_mutex_lock(&v->lock) == 0);
    struct segment *s = segment_find(v, mem);
    CHECK(s->line == NULL);
    int err = ERR_SYS;
    if (!line_make(s, class, ident, line))
        errno = ENAMETOOLONG;
    else
        err = index_append(v, '+', line);
    if (err == 0) {
        s->line = strdup(line);
        CHECK(s->line != NULL);
        list_remove(&s->link); /* the list keeps the order of the index, for the next rewrite */
        list_push_back(&v->segments, &s->link);
        v->published++;
    }
    CHECK(pthread_mutex_unlock(&v->lock) == 0);
    return err;
}

/* If the disk is too full for the line, the index keeps a segment to which nobody writes any more. */
static void
unpublish(struct vsm *v, struct segment *s)
{
    char *line = s->line;
    s->line = NULL;
    v->published--;
    if (v->removed >= REMOVED_FEW && v->removed * 3 >= v->published && index_new(v) == 0) {
        free(line);
        return;
    }
    if (index_append(v, '-', line) == 0)
        v->removed++;
    free(line);
}

void
vsm_free(struct vsm *v, void *mem)
{
    if (mem == NULL)
        return;
    CHECK(pthread_mutex_lock(&v->lock) == 0);
    struct segment *s = segment_find(v, mem);
    if (s->line != NULL)
        unpublish(v, s);
    unlinkat(v->folder_fd, s->file, 0);
    segment_release(s);
    CHECK(pthread_mutex_unlock(&v->lock) == 0);
}
