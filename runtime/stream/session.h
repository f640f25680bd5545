/* One client connection of any protocol: its addresses, listener, PROXY header, credentials, the timeouts
 * that policies set, and its transaction in the log. The connection struct of the protocol embeds it and
 * gives it its operations. */
#ifndef VERNIS_STREAM_SESSION_H
#define VERNIS_STREAM_SESSION_H

#include "log/txn.h"
#include "stream/listen.h"
#include "stream/proxy_header.h"
#include "stream/reason.h"
#include "stream/service.h"

struct session;
struct tcp_info;

struct session_ops {
    struct conn *(*conn)(struct session *s); /* the socket that only this session uses; NULL: none */
    void (*drain)(struct session *s);        /* closes unless a request is under way or arriving */
    /* Tells the client to go elsewhere. NULL: service->retiring suffices, the next response tells it */
    void (*retire)(struct session *s);
    /* closes and frees; false: a request is under way */
    bool (*close)(struct session *s, enum session_why why);
    /* Makes the end of the process reset the connection: the response of a request that still runs must not
     * look complete. */
    void (*reset_at_exit)(struct session *s);
};

struct session_timeouts { /* sess.*, in seconds; negative: use the parameter */
    float idle, linger, idle_send, send;
};

struct session {
    const struct session_ops *ops;
    struct service *service;
    struct list link; /* service->sessions */
    const struct listen_socket *listen;
    struct log_txn log; /* id 0 after SessClose was logged */
    struct session_timeouts timeouts;
    uint32_t peer_uid, peer_gid; /* for a Unix socket; otherwise UINT32_MAX */
    struct address peer, local;
    /* addresses from a PROXY header, in one allocation with its fields; NULL: none. Owned */
    struct proxy_info *proxy_info;
};

/* Called after accept, with ops, service, listen and the addresses set. Opens the transaction and counts the
 * session. */
void session_open(struct session *s, const char *protocol, int fd);
/* logs SessClose and ends the transaction; harmless if already ended */
void session_end(struct session *s, enum session_why why);
/* ends the session and leaves the service; the owner frees the struct */
void session_release(struct session *s, enum session_why why);
/* Stores a copy. ERR_NOMEM; ERR_LIMIT, logged and counted: workspace_session is too small for it. */
int session_keep_proxy_info(struct session *s, const struct proxy_info *info);
double session_idle_timeout(const struct session *s); /* seconds */
double session_linger_timeout(const struct session *s);

/* The connection, if it has TLS of ours; NULL: it is plain, or there is no socket. */
struct conn *session_tls(struct session *s);

/* Socket options of the connection. ERR_NOTFOUND: the session does not own its socket (UDP), or the socket
 * lacks the option (Unix sockets). ERR_SYS: the kernel refuses. */
int session_tcp_info(struct session *s, struct tcp_info *out);
int session_congestion(struct session *s, char *name, size_t cap);
int session_set_congestion(struct session *s, struct span name);
int session_set_pace(struct session *s, unsigned bytes_a_second);
int session_set_tos(struct session *s, int tos);

/* client.ip and server.ip. */
static inline const struct address *
session_client(const struct session *s)
{
    return s->proxy_info != NULL ? &s->proxy_info->client : &s->peer;
}

static inline const struct address *
session_server(const struct session *s)
{
    return s->proxy_info != NULL ? &s->proxy_info->server : &s->local;
}

/* The client for limits that hold for an Internet address. NULL: it has none, or a proxy sent none, which
 * stands for many clients. */
static inline const struct address *
session_known_client(const struct session *s)
{
    const struct address *a = session_client(s);
    bool is_proxy = s->proxy_info == NULL && listen_kinds[s->listen->kind].proxy;
    return is_proxy || (a->family != 4 && a->family != 6) ? NULL : a;
}

static inline uint64_t
session_xid(const struct session *s)
{
    return s->log.id & LOG_ID_BITS;
}

#endif
