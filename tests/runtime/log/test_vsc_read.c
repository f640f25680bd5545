/* Counters of a set as another process reads them, also when the set is invalid. */
#include "log/vsc_read.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "test.h"
#include "vsm_set.h"

static const struct vsc_row rows[] = {
    { "conn", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Connections" },
    { "sent", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Bytes" },
};
static const struct vsc_type type = { "test", "A test", rows, 2 };

static char seen[1024];

static void
note(void *arg, const struct vsc_sample *s)
{
    size_t n = strlen(seen);
    snprintf(seen + n, sizeof seen - n, "%s.%s=%llu ", s->ident, s->name, (unsigned long long)s->value);
}

static const char *
all(void)
{
    seen[0] = '\0';
    return vsc_read(folder, note, NULL) == 0 ? seen : "none";
}

static void
say(const char *line)
{
    char path[300];
    snprintf(path, sizeof path, "%s/_.index", folder);
    int fd = open(path, O_WRONLY | O_APPEND);
    CHECK(fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line));
    close(fd);
}

static void
values_are_read_as_they_change(void)
{
    struct vsm *v = new_set_of_counters();
    uint64_t *a = vsc_new(&type, "A.x \"y\\'"), *b = vsc_new(&type, "B");
    vsc_set(&a[0], 1);
    vsc_set(&b[1], 7);
    EXPECT_EQ_STR(span_str(all()), "A.x \"y\\'.conn=1 A.x \"y\\'.sent=0 B.conn=0 B.sent=7 ");
    vsc_add(&a[0], (uint64_t)-2); /* below zero for a moment */
    vsc_hide(b, true);
    EXPECT_EQ_STR(span_str(all()), "A.x \"y\\'.conn=0 A.x \"y\\'.sent=0 ");
    vsc_hide(b, false);
    vsc_free(&a);
    EXPECT_EQ_STR(span_str(all()), "B.conn=0 B.sent=7 ");
    close_set_of_counters(v);
    EXPECT_EQ_STR(span_str(all()), "none");
}

static void
what_makes_no_sense_is_left_out(void)
{
    struct vsm *v = new_set_of_counters();
    uint64_t *a = vsc_new(&type, "A");
    char path[300];
    say("+\n+ \n- \n+ _.no 0 100 Stat X\n+ ../etc/passwd 0 100 Stat X\n+ _.index 0 10 Stat X\n+ _.index 0 99999999999999 Stat X\n"
        "+ _.index 0 100 StatDoc X\n+ _.pipe 0 100 Stat X\n+ _.link 0 100 Stat X\n- _.never 0 1 Stat a\nabc\n+ _.index -5 100 Stat X");
    snprintf(path, sizeof path, "%s/_.pipe", folder);
    CHECK(mkfifo(path, 0600) == 0);
    snprintf(path, sizeof path, "%s/_.link", folder);
    CHECK(symlink("/dev/zero", path) == 0);
    EXPECT_EQ_STR(span_str(all()), "A.conn=0 A.sent=0 ");
    vsc_free(&a);
    close_set_of_counters(v);
}

/* A handmade document with values; its numbers may be anything. */
static void
put(const char *name, int32_t state, uint64_t body_at, uint64_t doc, const char *body, size_t n)
{
    char path[300], data[512] = { 0 };
    snprintf(path, sizeof path, "%s/%s", folder, name);
    memcpy(data, &state, sizeof state);
    memcpy(data + 8, &body_at, sizeof body_at);
    memcpy(data + 16, &doc, sizeof doc);
    memcpy(data + 24, body, n);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && write(fd, data, 24 + n) == (ssize_t)(24 + n));
    close(fd);
}

static void
numbers_that_point_elsewhere_are_not_followed(void)
{
    struct vsm *v = new_set_of_counters();
    static const char doc[] =
        "{\"elem\":{"
        "\"a\":{\"name\":\"a\",\"type\":\"gauge\",\"format\":\"integer\",\"oneliner\":\"A\",\"index\":0},"
        "\"b\":{\"name\":\"b\",\"type\":\"gauge\",\"format\":\"integer\",\"oneliner\":\"B\",\"index\":9223372036854775807},"
        "\"c\":{\"name\":\"c\",\"type\":\"gauge\",\"format\":\"integer\",\"oneliner\":\"C\",\"index\":-8},\"d\":5,"
        "\"e\":{\"name\":\"e\",\"type\":\"odd\",\"format\":\"integer\",\"oneliner\":\"E\",\"index\":0}}}";
    put("_.doc", 1, 24, 5, doc, sizeof doc);
    put("_.far", 1, UINT64_MAX - 4, 6, "", 0);
    put("_.one", 1, 24, 5, "\7\0\0\0\0\0\0\0", 8);
    put("_.two", 1, UINT64_MAX, 5, "\7\0\0\0\0\0\0\0", 8);
    put("_.low", 1, 0, 5, "\7\0\0\0\0\0\0\0", 8);
    put("_.cut", 1, 24, 5, "\7\0\0", 3);
    say("+ _.doc 0 500 StatDoc d\n+ _.far 0 500 StatDoc d\n+ _.one 0 32 Stat One\n+ _.two 0 32 Stat Two\n+ _.low 0 32 Stat Low\n"
        "+ _.cut 0 32 Stat Cut\n");
    EXPECT_EQ_STR(span_str(all()), "One.a=7 ");
    close_set_of_counters(v);
}

static const struct test tests[] = {
    { "values_are_read_as_they_change", values_are_read_as_they_change },
    { "what_makes_no_sense_is_left_out", what_makes_no_sense_is_left_out },
    { "numbers_that_point_elsewhere_are_not_followed", numbers_that_point_elsewhere_are_not_followed },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
