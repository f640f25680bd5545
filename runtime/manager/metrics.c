/* GET /metrics: see metrics.h. libmicrohttpd speaks HTTP. The manager's event loop watches the library's
 * epoll descriptor and runs its timeouts. This file accepts connections itself, so that it can close those
 * above the limit at once. */
#include "manager/metrics.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/events.h"
#include "manager/listen.h"
#include "manager/shared.h"
#include "worker/params.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define PARAM_NAME "metrics_listen"
#define KEPT (100 * NSEC_PER_MSEC) /* how old an answer may be */
#define ACCEPTS_AT_ONCE 8

struct connection {
    int fd; /* -1: free */
    nsec until;
    enum { HEAD, ANSWER, DONE } stage; /* each connection gets one answer */
    bool ended;                        /* shut down; the library closes it later */
};

struct listener {
    struct metrics *metrics;
    struct event_fd event;
};

struct metrics {
    struct events *events;
    const struct shared *shared;
    struct MHD_Daemon *http;
    struct listens sockets;
    struct listener listeners[LISTEN_SOCKETS_MAX];
    struct event_fd work;     /* the library's epoll descriptor */
    struct event_timer later; /* timeout of the library or of a connection */
    struct connection connections[METRICS_CONNECTIONS_MAX];
    struct text text;
    nsec made; /* when `text` was made; 0: never */
};

/* ---- answers ------------------------------------------------------------------------------------------- */

static void
refresh(struct metrics *mt)
{
    char manager[PATH_MAX], worker[PATH_MAX];
    nsec now = clock_mono_ns();
    if (mt->made != 0 && now - mt->made < KEPT)
        return;
    mt->made = now;
    text_clear(&mt->text);
    shared_manager_path(mt->shared, manager);
    shared_worker_path(mt->shared, worker);
    metrics_text((const char *const[]){ manager, worker }, 2, &mt->text);
}

static enum MHD_Result
answer(struct MHD_Connection *c, unsigned status, struct span body, const char *type, const char *allow)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(body.len, (void *)body.ptr,
                                                             MHD_RESPMEM_MUST_COPY);
    if (r == NULL)
        return MHD_NO;
    enum MHD_Result ok = MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (ok == MHD_YES && allow != NULL)
        ok = MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, allow);
    if (ok == MHD_YES)
        ok = MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    if (ok == MHD_YES)
        ok = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return ok;
}

static void
set_stage(struct MHD_Connection *c, int stage)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct connection *slot = info == NULL ? NULL : info->socket_context;
    if (slot != NULL)
        slot->stage = stage;
}

static void
on_answered(void *arg, struct MHD_Connection *c, void **request, enum MHD_RequestTerminationCode why)
{
    set_stage(c, DONE);
}

/* Answers at the first call, when the head is complete. Ignores a request body. */
static enum MHD_Result
on_request(void *arg, struct MHD_Connection *c, const char *url, const char *method, const char *version,
           const char *upload, size_t *upload_bytes, void **request)
{
    struct metrics *mt = arg;
    static const char text[] = "text/plain; charset=utf-8";
    set_stage(c, ANSWER);
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return answer(c, MHD_HTTP_METHOD_NOT_ALLOWED, SPAN_LIT("GET or HEAD\n"), text, "GET, HEAD");
    if (strcmp(url, "/metrics") != 0)
        return answer(c, MHD_HTTP_NOT_FOUND, SPAN_LIT("metrics are at /metrics\n"), text, NULL);
    refresh(mt);
    return answer(c, MHD_HTTP_OK, span_of(text_cstr(&mt->text), mt->text.len),
                  "text/plain; version=0.0.4; charset=utf-8", NULL);
}

/* ---- connections --------------------------------------------------------------------------------------- */

static struct connection *
connection_find(struct metrics *mt, int fd)
{
    for (unsigned i = 0; i < METRICS_CONNECTIONS_MAX; i++)
        if (mt->connections[i].fd == fd)
            return &mt->connections[i];
    return NULL;
}

static void
on_connection(void *arg, struct MHD_Connection *c, void **socket_arg,
              enum MHD_ConnectionNotificationCode what)
{
    struct metrics *mt = arg;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct connection *slot = NULL;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        slot = *socket_arg;
        if (slot != NULL)
            slot->fd = -1;
        return;
    }
    if (info != NULL && (slot = connection_find(mt, -1)) != NULL)
        *slot = (struct connection){
            .fd = info->connect_fd, .until = nsec_add(clock_mono_ns(), METRICS_CONNECTION_S * NSEC_PER_SEC)
        };
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
    case DONE: return poll(&p, 1, 0) > 0;
    }
    WRONG("stage of a connection");
}

/* Ends overdue and abandoned connections. The library limits only idle time, so a client could send single
 * bytes for ever. The library is also edge-triggered, and misses an end that arrives together with the last
 * bytes. Returns the time of the next check. */
