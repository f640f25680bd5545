/* Connections: reads and writes on fibers and without, deadlines, closing, connecting, moving between loops.
 */
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "loop/conn.h"
#include "loop/fiber.h"
#include "test.h"

static struct loop *loop;
static struct conn left, right; /* the two ends of a pair */
static unsigned n_running;      /* fibers of the test */

static void
setup(void)
{
    int fds[2];
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    EXPECT_EQ_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    EXPECT_EQ_INT(conn_init(&left, loop, fds[0]), 0);
    EXPECT_EQ_INT(conn_init(&right, loop, fds[1]), 0);
    n_running = 0;
}

static void
teardown(void)
{
    conn_close(&left);
    conn_close(&right);
    conn_close(&right); /* harmless */
    loop_release(&loop);
}

static void
spawn(void (*fn)(void *arg), void *arg)
{
    n_running++;
    EXPECT_EQ_INT(fiber_spawn(loop, fn, arg), 0);
}

static void
run(void)
{
    while (n_running > 0)
        loop_run_once(loop, NSEC_NEVER);
}

static nsec
in_msec(int n)
{
    return clock_mono_ns() + n * NSEC_PER_MSEC;
}

/* ---- one read, one write ---- */

static ssize_t read_result;
static char read_text[64];

static void
read_once(void *arg)
{
    nsec *deadline = arg;
    read_result = conn_read(&left, read_text, sizeof read_text, deadline == NULL ? NSEC_NEVER : *deadline);
    n_running--;
}

static void
a_read_waits_for_bytes(void)
{
    setup();
    spawn(read_once, NULL);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(n_running, 1);
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "hello", 5 }, 1), 5);
    run();
    EXPECT_EQ_INT(read_result, 5);
    EXPECT_EQ_SPAN(span_of(read_text, 5), SPAN_LIT("hello"));
    EXPECT_EQ_INT(left.bytes_in, 5);
    EXPECT_EQ_INT(right.bytes_out, 5);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, 1), ERR_AGAIN);
    teardown();
}

static void
a_read_times_out(void)
{
    setup();
    nsec deadline = in_msec(3);
    spawn(read_once, &deadline);
    run();
    EXPECT_EQ_INT(read_result, ERR_TIMEOUT);
    EXPECT(clock_mono_ns() >= deadline);
    teardown();
}

static void
a_read_ends_when_the_peer_closes(void)
{
    setup();
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "bye", 3 }, 1), 3);
    conn_close(&right);
    loop_run_once(loop, 0); /* bytes and end come in one event */
    EXPECT((left.ready & CONN_PEER_CLOSED) != 0);
    spawn(read_once, NULL);
    run();
    EXPECT_EQ_INT(read_result, 3);
    spawn(read_once, NULL); /* the end shows after a short read */
    run();
    EXPECT_EQ_INT(read_result, 0);
    teardown();
}

static void
a_waiting_read_sees_the_end(void)
{
    setup();
    spawn(read_once, NULL);
    loop_run_once(loop, 0);
    conn_close(&right);
    run();
    EXPECT_EQ_INT(read_result, 0);
    teardown();
}

/* ---- back-pressure ---- */

enum { BULK = 4 * 1024 * 1024 };
static char *bulk;
static size_t bulk_read;
static int write_result;

static void
write_bulk(void *arg)
{
    nsec *deadline = arg;
    struct iovec iov[4] = {
        { bulk, 1 },
        { NULL, 0 },
        { bulk + 1, BULK / 2 },
        { bulk + 1 + BULK / 2, BULK - 1 - BULK / 2 },
    };
    write_result = conn_write(&right, iov, 4, deadline == NULL ? NSEC_NEVER : *deadline);
    n_running--;
}

static void
read_bulk(void *arg)
{
    (void)arg;
    static char piece[50000];
    while (bulk_read < BULK) {
        ssize_t n = conn_read(&left, piece, sizeof piece, NSEC_NEVER);
        if (!EXPECT(n > 0) || !EXPECT(memcmp(piece, bulk + bulk_read, (size_t)n) == 0))
            break;
        bulk_read += (size_t)n;
    }
    n_running--;
}

