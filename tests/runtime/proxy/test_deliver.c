/* Deliveries from a source of the test to a stream of the test. */
#include "proxy/deliver.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "loop/loop.h"
#include "support/on_loop.h"
#include "test.h"

#define BODY_BYTES 1000
#define PIECES_AT_ONCE 64 /* more than one turn of a loop may take */

/* Returns one byte at a time, as separate pieces of a filter. */
static struct slow_source {
    struct body_source source;
    unsigned at, in_this_turn;
    char byte;
} body;

static struct stream stream;
static size_t sent;
static int result;

static int
gather_byte(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    *then = body.at + 1 < BODY_BYTES ? SOURCE_MORE : SOURCE_END;
    body.byte = (char)body.at;
    iov[0] = (struct iovec){ &body.byte, 1 };
    EXPECT(body.in_this_turn++ < PIECES_AT_ONCE);
    return body.at < BODY_BYTES;
}

static void
advance_byte(struct body_source *b, size_t n, uint64_t held)
{
    body.at += (unsigned)n;
}

static ssize_t
send_bytes(struct stream *s, const struct iovec *iov, int n, bool last)
{
    if (n > 0 && sent == 0)
        EXPECT_EQ_INT(*(char *)iov->iov_base, (char)(BODY_BYTES - 2));
    sent += (size_t)n;
    s->taken += (size_t)n;
    s->released = s->taken;
    return n;
}

static void
is_done(struct delivery *d, int err)
{
    result = err;
}

static void
start(void *arg)
{
    result = deliver_start(arg);
}

static void
bytes_before_a_range_are_skipped_in_many_turns(void)
{
    static const struct body_source_ops source_ops = { .gather = gather_byte, .advance = advance_byte };
    static const struct stream_ops stream_ops = { .send_body = send_bytes };
    struct loop *loop = NULL;
    CHECK(loop_new(0, &loop) == 0);
    body.source.ops = &source_ops;
    stream.ops = &stream_ops;
    struct delivery d = { .stream = &stream,
                          .loop = loop,
                          .source = &body.source,
                          .skip = BODY_BYTES - 2,
                          .left = 2,
                          .done = is_done,
                          .idle_timeout = NSEC_NEVER,
                          .send_deadline = NSEC_NEVER };
    on_loop(loop, start, &d);
    unsigned turns = 0;
    for (; result == DELIVERY_PENDING && turns < BODY_BYTES; turns++) {
        body.in_this_turn = 0;
        loop_run_once(loop, NSEC_PER_MSEC);
    }
    EXPECT_EQ_INT(result, 0);
    EXPECT_EQ_INT(sent, 2);
    EXPECT(turns >= BODY_BYTES / PIECES_AT_ONCE);
    loop_release(&loop);
}

/* ---- several responses in one round ---- */

#define CLIENTS 3

static struct client {
    struct poll_handle poll;
    struct stream stream;
    struct delivery d;
} clients[CLIENTS];

static char order[2 * CLIENTS + 1]; /* s: a delivery starts, t: its stream takes the head */
static int n_done;

static ssize_t
take_head(struct stream *s, const struct iovec *iov, int n, bool last)
{
    order[strlen(order)] = 't';
    return 0;
}

static void
count_done(struct delivery *d, int err)
{
    EXPECT_EQ_INT(err, 0);
    n_done++;
}

static void
serve(struct poll_handle *h, uint32_t events)
{
    struct client *c = container_of(h, struct client, poll);
    order[strlen(order)] = 's';
    EXPECT_EQ_INT(deliver_start(&c->d), DELIVERY_PENDING);
}

static void
responses_of_one_round_are_sent_in_a_row(void)
{
    static const struct stream_ops ops = { .send_body = take_head };
    struct loop *loop = NULL;
    CHECK(loop_new(0, &loop) == 0);
    for (int i = 0; i < CLIENTS; i++) {
        struct client *c = &clients[i];
        c->stream.ops = &ops;
        c->d = (struct delivery){ .stream = &c->stream,
                                  .loop = loop,
                                  .left = UINT64_MAX,
                                  .done = count_done,
                                  .idle_timeout = NSEC_NEVER,
                                  .send_deadline = NSEC_NEVER };
        c->poll = (struct poll_handle){ .fd = eventfd(1, EFD_NONBLOCK), .on_event = serve };
        CHECK(loop_add(loop, &c->poll) == 0);
    }
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "sssttt");
    EXPECT_EQ_INT(n_done, CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
        loop_remove(loop, &clients[i].poll);
        close(clients[i].poll.fd);
    }
    loop_release(&loop);
}

static const struct test tests[] = {
    { "responses_of_one_round_are_sent_in_a_row", responses_of_one_round_are_sent_in_a_row },
    { "bytes_before_a_range_are_skipped_in_many_turns", bytes_before_a_range_are_skipped_in_many_turns },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
