/* Accept-Encoding for br and zstd, beside gzip and no coding. */
#include "http/codings.h"
#include "http/fields.h"
#include "test.h"

#define TEST(name) { #name, name }
#define BR (1u << CODING_BR)
#define ZSTD (1u << CODING_ZSTD)

static void
the_field_ranks_codings(void)
{
    static const struct {
        const char *field;
        unsigned want;
    } rows[] = {
        { "br", BR },
        { "zstd", ZSTD },
        { "br, zstd", BR | ZSTD },
        { "gzip, deflate, br, zstd", BR | ZSTD },
        { "BR;Q=1.0", BR },
        { "br;q=0.5, zstd;q=0.6", ZSTD },
        { "br;q=0.5, gzip;q=0.6", 0 },
        { "br ; q = 0.6 , gzip;q=0.5", BR },
        { "br;q=0.6,x-gzip;q=0.7", 0 },
        { "br;q=0", 0 },
        { "br;q=0.000", 0 },
        { "br;q=0.0001", BR },
        { "br;q=", 0 },
        { "br;q=a", 0 },
        { "br;q=1.5", BR },
        { "br;q=9999999999", BR },
        { "identity", 0 },
        { "identity, br", BR },
        { "identity, br;q=0.9", 0 },
        { "identity;q=0", 0 },
        { "identity;q=0, br;q=0.001", BR },
        { "*", BR | ZSTD },
        { "*;q=0", 0 },
        { "br, *;q=0", BR },
        { "*, br;q=0", ZSTD },
        { "gzip, *;q=0.5", 0 },
        { "*;q=0.5, gzip;q=0.4", BR | ZSTD },
        { "identity, *;q=0.5", 0 },
        { "gzip;q=0, br", BR },
        { "br;q=0, br", 0 },
        { "brx, xbr", 0 },
        { "", 0 },
        { ",,;,", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!EXPECT_EQ_INT(codings_preferred(span_str(rows[i].field), BR | ZSTD), rows[i].want))
            printf("    %s\n", rows[i].field);
    EXPECT_EQ_INT(codings_preferred(SPAN_NULL, BR | ZSTD), 0);
}

static void
what_is_off_is_not_preferred(void)
{
    EXPECT_EQ_INT(codings_preferred(SPAN_LIT("br, zstd"), ZSTD), ZSTD);
    EXPECT_EQ_INT(codings_preferred(SPAN_LIT("br, zstd;q=0.5"), ZSTD), ZSTD);
    EXPECT_EQ_INT(codings_preferred(SPAN_LIT("br, zstd"), 0), 0);
    EXPECT_EQ_STR(coding_name(CODING_BR), "br");
    EXPECT_EQ_STR(coding_name(CODING_ZSTD), "zstd");
}

static void
weights_have_thousandths(void)
{
    int weight = -1;
    EXPECT_EQ_STR(weighted_item(SPAN_LIT("gzip ; a=1 ; q=0.123 ; q=1"), &weight), "gzip");
    EXPECT_EQ_INT(weight, 123);
    (void)weighted_item(SPAN_LIT("gzip;q=0.00001"), &weight);
    EXPECT_EQ_INT(weight, 1);
    (void)weighted_item(SPAN_LIT("gzip;q=1.."), &weight);
    EXPECT_EQ_INT(weight, 0);
    (void)weighted_item(SPAN_LIT("gzip"), &weight);
    EXPECT_EQ_INT(weight, 1000);
}

static const struct test tests[] = {
    TEST(the_field_ranks_codings),
    TEST(what_is_off_is_not_preferred),
    TEST(weights_have_thousandths),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
