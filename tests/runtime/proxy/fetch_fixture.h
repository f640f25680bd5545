/* Set-up that the tests of a fetch share: a server on a loop without sockets, a policy whose hooks are C functions of the test, a request
 * made by hand, and an origin in memory (support/memory_exchange.h). */
#ifndef VERNIS_TESTS_RUNTIME_PROXY_FETCH_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_PROXY_FETCH_FIXTURE_H

#include "base/check.h"
#include "base/params.h"
#include "origin/backend.h"
#include "proxy/fetch.h"
#include "proxy/proxy.h"
#include "proxy/request_body.h"
#include "proxy/server.h"
#include "support/image.h"
#include "support/log_lines.h"
#include "support/memory_exchange.h"

#define TEST(name) { #name, name }
#define CLIENT_PIECES 8
#define ROUNDS_MAX 2000
#define ROUND_WAIT (2 * NSEC_PER_MSEC)
#define OK_HEAD "HTTP/1.1 200 OK\nCache-Control: max-age=60\n"
#define HOUR 3600.0

/* The client's side of the request body: pieces, and what comes after the last one. */
struct client_body {
    const char *pieces[CLIENT_PIECES];
    unsigned at;
    ssize_t after;                      /* 0: the end, or an error */
};

static struct fetch_world {
    struct loop *loop, *loops[1];
    struct store *store;
    struct storage *main;
    struct policy_env policy_env;
    struct proxy_env env;
    struct policy_image image;
    struct image_backend backend;
    struct policy *policy;
    int32_t (*on[HOOK_COUNT])(struct policy_ctx *ctx);      /* NULL: what the builtin policy does */
    unsigned calls[HOOK_COUNT];
    struct request r;
    struct stream stream;
    struct client_body body;
    struct object *busy, *stale;        /* of the fetch under way: the client's references */
    struct counters before;
    int err;                            /* of fetch_start */
    enum fetch_kind kind;
} w;

/* ---- hooks ---- */

static inline int32_t
run_scripted(struct policy_ctx *ctx, enum vcl_hook hook, int32_t builtin)
{
    w.calls[hook]++;
    return w.on[hook] == NULL ? builtin : w.on[hook](ctx);
}

static int32_t on_backend_fetch(struct policy_ctx *ctx) { return run_scripted(ctx, HOOK_BACKEND_FETCH, ACTION_FETCH); }
static int32_t on_backend_response(struct policy_ctx *ctx) { return run_scripted(ctx, HOOK_BACKEND_RESPONSE, ACTION_DELIVER); }
static int32_t on_backend_error(struct policy_ctx *ctx) { return run_scripted(ctx, HOOK_BACKEND_ERROR, ACTION_DELIVER); }

static inline int32_t say_abandon(struct policy_ctx *ctx) { return ACTION_ABANDON; }
static inline int32_t say_retry(struct policy_ctx *ctx) { return ACTION_RETRY; }
static inline int32_t say_fail(struct policy_ctx *ctx) { return ACTION_FAIL; }

static inline int32_t
say_error(struct policy_ctx *ctx)
{
    ctx->ret.status = 404;
    ctx->ret.text = SPAN_LIT("Gone fishing");
    return ACTION_ERROR;
}

static inline int32_t
store_whole(struct policy_ctx *ctx)
{
    ctx->fetch->do_stream = false;
    return ACTION_DELIVER;
}

/* ---- the client ---- */

static inline ssize_t
client_recv_body(struct stream *s, void *buf, size_t n, nsec deadline)
{
    const char *piece = w.body.at < CLIENT_PIECES ? w.body.pieces[w.body.at] : NULL;
    if (piece == NULL)
        return w.body.after;
    w.body.at++;
    CHECK(strlen(piece) <= n);
    memcpy(buf, piece, strlen(piece));
    return (ssize_t)strlen(piece);
}

static inline bool
client_body_unread(const struct stream *s)
{
    return w.body.at < CLIENT_PIECES && w.body.pieces[w.body.at] != NULL;
}

static const struct stream_ops client_ops = { .recv_body = client_recv_body, .body_unread = client_body_unread };

/* The framing of the request's content, as its head announces it. */
static inline void
set_content(enum content_kind kind, uint64_t bytes)
{
    w.r.body.content = (struct content){ kind, bytes };
}

