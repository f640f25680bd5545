/* The two plain records that hold a policy's variables. proxy/ embeds and fills them; accessors (vars_*.c)
 * read and write them. `policy` never includes `proxy`. Durations and times are seconds as double, as the
 * policy sees them. */
#ifndef VERNIS_POLICY_VARS_H
#define VERNIS_POLICY_VARS_H

#include "base/mem.h"
#include "cache/key.h"
#include "loop/conn.h"
#include "policy/table/pin.h"
#include "policy_abi.h"

struct client_vars;
struct task_state;
struct director;
struct session;
struct storage;

/* The finding of the look-up. vcl_hit may turn a hit into FOUND_NOTHING. */
enum finding {
    FOUND_NOTHING,
    FOUND_HIT_FOR_MISS,
    FOUND_HIT_FOR_PASS,
    FOUND_FRESH,
    FOUND_STALE /* also a stale response in place of a fetch that failed */
};

/* Do X-Varnish and obj.hits show a hit? Also when vcl_hit chose to pass. */
static inline bool
found_answers(enum finding found)
{
    return found >= FOUND_FRESH;
}

/* Operations on the request that owns the variables, provided by the struct that embeds them. NULL: not
 * possible. */
struct client_ops {
    /* std.cache_req_body: reads the whole request body into v->content if it has at most bytes_max bytes.
     * Fiber only. */
    int (*keep_content)(struct client_vars *v, uint64_t bytes_max);
    void (*roll_back)(struct client_vars *v); /* restores req, and resp if it exists */
};

/* For a request that is only explained (proxy/explain.h): receives the parts of the cache key, and each
 * invalidation that was withheld. */
struct explainer {
    void (*key_part)(struct explainer *e, struct policy_ctx *ctx, struct span text, bool ends);
    void (*withheld)(struct explainer *e, struct policy_ctx *ctx, const char *what, struct span of);
};

struct client_vars {
    struct address client, server, remote, local; /* *.ip; client = remote unless PROXY said otherwise */
    int64_t peer_uid, peer_gid;                   /* peer of a Unix socket; -1: unknown */
    struct span proxy_fields;       /* typed fields of a PROXY header, already checked; empty: none */
    struct span listener, endpoint; /* local.socket ("a0"), local.endpoint ("127.0.0.1:80") */
    struct span identity;           /* client.identity; SPAN_NULL = client.ip as text */
    struct span transport;          /* "http/1" */
    struct span connect_protocol;   /* of an extended CONNECT; SPAN_NULL: another request */
    struct director *backend_hint;  /* never NULL: starts as the policy's default */
    struct storage *storage;        /* req.storage; NULL = default */
    struct cache_key key;
    double req_time, resp_time;    /* req.time, resp.time */
    double grace_limit, ttl_limit; /* req.grace, req.ttl; negative = not set */
    /* 1 + the sites of the statements that set these and hash_always_miss; 0: none of this policy */
    uint32_t grace_limit_site, ttl_limit_site, always_miss_site;
    double timeout_idle, timeout_linger, idle_send_timeout, send_timeout; /* sess.*; negative = parameter */
    int64_t restarts, esi_level;
    uint64_t xid, sess_xid;
    enum finding found;
    bool hash_always_miss, hash_ignore_busy, hash_ignore_vary, esi, is_streaming;
    bool resp_do_esi, can_esi; /* can_esi: the object has a recipe for its includes */
    /* set by vtc.workspace_overflow(session), because sessions have no workspace that could really
     * overflow */
    bool session_overflowed;
    struct span resp_filters; /* SPAN_NULL = default */
    /* the default when the chosen coding differs from the stored one; else SPAN_NULL */
    struct span coding_filters;
    struct span synth_body;   /* resp.body, synthetic() in vcl_synth; grows by append */
    struct span content;      /* kept request body; ptr NULL: not kept */
    bool late_100_continue;   /* std.late_100_continue: answer Expect when the body is first read */
    struct task_state *tasks; /* module state of this transaction (policy/task.h) */
    struct table_pin tables;  /* the tables that this transaction sees */
    /* request as the client sent it; NULL: not kept (policy_keeps_original) */
    const struct http_message *req_original;
    struct http_message *req_top; /* NULL: this request is the top one */
    struct span ban_error;        /* std.ban_error */
    double top_time;              /* req_top.time; 0: req_time */
    const struct client_ops *ops; /* NULL for the copy that a fetch keeps, which may outlive the request */
    struct session *session;      /* NULL for the copy that a fetch keeps */
    struct explainer *explainer;  /* NULL: a real request */
    bool shows_sites;             /* ctx->site is needed after each hook, also after a constant one */
};

struct fetch_vars {
    struct director *backend; /* bereq.backend */
    struct backend *used;     /* beresp.backend after resolve; NULL before */
    struct address used_address;
    struct storage *storage;      /* beresp.storage; NULL = default */
    double ttl, grace, keep, age; /* beresp.*; ttl relative to now */
    double ttl_before;            /* the ttl that the newest statement replaced */
    /* 1 + the sites of the statements that set ttl, ttl_before, and uncacheable first; 0: none */
    uint32_t ttl_site, ttl_before_site, uncacheable_site;
    double time_start, time_resp; /* bereq.time, beresp.time */
    /* negative = backend's, then parameter */
    double connect_timeout, first_byte_timeout, between_bytes_timeout;
    double task_deadline;   /* of a pipe; negative = parameter */
    int64_t transit_buffer; /* negative = parameter */
    int64_t retries;
    uint64_t xid, sess_xid;
    uint64_t born;      /* see cache/invalidation.h; 0: the origin was not asked */
    enum finding found; /* by the request that the fetch is for */
    bool uncacheable, was_304, is_bgfetch, do_stream, do_gzip, do_gunzip, do_esi, body_unset;
    bool retry_connect;
    bool no_content; /* the response has no content */
    struct span filters, storage_hint;
    struct span synth_body; /* beresp.body, synthetic() in vcl_backend_error */
    bool targeted;          /* a targeted cache control field (RFC 9213) set the lifetime */
    double hit_for_pass;    /* seconds; > 0 after return(pass) in vcl_backend_response */
    struct cache_key *key;  /* bereq.hash */
    bool rolled_back;       /* std.rollback(bereq): the response received so far is dropped */
    /* bereq as created from the client's request; NULL: not kept */
    const struct http_message *bereq_original;
    /* std.rfc_ttl(): sets ttl, grace, keep and age by the response as it is now. NULL: for a pipe */
    void (*judge)(struct fetch_vars *v);
    struct span ban_error;      /* std.ban_error */
    struct client_vars *client; /* NULL once the client is gone (background) */
    struct task_state *tasks;   /* module state of this transaction (policy/task.h) */
    struct table_pin tables;    /* the tables that this transaction sees */
};

/* Sets the defaults of a zeroed struct; the caller sets backend_hint. */
void client_vars_fill(struct client_vars *v);
void fetch_vars_init(struct fetch_vars *v);

#endif
