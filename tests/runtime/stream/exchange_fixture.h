/* An exchange over a socket, for test_h1_exchange.c. The test holds the other end, the origin's side, and
 * runs operations on a fiber. */
#ifndef VERNIS_TESTS_RUNTIME_STREAM_EXCHANGE_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_STREAM_EXCHANGE_FIXTURE_H

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "loop/fiber.h"
#include "stream/h1/exchange_internal.h"
#include "stream/protocols.h"
#include "support/on_loop.h"
#include "support/record_layer.h"
#include "test.h"

#define TEST(name) { #name, name }
#define ROUNDS_MAX 1000
#define WAIT (NSEC_PER_MSEC)

static struct params defaults;
static struct loop *loop;
static struct backend *backend;
static struct arena arena;
static struct buffer_pool buffers;
static struct log_txn txn;
static int listener, peer; /* the origin's sockets; peer -1: closed */
static bool layered;       /* each connection has a layer, which gives at most 7 bytes a read */
static struct record_peer reader;
static struct exchange *x;
static struct http_message head, answer;
static struct content nothing = { CONTENT_NONE, 0 };
static bool done;
static char received[32768]; /* received content of the response */
static size_t n_received;
static ssize_t result; /* of the latest operation */

/* ---- the origin ---- */

static unsigned
listen_anywhere(void)
{
    struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof sin;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(listener >= 0 && bind(listener, (struct sockaddr *)&sin, sizeof sin) == 0 &&
          listen(listener, 8) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)&sin, &len) == 0);
    return ntohs(sin.sin_port);
}

static bool
readable(int fd)
{
    struct pollfd p = { fd, POLLIN, 0 };
    return poll(&p, 1, 0) == 1;
}

static void
origin_accepts(void)
{
    for (int i = 0; i < ROUNDS_MAX && !readable(listener); i++)
        loop_run_once(loop, WAIT);
    CHECK(readable(listener) && peer == -1);
    peer = accept(listener, NULL, NULL);
    reader = (struct record_peer){ 0 };
    CHECK(peer >= 0);
}

/* Some bytes, as recv; 0: the end. */
static ssize_t
origin_receives(char *out, size_t n)
{
    CHECK(n >= RECORD_PLAIN_MAX);
    return layered ? record_peer_reads(&reader, peer, out) : recv(peer, out, n, MSG_DONTWAIT);
}

/* Reads all bytes up to and including `end`. */
static const char *
origin_reads(const char *end)
{
    static char text[8192 + RECORD_PLAIN_MAX];
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < ROUNDS_MAX && strstr(text, end) == NULL; i++) {
        loop_run_once(loop, WAIT);
        ssize_t got = origin_receives(text + n, sizeof text - 1 - n);
        if (got < 0 && errno == EAGAIN)
            continue;
        if (got <= 0)
            break;
        n += (size_t)got;
        text[n] = '\0';
    }
    return text;
}

