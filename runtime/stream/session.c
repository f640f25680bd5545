/* Begin and end of a session, and the socket options that a policy can read and set. See session.h. */
#include "stream/session.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "stream/session_log.h"

/* Read the credentials when the connection is accepted: later they could be those of another process. */
static void
note_credentials(struct session *s, int fd)
{
    struct ucred peer;
    socklen_t len = sizeof peer;
    s->peer_uid = s->peer_gid = UINT32_MAX;
    if (s->peer.family == 1 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0) {
        s->peer_uid = peer.uid;
        s->peer_gid = peer.gid;
    }
}

void
session_open(struct session *s, const char *protocol, int fd)
{
    struct counters *n = s->service->counters;
    CHECK(loop_is_current(s->service->loop));
    CHECK(s->ops != NULL && s->listen != NULL);
    note_credentials(s, fd);
    s->timeouts = (struct session_timeouts){ -1, -1, -1, -1 };
    session_log_open(s, protocol, fd);
    list_push_back(&s->service->sessions, &s->link);
    n->sess_conn++;
    n->s_sess++;
    n->sess_live++;
}

void
session_end(struct session *s, enum session_why why)
{
    if (s->log.id != 0)
        session_log_close(s, why);
}

void
session_release(struct session *s, enum session_why why)
{
    CHECK(loop_is_current(s->service->loop));
    list_remove(&s->link);
    session_end(s, why);
    atomic_fetch_sub_explicit(&s->service->load->sessions, 1, memory_order_relaxed);
    s->service->counters->sess_live--;
    free(s->proxy_info);
    s->proxy_info = NULL;
}

/* Bytes of workspace_session that a connection behind a proxy takes. The figures are those of Varnish on 64
 * bits, measured with headers of many lengths, so that both servers accept the same headers. The structs here
 * are smaller. */
#define CHARGE_CONNECTION 344u
#define CHARGE_PROTOCOL 8u /* charged last */
#define CHARGE_FIELDS 16u  /* in addition to the fields themselves */

static size_t
padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

static size_t
charge_of(const struct proxy_info *info)
{
    char text[ADDRESS_TEXT_BYTES];
    size_t address = address_text(&info->client, text),
           port = (size_t)snprintf(text, sizeof text, "%u", info->client.port);
    size_t fields = info->fields.len == 0 ? 0 : CHARGE_FIELDS + padded(info->fields.len);
    return CHARGE_CONNECTION + padded(address + 1) + padded(port + 1) + fields;
}

static int
check_workspace(struct session *s, const struct proxy_info *info)
{
    size_t charge = charge_of(info);
    if (charge + CHARGE_PROTOCOL <= params.workspace_session_bytes)
        return 0;
    log_printf(&s->log, TAG_ERROR, "insufficient workspace%s",
               charge <= params.workspace_session_bytes ? " (proto_priv)" : "");
    s->service->counters->ws_session_overflow++;
    return ERR_LIMIT;
}

/* Copies, because the receive buffer is reused. */
int
session_keep_proxy_info(struct session *s, const struct proxy_info *info)
{
    CHECK(s->proxy_info == NULL);
    int err = check_workspace(s, info);
    if (err != 0)
        return err;
    struct proxy_info *kept = malloc(sizeof *kept + info->fields.len);
    if (kept == NULL)
        return ERR_NOMEM;
    *kept = *info;
    kept->fields = span_of((char *)(kept + 1), info->fields.len);
    if (info->fields.len > 0)
        memcpy(kept + 1, info->fields.ptr, info->fields.len);
    s->proxy_info = kept;
    return 0;
}

double
session_idle_timeout(const struct session *s)
{
    return s->timeouts.idle >= 0 ? (double)s->timeouts.idle : params.timeout_idle_s;
}

double
session_linger_timeout(const struct session *s)
{
    return s->timeouts.linger >= 0 ? (double)s->timeouts.linger : params.timeout_linger_s;
}

/* ---- the socket below ---- */

struct conn *
session_tls(struct session *s)
{
    struct conn *c = s->ops->conn(s);
    return c == NULL || c->layer == NULL ? NULL : c;
}

/* -1: not an Internet socket. */
static int
inet_socket(struct session *s)
{
    struct conn *c = s->ops->conn(s);
    bool inet = s->local.family == 4 || s->local.family == 6;
    return c != NULL && inet ? c->poll.fd : -1;
}

static int
set_option(struct session *s, int level, int option, const void *value, size_t bytes)
{
    int fd = inet_socket(s);
    if (fd < 0)
        return ERR_NOTFOUND;
    return setsockopt(fd, level, option, value, (socklen_t)bytes) == 0 ? 0 : ERR_SYS;
}

static int
get_option(struct session *s, int option, void *value, size_t bytes)
{
    int fd = inet_socket(s);
    socklen_t len = (socklen_t)bytes;
    if (fd < 0)
        return ERR_NOTFOUND;
    return getsockopt(fd, IPPROTO_TCP, option, value, &len) == 0 ? 0 : ERR_SYS;
}

int
session_tcp_info(struct session *s, struct tcp_info *out)
{
    memset(out, 0, sizeof *out);
    return get_option(s, TCP_INFO, out, sizeof *out);
}

int
session_congestion(struct session *s, char *name, size_t cap)
{
    memset(name, 0, cap);
    return get_option(s, TCP_CONGESTION, name, cap - 1);
}

int
session_set_congestion(struct session *s, struct span name)
{
    return set_option(s, IPPROTO_TCP, TCP_CONGESTION, name.ptr, name.len);
}

int
session_set_pace(struct session *s, unsigned bytes_a_second)
{
    return set_option(s, SOL_SOCKET, SO_MAX_PACING_RATE, &bytes_a_second, sizeof bytes_a_second);
}

int
session_set_tos(struct session *s, int tos)
{
    if (s->local.family == 4)
        return set_option(s, IPPROTO_IP, IP_TOS, &tos, sizeof tos);
    return set_option(s, IPPROTO_IPV6, IPV6_TCLASS, &tos, sizeof tos);
}
