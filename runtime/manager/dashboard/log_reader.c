/* Reader of the worker's log: see log_reader.h. */
#include "manager/dashboard/log_reader.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "log/form.h"
#include "log/ring.h"

#define INDEX_BYTES_MAX (1u << 20)
#define LINE_BYTES 512u
#define HEAD_BYTES_MIN (LOG_HEAD_WORDS * sizeof(uint32_t))
#define BEHIND_MAX (RING_SEGMENTS - 2) /* segments; further behind, a copy may be overwritten */
#define LATE 2u                        /* segments; further behind, records are too old to be of use */
#define SEGMENT_WORDS_MAX (1u << 28)

struct ring_view { /* the head of the ring, as read */
    char magic[RING_MAGIC_BYTES];
    int64_t segment_words;
    uint32_t counter, pad;
    int64_t first[RING_SEGMENTS];
};

_Static_assert(sizeof(struct ring_view) == RING_HEAD_BYTES, "layout of log/ring.c");

/* ---- opening ------------------------------------------------------------------------------------------- */

static void
forget(struct log_reader *r)
{
    if (!r->opened)
        return;
    if (r->fd >= 0)
        close(r->fd);
    close(r->index_fd);
    r->opened = false;
}

void
log_reader_release(struct log_reader *r)
{
    forget(r);
    free(r->buffer);
    *r = (struct log_reader){ 0 };
}

static bool
read_head(const struct log_reader *r, struct ring_view *out)
{
    return pread(r->fd, out, sizeof *out, (off_t)r->base) == (ssize_t)sizeof *out &&
           memcmp(out->magic, r->later ? RING_MAGIC_LATER : RING_MAGIC, RING_MAGIC_BYTES) == 0;
}

static bool
read_first_head(struct log_reader *r, struct ring_view *out)
{
    r->later = false;
    if (read_head(r, out))
        return true;
    r->later = true;
    return read_head(r, out);
}

/* Continues at the first record of the segment that the writer is in. */
static bool
skip_to_newest(struct log_reader *r, const struct ring_view *head)
{
    int64_t first = head->first[head->counter % RING_SEGMENTS];
    r->counter = head->counter;
    r->at = (uint64_t)first;
    return first >= 0 && r->at < r->segment * RING_SEGMENTS;
}

static bool
open_segment(struct log_reader *r, int folder_fd, const char *file, uint64_t at, uint64_t bytes)
{
    struct ring_view head;
    struct stat st;
    r->fd = openat(folder_fd, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    r->base = at;
    if (r->fd < 0 || fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode) || at > INT64_MAX / 2 ||
        !read_first_head(r, &head) || head.segment_words <= 1 || head.segment_words > SEGMENT_WORDS_MAX)
        return false;
    r->segment = (uint64_t)head.segment_words;
    return RING_HEAD_BYTES + r->segment * RING_SEGMENTS * sizeof(uint32_t) <= bytes &&
           skip_to_newest(r, &head);
}

/* Finds the line "+ FILE OFFSET BYTES Log " of the index. */
static bool
open_log(struct log_reader *r, int folder_fd, int index_fd)
{
    char line[LINE_BYTES], file[64], class[32], found[64] = "";
    unsigned long long at, bytes, found_at = 0, found_bytes = 0;
    FILE *f = fdopen(dup(index_fd), "r");
    for (unsigned read = 0; f != NULL && read < INDEX_BYTES_MAX && fgets(line, sizeof line, f) != NULL;
         read += (unsigned)strlen(line)) {
        if (sscanf(line, "+ %63s %llu %llu %31s", file, &at, &bytes, class) != 4 ||
            strcmp(class, "Log") != 0 || strncmp(file, "_.", 2) != 0 || strchr(file, '/') != NULL)
            continue;
        snprintf(found, sizeof found, "%s", file);
        found_at = at;
        found_bytes = bytes;
    }
    if (f != NULL)
        fclose(f);
    return *found != '\0' && open_segment(r, folder_fd, found, found_at, found_bytes);
}

