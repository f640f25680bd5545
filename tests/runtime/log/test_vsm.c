/* Sets of shared-memory segments: the text of the index, and the removal of files. */
#include "log/vsm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "test.h"
#include "vsm_set.h"

#define INDEX_BYTES 8192

static int
folder_fd(void)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    CHECK(fd >= 0);
    return fd;
}

static char *
read_file(const char *name, char text[INDEX_BYTES])
{
    int dir = folder_fd(), fd = openat(dir, name, O_RDONLY);
    ssize_t n = fd < 0 ? 0 : read(fd, text, INDEX_BYTES - 1);
    text[n < 0 ? 0 : n] = '\0';
    close(fd);
    close(dir);
    return text;
}

static unsigned
count_lines(char sign)
{
    char text[INDEX_BYTES];
    unsigned n = 0;
    for (char *p = read_file("_.index", text); *p != '\0'; p++)
        n += *p == sign && (p == text || p[-1] == '\n');
    return n;
}

static void *
published(struct vsm *v, const char *class, const char *ident)
{
    void *mem = vsm_alloc(v, 100);
    CHECK(mem != NULL && vsm_publish(v, mem, class, ident) == 0);
    return mem;
}

static void
the_index_names_what_was_published(void)
{
    struct vsm *v = new_set();
    char text[INDEX_BYTES], file[64], class[64], ident[64], sign;
    long pid, birth;
    unsigned offset, bytes;
    char *mem = vsm_alloc(v, 100);
    strcpy(mem, "for all to read");
    /* no segment has a name yet */
    EXPECT(sscanf(read_file("_.index", text), "# %ld %ld\n%c", &pid, &birth, &sign) == 2);
    EXPECT_EQ_INT(pid, getpid());
    EXPECT_EQ_INT(vsm_publish(v, mem, "Log", "Log"), 0);
    EXPECT(sscanf(read_file("_.index", text), "# %*d %*d\n%c %63s %u %u %63s %63s\n", &sign, file, &offset,
                  &bytes, class, ident) == 6);
    EXPECT_EQ_INT(sign, '+');
    EXPECT_EQ_INT(offset, 0);
    EXPECT_EQ_INT(bytes, 104); /* whole words */
    EXPECT_EQ_STR(span_str(class), "Log");
    EXPECT_EQ_STR(span_str(ident), "Log");
    EXPECT_EQ_STR(span_str(read_file(file, text)), "for all to read");
    vsm_close(&v);
}

static void
names_are_quoted_when_they_have_to_be(void)
{
    struct vsm *v = new_set();
    char text[INDEX_BYTES], long_name[4000];
    published(v, "Stat", "VBE.a \"b\\\n");
    EXPECT(strstr(read_file("_.index", text), " Stat \"VBE.a \\\"b\\\\?\"\n") != NULL);
    published(v, "Arg", "");
    EXPECT(strstr(read_file("_.index", text), " Arg \n") != NULL);
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    void *mem = vsm_alloc(v, 1);
    EXPECT_EQ_INT(vsm_publish(v, mem, "Stat", long_name), ERR_SYS);
    EXPECT_EQ_INT(errno, ENAMETOOLONG);
    vsm_free(v, mem);
    vsm_close(&v);
}

static void
only_owner_and_group_may_read(void)
{
    mode_t mask = umask(077);
    struct vsm *v = new_set();
    struct stat st;
    int dir = folder_fd();
    EXPECT(fstat(dir, &st) == 0);
    EXPECT_EQ_INT(st.st_mode & 07777, 0755);
    EXPECT(fstatat(dir, "_.index", &st, 0) == 0);
    EXPECT_EQ_INT(st.st_mode & 07777, 0640);
    close(dir);
    vsm_close(&v);
    umask(mask);
}

/* The index is rewritten after ten removals, or later if many segments are left. */
static void
the_index_is_written_anew_when_many_have_gone(void)
{
    struct vsm *v = new_set();
    void *mem[60];
    for (int i = 0; i < 60; i++)
        mem[i] = published(v, "Stat", "x");
    for (int i = 0; i < 15; i++)
        vsm_free(v, mem[i]);
    EXPECT_EQ_INT(count_lines('-'), 15); /* for 45 remaining segments */
    vsm_free(v, mem[15]);
    EXPECT_EQ_INT(count_lines('-'), 0);
    EXPECT_EQ_INT(count_lines('+'), 44);
    EXPECT_EQ_INT(count_lines('#'), 1);
    vsm_free(v, mem[16]);
    EXPECT_EQ_INT(count_lines('-'), 1);
    vsm_close(&v);
}

