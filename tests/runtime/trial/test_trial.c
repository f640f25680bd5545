/* Trials: requests to a policy in memory, with scripted origins and a clock that leaps. */
#include "trial/trial.h"

#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "log/tags.h"
#include "support/image.h"

#define TEST(name) { #name, name }
#define NOW 1.7e9
#define GET_A "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
#define OK "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\n"

static struct trial *t;
static struct policy_image image;
static struct image_backend backend;
static struct trial_response got;
static int32_t on_recv_says;

static int32_t
on_recv(struct policy_ctx *ctx)
{
    return on_recv_says;
}
static int32_t
on_hash(struct policy_ctx *ctx)
{
    key_add(&ctx->client->key, ctx->arena, ctx->msg[MSG_REQ]->url);
    return ACTION_LOOKUP;
}
static int32_t
say_fetch(struct policy_ctx *ctx)
{
    return ACTION_FETCH;
}
static int32_t
say_pipe(struct policy_ctx *ctx)
{
    return ACTION_PIPE;
}

static void
begin(void)
{
    char error[200] = "";
    image = image_empty();
    image.hooks[HOOK_RECV] = on_recv;
    image.hooks[HOOK_HASH] = on_hash;
    image.hooks[HOOK_MISS] = image.hooks[HOOK_PASS] = image.hooks[HOOK_BACKEND_FETCH] = say_fetch;
    image.hooks[HOOK_PIPE] = say_pipe;
    backend = (struct image_backend){ .name = SPAN_LIT("b"),
                                      .host = SPAN_LIT("a.name.that.nobody.looks.up.invalid"),
                                      .port = SPAN_LIT("9"),
                                      .probe = -1,
                                      .connect_timeout_s = -1,
                                      .first_byte_timeout_s = -1,
                                      .between_bytes_timeout_s = -1 };
    image.backends = &backend;
    image.n_backends = 1;
    image.default_backend = 0;
    on_recv_says = ACTION_HASH;
    EXPECT_EQ_INT(trial_begin_image(t, &image, NOW, 1, error, sizeof error), 0);
}

static void
end(void)
{
    EXPECT_EQ_INT(trial_end(t), 0);
}

static void
answers_with(struct trial_answer a)
{
    a.head = a.head == NULL ? OK : a.head;
    a.body = a.body == NULL ? "hello" : a.body;
    a.head_bytes = strlen(a.head);
    a.body_bytes = strlen(a.body);
    EXPECT_EQ_INT(trial_answer(t, &a), 0);
}

static int
asks(const char *head)
{
    int err = trial_request(t, head, strlen(head), NULL, 0);
    trial_response(t, &got);
    return err;
}

static unsigned
n_records(enum log_tag tag, const char *with)
{
    size_t words;
    int lost;
    const uint32_t *at = trial_records(t, &words, &lost), *end = at + words;
    unsigned n = 0;
    EXPECT(!lost);
    for (; at < end; at += 2 + ((*at & 0xffff) + 3) / 4)
        n += at[0] >> 24 == (uint32_t)tag && strstr((const char *)(at + 2), with) != NULL;
    return n;
}

static bool
origins_got(const char *text)
{
    size_t n;
    const char *heads = trial_origin_heads(t, &n);
    return memmem(heads, n, text, strlen(text)) != NULL;
}

static void
keeps_a_response_until_its_time_is_over(void)
{
    begin();
    answers_with((struct trial_answer){ 0 });
    EXPECT_EQ_INT(asks(GET_A), 0);
    EXPECT_EQ_INT(got.status, 200);
    EXPECT_EQ_STR(span_of(got.body, got.body_bytes), "hello");
    EXPECT(origins_got("b\nGET /a\nHost: h\n"));
    EXPECT_EQ_INT(n_records(TAG_VCL_CALL, "MISS"), 1);
    asks(GET_A);
    EXPECT_EQ_INT(n_records(TAG_VCL_CALL, "HIT"), 1);
    EXPECT(!origins_got("GET"));
    trial_advance(t, 60 + 10 + 1); /* ttl and default_grace */
    asks(GET_A);
    EXPECT_EQ_INT(n_records(TAG_VCL_CALL, "MISS"), 1);
    end();
}

