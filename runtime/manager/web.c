/* HTTP server: see web.h. The manager's event loop watches the library's epoll descriptor and runs its
 * timeouts. This file accepts connections itself, so that it can close those above the limit at once. */
#include "manager/web.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/events.h"
#include "manager/listen.h"
#include "base/check.h"
#include "base/mem.h"

#define ACCEPTS_AT_ONCE 8
#define ROOM_ROUNDS 4 /* of the library, until it has closed a connection that was shut down */
#define STREAM_BLOCK_BYTES 16384u

struct connection {
    int fd; /* -1: free */
    nsec until;
    enum { HEAD, ANSWER, STREAM, DONE } stage; /* each connection gets one answer */
    bool ended;                                /* shut down; the library closes it later */
    bool suspended;                            /* a stream without a text to send */
    struct MHD_Connection *http;
    struct text text; /* of a stream */
    size_t sent;
};

struct listener {
    struct web *web;
    struct event_fd event;
};

struct web {
    struct web_env env;
    struct MHD_Daemon *http;
    struct listener listeners[LISTEN_SOCKETS_MAX];
    struct event_fd work;     /* the library's epoll descriptor */
    struct event_timer later; /* timeout of the library or of a connection */
    struct connection connections[WEB_CONNECTIONS_MAX];
};

struct web_request {
    struct MHD_Connection *http;
    const char *path;
};

/* ---- requests ------------------------------------------------------------------------------------------ */

const char *
web_path(const struct web_request *r)
{
    return r->path;
}

const char *
web_request_field(const struct web_request *r, const char *name)
{
    return MHD_lookup_connection_value(r->http, MHD_HEADER_KIND, name);
}

const char *
web_argument(const struct web_request *r, const char *name)
{
    return MHD_lookup_connection_value(r->http, MHD_GET_ARGUMENT_KIND, name);
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static struct connection *
slot_of(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/* The next part of a stream. A connection without a text is suspended: the library would ask again at once.
 */
static ssize_t
read_stream(void *arg, uint64_t at, char *out, size_t max)
{
    struct connection *slot = arg;
    size_t left = slot->text.len - slot->sent;
    if (slot->ended)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (left == 0) {
        text_clear(&slot->text);
        slot->sent = 0;
        slot->suspended = true;
        MHD_suspend_connection(slot->http);
        return 0;
    }
    size_t n = left < max ? left : max;
    memcpy(out, slot->text.ptr + slot->sent, n);
    slot->sent += n;
    return (ssize_t)n;
}

static struct MHD_Response *
response_of(struct MHD_Connection *c, const struct web_answer *a)
{
    struct connection *slot = slot_of(c);
    if (!a->streams || slot == NULL)
        return MHD_create_response_from_buffer(a->body.len, (void *)a->body.ptr, MHD_RESPMEM_MUST_COPY);
    slot->http = c;
    slot->stage = STREAM;
    slot->until = NSEC_NEVER;
    text_add(&slot->text, a->body);
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES, read_stream, slot, NULL);
}

static enum MHD_Result
send_answer(struct MHD_Connection *c, const struct web_answer *a)
{
    struct MHD_Response *r = response_of(c, a);
    if (r == NULL)
        return MHD_NO;
    enum MHD_Result ok = MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, a->type);
    for (unsigned i = 0; ok == MHD_YES && i < a->n_fields; i++)
        ok = MHD_add_response_header(r, a->fields[i].name, a->fields[i].value);
    if (ok == MHD_YES)
        ok = MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    if (ok == MHD_YES)
        ok = MHD_queue_response(c, a->status, r);
    MHD_destroy_response(r);
    return ok;
}

static void
on_answered(void *arg, struct MHD_Connection *c, void **request, enum MHD_RequestTerminationCode why)
{
    struct connection *slot = slot_of(c);
    if (slot != NULL)
        slot->stage = DONE;
}

/* Answers at the first call, when the head is complete. Ignores a request body. */
static enum MHD_Result
on_request(void *arg, struct MHD_Connection *c, const char *url, const char *method, const char *version,
           const char *upload, size_t *upload_bytes, void **request)
{
    struct web *w = arg;
    static const struct web_field allow = { "Allow", "GET, HEAD" };
    struct web_answer a = { .status = MHD_HTTP_NOT_FOUND, .type = "text/plain; charset=utf-8" };
    struct connection *slot = slot_of(c);
    bool get = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
    if (slot != NULL)
        slot->stage = ANSWER;
    if (get || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0)
        w->env.answer(w->env.arg, &(struct web_request){ .http = c, .path = url }, &a);
    else
        a = (struct web_answer){ .status = MHD_HTTP_METHOD_NOT_ALLOWED,
                                 .body = SPAN_LIT("GET or HEAD\n"),
                                 .type = a.type,
                                 .fields = &allow,
                                 .n_fields = 1 };
    a.streams &= get;
    return send_answer(c, &a);
}

