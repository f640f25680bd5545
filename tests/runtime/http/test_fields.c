/* Field values: lists, numbers, Cache-Control, entity tags, ranges. */
#include <regex.h>

#include "base/check.h"
#include "http/cache_control.h"
#include "http/chars.h"
#include "http/fields.h"
#include "http/range_set.h"
#include "test.h"

/* Items joined by '|'. */
static struct span
items_of(const char *list, char out[256])
{
    struct span rest = span_str(list), item;
    size_t n = 0;
    while (list_next(&rest, &item)) {
        memcpy(out + n, item.ptr, item.len);
        n += item.len;
        out[n++] = '|';
    }
    return span_of(out, n);
}

static void
lists_are_split_at_commas_outside_of_quotes(void)
{
    char out[256];
    EXPECT_EQ_STR(items_of("a, b ,c", out), "a|b|c|");
    EXPECT_EQ_STR(items_of(" , ,\t,", out), "");
    EXPECT_EQ_STR(items_of("", out), "");
    EXPECT_EQ_STR(items_of("a=\"x, y\", b", out), "a=\"x, y\"|b|");
    EXPECT_EQ_STR(items_of("a=\"x\\\", y\", b", out), "a=\"x\\\", y\"|b|");
    EXPECT_EQ_STR(items_of("a=\"x, b", out), "a=\"x|b|"); /* an unclosed quote hides nothing */
    EXPECT_EQ_STR(items_of("a=\"x\\\", b\\\", c", out), "a=\"x\\\"|b\\\"|c|");
    struct span unset = SPAN_NULL, item;
    EXPECT(!list_next(&unset, &item));
}

static void
tokens_of_a_list(void)
{
    EXPECT(list_has_token(SPAN_LIT("gzip;q=0.5, Chunked"), SPAN_LIT("chunked")));
    EXPECT(list_has_token(SPAN_LIT("gzip ;q=0.5"), SPAN_LIT("GZIP")));
    EXPECT(!list_has_token(SPAN_LIT("xchunked, chunkedx"), SPAN_LIT("chunked")));
    EXPECT(!list_has_token(SPAN_NULL, SPAN_LIT("chunked")));
    EXPECT(is_token(SPAN_LIT("X-a_1")));
    EXPECT(!is_token(SPAN_LIT("")));
    EXPECT(!is_token(SPAN_NULL));
    EXPECT(!is_token(SPAN_LIT("a b")));
}

static void
numbers(void)
{
    uint64_t n = 7;
    EXPECT_EQ_INT(parse_uint(SPAN_LIT("0"), &n), 0);
    EXPECT_EQ_INT(n, 0);
    EXPECT_EQ_INT(parse_uint(SPAN_LIT("18446744073709551615"), &n), 0);
    EXPECT(n == UINT64_MAX);
    EXPECT_EQ_INT(parse_uint(SPAN_LIT("18446744073709551616"), &n), ERR_LIMIT);
    EXPECT_EQ_INT(parse_uint(SPAN_LIT("99999999999999999999x"), &n), ERR_SYNTAX);
    EXPECT_EQ_INT(parse_uint(SPAN_LIT(""), &n), ERR_SYNTAX);
    EXPECT_EQ_INT(parse_uint(SPAN_NULL, &n), ERR_SYNTAX);
    EXPECT_EQ_INT(parse_uint(SPAN_LIT(" 1"), &n), ERR_SYNTAX);
    EXPECT_EQ_INT(parse_uint(SPAN_LIT("+1"), &n), ERR_SYNTAX);
    EXPECT(n == UINT64_MAX); /* failures leave it unchanged */
}

