/* One client request, from its head to the last byte of its response: the state shared by the files that work
 * on it. request_life.c begins and ends it, request.c walks it through its steps. One loop owns it. */
#ifndef VERNIS_PROXY_REQUEST_STATE_H
#define VERNIS_PROXY_REQUEST_STATE_H

#include "base/check.h"
#include "cache/rfc9111/rfc9111.h"
#include "policy/policy.h"
#include "policy/vars.h"
#include "http/codings.h"
#include "proxy/deliver.h"
#include "proxy/interim.h"
#include "stream/stream.h"

struct esi_include;
struct ready_head;
struct server;
struct why;

/* The request body, and how much of it was consumed. */
struct request_body {
    struct content content; /* as the head announced it */
    /* The whole body, for std.cache_req_body; points into `cache`; ptr NULL: not cached */
    struct span cached;
    char *cache; /* owned: the whole body, or the piece that is being forwarded */
    size_t cache_bytes;
    struct storage *storage; /* charged for `cache`: req.storage, or Transient */
    size_t ahead_bytes; /* bytes in `cache` that were received early, for a check, and not forwarded yet */
    nsec waited;        /* total time of waiting for the client */
    bool started;       /* bytes were forwarded: the body cannot be sent a second time, unless cached */
    bool failed;        /* caching failed: send no response, as the client may still be sending */
};

/* Where the response comes from. */
enum request_route {
    ROUTE_CACHE, /* the cache, or a fetch for it; also before that is decided */
    ROUTE_PASS,  /* a fetch for this request alone */
    ROUTE_PIPE   /* a tunnel has begun: no response follows, and PipeAcct has the bytes */
};

/* Why the delivery goes on with work that needs the policy and the head of the client. */
enum request_work {
    WORK_NONE,
    WORK_INCLUDES, /* it starts sub-requests */
    WORK_HOLES     /* it fetches holes of a partial object */
};

/* New versions of partial objects that one request may meet; then it fetches and ignores stored ones. */
#define REQUEST_CHANGES_MAX 3u

struct request {
    struct list link;         /* recycling */
    struct check_place place; /* what a report of a failed check names while the request runs */
    unsigned step;         /* enum request_step: the running step, or the one that handed the request over */
    struct stream *stream; /* lent until its operation `done` */
    struct stream_user user;      /* this request as the protocol of the stream sees it */
    struct stream_waiter waiting; /* waiter of the stream, while the fiber waits for something else */
    struct server *server;
    struct loop *loop;
    struct policy *policy; /* counted until the last hook has run, then NULL */
    /* The policy before return (vcl(label)), with which includes begin; counted. NULL: same as `policy` */
    struct policy *first_policy;
    /* For an ESI include: the request of the page, which outlives the include. Otherwise NULL */
    struct request *page;
    struct fiber *fiber; /* the fiber that runs the steps */
    struct arena arena;
    struct http_message req, resp;
    struct client_vars vars;
    struct policy_ctx ctx;
    struct request_body body;

    struct object *object; /* the object to deliver, or the marker that was hit */
    struct object *stale;  /* for a conditional fetch */
    struct object *busy;   /* being fetched for this request */
    struct store_waiter waiter;
    struct rfc9111_demand demand; /* cache directives of the request; empty without `rfc9111` */
    struct watch watch;
    struct fetch *fetching; /* the fetch that delivers interim responses to this request; NULL: none */
    /* The fetch of a part for this request (hole.h), until the delivery takes it over; NULL: none */
    struct hole *hole;
    struct interim_queue interim;
    enum request_route route;
    bool woken;
    unsigned changes;    /* number of new versions of partial objects met */
    bool takes_trailers; /* send the trailer fields of r->object, if the whole body goes out as stored */
    bool switched;       /* return (vcl(label)) was done: allowed once */
    bool rfc9111;        /* caching follows RFC 9111: decided when the policy begins */

    struct ready_head
        *ready;         /* the text of `resp` may be here until the end of the request; NULL: it is not */
    enum coding coding; /* coding of the sent body, valid while vars.coding_filters is set */
    const struct body *second; /* the body of the object in that coding; NULL: not kept yet */
    uint64_t xid;
    size_t synth_bytes;            /* size of the synthetic body being sent, charged to Transient */
    struct log_txn log, *pipe_log; /* pipe_log: transaction of the origin side of a pipe; arena */
    nsec start;                    /* wall clock when the head was complete */
    struct span client_line;       /* X-Forwarded-For with the address of the client; see request_log.c */
    struct why *why;               /* NULL: the client did not ask, or may not (respond/why.h) */
    bool is_head;                  /* the client sent HEAD */
    uint8_t forwarded;             /* enum forward_reason, for Cache-Status */
    unsigned includes;             /* for a top request: includes started at all levels */
    enum request_work work;
    /* Begins and serves a sub-request for an include of a page, on a stream without a request body. `packed`:
     * the include goes into gzip content. ERR_NOMEM. */
    int (*begin_include)(struct request *r, const struct esi_include *what, bool packed, struct stream *s);
    /* Called when a delivery or pipe that went on without the fiber is over: ends the request */
    void (*handed_over)(struct request *r);
    struct delivery delivery; /* the last member: request_life.c does not zero its end */
};

/* The request of the client itself, at the top of all includes. */
static inline struct request *
request_top(struct request *r)
{
    while (r->page != NULL)
        r = r->page;
    return r;
}

/* Drops the policies: no hook of this request runs any more. Harmless if done before. */
static inline void
request_leave_policy(struct request *r)
{
    DEBUG_CHECK(r->policy != NULL || r->first_policy == NULL);
    if (r->policy != NULL)
        policy_unref(r->policy, r->loop);
    if (r->first_policy != NULL)
        policy_unref(r->first_policy, r->loop);
    r->policy = r->first_policy = NULL;
    table_pin_release(&r->vars.tables);
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
