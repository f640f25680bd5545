/* Functions of the language. */
#include <math.h>

#include "support/functions.h"

static void
concatenation_takes_unset_parts_as_empty(void)
{
    begin();
    typedef struct span concat_fn(struct policy_ctx *, const struct span *, int64_t);
    concat_fn *concat = F(concat_fn *, "concat", "STRING(SPANS,INT)");
    struct span parts[] = { S("a"), SPAN_NULL, S(""), S("bc") };
    EXPECT_EQ_STR(concat(&ctx, parts, 4), "abc");
    EXPECT_EQ_STR(concat(&ctx, parts + 1, 1), "");
    EXPECT_EQ_STR(concat(&ctx, parts, 0), "");
    ctx.arena = &(struct arena){ .limit_bytes = 1 };
    EXPECT(concat(&ctx, parts, 4).ptr == NULL);
    EXPECT(failed());
    ctx.arena = &arena;
    end();
}

typedef void header_set_fn(struct policy_ctx *, int64_t, int64_t, struct span);

static void
begin_with_name(const struct span *name)
{
    static const struct policy_env env;
    begin();
    policy_unload(&policy);
    image.names = name;
    image.n_names = 1;
    policy = image_load(&env, &image);
    policy_ctx_init(&ctx, policy, NULL, &arena);
    ctx.msg[MSG_REQ] = &req;
    ctx.hook = HOOK_RECV;
}

/* A field takes a text that the hook has just made as it is, keeps its own value, and takes a copy of any
 * other text: others may be memory of the image or of a module. */
static void
a_field_keeps_a_fresh_text_without_a_copy(void)
{
    static const struct span name = { "X-Fresh", 7 };
    begin_with_name(&name);
    typedef struct span concat_fn(struct policy_ctx *, const struct span *, int64_t);
    header_set_fn *set = F(header_set_fn *, "header_set", "VOID(INT,INT,STRING)");
    struct span parts[] = { S("a"), S("b") };
    struct span joined = F(concat_fn *, "concat", "STRING(SPANS,INT)")(&ctx, parts, 2);
    set(&ctx, MSG_REQ, 0, joined);
    EXPECT(req.fields[0].value.ptr == joined.ptr);
    struct span number = F(of_int_fn *, "to_string_int", "STRING(INT)")(&ctx, 17);
    set(&ctx, MSG_REQ, 0, number);
    EXPECT(req.fields[0].value.ptr == number.ptr);
    set(&ctx, MSG_REQ, 0, joined); /* no longer the newest */
    EXPECT(req.fields[0].value.ptr != joined.ptr);
    EXPECT_EQ_STR(req.fields[0].value, "ab");
    struct span own = req.fields[0].value;
    set(&ctx, MSG_REQ, 0, own); /* the field has it already */
    EXPECT(req.fields[0].value.ptr == own.ptr);
    struct arena other = { 0 };
    req.arena = &other; /* as bereq in a hook of the client */
    set(&ctx, MSG_REQ, 0, number);
    EXPECT(req.fields[0].value.ptr != number.ptr);
    EXPECT_EQ_STR(req.fields[0].value, "17");
    set(&ctx, MSG_REQ, 0, parts[0]);
    EXPECT(req.fields[0].value.ptr != parts[0].ptr);
    EXPECT_EQ_INT(req.n_fields, 1);
    EXPECT(!failed());
    set(&ctx, MSG_REQ, 0, S("a\nb"));
    EXPECT(failed());
    EXPECT_EQ_STR(req.fields[0].value, "a");
    arena_release(&other);
    end();
}

static void
numbers_have_the_text_of_the_language(void)
{
    begin();
    of_real_fn *real = F(of_real_fn *, "to_string_real", "STRING(REAL)");
    EXPECT_EQ_STR(real(&ctx, 1.5), "1.500");
    EXPECT_EQ_STR(real(&ctx, -0.0004), "-0.000"); /* as Varnish prints it */
    EXPECT_EQ_STR(F(of_int_fn *, "to_string_int", "STRING(INT)")(&ctx, -999999999999999), "-999999999999999");
    EXPECT_EQ_STR(F(of_int_fn *, "to_string_int", "STRING(INT)")(&ctx, 999999999999999), "999999999999999");
    EXPECT_EQ_STR(F(of_int_fn *, "to_string_int", "STRING(INT)")(&ctx, 0), "0");
    EXPECT_EQ_STR(F(of_real_fn *, "to_string_duration", "STRING(DURATION)")(&ctx, 0.25), "0.250");
    EXPECT_EQ_STR(F(of_int_fn *, "to_string_bytes", "STRING(BYTES)")(&ctx, 1024), "1024");
    EXPECT(!ctx.failed);
    EXPECT(F(of_int_fn *, "to_string_int", "STRING(INT)")(&ctx, INT64_MIN).ptr == NULL);
    EXPECT(ctx.failed); /* more digits than the language allows */
    end();
}