static void
delta_seconds_saturate(void)
{
    int64_t s = 0;
    EXPECT_EQ_INT(parse_delta_seconds(SPAN_LIT("2147483647"), &s), 0);
    EXPECT_EQ_INT(s, 2147483647);
    EXPECT_EQ_INT(parse_delta_seconds(SPAN_LIT("2147483649"), &s), 0);
    EXPECT_EQ_INT(s, 2147483648);
    EXPECT_EQ_INT(parse_delta_seconds(SPAN_LIT("99999999999999999999999"), &s), 0);
    EXPECT_EQ_INT(s, 2147483648);
    EXPECT_EQ_INT(parse_delta_seconds(SPAN_LIT("\"60\""), &s), 0);
    EXPECT_EQ_INT(s, 60);
    EXPECT_EQ_INT(parse_delta_seconds(SPAN_LIT("-1"), &s), ERR_SYNTAX);
    EXPECT_EQ_INT(parse_delta_seconds(SPAN_LIT("1.5"), &s), ERR_SYNTAX);
    EXPECT_EQ_INT(parse_delta_seconds(SPAN_LIT("\""), &s), ERR_SYNTAX);
}

static struct cache_control
cache_control_of(const char *one, const char *two)
{
    struct arena arena;
    struct http_message m;
    struct cache_control cc;
    arena_init(&arena, 0);
    CHECK(message_init(&m, &arena, 4) == 0);
    CHECK(message_add(&m, NAME_CACHE_CONTROL, SPAN_NULL, span_str(one)) == 0);
    CHECK(two == NULL || message_add(&m, NAME_CACHE_CONTROL, SPAN_NULL, span_str(two)) == 0);
    cache_control_parse(&m, &cc);
    arena_release(&arena);
    return cc;
}

static void
cache_control_directives(void)
{
    struct cache_control cc = cache_control_of("Max-Age=60, public", "s-maxage=\"30\",must-revalidate");
    EXPECT_EQ_INT(cc.max_age_s, 60);
    EXPECT_EQ_INT(cc.s_maxage_s, 30);
    EXPECT(cc.is_public && cc.must_revalidate);
    EXPECT(!cc.no_store && !cc.no_cache && !cc.is_private && !cc.proxy_revalidate);
    EXPECT_EQ_INT(cc.stale_while_revalidate_s, -1);
    cc = cache_control_of("private=\"set-cookie, x\", no-cache=\"y\", no-store, no-transform, only-if-cached",
                          NULL);
    EXPECT(cc.is_private && cc.no_cache && cc.no_store && cc.no_transform && cc.only_if_cached);
    cc = cache_control_of("stale-while-revalidate=5, stale-if-error=6, proxy-revalidate", NULL);
    EXPECT_EQ_INT(cc.stale_while_revalidate_s, 5);
    EXPECT_EQ_INT(cc.stale_if_error_s, 6);
    EXPECT(cc.proxy_revalidate);
}

static void
doubtful_cache_control_is_read_the_careful_way(void)
{
    EXPECT_EQ_INT(cache_control_of("max-age=60, max-age=10", NULL).max_age_s, 10);
    EXPECT_EQ_INT(cache_control_of("max-age=10", "max-age=60").max_age_s, 10);
    EXPECT_EQ_INT(cache_control_of("max-age", NULL).max_age_s, 0);
    EXPECT_EQ_INT(cache_control_of("max-age=", NULL).max_age_s, 0);
    EXPECT_EQ_INT(cache_control_of("max-age=-5", NULL).max_age_s, 0);
    EXPECT_EQ_INT(cache_control_of("max-age= 5", NULL).max_age_s, 5);
    EXPECT_EQ_INT(cache_control_of("max-age=99999999999999999999", NULL).max_age_s, 2147483648);
    EXPECT(cache_control_of("max-age=\"60, no-store", NULL).no_store);
    EXPECT(!cache_control_of("x-no-store, no-storey", NULL).no_store);
    EXPECT(!cache_control_of("community=\"a, no-store, b\"", NULL).no_store);
}

static bool
is_limited(const char *directives)
{
    return cache_control_of(directives, NULL).private_fields;
}

static void
field_lists_are_read_with_their_quoted_pairs(void)
{
    const struct span name = SPAN_LIT("X-User");
    static const char *const lists[] = { "private=\"X-User\"",        "private = \"X-User\"",
                                         "private=\"a, x-user , b\"", "private=\",X-User,\"",
                                         "private=\"X\\-Us\\er\"",    "private=\"a\\, X-User\"" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        EXPECT(is_limited(lists[i]));
        EXPECT(cache_control_names(span_str(lists[i]), name));
        EXPECT(!cache_control_names(span_str(lists[i]), SPAN_LIT("X-Use")));
        EXPECT(!cache_control_names(span_str(lists[i]), SPAN_LIT("X-Users")));
    }
}

