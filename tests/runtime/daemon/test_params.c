/* Parameters: parsing, limits, printing, and the plain values other rooms read. */
#include "daemon/params.h"

#include "daemon/status.h"
#include "base/params.h"
#include "test.h"

/* Sets the value. Expects the printed value or the error. */
static void
expect_set(const char *name, const char *value, int status, const char *want)
{
    struct text got = { 0 };
    EXPECT_EQ_INT(param_set(name, value, &got), status);
    if (status == 0)
        param_value(param_find(name), &got);
    if (status != 0 && got.len > 0 && memchr(got.ptr, '\n', got.len) != NULL)
        got.len = (size_t)((char *)memchr(got.ptr, '\n', got.len) - got.ptr);
    EXPECT_EQ_STR(text_span(&got), want);
    text_release(&got);
}

static void
durations(void)
{
    expect_set("default_ttl", "90", 0, "90.000");
    EXPECT(params.default_ttl_s == 90);
    expect_set("default_ttl", "1.5m", 0, "90.000");
    expect_set("default_ttl", "20ms", 0, "0.020");
    expect_set("default_ttl", "2w", 0, "1209600.000");
    expect_set("default_ttl", "1y", 0, "31536000.000");
    expect_set("default_ttl", "1q", CLI_PARAM, "Unknown unit of duration: use ms, s, m, h, d, w or y");
    for (const char *const *bad =
             (const char *const[]){ "", "-1", "inf", "nan", "0x10", "1e3", ".", "1.2.3", NULL };
         *bad != NULL; bad++) {
        struct text why = { 0 };
        EXPECT_EQ_INT(param_set("default_ttl", *bad, &why), CLI_PARAM);
        text_release(&why);
    }
    EXPECT(params.default_ttl_s == 31536000); /* a refused value changes nothing */
}

static void
sizes(void)
{
    expect_set("http_req_size", "48k", 0, "48k");
    EXPECT_EQ_INT(params.http_req_size_bytes, 48 * 1024);
    expect_set("http_req_size", "768", 0, "0.75k");
    expect_set("http_req_size", "65535", 0, "65535b");
    expect_set("memory_limit", "256M", 0, "0.25G");
    expect_set("memory_limit", "1.5GB", 0, "1.50G");
    EXPECT(params.memory_limit_bytes == 3ull << 29);
    expect_set("memory_limit", "0", 0, "0b");
    expect_set("memory_limit", "1x", CLI_PARAM, "Unknown unit of size: use b, k, m, g or t");
    expect_set("memory_limit", "0.1b", CLI_PARAM, "Not a whole number of bytes");
    expect_set("memory_limit", "99999999t", CLI_PARAM, "Size too large");
    expect_set("workspace_client", "4g", CLI_PARAM, "Must be no more than 4294967295b");
}

static void
limits(void)
{
    expect_set("http_max_hdr", "31", CLI_PARAM, "Must be at least 32");
    expect_set("http_max_hdr", "65536", CLI_PARAM, "Must be no more than 65535");
    expect_set("http_max_hdr", "65535", 0, "65535");
    expect_set("http_max_hdr", "99999999999", CLI_PARAM, "Number too large");
    expect_set("http_max_hdr", "40.5", CLI_PARAM, "Not a number (40.5)");
    expect_set("default_ttl", "-1", CLI_PARAM, "Must be greater or equal to 0.000");
    expect_set("thread_pool_min", "5001", CLI_PARAM, "Must be no more than 5000 (thread_pool_max)");
    expect_set("thread_pool_max", "99", CLI_PARAM, "Must be at least 100 (thread_pool_min)");
    expect_set("thread_pool_reserve", "96", CLI_PARAM, "Must be no more than 95 (95% of thread_pool_min)");
    expect_set("cli_limit", "127", CLI_PARAM, "Must be at least 128b");
}

static void
switches(void)
{
    expect_set("auto_restart", "OFF", 0, "off");
    EXPECT(!params.auto_restart);
    expect_set("auto_restart", "true", 0, "on");
    expect_set("auto_restart", "7", CLI_PARAM, "use \"on\" or \"off\"");
}

static void
a_misspelt_bit_gets_a_suggestion(void)
{
    struct text why = { 0 };
    EXPECT_EQ_INT(param_set("debug", "+vtc_mdoe", &why), CLI_PARAM);
    EXPECT_EQ_STR(text_span(&why), "Unknown debug bit (+vtc_mdoe)\nDid you mean +vtc_mode?\n\n"
                                   "(attempting to set param 'debug' to '+vtc_mdoe')\n"
                                   "param.show debug explains it.");
    text_release(&why);
}

