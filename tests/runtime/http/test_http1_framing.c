/* The end of content, keep-alive, and the decoder of chunked content. tests/data/malformed_requests has
 * refused requests. */
#include <stdlib.h>

#include "base/check.h"
#include "http/http1.h"
#include "test.h"

static const struct http1_limits limits = { .head_bytes = 32768, .line_bytes = 8192, .fields = 64 };

static struct arena arena;
static struct http_message m;
static struct http1_error error;
static struct http1_framing framing;
static char buffer[1024];

static int
request(const char *version, const char *fields)
{
    int n = snprintf(buffer, sizeof buffer, "DELETE / HTTP/%s\r\n%s\r\n", version, fields);
    arena_release(&arena);
    CHECK(message_init(&m, &arena, 64) == 0);
    CHECK(http1_parse_request(buffer, (size_t)n, &limits, &m, &error) == n);
    return http1_request_framing(&m, &framing, &error);
}

static int
response(const char *start, const char *fields, const char *method)
{
    int n = snprintf(buffer, sizeof buffer, "HTTP/%s\r\n%s\r\n", start, fields);
    arena_release(&arena);
    CHECK(message_init(&m, &arena, 64) == 0);
    CHECK(http1_parse_response(buffer, (size_t)n, &limits, &m, &error) == n);
    return http1_response_framing(&m, span_str(method), &framing, &error);
}

