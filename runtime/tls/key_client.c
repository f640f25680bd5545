/* Waits for the key process: see key_client.h. */
#include "tls/key_client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "loop/fiber.h"
#include "tls/key_wire.h"

#define SOCKET_FULL (5 * NSEC_PER_MSEC) /* until the next try */
#define NOT_YET (20 * NSEC_PER_MSEC)    /* as well */

struct key_client {
    struct poll_handle poll;
    struct loop *loop;
    struct list waiting; /* struct wait */
    uint32_t last_id;
};

struct wait { /* on the fiber's stack */
    struct list link;
    struct fiber *fiber;
    uint32_t id;
    bool answered, not_yet;
    ssize_t result;
    char *out;
    size_t cap;
};

static struct loop_slot slot;

static void
take(struct key_client *k, const char *packet, size_t n)
{
    struct key_answer answer;
    if (n < sizeof answer)
        return;
    memcpy(&answer, packet, sizeof answer);
    n -= sizeof answer;
    list_each(it, &k->waiting)
    {
        struct wait *w = container_of(it, struct wait, link);
        if (answer.id == KEY_ID_OF_ALL) {
            w->not_yet = true;
            fiber_wake(w->fiber);
        }
        if (w->id != answer.id)
            continue;
        w->not_yet = answer.bytes == ERR_AGAIN;
        w->answered = !w->not_yet;
        w->result = answer.bytes < 0              ? answer.bytes
                  : (size_t)answer.bytes != n     ? ERR_SYNTAX
                  : (size_t)answer.bytes > w->cap ? ERR_LIMIT
                                                  : answer.bytes;
        if (w->result > 0)
            memcpy(w->out, packet + sizeof answer, n);
        fiber_wake(w->fiber);
        return; /* an answer without a waiter came twice, or late */
    }
}

static void
on_event(struct poll_handle *h, uint32_t events)
{
    struct key_client *k = container_of(h, struct key_client, poll);
    char packet[sizeof(struct key_answer) + KEY_SIGNATURE_BYTES_MAX];
    for (;;) {
        ssize_t n = recv(h->fd, packet, sizeof packet, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        take(k, packet, (size_t)n);
    }
}

int
key_client_open(struct loop *loop, int fd)
{
    struct key_client *k = calloc(1, sizeof *k);
    if (k == NULL)
        return ERR_NOMEM;
    k->loop = loop;
    k->poll = (struct poll_handle){ .fd = fd, .on_event = on_event };
    list_init(&k->waiting);
    if (loop_add(loop, &k->poll) != 0) {
        free(k);
        return ERR_SYS;
    }
    loop_put(loop, &slot, k);
    return 0;
}

void
key_client_close(struct loop *loop)
{
    struct key_client *k = loop_get(loop, &slot);
    if (k == NULL || !list_empty(&k->waiting))
        return;
    loop_remove(loop, &k->poll);
    close(k->poll.fd);
    free(k);
    loop_put(loop, &slot, NULL);
}

/* Until the answer, or "not yet", or this time. */
static void
await(struct wait *w, nsec until)
{
    w->not_yet = false;
    while (!w->answered && !w->not_yet && fiber_park_until(until) == 0)
        ;
}

/* False: the socket is full. */
static bool
ask(struct key_client *k, struct span packet)
{
    return send(k->poll.fd, packet.ptr, packet.len, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno != EAGAIN;
}

ssize_t
key_client_sign(uint32_t key, uint16_t scheme, struct span what, char *out, size_t cap)
{
    struct key_client *k = loop_get(loop_current(), &slot);
    char packet[sizeof(struct key_request) + KEY_SIGNED_BYTES_MAX];
    if (k == NULL || fiber_current() == NULL)
        return ERR_NOTFOUND;
    if (what.len > KEY_SIGNED_BYTES_MAX)
        return ERR_LIMIT;
    if (++k->last_id == KEY_ID_OF_ALL)
        k->last_id++;
    struct wait w = { .fiber = fiber_current(), .id = k->last_id, .out = out, .cap = cap };
    struct key_request request = { .id = w.id, .key = key, .scheme = scheme, .bytes = (uint16_t)what.len };
    memcpy(packet, &request, sizeof request);
    memcpy(packet + sizeof request, what.ptr, what.len);
    nsec end = clock_mono_ns() + nsec_of(params.tls_handshake_timeout_s);
    list_push_back(&k->waiting, &w.link);
    while (!w.answered && clock_mono_ns() < end) {
        bool sent = ask(k, span_of(packet, sizeof request + what.len));
        await(&w, sent ? end : clock_mono_ns() + SOCKET_FULL);
        if (w.not_yet)
            await(&w, clock_mono_ns() + NOT_YET);
    }
    list_remove(&w.link);
    return w.answered ? w.result : ERR_TIMEOUT;
}