static void
readers_keep_what_was_removed(void)
{
    struct vsm *v = new_set();
    char text[INDEX_BYTES], file[64];
    char *mem = vsm_alloc(v, 8);
    strcpy(mem, "still");
    EXPECT_EQ_INT(vsm_publish(v, mem, "Stat", "x"), 0);
    EXPECT(sscanf(strchr(read_file("_.index", text), '+'), "+ %63s", file) == 1);
    int dir = folder_fd(), fd = openat(dir, file, O_RDONLY);
    vsm_free(v, mem);
    EXPECT(faccessat(dir, file, F_OK, 0) != 0);
    EXPECT(read(fd, text, 6) == 6);
    EXPECT_EQ_STR(span_str(text), "still");
    close(fd);
    close(dir);
    vsm_close(&v);
    EXPECT(access(folder, F_OK) != 0);
}

static void
a_full_disk_is_an_error_and_leaves_nothing(void)
{
    struct vsm *v = new_set();
    char text[INDEX_BYTES];
    struct rlimit before, small = { 65536, 65536 };
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT(vsm_alloc(v, 1 << 20) == NULL);
    EXPECT_EQ_INT(errno, EFBIG);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ_INT(count_lines('+'), 0);
    EXPECT(strchr(read_file("_.index", text), '\n')[1] == '\0');
    vsm_close(&v);
}

/* Readers would give up on half a line that another line follows. */
static void
a_disk_too_full_for_a_line_leaves_no_part_of_it(void)
{
    struct vsm *v = new_set();
    char text[INDEX_BYTES];
    struct rlimit before, small;
    void *late = vsm_alloc(v, 100);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ strlen(read_file("_.index", text)) + 10, before.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_EQ_INT(vsm_publish(v, late, "Stat", "late"), ERR_SYS);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ_INT(strlen(read_file("_.index", text)), small.rlim_cur - 10);
    EXPECT_EQ_INT(vsm_publish(v, late, "Stat", "late"), 0);
    EXPECT_EQ_INT(count_lines('+'), 1);
    vsm_close(&v);
}

static int
mode_of_new(const char *path, gid_t group)
{
    struct stat st;
    CHECK(vsm_folder_new(path, (uid_t)-1, group) == 0 && stat(path, &st) == 0);
    return st.st_mode & 07777;
}

/* RestrictSUIDSGID= of the unit file forbids S_ISGID, which only other groups need. */
static void
a_folder_passes_on_a_group_that_is_not_the_process_s_own(void)
{
    struct vsm *v = new_set();
    char inner[sizeof folder + 8];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    EXPECT_EQ_INT(mode_of_new(inner, (gid_t)-1), 0755);
    EXPECT_EQ_INT(mode_of_new(inner, getgid()), 02755);
    EXPECT(chmod(folder, 02755) == 0);
    EXPECT_EQ_INT(mode_of_new(inner, (gid_t)-1), 02755); /* inherited */
    vsm_folder_remove(inner);
    vsm_close(&v);
}

static void
a_missing_folder_is_an_error(void)
{
    struct vsm *v = NULL;
    EXPECT_EQ_INT(vsm_open("/nonexistent/vsm", &v), ERR_SYS);
    EXPECT_EQ_INT(errno, ENOENT);
    EXPECT(v == NULL);
    EXPECT_EQ_INT(vsm_folder_new("/nonexistent/vsm", (uid_t)-1, (gid_t)-1), ERR_SYS);
}

static const struct test tests[] = {
    { "the_index_names_what_was_published", the_index_names_what_was_published },
    { "names_are_quoted_when_they_have_to_be", names_are_quoted_when_they_have_to_be },
    { "only_owner_and_group_may_read", only_owner_and_group_may_read },
    { "the_index_is_written_anew_when_many_have_gone", the_index_is_written_anew_when_many_have_gone },
    { "readers_keep_what_was_removed", readers_keep_what_was_removed },
    { "a_full_disk_is_an_error_and_leaves_nothing", a_full_disk_is_an_error_and_leaves_nothing },
    { "a_disk_too_full_for_a_line_leaves_no_part_of_it", a_disk_too_full_for_a_line_leaves_no_part_of_it },
    { "a_folder_passes_on_a_group_that_is_not_the_process_s_own",
      a_folder_passes_on_a_group_that_is_not_the_process_s_own },
    { "a_missing_folder_is_an_error", a_missing_folder_is_an_error },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
