/* A connection to an origin, as backends, endpoints and their callers pass it on: its current holder, the
 * reason for its end, and the client that it serves. */
#ifndef VERNIS_ORIGIN_CONNECTION_H
#define VERNIS_ORIGIN_CONNECTION_H

#include "log/txn.h"
#include "loop/conn.h"

struct backend;
struct pool;

/* Reason for closing a connection; close_texts in backend_conn.c has the log text of each. */
enum backend_close {
    CLOSE_RESP_CLOSE,
    CLOSE_RX_BAD,
    CLOSE_RX_BODY,
    CLOSE_RX_JUNK,
    CLOSE_RX_OVERFLOW,
    CLOSE_RX_TIMEOUT,
    CLOSE_TX_PIPE,
    CLOSE_TX_ERROR,
    CLOSE_OVERLOAD
};

struct backend_conn {
    struct conn conn;
    /* A reference to the backend that takes it, and while idle to the one that took it last: NULL when that
     * one was released. While idle: pool lock */
    struct backend *backend;
    struct pool *pool;          /* of the loop that uses or watches the connection (endpoint_idle.c) */
    struct list link;           /* pool lock, while idle */
    nsec idle_since;            /* monotonic; while idle */
    struct address peer, local; /* both ends of the socket */
    uint64_t requests;          /* served before this one */
    void *user;                 /* for conn.on_ready, while taken: the exchange */
    struct log_txn *log;        /* while taken: transaction for the BackendClose record (backend_log_open) */
    enum backend_close close_why; /* for the BackendClose record */
    bool reused;
    bool moved; /* pool lock; another loop took the socket while the connection was idle */
};

/* Both ends of a client's connection, for the PROXY header. */
struct client_addresses {
    struct address client, server;
};

#endif
