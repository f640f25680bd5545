/* Keys, and the secondary key made from Vary (RFC 9111, 4.1). */
#include "fixture.h"

#include "cache/vary.h"

static struct arena arena;

static struct span
spec_of(const struct http_message *resp, const struct http_message *req)
{
    struct span spec;
    CHECK(vary_build(resp, req, &arena, &spec) == 0);
    return spec;
}

#define REQUEST(...) request(&arena, ##__VA_ARGS__, NULL)
#define VARY(names) response(&arena, 200, "Vary", names, NULL)

/* Whether a response for request a that varies on `names` also serves request b. */
#define SERVES(names, a, b) vary_matches(spec_of(VARY(names), (a)), (b))

static void
selecting_fields_must_agree(void)
{
    EXPECT(SERVES("Foo", REQUEST("Foo", "1"), REQUEST("Foo", "1")));
    EXPECT(SERVES("foo", REQUEST("Foo", "1"), REQUEST("FOO", "1")));
    EXPECT(!SERVES("Foo", REQUEST("Foo", "1"), REQUEST("Foo", "2")));
    EXPECT(!SERVES("Foo", REQUEST("Foo", "1"), REQUEST("Foo", "12")));
    EXPECT(!SERVES("Foo", REQUEST("Foo", "12"), REQUEST("Foo", "1")));
    EXPECT(SERVES("Foo", REQUEST("Bar", "1"), REQUEST("Bar", "2")));
}

static void
absent_agrees_with_absent_only(void)
{
    EXPECT(SERVES("Foo", REQUEST("X", "1"), REQUEST("X", "1")));
    EXPECT(!SERVES("Foo", REQUEST("Foo", "1"), REQUEST("X", "1")));
    EXPECT(!SERVES("Foo", REQUEST("X", "1"), REQUEST("Foo", "1")));
    EXPECT(!SERVES("Foo", REQUEST("X", "1"), REQUEST("Foo", "")));
    EXPECT(SERVES("Foo", REQUEST("Foo", ""), REQUEST("Foo", "")));
}

static void
all_of_several_fields_count(void)
{
    struct http_message *stored = REQUEST("Foo", "1", "Bar", "abc", "Baz", "789");
    EXPECT(SERVES("Foo, Bar, Baz", stored, REQUEST("Baz", "789", "Bar", "abc", "Foo", "1")));
    EXPECT(!SERVES("Foo, Bar, Baz", stored, REQUEST("Foo", "1", "Bar", "abc", "Baz", "788")));
    EXPECT(!SERVES("Foo, Bar, Baz", stored, REQUEST("Foo", "1", "Baz", "789")));
    struct http_message *two_lines = response(&arena, 200, "Vary", "Foo", "Vary", "Bar", NULL);
    EXPECT(!vary_matches(spec_of(two_lines, stored), REQUEST("Foo", "1", "Bar", "abd")));
    EXPECT(vary_matches(spec_of(two_lines, stored), REQUEST("Foo", "1", "Bar", "abc", "Baz", "0")));
}

static void
two_lines_equal_one_joined_line_whatever_the_blank_space(void)
{
    EXPECT(SERVES("Foo", REQUEST("Foo", "1, 2"), REQUEST("Foo", "1", "Foo", "2")));
    EXPECT(SERVES("Foo", REQUEST("Foo", "1,2"), REQUEST("Foo", " 1 ,\t2 ")));
    EXPECT(!SERVES("Foo", REQUEST("Foo", "1 2"), REQUEST("Foo", "12")));
    EXPECT(!SERVES("Foo", REQUEST("Foo", "\"a , b\""), REQUEST("Foo", "\"a,b\"")));
    EXPECT(!SERVES("Foo", REQUEST("Foo", "1, 2"), REQUEST("Foo", "2, 1")));
}

static void
letter_case_counts_except_for_codings_and_languages(void)
{
    EXPECT(!SERVES("Foo", REQUEST("Foo", "a"), REQUEST("Foo", "A")));
    EXPECT(SERVES("Accept-Encoding", REQUEST("Accept-Encoding", "GZip"), REQUEST("Accept-Encoding", "gzip")));
    EXPECT(
        SERVES("Accept-Language", REQUEST("Accept-Language", "en-US"), REQUEST("Accept-Language", "en-us")));
}

static void
a_star_anywhere_is_a_star(void)
{
    struct span spec;
    static const char *const stars[] = { "*", "*, *", ", *", "*, Foo", "Foo, *" };
    for (unsigned i = 0; i < sizeof stars / sizeof *stars; i++)
        EXPECT_EQ_INT(vary_build(VARY(stars[i]), REQUEST("Foo", "1"), &arena, &spec), ERR_LIMIT);
    struct http_message *lines = response(&arena, 200, "Vary", "", "Vary", "*", NULL);
    EXPECT_EQ_INT(vary_build(lines, REQUEST("Foo", "1"), &arena, &spec), ERR_LIMIT);
    EXPECT_EQ_INT(vary_build(VARY("Fo*o"), REQUEST("Foo", "1"), &arena, &spec), 0);
}