/* ---- connections --------------------------------------------------------------------------------------- */

static struct connection *
connection_find(struct web *w, int fd)
{
    for (unsigned i = 0; i < WEB_CONNECTIONS_MAX; i++)
        if (w->connections[i].fd == fd)
            return &w->connections[i];
    return NULL;
}

static void
on_connection(void *arg, struct MHD_Connection *c, void **socket_arg,
              enum MHD_ConnectionNotificationCode what)
{
    struct web *w = arg;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct connection *slot = NULL;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        slot = *socket_arg;
        if (slot != NULL) {
            text_release(&slot->text);
            slot->fd = -1;
        }
        return;
    }
    if (info != NULL && (slot = connection_find(w, -1)) != NULL)
        *slot = (struct connection){ .fd = info->connect_fd,
                                     .until = nsec_add(clock_mono_ns(), WEB_CONNECTION_S * NSEC_PER_SEC) };
    *socket_arg = slot;
}

/* Before the request is complete, unread bytes still count. After the answer, only the end of the connection
 * does. */
static bool
peer_left(const struct connection *slot)
{
    char byte;
    struct pollfd p = { .fd = slot->fd, .events = POLLRDHUP };
    switch (slot->stage) {
    case HEAD: return recv(slot->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    case ANSWER: return false;
    case STREAM:
    case DONE: return poll(&p, 1, 0) > 0;
    }
    WRONG("stage of a connection");
}

static void
resume(struct connection *slot)
{
    if (slot->suspended)
        MHD_resume_connection(slot->http);
    slot->suspended = false;
}

/* Ends overdue and abandoned connections. The library limits only idle time, so a client could send single
 * bytes for ever. The library is also edge-triggered, and misses an end that arrives together with the last
 * bytes. Returns the time of the next check. */
static nsec
end_connections(struct web *w, nsec now)
{
    nsec next = NSEC_NEVER;
    for (unsigned i = 0; i < WEB_CONNECTIONS_MAX; i++) {
        struct connection *slot = &w->connections[i];
        if (slot->fd < 0)
            continue;
        if (!slot->ended && (slot->until <= now || peer_left(slot))) {
            (void)shutdown(slot->fd, SHUT_RDWR);
            slot->ended = true;
            resume(slot);
            next = now;
        }
        if (!slot->ended && slot->until < next)
            next = slot->until;
    }
    return next;
}

static void
run(struct web *w)
{
    MHD_UNSIGNED_LONG_LONG wait_ms;
    (void)MHD_run(w->http);
    nsec now = clock_mono_ns(), next = end_connections(w, now);
    if (MHD_get_timeout(w->http, &wait_ms) == MHD_YES) {
        nsec wanted = nsec_add(now, (nsec)(wait_ms < 60000 ? wait_ms : 60000) * NSEC_PER_MSEC);
        next = wanted < next ? wanted : next;
    }
    if (next == NSEC_NEVER)
        events_timer_cancel(w->env.events, &w->later);
    else
        events_timer(w->env.events, &w->later, next);
}

static void
on_work(struct event_fd *e, short seen)
{
    run(container_of(e, struct web, work));
}

static void
on_later(struct event_timer *t)
{
    run(container_of(t, struct web, later));
}

/* Ends the oldest connection whose client has not sent its request or taken its answer, so that silent
 * clients lock out nobody. False: all are streams. */
static bool
make_room(struct web *w)
{
    struct connection *oldest = NULL;
    for (unsigned i = 0; i < WEB_CONNECTIONS_MAX; i++) {
        struct connection *slot = &w->connections[i];
        if (slot->fd >= 0 && slot->stage != STREAM && !slot->ended &&
            (oldest == NULL || slot->until < oldest->until))
            oldest = slot;
    }
    if (oldest == NULL)
        return false;
    (void)shutdown(oldest->fd, SHUT_RDWR);
    oldest->ended = true;
    for (unsigned i = 0; i < ROOM_ROUNDS && connection_find(w, -1) == NULL; i++)
        (void)MHD_run(w->http);
    return connection_find(w, -1) != NULL;
}

static void
on_accept(struct event_fd *e, short seen)
{
    struct web *w = container_of(e, struct listener, event)->web;
    struct sockaddr_storage peer;
    int send_bytes = WEB_SEND_BYTES;
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        socklen_t len = sizeof peer;
        int fd = accept4(e->fd, (struct sockaddr *)&peer, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            events_accept_failed(e, errno);
            break;
        }
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes);
        if (connection_find(w, -1) == NULL && !make_room(w))
            close(fd);
        else
            /* closes fd on failure */
            (void)MHD_add_connection(w->http, fd, (struct sockaddr *)&peer, len);
    }
    run(w);
}