static void
content_of_requests(void)
{
    EXPECT_EQ_INT(request("1.1", "Host: a\r\n"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_NONE);
    EXPECT_EQ_INT(request("1.1", "Content-Length: 0042\r\n"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_LENGTH);
    EXPECT_EQ_INT(framing.length, 42);
    EXPECT_EQ_INT(request("1.1", "Content-Length: 9223372036854775807\r\n"), 0);
    EXPECT_EQ_INT(framing.length, INT64_MAX);
    EXPECT_EQ_INT(request("1.1", "Transfer-Encoding: \tChunKed \r\n"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_CHUNKED);
}

static void
http10_content_needs_a_length(void)
{
    static const struct {
        const char *text;
        int result;
    } rows[] = {
        { "POST / HTTP/1.0\r\n\r\n", ERR_SYNTAX },
        { "PUT / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", ERR_SYNTAX },
        { "POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n", 0 },
        { "GET / HTTP/1.0\r\n\r\n", 0 },
        { "POST / HTTP/1.1\r\n\r\n", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int n = snprintf(buffer, sizeof buffer, "%s", rows[i].text);
        arena_release(&arena);
        CHECK(message_init(&m, &arena, 64) == 0);
        CHECK(http1_parse_request(buffer, (size_t)n, &limits, &m, &error) == n);
        EXPECT_EQ_INT(http1_request_framing(&m, &framing, &error), rows[i].result);
    }
}

static void
lasting_connections(void)
{
    static const struct {
        const char *version, *fields;
        bool keep_alive;
    } rows[] = {
        { "1.1", "", true },
        { "1.1", "Connection: close\r\n", false },
        { "1.1", "Connection: x, CLOSE\r\n", false },
        { "1.1", "Connection: x\r\nConnection: close\r\n", false },
        { "1.1", "Connection: keep-alive\r\n", true },
        { "1.1", "Connection: keep-alive, close\r\n", false },
        { "1.1", "Connection: \"x, close\r\n", false }, /* an unclosed quote hides nothing */
        { "1.0", "", false },
        { "1.0", "Connection: Keep-Alive\r\n", true },
        { "1.0", "Connection: keep-alive, close\r\n", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EXPECT_EQ_INT(request(rows[i].version, rows[i].fields), 0);
        if (!EXPECT_EQ_INT(framing.keep_alive, rows[i].keep_alive))
            fprintf(stderr, "  HTTP/%s %s", rows[i].version, rows[i].fields);
    }
}

static void
expectations(void)
{
    EXPECT_EQ_INT(request("1.1", "Expect: 100-Continue\r\nContent-Length: 1\r\n"), 0);
    EXPECT(framing.expect_continue);
    EXPECT_EQ_INT(request("1.1", "Expect: 100-continue\r\n"), 0);
    EXPECT(framing.expect_continue); /* the client may wait, although it has no content to send */
    EXPECT_EQ_INT(request("1.0", "Expect: 100-continue\r\nContent-Length: 1\r\n"), 0);
    EXPECT(!framing.expect_continue);
    EXPECT_EQ_INT(request("1.0", "Expect: miracles\r\nContent-Length: 1\r\n"), 0);
}

static void
hosts_that_are_accepted(void)
{
    static const char *const hosts[] = {
        "", "a", "a.example:8080", "[2001:db8::1]:80", "under_score", "xn--a-b.example"
    };
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        char field[64];
        snprintf(field, sizeof field, "Host: %s\r\n", hosts[i]);
        EXPECT_EQ_INT(request("1.1", field), 0);
    }
}

static void
a_response_without_content_ends_with_its_head(void)
{
    static const struct {
        const char *line, *fields, *method;
        bool reused;
    } cases[] = {
        { "1.1 204 No Content", "Content-Length: 0\r\n", "GET", true },
        { "1.1 204 No Content", "Content-Length: 5\r\n", "HEAD", false },
        { "1.1 204 No Content", "Transfer-Encoding: chunked\r\n", "GET", false },
        { "1.1 204 No Content", "Transfer-Encoding: gzip\r\n", "POST", false },
        { "1.1 204 No Content", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "GET", false },
        { "1.0 204 No Content", "Transfer-Encoding: chunked\r\n", "GET", false },
        { "1.1 304 Not Modified", "Content-Length: 500\r\n", "GET", true },
        { "1.1 304 Not Modified", "Transfer-Encoding: chunked\r\n", "GET", false },
        { "1.1 103 Early Hints", "Transfer-Encoding: chunked\r\n", "GET", true },
        { "1.1 200 OK", "Transfer-Encoding: chunked\r\n", "HEAD", true },
        { "1.1 200 OK", "Content-Length: 5\r\n", "HEAD", true },
        { "1.1 205 Reset Content", "Content-Length: 5\r\n", "HEAD", true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EXPECT_EQ_INT(response(cases[i].line, cases[i].fields, cases[i].method), 0);
        EXPECT_EQ_INT(framing.kind, BODY_NONE);
        EXPECT_EQ_INT(framing.keep_alive, cases[i].reused);
    }
    /* A length above 0 is an error, as in Varnish. */
    EXPECT(response("1.1 204 No Content", "Content-Length: 5\r\n", "GET") < 0);
    EXPECT(response("1.1 204 No Content", "Content-Length: 0\r\nContent-Length: 5\r\n", "GET") < 0);
    EXPECT(response("1.1 204 No Content", "Content-Length: x\r\n", "GET") < 0);
    /* A 205 has the content that its fields announce (RFC 9112, 6.3) */
    EXPECT_EQ_INT(response("1.1 205 Reset Content", "Transfer-Encoding: chunked\r\n", "GET"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_CHUNKED);
    EXPECT(framing.keep_alive);
}

static void
content_of_responses(void)
{
    EXPECT_EQ_INT(response("1.1 200 OK", "Content-Length: 5\r\n", "GET"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_LENGTH);
    EXPECT_EQ_INT(framing.length, 5);
    EXPECT(framing.keep_alive);
    EXPECT_EQ_INT(response("1.1 200 OK", "Transfer-Encoding: chunked\r\n", "GET"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_CHUNKED);
    EXPECT_EQ_INT(response("1.1 200 OK", "", "GET"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_EOF);
    EXPECT(!framing.keep_alive);
    EXPECT_EQ_INT(response("1.1 200 OK", "Content-Length: 5\r\n", "HEAD"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_NONE);
    EXPECT(framing.keep_alive);
    EXPECT_EQ_INT(response("1.1 204 No Content", "", "GET"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_NONE);
    EXPECT_EQ_INT(response("1.1 204 No Content", "Content-Length: 0\r\n", "GET"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_NONE);
    EXPECT(framing.keep_alive);
    EXPECT_EQ_INT(response("1.1 304 Not Modified", "Content-Length: 500\r\n", "GET"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_NONE);
    EXPECT_EQ_INT(response("1.1 100 Continue", "", "POST"), 0);
    EXPECT_EQ_INT(framing.kind, BODY_NONE);
}

static void
equal_lengths_of_responses_are_one(void)
{
    EXPECT_EQ_INT(response("1.1 200 OK", "Content-Length: 5\r\nContent-Length: 5\r\n", "GET"), 0);
    EXPECT_EQ_INT(framing.length, 5);
    EXPECT_EQ_INT(response("1.1 200 OK", "Content-Length: 5, 5\r\n", "GET"), 0);
    EXPECT_EQ_INT(framing.length, 5);
}

static void
ambiguous_responses_are_refused(void)
{
    static const char *const fields[] = {
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5, 6\r\n",
        "Content-Length: x\r\n",
        "Content-Length:\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 18446744073709551621\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        EXPECT_EQ_INT(response("1.1 200 OK", fields[i], "GET"), ERR_SYNTAX);
        EXPECT_EQ_INT(error.status, 503);
    }
    EXPECT_EQ_INT(response("1.0 200 OK", "Transfer-Encoding: chunked\r\n", "GET"), ERR_SYNTAX);
}

/* ---- chunked ---- */

/* Decodes in pieces of `step` bytes into `out`. Returns the decoder's last result, and its rest of the
 * input. */
static int
decode(struct span text, size_t step, char *out, size_t *n_out, size_t *left_over)
{
    struct http1_chunked d;
    int result = 0;
    size_t at = 0;
    *n_out = 0;
    http1_chunked_init(&d);
    while (result == 0 && at < text.len) {
        struct span in = span_of(text.ptr + at, text.len - at < step ? text.len - at : step), run;
        size_t offered = in.len;
        result = http1_chunked_next(&d, &in, &run);
        at += offered - in.len;
        if (result >= 0 && run.len > 0) {
            memcpy(out + *n_out, run.ptr, run.len);
            *n_out += run.len;
        }
    }
    *left_over = text.len - at;
    return result;
}

static void
chunks_are_joined_in_pieces_of_any_size(void)
{
    struct span text = SPAN_LIT(
        "5\r\nhello\r\n1;ext=\"a;b\"\r\n \r\n00A \t;x\r\n0123456789\r\n0\r\nX-Trailer: 1\r\nY:\r\n\r\nGET");
    char out[64];
    size_t n, left;
    for (size_t step = 1; step <= text.len; step++) {
        EXPECT_EQ_INT(decode(text, step, out, &n, &left), 1);
        EXPECT_EQ_SPAN(span_of(out, n), SPAN_LIT("hello 0123456789"));
        EXPECT_EQ_INT(left, 3); /* the next request is not consumed */
    }
}

static void
incomplete_chunks_want_more(void)
{
    struct span text = SPAN_LIT("5\r\nhello\r\n0\r\nX: 1\r\n\r\n");
    char out[64];
    size_t n, left;
    for (size_t len = 0; len < text.len; len++) {
        EXPECT_EQ_INT(decode(span_of(text.ptr, len), 64, out, &n, &left), 0);
        EXPECT_EQ_INT(left, 0);
    }
}

static void
sizes_and_extensions_to_their_limits(void)
{
    char text[CHUNK_EXT_MAX_BYTES + 64], out[8];
    size_t n, left;
    EXPECT_EQ_INT(decode(SPAN_LIT("0000000000000001\r\nx\r\n0\r\n\r\n"), 64, out, &n, &left), 1);
    EXPECT_EQ_INT(decode(SPAN_LIT("00000000000000001\r\nx\r\n0\r\n\r\n"), 64, out, &n, &left), ERR_LIMIT);
    EXPECT_EQ_INT(decode(SPAN_LIT("7fffffffffffffff\r\n"), 64, out, &n, &left), 0);
    EXPECT_EQ_INT(decode(SPAN_LIT("8000000000000000\r\n"), 64, out, &n, &left), ERR_LIMIT);
    int ext = CHUNK_EXT_MAX_BYTES - 1; /* and the CR counts */
    int len = snprintf(text, sizeof text, "1;%0*d\r\nx\r\n0\r\n\r\n", ext, 0);
    EXPECT_EQ_INT(decode(span_of(text, (size_t)len), 4096, out, &n, &left), 1);
    len = snprintf(text, sizeof text, "1;%0*d\r\nx\r\n0\r\n\r\n", ext + 1, 0);
    EXPECT_EQ_INT(decode(span_of(text, (size_t)len), 4096, out, &n, &left), ERR_LIMIT);
}

static void
a_broken_decoder_stays_broken(void)
{
    struct http1_chunked d;
    struct span in = SPAN_LIT("x"), out;
    http1_chunked_init(&d);
    EXPECT_EQ_INT(http1_chunked_next(&d, &in, &out), ERR_SYNTAX);
    in = SPAN_LIT("0\r\n\r\n");
    EXPECT_EQ_INT(http1_chunked_next(&d, &in, &out), ERR_SYNTAX);
}

static const struct test tests[] = {
    { "content_of_requests", content_of_requests },
    { "http10_content_needs_a_length", http10_content_needs_a_length },
    { "lasting_connections", lasting_connections },
    { "expectations", expectations },
    { "hosts_that_are_accepted", hosts_that_are_accepted },
    { "a_response_without_content_ends_with_its_head", a_response_without_content_ends_with_its_head },
    { "content_of_responses", content_of_responses },
    { "equal_lengths_of_responses_are_one", equal_lengths_of_responses_are_one },
    { "ambiguous_responses_are_refused", ambiguous_responses_are_refused },
    { "chunks_are_joined_in_pieces_of_any_size", chunks_are_joined_in_pieces_of_any_size },
    { "incomplete_chunks_want_more", incomplete_chunks_want_more },
    { "sizes_and_extensions_to_their_limits", sizes_and_extensions_to_their_limits },
    { "a_broken_decoder_stays_broken", a_broken_decoder_stays_broken },
};

int
main(int argc, char **argv)
{
    names_init();
    int failed = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    return failed;
}