static inline void
set_field(const char *name, const char *value)
{
    CHECK(message_set(&w.r.req, name_lookup(span_str(name)), span_str(name), span_str(value)) == 0);
}

/* ---- begin and end ---- */

static inline void
start_proxy(void *arg)
{
    CHECK(proxy_start(w.loop, &w.env) == 0);
    w.r.server = server_of(w.loop);
    w.before = *w.r.server->counters;
    policy_ref(w.policy, w.loop);
}

static inline void
make_request(void)
{
    struct request *r = &w.r;
    arena_init(&r->arena, 0);
    r->loop = w.loop;
    r->policy = w.policy;
    r->xid = 2;
    CHECK(message_init(&r->req, &r->arena, 40) == 0);
    r->req.method = SPAN_LIT("GET");
    r->req.url = SPAN_LIT("/a");
    r->req.proto = SPAN_LIT("HTTP/1.1");
    r->req.minor = 1;
    r->vars = (struct client_vars){ 0 };
    client_vars_fill(&r->vars);
    r->vars.backend_hint = policy_default_director(w.policy);
    key_add(&r->vars.key, &r->arena, r->req.url);
    w.stream.ops = &client_ops;
    r->stream = &w.stream;
    log_begin(&r->log, LOG_CLIENT, r->xid, "req", 1, "rxreq");
    policy_ctx_init(&r->ctx, w.policy, w.loop, &r->arena);
    r->ctx.log = &r->log;
    set_field("Host", "example.com");
}

static struct params defaults;         /* set by the test program before its first test */

static inline void
begin_with(bool no_backend, bool rolls_back)
{
    memset(&w, 0, sizeof w);
    params = defaults;
    memory_origin_reset();
    server_set_xid(1, 0);
    log_lines_begin();
    w.image = image_empty();
    w.image.hooks[HOOK_BACKEND_FETCH] = on_backend_fetch;
    w.image.hooks[HOOK_BACKEND_RESPONSE] = on_backend_response;
    w.image.hooks[HOOK_BACKEND_ERROR] = on_backend_error;
    w.backend = (struct image_backend){ .name = SPAN_LIT("b"), .host = SPAN_LIT("127.0.0.1"), .port = SPAN_LIT("9"), .probe = -1,
                                        .none = no_backend, .connect_timeout_s = -1, .first_byte_timeout_s = -1, .between_bytes_timeout_s = -1 };
    w.image.backends = &w.backend;
    w.image.n_backends = 1;
    w.image.default_backend = 0;
    w.image.effects[HOOK_RECV].actions = rolls_back ? UINT64_C(1) << ACTION_VCL : 0;
    CHECK(loop_new(0, &w.loop) == 0);
    w.loops[0] = w.loop;
    CHECK(store_new(NULL, &w.store) == 0);
    CHECK(store_add_storage(w.store, SPAN_LIT("s0"), 1 << 20, &w.main) == 0);
    w.policy_env = (struct policy_env){ .store = w.store, .n_loops = 1, .loops = w.loops };
    w.env = (struct proxy_env){ .store = w.store, .n_loops = 1, .loops = w.loops, .open_exchange = memory_open };
    w.policy = image_load(&w.policy_env, &w.image);
    make_request();
    on_loop(w.loop, start_proxy, NULL);
}

static inline void
begin(void)
{
    begin_with(false, false);
}

static inline void
turn(unsigned rounds)
{
    while (rounds-- > 0)
        loop_run_once(w.loop, 0);
}

static inline void
client_leaves_now(void *arg)
{
    object_release(&w.busy);
    object_release(&w.stale);
}

static inline void
stop_proxy(void *arg)
{
    proxy_stop(w.loop);
    free(w.r.server->acceptor);
    free(w.r.server);
    policy_unref(w.policy, w.loop);
}

/* Everything ends: no fetch, no exchange, no byte of storage may be left. */
static inline void
end(void)
{
    on_loop(w.loop, client_leaves_now, NULL);
    turn(10);
    EXPECT_EQ_INT(w.r.server->counters->fetch_live, w.before.fetch_live);
    EXPECT_EQ_INT(memory_origin.n_live, 0);
    request_body_release(&w.r);
    (void)store_expire(w.store, NSEC_NEVER, UINT32_MAX);
    struct store_stats stats;
    store_stats(w.store, &stats);
    EXPECT_EQ_INT(stats.objects, 0);
    EXPECT_EQ_INT(stats.bytes, 0);
    log_end(&w.r.log);
    on_loop(w.loop, stop_proxy, NULL);
    policy_unload(&w.policy);
    arena_release(&w.r.arena);
    store_release(&w.store);
    turn(3);
    loop_release(&w.loop);
    log_lines_end();
}

