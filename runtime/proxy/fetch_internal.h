/* Shared by the files of a fetch only: fetch_start.c (begin and end), fetch.c (steps and hooks), fetch_exchange.c (the request to
 * the origin and the response head), fetch_body.c (its content), fetch_filters.c (what is done to it), fetch_store.c (what becomes of it),
 * fetch_error.c. */
#ifndef VERNIS_FETCH_INTERNAL_H
#define VERNIS_FETCH_INTERNAL_H

#include "cache/freshness.h"
#include "filter/esi_filter.h"
#include "origin/backend.h"
#include "proxy/fetch.h"
#include "proxy/parts/part.h"
#include "proxy/server.h"
#include "stream/exchange.h"

enum fetch_step { STEP_FETCH, STEP_RESPONSE, STEP_STORE, STEP_RETRY, STEP_ERROR, STEP_FAIL, STEP_DONE };

struct fetch {
    struct check_place place;           /* entered while the fetch is worked on */
    enum fetch_step step;               /* the one that runs */
    struct arena arena;
    struct log_txn log;
    struct loop *loop;
    struct server *server;
    struct policy *policy;              /* counted; NULL once no hook can run any more */
    struct request *request;            /* whose content is sent: it waits for busy to leave BUSY. NULL: it has none */
    struct request *asker;              /* waits for the head, on this loop: gets interim responses. NULL: nobody does */
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
    struct exchange_bytes bytes;        /* of all exchanges that have ended */

    struct backend *backend;
    const struct exchange_protocol *protocol;   /* of the backend */
    struct exchange *exchange;          /* owned; NULL when there is none */
    struct content content;          /* of the response */
    struct filter_chain *chain;         /* of the body; NULL: it is stored as it comes */
    struct esi_page page;               /* what the filter "esi" makes of it */
    size_t chain_bytes;                 /* charged to Transient for it, with the piece */
    char *piece;                        /* bytes of the origin on their way into a chain that changes them */
    size_t piece_bytes;
    bool held_back;                     /* the chain may hold output of what the origin sent */
    bool until_close;                   /* its end is the connection's */
    bool trailed;                       /* trailer fields may follow it, and are kept */
    size_t body_at;                     /* of a cached request body */
    struct fetch_part *part;            /* arena; NULL: all of the content is fetched */
    bool stale_may_answer;              /* the client takes it if the origin cannot answer (feature rfc9111) */
    bool no_replay;                     /* the request it belongs to has gone its own way */
    nsec request_time, response_time, origin_time;
    struct watch reader;                /* wakes us when a private object's reader advances */
    struct watch growing;               /* wakes us when `stale`, which a 304 confirmed, has grown */
    struct fiber *fiber;
};

/* Logs why and remembers it. Returns err. */
int fetch_failed(struct fetch *f, int err, const char *why);
nsec fetch_deadline(const struct fetch *f, double seconds);
double fetch_between_bytes(const struct fetch *f);

/* fetch_start.c */
/* Begins fetch_run_hole for what is claimed of o, and takes over the claim and a side of `hole`. An error: nothing was begun. */
int fetch_start_hole(struct request *r, struct object *o, struct object *busy, const struct parts_claim *claim, struct hole *hole);
void fetch_free(struct fetch *f);       /* the end of every fetch, begun or not */
/* fetch.c */
void fetch_run(void *fetch);            /* the fiber: all steps, then fetch_free */
enum vcl_action fetch_hook(struct fetch *f, enum vcl_hook hook);
void fetch_drop_policy(struct fetch *f);                /* no hook can run any more: a slow body must not pin the policy */
bool fetch_has_content(const struct fetch *f);          /* the response has */
/* Another try, if there may be one; else `otherwise`, with the complaint logged. */
enum fetch_step fetch_retry_or(struct fetch *f, const char *complaint, enum fetch_step otherwise);

/* fetch_exchange.c: one exchange up to the response head. 0 with exchange, beresp and content set; else an error, `why` set. */
int fetch_exchange(struct fetch *f);
void fetch_cancel_exchange(struct fetch *f);            /* closes its connection; harmless when there is none */
void fetch_end_exchange(struct fetch *f);               /* the connection is for the next one, if nothing is left to receive */

/* fetch_body.c: the content of the response into f->busy. 0, or an error with `why`; the exchange is over. */
int fetch_body(struct fetch *f);
nsec fetch_next_bytes(const struct fetch *f);           /* when the origin must have sent more */
int fetch_recv_failed(struct fetch *f, ssize_t err);    /* the error of the exchange becomes the fetch's */

/* fetch_filters.c */
int fetch_open_filters(struct fetch *f);                /* 0 with the chain that beresp.filters asks for; or an error, `why` set */
int fetch_filter_failed(struct fetch *f, int err);      /* the chain's error becomes the fetch's */
void fetch_note_gzip(struct fetch *f);                   /* what the filters learned: of a body that has come to its end */
int fetch_note_page(struct fetch *f);                   /* the same for a page with includes */
void fetch_close_filters(struct fetch *f);              /* harmless when there are none */

/* rfc9111/trailers.c */
bool fetch_may_have_trailers(const struct fetch *f);    /* fields may follow the content, and are kept */
void fetch_announce_trailers(struct fetch *f);          /* their names stay in the stored head */
void fetch_keep_trailers(struct fetch *f);              /* after the end of the content: they go to the object */

/* fetch_error.c */
enum fetch_step fetch_step_error(struct fetch *f);

/* fetch_store.c */
/* The stale response answers instead of an error: of an origin that is away (status 0), or of its 5xx. The fetch fails then. */
bool fetch_falls_back(struct fetch *f, unsigned status);
int64_t fetch_content_length(const struct fetch *f);    /* of what will be stored; -1: not known yet */
void fetch_propose(struct fetch *f);                    /* lifetimes into f->vars, Date, 304 merged */
int fetch_merge_304(struct fetch *f);                   /* beresp = stale's head refreshed by the 304 */
/* Head and lifetimes go to the object; it is shared, a marker, or private. */
int fetch_settle(struct fetch *f);
/* The object becomes visible to its requester and, when shared, to the index. */
int fetch_publish(struct fetch *f, int64_t content_length);

#endif
