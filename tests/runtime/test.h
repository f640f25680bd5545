/* A small frame for C unit tests. A test is a plain function; a file ends with a table of them:
 *
 *     static const struct test tests[] = {
 *         { "a_bare_cr_is_refused", a_bare_cr_is_refused },
 *     };
 *     int main(int argc, char **argv) { return test_run(argc, argv, tests, sizeof tests / sizeof *tests); }
 *
 * An expectation that fails prints file, line, text and both values, and the test goes on. Arguments select
 * tests by a part of their name. The exit status is 0 only when something ran and nothing failed. */
#ifndef VERNIS_TESTS_RUNTIME_TEST_H
#define VERNIS_TESTS_RUNTIME_TEST_H

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

struct test {
    const char *name;
    void (*fn)(void);
};

static atomic_uint test_failures; /* expectations that failed so far; threads of a test may add to it */

static inline bool
test_note(bool ok, const char *file, int line, const char *what)
{
    if (!ok) {
        atomic_fetch_add(&test_failures, 1);
        fprintf(stderr, "%s:%d: expected %s\n", file, line, what);
    }
    return ok;
}

static inline bool
test_eq_int(intmax_t got, intmax_t want, const char *file, int line, const char *what)
{
    if (got != want) {
        atomic_fetch_add(&test_failures, 1);
        fprintf(stderr, "%s:%d: %s is %jd, expected %jd\n", file, line, what, got, want);
    }
    return got == want;
}

static inline void
test_print_span(struct span s)
{
    if (s.ptr == NULL) {
        fputs("(unset)", stderr);
        return;
    }
    fputc('"', stderr);
    for (size_t i = 0; i < s.len && i < 400; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
            fputc(c, stderr);
        else
            fprintf(stderr, "\\x%02x", c);
    }
    fputs(s.len > 400 ? "\"..." : "\"", stderr);
}

/* An unset span equals only an unset one. */
static inline bool
test_eq_span(struct span got, struct span want, const char *file, int line, const char *what)
{
    bool ok = (got.ptr == NULL) == (want.ptr == NULL) && span_eq(got, want);
    if (!ok) {
        atomic_fetch_add(&test_failures, 1);
        fprintf(stderr, "%s:%d: %s is ", file, line, what);
        test_print_span(got);
        fputs(", expected ", stderr);
        test_print_span(want);
        fputc('\n', stderr);
    }
    return ok;
}

#define EXPECT(cond) test_note(!!(cond), __FILE__, __LINE__, #cond)
#define EXPECT_EQ_INT(got, want) test_eq_int((intmax_t)(got), (intmax_t)(want), __FILE__, __LINE__, #got)
#define EXPECT_EQ_SPAN(got, want) test_eq_span((got), (want), __FILE__, __LINE__, #got)
/* The same against a C string: EXPECT_EQ_STR(span, "text"). */
#define EXPECT_EQ_STR(got, want) test_eq_span((got), span_str(want), __FILE__, __LINE__, #got)

static inline bool
test_selected(int argc, char **argv, const char *name)
{
    bool selected = argc < 2;
    for (int i = 1; i < argc; i++)
        selected |= strstr(name, argv[i]) != NULL;
    return selected;
}

static inline int
test_run(int argc, char **argv, const struct test *tests, size_t n)
{
    unsigned passed = 0, failed = 0;
    for (size_t i = 0; i < n; i++) {
        if (!test_selected(argc, argv, tests[i].name))
            continue;
        unsigned before = atomic_load(&test_failures);
        tests[i].fn();
        bool ok = atomic_load(&test_failures) == before;
        passed += ok;
        failed += !ok;
        if (!ok)
            fprintf(stderr, "FAILED %s\n", tests[i].name);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}

#endif
