/* Shared only by the files of a fetch: fetch_start.c (begin and end), fetch.c (steps and hooks),
 * fetch_exchange.c (the request to the origin and the response head), fetch_body.c (the content),
 * fetch_filters.c (its filters), fetch_store.c (lifetimes and storing),
 * rfc9111/validate.c (304 and 206), fetch_error.c. */
#ifndef VERNIS_PROXY_FETCH_INTERNAL_H
#define VERNIS_PROXY_FETCH_INTERNAL_H

#include "cache/freshness.h"
#include "filter/esi_filter.h"
#include "origin/backend.h"
#include "proxy/fetch.h"
#include "proxy/parts/part.h"
#include "proxy/server.h"
#include "stream/exchange.h"

/* Beside each step: what a fetch holds when the step begins, which the step checks. Each also has the policy,
 * and busy is not published. */
enum fetch_step {
    FETCH_STEP_FETCH,    /* no exchange; stale, if the request to the origin is conditional */
    FETCH_STEP_RESPONSE, /* an exchange */
    FETCH_STEP_STORE,    /* an exchange; stale, if it is a 304 */
    FETCH_STEP_RETRY,    /* no exchange */
    FETCH_STEP_ERROR,    /* no exchange; busy may have given its request back */
    FETCH_STEP_FAIL,
    FETCH_STEP_DONE
};

struct fetch {
    struct check_place place; /* what a report of a failed check names while the fetch runs */
    enum fetch_step step;     /* the running step */
    struct arena arena;
    struct log_txn log;
    struct loop *loop;
    struct server *server;
    struct policy *policy; /* counted; NULL after the last hook */
    /* The request whose body the fetch sends; it waits until busy leaves BUSY. NULL: no request body */
    struct request *request;
    /* The request that waits for the head, on this loop, and gets interim responses. NULL: none */
    struct request *asker;
    struct object *busy, *stale; /* own references */
    enum fetch_kind kind;
    bool in_index;    /* the store indexes busy, so the fetch must insert or withdraw it */
    bool conditional; /* validators of `stale` were sent */
    bool published;
    bool left;      /* the body left its storage: it is too long */
    bool marked;    /* it could only renew a hit-for-miss that holds for long enough */
    bool by_policy; /* the policy asked for the error */
    bool is_error;  /* the stored response is our own error */

    struct http_message bereq, beresp;
    struct fetch_vars vars;
    struct client_vars client; /* copy, because the client may leave before the fetch ends */
    struct policy_ctx ctx;
    const char *why;  /* reason of a failure, static or in the arena; for the log */
    uint8_t refusal;  /* enum reason: why the response is not stored, or failed; reason/refusal.c */
    uint8_t unshared; /* the same of all responses of this fetch: busy is not in the index */
    struct policy_place refused_at; /* the statement behind the refusal */
    double refused_ttl;             /* of REASON_NO_LIFETIME */
    bool ttl_by_policy;
    struct exchange_bytes bytes; /* of all ended exchanges */

    struct backend *backend;
    struct exchange *exchange;  /* owned; NULL: none */
    struct content content;     /* of the response */
    struct filter_chain *chain; /* filters of the body; NULL: the body is stored as received */
    struct esi_page page;       /* result of the filter "esi" */
    size_t chain_bytes;         /* charged to Transient for the chain and `piece` */
    char *piece;                /* received bytes, before they go through a chain that changes them */
    size_t piece_bytes;
    bool held_back;          /* the chain may hold back output of received bytes */
    bool until_close;        /* the end of the connection ends the content */
    bool trailed;            /* trailer fields may follow the content, and are kept */
    size_t body_at;          /* position in a cached request body */
    struct fetch_part *part; /* arena; NULL: the whole content is fetched */
    bool rfc9111;            /* that of the request */
    /* The client accepts the stale response if the origin cannot answer (rfc9111) */
    bool stale_may_answer;
    bool no_replay; /* the request went on, so its body cannot be sent again */
    nsec request_time, response_time, origin_time;
    struct watch reader;  /* wakes the fetch when the reader of a private object advances */
    struct watch growing; /* wakes the fetch when `stale`, which a 304 confirmed, has grown */
    struct fiber *fiber;
};

/* Logs `why` and stores it in the fetch. Returns err. */
int fetch_failed(struct fetch *f, int err, const char *why);
nsec fetch_deadline(const struct fetch *f, double seconds);
double fetch_between_bytes(const struct fetch *f);

/* fetch_start.c */
/* Begins fetch_run_hole for the claimed bytes of o. Takes over the claim and one side of `hole`. On an error
 * nothing was begun. */
