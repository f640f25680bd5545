/* Heads that are accepted, and their parsed form; leniency for responses only; limits at their edges.
 * tests/data/malformed_requests has refused requests. */
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "http/fields.h"
#include "http/http1.h"
#include "test.h"

static const struct http1_limits limits = { .head_bytes = 32768, .line_bytes = 8192, .fields = 64 };

static struct arena arena;
static struct http_message m;
static struct http1_error error;
static char *copy;

/* The text is parsed from a block of its exact size; spans in m point into it until the next call. */
static ssize_t
parse(const char *text, size_t len, bool request, const struct http1_limits *lim)
{
    free(copy);
    arena_release(&arena);
    copy = malloc(len);
    memcpy(copy, text, len);
    error = (struct http1_error){ 0 };
    CHECK(message_init(&m, &arena, 64) == 0);
    return request ? http1_parse_request(copy, len, lim, &m, &error)
                   : http1_parse_response(copy, len, lim, &m, &error);
}

static ssize_t
parse_request(const char *text)
{
    return parse(text, strlen(text), true, &limits);
}

static ssize_t
parse_response(const char *text)
{
    return parse(text, strlen(text), false, &limits);
}

static void
a_request_is_taken_apart(void)
{
    const char *text = "GET /a?b=c HTTP/1.1\r\nHost: a.example\r\nX-Own:\t padded \t\r\nEmpty:\r\n\r\nnext";
    EXPECT_EQ_INT(parse_request(text), (ssize_t)strlen(text) - 4);
    EXPECT_EQ_STR(m.method, "GET");
    EXPECT_EQ_STR(m.url, "/a?b=c");
    EXPECT_EQ_STR(m.proto, "HTTP/1.1");
    EXPECT_EQ_INT(m.minor, 1);
    EXPECT_EQ_INT(m.n_fields, 3);
    EXPECT_EQ_INT(m.fields[0].id, NAME_HOST);
    EXPECT_EQ_STR(m.fields[0].value, "a.example");
    EXPECT_EQ_INT(m.fields[1].id, NAME_NONE);
    EXPECT_EQ_STR(m.fields[1].name, "X-Own");
    EXPECT_EQ_STR(m.fields[1].value, "padded");
    EXPECT_EQ_STR(m.fields[2].value, "");
}

static void
a_head_is_complete_only_at_its_end(void)
{
    const char *text = "\r\nPOST /x HTTP/1.0\r\nHost: a\r\nA: b\r\n\r\n";
    size_t len = strlen(text);
    for (size_t n = 0; n < len; n++)
        EXPECT_EQ_INT(parse(text, n, true, &limits), 0);
    EXPECT_EQ_INT(parse(text, len, true, &limits), (ssize_t)len); /* the empty line before the head counts */
    EXPECT_EQ_INT(m.minor, 0);
    EXPECT_EQ_INT(m.n_fields, 2);
}

static void
a_large_incomplete_head_is_complete_at_its_end_too(void)
{
    char text[6000];
    int n = snprintf(text, sizeof text, "GET / HTTP/1.1\r\nA: %05000d\r\n\r\n", 0);
    EXPECT_EQ_INT(parse(text, (size_t)n - 1, true, &limits), 0);
    EXPECT_EQ_INT(parse(text, (size_t)n - 2, true, &limits), 0);
    EXPECT_EQ_INT(parse(text, (size_t)n, true, &limits), n);
}

static void
target_forms(void)
{
    EXPECT(parse_request("OPTIONS * HTTP/1.1\r\n\r\n") > 0);
    EXPECT(parse_request("CONNECT a.example:443 HTTP/1.1\r\n\r\n") > 0);
    EXPECT(parse_request("CONNECT [::1]:443 HTTP/1.1\r\n\r\n") > 0);
    EXPECT(parse_request("GET http://a.example HTTP/1.1\r\n\r\n") > 0);
    EXPECT(parse_request("GET HTTPS://a.example:8443/x?y HTTP/1.1\r\n\r\n") > 0);
    EXPECT(parse_request("GET //a.example/ HTTP/1.1\r\n\r\n") > 0);
    EXPECT(parse_request("GET /\xc3\xa4?\"<>^`{|} HTTP/1.1\r\n\r\n") >
           0); /* many clients send it unescaped, which is harmless */
    EXPECT(parse_request("PURGE all_of-it2 HTTP/1.1\r\n\r\n") > 0);
    EXPECT(parse_request("X-METHOD_1 / HTTP/1.1\r\n\r\n") > 0);
}

