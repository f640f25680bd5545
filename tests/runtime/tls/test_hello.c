/* The first bytes of a client, before a handshake begins. */
#include <string.h>

#include "test.h"
#include "tls/hello.h"

#define TEST(name) { #name, name }
#define MOST 1000

static void
bytes_tell_what_a_client_speaks(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        enum hello is;
    } rows[] = {
        { "", 0, HELLO_MORE },
        { "GE", 2, HELLO_MORE },
        { "GET /", 5, HELLO_PLAIN },
        { "OPTIONS *", 9, HELLO_PLAIN },
        { "PRI * HTTP/2.0", 14, HELLO_PLAIN },
        { "SSH-2.0-x", 9, HELLO_OTHER },
        { "AN-HTTP-METHOD ", 15, HELLO_OTHER },
        { "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 26, HELLO_OTHER },
        { "\x80\x2e\x01", 3, HELLO_OTHER },
        { "\x16\x03\x01", 3, HELLO_MORE },
        { "\x16\x03\x01\x00\x00", 5, HELLO_OTHER },     /* an empty record */
        { "\x16\x03\x01\x40\x01", 5, HELLO_OTHER },     /* a record that is too long */
        { "\x16\x03\x01\x00\x06\x02", 6, HELLO_OTHER }, /* another message */
        { "\x16\x03\x01\x00\x06\x01\x00\x00\x02xx", 11, HELLO_COMPLETE },
        { "\x16\x03\x01\x00\x06\x01\x00\x00\x02xxmore", 15, HELLO_COMPLETE },
        { "\x16\x03\x01\x00\x06\x01\x00\x00\x02x", 10, HELLO_MORE },
        { "\x16\x03\x01\x00\x03\x01\x00\x00\x16\x03\x01\x00\x03\x02xx", 16,
          HELLO_COMPLETE }, /* two records */
        { "\x16\x03\x01\x00\x03\x01\x00\x00\x17\x03\x01\x00\x03\x02xx", 16, HELLO_OTHER },
        { "\x16\x03\x01\x10\x00\x01\x00\x03\xe8", 9, HELLO_MORE },
        { "\x16\x03\x01\x10\x00\x01\x00\x03\xe9", 9, HELLO_LONG }, /* it says so at once */
        { "\x16\x03\x01\x10\x00\x01\xff\xff\xff", 9, HELLO_LONG },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT_EQ_INT(hello_look(span_of(rows[i].bytes, rows[i].n), MOST), rows[i].is);
}

/* Records of one byte are bounded, too. */
static void
many_small_records_are_too_long(void)
{
    char text[6 * MOST] = { 0 };
    for (size_t i = 0; i < MOST; i++)
        memcpy(text + 6 * i, "\x16\x03\x01\x00\x01", 5);
    text[5] = 1;
    text[6 * 2 + 5] = 3;
    EXPECT_EQ_INT(hello_look(span_of(text, 600), MOST), HELLO_MORE);
    EXPECT_EQ_INT(hello_look(span_of(text, 3000), MOST), HELLO_LONG);
}

int
main(int argc, char *argv[])
{
    static const struct test tests[] = { TEST(bytes_tell_what_a_client_speaks),
                                         TEST(many_small_records_are_too_long) };
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
