/* HTTP dates, parsed and formatted, compared with the C library. */
#include <time.h>

#include "base/check.h"
#include "http/fields.h"
#include "test.h"

static nsec
parsed(const char *text)
{
    nsec t = -1;
    EXPECT_EQ_INT(http_date_parse(span_str(text), &t), 0);
    return t / NSEC_PER_SEC;
}

static void
all_three_forms_mean_the_same(void)
{
    EXPECT_EQ_INT(parsed("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777);
    EXPECT_EQ_INT(parsed("Sun, 6 Nov 1994 08:49:37 GMT"), 784111777);
    EXPECT_EQ_INT(parsed("Sunday, 06-Nov-94 08:49:37 GMT"), 784111777);
    EXPECT_EQ_INT(parsed("Sun Nov  6 08:49:37 1994"), 784111777);
    EXPECT_EQ_INT(parsed("Wed Nov 16 08:49:37 1994"), 784975777);
    EXPECT_EQ_INT(parsed("  Sun, 06 Nov 1994 08:49:37 GMT\t"), 784111777);
}

static void
edges_of_the_calendar(void)
{
    EXPECT_EQ_INT(parsed("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
    EXPECT_EQ_INT(parsed("Tue, 29 Feb 2000 23:59:59 GMT"), 951868799);
    EXPECT_EQ_INT(parsed("Sat, 31 Dec 2016 23:59:60 GMT"),
                  1483228799); /* a leap second counts as the second before it */
    EXPECT_EQ_INT(parsed("Wednesday, 31-Dec-69 00:00:00 GMT"), 3155673600);
    EXPECT_EQ_INT(parsed("Thursday, 01-Jan-70 00:00:00 GMT"), 0);
    EXPECT_EQ_INT(parsed("Mon, 01 Jan 1900 00:00:00 GMT"), -2208988800);
    nsec t;
    EXPECT_EQ_INT(http_date_parse(SPAN_LIT("Fri, 31 Dec 9999 23:59:59 GMT"), &t), 0);
    EXPECT(t == NSEC_NEVER - 1); /* beyond what 64 bits of nanoseconds hold */
    EXPECT_EQ_INT(http_date_parse(SPAN_LIT("Sat, 01 Jan 0000 00:00:00 GMT"), &t), 0);
    EXPECT(t == INT64_MIN);
}

static void
letters_have_either_case_where_the_caller_says_so(void)
{
    static const char *const texts[] = {
        "sun, 06 nov 1994 08:49:37 gmt",
        "SUNDAY, 06-NOV-94 08:49:37 GMT",
        "sUN Nov  6 08:49:37 1994",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        nsec t = 0;
        EXPECT_EQ_INT(http_date_parse(span_str(texts[i]), &t), ERR_SYNTAX);
        EXPECT_EQ_INT(http_date_parse_any_case(span_str(texts[i]), &t), 0);
        EXPECT_EQ_INT(t / NSEC_PER_SEC, 784111777);
    }
}

static void
what_is_no_date_is_refused(void)
{
    static const char *const texts[] = {
        "",
        "0",
        "-1",
        "now",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 08:49:37 GMT x",
        "Sun,  6 Nov 1994 08:49:37 GMT",
        "Xxx, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT",
        "Mon, 29 Feb 1999 08:49:37 GMT",
        "Thu, 29 Feb 1900 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunny, 06-Nov-94 08:49:37 GMT",
        "Sun,",
        "Sun ",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        nsec t = 12345;
        if (!EXPECT_EQ_INT(http_date_parse(span_str(texts[i]), &t), ERR_SYNTAX) || !EXPECT_EQ_INT(t, 12345))
            fprintf(stderr, "  %s\n", texts[i]);
    }
    nsec t;
    EXPECT_EQ_INT(http_date_parse(SPAN_NULL, &t), ERR_SYNTAX);
}

/* Every 9 days and some seconds from 1720 to 2220. */
static void
dates_agree_with_the_c_library_both_ways(void)
{
    for (int64_t s = -7889270400; s < 7889270400; s += 9 * 86400 + 12347) {
        char ours[HTTP_DATE_BYTES], theirs[64];
        struct tm tm;
        time_t seconds = (time_t)s;
        gmtime_r(&seconds, &tm);
        strftime(theirs, sizeof theirs, "%a, %d %b %Y %H:%M:%S GMT", &tm);
        http_date_format(s * NSEC_PER_SEC, ours);
        if (!EXPECT_EQ_SPAN(span_of(ours, sizeof ours), span_str(theirs)))
            return;
        nsec back = 0;
        EXPECT_EQ_INT(http_date_parse(span_of(ours, sizeof ours), &back), 0);
        EXPECT_EQ_INT(back, s * NSEC_PER_SEC);
    }
}

static void
fractions_are_rounded_down(void)
{
    char text[HTTP_DATE_BYTES];
    http_date_format(784111777 * NSEC_PER_SEC + 999999999, text);
    EXPECT_EQ_SPAN(span_of(text, sizeof text), SPAN_LIT("Sun, 06 Nov 1994 08:49:37 GMT"));
    http_date_format(-1, text);
    EXPECT_EQ_SPAN(span_of(text, sizeof text), SPAN_LIT("Wed, 31 Dec 1969 23:59:59 GMT"));
    http_date_format(INT64_MIN, text); /* no trap at the ends */
    http_date_format(INT64_MAX, text);
    EXPECT_EQ_SPAN(span_of(text, sizeof text), SPAN_LIT("Fri, 11 Apr 2262 23:47:16 GMT"));
}

static const struct test tests[] = {
    { "all_three_forms_mean_the_same", all_three_forms_mean_the_same },
    { "edges_of_the_calendar", edges_of_the_calendar },
    { "letters_have_either_case_where_the_caller_says_so",
      letters_have_either_case_where_the_caller_says_so },
    { "what_is_no_date_is_refused", what_is_no_date_is_refused },
    { "dates_agree_with_the_c_library_both_ways", dates_agree_with_the_c_library_both_ways },
    { "fractions_are_rounded_down", fractions_are_rounded_down },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
