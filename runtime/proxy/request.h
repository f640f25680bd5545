/* One client request, from its head to the last byte of its response. Runs on a fiber of its client's loop through the steps
 * of request.c, each of which calls at most one hook of the policy. */
#ifndef VERNIS_REQUEST_H
#define VERNIS_REQUEST_H

#include "http/http1.h"
#include "policy/policy.h"
#include "policy/vars.h"
#include "proxy/deliver.h"
#include "proxy/http1_stream.h"

struct client;
struct fetch;
struct server;

/* The request body, and how much of it is gone. */
struct request_body {
    struct http1_framing framing;
    struct span cached;                 /* std.cache_req_body: all of it, in `cache`; ptr NULL = not cached */
    char *cache;                        /* owned: all of the body, or the piece of it that is on its way */
    size_t cache_bytes;
    struct storage *storage;            /* charged for `cache`: req.storage, or Transient */
    size_t ahead_bytes;                 /* in `cache`, received and looked at, but not taken by anybody yet */
    bool started;                       /* bytes were taken from the client: can't be sent a second time */
    bool failed;                        /* it could not be kept: nothing can be answered, the client may still be sending */
};

struct request {
    struct list link;                   /* recycling */
    struct client *client;
    struct server *server;
    struct loop *loop;
    struct policy *policy;              /* counted until the last hook has run, then NULL */
    struct fiber *fiber;                /* the one that runs the steps */
    struct arena arena;
    struct http_message req, resp;
    struct client_vars vars;
    struct policy_ctx ctx;
    struct request_body body;

    struct object *object;              /* to be delivered, or the marker that was hit */
    struct object *stale;               /* for a conditional fetch */
    struct object *busy;                /* being fetched for this request */
    struct store_waiter waiter;
    struct watch watch;
    bool woken, is_pass, hash_done;
    bool switched;                      /* by return (vcl(label)), which is possible once */
    enum vcl_action recv_action;

    struct http1_stream h1;             /* its stream is &h1.stream */
    struct delivery delivery;
    uint64_t xid;
    size_t synth_bytes;                 /* of a synthetic body on its way, on Transient's account */
    struct log_txn log, *pipe_log;      /* pipe_log: of the origin side of a pipe; arena */
    nsec start;                         /* wall clock, head complete */
    bool is_head;                       /* the client sent HEAD */
    bool is_hit;                        /* told by X-Varnish, even when vcl_hit chose to pass */
    bool in_grace;                      /* the object that was hit is stale */
    bool piped;                         /* its bytes are accounted as a pipe's */
};

enum request_end { REQUEST_DONE, REQUEST_HANDED };      /* handed: delivery or pipe goes on without the fiber */

enum request_end request_run(struct request *r);        /* fiber; r->req and body framing are filled in */
void request_finish(struct request *r);                 /* drops objects, policy; the struct goes back by the client */

/* request_begin.c */
void request_begin(struct request *r);                  /* takes the loop's policy, if there is one */
void request_prepare(struct request *r);                /* for vcl_recv, at first, after each restart and switch */
/* To the policy of ctx.ret's label, with the request as the client sent it. False: not possible; the log says why. */
bool request_switch_policy(struct request *r);
void request_wash_accept_encoding(struct request *r);   /* to gzip or nothing, for look-ups */

/* request_body.c */
int request_body_keep(void *request, uint64_t bytes_max);       /* client_vars.keep_content; ERR_LIMIT: longer than that */
/* What the client has sent of a chunked body so far, waiting for some of it, so that one known to be malformed reaches no origin.
 * It stays to be read. 0, or an error as of stream recv_body, ERR_NOMEM. */
int request_body_ahead(struct request *r, nsec deadline);
/* The next bytes of the request body for a fetch, cached ones or from the client, in *piece: good until the next call. Same
 * results as stream recv_body, ERR_NOMEM. `at`: how far the caller got, 0 at first. */
ssize_t request_body_next(struct request *r, size_t *at, struct span *piece, nsec deadline);
void request_body_drain(struct request *r);             /* what nobody wanted, when that is cheap: the connection can be used again */
void request_body_release(struct request *r);

#endif
