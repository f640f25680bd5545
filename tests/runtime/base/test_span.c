/* Comparison without regard to ASCII case: eight bytes at a time must decide as byte by byte. */
#include "base/span.h"
#include "test.h"

static void
case_is_ignored_for_letters_only(void)
{
    static const size_t lengths[] = { 1, 7, 8, 9, 16, 19 };
    char a[20], b[20];
    unsigned wrong = 0;
    memset(a, 'x', sizeof a);
    memset(b, 'X', sizeof b);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t at = 0; at < lengths[i]; at++) {
            for (unsigned pair = 0; pair < 65536; pair++) {
                a[at] = (char)(pair >> 8);
                b[at] = (char)pair;
                bool same = ascii_lower(a[at]) == ascii_lower(b[at]);
                wrong += span_eq_nocase(span_of(a, lengths[i]), span_of(b, lengths[i])) != same;
            }
            a[at] = 'x';
            b[at] = 'X';
        }
    EXPECT(wrong == 0);
}

static void
lengths_must_be_equal(void)
{
    EXPECT(!span_eq_nocase(SPAN_LIT("Connection"), SPAN_LIT("Connections")));
    EXPECT(!span_eq_nocase(SPAN_NULL, SPAN_LIT("a")));
    EXPECT(span_eq_nocase(SPAN_NULL, SPAN_LIT("")));
}

static const struct test tests[] = {
    { "case_is_ignored_for_letters_only", case_is_ignored_for_letters_only },
    { "lengths_must_be_equal", lengths_must_be_equal },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
