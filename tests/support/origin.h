/* An origin in a thread. Counts connections and heads, records the received bytes, answers each head with a
 * status line. */
#ifndef VERNIS_TESTS_SUPPORT_ORIGIN_H
#define VERNIS_TESTS_SUPPORT_ORIGIN_H

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "test.h"

#define ORIGIN_CONNS_MAX 64
#define ORIGIN_SEEN_BYTES 4096

struct origin {
    int listener, wake[2];
    unsigned port;
    char port_text[8];
    pthread_t thread;
    pthread_mutex_t lock;
    unsigned connections, open, heads; /* lock */
    char seen[ORIGIN_SEEN_BYTES];      /* all bytes received; lock */
    size_t n_seen;
    atomic_int status;         /* status of responses; 0: does not respond */
    atomic_bool close_all;     /* closes all connections, once */
    int fds[ORIGIN_CONNS_MAX]; /* thread */
};

static inline void
origin_read(struct origin *o, int i)
{
    char buf[1024];
    ssize_t n = recv(o->fds[i], buf, sizeof buf, 0);
    if (n <= 0) {
        close(o->fds[i]);
        o->fds[i] = -1;
        pthread_mutex_lock(&o->lock);
        o->open--;
        pthread_mutex_unlock(&o->lock);
        return;
    }
    pthread_mutex_lock(&o->lock);
    for (ssize_t k = 0; k < n && o->n_seen < ORIGIN_SEEN_BYTES - 1; k++)
        o->seen[o->n_seen++] = buf[k];
    pthread_mutex_unlock(&o->lock);
    if (n < 4 || memcmp(buf + n - 4, "\r\n\r\n", 4) != 0)
        return;
    char answer[128];
    int status = atomic_load(&o->status);
    if (status != 0)
        (void)!send(o->fds[i], answer,
                    (size_t)snprintf(answer, sizeof answer, "HTTP/1.1 %d Any\r\nContent-Length: 0\r\n\r\n",
                                     status),
                    MSG_NOSIGNAL);
    pthread_mutex_lock(&o->lock);
    o->heads++;
    pthread_mutex_unlock(&o->lock);
}

static inline void
origin_accept(struct origin *o)
{
    int fd = accept(o->listener, NULL, NULL);
    for (int i = 0; i < ORIGIN_CONNS_MAX && fd >= 0; i++) {
        if (o->fds[i] >= 0)
            continue;
        o->fds[i] = fd;
        pthread_mutex_lock(&o->lock);
        o->connections++;
        o->open++;
        pthread_mutex_unlock(&o->lock);
        return;
    }
}

static inline void
origin_close_all(struct origin *o)
{
    for (int i = 0; i < ORIGIN_CONNS_MAX; i++) {
        if (o->fds[i] >= 0)
            close(o->fds[i]);
        o->fds[i] = -1;
    }
    pthread_mutex_lock(&o->lock);
    o->open = 0;
    pthread_mutex_unlock(&o->lock);
}

static inline void *
origin_main(void *arg)
{
    struct origin *o = arg;
    for (;;) {
        struct pollfd p[ORIGIN_CONNS_MAX + 2] = { { o->wake[0], POLLIN, 0 }, { o->listener, POLLIN, 0 } };
        for (int i = 0; i < ORIGIN_CONNS_MAX; i++)
            p[i + 2] = (struct pollfd){ o->fds[i], POLLIN, 0 };
        poll(p, ORIGIN_CONNS_MAX + 2, -1);
        char what;
        if (p[0].revents != 0 && read(o->wake[0], &what, 1) == 1) {
            origin_close_all(o);
            if (what == 'q')
                return NULL;
            atomic_store(&o->close_all, false);
            continue;
        }
        if (p[1].revents != 0)
            origin_accept(o);
        for (int i = 0; i < ORIGIN_CONNS_MAX; i++)
            if (p[i + 2].revents != 0 && o->fds[i] >= 0)
                origin_read(o, i);
    }
}

static inline void
origin_start(struct origin *o, int status)
{
    memset(o, 0, sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    atomic_store(&o->status, status);
    memset(o->fds, 0xff, sizeof o->fds);
    struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof sin;
    o->listener = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(pipe(o->wake) == 0 && bind(o->listener, (struct sockaddr *)&sin, sizeof sin) == 0 &&
           listen(o->listener, 64) == 0 && getsockname(o->listener, (struct sockaddr *)&sin, &len) == 0);
    o->port = ntohs(sin.sin_port);
    snprintf(o->port_text, sizeof o->port_text, "%u", o->port);
    EXPECT(pthread_create(&o->thread, NULL, origin_main, o) == 0);
}

static inline void
origin_stop(struct origin *o)
{
    EXPECT(write(o->wake[1], "q", 1) == 1);
    pthread_join(o->thread, NULL);
    close(o->listener);
    close(o->wake[0]);
    close(o->wake[1]);
    pthread_mutex_destroy(&o->lock);
}

/* Closes every connection. Returns after that. */
static inline void
origin_hang_up(struct origin *o)
{
    atomic_store(&o->close_all, true);
    EXPECT(write(o->wake[1], "c", 1) == 1);
    while (atomic_load(&o->close_all))
        sched_yield();
}

static inline unsigned
origin_count(struct origin *o, unsigned *which)
{
    pthread_mutex_lock(&o->lock);
    unsigned n = *which;
    pthread_mutex_unlock(&o->lock);
    return n;
}

static inline bool
origin_saw(struct origin *o, const char *text)
{
    pthread_mutex_lock(&o->lock);
    bool saw = memmem(o->seen, o->n_seen, text, strlen(text)) != NULL;
    pthread_mutex_unlock(&o->lock);
    return saw;
}

#endif
