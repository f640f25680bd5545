/* The request to the origin, made from the client's: fields that are dropped for a fetch into the cache, for
 * a pass and for a pipe. */
#include "base/check.h"
#include "cache/store.h"
#include "http/http1.h"
#include "proxy/bereq.h"
#include "proxy/respond/respond.h"
#include "http/fields.h"
#include "test.h"

static struct request r;
static struct arena arena;
static struct http_message out;
static char received[2048]; /* memory for the spans of r.req */

static void
client_sends(const char *head)
{
    struct http1_limits lim = { sizeof received, sizeof received, 32 };
    struct http1_error e;
    size_t n = strlen(head);
    CHECK(n < sizeof received);
    memcpy(received, head, n);
    arena_release(&r.arena);
    arena_release(&arena);
    CHECK(message_init(&r.req, &r.arena, 40) == 0);
    CHECK(http1_parse_request(received, n, &lim, &r.req, &e) == (ssize_t)n);
}

/* The head as the origin gets it. */
static struct span
written(void)
{
    static char buf[2048];
    ssize_t n = http1_write_request(&out, buf, sizeof buf);
    CHECK(n > 0);
    return span_of(buf, (size_t)n);
}

static struct span
made_for(enum bereq_for what)
{
    EXPECT_EQ_INT(bereq_make(&r.req, what, false, 7, &arena, &out), 0);
    return written();
}

#define CONDITIONS \
    "Range: bytes=1-2\r\nIf-Range: \"e\"\r\nIf-None-Match: \"e\"\r\nIf-Match: \"e\"\r\nIf-Modified-Since: x\r\nIf-Unmodified-Since: x\r\n"

static void
a_fetch_into_the_cache_is_an_unconditional_get(void)
{
    client_sends("HEAD /a HTTP/1.0\r\nHost: a\r\n" CONDITIONS "X-Own: 1\r\n\r\n");
    EXPECT_EQ_STR(made_for(BEREQ_MISS),
                  "GET /a HTTP/1.1\r\nHost: a\r\nX-Own: 1\r\nAccept-Encoding: gzip\r\nX-Varnish: 7\r\n\r\n");
}

static void
a_pass_keeps_method_and_conditions(void)
{
    client_sends("DELETE /a HTTP/1.1\r\nHost: a\r\n" CONDITIONS "\r\n");
    EXPECT_EQ_STR(made_for(BEREQ_PASS),
                  "DELETE /a HTTP/1.1\r\nHost: a\r\n" CONDITIONS "X-Varnish: 7\r\n\r\n");
}

static void
what_belongs_to_one_hop_is_left_out(void)
{
    client_sends(
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\n"
        "Upgrade: h2c\r\nHTTP2-Settings: x\r\nProxy-Connection: close\r\nExpect: 100-continue\r\n\r\n");
    message_mark_named(&r.req); /* as the parser does */
    EXPECT_EQ_STR(made_for(BEREQ_PASS), "GET / HTTP/1.1\r\nHost: a\r\nX-Varnish: 7\r\n\r\n");
    EXPECT_EQ_STR(made_for(BEREQ_MISS),
                  "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nX-Varnish: 7\r\n\r\n");
    CHECK(message_set(&r.req, NAME_NONE, SPAN_LIT("X-Mine"), SPAN_LIT("2")) == 0); /* set by the policy */
    EXPECT_EQ_STR(made_for(BEREQ_MISS),
                  "GET / HTTP/1.1\r\nHost: a\r\nX-Mine: 2\r\nAccept-Encoding: gzip\r\nX-Varnish: 7\r\n\r\n");
}

static void
a_pipe_keeps_the_framing_of_its_bytes_and_offers_no_other_protocol(void)
{
    client_sends(
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings, X-Mine\r\nX-Mine: 1\r\n"
        "HTTP2-Settings: x\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\nExpect: 100-continue\r\nKeep-Alive: 5\r\n\r\n");
    message_mark_named(&r.req); /* as the parser does */
    EXPECT_EQ_STR(made_for(BEREQ_PIPE),
                  "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\n"
                  "Expect: 100-continue\r\nConnection: close\r\nX-Varnish: 7\r\n\r\n");
}

static void
its_text_outlives_the_client(void)
{
    client_sends("GET /lives HTTP/1.1\r\nHost: lives\r\nX-Own: lives\r\n\r\n");
    made_for(BEREQ_PASS);
    arena_release(&r.arena);
    memset(received, 'x', sizeof received);
    EXPECT_EQ_STR(written(), "GET /lives HTTP/1.1\r\nHost: lives\r\nX-Own: lives\r\nX-Varnish: 7\r\n\r\n");
}

