/* Functions of modules. */
#include <math.h>
#include <unistd.h>

#include "policy/lib.h"
#include "support/functions.h"
#include "vmod/register.h"
#include "vmod/number.h"

/* ---- numbers from text ---- */

static void
durations_need_a_unit(void)
{
    EXPECT(parse_duration(S("1.5h")) == 5400);
    EXPECT(parse_duration(S(" 10 ms ")) == 0.01);
    EXPECT(parse_duration(S("-1s")) == -1);
    EXPECT(parse_duration(S("1y")) == 31536000);
    EXPECT(isnan(parse_duration(S("10"))));
    EXPECT(isnan(parse_duration(S("s"))));
    EXPECT(isnan(parse_duration(S("1 month"))));
    EXPECT(isnan(parse_duration(SPAN_NULL)));
}

static void
sizes_are_whole_bytes(void)
{
    EXPECT(parse_bytes(S("1.5k")) == 1536);
    EXPECT(parse_bytes(S("2MB")) == 2 << 20);
    EXPECT(parse_bytes(S("7")) == 7);
    EXPECT(parse_bytes(S("7B")) == 7);
    EXPECT(parse_bytes(S("7.0")) == 7);
    EXPECT(isnan(parse_bytes(S("1.5")))); /* a byte has no parts */
    EXPECT(isnan(parse_bytes(S("1.5B"))));
    EXPECT(parse_bytes(S("1P")) == 1125899906842624);
    EXPECT(isnan(parse_bytes(S("1X"))));
    EXPECT(isnan(parse_bytes(S("1BB"))));
    EXPECT(isnan(parse_bytes(S("1kBs"))));
    EXPECT(isnan(parse_bytes(S(""))));
}

static void
times_come_in_three_forms(void)
{
    EXPECT(parse_time(S("Sun, 06 Nov 1994 08:49:37 GMT")) == 784111777);
    EXPECT(isnan(parse_time(S("Thu, 01 Jan 1970 00:00:00 GMT")))); /* "no time" */
    EXPECT(isnan(parse_time(S("0"))));
    EXPECT(isnan(parse_time(S("-3"))));
    EXPECT(parse_time(S("1994-11-06T08:49:37")) == 784111777);
    EXPECT(isnan(parse_time(S("1994-11-06T08:49:37.5"))));
    EXPECT(isnan(parse_time(S("1994-11-06T08:49:37Z"))));
    EXPECT(parse_time(S("784111777")) == 784111777);
    EXPECT(isnan(parse_time(S("yesterday"))));
    EXPECT(parse_time(S("Friday, 20-Dec-30 00:00:00 GMT")) == 1923955200);
    EXPECT(isnan(parse_time(S("Monday, 20-Dec-30 00:00:00 GMT"))));
    EXPECT(isnan(parse_time(S("1994-13-06T08:49:37"))));
}

#define GIVEN(i) (1u << (i))

