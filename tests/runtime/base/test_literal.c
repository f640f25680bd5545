/* Values from text: the forms that a policy may write, and nothing else. */
#include <math.h>

#include "base/literal.h"
#include "test.h"

static void
whole_numbers_have_at_most_15_digits(void)
{
    static const char *const wrong[] = { "", "-", "+1", "1.0", " 1", "1 ", "1000000000000000", "0x1", "--1" };
    int64_t v = 7;
    EXPECT(literal_int(SPAN_LIT("-999999999999999"), &v) && v == -999999999999999);
    EXPECT(literal_int(SPAN_LIT("007"), &v) && v == 7);
    EXPECT(literal_int(SPAN_LIT("-0"), &v) && v == 0);
    v = 5;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT(!literal_int(span_str(wrong[i]), &v));
    EXPECT(!literal_int(SPAN_NULL, &v));
    EXPECT_EQ_INT(v, 5);
}

static void
numbers_are_the_nearest(void)
{
    static const char *const wrong[] = {
        "", ".5", "5.", "1e3", "1.2.3", "-", "1000000000000", "999999999999.9995", "nan"
    };
    double v = 0;
    EXPECT(literal_real(SPAN_LIT("0.1"), &v) && v == 0.1);
    EXPECT(literal_real(SPAN_LIT("-12"), &v) && v == -12.0);
    EXPECT(literal_real(SPAN_LIT("3.14159265358979"), &v) && v == 3.14159265358979);
    EXPECT(literal_real(SPAN_LIT("999999999999.999"), &v) && v == 999999999999.999);
    EXPECT(literal_real(SPAN_LIT("1.00000000000000000000000000000000001"), &v) &&
           v == 1.0); /* digits beyond 18 */
    EXPECT(literal_real(SPAN_LIT("-0.0"), &v) && signbit(v));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT(!literal_real(span_str(wrong[i]), &v));
}

static void
durations_and_sizes_need_their_unit(void)
{
    double s = 0;
    int64_t n = 0;
    EXPECT(literal_duration(SPAN_LIT("1.5h"), &s) && s == 5400.0);
    EXPECT(literal_duration(SPAN_LIT("-250ms"), &s) && s == -0.25);
    EXPECT(!literal_duration(SPAN_LIT("5"), &s));
    EXPECT(!literal_duration(SPAN_LIT("5 s"), &s));
    EXPECT(!literal_duration(SPAN_LIT("5S"), &s));
    EXPECT(!literal_duration(SPAN_LIT("1h30m"), &s));
    EXPECT(literal_bytes(SPAN_LIT("1.5KB"), &n) && n == 1536);
    EXPECT(literal_bytes(SPAN_LIT("0.0015kb"), &n) && n == 1);
    EXPECT(literal_bytes(SPAN_LIT("8191pb"), &n) && n == 8191ll << 50);
    EXPECT(!literal_bytes(SPAN_LIT("8192PB"), &n)); /* 2^63 */
    EXPECT(!literal_bytes(SPAN_LIT("1.5B"), &n));
    EXPECT(literal_bytes(SPAN_LIT("2000000"), &n) && n == 2000000);
    EXPECT(literal_bytes(SPAN_LIT("10.0"), &n) && n == 10);
    EXPECT(!literal_bytes(SPAN_LIT("10.5"), &n));
    EXPECT(!literal_bytes(SPAN_LIT("-10"), &n));
    EXPECT(!literal_bytes(SPAN_LIT(""), &n));
    EXPECT(!literal_bytes(SPAN_LIT("10k"), &n));
    EXPECT(!literal_bytes(SPAN_LIT("-1B"), &n));
    EXPECT(!literal_bytes(SPAN_LIT("-0B"), &n));
}

static void
addresses_have_no_port_and_no_zone(void)
{
    static const char *const wrong[] = { "",      "1.2.3",     "1.2.3.4:80", "01.2.3.4",  "1.2.3.4 ",
                                         "[::1]", "fe80::1%0", "::1::2",     "localhost", "1.2.3.256" };
    uint8_t a[16];
    size_t n = 0;
    EXPECT(literal_address(SPAN_LIT("192.0.2.1"), a, &n) && n == 4 && memcmp(a, "\300\0\2\1", 4) == 0);
    EXPECT(literal_address(SPAN_LIT("2001:db8::1"), a, &n) && n == 16 && a[0] == 0x20 && a[15] == 1);
    EXPECT(literal_address(SPAN_LIT("::ffff:1.2.3.4"), a, &n) && n == 16);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT(!literal_address(span_str(wrong[i]), a, &n));
    EXPECT(!literal_address(SPAN_LIT("1.2.3.4\0"), a, &n));
}

static const struct test tests[] = {
    { "whole_numbers_have_at_most_15_digits", whole_numbers_have_at_most_15_digits },
    { "numbers_are_the_nearest", numbers_are_the_nearest },
    { "durations_and_sizes_need_their_unit", durations_and_sizes_need_their_unit },
    { "addresses_have_no_port_and_no_zone", addresses_have_no_port_and_no_zone },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