static void
a_full_workspace_is_an_error(void)
{
    client_sends("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
    struct arena small;
    arena_init(&small, 64);
    EXPECT_EQ_INT(bereq_make(&r.req, BEREQ_PASS, false, 7, &small, &out), ERR_NOMEM);
    arena_release(&small);
}

static struct object *
stored(struct store *store, unsigned status, const char *name, const char *value)
{
    struct object *o = NULL;
    struct http_message m;
    struct arena a = { 0 };
    CHECK(object_new(store_transient(store), OBJECT_PRIVATE, &o) == 0 && message_init(&m, &a, 8) == 0);
    m.status = (uint16_t)status;
    CHECK(message_add(&m, name_lookup(span_str(name)), span_str(name), span_str(value)) == 0);
    CHECK(object_set_head(o, &m, NULL) == 0);
    arena_release(&a);
    return o;
}

static void
validators_of_a_stored_200_make_a_fetch_conditional(void)
{
    struct store *store = NULL;
    CHECK(store_new(NULL, &store) == 0);
    struct object *tagged = stored(store, 200, "ETag", "\"e\""),
                  *dated = stored(store, 200, "Last-Modified", "yesterday"),
                  *neither = stored(store, 200, "Server", "x"), *other = stored(store, 404, "ETag", "\"e\"");
    client_sends("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
    made_for(BEREQ_MISS);
    EXPECT(!bereq_add_validators(&out, neither) && !bereq_add_validators(&out, other));
    EXPECT(!message_has(&out, NAME_IF_NONE_MATCH) && !message_has(&out, NAME_IF_MODIFIED_SINCE));
    EXPECT(bereq_add_validators(&out, tagged) && bereq_add_validators(&out, dated));
    object_release(&tagged);
    object_release(&dated);
    object_release(&neither);
    object_release(&other);
    EXPECT_EQ_STR(message_get(&out, NAME_IF_NONE_MATCH), "\"e\""); /* its own copy */
    EXPECT_EQ_STR(message_get(&out, NAME_IF_MODIFIED_SINCE), "yesterday");
    store_release(&store);
}

static void
the_backend_s_host_is_for_requests_without_one(void)
{
    client_sends("GET /a HTTP/1.0\r\n\r\n");
    made_for(BEREQ_PASS);
    EXPECT_EQ_INT(bereq_set_host(&out, SPAN_LIT("b.example")), 0);
    EXPECT_EQ_STR(message_get(&out, NAME_HOST), "b.example");
    EXPECT_EQ_INT(bereq_set_host(&out, SPAN_LIT("c.example")), 0);
    EXPECT_EQ_STR(message_get(&out, NAME_HOST), "b.example");
}

static void
expect_gzip(const char *accept_encoding, bool want)
{
    char head[256];
    snprintf(head, sizeof head, "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: %s\r\n\r\n", accept_encoding);
    client_sends(head);
    if (!EXPECT_EQ_INT(accepts_gzip(message_get(&r.req, NAME_ACCEPT_ENCODING)), want))
        fprintf(stderr, "    Accept-Encoding: %s\n", accept_encoding);
}

static void
gzip_is_accepted_unless_its_quality_is_zero(void)
{
    expect_gzip("gzip", true);
    expect_gzip("br, GZip;q=0.5", true);
    expect_gzip("x-gzip", true);
    expect_gzip("*", true);
    expect_gzip("gzip;q=0.001", true);
    expect_gzip("gzip;q=0", false);
    expect_gzip("gzip ; Q=0.000 , *", false);
    expect_gzip("*;q=0", false);
    expect_gzip("br", false);
    expect_gzip("", false);
}

static const struct test tests[] = {
    { "a_fetch_into_the_cache_is_an_unconditional_get", a_fetch_into_the_cache_is_an_unconditional_get },
    { "a_pass_keeps_method_and_conditions", a_pass_keeps_method_and_conditions },
    { "what_belongs_to_one_hop_is_left_out", what_belongs_to_one_hop_is_left_out },
    { "a_pipe_keeps_the_framing_of_its_bytes_and_offers_no_other_protocol",
      a_pipe_keeps_the_framing_of_its_bytes_and_offers_no_other_protocol },
    { "its_text_outlives_the_client", its_text_outlives_the_client },
    { "a_full_workspace_is_an_error", a_full_workspace_is_an_error },
    { "validators_of_a_stored_200_make_a_fetch_conditional",
      validators_of_a_stored_200_make_a_fetch_conditional },
    { "the_backend_s_host_is_for_requests_without_one", the_backend_s_host_is_for_requests_without_one },
    { "gzip_is_accepted_unless_its_quality_is_zero", gzip_is_accepted_unless_its_quality_is_zero },
};

int
main(int argc, char **argv)
{
    names_init();
    int failed = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    arena_release(&r.arena);
    mem_thread_release();
    return failed;
}
