/* Trailer fields: those that may pass, and parsing of a section of lines. */
#include "http/trailers.h"

#include "base/check.h"
#include "http/http1.h"
#include "test.h"

static struct arena arena;

static struct http_message
message(unsigned fields)
{
    struct http_message m = { 0 };
    arena_release(&arena);
    arena_init(&arena, 0);
    CHECK(message_init(&m, &arena, fields) == 0);
    return m;
}

static void
lines_become_fields(void)
{
    struct http_message m = message(3);
    EXPECT_EQ_INT(trailers_parse(SPAN_LIT("X-A: 1\r\nx-b:\t 2  3 \r\nETag:\r\n\r\n"), &m), 0);
    EXPECT_EQ_INT(m.n_fields, 3);
    EXPECT_EQ_STR(message_get_named(&m, NAME_NONE, SPAN_LIT("X-B")), "2  3");
    EXPECT_EQ_STR(message_get(&m, NAME_ETAG), "");
    m = message(3);
    EXPECT_EQ_INT(trailers_parse(SPAN_LIT("\r\n"), &m), 0);
    EXPECT_EQ_INT(m.n_fields, 0);
    EXPECT_EQ_INT(trailers_parse(SPAN_LIT("A:1\r\nB:1\r\nC:1\r\nD:1\r\n\r\n"), &m), ERR_LIMIT);
}

static void
fields_that_would_change_the_message_do_not_pass(void)
{
    struct http_message m = message(8);
    EXPECT_EQ_INT(
        trailers_parse(
            SPAN_LIT(
                "CONTENT-length: 1\r\nX: 1\r\nHost: a\r\nSet-Cookie: b\r\nWWW-Authenticate: c\r\nY: 2\r\n\r\n"),
            &m),
        0);
    trailers_drop_forbidden(&m);
    EXPECT_EQ_INT(m.n_fields, 2);
    EXPECT(trailer_may_pass(SPAN_LIT("ETag")) && !trailer_may_pass(SPAN_LIT("vary")) &&
           !trailer_may_pass(SPAN_LIT("Trailer")));
}

static void
names_that_may_pass_are_announced(void)
{
    (void)message(1);
    EXPECT_EQ_STR(trailer_names(&arena, SPAN_LIT("a,b")), "a, b");
    EXPECT_EQ_STR(trailer_names(&arena, SPAN_LIT(" Content-Type,, X ,a b, Y")), "X, Y");
    EXPECT(trailer_names(&arena, SPAN_LIT("Host")).ptr == NULL);
    EXPECT(trailer_names(&arena, SPAN_LIT("")).ptr == NULL);
    EXPECT(trailer_names(&arena, SPAN_NULL).ptr == NULL);
}

/* Cut at every position: the pieces that the decoder reports make up the section. */
static void
a_decoder_names_the_section(void)
{
    static const char wire[] = "1\r\na\r\n0\r\nX: 1\r\nY: 2\r\n\r\nnext", section[] = "X: 1\r\nY: 2\r\n\r\n";
    for (size_t cut = 1; cut < sizeof wire; cut++) {
        struct http1_chunked d;
        char got[sizeof wire];
        size_t n = 0;
        int r = 0;
        http1_chunked_init(&d);
        for (size_t at = 0; r == 0 && at < sizeof wire - 1;) {
            size_t piece = sizeof wire - 1 - at < cut ? sizeof wire - 1 - at : cut;
            struct span in = span_of(wire + at, piece), out;
            r = http1_chunked_next(&d, &in, &out);
            at += piece - in.len;
            memcpy(got + n, d.trailer.ptr == NULL ? "" : d.trailer.ptr, d.trailer.len);
            n += d.trailer.len;
        }
        EXPECT_EQ_INT(r, 1);
        EXPECT_EQ_STR(span_of(got, n), section);
    }
}

static const struct test tests[] = {
    { "lines_become_fields", lines_become_fields },
    { "fields_that_would_change_the_message_do_not_pass", fields_that_would_change_the_message_do_not_pass },
    { "names_that_may_pass_are_announced", names_that_may_pass_are_announced },
    { "a_decoder_names_the_section", a_decoder_names_the_section },
};

int
main(int argc, char **argv)
{
    names_init();
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    return status;
}
