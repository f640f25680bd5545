/* A layer between a connection and its socket: what it holds is read and sent at the right time, and the
 * connection asks it for what a socket would answer wrongly. */
#include <unistd.h>

#include "loop/fiber.h"
#include "support/record_layer.h"
#include "test.h"

#define MANY 100000
#define TEST(name) { #name, name }

static struct loop *loop;
static struct conn c;
static int peer; /* the other end of the socket */
static struct record_peer reader;
static unsigned n_ready, n_ahead;
static char text[64], many[MANY], got[MANY];
static ssize_t result;
static bool done;

static void
count_ready(struct conn *ready)
{
    n_ready++;
}

static void
count_ahead(struct conn *ready)
{
    n_ahead++;
}

static void
begin(size_t piece)
{
    int fds[2];
    CHECK(loop_new(0, &loop) == 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 &&
          conn_init(&c, loop, fds[0]) == 0);
    peer = fds[1];
    reader = (struct record_peer){ 0 };
    record_layer_add(&c, piece);
    c.on_ready = count_ready;
    n_ready = n_ahead = 0;
    for (size_t i = 0; i < MANY; i++)
        many[i] = (char)('a' + i % 26);
}

static void
end(void)
{
    conn_close(&c);
    if (peer >= 0)
        close(peer);
    loop_release(&loop);
    EXPECT_EQ_INT(record_layers, 0);
}

static void
says(enum record_kind kind, const char *plain)
{
    record_peer_says(peer, kind, plain, strlen(plain));
    loop_run_once(loop, 0);
}

/* Sends parts of a record. */
static void
says_raw(const char *raw, size_t n)
{
    CHECK(send(peer, raw, n, 0) == (ssize_t)n);
    loop_run_once(loop, 0);
}

static ssize_t
reads(void)
{
    memset(text, 0, sizeof text);
    return conn_read_now(&c, text, sizeof text);
}

/* Reads what the connection has sent, and turns the loop until nothing more comes. */
static size_t
peer_reads(void)
{
    size_t n = 0;
    for (int idle = 0; idle < 3;) {
        char plain[RECORD_PLAIN_MAX];
        ssize_t r = record_peer_reads(&reader, peer, plain);
        if (r > 0)
            memcpy(got + n, plain, (size_t)r);
        n += r > 0 ? (size_t)r : 0;
        idle = r > 0 ? 0 : idle + 1;
        loop_run_once(loop, 0);
    }
    return n;
}

/* Writes until the socket is full. Returns the bytes taken. */
static size_t
fills_the_socket(void)
{
    size_t n = 0;
    for (ssize_t w = 0; w != ERR_AGAIN; n += w > 0 ? (size_t)w : 0) {
        w = conn_write_now(&c, &(struct iovec){ many + n, MANY - n }, 1);
        CHECK(w > 0 || w == ERR_AGAIN);
    }
    EXPECT(conn_is_unsent(&c) && n < MANY);
    return n;
}

/* ---- reading ---- */

static void
bytes_of_the_layer_are_read_without_a_further_event(void)
{
    begin(1);
    says(RECORD_DATA, "abc");
    EXPECT_EQ_INT(n_ready, 1);
    for (const char *p = "abc"; *p != '\0'; p++) {
        EXPECT(conn_may_read(&c));
        EXPECT_EQ_INT(reads(), 1);
        EXPECT_EQ_INT(text[0], *p);
    }
    EXPECT_EQ_INT(reads(), ERR_AGAIN);
    EXPECT(!conn_may_read(&c));
    says(RECORD_DATA, "d");
    EXPECT_EQ_INT(n_ready, 2);
    EXPECT_EQ_INT(reads(), 1);
    end();
}

static void
half_a_record_is_not_ready(void)
{
    char raw[RECORD_BYTES_MAX];
    size_t n = record_seal(RECORD_DATA, "hello", 5, raw);
    begin(SIZE_MAX);
    for (size_t i = 0; i + 1 < n; i++) {
        says_raw(raw + i, 1);
        EXPECT_EQ_INT(reads(), ERR_AGAIN);
    }
    says_raw(raw + n - 1, 1);
    EXPECT_EQ_INT(n_ready, n);
    EXPECT_EQ_INT(reads(), 5);
    EXPECT_EQ_STR(span_str(text), "hello");
    end();
}

static void
read_on_a_fiber(void *arg)
{
    result = conn_read(&c, text, sizeof text, NSEC_NEVER);
    done = true;
}

static void
a_fiber_waits_for_the_whole_record(void)
{
    char raw[RECORD_BYTES_MAX];
    size_t n = record_seal(RECORD_DATA, "hello", 5, raw);
    begin(SIZE_MAX);
    done = false;
    CHECK(fiber_spawn(loop, read_on_a_fiber, NULL) == 0);
    loop_run_once(loop, 0);
    says_raw(raw, n - 1);
    EXPECT(!done);
    says_raw(raw + n - 1, 1);
    EXPECT(done);
    EXPECT_EQ_INT(result, 5);
    end();
}