static void
a_malformed_field_list_restricts_the_whole_response(void)
{
    static const char *const lists[] = {
        "\"X-User",
        "X-User\"",
        "\"X-User\\\"",
        "\"X\"User\"",
        "\"X User\"",
        "\"X-User;a\"",
        "X-User;a",
        "X-User",
        "\"\"",
        "\" , \"",
        "\"\\\"\"",
        "'X-User'",
        "\"'X-User'\"",
        "\"X-User\"a",
        "=\"X-User\"",
        "\"X-User'",
        "\"X-\x8e\"",
        "\"X-User\t",
        "",
        "\"",
        "\\X-User",
        "\"X:User\"",
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[64];
        for (const char *format = "private=%s\0no-cache=%s\0"; *format != '\0';
             format += strlen(format) + 1) {
            snprintf(text, sizeof text, format, lists[i]); /* NOLINT(clang-diagnostic-format-nonliteral) */
            struct cache_control cc = cache_control_of(text, NULL),
                                 both = cache_control_of("private=\"A\"", text);
            EXPECT(cc.is_private || cc.no_cache);
            EXPECT(!cc.private_fields && !cc.no_cache_fields);
            EXPECT(both.is_private && (*format == 'n' || !both.private_fields));
            EXPECT(!cache_control_names(span_str(text), SPAN_LIT("X-User")));
        }
    }
}

/* The grammar as a regular expression: a quoted list of tokens. */
static bool
is_field_list(const char *argument, regex_t *grammar)
{
    return regexec(grammar, argument, 0, NULL, 0) == 0;
}

#define NAME_BYTE "[A-Za-z0-9!#$%&*+.^_`|~-]"
#define NAMES "(\\\\?" NAME_BYTE ")+"
#define BLANKS "(\\\\?[ \t])*"

/* Deletes, replaces and inserts each byte of a list in turn. */
static void
damage_restricts_at_least_as_much(void)
{
    static const char list[] = "\"X-User, Set-Cookie\"", bytes[] = "\"\\,;'= \tA\x80()";
    regex_t grammar;
    const char *pattern = "^[ \t]*\"" BLANKS "((" NAMES ")?" BLANKS "\\\\?," BLANKS ")*(" NAMES ")?" BLANKS
                          "\"[ \t]*$";
    CHECK(regcomp(&grammar, pattern, REG_EXTENDED | REG_NOSUB) == 0);
    for (size_t at = 0; at + 1 < sizeof list; at++) {
        for (size_t i = 0; i < 3 * sizeof bytes; i++) {
            size_t skip = i / sizeof bytes != 0;
            char put = bytes[i % sizeof bytes], argument[64], text[128];
            snprintf(argument, sizeof argument, "%.*s%.*s%s", (int)at, list, i / sizeof bytes < 2, &put,
                     list + at + skip);
            snprintf(text, sizeof text, "private=%s, max-age=60, no-store", argument);
            struct cache_control cc = cache_control_of(text, NULL);
            EXPECT(cc.is_private && cc.no_store);
            if (cc.private_fields && !is_field_list(argument, &grammar))
                printf("<%s>\n", argument);
            EXPECT(!cc.private_fields || is_field_list(argument, &grammar));
        }
    }
    EXPECT(is_field_list("\"X-User, Set\\-Cookie\"", &grammar) && !is_field_list("\"X-User", &grammar));
    regfree(&grammar);
}