static void
times_are_dates_within_their_range(void)
{
    begin();
    of_real_fn *f = F(of_real_fn *, "to_string_time", "STRING(TIME)");
    EXPECT_EQ_STR(f(&ctx, 0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ_STR(f(&ctx, 784111777.9), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ_STR(f(&ctx, 253402300799), "Fri, 31 Dec 9999 23:59:59 GMT");
    EXPECT_EQ_STR(f(&ctx, -600.5), "Wed, 31 Dec 1969 23:50:00 GMT"); /* rounded towards zero, as in Varnish */
    EXPECT_EQ_STR(f(&ctx, -30610224000), "Wed, 01 Jan 1000 00:00:00 GMT");
    EXPECT(!failed());
    static const double outside[] = { -30610224001, 253402300800, 1e300, NAN, INFINITY };
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        f(&ctx, outside[i]);
        EXPECT(failed());
    }
    end();
}

static void
addresses_have_no_port_in_text(void)
{
    begin();
    of_ip_fn *f = F(of_ip_fn *, "to_string_ip", "STRING(IP)");
    EXPECT_EQ_STR(f(&ctx, &(struct vcl_ip){ .family = 4, .port = 80, .addr = { 192, 0, 2, 1 } }),
                  "192.0.2.1");
    EXPECT_EQ_STR(f(&ctx, &(struct vcl_ip){ .family = 6, .addr = { [15] = 1 } }), "::1");
    EXPECT_EQ_STR(f(&ctx, &(struct vcl_ip){ .family = 0, .addr = { 9 } }), "0.0.0.0");
    EXPECT(f(&ctx, NULL).ptr == NULL);
    end();
}

static void
blobs_show_as_base64(void)
{
    begin();
    of_blob_fn *f = F(of_blob_fn *, "to_string_blob", "STRING(BLOB)");
    EXPECT_EQ_STR(f(&ctx, &(struct vcl_blob){ .ptr = "ab", .len = 2 }), ":YWI=:");
    EXPECT_EQ_STR(f(&ctx, &(struct vcl_blob){ .ptr = "abc", .len = 3 }), ":YWJj:");
    EXPECT_EQ_STR(f(&ctx, NULL), "::");
    end();
}

static void
a_matched_limit_fails_a_substitution(void)
{
    begin();
    struct regex *re = NULL;
    struct regex_error error;
    typedef struct span sub_fn(struct policy_ctx *, struct span, const struct regex *, struct span);
    EXPECT_EQ_INT(regex_new(S("b+"), &re, &error), 0);
    EXPECT_EQ_STR(F(sub_fn *, "regsub", "STRING(STRING,REGEX,STRING)")(&ctx, S("abbcb"), re, S("[\\0]")),
                  "a[bb]cb");
    EXPECT_EQ_STR(F(sub_fn *, "regsuball", "STRING(STRING,REGEX,STRING)")(&ctx, S("abbcb"), re, S("-")),
                  "a-c-");
    EXPECT_EQ_STR(F(sub_fn *, "regsub", "STRING(STRING,REGEX,STRING)")(&ctx, SPAN_NULL, re, S("x")), "");
    EXPECT(!failed());
    ctx.arena = &(struct arena){ .limit_bytes = 1 };
    F(sub_fn *, "regsub", "STRING(STRING,REGEX,STRING)")(&ctx, S("abbcb"), re, S("-"));
    EXPECT(failed());
    ctx.arena = &arena;
    regex_release(&re);
    end();
}

static const struct test tests[] = {
    { "concatenation_takes_unset_parts_as_empty", concatenation_takes_unset_parts_as_empty },
    { "a_field_keeps_a_fresh_text_without_a_copy", a_field_keeps_a_fresh_text_without_a_copy },
    { "numbers_have_the_text_of_the_language", numbers_have_the_text_of_the_language },
    { "times_are_dates_within_their_range", times_are_dates_within_their_range },
    { "addresses_have_no_port_in_text", addresses_have_no_port_in_text },
    { "blobs_show_as_base64", blobs_show_as_base64 },
    { "a_matched_limit_fails_a_substitution", a_matched_limit_fails_a_substitution },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