static bool
same_file(int fd, int other_fd)
{
    struct stat a, b;
    return fd >= 0 && other_fd >= 0 && fstat(fd, &a) == 0 && fstat(other_fd, &b) == 0 &&
           a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/* Takes the index, and opens the log that it names. A worker also writes its index anew: then the log is the
 * same, and the reader goes on where it is. */
static void
open_new(struct log_reader *r, int folder_fd, int index_fd)
{
    struct log_reader new = { .fd = -1, .index_fd = index_fd, .opened = true, .buffer = r->buffer };
    bool found = open_log(&new, folder_fd, index_fd);
    if (found && r->opened && same_file(r->fd, new.fd) && r->base == new.base) {
        close(new.fd);
        close(r->index_fd);
        r->index_fd = index_fd;
        return;
    }
    forget(r);
    *r = new;
    r->is_new = true;
    if (!found)
        forget(r);
}

/* A new worker has a new index. The descriptor of the old one keeps its inode number from being used again.
 */
static bool
keep_open(struct log_reader *r, const char *folder)
{
    struct stat new;
    int folder_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    int fd = folder_fd < 0 ? -1
                           : openat(folder_fd, "_.index", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool right = fd >= 0 && fstat(fd, &new) == 0 && S_ISREG(new.st_mode);
    bool same = right && r->opened && same_file(r->index_fd, fd);
    if (right && !same)
        open_new(r, folder_fd, fd);
    else {
        if (!right)
            forget(r);
        if (fd >= 0)
            close(fd);
    }
    if (folder_fd >= 0)
        close(folder_fd);
    return r->opened;
}

/* ---- records ------------------------------------------------------------------------------------------- */

/* Passes on the records of a copy of the ring that begins at r->at. Stops at a mark, at an incomplete record
 * and at the end of the copy. False: the writer has gone back to the start of the ring. */
static bool
walk(struct log_reader *r, const uint32_t *words, size_t n, log_record_fn *fn, void *arg)
{
    size_t i = 0;
    bool wrapped = false;
    while (i + LOG_HEAD_WORDS <= n) {
        unsigned tag = log_form_tag(r->later, words[i]), bytes = words[i] & 0xffff;
        size_t text = i + log_form_head_words(r->later), next = text + (bytes + 3) / 4;
        wrapped = words[i] == RING_MARK_WRAP;
        if (tag == RING_TAG_BATCH)
            next = text; /* its records follow */
        if (tag == 0 || tag == RING_TAG_END || next > n)
            break;
        if (tag != RING_TAG_BATCH)
            fn(arg, &(struct log_record){
                        .tag = (enum log_tag)tag,
                        .id = words[i + 1] | (r->later ? words[i + 2] : 0),
                        .text = span_of((const char *)&words[text], bytes > 0 ? bytes - 1 : 0) });
        i = next;
    }
    r->at += i;
    while (r->at / r->segment > r->counter % RING_SEGMENTS)
        r->counter++;
    return !wrapped;
}

/* One copy of at most `max` bytes. Returns the bytes taken; a copy that the writer may have overwritten
 * counts as none. */
static size_t
read_part(struct log_reader *r, size_t max, log_record_fn *fn, void *arg)
{
    struct ring_view head;
    uint64_t left = (r->segment * RING_SEGMENTS - r->at) * sizeof(uint32_t), before = r->at;
    size_t want = left < max ? (size_t)left : max;
    ssize_t got = pread(r->fd, r->buffer, want,
                        (off_t)(r->base + RING_HEAD_BYTES + r->at * sizeof(uint32_t)));
    if (got < (ssize_t)HEAD_BYTES_MIN || !read_head(r, &head) || head.counter - r->counter >= BEHIND_MAX)
        return 0;
    if (!walk(r, (const uint32_t *)(const void *)r->buffer, (size_t)got / sizeof(uint32_t), fn, arg)) {
        r->at = 0;
        r->counter += RING_SEGMENTS - r->counter % RING_SEGMENTS;
        return HEAD_BYTES_MIN;
    }
    return (r->at - before) * sizeof(uint32_t);
}

void
log_read(struct log_reader *r, const char *folder, log_record_fn *fn, void *arg)
{
    struct ring_view head;
    if (r->buffer == NULL)
        r->buffer = mem_alloc(LOG_READ_BYTES);
    if (!keep_open(r, folder))
        return;
    bool whole = !r->is_new; /* another log continues no transaction of the old one */
    r->is_new = false;
    bool sound = read_head(r, &head);
    if (sound && head.counter - r->counter >= LATE) {
        sound = skip_to_newest(r, &head);
        whole = false;
    }
    if (!sound) {
        forget(r);
        return;
    }
    if (!whole)
        fn(arg, NULL);
    size_t left = LOG_READ_BYTES, n;
    while (left >= HEAD_BYTES_MIN && (n = read_part(r, left, fn, arg)) > 0)
        left -= n < left ? n : left;
}
