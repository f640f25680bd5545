/* The file _.epoch: a number of eight digits and a line end, so that a write replaces all of it. */
#include "manager/epoch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/check.h"
#include "cache/position.h"

#define DIGITS 8u
#define LINE_BYTES (DIGITS + 1)

_Static_assert(EPOCH_MAX < 100000000, "eight digits hold an epoch");

static int
fail(struct text *why, const char *what, const char *path)
{
    text_printf(why, "Cannot %s %s: %s: purges may get positions of an earlier worker\n", what, path,
                strerror(errno));
    return ERR_SYS;
}

/* An empty file: 0. */
static int
read_number(int fd, const char *path, uint32_t *number, struct text *why)
{
    char line[LINE_BYTES + 1] = "";
    ssize_t n = pread(fd, line, sizeof line, 0);
    *number = 0;
    if (n < 0)
        return fail(why, "read", path);
    if (n == 0)
        return 0;
    if (n == (ssize_t)LINE_BYTES && strspn(line, "0123456789") == DIGITS && line[DIGITS] == '\n')
        *number = (uint32_t)strtoul(line, NULL, 10);
    if (*number > 0 && *number <= EPOCH_MAX)
        return 0;
    *number = 0;
    text_printf(why, "%s is damaged, and is written anew: purges may get positions of an earlier worker\n",
                path);
    return ERR_SYNTAX;
}

static int
write_number(int fd, const char *path, uint32_t number, struct text *why)
{
    char line[LINE_BYTES + 1];
    CHECK(snprintf(line, sizeof line, "%08u\n", number) == (int)LINE_BYTES);
    if (pwrite(fd, line, LINE_BYTES, 0) != (ssize_t)LINE_BYTES || ftruncate(fd, LINE_BYTES) != 0 ||
        fdatasync(fd) != 0)
        return fail(why, "write", path);
    return 0;
}

static int
advance(int fd, const char *path, uint32_t *epoch, struct text *why)
{
    uint32_t number;
    int err = read_number(fd, path, &number, why);
    if (err == ERR_SYS)
        return err;
    *epoch = number > *epoch ? number : *epoch;
    if (*epoch >= EPOCH_MAX) {
        text_printf(why, "%s has reached its greatest number: use another work directory (-n)\n", path);
        return ERR_LIMIT;
    }
    int written = write_number(fd, path, *epoch + 1, why);
    return err != 0 ? err : written;
}

int
epoch_next(const char *dir, uint32_t *epoch, struct text *why)
{
    char path[PATH_MAX];
    CHECK(snprintf(path, sizeof path, "%s/_.epoch", dir) < (int)sizeof path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640), err;
    if (fd < 0)
        err = fail(why, "open", path);
    else if (flock(fd, LOCK_EX) != 0) /* another manager holds it for one write */
        err = fail(why, "lock", path);
    else
        err = advance(fd, path, epoch, why);
    if (fd >= 0)
        close(fd);
    *epoch += *epoch < EPOCH_MAX;
    return err;
}
