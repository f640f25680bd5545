/* Parameters of queries, cookies and directives: reading and editing. */
#include "http/cache_control.h"
#include "http/pairs.h"
#include "http/target.h"
#include "test.h"

#define S(text) SPAN_LIT(text)

static void
a_target_has_a_path_and_an_extension(void)
{
    static const struct {
        const char *target, *path, *extension;
    } rows[] = {
        { "/a/b.css?c.d", "/a/b.css", "css" },
        { "/a.b/c", "/a.b/c", NULL },
        { "/a.tar.gz", "/a.tar.gz", "gz" },
        { "/a.", "/a.", "" },
        { "/.env", "/.env", "env" },
        { "/a.b/", "/a.b/", NULL },
        { "*", "*", NULL },
        { "a.png", "a.png", "png" },
        { "?a.b", "", NULL },
        { "", "", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct span extension = target_extension(span_str(rows[i].target));
        EXPECT_EQ_STR(target_path(span_str(rows[i].target)), rows[i].path);
        EXPECT((extension.ptr == NULL) == (rows[i].extension == NULL));
        if (rows[i].extension != NULL)
            EXPECT_EQ_STR(extension, rows[i].extension);
    }
    EXPECT(target_path(SPAN_NULL).ptr == NULL);
    EXPECT(target_extension(SPAN_NULL).ptr == NULL);
}

static void
the_first_parameter_of_a_name_has_the_value(void)
{
    struct span target = S("/a?x=1&y&x=2&z=%41+b&=e&&xx=3&a=b=c");
    EXPECT_EQ_STR(target_parameter(target, S("x")), "1");
    EXPECT_EQ_STR(target_parameter(target, S("y")), "");      /* without "=": there, and empty */
    EXPECT_EQ_STR(target_parameter(target, S("z")), "%41+b"); /* nothing is decoded */
    EXPECT_EQ_STR(target_parameter(target, S("")), "e");      /* not the empty pair between "&&" */
    EXPECT_EQ_STR(target_parameter(target, S("xx")), "3");
    EXPECT_EQ_STR(target_parameter(target, S("a")), "b=c");
    EXPECT(target_parameter(target, S("a=b")).ptr == NULL); /* the name ends at the first "=" */
    EXPECT(target_parameter(target, S("X")).ptr == NULL);
    EXPECT(target_parameter(target, S("x=1&y")).ptr == NULL);
    EXPECT(target_parameter(S("/x=1"), S("x")).ptr == NULL);
    EXPECT(target_has(target, S("w\0z")) && target_has(target, S("w\0x*")) && target_has(target, S("")));
    EXPECT(!target_has(target, S("w\0X")) && !target_has(S("/x=1"), S("x")) &&
           !target_has(SPAN_NULL, S("*")));
    EXPECT_EQ_STR(target_parameter(S("/?a?x=1&b"), S("a?x")), "1");
}

static void
a_cookie_has_no_blanks_around_it(void)
{
    struct span header = S(" a=1;b = 2 ;\tc=\"x y\"; d ;a=3");
    EXPECT_EQ_STR(pairs_value(&pairs_cookie, header, S("a")), "1");
    EXPECT_EQ_STR(pairs_value(&pairs_cookie, header, S("b ")), " 2");
    EXPECT_EQ_STR(pairs_value(&pairs_cookie, header, S("c")), "\"x y\"");
    EXPECT_EQ_STR(pairs_value(&pairs_cookie, header, S("d")), "");
    EXPECT(pairs_value(&pairs_cookie, header, S("b")).ptr == NULL);
    EXPECT(pairs_value(&pairs_cookie, header, S("d ")).ptr == NULL);
    EXPECT(pairs_value(&pairs_cookie, SPAN_NULL, S("a")).ptr == NULL);
    EXPECT(pairs_has(&pairs_cookie, header, S("x\0d")) && !pairs_has(&pairs_cookie, header, S("b\0x")));
}

static void
a_star_at_an_end_of_a_pattern_stands_for_any_bytes(void)
{
    EXPECT(pairs_name_matches(S("a\0utm_*"), S("utm_source")));
    EXPECT(pairs_name_matches(S("a\0utm_*"), S("utm_")));
    EXPECT(pairs_name_matches(S("a\0utm_*"), S("a")));
    EXPECT(!pairs_name_matches(S("a\0utm_*"), S("ab")));
    EXPECT(!pairs_name_matches(S("a\0utm_*"), S("UTM_x")));
    EXPECT(pairs_name_matches(S("*_id"), S("x_id")));
    EXPECT(!pairs_name_matches(S("*_id"), S("x_ids")));
    EXPECT(pairs_name_matches(S("*_*"), S("a_b")));
    EXPECT(pairs_name_matches(S("*"), S("")));
    EXPECT(pairs_name_matches(S("**"), S("a")));
    EXPECT(!pairs_name_matches(S("a*b"), S("axb"))); /* a star in the middle is a byte */
    EXPECT(pairs_name_matches(S("a*b"), S("a*b")));
    EXPECT(pairs_name_matches(S("a\0"), S("")));
    EXPECT(!pairs_name_matches(SPAN_NULL, S("")));
}

static struct arena arena;

static struct span
removed(const char *target, struct span patterns)
{
    return target_select(span_str(target), patterns, false, &arena);
}

static void
parameters_are_removed_and_kept(void)
{
    struct span utm = S("utm_*\0gclid");
    EXPECT_EQ_STR(removed("/a?utm_x=1&b=2&gclid&c=3", utm), "/a?b=2&c=3");
    EXPECT_EQ_STR(removed("/a?b=2&utm_x=1&utm_y", utm), "/a?b=2");
    EXPECT_EQ_STR(removed("/a?utm_x=1&gclid=2", utm), "/a"); /* nothing is left of the query */
    EXPECT_EQ_STR(removed("/a?utm_x=1", utm), "/a");         /* the only one */
    EXPECT_EQ_STR(removed("/a?u=utm_x", utm), "/a?u=utm_x");
    EXPECT_EQ_STR(removed("/a?=1", S("b\0")), "/a"); /* without a name, as the second pattern */
    EXPECT_EQ_STR(removed("/a?b1", S("\0*1")), "/a");
    EXPECT_EQ_STR(removed("/a?b*", S("b\0a*")), "/a?b*");
    EXPECT_EQ_STR(removed("/a?", utm), "/a");
    EXPECT_EQ_STR(removed("/a?&&", utm), "/a");
    EXPECT_EQ_STR(removed("/a?&b=2&&c", utm), "/a?b=2&c"); /* empty pairs go */
    EXPECT_EQ_STR(removed("/utm_x=1&b", utm), "/utm_x=1&b");
    EXPECT_EQ_STR(target_select(S("/a?utm_x=1&b=2&gclid&c=3"), utm, true, &arena), "/a?utm_x=1&gclid");
    EXPECT_EQ_STR(target_select(S("/a?b=2"), utm, true, &arena), "/a");
    arena_release(&arena);
}

/* The first patterns of a list are kept apart from the others. */
static void
every_pattern_of_a_long_list_counts(void)
{
    char patterns[40 * 3];
    for (int i = 0; i < 40; i++)
        memcpy(patterns + 3 * i, (char[]){ 'a', (char)('A' + i), '\0' }, 3);
    struct span all = span_of(patterns, sizeof patterns - 1);
    EXPECT_EQ_STR(removed("/?aA&b&a`&aX&ah&ai", all), "/?b&ai"); /* "ah" is the last: 'A' + 39 */
    EXPECT_EQ_STR(target_select(S("/?aA&b&ah"), all, true, &arena), "/?aA&ah");
    arena_release(&arena);
}

static void
cookies_are_removed_and_kept(void)
{
    size_t n;
    struct span header = S("_ga=1; a=2;b=3 ;; _gid=4");
    EXPECT_EQ_STR(pairs_select(&pairs_cookie, header, 0, S("_*"), false, &arena, &n), "a=2; b=3");
    EXPECT_EQ_INT(n, 2);
    EXPECT_EQ_STR(pairs_select(&pairs_cookie, header, 0, S("_*"), true, &arena, &n), "_ga=1; _gid=4");
    (void)pairs_select(&pairs_cookie, header, 0, S("*"), false, &arena, &n);
    EXPECT_EQ_INT(n, 0);
    arena_release(&arena);
}

/* The same bytes come back if all stay, and a part of them if only the end goes. */
static void
an_edit_copies_only_what_moves(void)
{
    struct arena none;
    size_t n;
    arena_init(&none, 1); /* no piece fits */
    struct span target = S("/a?b=1&b=0&c"), cookie = S("a=1; b=2; c=3");
    EXPECT(target_select(target, S("d"), false, &none).ptr == target.ptr);
    EXPECT_EQ_INT(target_select(target, S("d"), false, &none).len, target.len);
    EXPECT(target_sort(target, &none).ptr == target.ptr);
    EXPECT_EQ_STR(target_sort(S("/a?b"), &none), "/a?b");
    EXPECT_EQ_STR(target_select(S("/a?b=1"), S("b"), true, &none), "/a?b=1");
    EXPECT(target_select(target, S("c"), false, &none).ptr == target.ptr);
    EXPECT_EQ_STR(target_select(target, S("c"), false, &none), "/a?b=1&b=0");
    EXPECT_EQ_STR(pairs_select(&pairs_cookie, cookie, 0, S("x"), false, &none, &n), "a=1; b=2; c=3");
    EXPECT_EQ_STR(pairs_select(&pairs_cookie, cookie, 0, S("a\0b"), true, &none, &n), "a=1; b=2");
    EXPECT(!none.overflowed);
    EXPECT(target_select(target, S("b"), false, &none).ptr == NULL); /* "c" would have to move */
    EXPECT(target_sort(S("/?b&a"), &none).ptr == NULL);
    arena_release(&none);
}

static void
parameters_are_sorted_by_name_alone(void)
{
    EXPECT_EQ_STR(target_sort(S("/?b=1&a=2"), &arena), "/?a=2&b=1");
    EXPECT_EQ_STR(target_sort(S("/?b=2&a&b=1&ab=0"), &arena), "/?a&ab=0&b=2&b=1"); /* the two "b" in order */
    EXPECT_EQ_STR(target_sort(S("/?b&&a"), &arena), "/?a&b");
    EXPECT_EQ_STR(target_sort(S("/?a-=1&a=2"), &arena),
                  "/?a=2&a-=1"); /* "-" is before "=", "a" before both */
    EXPECT_EQ_STR(target_sort(S("/?\xff&B&a"), &arena), "/?B&a&\xff");
    EXPECT_EQ_STR(target_sort(S("/?&"), &arena), "/");
    EXPECT_EQ_STR(target_sort(S("/?c=1&=2&c&b"), &arena), "/?=2&b&c=1&c"); /* an empty name is the first */
    EXPECT_EQ_STR(target_sort(S("/a"), &arena), "/a");
    arena_release(&arena);
}

static void
long_lists_are_sorted_too(void)
{
    char target[601], wanted[601], *t = target, *w = wanted;
    for (int i = 0; i < 100; i++) { /* ten times the names j to a become ten times a, then ten times b ... */
        t += sprintf(t, "%c%c=%d", i == 0 ? '?' : '&', 'j' - i % 10, i / 10);
        w += sprintf(w, "%c%c=%d", i == 0 ? '?' : '&', 'a' + i / 10, i % 10);
    }
    EXPECT_EQ_STR(target_sort(span_str(target), &arena), wanted);
    arena_release(&arena);
}

static void
directives_have_values(void)
{
    struct span field = S("public, Max-Age = 60, private=\"a, b\", x=\"\", max-age=1, y=\"z");
    EXPECT_EQ_STR(cache_control_value(field, S("max-age")), "60"); /* the first of two */
    EXPECT_EQ_STR(cache_control_value(field, S("PUBLIC")), "");
    EXPECT_EQ_STR(cache_control_value(field, S("private")), "a, b");
    EXPECT_EQ_STR(cache_control_value(field, S("x")), "");
    EXPECT_EQ_STR(cache_control_value(field, S("y")), "\"z");
    EXPECT(cache_control_value(field, S("b")).ptr == NULL);
    EXPECT(cache_control_value(SPAN_NULL, S("b")).ptr == NULL);
    EXPECT(cache_control_has(field, S("b\0PUBLIC")) && !cache_control_has(field, S("b\0publi")));
    EXPECT(!cache_control_has(SPAN_NULL, S("b")));
}

static const struct test tests[] = {
    { "a_target_has_a_path_and_an_extension", a_target_has_a_path_and_an_extension },
    { "the_first_parameter_of_a_name_has_the_value", the_first_parameter_of_a_name_has_the_value },
    { "a_cookie_has_no_blanks_around_it", a_cookie_has_no_blanks_around_it },
    { "a_star_at_an_end_of_a_pattern_stands_for_any_bytes",
      a_star_at_an_end_of_a_pattern_stands_for_any_bytes },
    { "parameters_are_removed_and_kept", parameters_are_removed_and_kept },
    { "every_pattern_of_a_long_list_counts", every_pattern_of_a_long_list_counts },
    { "cookies_are_removed_and_kept", cookies_are_removed_and_kept },
    { "an_edit_copies_only_what_moves", an_edit_copies_only_what_moves },
    { "parameters_are_sorted_by_name_alone", parameters_are_sorted_by_name_alone },
    { "long_lists_are_sorted_too", long_lists_are_sorted_too },
    { "directives_have_values", directives_have_values },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