static void
bulk_init(void)
{
    bulk = malloc(BULK);
    for (size_t i = 0; i < BULK; i++)
        bulk[i] = (char)(i * 2654435761u >> 24);
    bulk_read = 0;
}

static void
a_write_larger_than_the_sockets_buffer_arrives_whole(void)
{
    setup();
    bulk_init();
    spawn(write_bulk, NULL);
    spawn(read_bulk, NULL);
    run();
    EXPECT_EQ_INT(write_result, 0);
    EXPECT_EQ_INT(bulk_read, BULK);
    EXPECT_EQ_INT(right.bytes_out, BULK);
    free(bulk);
    teardown();
}

static void
a_write_that_nobody_reads_times_out(void)
{
    setup();
    bulk_init();
    nsec deadline = in_msec(3);
    spawn(write_bulk, &deadline);
    run();
    EXPECT_EQ_INT(write_result, ERR_TIMEOUT);
    free(bulk);
    teardown();
}

static void
a_write_to_a_closed_peer_is_reset_without_a_signal(void)
{
    setup();
    bulk_init();
    conn_close(&left);
    spawn(write_bulk, NULL);
    run();
    EXPECT_EQ_INT(write_result, ERR_RESET);
    free(bulk);
    teardown();
}

static void
more_pieces_than_one_call_takes_are_written(void)
{
    setup();
    static char text[] = "0123456789";
    struct iovec iov[200];
    for (int i = 0; i < 200; i++)
        iov[i] = (struct iovec){ text + i % 10, 1 };
    EXPECT_EQ_INT(conn_write_now(&right, iov, 200), 64);
    char got[64];
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(conn_read_now(&left, got, sizeof got), 64);
    EXPECT_EQ_SPAN(span_of(got + 60, 4), SPAN_LIT("0123"));
    teardown();
}

/* Pieces of up to 4,096 bytes are copied into one, here those with a body of 3,792 or 3,793 bytes. */
static void
pieces_arrive_in_order_whatever_their_size(void)
{
    static char head[300], body[8000], got[sizeof head + sizeof body];
    memset(head, 'h', sizeof head);
    memset(body, 'b', sizeof body);
    for (size_t n = 3792; n <= 3795; n++) {
        setup();
        struct iovec iov[3] = { { head, sizeof head }, { body, n }, { "end", 3 } };
        ssize_t whole = (ssize_t)(sizeof head + n + 3);
        EXPECT_EQ_INT(conn_write_now(&right, iov, 3), whole);
        EXPECT_EQ_INT(right.bytes_out, whole);
        loop_run_once(loop, 0);
        EXPECT_EQ_INT(conn_read_now(&left, got, sizeof got), whole);
        EXPECT(memcmp(got, head, sizeof head) == 0 && memcmp(got + sizeof head, body, n) == 0);
        EXPECT_EQ_SPAN(span_of(got + sizeof head + n, 3), SPAN_LIT("end"));
        teardown();
    }
}

/* ---- without a fiber ---- */

static unsigned n_ready_calls;
static bool close_when_ready;

static void
count_ready(struct conn *c)
{
    n_ready_calls++;
    if (close_when_ready)
        conn_close(c); /* allowed from here */
}

static void
on_ready_is_called_for_news_nobody_waits_for(void)
{
    setup();
    left.on_ready = count_ready;
    n_ready_calls = 0;
    loop_run_once(loop, 0); /* writable, which is not reported */
    EXPECT_EQ_INT(n_ready_calls, 0);
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "x", 1 }, 1), 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(n_ready_calls, 1);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), 1);
    spawn(read_once, NULL);
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "y", 1 }, 1), 1);
    run(); /* reported to the fiber, not to us */
    EXPECT_EQ_INT(n_ready_calls, 1);
    close_when_ready = true;
    conn_close(&right);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(n_ready_calls, 2);
    EXPECT_EQ_INT(left.poll.fd, -1);
    teardown();
}