static void
bits_accumulate(void)
{
    expect_set("debug", "+vtc_mode", 0, "+vtc_mode");
    expect_set("debug", "+syncvsl", 0, "+syncvsl,+vtc_mode");
    EXPECT(param_bit("debug", "vtc_mode"));
    expect_set("debug", "-vtc_mode,+bogus", CLI_PARAM, "Unknown debug bit (+bogus)");
    EXPECT(param_bit("debug", "vtc_mode")); /* applies all words of the list or none */
    expect_set("debug", "none", 0, "none");
    expect_set("debug", "x", CLI_PARAM, "Missing '+' or '-' (x)");
    expect_set("feature", "-validate_headers", 0, "+https_scheme");
    expect_set("feature", "none", 0, "none");
    expect_set("feature", "default", 0, "+https_scheme,+validate_headers");
    expect_set(
        "vsl_mask", "default,+Debug", 0,
        "-ObjProtocol,-ObjStatus,-ObjReason,-ObjHeader,-VCL_trace,-ExpKill,-WorkThread,-Hash,-VfpAcct,-H2RxHdr,-H2RxBody,-H2TxHdr,"
        "-H2TxBody,-VdpAcct");
}

static void
defaults_are_those_of_the_plain_values_and_come_back(void)
{
    struct text why = { 0 };
    expect_set("max_restarts", "9", 0, "9");
    EXPECT(!param_is_default(param_find("max_restarts")));
    EXPECT_EQ_INT(param_reset("max_restarts", &why), 0);
    EXPECT_EQ_INT(params.max_restarts, 4);
    EXPECT(param_is_default(param_find("max_restarts")));
    expect_set("pool_req", "1,2,3", 0, "1,2,3");
    expect_set("pool_req", "3,2,1", CLI_PARAM, "max must be at least min");
    expect_set("pool_req", "1,4294967296,3", CLI_PARAM, "Number too large");
    expect_set("pool_req", "-1,2,3", CLI_PARAM, "Expected three numbers: min,max,max_age");
    EXPECT_EQ_INT(param_reset("pool_req", &why), 0);
    EXPECT_EQ_STR(span_str(param_text("pool_req")), "10,100,10");
    text_release(&why);
}

static void
protection(void)
{
    struct text why = { 0 };
    EXPECT_EQ_INT(param_protect("shortlived"), 0);
    EXPECT_EQ_INT(param_set("shortlived", "1", &why), CLI_AUTH);
    EXPECT_EQ_INT(param_reset("shortlived", &why), CLI_AUTH);
    EXPECT(param_protect("none") != 0);
    text_release(&why);
}

static void
a_name_of_a_later_release_of_varnish_is_accepted(void)
{
    struct text why = { 0 };
    EXPECT_EQ_INT(param_set("h2_rapid_reset_period", "30", &why), 0);
    EXPECT_EQ_INT(params.h2_budget_period_s, 30);
    EXPECT_EQ_INT(param_reset("h2_budget_period", &why), 0);
    text_release(&why);
}

static void
every_parameter_has_a_doc_and_a_default(void)
{
    for (unsigned i = 0; i < n_param_rows; i++) {
        EXPECT(strlen(param_rows[i].doc) > 10);
        EXPECT(param_rows[i].field != PARAM_NO_FIELD || param_rows[i].def != NULL);
    }
}

/* The plain values that other rooms read. */
static double
plain_value(const struct param_row *row)
{
    const char *at = (const char *)&params + row->field;
    if (row->field_bytes == sizeof(uint32_t))
        return *(const uint32_t *)at;
    return row->kind == PARAM_BYTES ? (double)*(const uint64_t *)at : *(const double *)at;
}

static void
a_number_is_refused_or_kept_whole(void)
{
    static const struct {
        const char *text;
        double number;
    } large[] = {
        { "65536", 65536 },
        { "4294967295", 4294967295 },
        { "4294967296", 4294967296 },
        { "9007199254740992", 9007199254740992 },
        { "99999999999999999999", 1e20 },
    };
    unsigned refused = 0;
    for (unsigned i = 0; i < n_param_rows; i++) {
        const struct param_row *row = &param_rows[i];
        bool number = row->kind == PARAM_UINT || row->kind == PARAM_REAL || row->kind == PARAM_BYTES ||
                      row->kind == PARAM_DURATION;
        for (unsigned k = 0; k < sizeof large / sizeof *large && number && row->field != PARAM_NO_FIELD;
             k++) {
            struct text why = { 0 };
            bool taken = param_set(row->name, large[k].text, &why) == 0;
            EXPECT(taken ? plain_value(row) == large[k].number : why.len > 0);
            refused += !taken;
            text_release(&why);
        }
    }
    EXPECT(refused > n_param_rows);
}

static const struct test tests[] = {
    { "durations", durations },
    { "sizes", sizes },
    { "limits", limits },
    { "switches", switches },
    { "bits_accumulate", bits_accumulate },
    { "a_misspelt_bit_gets_a_suggestion", a_misspelt_bit_gets_a_suggestion },
    { "defaults_are_those_of_the_plain_values_and_come_back",
      defaults_are_those_of_the_plain_values_and_come_back },
    { "protection", protection },
    { "a_name_of_a_later_release_of_varnish_is_accepted", a_name_of_a_later_release_of_varnish_is_accepted },
    { "a_number_is_refused_or_kept_whole", a_number_is_refused_or_kept_whole },
    { "every_parameter_has_a_doc_and_a_default", every_parameter_has_a_doc_and_a_default },
};

int
main(int argc, char **argv)
{
    params_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