static void
the_end_is_the_layers(void)
{
    begin(SIZE_MAX);
    says(RECORD_DATA, "x");
    says(RECORD_END, "");
    EXPECT_EQ_INT(reads(), 1);
    EXPECT_EQ_INT(reads(), 0);
    EXPECT_EQ_INT(reads(), 0);
    end();
    begin(SIZE_MAX); /* without its record, the end is a cut */
    says(RECORD_DATA, "x");
    close(peer);
    peer = -1;
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(reads(), 1);
    EXPECT_EQ_INT(reads(), ERR_RESET);
    end();
}

static void
nothing_is_read_ahead_and_no_file_is_sent(void)
{
    struct conn other;
    int fds[2];
    begin(SIZE_MAX);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 &&
          conn_init(&other, loop, fds[0]) == 0);
    c.on_ahead = other.on_ahead = count_ahead;
    EXPECT_EQ_INT(send(fds[1], "!", 1, 0), 1);
    says(RECORD_DATA, "x");
    EXPECT_EQ_INT(n_ahead, 1); /* of the plain one */
    EXPECT(!conn_sends_files(&c) && conn_sends_files(&other));
    conn_close(&other);
    close(fds[1]);
    end();
}

/* ---- writing ---- */

static void
bytes_for_a_full_socket_leave_when_it_has_room(void)
{
    begin(SIZE_MAX);
    size_t n = fills_the_socket();
    EXPECT_EQ_INT(n_ready, 0);
    EXPECT_EQ_INT(peer_reads(), n);
    EXPECT(memcmp(got, many, n) == 0);
    EXPECT(!conn_is_unsent(&c));
    EXPECT_EQ_INT(n_ready, 1); /* the connection is writable again */
    end();
}

static void
write_on_a_fiber(void *arg)
{
    result = conn_write(&c, &(struct iovec){ many, MANY }, 1, NSEC_NEVER);
    done = true;
}

static void
a_fiber_writes_until_the_socket_has_all(void)
{
    begin(SIZE_MAX);
    done = false;
    CHECK(fiber_spawn(loop, write_on_a_fiber, NULL) == 0);
    loop_run_once(loop, 0);
    EXPECT(!done && conn_is_unsent(&c));
    EXPECT_EQ_INT(peer_reads(), MANY);
    EXPECT(memcmp(got, many, MANY) == 0);
    EXPECT(done && result == 0 && !conn_is_unsent(&c));
    end();
}

static void
a_half_close_goes_behind_what_is_held(void)
{
    begin(SIZE_MAX);
    size_t n = fills_the_socket();
    conn_half_close(&c);
    EXPECT_EQ_INT(peer_reads(), n);
    EXPECT(reader.ended);
    says(RECORD_DATA, "still open");
    EXPECT_EQ_INT(reads(), 10);
    end();
}

static void
a_lost_peer_lets_no_writer_wait(void)
{
    begin(SIZE_MAX);
    (void)fills_the_socket();
    close(peer);
    peer = -1;
    loop_run_once(loop, 0);
    EXPECT(!conn_is_unsent(&c) && n_ready > 0);
    EXPECT_EQ_INT(conn_write_now(&c, &(struct iovec){ many, 1 }, 1), ERR_RESET);
    end();
}

/* ---- idle ---- */

static void
records_of_the_layer_alone_leave_a_connection_alive(void)
{
    begin(SIZE_MAX);
    says(RECORD_TICKET, "a");
    says(RECORD_TICKET, "b");
    EXPECT(conn_may_read(&c) && conn_alive(&c));
    EXPECT(!conn_may_read(&c));
    EXPECT_EQ_INT(record_layer_of(&c)->tickets, 2);
    says(RECORD_TICKET, "c");
    says(RECORD_DATA, "x");
    EXPECT(!conn_alive(&c) && !conn_alive(&c));
    EXPECT_EQ_INT(reads(), 1);
    EXPECT(conn_alive(&c));
    says(RECORD_END, "");
    EXPECT(!conn_alive(&c));
    end();
}

static void
a_layer_moves_with_its_socket(void)
{
    struct conn to;
    begin(SIZE_MAX);
    struct conn_layer *layer = c.layer;
    conn_take_over(&c, &to);
    EXPECT(c.layer == NULL && to.layer == layer);
    conn_forget(&c);
    c = to;
    CHECK(conn_attach(&c, loop) == 0);
    says(RECORD_DATA, "x");
    EXPECT_EQ_INT(reads(), 1);
    end();
}

static const struct test tests[] = {
    TEST(bytes_of_the_layer_are_read_without_a_further_event),
    TEST(half_a_record_is_not_ready),
    TEST(a_fiber_waits_for_the_whole_record),
    TEST(the_end_is_the_layers),
    TEST(nothing_is_read_ahead_and_no_file_is_sent),
    TEST(bytes_for_a_full_socket_leave_when_it_has_room),
    TEST(a_fiber_writes_until_the_socket_has_all),
    TEST(a_half_close_goes_behind_what_is_held),
    TEST(a_lost_peer_lets_no_writer_wait),
    TEST(records_of_the_layer_alone_leave_a_connection_alive),
    TEST(a_layer_moves_with_its_socket),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
