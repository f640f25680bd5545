/* Copies of images and tables, and the names of files below the work directory for worker and compiler. */
#include "manager/workdir/workdir_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "match/table/read.h"

#define IMAGE_BYTES_MAX (256 << 20)
#define COPY_MODE 0640 /* the worker reads with its group */

void
workdir_image_path(struct workdir *w, const char *name, char out[PATH_MAX])
{
    char mark[16] = "";
    if (w->generation > 0)
        snprintf(mark, sizeof mark, "-%u", w->generation);
    int n = snprintf(out, PATH_MAX, "%s/%.128s.%u%s.so", w->images, name, w->next_image++, mark);
    CHECK(n > 0 && n < PATH_MAX);
}

void
workdir_outside(const struct workdir *w, const char *inside, char out[PATH_MAX])
{
    size_t n = strlen(WORKDIR_INSIDE);
    bool ours = strncmp(inside, WORKDIR_INSIDE "/", n + 1) == 0;
    int len = ours ? snprintf(out, PATH_MAX, "%.*s%s", PATH_MAX - 1, w->path, inside + n)
                   : snprintf(out, PATH_MAX, "%s", inside);
    CHECK(len > 0);
}

const char *
workdir_inside(const struct workdir *w, const char *path)
{
    size_t n = strlen(w->path);
    return strncmp(path, w->path, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* `what` names the kind of file in messages. */
static int
copy_file(const char *what, const char *from, const char *to, off_t most_bytes, struct text *why)
{
    struct stat st;
    char words[40];
    int in = file_open(from, most_bytes);
    if (in < 0 && (errno == EINVAL || errno == EFBIG || errno == EISDIR)) {
        text_printf(why, "%s %s is not a file of at most %lld bytes\n", what, from, (long long)most_bytes);
        return ERR_SYNTAX;
    }
    snprintf(words, sizeof words, "Cannot open %s", what);
    words[strlen("Cannot open ")] = ascii_lower(words[strlen("Cannot open ")]);
    if (in < 0 || fstat(in, &st) != 0)
        return workdir_fail(why, words, from);
    int err = 0, out = -1;
    if ((out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, COPY_MODE)) < 0 ||
        fchmod(out, COPY_MODE) != 0)
        err = workdir_fail(why, "Cannot write", to);
    for (off_t left = st.st_size; err == 0 && left > 0;) {
        /* copy_file_range() fails between two kinds of file systems, such as a disk and tmpfs. */
        ssize_t n = sendfile(out, in, NULL, (size_t)left);
        if (n <= 0)
            err = workdir_fail(why, "Cannot copy to", to);
        left -= n;
    }
    if (out >= 0 && close(out) != 0 && err == 0)
        err = workdir_fail(why, "Cannot write", to);
    if (out >= 0 && err != 0)
        unlink(to);
    close(in);
    return err;
}

int
workdir_copy_image(const char *from, const char *to, struct text *why)
{
    return copy_file("Image", from, to, IMAGE_BYTES_MAX, why);
}

int
workdir_copy_table(const char *from, const char *to, struct text *why)
{
    return copy_file("Table", from, to, (off_t)TABLE_FILE_BYTES_MAX, why);
}