static void
refreshes_a_stale_response_before_it_returns(void)
{
    begin();
    answers_with((struct trial_answer){ 0 });
    asks(GET_A);
    trial_advance(t, 61);
    asks(GET_A);
    EXPECT_EQ_INT(n_records(TAG_BEGIN, "bgfetch"), 1);
    asks(GET_A);
    EXPECT_EQ_INT(n_records(TAG_VCL_CALL, "HIT"), 1);
    EXPECT(!origins_got("GET"));
    end();
}

static void
leaps_over_the_time_that_an_origin_takes(void)
{
    begin();
    answers_with((struct trial_answer){ .delay_s = 30 });
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 200);
    EXPECT(trial_now(t) == NOW + 30);
    end();
}

static void
ends_a_wait_with_the_timeout_of_the_backend(void)
{
    begin();
    answers_with((struct trial_answer){ .delay_s = 1000 });
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 503);
    EXPECT_EQ_INT(n_records(TAG_FETCH_ERROR, "first byte timeout"), 1);
    EXPECT(trial_now(t) == NOW + params.first_byte_timeout_s);
    end();
}

static void
fails_as_origins_do(void)
{
    static const struct {
        enum trial_failure fails;
        const char *why;
    } rows[] = {
        { TRIAL_REFUSES, "backend b: fail errno 111 (Connection refused)" },
        { TRIAL_CLOSES, "eof" },
        { TRIAL_CUTS_OFF, "insufficient bytes" }, /* known before the head went to the client */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        answers_with((struct trial_answer){ .fails = rows[i].fails });
        asks(GET_A);
        EXPECT_EQ_INT(got.status, 503);
        EXPECT_EQ_INT(n_records(TAG_FETCH_ERROR, rows[i].why), 1);
        end();
    }
}

static void
chooses_the_first_answer_that_fits(void)
{
    begin();
    answers_with((struct trial_answer){ .url = "/b", .body = "other" });
    answers_with((struct trial_answer){ .backend = "c", .body = "other" });
    answers_with((struct trial_answer){ .method = "POST", .body = "other" });
    answers_with((struct trial_answer){ .url = "/a*", .body = "first", .times = 1 });
    answers_with((struct trial_answer){ .body = "later" });
    asks(GET_A);
    EXPECT_EQ_STR(span_of(got.body, got.body_bytes), "first");
    asks("GET /a2 HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ_STR(span_of(got.body, got.body_bytes), "later");
    end();
    begin();
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 503);
    EXPECT_EQ_INT(n_records(TAG_FETCH_ERROR, "no answer"), 1);
    end();
}

static void
refuses_what_is_no_request(void)
{
    begin();
    EXPECT_EQ_INT(asks("GET /a\r\n"), ERR_SYNTAX);
    EXPECT(strlen(trial_why(t)) > 0);
    EXPECT_EQ_INT(got.status, 0);
    answers_with((struct trial_answer){ 0 });
    EXPECT_EQ_INT(asks(GET_A), 0); /* the world goes on */
    EXPECT_EQ_INT(got.status, 200);
    end();
}

static void
knows_which_backend_is_sick(void)
{
    begin();
    answers_with((struct trial_answer){ 0 });
    EXPECT_EQ_INT(trial_set_health(t, "b", 0), 0);
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 503);
    EXPECT_EQ_INT(trial_set_health(t, "b", 1), 0);
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 200);
    EXPECT_EQ_INT(trial_set_health(t, "c", 0), ERR_NOTFOUND);
    end();
}

