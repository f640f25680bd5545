/* Shared by the files of a fetch only: fetch.c (steps and hooks), fetch_wire.c (talking to the origin), fetch_store.c (what
 * becomes of the response). */
#ifndef VERNIS_FETCH_INTERNAL_H
#define VERNIS_FETCH_INTERNAL_H

#include "cache/freshness.h"
#include "policy/backend.h"
#include "proxy/bereq.h"
#include "proxy/client.h"

/* On the wire, but without the framing of a chunked response. */
struct fetch_bytes {
    uint64_t bereq_head, bereq_body, beresp_head, beresp_body;
};

struct fetch {
    struct arena arena;
    struct log_txn log;
    struct loop *loop;
    struct server *server;
    struct policy *policy;              /* counted; NULL once no hook can run any more */
    struct request *request;            /* waits for busy to leave BUSY; NULL in the background, unless its body is wanted */
    struct object *busy, *stale;        /* own references */
    enum fetch_kind kind;
    bool in_index;                      /* busy is known to the store: insert or withdraw it */
    bool conditional;                   /* validators of `stale` were sent */
    bool published;
    bool by_policy;                     /* the error is one the policy asked for */
    bool is_error;                      /* what is stored is ours */

    struct http_message bereq, beresp;
    struct fetch_vars vars;
    struct client_vars client;          /* copy: the client may go before us */
    struct policy_ctx ctx;
    const char *why;                    /* of a failure, static; for the log */
    struct fetch_bytes bytes, counted;  /* of all exchanges; what of it the backends' counters have */

    struct backend_conn *bc;
    struct backend *backend;
    struct http1_framing framing;       /* of the response */
    char *rx;
    size_t rx_bytes, rx_taken;
    size_t body_at;                     /* of a cached request body */
    bool body_cut;                      /* not all of the request body was sent */
    bool no_replay;                     /* the request it belongs to has gone its own way */
    nsec request_time, response_time, origin_time;
    struct watch reader;                /* wakes us when a private object's reader advances */
    struct watch growing;               /* wakes us when `stale`, which a 304 confirmed, has grown */
    struct fiber *fiber;
};

/* Says why in the log, and remembers it. Returns err. */
int fetch_failed(struct fetch *f, int err, const char *why);

/* fetch_wire.c: one exchange up to the response head. 0 with bc, beresp and framing set; else an error, `why` set. */
int fetch_exchange(struct fetch *f);
/* The response body into f->busy. 0, or an error with `why`; the origin connection is given back or closed. */
int fetch_body(struct fetch *f);
void fetch_drop_connection(struct fetch *f);             /* closes it */
void fetch_leave_connection(struct fetch *f);            /* for the next one, if nothing is left to read */

/* Of the content that will be stored; -1: not known yet. */
int64_t fetch_content_length(const struct fetch *f);

/* fetch_store.c */
void fetch_propose(struct fetch *f);                    /* lifetimes into f->vars, Date, 304 merged */
int fetch_merge_304(struct fetch *f);                   /* beresp = stale's head refreshed by the 304 */
/* Head and lifetimes go to the object; it is shared, a marker, or private. */
int fetch_settle(struct fetch *f);
/* The object becomes visible to its requester and, when shared, to the index. */
int fetch_publish(struct fetch *f, int64_t content_length);

#endif