static void
no_vary_makes_an_empty_spec(void)
{
    EXPECT_EQ_INT(spec_of(response(&arena, 200, NULL), REQUEST("Foo", "1")).len, 0);
    EXPECT_EQ_INT(spec_of(VARY(" , "), REQUEST("Foo", "1")).len, 0);
}

static void
a_field_interned_after_storing_still_selects(void)
{
    name_id id;
    struct http_message *stored = REQUEST("X-Interned-Afterwards", "1");
    struct span spec = spec_of(VARY("x-interned-afterwards"), stored);
    CHECK(name_intern(SPAN_LIT("X-Interned-Afterwards"), &id) == 0);
    EXPECT(vary_matches(spec, REQUEST("X-Interned-Afterwards", "1")));
    EXPECT(!vary_matches(spec, REQUEST("X-Interned-Afterwards", "2")));
    EXPECT(vary_matches(spec, stored));
}

/* ---- keys ---- */

static void
pieces_of_a_key_do_not_run_together(void)
{
    struct cache_key a = { 0 }, b = { 0 };
    key_add(&a, &arena, SPAN_LIT("ab"));
    key_add(&a, &arena, SPAN_LIT("c"));
    key_add(&b, &arena, SPAN_LIT("a"));
    key_add(&b, &arena, SPAN_LIT("bc"));
    EXPECT_EQ_INT(a.len, b.len);
    EXPECT(memcmp(a.bytes, b.bytes, a.len) != 0);
    EXPECT(key_hash(&a) != key_hash(&b));
    EXPECT(key_hash(&a) == key_hash(&a));
}

static void
a_key_over_its_limit_fails_for_good(void)
{
    static char text[KEY_BYTES_MAX];
    struct cache_key k = { 0 };
    key_add(&k, &arena, span_of(text, KEY_BYTES_MAX - 1));
    EXPECT(!k.failed);
    EXPECT_EQ_INT(k.len, KEY_BYTES_MAX);
    key_add(&k, &arena, SPAN_LIT(""));
    EXPECT(k.failed);
    struct cache_key huge = { 0 };
    key_add(&huge, &arena, span_of(text, KEY_BYTES_MAX));
    EXPECT(huge.failed);
    key_add(&huge, &arena, SPAN_LIT("a"));
    EXPECT(huge.failed);
}

static void
a_key_fails_when_its_arena_is_full(void)
{
    struct arena small;
    struct cache_key k = { 0 };
    arena_init(&small, 1);
    key_add(&k, &small, SPAN_LIT("a"));
    EXPECT(k.failed);
    arena_release(&small);
}

static void
the_digest_is_sha_256_of_the_pieces(void)
{
    struct cache_key empty = { 0 }, a = { 0 };
    uint8_t out[32];
    static const uint8_t of_nothing[] = { 0xe3, 0xb0, 0xc4, 0x42 }, of_a_nul[] = { 0xff, 0xe9, 0xaa, 0xea };
    key_digest(&empty, out);
    EXPECT(memcmp(out, of_nothing, sizeof of_nothing) == 0);
    key_add(&a, &arena, SPAN_LIT("a"));
    key_digest(&a, out);
    EXPECT(memcmp(out, of_a_nul, sizeof of_a_nul) == 0);
}

static const struct test tests[] = {
    { "selecting_fields_must_agree", selecting_fields_must_agree },
    { "absent_agrees_with_absent_only", absent_agrees_with_absent_only },
    { "all_of_several_fields_count", all_of_several_fields_count },
    { "two_lines_equal_one_joined_line_whatever_the_blank_space",
      two_lines_equal_one_joined_line_whatever_the_blank_space },
    { "letter_case_counts_except_for_codings_and_languages",
      letter_case_counts_except_for_codings_and_languages },
    { "a_star_anywhere_is_a_star", a_star_anywhere_is_a_star },
    { "no_vary_makes_an_empty_spec", no_vary_makes_an_empty_spec },
    { "a_field_interned_after_storing_still_selects", a_field_interned_after_storing_still_selects },
    { "pieces_of_a_key_do_not_run_together", pieces_of_a_key_do_not_run_together },
    { "a_key_over_its_limit_fails_for_good", a_key_over_its_limit_fails_for_good },
    { "a_key_fails_when_its_arena_is_full", a_key_fails_when_its_arena_is_full },
    { "the_digest_is_sha_256_of_the_pieces", the_digest_is_sha_256_of_the_pieces },
};

int
main(int argc, char **argv)
{
    names_init();
    arena_init(&arena, 0);
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    mem_thread_release();
    return status;
}