static void
conversions_take_one_value_or_fall_back(void)
{
    begin();
    typedef double duration_fn(struct policy_ctx *, uint32_t, struct span, double, double, int64_t);
    duration_fn *duration = F(duration_fn *, "std_duration", "DURATION(STRING?,DURATION?,REAL?,INT?)");
    EXPECT(duration(&ctx, GIVEN(0), S("2m"), 0, 0, 0) == 120);
    EXPECT(duration(&ctx, GIVEN(0) | GIVEN(1), S("x"), 7, 0, 0) == 7);
    EXPECT(duration(&ctx, GIVEN(2), SPAN_NULL, 0, 2.5, 0) == 2.5);
    EXPECT(duration(&ctx, GIVEN(3), SPAN_NULL, 0, 0, 3) == 3);
    EXPECT(!failed());
    duration(&ctx, GIVEN(0), S("x"), 0, 0, 0);
    EXPECT(failed()); /* no fallback */
    duration(&ctx, GIVEN(0) | GIVEN(3), S("1s"), 0, 0, 1);
    EXPECT(failed()); /* two values */
    duration(&ctx, GIVEN(1), SPAN_NULL, 1, 0, 0);
    EXPECT(failed()); /* none */
    typedef int64_t integer_fn(struct policy_ctx *, uint32_t, struct span, int64_t, int32_t, int64_t, double,
                               double, double);
    integer_fn *integer = F(integer_fn *, "std_integer",
                            "INT(STRING?,INT?,BOOL?,BYTES?,DURATION?,REAL?,TIME?)");
    EXPECT_EQ_INT(integer(&ctx, GIVEN(0), S("-12.0"), 0, 0, 0, 0, 0, 0), -12);
    EXPECT_EQ_INT(integer(&ctx, GIVEN(0) | GIVEN(1), S("-12.9"), 4, 0, 0, 0, 0, 0), 4);
    EXPECT_EQ_INT(integer(&ctx, GIVEN(2), SPAN_NULL, 0, 1, 0, 0, 0, 0), 1);
    EXPECT_EQ_INT(integer(&ctx, GIVEN(5), SPAN_NULL, 0, 0, 0, 0, 2.9, 0), 2);
    EXPECT_EQ_INT(integer(&ctx, GIVEN(0) | GIVEN(1), S("1e5"), 4, 0, 0, 0, 0, 0), 4);
    EXPECT_EQ_INT(integer(&ctx, GIVEN(5) | GIVEN(1), SPAN_NULL, 4, 0, 0, 0, 1e17, 0), 4);
    typedef int64_t bytes_fn(struct policy_ctx *, uint32_t, struct span, int64_t, double, int64_t);
    bytes_fn *bytes = F(bytes_fn *, "std_bytes", "BYTES(STRING?,BYTES?,REAL?,INT?)");
    EXPECT_EQ_INT(bytes(&ctx, GIVEN(0), S("3KB"), 0, 0, 0), 3072);
    EXPECT_EQ_INT(bytes(&ctx, GIVEN(3) | GIVEN(1), SPAN_NULL, 9, 0, -1), 9);
    typedef int64_t real2integer_fn(struct policy_ctx *, double, int64_t);
    real2integer_fn *real2integer = F(real2integer_fn *, "std_real2integer", "INT(REAL,INT)");
    EXPECT_EQ_INT(real2integer(&ctx, 2.5, 0), 3);
    EXPECT_EQ_INT(real2integer(&ctx, -2.5, 0), -3);
    EXPECT_EQ_INT(real2integer(&ctx, INFINITY, 8), 8);
    EXPECT_EQ_INT(real2integer(&ctx, NAN, 8), 8);
    EXPECT(!failed());
    end();
}

