/* Writing short texts and numbers into a buffer with room: the text and its NUL, and no byte after it. */
#include <inttypes.h>
#include <stdio.h>

#include "base/put.h"
#include "test.h"

#define LENGTHS 80

static void
a_text_of_any_length_is_whole(void)
{
    char from[LENGTHS], to[LENGTHS + 1];
    for (size_t i = 0; i < LENGTHS; i++)
        from[i] = (char)('!' + i);
    for (size_t n = 0; n < LENGTHS; n++) {
        memset(to, '.', sizeof to);
        EXPECT(put_span(to, span_of(from, n)) == to + n);
        EXPECT(memcmp(to, from, n) == 0);
        EXPECT(to[n] == '.');
    }
}

static void
expect_decimal(uint64_t n)
{
    char wanted[32], text[32];
    size_t len = (size_t)snprintf(wanted, sizeof wanted, "%" PRIu64, n);
    EXPECT_EQ_INT(put_decimal(text, n) - text, len);
    EXPECT(memcmp(text, wanted, len) == 0);
}

static void
numbers_have_no_leading_zeros(void)
{
    for (uint64_t n = 0; n < 20000; n++)
        expect_decimal(n);
    for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10) {
        expect_decimal(power * 10 - 1);
        expect_decimal(power * 10);
    }
    expect_decimal(UINT64_MAX);
}

static void
six_digits_have_them(void)
{
    char text[7] = "......";
    EXPECT(put_six_digits(text, 0) == text + 6 && memcmp(text, "000000", 6) == 0);
    EXPECT(put_six_digits(text, 10203) == text + 6 && memcmp(text, "010203", 6) == 0);
    EXPECT(put_six_digits(text, 999999) == text + 6 && memcmp(text, "999999", 6) == 0);
}

static const struct test tests[] = {
    { "a_text_of_any_length_is_whole", a_text_of_any_length_is_whole },
    { "numbers_have_no_leading_zeros", numbers_have_no_leading_zeros },
    { "six_digits_have_them", six_digits_have_them },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
