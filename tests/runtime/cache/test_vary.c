/* Keys, and the secondary key made from Vary (RFC 9111, 4.1). */
#include "fixture.h"

#include "base/params.h"
#include "cache/head_image.h"
#include "cache/vary.h"
#include "http/fields.h"

static struct arena arena;

static struct span
spec_of(const struct http_message *resp, const struct http_message *req)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < resp->n_fields; i++)
        bytes += resp->fields[i].id == NAME_VARY ? vary_pack(resp->fields[i].value, req, NULL) : 0;
    char *spec = arena_alloc(&arena, bytes + 1), *at = spec;
    for (unsigned i = 0; i < resp->n_fields; i++)
        at += resp->fields[i].id == NAME_VARY ? vary_pack(resp->fields[i].value, req, at) : 0;
    return span_of(spec, bytes);
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

static bool
is_star(const struct http_message *resp)
{
    struct image_plan plan;
    CHECK(image_plan(resp, REQUEST("Foo", "1"), &plan) == 0);
    EXPECT(!plan.vary_any || plan.vary_bytes == 0);
    return plan.vary_any;
}

static void
a_star_anywhere_is_a_star(void)
{
    static const char *const stars[] = { "*", "*, *", ", *", "*, Foo", "Foo, *" };
    for (unsigned i = 0; i < sizeof stars / sizeof *stars; i++)
        EXPECT(is_star(VARY(stars[i])));
    EXPECT(is_star(response(&arena, 200, "Vary", "", "Vary", "*", NULL)));
    EXPECT(!is_star(VARY("Fo*o")));
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

/* ---- marks ---- */

static struct digest_secret secret;

static struct vary_marks
marks_of(struct span spec, const struct http_message *req)
{
    struct vary_marks m;
    vary_mark_request(&secret, spec, req, &m);
    return m;
}

static struct vary_marks
stored_marks(struct span spec, const char *language)
{
    struct vary_marks m;
    vary_mark_stored(&secret, spec, language == NULL ? SPAN_NULL : span_str(language), &m);
    return m;
}

/* Whether the marks of a response for request a, in `language`, agree with those of request b. */
static bool
agrees(const char *names, const struct http_message *a, const char *language, const struct http_message *b,
       bool by_meaning)
{
    struct span spec = spec_of(VARY(names), a);
    struct vary_marks stored = stored_marks(spec, language), asked = marks_of(spec, b);
    return vary_marks_agree(&stored, &asked, by_meaning);
}

static void
marks_differ_where_values_differ(void)
{
    EXPECT(agrees("Foo", REQUEST("Foo", "1, 2"), NULL, REQUEST("Foo", "1", "Foo", " 2"), false));
    EXPECT(!agrees("Foo", REQUEST("Foo", "1"), NULL, REQUEST("Foo", "2"), false));
    EXPECT(!agrees("Foo", REQUEST("Foo", ""), NULL, REQUEST("X", "1"), false));
    EXPECT(agrees("Foo", REQUEST("X", "2"), NULL, REQUEST("X", "1"), false));
    EXPECT(
        !agrees("Foo, Bar", REQUEST("Foo", "1", "Bar", "2"), NULL, REQUEST("Foo", "2", "Bar", "1"), false));
    EXPECT(!agrees("Foo, Bar", REQUEST("Foo", "12"), NULL, REQUEST("Foo", "1", "Bar", "2"), false));
    struct vary_marks foo = marks_of(spec_of(VARY("Foo"), REQUEST("Foo", "1")), REQUEST("Foo", "1"));
    struct vary_marks bar = marks_of(spec_of(VARY("Bar"), REQUEST("Bar", "1")), REQUEST("Bar", "1"));
    EXPECT(!vary_marks_agree(&foo, &bar, false));
}

static void
marks_of_codings_count_unless_the_delivery_meets_them(void)
{
    bool before = params.http_gzip_support;
    struct http_message *gzip = REQUEST("Accept-Encoding", "gzip"), *br = REQUEST("Accept-Encoding", "br");
    params.http_gzip_support = true;
    EXPECT(agrees("Accept-Encoding", gzip, NULL, br, false));
    params.http_gzip_support = false;
    EXPECT(!agrees("Accept-Encoding", gzip, NULL, br, false));
    params.http_gzip_support = before;
}

static void
marks_of_languages_agree_by_meaning_on_demand(void)
{
    struct http_message *a = REQUEST("Accept-Language", "en;q=0.5, de, de");
    struct http_message *b = REQUEST("Accept-Language", "DE, en;q=0.5"),
                        *de = REQUEST("Accept-Language", "de");
    EXPECT(agrees("Accept-Language", a, NULL, b, true));
    EXPECT(!agrees("Accept-Language", a, NULL, b, false));
    EXPECT(agrees("Accept-Language", a, "De ", de, true));
    EXPECT(!agrees("Accept-Language", a, "en", de, true));
    EXPECT(!agrees("Accept-Language", a, NULL, de, true));
    EXPECT(!agrees("Accept-Language", REQUEST(), NULL, REQUEST("Accept-Language", ""), true));
}

static unsigned
drawn(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Up to three lines of each of three fields, from few pieces, so that many requests are equal in their normal
 * form; some values are longer than what is hashed at once. */
static struct http_message *
drawn_request(unsigned *state)
{
    static const char *const names[] = { "Foo", "Accept-Language", "accept-encoding" };
    static const char *const pieces[] = { "de", "DE", ";q=0.5", ",", " , ", "\t", "\"A, b\"", "en", "\\" };
    struct http_message *m = REQUEST();
    for (unsigned i = drawn(state, 4); i > 0; i--) {
        char text[2048] = "";
        unsigned n = drawn(state, 5) == 0 ? 300 : drawn(state, 4), same = drawn(state, 9);
        for (unsigned k = 0; k < n; k++)
            strcat(text, pieces[n > 4 ? same : drawn(state, 9)]);
        CHECK(message_add(m, NAME_NONE, span_str(names[drawn(state, 3)]),
                          arena_copy(&arena, span_trim(span_str(text)))) == 0);
    }
    return m;
}

static void
marks_agree_wherever_the_values_match(void)
{
    static const char *const lists[] = { "Foo", "Foo, Accept-Language", "Accept-Encoding, foo",
                                         "Accept-Language" };
    bool before = params.http_gzip_support;
    unsigned state = 7, matched = 0, disagreed = 0;
    for (unsigned i = 0; i < 20000; i++) {
        struct http_message *a = drawn_request(&state), *b = drawn_request(&state);
        struct span spec = spec_of(VARY(lists[drawn(&state, 4)]), a);
        const char *language = drawn(&state, 2) == 0 ? "de" : NULL;
        params.http_gzip_support = drawn(&state, 2) == 0;
        struct vary_marks stored = stored_marks(spec, language), asked = marks_of(spec, b);
        bool same = vary_matches(spec, b);
        bool meant = vary_matches_meaning(spec, b, language == NULL ? SPAN_NULL : span_str(language));
        EXPECT(!same || vary_marks_agree(&stored, &asked, false));
        EXPECT(!meant || vary_marks_agree(&stored, &asked, true));
        matched += same;
        disagreed += !vary_marks_agree(&stored, &asked, true);
        EXPECT(same || !vary_marks_agree(&stored, &asked, false)); /* 32 bits tell these few apart */
        if (i % 100 == 0) {
            arena_release(&arena);
            arena_init(&arena, 0);
        }
    }
    EXPECT(matched > 1000 && disagreed > 1000);
    params.http_gzip_support = before;
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
    { "marks_differ_where_values_differ", marks_differ_where_values_differ },
    { "marks_of_codings_count_unless_the_delivery_meets_them",
      marks_of_codings_count_unless_the_delivery_meets_them },
    { "marks_of_languages_agree_by_meaning_on_demand", marks_of_languages_agree_by_meaning_on_demand },
    { "marks_agree_wherever_the_values_match", marks_agree_wherever_the_values_match },
    { "pieces_of_a_key_do_not_run_together", pieces_of_a_key_do_not_run_together },
    { "a_key_over_its_limit_fails_for_good", a_key_over_its_limit_fails_for_good },
    { "a_key_fails_when_its_arena_is_full", a_key_fails_when_its_arena_is_full },
    { "the_digest_is_sha_256_of_the_pieces", the_digest_is_sha_256_of_the_pieces },
};

int
main(int argc, char **argv)
{
    uint8_t seed[DIGEST_SEED_BYTES] = { 1 };
    names_init();
    arena_init(&arena, 0);
    digest_secret_make(seed, DIGEST_OF_KEYS, &secret);
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    mem_thread_release();
    return status;
}