static size_t ahead_bytes; /* room for a read ahead */

static void
read_ahead(struct conn *c)
{
    conn_read_ahead(c, read_text, ahead_bytes);
}

/* Both ends have input in one round, so `left` reads ahead. */
static void
receive_ahead(size_t room)
{
    setup();
    ahead_bytes = room;
    left.on_ahead = read_ahead;
    memset(read_text, 0, sizeof read_text);
    EXPECT_EQ_INT(conn_write_now(&left, &(struct iovec){ "!", 1 }, 1), 1);
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "hello", 5 }, 1), 5);
    loop_run_once(loop, 0);
}

static void
bytes_read_ahead_are_those_of_the_next_read(void)
{
    receive_ahead(sizeof read_text);
    EXPECT_EQ_SPAN(span_of(read_text, 6), span_of("hello", 6));
    EXPECT_EQ_INT(left.bytes_in, 0);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), 5);
    EXPECT_EQ_INT(left.bytes_in, 5);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), ERR_AGAIN);
    teardown();
}

static void
a_full_read_ahead_does_not_mean_that_the_socket_is_empty(void)
{
    receive_ahead(2);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), 2);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), 3);
    EXPECT_EQ_SPAN(span_of(read_text, 3), SPAN_LIT("llo"));
    teardown();
}

static void
an_end_is_not_read_ahead(void)
{
    setup();
    ahead_bytes = sizeof read_text;
    left.on_ahead = read_ahead;
    read_text[0] = 0;
    EXPECT_EQ_INT(conn_write_now(&left, &(struct iovec){ "!", 1 }, 1), 1);
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "hello", 5 }, 1), 5);
    conn_half_close(&right);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(read_text[0], 0);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), 5);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), 0);
    teardown();
}

static void
an_idle_connection_tells_whether_it_is_alive(void)
{
    setup();
    loop_run_once(loop, 0);
    EXPECT(conn_alive(&left));
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "x", 1 }, 1), 1);
    EXPECT(!conn_alive(&left)); /* unexpected bytes */
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, 1), 1);
    EXPECT(conn_alive(&left));
    conn_close(&right);
    EXPECT(!conn_alive(&left)); /* before an event reports it */
    teardown();
}

static int wait_result;

static void
wait_readable(void *arg)
{
    nsec *deadline = arg;
    wait_result = conn_wait(&left, CONN_READABLE, *deadline);
    n_running--;
}

static void
waiting_without_reading(void)
{
    setup();
    nsec deadline = in_msec(2);
    spawn(wait_readable, &deadline);
    run();
    EXPECT_EQ_INT(wait_result, ERR_TIMEOUT);
    deadline = NSEC_NEVER;
    spawn(wait_readable, &deadline);
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "x", 1 }, 1), 1);
    run();
    EXPECT_EQ_INT(wait_result, 0);
    EXPECT_EQ_INT(conn_read_now(&left, read_text, sizeof read_text), 1);
    teardown();
}

/* ---- connecting ---- */

static struct sockaddr_in target;
static int connect_result;
static struct conn client;

static void
connect_target(void *arg)
{
    (void)arg;
    connect_result = conn_connect(&client, loop, (struct sockaddr *)&target, sizeof target, in_msec(2000));
    n_running--;
}

static int
listen_local(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    socklen_t len = sizeof target;
    target = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    EXPECT_EQ_INT(bind(fd, (struct sockaddr *)&target, len), 0);
    EXPECT_EQ_INT(listen(fd, 8), 0);
    EXPECT_EQ_INT(getsockname(fd, (struct sockaddr *)&target, &len), 0);
    return fd;
}

