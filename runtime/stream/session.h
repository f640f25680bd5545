/* One client connection, whatever protocol it speaks: addresses, listener, what a PROXY header told, credentials, timeouts that
 * policies set, its transaction in the log. The protocol connection embeds it and gives it its operations. */
#ifndef VERNIS_SESSION_H
#define VERNIS_SESSION_H

#include "log/txn.h"
#include "stream/listen.h"
#include "stream/proxy_header.h"
#include "stream/reason.h"
#include "stream/service.h"

struct session;
struct tcp_info;

struct session_ops {
    struct conn *(*conn)(struct session *s);            /* the socket that is this session's alone; NULL: there is none */
    void (*drain)(struct session *s);                   /* closes if no request is under way or arriving */
    bool (*close)(struct session *s, enum session_why why);     /* frees; false: a request is under way */
    /* A request that still runs when the process ends must not look complete to its client: the end of the process resets it. */
    void (*reset_at_exit)(struct session *s);
};

struct session_timeouts {               /* sess.*, seconds; negative: the parameter */
    float idle, linger, idle_send, send;
};

struct session {
    const struct session_ops *ops;
    struct service *service;
    struct list link;                   /* service->sessions */
    const struct listen_socket *listen;
    struct log_txn log;                 /* id 0 once the session's last word is said */
    struct session_timeouts timeouts;
    uint32_t peer_uid, peer_gid;        /* of a Unix socket; else UINT32_MAX */
    struct address peer, local;
    struct proxy_told *told;            /* by a PROXY header, in one piece with its fields; NULL: nothing. Owned */
};

/* After accept: ops, service, listen and the addresses are set. Opens its transaction, counts it. */
void session_open(struct session *s, const char *protocol, int fd);
void session_end(struct session *s, enum session_why why);      /* its last word in the log; harmless when it was said */
void session_release(struct session *s, enum session_why why);  /* the same, and it leaves the service; the struct is the owner's */
/* Copies it: ERR_NOMEM; ERR_LIMIT when workspace_session has no room for it, which it logs and counts. */
int session_keep_told(struct session *s, const struct proxy_told *told);
double session_idle_timeout(const struct session *s);           /* seconds */
double session_linger_timeout(const struct session *s);

/* The connection below, which a session over UDP does not have to itself: ERR_NOTFOUND then, and where the address has nothing of the
 * kind (Unix sockets); ERR_SYS when the kernel refuses. */
int session_tcp_info(struct session *s, struct tcp_info *out);
int session_congestion(struct session *s, char *name, size_t cap);
int session_set_congestion(struct session *s, struct span name);
int session_set_pace(struct session *s, unsigned bytes_a_second);
int session_set_tos(struct session *s, int tos);

/* client.ip and server.ip. */
static inline const struct address *
session_client(const struct session *s)
{
    return s->told != NULL ? &s->told->client : &s->peer;
}

static inline const struct address *
session_server(const struct session *s)
{
    return s->told != NULL ? &s->told->server : &s->local;
}

static inline uint64_t
session_xid(const struct session *s)
{
    return s->log.id & LOG_ID_BITS;
}

#endif