static void
absolute_targets_are_split(void)
{
    static const struct {
        const char *target;
        int result;
        const char *authority, *path;
    } rows[] = {
        { "http://a.example/x?y", 1, "a.example", "/x?y" },
        { "http://a.example", 1, "a.example", "" },
        { "http://a.example?q", 1, "a.example", "?q" },
        { "https://[::1]:80/", 1, "[::1]:80", "/" },
        { "/x", 0, NULL, NULL },
        { "/http://a/", 0, NULL, NULL },
        { "*", 0, NULL, NULL },
        { "a.example:80", 0, NULL, NULL },
        { "http:/x", 0, NULL, NULL },
        { "http://u@a.example/", ERR_SYNTAX, NULL, NULL },
        { "http:///x", ERR_SYNTAX, NULL, NULL },
        { "HTTPS://a.example/", 1, "a.example", "/" },
        { "ftp://a.example/", ERR_SYNTAX, NULL, NULL },
        { "ws://a.example/", ERR_SYNTAX, NULL, NULL },
        { "httpx://a.example/", ERR_SYNTAX, NULL, NULL },
        { "://a.example/", ERR_SYNTAX, NULL, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct span authority, path;
        if (EXPECT_EQ_INT(http1_absolute_target(span_str(rows[i].target), &authority, &path),
                          rows[i].result) &&
            rows[i].result == 1) {
            EXPECT_EQ_STR(authority, rows[i].authority);
            EXPECT_EQ_STR(path, rows[i].path);
        }
    }
}

/* ---- responses ---- */

static void
a_response_is_taken_apart(void)
{
    const char *text = "HTTP/1.0 404 Not \t Found\r\nServer: x\r\n\r\n";
    EXPECT_EQ_INT(parse_response(text), (ssize_t)strlen(text));
    EXPECT_EQ_INT(m.status, 404);
    EXPECT_EQ_STR(m.reason, "Not \t Found");
    EXPECT_EQ_STR(m.proto, "HTTP/1.0");
    EXPECT_EQ_INT(m.minor, 0);
    EXPECT(parse_response("HTTP/1.1 200\r\n\r\n") > 0);
    EXPECT_EQ_STR(m.reason, "");
    EXPECT(parse_response("HTTP/1.1 999 \r\n\r\n") > 0);
}

static void
requests_may_use_bare_lf_for_all_lines_or_none(void)
{
    EXPECT(parse_request("GET / HTTP/1.1\nHost: a\n\n") > 0);
    EXPECT_EQ_INT(parse_request("GET / HTTP/1.1\nHost: a\n"), 0);
    EXPECT(parse_request("GET / HTTP/1.1\nHost: a\r\n\r\n") < 0);
    EXPECT(parse_request("GET / HTTP/1.1\nHost: a\n\r\n") < 0);
    EXPECT(parse_request("GET / HTTP/1.1\r\nHost: a\n\r\n") < 0);
    EXPECT(parse_request("GET / HTTP/1.1\r\nHost: a\r\n\n") < 0);
}

static void
responses_may_use_bare_lf(void)
{
    EXPECT(parse_response("HTTP/1.1 200 OK\nA: b\nC: d\r\n\n") > 0);
    EXPECT_EQ_INT(m.n_fields, 2);
    EXPECT_EQ_STR(m.fields[1].value, "d");
}

static void
responses_may_have_blanks_before_a_colon(void)
{
    EXPECT(parse_response("HTTP/1.1 200 OK\r\nServer \t: x\r\n\r\n") > 0);
    EXPECT_EQ_STR(m.fields[0].name, "Server");
    EXPECT_EQ_INT(m.fields[0].id, NAME_SERVER);
    EXPECT_EQ_STR(m.fields[0].value, "x");
}

static void
folded_lines_of_responses_become_blanks(void)
{
    const char *text = "HTTP/1.1 200 OK\r\nA: one\r\n\ttwo\n three\r\nB: x\r\n\r\n";
    EXPECT_EQ_INT(parse_response(text), (ssize_t)strlen(text));
    EXPECT_EQ_STR(m.fields[0].value, "one   two  three"); /* a blank for each removed byte */
    EXPECT_EQ_STR(m.fields[1].value, "x");
    for (size_t n = 0; n < strlen(text); n++)
        EXPECT_EQ_INT(parse(text, n, false, &limits), 0);
}

static void
folded_lines_of_requests_become_blanks(void)
{
    const char *text = "GET / HTTP/1.1\r\nHost: a\r\nA: one\r\n\ttwo\n three\r\n \r\nB: x\r\n\r\n";
    EXPECT_EQ_INT(parse_request(text), (ssize_t)strlen(text));
    EXPECT_EQ_STR(m.fields[1].value, "one   two  three");
    EXPECT_EQ_STR(m.fields[2].value, "x");
    for (size_t n = 0; n < strlen(text); n++)
        EXPECT_EQ_INT(parse(text, n, true, &limits), 0);
    EXPECT(parse_request("GET / HTTP/1.1\nHost: a\nA: 1\n 2\n\n") > 0);
    EXPECT_EQ_STR(m.fields[1].value, "1  2");
}

static void
malformed_responses_are_refused(void)
{
    static const char *const texts[] = {
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.2 200 OK\r\n\r\n",
        "HTTP/1.1  200 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 200\tOK\r\n\r\n",
        "http/1.1 200 OK\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "<html>\r\n",
        "\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 O\rK\r\n\r\n",
        "HTTP/1.1 200 O\x01K\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\x01\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\n : b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA b: c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n A: folded first\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!EXPECT_EQ_INT(parse_response(texts[i]), ERR_SYNTAX) || !EXPECT_EQ_INT(error.status, 503))
            fprintf(stderr, "  %s", texts[i]);
    EXPECT_EQ_INT(parse("HTTP/1.1 200 OK\r\nA: b\0\r\n\r\n", 27, false, &limits), ERR_SYNTAX);
}

/* ---- limits ---- */

static void
limits_hold_to_the_byte(void)
{
    const char *text = "GET /abcdef HTTP/1.1\r\nA: 12345678901234\r\nB: 1\r\n\r\n";
    size_t len = strlen(text);
    struct http1_limits lim = { .head_bytes = len, .line_bytes = 22, .fields = 2 };
    EXPECT_EQ_INT(parse(text, len, true, &lim), (ssize_t)len);
    lim.head_bytes = len - 1;
    EXPECT_EQ_INT(parse(text, len, true, &lim), ERR_LIMIT);
    EXPECT_EQ_INT(error.status, 431);
    lim = (struct http1_limits){ .head_bytes = 21, .line_bytes = 22, .fields = 2 };
    EXPECT_EQ_INT(parse(text, len, true, &lim), ERR_LIMIT);
    EXPECT_EQ_INT(error.status, 414);
    lim = (struct http1_limits){ .head_bytes = len,
                                 .line_bytes = 16,
                                 .fields = 2 }; /* for "A: ...": one too few */
    EXPECT_EQ_INT(parse(text, len, true, &lim), ERR_LIMIT);
    EXPECT_EQ_INT(error.status, 431);
    lim = (struct http1_limits){ .head_bytes = len, .line_bytes = 22, .fields = 1 };
    EXPECT_EQ_INT(parse(text, len, true, &lim), ERR_LIMIT);
    EXPECT_EQ_INT(error.status, 431);
}

static void
a_full_buffer_without_the_end_of_a_head_is_refused(void)
{
    char text[4096];
    memset(text, 'a', sizeof text);
    memcpy(text, "GET / HTTP/1.1\r\nA: ", 19);
    struct http1_limits lim = { .head_bytes = sizeof text, .line_bytes = 8192, .fields = 64 };
    EXPECT_EQ_INT(parse(text, sizeof text - 1, true, &lim), 0);
    EXPECT_EQ_INT(parse(text, sizeof text, true, &lim), ERR_LIMIT);
    EXPECT_EQ_INT(error.status, 431);
}

static void
a_start_line_that_is_too_long_is_refused_before_it_ends(void)
{
    char text[4096];
    memset(text, 'a', sizeof text);
    memcpy(text, "GET /", 5);
    struct http1_limits lim = { .head_bytes = 1000, .line_bytes = 100, .fields = 64 };
    EXPECT_EQ_INT(parse(text, 999, true, &lim), 0);
    EXPECT_EQ_INT(parse(text, 1000, true, &lim), ERR_LIMIT);
    EXPECT_EQ_INT(error.status, 414);
    EXPECT_EQ_INT(parse(text, sizeof text, true, &lim), ERR_LIMIT); /* also if the end is searched first */
    EXPECT_EQ_INT(error.status, 414);
}

static void
a_message_with_fewer_places_than_fields_is_refused(void)
{
    char text[] = "GET / HTTP/1.1\r\nA: 1\r\nB: 2\r\n\r\n";
    arena_release(&arena);
    CHECK(message_init(&m, &arena, 1) == 0);
    EXPECT_EQ_INT(http1_parse_request(text, sizeof text - 1, &limits, &m, &error), ERR_LIMIT);
    EXPECT_EQ_INT(error.status, 431);
}

/* ---- writing ---- */

static void
what_was_parsed_is_written_again(void)
{
    const char
        *text = "PUT /x HTTP/1.1\r\nHost: a\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nX-Own: 2\r\n\r\n";
    char out[256];
    EXPECT(parse_request(text) > 0);
    ssize_t n = http1_write_request(&m, out, sizeof out);
    EXPECT_EQ_SPAN(span_of(out, (size_t)n), span_str(text));
    EXPECT(http1_head_size(&m) >= (size_t)n);
    EXPECT_EQ_INT(http1_write_request(&m, out, (size_t)n - 1), ERR_LIMIT);
    EXPECT_EQ_INT(http1_write_request(&m, out, (size_t)n), n);
    message_mark_hop(&m);
    n = http1_write_request(&m, out, sizeof out);
    EXPECT_EQ_SPAN(span_of(out, (size_t)n), SPAN_LIT("PUT /x HTTP/1.1\r\nHost: a\r\nX-Own: 2\r\n\r\n"));
}

static void
a_response_is_written(void)
{
    char out[128];
    CHECK(message_init(&m, &arena, 4) == 0);
    m.status = 404;
    EXPECT_EQ_INT(message_set(&m, NAME_AGE, SPAN_NULL, SPAN_LIT("0")), 0);
    ssize_t n = http1_write_response(&m, out, sizeof out);
    EXPECT_EQ_SPAN(span_of(out, (size_t)n), SPAN_LIT("HTTP/1.1 404 Not Found\r\nAge: 0\r\n\r\n"));
    EXPECT(http1_head_size(&m) >= (size_t)n);
    m.reason = SPAN_LIT("Gone Fishing");
    n = http1_write_response(&m, out, sizeof out);
    EXPECT_EQ_SPAN(span_of(out, 26), SPAN_LIT("HTTP/1.1 404 Gone Fishing\r"));
    EXPECT(http1_head_size(&m) >= (size_t)n);
    for (size_t cap = 0; cap < (size_t)n; cap++) {
        char *exact = mem_alloc(cap + 1); /* the sanitizer sees a write behind its end */
        EXPECT_EQ_INT(http1_write_response(&m, exact + 1, cap), ERR_LIMIT);
        free(exact);
    }
    EXPECT_EQ_INT(http1_write_response(&m, out, (size_t)n), n);
}

static void
start_lines_cannot_be_broken_by_what_a_policy_assigns(void)
{
    char out[128];
    CHECK(message_init(&m, &arena, 4) == 0);
    m.method = SPAN_LIT("GET");
    static const char *const urls[] = { "/a\tb", "/a\r\nHost: x", "/\n", "", "/\x7f" };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        m.url = span_str(urls[i]);
        EXPECT_EQ_INT(http1_write_request(&m, out, sizeof out), ERR_SYNTAX);
    }
    m.url = SPAN_LIT("/ HTTP/1.1"); /* a blank cannot end the target early */
    ssize_t n = http1_write_request(&m, out, sizeof out);
    EXPECT_EQ_SPAN(span_of(out, (size_t)n), SPAN_LIT("GET /%20HTTP/1.1 HTTP/1.1\r\n\r\n"));
    EXPECT(http1_head_size(&m) >= (size_t)n);
    m.url = SPAN_LIT("/");
    m.method = SPAN_LIT("GET /\r\n");
    EXPECT_EQ_INT(http1_write_request(&m, out, sizeof out), ERR_SYNTAX);
    m.status = 200;
    m.reason = SPAN_LIT("OK\r\nSet-Cookie: x");
    EXPECT_EQ_INT(http1_write_response(&m, out, sizeof out), ERR_SYNTAX);
    m.reason = SPAN_LIT("OK");
    m.status = 1000;
    EXPECT_EQ_INT(http1_write_response(&m, out, sizeof out), ERR_SYNTAX);
}

static void
chunk_sizes_are_written(void)
{
    char out[18];
    EXPECT_EQ_SPAN(span_of(out, http1_write_chunk_size(out, 0)), SPAN_LIT("0\r\n"));
    EXPECT_EQ_SPAN(span_of(out, http1_write_chunk_size(out, 16)), SPAN_LIT("10\r\n"));
    EXPECT_EQ_SPAN(span_of(out, http1_write_chunk_size(out, 0xabcdef)), SPAN_LIT("abcdef\r\n"));
    EXPECT_EQ_SPAN(span_of(out, http1_write_chunk_size(out, UINT64_MAX)), SPAN_LIT("ffffffffffffffff\r\n"));
}

static const struct test tests[] = {
    { "a_request_is_taken_apart", a_request_is_taken_apart },
    { "a_head_is_complete_only_at_its_end", a_head_is_complete_only_at_its_end },
    { "a_large_incomplete_head_is_complete_at_its_end_too",
      a_large_incomplete_head_is_complete_at_its_end_too },
    { "target_forms", target_forms },
    { "absolute_targets_are_split", absolute_targets_are_split },
    { "a_response_is_taken_apart", a_response_is_taken_apart },
    { "requests_may_use_bare_lf_for_all_lines_or_none", requests_may_use_bare_lf_for_all_lines_or_none },
    { "responses_may_use_bare_lf", responses_may_use_bare_lf },
    { "responses_may_have_blanks_before_a_colon", responses_may_have_blanks_before_a_colon },
    { "folded_lines_of_responses_become_blanks", folded_lines_of_responses_become_blanks },
    { "folded_lines_of_requests_become_blanks", folded_lines_of_requests_become_blanks },
    { "malformed_responses_are_refused", malformed_responses_are_refused },
    { "limits_hold_to_the_byte", limits_hold_to_the_byte },
    { "a_full_buffer_without_the_end_of_a_head_is_refused",
      a_full_buffer_without_the_end_of_a_head_is_refused },
    { "a_start_line_that_is_too_long_is_refused_before_it_ends",
      a_start_line_that_is_too_long_is_refused_before_it_ends },
    { "a_message_with_fewer_places_than_fields_is_refused",
      a_message_with_fewer_places_than_fields_is_refused },
    { "what_was_parsed_is_written_again", what_was_parsed_is_written_again },
    { "a_response_is_written", a_response_is_written },
    { "start_lines_cannot_be_broken_by_what_a_policy_assigns",
      start_lines_cannot_be_broken_by_what_a_policy_assigns },
    { "chunk_sizes_are_written", chunk_sizes_are_written },
};

int
main(int argc, char **argv)
{
    names_init();
    int failed = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    mem_thread_release();
    free(copy);
    return failed;
}
