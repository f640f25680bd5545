/* The floor of the hits benchmark: a lower bound of the cost of a response. It decides nothing. Each thread
 * has an epoll loop and does one read, one write and at most one epoll_wait for each request, so no proxy can
 * be cheaper on the same kernel. It is also the origin of the misses benchmark, which needs a cheap one.
 *
 * Usage: floor PORT BODY_BYTES THREADS. If BODY_BYTES is "asked", the target has the size: the response to
 * "/gen/1000?as=1" has 1,000 bytes and may be stored for an hour; without "?as=" it may not be stored. The
 * floor takes each read for exactly one request, so it serves only well-behaved clients. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define THREADS_MAX 64
#define EVENTS 256

#define BODY_BYTES_MAX (1024 * 1024)
#define HEAD_BYTES_MAX 512
#define ASKED "/gen/"

static char body[BODY_BYTES_MAX];
static size_t fixed_bytes; /* of every body; SIZE_MAX: the target has the size */
static int polls[THREADS_MAX];

static size_t
put_head(char *head, size_t bytes, const char *cache_control)
{
    return (size_t)
        sprintf(head,
                "HTTP/1.1 200 OK\r\nServer: floor\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n"
                "Cache-Control: %s\r\nAge: 0\r\nConnection: keep-alive\r\n\r\n",
                bytes, cache_control);
}

/* Waits if the socket is full. That blocks the thread's other clients, but is too rare to matter here. */
static int
send_all(int fd, struct iovec *v, int n)
{
    while (n > 0) {
        ssize_t sent = writev(fd, v, n);
        if (sent < 0 && errno == EAGAIN) {
            struct pollfd p = { .fd = fd, .events = POLLOUT };
            poll(&p, 1, -1);
            continue;
        }
        if (sent < 0)
            return -1;
        for (; n > 0 && (size_t)sent >= v->iov_len; v++, n--)
            sent -= (ssize_t)v->iov_len;
        if (n > 0) {
            v->iov_base = (char *)v->iov_base + sent;
            v->iov_len -= (size_t)sent;
        }
    }
    return 0;
}

static int
answer(int fd, const char *request)
{
    static _Thread_local char fixed_head[HEAD_BYTES_MAX];
    static _Thread_local size_t fixed_head_bytes;
    char asked_head[HEAD_BYTES_MAX];
    struct iovec v[2] = { { fixed_head, 0 }, { body, fixed_bytes } };
    if (fixed_bytes == SIZE_MAX) {
        const char *number = strstr(request, ASKED), *line = strchr(request, '\n'),
                   *as = strstr(request, "?as=");
        v[0].iov_base = asked_head;
        v[1].iov_len = number == NULL ? 0
                                      : strtoul(number + sizeof ASKED - 1, NULL, 10) % (BODY_BYTES_MAX + 1);
        v[0].iov_len = put_head(asked_head, v[1].iov_len,
                                as != NULL && as < line ? "public, max-age=3600" : "private, no-store");
    } else {
        if (fixed_head_bytes == 0)
            fixed_head_bytes = put_head(fixed_head, fixed_bytes, "max-age=3600");
        v[0].iov_len = fixed_head_bytes;
    }
    return send_all(fd, v, 2);
}

static void *
serve(void *arg)
{
    int ep = *(int *)arg;
    struct epoll_event ev[EVENTS];
    char buf[4096];
    for (;;) {
        int n = epoll_wait(ep, ev, EVENTS, -1);
        for (int i = 0; i < n; i++) {
            int fd = ev[i].data.fd;
            ssize_t got = read(fd, buf, sizeof buf - 1);
            buf[got < 0 ? 0 : got] = '\0';
            if ((got < 0 && errno != EAGAIN) || got == 0 || (got > 0 && answer(fd, buf) != 0))
                close(fd);
        }
    }
    return NULL;
}

int
main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: floor PORT BODY_BYTES|asked THREADS\n");
        return 2;
    }
    fixed_bytes = strcmp(argv[2], "asked") == 0 ? SIZE_MAX : strtoul(argv[2], NULL, 10);
    if (fixed_bytes != SIZE_MAX && fixed_bytes > BODY_BYTES_MAX)
        return 2;
    memset(body, 'x', sizeof body);
    int threads = atoi(argv[3]), one = 1;
    if (threads < 1 || threads > THREADS_MAX)
        return 2;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in sa = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)atoi(argv[1])),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&sa, sizeof sa) != 0 || listen(fd, 4096) != 0) {
        perror("floor");
        return 1;
    }
    for (int i = 0; i < threads; i++) {
        pthread_t t;
        polls[i] = epoll_create1(0);
        if (pthread_create(&t, NULL, serve, &polls[i]) != 0)
            return 1;
    }
    for (int turn = 0;; turn++) {
        int c = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
        if (c < 0)
            continue;
        setsockopt(c, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct epoll_event ev = { .events = EPOLLIN, .data.fd = c };
        epoll_ctl(polls[turn % threads], EPOLL_CTL_ADD, c, &ev);
    }
}
