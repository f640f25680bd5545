/* Set-up that the tests of a request share: a server on a loop without sockets, a policy whose hooks are C functions, clients in memory
 * (support/memory_stream.h) and an origin in memory (support/memory_exchange.h). */
#ifndef VERNIS_TESTS_RUNTIME_PROXY_REQUEST_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_PROXY_REQUEST_FIXTURE_H

#include "base/check.h"
#include "base/params.h"
#include "cache/invalidation_internal.h"
#include "proxy/proxy.h"
#include "proxy/request_state.h"
#include "support/image.h"
#include "support/log_lines.h"
#include "support/memory_exchange.h"
#include "support/memory_stream.h"

#define TEST(name) { #name, name }
#define ROUNDS_MAX 3000
#define ROUND_WAIT (2 * NSEC_PER_MSEC)
#define GET_A "GET /a\nHost: h\n"
#define OK_HEAD "HTTP/1.1 200 OK\nCache-Control: max-age=60\n"
#define HELLO { .head = OK_HEAD "Content-Length: 5\nETag: \"e\"\n", .body = { "hello" } }

static struct request_world {
    struct loop *loop, *loops[1];
    struct store *store;
    struct storage *main;
    struct policy_env policy_env;
    struct proxy_env env;
    struct policy_image image;
    struct image_backend backend;
    struct policy *policy, *other;      /* other: what a label leads to */
    struct server *server;
    int32_t action[HOOK_COUNT];         /* what the hook returns; 0: as the builtin policy */
    int32_t first[HOOK_COUNT];          /* the same, for its first call only */
    void (*inside[HOOK_COUNT])(struct policy_ctx *ctx);     /* runs in the hook */
    unsigned calls[HOOK_COUNT];
    struct memory_session a, b;         /* two clients; b only when it is used */
    struct counters before;
} w;

static struct params defaults;          /* set by the test program before its first test */

/* ---- hooks ---- */

static int32_t
run_scripted(struct policy_ctx *ctx, enum vcl_hook hook, int32_t builtin)
{
    unsigned call = w.calls[hook]++;
    int32_t action = call == 0 && w.first[hook] != 0 ? w.first[hook] : w.action[hook] != 0 ? w.action[hook] : builtin;
    if (action == ACTION_SYNTH && hook != HOOK_PURGE)
        ctx->ret.status = 418;
    if (w.inside[hook] != NULL)
        w.inside[hook](ctx);
    return action;
}

#define SCRIPTED(name, hook, builtin) static int32_t name(struct policy_ctx *ctx) { return run_scripted(ctx, hook, builtin); }
SCRIPTED(on_recv, HOOK_RECV, ACTION_HASH)
SCRIPTED(on_hit, HOOK_HIT, ACTION_DELIVER)
SCRIPTED(on_miss, HOOK_MISS, ACTION_FETCH)
SCRIPTED(on_pass, HOOK_PASS, ACTION_FETCH)
SCRIPTED(on_pipe, HOOK_PIPE, ACTION_PIPE)
SCRIPTED(on_purge, HOOK_PURGE, ACTION_SYNTH)
SCRIPTED(on_deliver, HOOK_DELIVER, ACTION_DELIVER)
SCRIPTED(on_synth, HOOK_SYNTH, ACTION_DELIVER)
SCRIPTED(on_backend_fetch, HOOK_BACKEND_FETCH, ACTION_FETCH)
SCRIPTED(on_backend_response, HOOK_BACKEND_RESPONSE, ACTION_DELIVER)
SCRIPTED(on_backend_error, HOOK_BACKEND_ERROR, ACTION_DELIVER)

static int32_t
on_hash(struct policy_ctx *ctx)
{
    key_add(&ctx->client->key, ctx->arena, ctx->msg[MSG_REQ]->url);
    return run_scripted(ctx, HOOK_HASH, ACTION_LOOKUP);
}

