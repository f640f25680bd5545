/* Clients that begin with another protocol: how they are recognised. */
#include "base/check.h"
#include "stream/foreign.h"
#include "test.h"

#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

#define BYTES(text) span_of(text, sizeof(text) - 1)

static void
first_bytes_tell_the_protocol(void)
{
    EXPECT_EQ_INT(foreign_protocol(BYTES(PREFACE)), FOREIGN_HTTP2);
    EXPECT_EQ_INT(foreign_protocol(BYTES("PRI * HTTP/2.0")), FOREIGN_HTTP2);
    EXPECT_EQ_INT(foreign_protocol(BYTES("\x16\x03\x01\x02\0\1")), FOREIGN_TLS);
    EXPECT_EQ_INT(foreign_protocol(BYTES("PROXY TCP4 192.0.2.1 ")), FOREIGN_PROXY);
    EXPECT_EQ_INT(foreign_protocol(BYTES("PROXY UNKNOWN\r\n")), FOREIGN_PROXY);
    EXPECT_EQ_INT(foreign_protocol(BYTES("\r\n\r\n\0\r\nQUIT\n\x21")), FOREIGN_PROXY);
}

static void
requests_of_http_1_are_not_foreign(void)
{
    EXPECT_EQ_INT(foreign_protocol(SPAN_NULL), FOREIGN_NONE);
    EXPECT_EQ_INT(foreign_protocol(BYTES("GET / HTTP/1.1\r\n\r\n")), FOREIGN_NONE);
    EXPECT_EQ_INT(foreign_protocol(BYTES("PRI * HTTP/1.1\r\n\r\n")), FOREIGN_NONE);
    EXPECT_EQ_INT(foreign_protocol(BYTES("PROXY / HTTP/1.1\r\n\r\n")), FOREIGN_NONE); /* a method */
    EXPECT_EQ_INT(foreign_protocol(BYTES("\x16\x02\x01")), FOREIGN_NONE);
    EXPECT_EQ_INT(foreign_protocol(BYTES("\r\n\r\nGET / HTTP/1.1\r\n\r\n")), FOREIGN_NONE);
}

static const struct test tests[] = {
    { "first_bytes_tell_the_protocol", first_bytes_tell_the_protocol },
    { "requests_of_http_1_are_not_foreign", requests_of_http_1_are_not_foreign },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