static void
a_backend_with_a_probe_begins_healthy_and_polls_come_by_hand(void)
{
    static struct image_probe probe = { .name = SPAN_LIT("p"),
                                        .url = SPAN_LIT("/"),
                                        .request = { NULL, 0 },
                                        .expected_response = 200,
                                        .window = 5,
                                        .threshold = 3,
                                        .initial = 0,
                                        .timeout_s = 2,
                                        .interval_s = 7 };
    char error[200] = "";
    begin();
    EXPECT(trial_probe_interval(t, "b") < 0 && trial_poll(t, "b", 1) == ERR_NOTFOUND);
    end();
    image.probes = &probe;
    image.n_probes = 1;
    backend.probe = 0;
    EXPECT_EQ_INT(trial_begin_image(t, &image, NOW, 1, error, sizeof error), 0);
    answers_with((struct trial_answer){ 0 });
    on_recv_says = ACTION_PASS;
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 200);
    EXPECT(trial_sick(t, 0) == NULL);
    EXPECT(trial_probe_interval(t, "b") == 7);
    for (unsigned i = 0; i < 3; i++) {
        asks(GET_A);
        EXPECT_EQ_INT(got.status, 200); /* 3 of the last 5 polls were good */
        EXPECT_EQ_INT(trial_poll(t, "b", 0), 0);
    }
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 503);
    EXPECT(strcmp(trial_sick(t, 0), "b") == 0 && trial_sick(t, 1) == NULL);
    EXPECT_EQ_INT(trial_set_health(t, "b", 1), 0); /* by hand, until the next poll */
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 200);
    EXPECT_EQ_INT(trial_poll(t, "b", 0), 0);
    asks(GET_A);
    EXPECT_EQ_INT(got.status, 503);
    end();
}

static void
carries_the_body_of_a_request(void)
{
    const char *head = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n";
    begin();
    on_recv_says = ACTION_PASS;
    answers_with((struct trial_answer){ .method = "POST" });
    EXPECT_EQ_INT(trial_request(t, head, strlen(head), "abc", 3), 0);
    trial_response(t, &got);
    EXPECT_EQ_INT(got.status, 200);
    EXPECT(origins_got("Content-Length: 3\n"));
    end();
}

static void
ends_a_tunnel(void)
{
    begin();
    on_recv_says = ACTION_PIPE;
    answers_with((struct trial_answer){ 0 });
    EXPECT_EQ_INT(asks(GET_A), 0);
    EXPECT(got.was_tunnel);
    EXPECT_EQ_STR(span_of(got.body, got.body_bytes), OK "hello");
    end();
}

static void
a_tunnel_without_an_answer_ends_too(void)
{
    begin();
    on_recv_says = ACTION_PIPE;
    EXPECT_EQ_INT(asks(GET_A), 0);
    end();
}

static void
shows_the_policy_the_addresses_it_was_given(void)
{
    begin();
    answers_with((struct trial_answer){ 0 });
    EXPECT_EQ_INT(trial_set_client(t, "2001:db8::7", 1234), 0);
    asks(GET_A);
    EXPECT_EQ_INT(n_records(TAG_REQ_START, "2001:db8::7 1234"), 1);
    EXPECT_EQ_INT(trial_set_client(t, "nowhere", 1), ERR_SYNTAX);
    end();
}

static void
worlds_are_equal_to_the_last_record(void)
{
    static uint32_t first[4096];
    size_t words[2];
    int lost;
    for (int i = 0; i < 2; i++) {
        begin();
        answers_with((struct trial_answer){ 0 });
        asks(GET_A);
        const uint32_t *records = trial_records(t, &words[i], &lost);
        EXPECT(words[i] < sizeof first / sizeof *first);
        if (i == 0)
            memcpy(first, records, words[0] * sizeof *first);
        else
            EXPECT(words[0] == words[1] && memcmp(first, records, words[1] * sizeof *first) == 0);
        end();
    }
}

static void
a_process_has_one_trial(void)
{
    EXPECT(trial_new() == NULL);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(keeps_a_response_until_its_time_is_over),
        TEST(refreshes_a_stale_response_before_it_returns),
        TEST(leaps_over_the_time_that_an_origin_takes),
        TEST(ends_a_wait_with_the_timeout_of_the_backend),
        TEST(fails_as_origins_do),
        TEST(chooses_the_first_answer_that_fits),
        TEST(refuses_what_is_no_request),
        TEST(knows_which_backend_is_sick),
        TEST(a_backend_with_a_probe_begins_healthy_and_polls_come_by_hand),
        TEST(carries_the_body_of_a_request),
        TEST(ends_a_tunnel),
        TEST(a_tunnel_without_an_answer_ends_too),
        TEST(shows_the_policy_the_addresses_it_was_given),
        TEST(worlds_are_equal_to_the_last_record),
        TEST(a_process_has_one_trial),
    };
    t = trial_new();
    int result = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    trial_free(t);
    return result;
}