static void
fill_image(struct policy_image *im)
{
    policy_hook_fn *hooks[] = {
        [HOOK_RECV] = on_recv, [HOOK_PIPE] = on_pipe, [HOOK_PASS] = on_pass, [HOOK_HASH] = on_hash, [HOOK_PURGE] = on_purge,
        [HOOK_MISS] = on_miss, [HOOK_HIT] = on_hit, [HOOK_DELIVER] = on_deliver, [HOOK_SYNTH] = on_synth,
        [HOOK_BACKEND_FETCH] = on_backend_fetch, [HOOK_BACKEND_RESPONSE] = on_backend_response, [HOOK_BACKEND_ERROR] = on_backend_error,
    };
    *im = image_empty();
    for (unsigned i = 0; i < sizeof hooks / sizeof *hooks; i++)
        im->hooks[i] = hooks[i];
    w.backend = (struct image_backend){ .name = SPAN_LIT("b"), .host = SPAN_LIT("127.0.0.1"), .port = SPAN_LIT("9"), .probe = -1,
                                        .connect_timeout_s = -1, .first_byte_timeout_s = -1, .between_bytes_timeout_s = -1 };
    im->backends = &w.backend;
    im->n_backends = 1;
    im->default_backend = 0;
}

/* ---- acts: what happens on the loop ---- */

struct act {
    struct memory_session *m;
    struct memory_stream *s;
    const char *text;
    size_t n;
};

#define ACT(name, statement) static void name##_now(void *arg) { struct act *c = arg; statement; }
ACT(open, memory_session_open(c->m, &w.server->service))
ACT(close, memory_session_close(c->m))
ACT(begin, memory_begin(c->s, c->text))
ACT(queue, memory_begin_queued(c->s, c->text))
ACT(send, memory_send(c->s, c->text))
ACT(send_end, memory_send_end(c->s, (int)(ssize_t)c->n))
ACT(window, memory_open_window(c->s, c->n))
ACT(turn, memory_give_turn(c->s))
ACT(release, memory_release(c->s, c->n))
ACT(leave, memory_leave(c->s))

static inline void act_on(void (*fn)(void *), struct act c) { on_loop(w.loop, fn, &c); }
static inline void starts(struct memory_stream *s, const char *head) { act_on(begin_now, (struct act){ .s = s, .text = head }); }
static inline void queues(struct memory_stream *s, const char *head) { act_on(queue_now, (struct act){ .s = s, .text = head }); }
static inline void sends(struct memory_stream *s, const char *text) { act_on(send_now, (struct act){ .s = s, .text = text }); }
static inline void sends_end(struct memory_stream *s, int err) { act_on(send_end_now, (struct act){ .s = s, .n = (size_t)err }); }
static inline void opens(struct memory_stream *s, size_t n) { act_on(window_now, (struct act){ .s = s, .n = n }); }
static inline void has_turn(struct memory_stream *s) { act_on(turn_now, (struct act){ .s = s }); }
static inline void releases(struct memory_stream *s, size_t n) { act_on(release_now, (struct act){ .s = s, .n = n }); }
static inline void leaves(struct memory_stream *s) { act_on(leave_now, (struct act){ .s = s }); }

static inline struct memory_stream *
client(void)
{
    return memory_stream_new(&w.a);
}

static inline void
turns(unsigned n)
{
    while (n-- > 0)
        loop_run_once(w.loop, 0);
}

static inline void
second_client(void)
{
    act_on(open_now, (struct act){ .m = &w.b });
}

/* ---- begin and end ---- */

static inline void
start_proxy(void *arg)
{
    CHECK(proxy_start(w.loop, &w.env) == 0);
    w.server = server_of(w.loop);
    w.before = *w.server->counters;
    proxy_set_policy(w.loop, w.policy);
    memory_session_open(&w.a, &w.server->service);
}

