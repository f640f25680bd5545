/* Clients that begin with another protocol: how they are recognised, and the answer to HTTP/2. */
#include "base/check.h"
#include "stream/foreign.h"
#include "test.h"

#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#define SETTINGS "\0\0\6\4\0\0\0\0\0\0\3\0\0\0\x64"

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

static void
expect_request(struct span in, uint32_t stream, bool has_text)
{
    struct http2_request r = foreign_http2_request(in);
    EXPECT_EQ_INT(r.stream, stream);
    EXPECT_EQ_INT(r.has_text, has_text);
}

static void
the_first_request_is_found_behind_other_frames(void)
{
    expect_request(BYTES(PREFACE SETTINGS "\0\0\1\1\5\0\0\0\1\x82"), 1, true);
    /* the reserved bit is ignored (RFC 9113, 4.1) */
    expect_request(BYTES(PREFACE SETTINGS "\0\0\1\1\5\x80\0\0\x0d\x83"), 13, true);
    expect_request(BYTES(PREFACE "\0\0\7\1\x2d\0\0\0\3"
                                 "\0"
                                 "\0\0\0\0\x10"
                                 "\x82"),
                   3, true);
    expect_request(BYTES(PREFACE SETTINGS "\0\0\6\1\5\0\0\0\1\x42\4HEAD"), 1, false);
}

static void
incomplete_frames_have_no_request(void)
{
    static const char whole[] = PREFACE SETTINGS "\0\0\1\1\5\0\0\0\1\x82";
    for (size_t n = 0; n < sizeof whole - 1; n++)
        expect_request(span_of(whole, n), 0, false);
}

static bool
contains(const char *in, size_t n, const char *text)
{
    return memmem(in, n, text, strlen(text)) != NULL;
}

static void
the_answer_is_frames_with_a_text(void)
{
    static const unsigned with_text[] = { 4, 4, 1, 0, 7 }, without_text[] = { 4, 4, 1, 7 },
                          none[] = { 4, 4, 7 };
    static const struct {
        struct http2_request to;
        const unsigned *types;
        size_t n;
    } cases[] = { { { 13, true }, with_text, 5 },
                  { { 13, false }, without_text, 4 },
                  { { 0, false }, none, 3 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[FOREIGN_HTTP2_BYTES_MAX];
        size_t n = foreign_http2_answer(cases[i].to, out), at = 0, frames = 0;
        for (; at < n; frames++) {
            const uint8_t *p = (const uint8_t *)out + at;
            EXPECT(frames < cases[i].n);
            EXPECT_EQ_INT(p[3], cases[i].types[frames]);
            EXPECT_EQ_INT(p[8], p[3] == 1 || p[3] == 0 ? 13 : 0);
            at += 9 + (size_t)(p[0] << 16 | p[1] << 8 | p[2]);
        }
        EXPECT_EQ_INT(at, n);
        EXPECT_EQ_INT(frames, cases[i].n);
        EXPECT(contains(out, n, "send the request with HTTP/1.1"));
        EXPECT(contains(out, n, "505") == (cases[i].to.stream != 0));
    }
}

static const struct test tests[] = {
    { "first_bytes_tell_the_protocol", first_bytes_tell_the_protocol },
    { "requests_of_http_1_are_not_foreign", requests_of_http_1_are_not_foreign },
    { "the_first_request_is_found_behind_other_frames", the_first_request_is_found_behind_other_frames },
    { "incomplete_frames_have_no_request", incomplete_frames_have_no_request },
    { "the_answer_is_frames_with_a_text", the_answer_is_frames_with_a_text },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
