/* A client connection (HTTP/1): reads heads, runs one request after another, sends. Idle, it is only this struct: the
 * receive buffer and the request come with the first byte of a head and go when the answer is out. */
#ifndef VERNIS_CLIENT_H
#define VERNIS_CLIENT_H

#include "http/http1.h"
#include "loop/conn.h"
#include "proxy/proxy_header.h"
#include "proxy/server.h"
#include "proxy/stream.h"

enum client_state {
    CLIENT_IDLE,                        /* between requests, nothing received */
    CLIENT_PROXY_HEADER,                /* a PROXY header is awaited */
    CLIENT_HEAD,                        /* part of a head received */
    CLIENT_BUSY,                        /* a fiber works on the request */
    CLIENT_SENDING,                     /* the response goes out from the loop's stack */
    CLIENT_PIPE,                        /* bytes both ways; pipe.c owns the connection */
    CLIENT_LINGER,                      /* response sent, reading what still comes before the close */
};

struct client {
    struct conn conn;
    struct server *server;
    struct list link;                   /* server->clients */
    struct timer timer;                 /* what it means depends on state */
    struct request *request;            /* HEAD, BUSY, SENDING, PIPE */
    char *rx;                           /* receive buffer, else NULL; a request's spans point into it */
    uint32_t rx_bytes;                  /* received in rx */
    uint32_t rx_head;                   /* length of the current request's head */
    union {
        uint32_t rx_taken;              /* consumed of rx: head and body bytes; the rest belongs to the next request */
        uint32_t linger_bytes;          /* LINGER: read since, and thrown away */
    };
    enum client_state state;
    const struct listen_socket *listen;
    struct log_txn log;
    nsec head_began;                    /* wall clock of the first byte of the head; 0: none came */
    struct { float idle, linger, idle_send, send; } timeouts;   /* sess.*, seconds; < 0 = parameter */
    uint32_t peer_uid, peer_gid;        /* of a Unix socket; else UINT32_MAX */
    struct address peer, local;
    struct proxy_told *told;            /* by a PROXY header, in one piece with its fields; NULL: nothing. Owned */
};

/* Many connections are idle: one more byte costs each of them the next size of the allocator. */
_Static_assert(sizeof(struct client) <= 288, "what an idle connection costs");

/* client.ip and server.ip. */
static inline const struct address *
client_address(const struct client *c)
{
    return c->told != NULL ? &c->told->client : &c->peer;
}

static inline const struct address *
client_server_address(const struct client *c)
{
    return c->told != NULL ? &c->told->server : &c->local;
}

static inline uint64_t
client_xid(const struct client *c)
{
    return c->log.id & LOG_ID_BITS;
}

void client_new(struct server *s, int fd, const struct listen_socket *listen, const struct address *peer);
void client_close(struct client *c, enum stream_close why);     /* frees; not while its fiber runs */
/* The current request is over (sent, or the connection broke). True when the next one is complete in the buffer: the
 * caller runs it (client_serve on a fiber). False: the client looks after itself, or is freed. */
bool client_request_done(struct client *c);
void client_sending(struct client *c);                  /* the response goes out without the fiber: gives back what that does not need */
void client_serve(void *client);                        /* fiber entry: requests until the buffer is empty */
void client_spawn(struct client *c);                    /* client_serve on a new fiber */
void client_release(struct client *c, enum stream_close why);   /* pipe.c: the connection is closed, free the rest */

#endif