/* `reads`: a variable that vcl_hit reads; NULL: none. */
static inline void
begin_reading(const struct span *reads)
{
    memset(&w, 0, sizeof w);
    params = defaults;
    memory_origin_reset();
    server_set_xid(1, 0);
    log_lines_begin();
    fill_image(&w.image);
    w.image.effects[HOOK_HIT].reads = reads;
    w.image.effects[HOOK_HIT].n_reads = reads != NULL;
    CHECK(loop_new(0, &w.loop) == 0);
    w.loops[0] = w.loop;
    CHECK(store_new(NULL, &w.store) == 0);
    CHECK(store_add_storage(w.store, SPAN_LIT("s0"), 1 << 20, &w.main) == 0);
    w.policy_env = (struct policy_env){ .store = w.store, .n_loops = 1, .loops = w.loops };
    w.env = (struct proxy_env){ .store = w.store, .n_loops = 1, .loops = w.loops, .open_exchange = memory_open };
    w.policy = image_load(&w.policy_env, &w.image);
    on_loop(w.loop, start_proxy, NULL);
}

static inline void
begin(void)
{
    begin_reading(NULL);
}

static inline void
stop_proxy(void *arg)
{
    proxy_stop(w.loop);
    proxy_set_policy(w.loop, NULL);
    free(w.server->acceptor);
    free(w.server);
}

/* By how much a counter went up. */
#define COUNTED(name) ((intmax_t)(w.server->counters->name - w.before.name))

/* Everything ends: no request, fetch, exchange or byte of storage may be left, and nobody counts the policy. */
static inline void
end(void)
{
    for (int i = 0; i < ROUNDS_MAX && COUNTED(fetch_live) != 0; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    turns(5);
    EXPECT_EQ_INT(COUNTED(req_live), 0);
    EXPECT_EQ_INT(COUNTED(fetch_live), 0);
    EXPECT_EQ_INT(memory_origin.n_live, 0);
    if (w.b.open)
        act_on(close_now, (struct act){ .m = &w.b });
    act_on(close_now, (struct act){ .m = &w.a });
    EXPECT_EQ_INT(COUNTED(sess_live), 0);
    (void)store_expire(w.store, NSEC_NEVER, UINT32_MAX);
    struct store_stats stats;
    store_stats(w.store, &stats);
    EXPECT_EQ_INT(stats.objects, 0);
    EXPECT_EQ_INT(stats.bytes, purges_bytes(&w.store->invalidations->purges)); /* remembered, so no leak */
    on_loop(w.loop, stop_proxy, NULL);
    EXPECT_EQ_INT(policy_uses(w.policy), 0);
    policy_unload(&w.policy);
    if (w.other != NULL)
        policy_unload(&w.other);
    store_release(&w.store);
    turns(3);
    loop_release(&w.loop);
    log_lines_end();
}

/* ---- requests ---- */

/* Turns the loop until the stream is over. */
static inline void
finish(struct memory_stream *s)
{
    for (int i = 0; i < ROUNDS_MAX && !s->over; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT(s->over);
}

/* A request from its head to the last byte of its response. */
static inline struct memory_stream *
asks(const char *head)
{
    struct memory_stream *s = client();
    starts(s, head);
    finish(s);
    return s;
}

static inline void
wait_at(enum memory_step step)
{
    for (int i = 0; i < ROUNDS_MAX && !memory_waits(step); i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT(memory_waits(step));
}

static inline struct span
body_of(const struct memory_stream *s)
{
    return span_of(s->response, s->response_bytes);
}

static inline struct span
field_of(const struct memory_stream *s, const char *name)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%s: ", name);
    const char *at = strstr(s->head, line);
    return at == NULL ? SPAN_NULL : span_of(at + n, (size_t)(strchr(at, '\n') - at - n));
}

/* A hook after which nothing that needs a fiber can begin. */
static inline void
take_all_fibers(struct policy_ctx *ctx)
{
    params.fibers_max = 1;
}

#define EXPECT_RESPONSE(stream_, status_, body_) \
    do { \
        const struct memory_stream *got = (stream_); \
        EXPECT_EQ_INT(got->status, status_); \
        EXPECT_EQ_STR(body_of(got), body_); \
        EXPECT(got->ended && !got->was_reset); \
    } while (0)

#endif