static nsec
end_connections(struct metrics *mt, nsec now)
{
    nsec next = NSEC_NEVER;
    for (unsigned i = 0; i < METRICS_CONNECTIONS_MAX; i++) {
        struct connection *slot = &mt->connections[i];
        if (slot->fd < 0)
            continue;
        if (!slot->ended && (slot->until <= now || peer_left(slot))) {
            (void)shutdown(slot->fd, SHUT_RDWR);
            slot->ended = true;
        }
        if (!slot->ended && slot->until < next)
            next = slot->until;
    }
    return next;
}

static void
run(struct metrics *mt)
{
    MHD_UNSIGNED_LONG_LONG wait_ms;
    (void)MHD_run(mt->http);
    nsec now = clock_mono_ns(), next = end_connections(mt, now);
    if (MHD_get_timeout(mt->http, &wait_ms) == MHD_YES) {
        nsec wanted = nsec_add(now, (nsec)(wait_ms < 60000 ? wait_ms : 60000) * NSEC_PER_MSEC);
        next = wanted < next ? wanted : next;
    }
    if (next == NSEC_NEVER)
        events_timer_cancel(mt->events, &mt->later);
    else
        events_timer(mt->events, &mt->later, next);
}

static void
on_work(struct event_fd *e, short seen)
{
    run(container_of(e, struct metrics, work));
}

static void
on_later(struct event_timer *t)
{
    run(container_of(t, struct metrics, later));
}

static void
on_accept(struct event_fd *e, short seen)
{
    struct metrics *mt = container_of(e, struct listener, event)->metrics;
    struct sockaddr_storage peer;
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        socklen_t len = sizeof peer;
        int fd = accept4(e->fd, (struct sockaddr *)&peer, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            events_accept_failed(e, errno);
            break;
        }
        if (connection_find(mt, -1) == NULL)
            close(fd);
        else
            /* closes fd on failure */
            (void)MHD_add_connection(mt->http, fd, (struct sockaddr *)&peer, len);
    }
    run(mt);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static int
start_http(struct metrics *mt)
{
    mt->http = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, on_request, mt,
                                MHD_OPTION_CONNECTION_LIMIT, METRICS_CONNECTIONS_MAX,
                                MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)METRICS_CONNECTION_S,
                                MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)METRICS_REQUEST_BYTES_MAX,
                                MHD_OPTION_NOTIFY_CONNECTION, on_connection, mt, MHD_OPTION_NOTIFY_COMPLETED,
                                on_answered, mt, MHD_OPTION_END);
    const union MHD_DaemonInfo *info = mt->http == NULL
                                         ? NULL
                                         : MHD_get_daemon_info(mt->http, MHD_DAEMON_INFO_EPOLL_FD);
    if (info == NULL)
        return ERR_SYS;
    mt->work = (struct event_fd){ .fd = info->epoll_fd, .fn = on_work, .want = POLLIN };
    events_add(mt->events, &mt->work);
    return 0;
}

static void
listen_on(struct metrics *mt)
{
    for (unsigned i = 0; i < mt->sockets.n; i++) {
        struct listener *l = &mt->listeners[i];
        *l = (struct listener){
            .metrics = mt, .event = { .fd = mt->sockets.socket[i].fd, .fn = on_accept, .want = POLLIN }
        };
        events_add(mt->events, &l->event);
        log_line(LOG_LEVEL_INFO, "metrics at http://%s/metrics", mt->sockets.socket[i].endpoint.ptr);
    }
}

int
metrics_open(struct events *ev, const struct shared *shared, struct metrics **out, struct text *why)
{
    const char *address = param_text(PARAM_NAME);
    struct listen_spec spec = { .name = "metrics" };
    CHECK(param_protect(PARAM_NAME) == 0);
    if (*address == '\0')
        return 0;
    struct metrics *mt = mem_zalloc(sizeof *mt);
    *out = mt;
    mt->events = ev;
    mt->shared = shared;
    mt->later.fn = on_later;
    for (unsigned i = 0; i < METRICS_CONNECTIONS_MAX; i++)
        mt->connections[i].fd = -1;
    int err = ERR_SYNTAX;
    if (*address == '/' ||
        (size_t)snprintf(spec.address, sizeof spec.address, "%s", address) >= sizeof spec.address)
        text_printf(why, "Parameter " PARAM_NAME ": expected an address and a port, not %s\n", address);
    else
        err = listen_open(&spec, &mt->sockets, why);
    if (err == 0 && (err = start_http(mt)) != 0)
        text_str(why, "Parameter " PARAM_NAME ": cannot start the HTTP library\n");
    if (err == 0)
        listen_on(mt);
    return err;
}

const struct listens *
metrics_listens(const struct metrics *mt)
{
    return mt == NULL ? NULL : &mt->sockets;
}

void
metrics_close(struct metrics **at)
{
    struct metrics *mt = *at;
    if (mt == NULL)
        return;
    events_timer_cancel(mt->events, &mt->later);
    events_remove(mt->events, &mt->work);
    for (unsigned i = 0; i < mt->sockets.n; i++)
        events_remove(mt->events, &mt->listeners[i].event);
    if (mt->http != NULL)
        MHD_stop_daemon(mt->http);
    listen_close(&mt->sockets);
    text_release(&mt->text);
    free(mt);
    *at = NULL;
}
