/* Invalidations for the worker that serves now: see successor.h. A message is one packet: its kind, and the
 * bytes of the key or HOST, NUL and GROUPS. The confirmation is one byte. */
#include "proxy/rfc9111/successor.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "cache/invalidation.h"
#include "log/report.h"
#include "loop/offload.h"

enum message_kind { MESSAGE_KEY = 'k', MESSAGE_GROUPS = 'g' };

/* ---- the retiring worker ---- */

struct message {
    char *bytes;
    size_t len;
    int error; /* errno; 0: confirmed */
};

static int
connect_successor(void)
{
    struct sockaddr_un sun = { .sun_family = AF_UNIX, .sun_path = SUCCESSOR_SOCKET };
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&sun, sizeof sun) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        fd = -1;
    }
    return fd;
}

static bool
is_confirmed(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char byte;
    int n = poll(&p, 1, SUCCESSOR_WAIT_MS);
    if (n == 0)
        errno = ETIMEDOUT;
    return n > 0 && recv(fd, &byte, 1, 0) == 1;
}

static void
deliver(void *arg)
{
    struct message *m = arg;
    errno = 0;
    int fd = connect_successor();
    bool sent = fd >= 0 && send(fd, m->bytes, m->len, MSG_NOSIGNAL) == (ssize_t)m->len;
    m->error = sent && is_confirmed(fd) ? 0 : errno != 0 ? errno : ECONNRESET;
    if (fd >= 0)
        close(fd);
}

static void
tell(enum message_kind kind, struct span a, struct span b)
{
    struct message m = { .len = 1 + a.len + b.len };
    m.bytes = mem_alloc(m.len);
    m.bytes[0] = (char)kind;
    memcpy(m.bytes + 1, a.ptr, a.len);
    if (b.len > 0)
        memcpy(m.bytes + 1 + a.len, b.ptr, b.len);
    if (m.len > SUCCESSOR_BYTES_MAX)
        m.error = EMSGSIZE;
    else
        offload_run(deliver, &m);
    free(m.bytes);
    if (m.error != 0)
        log_line(LOG_LEVEL_WARNING,
                 "upgrade: the worker that serves now has not confirmed an invalidation by a response: %s",
                 strerror(m.error));
}

void
successor_purge(const struct cache_key *key)
{
    tell(MESSAGE_KEY, span_of(key->bytes, key->len), SPAN_NULL);
}

void
successor_purge_groups(struct span groups, struct span host)
{
    char *name = mem_text(host); /* with its NUL */
    tell(MESSAGE_GROUPS, span_of(name, strlen(name) + 1), groups);
    free(name);
}

/* ---- the worker that serves ---- */

/* false: not a message that this version knows. */
static bool
apply(struct store *s, struct span message)
{
    DEBUG_CHECK(message.len > 0);
    struct invalidated done = { 0 };
    struct span rest = span_of(message.ptr + 1, message.len - 1);
    const char *nul = memchr(rest.ptr, '\0', rest.len);
    if (*message.ptr == MESSAGE_KEY) {
        struct cache_key key = { .bytes = (char *)rest.ptr, .len = (uint32_t)rest.len };
        store_purge(s, &key, 0, &done);
        return true;
    }
    if (*message.ptr == MESSAGE_GROUPS && nul != NULL) {
        size_t n = (size_t)(nul - rest.ptr);
        store_purge_groups(s, span_of(nul + 1, rest.len - n - 1), span_of(rest.ptr, n), 0, &done);
        return true;
    }
    return false;
}

void
successor_serve(struct store *s, int fd)
{
    const struct timeval patience = { .tv_sec = 1 }; /* the sender connects and sends at once */
    int conn = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    if (conn < 0)
        return;
    (void)setsockopt(conn, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char *bytes = mem_alloc(SUCCESSOR_BYTES_MAX);
    ssize_t n = recv(conn, bytes, SUCCESSOR_BYTES_MAX, 0);
    if (n > 0 && apply(s, span_of(bytes, (size_t)n)))
        (void)send(conn, "", 1, MSG_NOSIGNAL);
    free(bytes);
    close(conn);
}