static void
a_malformed_directive_hides_no_restriction(void)
{
    EXPECT(cache_control_of("private=\"X-User, no-store", NULL).no_store);
    EXPECT(cache_control_of("no-cache=\"A, private, b=\"c\"", NULL).is_private);
    EXPECT(cache_control_of("no-cache=\"A", "private, ext=\"c\"").is_private);
    EXPECT(cache_control_of("max-age=\"60, private, x=\"y\"", NULL).is_private);
    EXPECT(!is_limited("private=\"A\", Set-Cookie\""));
    EXPECT(!is_limited("private=A, Set-Cookie"));
    EXPECT(cache_control_of("no-cache=\"A, private=\"B\", x=\"y\"", NULL).is_private);
    EXPECT(cache_control_of("no-store; max-age=60", NULL).no_store);
    EXPECT(cache_control_of("no-store=\"x\"", NULL).no_store);
    EXPECT(cache_control_of("private \"X-User\"", NULL).is_private);
    EXPECT(!is_limited("private \"X-User\"") && !is_limited("private: \"X-User\""));
    EXPECT(!cache_control_of("x=\"a, private, no-store\"", NULL).is_private);
    EXPECT(!cache_control_of("public; max-age=60", NULL).is_public);
    EXPECT(!cache_control_of("privately, no-stores", NULL).is_private);
}

static void
entity_tags(void)
{
    EXPECT(etag_weak_match(SPAN_LIT("\"a\""), SPAN_LIT("\"a\"")));
    EXPECT(etag_weak_match(SPAN_LIT("W/\"a\""), SPAN_LIT("\"a\"")));
    EXPECT(!etag_weak_match(SPAN_LIT("\"a\""), SPAN_LIT("\"A\"")));
    EXPECT(!etag_weak_match(SPAN_NULL, SPAN_NULL));
    EXPECT(etag_list_match(SPAN_LIT("\"x\", W/\"a\""), SPAN_LIT("\"a\"")));
    EXPECT(etag_list_match(SPAN_LIT("\"x\",\"a,b\""), SPAN_LIT("\"a,b\"")));
    EXPECT(
        etag_list_match(SPAN_LIT("\"x\\\",\"a\""), SPAN_LIT("\"a\""))); /* a backslash escapes nothing here */
    EXPECT(etag_list_match(SPAN_LIT(" * "), SPAN_LIT("\"a\"")));
    EXPECT(!etag_list_match(SPAN_LIT("\"*\""), SPAN_LIT("\"a\"")));
    EXPECT(!etag_list_match(SPAN_LIT("\"xa\", \"ax\""), SPAN_LIT("\"a\"")));
    EXPECT(!etag_list_match(SPAN_LIT("*"), SPAN_NULL));
    EXPECT(etag_list_match(SPAN_LIT("bare, \"a\""), SPAN_LIT("\"a\"")));
    EXPECT(etag_list_match(SPAN_LIT("bare"),
                           SPAN_LIT("bare"))); /* accepts etags of origins that forget the quotes */
    EXPECT(!etag_list_match(SPAN_LIT(",,\t,"), SPAN_LIT("\"a\"")));
    EXPECT(!etag_list_match(SPAN_LIT("\""), SPAN_LIT("\"a\"")));
}