/* ---- one fetch ---- */

static inline enum lookup_result
look_up(struct lookup *l)
{
    *l = (struct lookup){ .key = &w.r.vars.key, .request = &w.r.req, .now = loop_real(w.loop), .grace_limit = -1, .ttl_limit = -1 };
    return store_lookup(w.store, l);
}

static inline void
start_now(void *arg)
{
    w.err = fetch_start(&w.r, w.kind, w.busy, w.stale);
}

static inline void
start(enum fetch_kind kind)
{
    w.kind = kind;
    on_loop(w.loop, start_now, NULL);
}

/* The next exchange dies at that step. */
static inline void
dies_at(enum memory_step step, int err)
{
    memory_answer((struct memory_answer){ .head = OK_HEAD, .dies_at = step, .dies_with = err });
}

/* A miss, with the stale response that the look-up found, if any. */
static inline void
start_miss(void)
{
    struct lookup l;
    EXPECT_EQ_INT(look_up(&l), LOOKUP_MISS);
    w.busy = l.busy;
    w.stale = l.object;
    start(FETCH_MISS);
}

static inline void
start_pass(void)
{
    CHECK(object_new(store_transient(w.store), OBJECT_PRIVATE, &w.busy) == 0);
    start(FETCH_PASS);
}

static inline bool
over(void)
{
    return w.r.server->counters->fetch_live == w.before.fetch_live;
}

/* Turns the loop until the fetch is over. */
static inline void
finish(void)
{
    for (int i = 0; i < ROUNDS_MAX && !over(); i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT(over());
}

/* Turns the loop until the exchange waits at that step. */
static inline void
wait_at(enum memory_step step)
{
    for (int i = 0; i < ROUNDS_MAX && !memory_waits(step); i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT(memory_waits(step));
}

static inline void
miss(void)
{
    start_miss();
    finish();
}

static inline void
pass(void)
{
    start_pass();
    finish();
}

/* ---- what came of it ---- */

static inline struct span
body_of(struct object *o)
{
    static char text[1 << 16];
    struct body_reader c;
    enum body_next next;
    struct iovec iov;
    size_t n = 0;
    body_open(&c, &o->body);
    while (body_gather(&c, &iov, 1, SIZE_MAX, &next) == 1 && n + iov.iov_len <= sizeof text) {
        memcpy(text + n, iov.iov_base, iov.iov_len);
        n += iov.iov_len;
        body_advance(&c, iov.iov_len, 0);
        if (object_is_transit(o))
            object_passed(o, c.at);
    }
    return span_of(text, n);
}

static inline void
client_leaves(void)
{
    on_loop(w.loop, client_leaves_now, NULL);
}

/* By how much a counter went up. */
#define COUNTED(name) (w.r.server->counters->name - w.before.name)

#define EXPECT_STORED(status_, body_) \
    do { \
        EXPECT_EQ_INT(object_state(w.busy), OBJECT_COMPLETE); \
        EXPECT_EQ_INT(w.busy->status, status_); \
        EXPECT_EQ_STR(body_of(w.busy), body_); \
    } while (0)

#define EXPECT_FAILED() EXPECT_EQ_INT(object_state(w.busy), OBJECT_FAILED)

/* An error response of ours, after one call of vcl_backend_error. */
#define EXPECT_ERROR(why) \
    do { \
        EXPECT_STORED(503, ""); \
        EXPECT_EQ_INT(w.calls[HOOK_BACKEND_ERROR], 1); \
        EXPECT_EQ_INT(COUNTED(fetch_failed), 1); \
        EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), why); \
    } while (0)

/* The look-up after the fetch; what it yields is dropped. */
static inline enum lookup_result
looks_up(void)
{
    struct lookup l;
    enum lookup_result r = look_up(&l);
    if (l.busy != NULL)
        store_withdraw(w.store, l.busy);
    object_release(&l.busy);
    object_release(&l.object);
    return r;
}

#endif