static void
a_connect_gives_a_connection_with_both_addresses(void)
{
    setup();
    int fd = listen_local();
    spawn(connect_target, NULL);
    run();
    EXPECT_EQ_INT(connect_result, 0);
    int nodelay = 0;
    socklen_t len = sizeof nodelay;
    EXPECT_EQ_INT(getsockopt(client.poll.fd, IPPROTO_TCP, TCP_NODELAY, &nodelay, &len), 0);
    EXPECT(nodelay != 0);
    struct address local, peer, again;
    char text[ADDRESS_TEXT_BYTES];
    conn_local(&client, &local);
    conn_peer(&client, &peer);
    EXPECT_EQ_INT(peer.port, ntohs(target.sin_port));
    EXPECT_EQ_INT(peer.family, 4);
    EXPECT_EQ_INT(local.family, 4);
    EXPECT_EQ_INT(address_text(&peer, text), 9);
    EXPECT_EQ_STR(span_str(text), "127.0.0.1");
    struct sockaddr_storage ss;
    EXPECT_EQ_INT(address_sockaddr(&peer, &ss), sizeof target);
    address_of((struct sockaddr *)&ss, &again);
    EXPECT(memcmp(&peer, &again, sizeof peer) == 0);
    conn_reset(&client);
    close(fd);
    teardown();
}

static void
a_refused_connect_is_reset(void)
{
    setup();
    close(listen_local()); /* no listener is left there */
    spawn(connect_target, NULL);
    run();
    EXPECT_EQ_INT(connect_result, ERR_RESET);
    EXPECT_EQ_INT(client.poll.fd, -1);
    teardown();
}

static int
corked(int fd)
{
    int on = -1;
    socklen_t len = sizeof on;
    return getsockopt(fd, IPPROTO_TCP, TCP_CORK, &on, &len) == 0 ? on : -1;
}

static void
the_kernel_holds_bytes_for_the_end_of_a_connection(void)
{
    struct conn tcp = { 0 };
    char text[8];
    setup();
    EXPECT_EQ_INT(conn_init(&tcp, loop, socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)), 0);
    EXPECT_EQ_INT(corked(tcp.poll.fd), 0);
    conn_hold_end(&tcp);
    EXPECT_EQ_INT(corked(tcp.poll.fd), 1);
    conn_close(&tcp);
    conn_hold_end(&right); /* a Unix socket has no packets, and its bytes arrive at once */
    EXPECT_EQ_INT(conn_write_now(&right, &(struct iovec){ "last", 4 }, 1), 4);
    conn_expect(&left);
    EXPECT_EQ_INT(conn_read_now(&left, text, sizeof text), 4);
    teardown();
}

#define MUCH 1000000

static char much[MUCH];
static int write_results[2];

static void
write_twice(void *arg)
{
    struct iovec iov[] = { { much, 1 }, { much + 1, MUCH - 1 } };
    write_results[0] = conn_write(&right, iov, 2, NSEC_NEVER);
    write_results[1] = conn_write(&right, iov, 2, NSEC_NEVER);
    n_running--;
}

static void
read_much(void *arg)
{
    static char got[MUCH];
    for (size_t n = 0; n < MUCH;)
        n += (size_t)conn_read(&left, got + n, MUCH - n, NSEC_NEVER);
    EXPECT(memcmp(got, much, MUCH) == 0);
    n_running--;
}

static void
waiting_fibers_can_be_stopped(void)
{
    setup();
    conn_stop_reader(&left); /* harmless */
    conn_stop_writer(&left);
    spawn(read_once, NULL);
    loop_run_once(loop, 0);
    conn_stop_reader(&left);
    run();
    EXPECT_EQ_INT(read_result, ERR_AGAIN);
    for (size_t i = 0; i < MUCH; i++)
        much[i] = (char)(i % 251);
    spawn(write_twice, NULL);
    loop_run_once(loop, 0);
    conn_stop_writer(&right);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(write_results[0], ERR_AGAIN);
    spawn(read_much, NULL);
    run();
    EXPECT_EQ_INT(write_results[1], 0);
    EXPECT_EQ_INT(right.bytes_out, MUCH);
    teardown();
}