int fetch_start_hole(struct request *r, struct object *o, struct object *busy, const struct hole_claim *claim,
                     struct hole *hole);
void fetch_free(struct fetch *f); /* ends every fetch, also one that never ran */
/* fetch.c */
void fetch_run(void *fetch); /* the fiber: all steps, then fetch_free */
enum vcl_action fetch_hook(struct fetch *f, enum vcl_hook hook);
void fetch_drop_policy(struct fetch *f);       /* after the last hook: a slow body must not pin the policy */
bool fetch_has_content(const struct fetch *f); /* the response has content */
/* Returns FETCH_STEP_RETRY if another try is allowed. Otherwise logs `complaint` and returns `otherwise`. */
enum fetch_step fetch_retry_or(struct fetch *f, const char *complaint, enum fetch_step otherwise);

/* fetch_exchange.c: runs one exchange up to the response head. 0 with exchange, beresp and content set; or an
 * error with `why` set. */
int fetch_exchange(struct fetch *f);
void fetch_cancel_exchange(struct fetch *f); /* closes its connection; harmless without an exchange */
/* Gives the connection to the pool if the response was received in full */
void fetch_end_exchange(struct fetch *f);

/* fetch_body.c: receives the content into f->busy. 0, or an error with `why`. Ends the exchange. */
int fetch_body(struct fetch *f);
/* A private response and that of a marker have one reader, which frees the bytes it has sent. */
bool fetch_in_transit(const struct fetch *f);
nsec fetch_next_bytes(const struct fetch *f);        /* deadline for the next bytes of the origin */
int fetch_recv_failed(struct fetch *f, ssize_t err); /* copies the error of the exchange to the fetch */

/* fetch_filters.c */
/* Opens the chain that beresp.filters asks for: 0, or an error with `why` set */
int fetch_open_filters(struct fetch *f);
int fetch_filter_failed(struct fetch *f, int err); /* copies the error of the chain to the fetch */
void fetch_note_gzip(struct fetch *f);             /* stores the gzip facts of a complete body */
int fetch_note_page(struct fetch *f);              /* stores the recipe of a page with includes */
void fetch_close_filters(struct fetch *f);         /* harmless without filters */

/* rfc9111/trailers.c */
bool fetch_may_have_trailers(const struct fetch *f); /* trailer fields may follow the content, and are kept */
void fetch_announce_trailers(struct fetch *f);       /* keeps their names in the stored head */
void fetch_keep_trailers(struct fetch *f); /* after the end of the content: moves the fields to the object */

/* fetch_error.c */
enum fetch_step fetch_step_error(struct fetch *f);

/* rfc9111/validate.c */
/* beresp becomes the head of `stale`, refreshed by the 304: NULL. Or the reason why the 304 does not renew
 * it. */
const char *fetch_take_304(struct fetch *f);
void fetch_drop_conditions(struct fetch *f); /* the next try is unconditional */
/* Of a fetch for the cache, after fetch_propose: the reason why the 206 cannot be used, or NULL. One that is
 * not about bytes becomes uncacheable. */
const char *fetch_judge_206(struct fetch *f);

/* reason/refusal.c */
void fetch_refuse(struct fetch *f, unsigned reason); /* enum reason: the response is not stored, or failed */
void fetch_refuse_none(struct fetch *f);             /* before each try: only `unshared` holds */
void fetch_refuse_uncacheable(struct fetch *f);      /* by beresp.uncacheable, after the hook */
void fetch_refuse_dead(struct fetch *f);             /* it has no lifetime */
void fetch_keep_refusal(struct fetch *f);            /* in busy, for the requests that find it */
void fetch_log_reason(const struct fetch *f);

/* fetch_store.c */
/* Lets the stale response answer in place of an error: of an unreachable origin (status 0), or of a 5xx. The
 * fetch fails then. */
bool fetch_falls_back(struct fetch *f, unsigned status);
int64_t fetch_content_length(const struct fetch *f); /* of the stored content; -1: not known yet */
/* Sets the proposed lifetimes in f->vars, and the fields Date, Content-Length */
void fetch_propose(struct fetch *f);
void fetch_judge_again(struct fetch_vars *v); /* fetch_vars.judge */
/* Gives head and lifetimes to the object, and decides whether it is shared, a marker, or private. */
int fetch_settle(struct fetch *f);
/* Makes the object visible to its requester and, when shared, to the index. */
int fetch_publish(struct fetch *f, int64_t content_length);

#endif