/* ---- streams ------------------------------------------------------------------------------------------- */

unsigned
web_streams(const struct web *w)
{
    unsigned n = 0;
    for (unsigned i = 0; w != NULL && i < WEB_CONNECTIONS_MAX; i++)
        n += w->connections[i].fd >= 0 && w->connections[i].stage == STREAM;
    return n;
}

void
web_publish(struct web *w, struct span text)
{
    for (unsigned i = 0; i < WEB_CONNECTIONS_MAX; i++) {
        struct connection *slot = &w->connections[i];
        if (slot->fd < 0 || slot->stage != STREAM || !slot->suspended)
            continue;
        text_add(&slot->text, text);
        resume(slot);
    }
    run(w);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static int
start_http(struct web *w)
{
    w->http = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL,
                               NULL, on_request, w, MHD_OPTION_CONNECTION_LIMIT, WEB_CONNECTIONS_MAX,
                               MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_CONNECTION_S,
                               MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WEB_REQUEST_BYTES_MAX,
                               MHD_OPTION_NOTIFY_CONNECTION, on_connection, w, MHD_OPTION_NOTIFY_COMPLETED,
                               on_answered, w, MHD_OPTION_END);
    const union MHD_DaemonInfo *info = w->http == NULL
                                         ? NULL
                                         : MHD_get_daemon_info(w->http, MHD_DAEMON_INFO_EPOLL_FD);
    if (info == NULL)
        return ERR_SYS;
    w->work = (struct event_fd){ .fd = info->epoll_fd, .fn = on_work, .want = POLLIN };
    events_add(w->env.events, &w->work);
    return 0;
}

static void
listen_on(struct web *w)
{
    for (unsigned i = 0; i < w->env.sockets->n; i++) {
        struct listener *l = &w->listeners[i];
        *l = (struct listener){
            .web = w, .event = { .fd = w->env.sockets->socket[i].fd, .fn = on_accept, .want = POLLIN }
        };
        events_add(w->env.events, &l->event);
    }
}

int
web_open(const struct web_env *env, const char *address, struct web **out, struct text *why)
{
    struct listen_spec spec = { .option = env->parameter };
    struct web *w = mem_zalloc(sizeof *w);
    *out = w;
    w->env = *env;
    w->later.fn = on_later;
    for (unsigned i = 0; i < WEB_CONNECTIONS_MAX; i++)
        w->connections[i].fd = -1;
    int err = ERR_SYNTAX;
    snprintf(spec.name, sizeof spec.name, "%s", env->name);
    if (*address == '/' ||
        (size_t)snprintf(spec.address, sizeof spec.address, "%s", address) >= sizeof spec.address)
        text_printf(why, "Parameter %s: expected an address and a port, not %s\n", env->parameter, address);
    else
        err = listen_open(&spec, w->env.sockets, why);
    if (err == 0 && (err = start_http(w)) != 0)
        text_printf(why, "Parameter %s: cannot start the HTTP library\n", env->parameter);
    if (err == 0)
        listen_on(w);
    return err;
}

void
web_close(struct web **at)
{
    struct web *w = *at;
    if (w == NULL)
        return;
    events_timer_cancel(w->env.events, &w->later);
    events_remove(w->env.events, &w->work);
    for (unsigned i = 0; i < w->env.sockets->n; i++)
        events_remove(w->env.events, &w->listeners[i].event);
    /* The library refuses to stop while a connection is suspended. */
    for (unsigned i = 0; i < WEB_CONNECTIONS_MAX; i++) {
        w->connections[i].ended = true;
        resume(&w->connections[i]);
    }
    if (w->http != NULL)
        MHD_stop_daemon(w->http);
    listen_close(w->env.sockets);
    free(w);
    *at = NULL;
}