static void
addresses_as_text(void)
{
    char text[ADDRESS_TEXT_BYTES];
    struct address a;
    struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(80) };
    in6.sin6_addr.s6_addr[0] = 0x20;
    in6.sin6_addr.s6_addr[15] = 1;
    address_of((struct sockaddr *)&in6, &a);
    EXPECT_EQ_INT(a.family, 6);
    address_text(&a, text);
    EXPECT_EQ_STR(span_str(text), "2000::1");
    memcpy(in6.sin6_addr.s6_addr, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\x00\x00\x07", 16);
    address_of((struct sockaddr *)&in6, &a);
    EXPECT_EQ_INT(a.family, 6);
    address_text(&a, text);
    EXPECT_EQ_STR(span_str(text), "::ffff:10.0.0.7");
    address_of_peer((struct sockaddr *)&in6, &a);
    EXPECT_EQ_INT(a.family, 4); /* IPv4 behind a dual-stack socket */
    address_text(&a, text);
    EXPECT_EQ_STR(span_str(text), "10.0.0.7");
    in6.sin6_addr = (struct in6_addr){ .s6_addr = { 0xfe, 0x80, [15] = 1 } };
    in6.sin6_scope_id = if_nametoindex("lo");
    address_of((struct sockaddr *)&in6, &a);
    address_text(&a, text);
    EXPECT_EQ_STR(span_str(text), "fe80::1%lo");
    address_of_peer((struct sockaddr *)&in6, &a);
    address_text(&a, text);
    EXPECT_EQ_STR(span_str(text), "fe80::1");
    struct sockaddr_un un = { .sun_family = AF_UNIX };
    address_of((struct sockaddr *)&un, &a);
    EXPECT_EQ_INT(a.family, 1);
}

static const struct test tests[] = {
    { "a_read_waits_for_bytes", a_read_waits_for_bytes },
    { "a_read_times_out", a_read_times_out },
    { "a_read_ends_when_the_peer_closes", a_read_ends_when_the_peer_closes },
    { "a_waiting_read_sees_the_end", a_waiting_read_sees_the_end },
    { "a_write_larger_than_the_sockets_buffer_arrives_whole",
      a_write_larger_than_the_sockets_buffer_arrives_whole },
    { "a_write_that_nobody_reads_times_out", a_write_that_nobody_reads_times_out },
    { "a_write_to_a_closed_peer_is_reset_without_a_signal",
      a_write_to_a_closed_peer_is_reset_without_a_signal },
    { "more_pieces_than_one_call_takes_are_written", more_pieces_than_one_call_takes_are_written },
    { "pieces_arrive_in_order_whatever_their_size", pieces_arrive_in_order_whatever_their_size },
    { "on_ready_is_called_for_news_nobody_waits_for", on_ready_is_called_for_news_nobody_waits_for },
    { "bytes_read_ahead_are_those_of_the_next_read", bytes_read_ahead_are_those_of_the_next_read },
    { "a_full_read_ahead_does_not_mean_that_the_socket_is_empty",
      a_full_read_ahead_does_not_mean_that_the_socket_is_empty },
    { "an_end_is_not_read_ahead", an_end_is_not_read_ahead },
    { "an_idle_connection_tells_whether_it_is_alive", an_idle_connection_tells_whether_it_is_alive },
    { "waiting_without_reading", waiting_without_reading },
    { "a_connect_gives_a_connection_with_both_addresses", a_connect_gives_a_connection_with_both_addresses },
    { "a_refused_connect_is_reset", a_refused_connect_is_reset },
    { "the_kernel_holds_bytes_for_the_end_of_a_connection",
      the_kernel_holds_bytes_for_the_end_of_a_connection },
    { "waiting_fibers_can_be_stopped", waiting_fibers_can_be_stopped },
    { "addresses_as_text", addresses_as_text },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
