/* The floor of the hits benchmark: what answering costs when nothing is decided. A few threads with an epoll loop each; one read
 * and one write a request, at most one epoll_wait; always the same bytes, whatever was asked. No proxy could be cheaper on the
 * same kernel. Usage: floor PORT BODY_BYTES THREADS. Not HTTP beyond what a well-behaved load generator needs: a read is taken to
 * be exactly one request. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define THREADS_MAX 64
#define EVENTS 256

static char *answer;
static size_t answer_bytes;
static int polls[THREADS_MAX];

static void
make_answer(size_t body)
{
    answer = malloc(body + 512);
    if (answer == NULL)
        exit(1);
    int n = sprintf(answer, "HTTP/1.1 200 OK\r\nServer: floor\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n"
                    "Cache-Control: max-age=3600\r\nAge: 0\r\nConnection: keep-alive\r\n\r\n", body);
    memset(answer + n, 'x', body);
    answer_bytes = (size_t)n + body;
}

/* What does not go out at once is sent by waiting: rare, and the floor may be naive there. */
static int
send_all(int fd)
{
    size_t at = 0;
    while (at < answer_bytes) {
        ssize_t n = write(fd, answer + at, answer_bytes - at);
        if (n > 0)
            at += (size_t)n;
        else if (n < 0 && errno == EAGAIN) {
            fd_set w;
            if (fd >= FD_SETSIZE) {
                usleep(50);
                continue;
            }
            FD_ZERO(&w);
            FD_SET(fd, &w);
            select(fd + 1, NULL, &w, NULL, NULL);
        } else
            return -1;
    }
    return 0;
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
            ssize_t got = read(fd, buf, sizeof buf);
            if ((got < 0 && errno != EAGAIN) || got == 0 || (got > 0 && send_all(fd) != 0))
                close(fd);
        }
    }
    return NULL;
}

int
main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: floor PORT BODY_BYTES THREADS\n");
        return 2;
    }
    make_answer((size_t)atol(argv[2]));
    int threads = atoi(argv[3]), one = 1;
    if (threads < 1 || threads > THREADS_MAX)
        return 2;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in sa = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])),
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