static void
ranges(void)
{
    static const struct {
        const char *value;
        int64_t total;
        int result;
        uint64_t first, last;
    } rows[] = {
        { "bytes=0-0", 10, 1, 0, 0 },
        { "bytes=5-7", -1, 0, 0, 0 }, /* the total is not known yet */
        { "bytes=5-", -1, 0, 0, 0 },
        { "bytes=-5", -1, 0, 0, 0 },
        { "bytes=7-5", -1, ERR_LIMIT, 0, 0 },
        { "bytes=2-5", 10, 1, 2, 5 },
        { "bytes=5-", 10, 1, 5, 9 },
        { "bytes=5-99999999999999999999", 10, 1, 5, 9 },
        { "bytes=-3", 10, 1, 7, 9 },
        { "bytes=-30", 10, 1, 0, 9 },
        { "BYTES=1-2", 10, 1, 1, 2 },
        { "bytes=9-20", 10, 1, 9, 9 },
        { "bytes=10-", 10, ERR_LIMIT, 0, 0 },
        { "bytes=-0", 10, ERR_LIMIT, 0, 0 },
        { "bytes=0-0", 0, ERR_LIMIT, 0, 0 },
        { "bytes=-1", 0, ERR_LIMIT, 0, 0 },
        { "bytes=99999999999999999999-", 10, ERR_LIMIT, 0, 0 },
        { "bytes=99999999999999999999-5", 10, ERR_LIMIT, 0, 0 },
        { "bytes=5-2", 10, ERR_LIMIT, 0, 0 },
        { "bytes=", 10, ERR_LIMIT, 0, 0 },
        { "bytes=-", 10, ERR_LIMIT, 0, 0 },
        { "bytes=a-b", 10, ERR_LIMIT, 0, 0 },
        { "bytes=1", 10, ERR_LIMIT, 0, 0 },
        { "bytes=1-2-3", 10, ERR_LIMIT, 0, 0 },
        { "bytes=0-1,3-4", 10, 0, 0, 0 },
        { "bytes=+1-2", 10, ERR_LIMIT, 0, 0 },
        { "seconds=1-2", 10, 0, 0, 0 },
        { "bytes 0-1", 10, ERR_LIMIT, 0, 0 },
        { "", 10, ERR_LIMIT, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct byte_range r = { 0, 0 };
        if (!EXPECT_EQ_INT(range_parse(span_str(rows[i].value), rows[i].total, &r), rows[i].result) ||
            !EXPECT_EQ_INT(r.first, rows[i].first) || !EXPECT_EQ_INT(r.last, rows[i].last))
            fprintf(stderr, "  %s of %ju\n", rows[i].value, (uintmax_t)rows[i].total);
    }
}

static void
several_ranges(void)
{
    static const struct {
        const char *value;
        int64_t total;
        int result;
        const char *ranges;
    } rows[] = {
        { "bytes=0-0,5-9", 10, 2, "0-0 5-9 " },
        { " BYTES=5-9,0-0 ", 10, 2, "0-0 5-9 " },
        { "bytes=0-1,2-3,3-7", 10, 1, "0-7 " },
        { "bytes=4-8,0-9,5-6", 10, 1, "0-9 " },
        { "bytes=,0-0, ,-1,", 10, 2, "0-0 9-9 " },
        { "bytes=0-18446744073709551615,18446744073709551614-18446744073709551615", 10, 1, "0-9 " },
        { "bytes=0-1,20-", 10, 1, "0-1 " },
        { "bytes=10-,20-", 10, ERR_LIMIT, "" },
        { "bytes=0-,-1", 0, ERR_LIMIT, "" },
        { "bytes=0-1,4-5", -1, 0, "" },
        { "bytes=0-1,5-4", 10, 0, "" },
        { "bytes=0-0,2-2,4-4,6-6", 10, 0, "" }, /* more than three */
        { "bytes=,", 10, 0, "" },
        { "lines=0-1,4-5", 10, 0, "" },
        { "foo,bar", 10, ERR_LIMIT, "" }, /* a single range without a unit */
        { "bytes=3-4", 10, 1, "3-4 " },
        { "bytes=4-3", 10, ERR_LIMIT, "" },
        { "", 10, ERR_LIMIT, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct range_set s;
        char text[256] = "";
        int result = range_set_parse(span_str(rows[i].value), rows[i].total, 3, &s);
        for (unsigned k = 0, n = 0; result > 0 && k < s.n; k++)
            n += (unsigned)snprintf(text + n, sizeof text - n, "%ju-%ju ", (uintmax_t)s.ranges[k].first,
                                    (uintmax_t)s.ranges[k].last);
        if (!EXPECT_EQ_INT(result, rows[i].result) || !EXPECT(strcmp(text, rows[i].ranges) == 0))
            fprintf(stderr, "  %s: %s\n", rows[i].value, text);
    }
}

static void
wishes_are_ranges_of_no_known_content(void)
{
    static const struct {
        const char *value;
        int result;
        uint64_t first, last;
        bool suffix;
    } rows[] = {
        { "bytes=5-7", 1, 5, 7, false },         { "bytes=5-", 1, 5, UINT64_MAX, false },
        { "bytes=-5", 1, 0, 5, true },           { "bytes=-99999999999999999999", 1, 0, UINT64_MAX, true },
        { "bytes=0-1,4-5", 0, 0, 0, false },     { "lines=0-1", 0, 0, 0, false },
        { "bytes=7-5", ERR_LIMIT, 0, 0, false }, { "bytes=-0", ERR_LIMIT, 0, 0, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct range_wish w = { 0 };
        if (!EXPECT_EQ_INT(range_wish_parse(span_str(rows[i].value), &w), rows[i].result) ||
            !EXPECT_EQ_INT(w.bytes.first, rows[i].first) || !EXPECT_EQ_INT(w.bytes.last, rows[i].last) ||
            !EXPECT_EQ_INT(w.suffix, rows[i].suffix))
            fprintf(stderr, "  %s\n", rows[i].value);
    }
}

static void
content_ranges(void)
{
    static const struct {
        const char *value;
        int result;
        uint64_t first, last, total;
    } rows[] = {
        { "bytes 0-0/1", 0, 0, 0, 1 },
        { " Bytes 5-9/10 ", 0, 5, 9, 10 },
        { "bytes 5-10/10", ERR_SYNTAX, 0, 0, 0 },
        { "bytes 6-5/10", ERR_SYNTAX, 0, 0, 0 },
        { "bytes 5-9/*", ERR_SYNTAX, 0, 0, 0 },
        { "bytes */10", ERR_SYNTAX, 0, 0, 0 },
        { "bytes=5-9/10", ERR_SYNTAX, 0, 0, 0 },
        { "bytes 5-9", ERR_SYNTAX, 0, 0, 0 },
        { "bytes 5-9/10/11", ERR_SYNTAX, 0, 0, 0 },
        { "bytes 5-9/99999999999999999999", ERR_SYNTAX, 0, 0, 0 },
        { "lines 5-9/10", ERR_SYNTAX, 0, 0, 0 },
        { "bytes ", ERR_SYNTAX, 0, 0, 0 },
        { "", ERR_SYNTAX, 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct byte_range r;
        uint64_t total;
        int result = content_range_parse(span_str(rows[i].value), &r, &total);
        bool right = result == 0 && r.first == rows[i].first && r.last == rows[i].last &&
                     total == rows[i].total;
        if (!EXPECT_EQ_INT(result, rows[i].result) || !EXPECT(result != 0 || right))
            fprintf(stderr, "  %s\n", rows[i].value);
    }
    struct byte_range r;
    uint64_t total;
    EXPECT_EQ_INT(content_range_parse(SPAN_NULL, &r, &total), ERR_SYNTAX);
}

/* The classes of chars.c, against their definitions. */
static void
classes_of_bytes(void)
{
    for (int c = 0; c < 256; c++) {
        bool digit = c >= '0' && c <= '9', letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        EXPECT_EQ_INT(char_is((char)c, CHAR_DIGIT), digit);
        EXPECT_EQ_INT(char_is((char)c, CHAR_HEX), digit || (c != 0 && strchr("abcdefABCDEF", c) != NULL));
        EXPECT_EQ_INT(char_is((char)c, CHAR_TOKEN),
                      digit || letter || (c != 0 && strchr("!#$%&'*+-.^_`|~", c) != NULL));
        EXPECT_EQ_INT(char_is((char)c, CHAR_TARGET), c > 0x20 && c != 0x7f && c != '#');
        EXPECT_EQ_INT(char_is((char)c, CHAR_ETAG), c > 0x20 && c != 0x7f && c != '"');
        EXPECT_EQ_INT(char_is((char)c, CHAR_UNRESERVED),
                      digit || letter || (c != 0 && strchr("-._~", c) != NULL));
        EXPECT_EQ_INT(char_is_blank((char)c), c != 0 && strchr(" \t", c) != NULL);
        EXPECT_EQ_INT(char_is_space((char)c), c != 0 && strchr(" \t\n\v\f\r", c) != NULL);
        EXPECT_EQ_INT(char_is((char)c, CHAR_AUTHORITY),
                      digit || letter || (c != 0 && strchr("-._~%!$&'()*+,;=:[]", c) != NULL));
    }
}

static void
hex_digits_have_values(void)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    for (int c = 1; c < 256; c++) {
        const char *at = c >= 'a' ? strchr(digits, c) : strrchr(digits, c);
        EXPECT_EQ_INT(char_hex_value((char)c), at == NULL ? -1 : (at - digits) % 16);
    }
    EXPECT_EQ_INT(char_hex_value('\0'), -1);
}

static void
controls_are_found_at_any_place(void)
{
    for (int c = 0; c < 256; c++)
        for (size_t len = 1; len < 40; len += 3)
            for (size_t at = 0; at < len; at++) {
                char text[40];
                memset(text, 'a', sizeof text);
                text[at] = (char)c;
                bool control = (c < 0x20 && c != '\t') || c == 0x7f;
                EXPECT_EQ_INT(char_find_control(text, text + len) - text, control ? at : len);
            }
}

static void
a_field_value_is_one_line(void)
{
    EXPECT(is_field_value(SPAN_LIT("a b\tc\x80")));
    EXPECT(is_field_value(SPAN_LIT("")));
    EXPECT(is_field_value(SPAN_NULL));
    EXPECT(!is_field_value(SPAN_LIT("a\r\nb: c")));
    EXPECT(!is_field_value(SPAN_LIT("\0")));
    EXPECT(!is_field_value(SPAN_LIT("\x7f")));
}

/* Finds each control character at each place of texts of each length, next to bytes that are none. */
static void
controls_are_found_at_every_place(void)
{
    static const char bad[] = { 0, 1, '\n', '\r', 0x1f, 0x7f },
                      good[] = { '\t', ' ', 'a', '~', (char)0x80, (char)0xff };
    char text[48];
    for (size_t n = 0; n <= sizeof text; n++) {
        for (size_t i = 0; i < n; i++)
            text[i] = good[(i * 7 + n) % sizeof good];
        EXPECT(char_find_control(text, text + n) == text + n);
        EXPECT(is_field_value(span_of(text, n)));
        for (size_t at = 0; at < n; at++) {
            char was = text[at];
            text[at] = bad[(at + n) % sizeof bad];
            EXPECT(char_find_control(text, text + n) == text + at);
            char last = text[n - 1];
            text[n - 1] = '\n'; /* the first one counts */
            EXPECT(char_find_control(text, text + n) == text + at);
            text[n - 1] = last;
            text[at] = was;
        }
    }
}

static const struct test tests[] = {
    { "controls_are_found_at_every_place", controls_are_found_at_every_place },
    { "lists_are_split_at_commas_outside_of_quotes", lists_are_split_at_commas_outside_of_quotes },
    { "tokens_of_a_list", tokens_of_a_list },
    { "numbers", numbers },
    { "delta_seconds_saturate", delta_seconds_saturate },
    { "cache_control_directives", cache_control_directives },
    { "doubtful_cache_control_is_read_the_careful_way", doubtful_cache_control_is_read_the_careful_way },
    { "field_lists_are_read_with_their_quoted_pairs", field_lists_are_read_with_their_quoted_pairs },
    { "a_malformed_field_list_restricts_the_whole_response",
      a_malformed_field_list_restricts_the_whole_response },
    { "damage_restricts_at_least_as_much", damage_restricts_at_least_as_much },
    { "a_malformed_directive_hides_no_restriction", a_malformed_directive_hides_no_restriction },
    { "entity_tags", entity_tags },
    { "wishes_are_ranges_of_no_known_content", wishes_are_ranges_of_no_known_content },
    { "content_ranges", content_ranges },
    { "ranges", ranges },
    { "several_ranges", several_ranges },
    { "classes_of_bytes", classes_of_bytes },
    { "hex_digits_have_values", hex_digits_have_values },
    { "controls_are_found_at_any_place", controls_are_found_at_any_place },
    { "a_field_value_is_one_line", a_field_value_is_one_line },
};

int
main(int argc, char **argv)
{
    names_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
