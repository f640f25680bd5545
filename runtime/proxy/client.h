/* A client connection (HTTP/1): reads heads, runs one request after another, sends. Idle, it is only this struct: the
 * receive buffer and the request come with the first byte of a head and go when the answer is out. */
#ifndef VERNIS_CLIENT_H
#define VERNIS_CLIENT_H

#include "http/http1.h"
#include "loop/conn.h"
#include "proxy/server.h"

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
    uint32_t rx_taken;                  /* consumed of rx: head and body bytes; the rest belongs to the next request */
    uint32_t linger_bytes;
    enum client_state state;
    bool close_seen;
    const struct listen_socket *listen;
    uint64_t xid, requests;
    nsec timeout_idle;                  /* sess.timeout_idle; < 0 = parameter */
    struct address peer, local, client, server_address;     /* the last two: as told by PROXY, else the same */
};

void client_new(struct server *s, int fd, const struct listen_socket *listen, const struct address *peer);
void client_close(struct client *c);                    /* frees; not while its fiber runs */
/* The current request is over (sent, or the connection broke). True when the next one is complete in the buffer: the
 * caller runs it (client_serve on a fiber). False: the client looks after itself, or is freed. */
bool client_request_done(struct client *c);
void client_sending(struct client *c);                  /* the response goes out without the fiber: gives back what that does not need */
void client_serve(void *client);                        /* fiber entry: requests until the buffer is empty */
void client_spawn(struct client *c);                    /* client_serve on a new fiber */
void client_release(struct client *c);                  /* pipe.c: the connection is closed, free the rest */

#endif
