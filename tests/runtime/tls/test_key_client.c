/* Requests for signatures: what a loop sends again, and when. */
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "loop/fiber.h"
#include "test.h"
#include "tls/key_client.h"
#include "tls/key_wire.h"

static struct {
    struct loop *loop;
    int fd; /* of the key process */
    ssize_t result;
    char signature[8];
} site;

static void
sign(void *arg)
{
    site.result = key_client_sign(7, 0x0403, SPAN_LIT("content"), site.signature, sizeof site.signature);
    loop_stop(site.loop);
}

/* False: none is there. */
static bool
next_request(struct key_request *out)
{
    char packet[sizeof *out + KEY_SIGNED_BYTES_MAX];
    ssize_t n = recv(site.fd, packet, sizeof packet, MSG_DONTWAIT);
    if (n < 0)
        return false;
    EXPECT_EQ_INT(n, sizeof *out + strlen("content"));
    memcpy(out, packet, sizeof *out);
    return true;
}

static void
answer(uint32_t id, int32_t bytes)
{
    char packet[sizeof(struct key_answer) + 8] = { 0 };
    struct key_answer head = { .id = id, .bytes = bytes };
    size_t n = sizeof head + (bytes > 0 ? (size_t)bytes : 0);
    memcpy(packet, &head, sizeof head);
    memset(packet + sizeof head, 's', sizeof packet - sizeof head);
    CHECK(send(site.fd, packet, n, 0) == (ssize_t)n);
}

static uint32_t
await_request(void)
{
    struct key_request request = { 0 };
    while (!next_request(&request))
        fiber_park_until(clock_mono_ns() + NSEC_PER_MSEC);
    EXPECT_EQ_INT(request.key, 7);
    EXPECT_EQ_INT(request.scheme, 0x0403);
    return request.id;
}

static void
successor(void *arg)
{
    struct key_request none;
    uint32_t id = await_request(); /* and dies with it */
    answer(id + 1, 4);             /* of another request */
    EXPECT(fiber_park_until(clock_mono_ns() + 30 * NSEC_PER_MSEC) == ERR_TIMEOUT && !next_request(&none));
    answer(KEY_ID_OF_ALL, ERR_AGAIN);
    EXPECT_EQ_INT(await_request(), id);
    answer(id, ERR_AGAIN); /* it still reads its keys */
    EXPECT_EQ_INT(await_request(), id);
    answer(id, 4);
}

static void
a_successor_asks_for_what_its_predecessor_took_along(void)
{
    int fds[2];
    site.result = 0;
    CHECK(loop_new(0, &site.loop) == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds) == 0 &&
          key_client_open(site.loop, fds[0]) == 0);
    site.fd = fds[1];
    CHECK(fiber_spawn(site.loop, sign, NULL) == 0 && fiber_spawn(site.loop, successor, NULL) == 0);
    loop_run(site.loop);
    EXPECT_EQ_INT(site.result, 4);
    EXPECT(memcmp(site.signature, "ssss", 4) == 0);
    key_client_close(site.loop);
    close(site.fd);
    loop_release(&site.loop);
}

static const struct test tests[] = {
    { "a_successor_asks_for_what_its_predecessor_took_along",
      a_successor_asks_for_what_its_predecessor_took_along },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