static void
origin_says(const char *text)
{
    if (layered)
        record_peer_says(peer, RECORD_DATA, text, strlen(text));
    else
        CHECK(send(peer, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
    for (int i = 0; i < 3; i++)
        loop_run_once(loop, WAIT);
}

static void
origin_closes(void)
{
    if (layered)
        record_peer_says(peer, RECORD_END, "", 0);
    close(peer);
    peer = -1;
    for (int i = 0; i < 3; i++)
        loop_run_once(loop, WAIT);
}

/* ---- begin and end ---- */

static void
begin(void)
{
    static char port[8];
    char why[128];
    params = defaults;
    snprintf(port, sizeof port, "%u", listen_anywhere());
    struct image_backend im = { .name = SPAN_LIT("b"),
                                .host = SPAN_LIT("127.0.0.1"),
                                .port = span_str(port),
                                .probe = -1,
                                .connect_timeout_s = -1,
                                .first_byte_timeout_s = -1,
                                .between_bytes_timeout_s = -1 };
    CHECK(loop_new(0, &loop) == 0);
    CHECK(backend_new(SPAN_LIT("p"), &im, NULL, NULL, &backend, why, sizeof why) == 0);
    arena_init(&arena, 0);
    buffers_init(&buffers);
    names_init();
    peer = -1;
    x = NULL;
    CHECK(message_init(&head, &arena, 16) == 0 && message_init(&answer, &arena, 80) == 0);
    head.method = SPAN_LIT("GET");
    head.url = SPAN_LIT("/a");
    head.proto = SPAN_LIT("HTTP/1.1");
    CHECK(message_set(&head, NAME_HOST, SPAN_NULL, SPAN_LIT("h")) == 0);
}

static void
leave_loop(void *l)
{
    exchange_cancel(&x);
    backend_loop_release(l);
}

static void
end(void)
{
    on_loop(loop, leave_loop, loop);
    backend_release(&backend);
    if (peer >= 0)
        close(peer);
    close(listener);
    buffers_release(&buffers);
    arena_release(&arena);
    loop_release(&loop);
    EXPECT_EQ_INT(record_layers, 0);
}

/* ---- operations, each on a fiber ---- */

static void
run_fiber(void *arg)
{
    void (*const *fn)(void) = arg;
    (*fn)();
    done = true;
}

static void
spawn(void *arg)
{
    CHECK(fiber_spawn(loop, run_fiber, arg) == 0);
}

static void
start(void (*const *fn)(void))
{
    done = false;
    on_loop(loop, spawn, (void *)(uintptr_t)fn);
}

static void
finish(void)
{
    for (int i = 0; i < ROUNDS_MAX && !done; i++)
        loop_run_once(loop, WAIT);
    EXPECT(done);
}

static nsec
soon(void)
{
    return nsec_add(loop_now(loop), 2 * NSEC_PER_SEC);
}

static void
open_exchange(bool fresh)
{
    struct exchange_wants wants = { .backend = backend,
                                    .loop = loop,
                                    .log = &txn,
                                    .arena = &arena,
                                    .buffers = &buffers,
                                    .connect_timeout_s = 2,
                                    .fresh = fresh };
    result = protocols_open(&wants, &x);
    if (result == 0 && layered && !x->reused)
        record_layer_add(&h1_exchange_of(x)->bc->conn, 7);
}

static void
ask_now(void)
{
    open_exchange(false);
    if (result == 0)
        result = exchange_send_head(x, &head, &nothing, soon());
    if (result == 0)
        result = exchange_recv_head(x, &answer, soon(), 2);
}
static void (*const ask)(void) = ask_now;

static void
head_now(void)
{
    result = exchange_recv_head(x, &answer, soon(), 2);
}
static void (*const recv_head)(void) = head_now;

/* Receives until the end of the content. */
static void
content_now(void)
{
    n_received = 0;
    result = x->content.kind == CONTENT_NONE ? 0 : 1;
    while (result > 0) {
        result = exchange_recv_wait(x, soon());
        if (result > 0)
            result = exchange_recv_body(x, received + n_received, sizeof received - n_received, soon());
        n_received += result > 0 ? (size_t)result : 0;
        if (x->content.kind == CONTENT_KNOWN && n_received == x->content.bytes)
            break;
    }
    result = result > 0 ? 0 : result;
}
static void (*const recv_content)(void) = content_now;

static bool kept;

static void
done_now(void *arg)
{
    kept = exchange_done(&x);
}

static bool
is_kept(void)
{
    on_loop(loop, done_now, NULL);
    return kept;
}

/* A whole exchange on the idle connection or on a new one: the origin sends `text`, and the test receives all
 * content. */
static void
whole(const char *text)
{
    start(&ask);
    if (peer == -1)
        origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says(text);
    finish();
    EXPECT_EQ_INT(result, 0);
    start(&recv_content);
    finish();
}

static struct span
content(void)
{
    return span_of(received, n_received);
}

#endif
