/* One client request, from its head to the last byte of its response: what the files that work on it share. request_life.c begins
 * and ends it, request.c walks it through its steps. Owned by one loop. */
#ifndef VERNIS_REQUEST_STATE_H
#define VERNIS_REQUEST_STATE_H

#include "base/check.h"
#include "cache/rfc9111/rfc9111.h"
#include "policy/policy.h"
#include "policy/vars.h"
#include "http/codings.h"
#include "proxy/deliver.h"
#include "proxy/interim.h"
#include "stream/stream.h"

struct esi_include;
struct server;

/* The request body, and how much of it is gone. */
struct request_body {
    struct content content;             /* as the head announced it */
    struct span cached;                 /* std.cache_req_body: all of it, in `cache`; ptr NULL = not cached */
    char *cache;                        /* owned: all of the body, or the piece of it that is on its way */
    size_t cache_bytes;
    struct storage *storage;            /* charged for `cache`: req.storage, or Transient */
    size_t ahead_bytes;                 /* in `cache`, received and looked at, but not taken by anybody yet */
    nsec waited;                        /* for bytes of the client, in all */
    bool started;                       /* bytes were taken from the client: can't be sent a second time */
    bool failed;                        /* it could not be kept: nothing can be answered, the client may still be sending */
};

struct request {
    struct list link;                   /* recycling */
    struct check_place place;           /* entered while the request is worked on */
    unsigned step;                      /* the one that runs, or handed its work over: enum request_step */
    struct stream *stream;              /* lent until its operation `done` */
    struct stream_user user;            /* this request, as the stream's protocol sees it */
    struct stream_waiter waiting;       /* for the stream, while the fiber waits for something else */
    struct server *server;
    struct loop *loop;
    struct policy *policy;              /* counted until the last hook has run, then NULL */
    struct policy *first_policy;        /* the one before return (vcl(label)), with which includes begin; counted. NULL: the same */
    struct request *page;               /* an ESI include: the request whose page it is a part of, which outlives it. Else NULL */
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
    struct rfc9111_demand demand;       /* of the client, on the cache; nothing without feature rfc9111 */
    struct watch watch;
    struct fetch *fetching;             /* the fetch that hands over interim responses; NULL: none does */
    struct hole *hole;                  /* the fetch of a part for it (hole.h), until its delivery has it; NULL: none */
    struct interim_queue interim;
    bool woken, is_pass;
    bool refuse_stored;                 /* partial objects changed too often under it: it fetches */
    unsigned changes;                   /* how often */
    bool takes_trailers;                /* its client gets the trailer fields of r->object, if the whole body is sent as it is stored */
    bool keeps_policy;                  /* its delivery fetches holes, with its policy */
    bool switched;                      /* by return (vcl(label)), which is possible once */

    struct delivery delivery;
    enum coding coding;                 /* in which the object goes out, if vars.coding_filters says that it does */
    struct span second;                 /* the object's form in that coding; SPAN_NULL: there is none yet */
    uint64_t xid;
    size_t synth_bytes;                 /* of a synthetic body on its way, on Transient's account */
    struct log_txn log, *pipe_log;      /* pipe_log: of the origin side of a pipe; arena */
    nsec start;                         /* wall clock, head complete */
    bool is_head;                       /* the client sent HEAD */
    bool in_grace;                      /* the object that was hit is stale */
    uint8_t forwarded;                  /* enum forward_reason, for Cache-Status */
    bool piped;                         /* its bytes are accounted as a pipe's */
    bool in_tunnel;                     /* a pipe has begun: there is no response */
    unsigned includes;                  /* started for this request as the top one, at all levels */
    bool has_includes;                  /* its delivery starts sub-requests, which need its policy */
    /* Begins and serves a sub-request for an include of its page, on a stream that brings nothing else; `packed`: for content in gzip
     * coding. ERR_NOMEM. */
    int (*begin_include)(struct request *r, const struct esi_include *what, bool packed, struct stream *s);
    void (*handed_over)(struct request *r);     /* ends it: its delivery or pipe, which went on without the fiber, is over */
};

/* The client's own request, at the top of all includes. */
static inline struct request *
request_top(struct request *r)
{
    while (r->page != NULL)
        r = r->page;
    return r;
}

/* No hook of this request runs any more. Harmless when that was said before. */
static inline void
request_leave_policy(struct request *r)
{
    if (r->policy != NULL)
        policy_unref(r->policy, r->loop);
    if (r->first_policy != NULL)
        policy_unref(r->first_policy, r->loop);
    r->policy = r->first_policy = NULL;
}

static inline struct request *
request_of_user(struct stream_user *u)
{
    return container_of(u, struct request, user);
}

static inline struct request *
request_of_vars(struct client_vars *v)
{
    return container_of(v, struct request, vars);
}

#endif