static void
addresses_come_from_text(void)
{
    begin();
    typedef const struct vcl_ip *ip_fn(struct policy_ctx *, uint32_t, struct span, const struct vcl_ip *,
                                       int32_t, struct span);
    ip_fn *ip = F(ip_fn *, "std_ip", "IP(STRING,IP?,BOOL,STRING?)");
    static const struct vcl_ip fallback = { .family = 4 };
    const struct {
        struct span text;
        const char *address;
        unsigned port;
    } rows[] = {
        { S("192.0.2.7"), "192.0.2.7", 80 },          { S("192.0.2.7:8080"), "192.0.2.7", 8080 },
        { S("192.0.2.7 443"), "192.0.2.7", 443 },     { S("2001:db8::1"), "2001:db8::1", 80 },
        { S("[2001:db8::1]:81"), "2001:db8::1", 81 }, { S("[::1]"), "::1", 80 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct vcl_ip *got = ip(&ctx, GIVEN(1), rows[i].text, &fallback, 0, SPAN_NULL);
        EXPECT_EQ_STR(ip_text(&ctx, got), rows[i].address);
        EXPECT_EQ_INT(got->port, rows[i].port);
    }
    EXPECT_EQ_INT(ip(&ctx, GIVEN(3), S("1.2.3.4"), NULL, 0, S("99"))->port, 99);
    EXPECT(ip(&ctx, GIVEN(1), S("not an address"), &fallback, 0, SPAN_NULL) == &fallback);
    EXPECT(ip(&ctx, GIVEN(1), S("[::1"), &fallback, 0, SPAN_NULL) == &fallback);
    EXPECT(ip(&ctx, GIVEN(1), S("1.2.3.4:65536"), &fallback, 0, SPAN_NULL) == &fallback);
    EXPECT(ip(&ctx, GIVEN(1), SPAN_NULL, &fallback, 0, SPAN_NULL) == &fallback);
    EXPECT(!failed());
    ip(&ctx, 0, S("1.2.3.4.5"), NULL, 0, SPAN_NULL);
    EXPECT(failed());
    end();
}

/* ---- std: text and fields ---- */

static void
queries_are_sorted(void)
{
    begin();
    text_fn *sort = F(text_fn *, "std_querysort", "STRING(STRING)");
    EXPECT_EQ_STR(sort(&ctx, S("/a?b=2&a=1&b=1")), "/a?a=1&b=1&b=2");
    EXPECT_EQ_STR(sort(&ctx, S("/a?&&c&&b&")), "/a?b&c");
    EXPECT_EQ_STR(sort(&ctx, S("/a?ab&a")), "/a?a&ab");
    EXPECT_EQ_STR(sort(&ctx, S("/a?")), "/a?");
    EXPECT_EQ_STR(sort(&ctx, S("/a")), "/a");
    EXPECT(sort(&ctx, SPAN_NULL).ptr == NULL);
    end();
}

static void
small_text_functions(void)
{
    begin();
    EXPECT_EQ_STR(F(text_fn *, "std_toupper", "STRING(STRING)")(&ctx, S("aZ\xe4-9")), "AZ\xe4-9");
    EXPECT_EQ_STR(F(text_fn *, "std_tolower", "STRING(STRING)")(&ctx, S("aZ\xc4-9")), "az\xc4-9");
    struct span lower = F(text_fn *, "std_tolower", "STRING(STRING)")(&ctx, SPAN_NULL);
    EXPECT(lower.ptr != NULL && lower.len == 0);
    text2_fn *strstr_ = F(text2_fn *, "std_strstr", "STRING(STRING,STRING)");
    EXPECT_EQ_STR(strstr_(&ctx, S("restaurant"), S("au")), "aurant");
    EXPECT(strstr_(&ctx, S("restaurant"), S("x")).ptr == NULL);
    EXPECT_EQ_STR(strstr_(&ctx, S("abc"), S("")), "abc");
    EXPECT(strstr_(&ctx, SPAN_NULL, S("a")).ptr == NULL);
    typedef int32_t match_fn(struct policy_ctx *, struct span, struct span, int32_t, int32_t, int32_t);
    match_fn *match = F(match_fn *, "std_fnmatch", "BOOL(STRING,STRING,BOOL,BOOL,BOOL)");
    EXPECT_EQ_INT(match(&ctx, S("/a/*"), S("/a/b"), 1, 0, 0), 1);
    EXPECT_EQ_INT(match(&ctx, S("/a/*"), S("/a/b/c"), 1, 0, 0), 0);
    EXPECT_EQ_INT(match(&ctx, S("/a/*"), S("/a/b/c"), 0, 0, 0), 1);
    typedef struct span strftime_fn(struct policy_ctx *, double, struct span);
    EXPECT_EQ_STR(F(strftime_fn *, "std_strftime", "STRING(TIME,STRING)")(&ctx, 784111777, S("%Y-%m-%d")),
                  "1994-11-06");
    EXPECT(!failed());
    end();
}

static void
fields_are_collected_into_one(void)
{
    begin();
    typedef void collect_fn(struct policy_ctx *, struct span, struct span);
    collect_fn *collect = F(collect_fn *, "std_collect", "VOID(STRING,STRING)");
    message_add(&req, NAME_COOKIE, S("Cookie"), S("a=1"));
    message_add(&req, NAME_NONE, S("X"), S("between"));
    message_add(&req, NAME_COOKIE, S("Cookie"), S("b=2"));
    collect(&ctx, S("req.http.Cookie"), S("; "));
    EXPECT_EQ_STR(message_get(&req, NAME_COOKIE), "a=1; b=2");
    EXPECT_EQ_INT(req.n_fields, 2);
    EXPECT(!failed());
    collect(&ctx, S("beresp.http.Cookie"), S("; "));
    EXPECT(failed());
    collect(&ctx, S("nonsense"), S("; "));
    EXPECT(failed());
    end();
}

static void
files_are_read_once_and_kept(void)
{
    begin();
    text_fn *fileread = F(text_fn *, "std_fileread", "STRING(STRING)");
    char path[] = "/tmp/vernis-test-XXXXXX";
    int fd = mkstemp(path);
    EXPECT(fd >= 0 && write(fd, "hello", 5) == 5);
    struct span first = fileread(&ctx, span_str(path));
    EXPECT_EQ_STR(first, "hello");
    EXPECT(pwrite(fd, "HELLO", 5, 0) == 5);
    EXPECT(fileread(&ctx, span_str(path)).ptr == first.ptr);
    typedef int32_t exists_fn(struct policy_ctx *, struct span);
    exists_fn *exists = F(exists_fn *, "std_file_exists", "BOOL(STRING)");
    EXPECT_EQ_INT(exists(&ctx, span_str(path)), 1);
    close(fd);
    unlink(path);
    EXPECT_EQ_INT(exists(&ctx, span_str(path)), 0);
    EXPECT(!failed());
    EXPECT(fileread(&ctx, S("/nonexistent/file")).ptr == NULL);
    EXPECT(!failed());
    end();
}

static int
keep_up_to_100(struct client_vars *v, uint64_t bytes_max)
{
    return bytes_max <= 100 ? 0 : ERR_LIMIT;
}

static void
wishes_are_for_vcl_recv(void)
{
    begin();
    typedef int32_t cache_fn(struct policy_ctx *, int64_t);
    cache_fn *cache = F(cache_fn *, "std_cache_req_body", "BOOL(BYTES)");
    EXPECT_EQ_INT(cache(&ctx, 1024), 0); /* without a client there is no body */
    client.ops = &(const struct client_ops){ .keep_content = keep_up_to_100 };
    EXPECT_EQ_INT(cache(&ctx, 100), 1);
    EXPECT_EQ_INT(cache(&ctx, 101), 0);
    EXPECT_EQ_INT(cache(&ctx, -1), 1);
    ctx.hook = HOOK_DELIVER;
    EXPECT_EQ_INT(cache(&ctx, 1024), 0);
    EXPECT(!failed());
    end();
}

/* ---- cookie ---- */

static void
cookies_are_parsed_changed_and_written(void)
{
    begin();
    set_text_fn *parse = F(set_text_fn *, "cookie_parse", "VOID(STRING)");
    get_text_fn *string = F(get_text_fn *, "cookie_get_string", "STRING()");
    text_fn *get = F(text_fn *, "cookie_get", "STRING(STRING)");
    typedef void set_fn(struct policy_ctx *, struct span, struct span);
    parse(&ctx, S("a=1;b=2; c = 3 ;junk; =x;a=4; d="));
    EXPECT_EQ_STR(get(&ctx, S("a")), "4");
    EXPECT(get(&ctx, S("d")).ptr == NULL); /* empty values are dropped */
    EXPECT(get(&ctx, S("junk")).ptr == NULL);
    EXPECT_EQ_STR(get(&ctx, S("junk; ")), "x"); /* a name goes up to its '=' */
    F(set_fn *, "cookie_set", "VOID(STRING,STRING)")(&ctx, S("b"), S("22"));
    F(set_text_fn *, "cookie_delete", "VOID(STRING)")(&ctx, S("a"));
    EXPECT_EQ_STR(string(&ctx), "b=22; c = 3 ; junk; =x;");
    F(set_text_fn *, "cookie_keep", "VOID(STRING)")(&ctx, S("b, d,"));
    EXPECT_EQ_STR(string(&ctx), "b=22;");
    F(set_text_fn *, "cookie_filter", "VOID(STRING)")(&ctx, S("d,zzz"));
    EXPECT_EQ_STR(string(&ctx), "b=22;");
    struct regex *re = NULL;
    struct regex_error error;
    typedef void re_fn(struct policy_ctx *, const struct regex *);
    EXPECT_EQ_INT(regex_new(S("^_ga"), &re, &error), 0);
    parse(&ctx, S("_ga=1; _gab=2; id=3"));
    F(re_fn *, "cookie_filter_re", "VOID(REGEX)")(&ctx, re);
    EXPECT_EQ_STR(string(&ctx), "id=3;");
    regex_release(&re);
    parse(&ctx, SPAN_NULL);
    EXPECT_EQ_STR(string(&ctx), "id=3;"); /* a field without cookies changes nothing */
    F(set_fn *, "cookie_set", "VOID(STRING,STRING)")(&ctx, S(""), S("x"));
    F(set_fn *, "cookie_set", "VOID(STRING,STRING)")(&ctx, S("x"), S(""));
    EXPECT_EQ_STR(string(&ctx), "id=3;");
    EXPECT(!failed());
    end();
}

static void
cookies_over_the_limit_are_left_out(void)
{
    begin();
    char text[7 * 600], *at = text;
    for (int i = 0; i < 600; i++)
        at += sprintf(at, "%03d=x;", i);
    F(set_text_fn *, "cookie_parse", "VOID(STRING)")(&ctx, span_of(text, (size_t)(at - text)));
    EXPECT(!failed());
    EXPECT_EQ_STR(F(text_fn *, "cookie_get", "STRING(STRING)")(&ctx, S("511")), "x");
    EXPECT(F(text_fn *, "cookie_get", "STRING(STRING)")(&ctx, S("512")).ptr == NULL);
    end();
}

/* ---- blob ---- */

static void
blobs_go_to_text_and_back(void)
{
    begin();
    typedef const struct vcl_blob *decode_fn(struct policy_ctx *, struct span, int64_t, struct span);
    typedef struct span encode_fn(struct policy_ctx *, struct span, struct span, const struct vcl_blob *);
    decode_fn *decode = F(decode_fn *, "blob_decode", "BLOB(STRING,INT,STRING)");
    encode_fn *encode = F(encode_fn *, "blob_encode", "STRING(STRING,STRING,BLOB)");
    const struct {
        struct span codec, bytes, text;
    } rows[] = {
        { S("IDENTITY"), S("a\xff b"), S("a\xff b") },
        { S("BASE64"), S("\xff\xfe\xfd\xfc"), S("//79/A==") },
        { S("BASE64URL"), S("\xff\xfe\xfd\xfc"), S("__79_A==") },
        { S("BASE64URLNOPAD"), S("\xff\xfe\xfd\xfc"), S("__79_A") },
        { S("BASE64CF"), S("\xff\xfe\xfd\xfc"), S("~~79~A__") },
        { S("HEX"), S("\x0f\xa0"), S("0fa0") },
        { S("URL"), S("a b/~"), S("a%20b%2f~") },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vcl_blob blob = { .ptr = rows[i].bytes.ptr, .len = rows[i].bytes.len };
        EXPECT_EQ_SPAN(encode(&ctx, rows[i].codec, S("DEFAULT"), &blob), rows[i].text);
        const struct vcl_blob *back = decode(&ctx, rows[i].codec, 0, rows[i].text);
        EXPECT_EQ_SPAN(span_of(back->ptr, back->len), rows[i].bytes);
    }
    struct vcl_blob high = { .ptr = "\xab", .len = 1 };
    EXPECT_EQ_STR(encode(&ctx, S("HEX"), S("UPPER"), &high), "AB");
    EXPECT_EQ_INT(decode(&ctx, S("HEX"), 2, S("abcdef"))->len, 1);
    EXPECT_EQ_INT(*(const uint8_t *)decode(&ctx, S("HEX"), 0, S("abc"))->ptr, 0x0a);
    EXPECT_EQ_INT(decode(&ctx, S("BASE64"), 0, S("YQ"))->len, 1); /* padding may be missing */
    EXPECT_EQ_INT(decode(&ctx, S("BASE64"), 3, S("YWJj"))->len, 2);
    struct vcl_blob with_nul = { .ptr = "a\0b", .len = 3 };
    EXPECT_EQ_STR(encode(&ctx, S("IDENTITY"), S("DEFAULT"), &with_nul), "a");
    EXPECT(!failed());
    EXPECT(encode(&ctx, S("BASE64"), S("UPPER"), &high).ptr == NULL && failed());
    const struct {
        struct span codec, text;
    } wrong[] = {
        { S("BASE64"), S("YQ===") },
        { S("BASE64"), S("YWJj=") },
        { S("BASE64"), S("Y") },
        { S("BASE64"), S("YQ==YQ==") },
        { S("BASE64"), S("Y Q=") },
        { S("BASE64"), S("====") },
        { S("BASE64URLNOPAD"), S("YQ==") },
        { S("HEX"), S("0g") },
        { S("URL"), S("%2") },
        { S("URL"), S("%zz") },
        { S("NONE"), S("") },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EXPECT(decode(&ctx, wrong[i].codec, 0, wrong[i].text) == NULL);
        if (!EXPECT(failed()))
            fprintf(stderr, "  %.*s was taken\n", (int)wrong[i].text.len, wrong[i].text.ptr);
    }
    end();
}

static void
a_part_of_a_blob_is_within_it(void)
{
    begin();
    typedef const struct vcl_blob *sub_fn(struct policy_ctx *, const struct vcl_blob *, int64_t, int64_t);
    sub_fn *sub = F(sub_fn *, "blob_sub", "BLOB(BLOB,BYTES,BYTES)");
    struct vcl_blob blob = { .ptr = "abcdef", .len = 6 };
    const struct vcl_blob *part = sub(&ctx, &blob, 2, 4);
    EXPECT_EQ_SPAN(span_of(part->ptr, part->len), S("ef"));
    EXPECT_EQ_INT(sub(&ctx, &blob, 0, 6)->len, 0);
    EXPECT(!failed());
    EXPECT(sub(&ctx, &blob, 3, 4) == NULL);
    EXPECT(failed());
    EXPECT(sub(&ctx, &blob, INT64_MAX, 1) == NULL);
    EXPECT(failed());
    EXPECT(sub(&ctx, &blob, 1, -1) == NULL);
    EXPECT(failed());
    end();
}

static const struct test tests[] = {
    { "durations_need_a_unit", durations_need_a_unit },
    { "sizes_are_whole_bytes", sizes_are_whole_bytes },
    { "times_come_in_three_forms", times_come_in_three_forms },
    { "conversions_take_one_value_or_fall_back", conversions_take_one_value_or_fall_back },
    { "addresses_come_from_text", addresses_come_from_text },
    { "queries_are_sorted", queries_are_sorted },
    { "small_text_functions", small_text_functions },
    { "fields_are_collected_into_one", fields_are_collected_into_one },
    { "files_are_read_once_and_kept", files_are_read_once_and_kept },
    { "wishes_are_for_vcl_recv", wishes_are_for_vcl_recv },
    { "cookies_are_parsed_changed_and_written", cookies_are_parsed_changed_and_written },
    { "cookies_over_the_limit_are_left_out", cookies_over_the_limit_are_left_out },
    { "blobs_go_to_text_and_back", blobs_go_to_text_and_back },
    { "a_part_of_a_blob_is_within_it", a_part_of_a_blob_is_within_it },
};

int
main(int argc, char **argv)
{
    vmod_register();
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
