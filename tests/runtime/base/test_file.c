/* Files that operators name: only a file of bounded size is opened, and a device or pipe blocks no thread. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char folder[] = "/tmp/vernis-file-XXXXXX";

static const char *
in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void
expect_refused(const char *path, off_t most_bytes, int error)
{
    errno = 0;
    EXPECT_EQ_INT(file_open(path, most_bytes), -1);
    EXPECT_EQ_INT(errno, error);
}

static void
a_file_of_the_size_is_opened(void)
{
    EXPECT(mkdtemp(folder) != NULL);
    FILE *f = fopen(in_folder("file"), "w");
    EXPECT(f != NULL && fputs("12345678", f) >= 0 && fclose(f) == 0);
    int fd = file_open(in_folder("file"), 8);
    EXPECT(fd >= 0);
    close(fd);
    expect_refused(in_folder("file"), 7, EFBIG);
    expect_refused(in_folder("none"), 7, ENOENT);
    unlink(in_folder("file"));
}

static void
what_is_no_file_is_refused_at_once(void)
{
    EXPECT_EQ_INT(mkfifo(in_folder("pipe"), 0600), 0);
    expect_refused(in_folder("pipe"), 100, EINVAL);
    expect_refused("/dev/zero", 100, EINVAL);
    expect_refused(folder, 100, EISDIR);
    EXPECT_EQ_STR(span_str(file_why(EINVAL)), "a pipe, a socket or a device, not a file");
    unlink(in_folder("pipe"));
    rmdir(folder);
}

static const struct test tests[] = {
    { "a_file_of_the_size_is_opened", a_file_of_the_size_is_opened },
    { "what_is_no_file_is_refused_at_once", what_is_no_file_is_refused_at_once },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
