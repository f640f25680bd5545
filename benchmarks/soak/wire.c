/* Blocking reads of responses (wire.h). */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_S 30
#define SLOW_PIECE 4096u
#define SLOW_WAIT_US 3000u
#define HEAD_BYTES_MAX 8192u
#define CONTENT_MAX (2u * BODY_BYTES_MAX)

bool
wire_open(struct wire *w, int port, bool slow)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct timeval limit = { .tv_sec = ANSWER_S };
    int one = 1, small = 4096;
    w->at = w->n = 0;
    w->slow = slow;
    w->lost = w->timed_out = false;
    w->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (slow)
        setsockopt(w->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    setsockopt(w->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(w->fd, (struct sockaddr *)&at, sizeof at) == 0)
        return true;
    wire_close(w, false);
    return false;
}

void
wire_close(struct wire *w, bool reset)
{
    struct linger now = { 1, 0 };
    if (w->fd < 0)
        return;
    if (reset)
        setsockopt(w->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(w->fd);
    w->fd = -1;
}

bool
wire_send(struct wire *w, const char *p, size_t n)
{
    return send(w->fd, p, n, MSG_NOSIGNAL) == (ssize_t)n;
}

static bool
more(struct wire *w)
{
    if (w->at == w->n)
        w->at = w->n = 0;
    if (w->slow)
        usleep(SLOW_WAIT_US);
    size_t room = sizeof w->bytes - w->n;
    ssize_t got = recv(w->fd, w->bytes + w->n, w->slow && room > SLOW_PIECE ? SLOW_PIECE : room, 0);
    if (got <= 0) {
        w->lost = true;
        w->timed_out = got < 0 && errno == EAGAIN;
        return false;
    }
    w->n += (size_t)got;
    return true;
}

/* Reads a line or head up to `end`. Returns its length, or 0 if the connection is lost. */
static size_t
until(struct wire *w, const char *end)
{
    for (;;) {
        const char *p = w->n > w->at ? memmem(w->bytes + w->at, w->n - w->at, end, strlen(end)) : NULL;
        if (p != NULL)
            return (size_t)(p - (w->bytes + w->at)) + strlen(end);
        if (w->at > 0) {
            memmove(w->bytes, w->bytes + w->at, w->n - w->at);
            w->n -= w->at;
            w->at = 0;
        }
        if (w->n >= HEAD_BYTES_MAX || !more(w))
            return 0;
    }
}

static bool
take(struct wire *w, struct received *r, uint64_t n, size_t most, size_t *room)
{
    while (n > 0 && r->n < most) {
        if (w->at == w->n && !more(w))
            return false;
        size_t part = w->n - w->at < n ? w->n - w->at : (size_t)n;
        while (r->n + part > *room) {
            *room = *room == 0 ? 32768 : *room * 2;
            r->body = realloc(r->body, *room);
            if (r->body == NULL || *room > 2 * (uint64_t)CONTENT_MAX)
                abort();
        }
        memcpy(r->body + r->n, w->bytes + w->at, part);
        r->n += part;
        w->at += part;
        n -= part;
    }
    return n == 0;
}

static bool
take_chunks(struct wire *w, struct received *r, size_t most, size_t *room)
{
    for (;;) {
        size_t line = until(w, "\r\n");
        char size[32];
        if (line < 3)
            return false;
        snprintf(size, sizeof size, "%.*s", (int)(line < 20 ? line : 20), w->bytes + w->at);
        w->at += line;
        char *end;
        uint64_t n = strtoull(size, &end, 16);
        if (end == size || n > CONTENT_MAX || !take(w, r, n, most, room) || until(w, "\r\n") != 2)
            return false;
        w->at += 2;
        if (n == 0)
            return true;
    }
}

static const char *
field(const char *head, const char *name)
{
    const char *p = strcasestr(head, name);
    return p == NULL ? NULL : p + strlen(name);
}

static void
read_head(const char *head, struct received *r)
{
    unsigned long long first, last, total;
    const char *p;
    r->status = atoi(head + 9);
    if ((p = field(head, "\r\nContent-Encoding:")) != NULL)
        r->is_gzip = strncmp(p + strspn(p, " "), "gzip", 4) == 0;
    if ((p = field(head, "\r\nETag:")) != NULL && (p = strchr(p, '"')) != NULL)
        sscanf(p, "\"%u-%u-%x\"", &r->number, &r->variant, &r->version);
    if ((p = field(head, "\r\nContent-Range:")) != NULL &&
        sscanf(p, " bytes %llu-%llu/%llu", &first, &last, &total) == 3) {
        r->is_range = true;
        r->range_first = first;
        r->range_last = last;
        r->range_total = total;
    }
}

bool
wire_receive(struct wire *w, bool head_only, size_t most, struct received *r, bool *hit, bool *closes)
{
    char head[HEAD_BYTES_MAX * 2];
    size_t n = until(w, "\r\n\r\n"), room = 0;
    const char *p;
    if (n == 0)
        return false;
    memcpy(head, w->bytes + w->at, n);
    head[n] = '\0';
    snprintf(w->start, sizeof w->start, "%.500s", head);
    w->at += n;
    read_head(head, r);
    *hit = field(head, "\r\nX-Hit: 1") != NULL;
    *closes = field(head, "\r\nConnection: close") != NULL;
    if (head_only || r->status == 304 || r->status == 204)
        r->complete = true;
    else if (field(head, "\r\nTransfer-Encoding: chunked") != NULL)
        r->complete = take_chunks(w, r, most, &room);
    else if ((p = field(head, "\r\nContent-Length:")) != NULL)
        r->complete = take(w, r, strtoull(p, NULL, 10), most, &room);
    else
        r->complete = take(w, r, CONTENT_MAX, most, &room) || (w->lost && !w->timed_out);
    return true;
}
