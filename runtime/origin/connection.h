/* A connection to an origin as backends, endpoints and their users pass it on: who holds it now, why it ends, and for which client it
 * is opened. */
#ifndef VERNIS_ORIGIN_CONNECTION_H
#define VERNIS_ORIGIN_CONNECTION_H

#include "log/txn.h"
#include "loop/conn.h"

struct backend;
struct endpoint;

/* Why a connection is closed; the log has a text for each. */
enum backend_close {
    CLOSE_RESP_CLOSE, CLOSE_RX_BAD, CLOSE_RX_BODY, CLOSE_RX_JUNK, CLOSE_RX_OVERFLOW,
    CLOSE_RX_TIMEOUT, CLOSE_TX_PIPE, CLOSE_TX_ERROR, CLOSE_OVERLOAD
};

struct backend_conn {
    struct conn conn;
    struct backend *backend;            /* while taken */
    struct endpoint *endpoint;          /* a reference while taken */
    struct list link;                   /* endpoint lock, while idle */
    nsec idle_since;                    /* monotonic; while idle */
    struct idle_keeper *keeper;         /* of the loop that watches it; while idle */
    bool moved;                         /* another thread took its socket while it was idle (endpoint_idle.c) */
    struct address peer, local;         /* of the socket */
    uint64_t requests;                  /* served before this one */
    struct log_txn *log;                /* while taken: who hears of its end (backend_log_open) */
    enum backend_close close_why;       /* for that record */
    bool reused;
};

/* Both ends of a client's connection, for the PROXY header. */
struct client_addresses {
    struct address client, server;
};

#endif
