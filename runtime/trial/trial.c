/* A trial: see trial.h. */
#include "trial/trial.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "cache/ban.h"
#include "cache/invalidation.h"
#include "cache/store.h"
#include "http/names.h"
#include "log/ring.h"
#include "log/txn.h"
#include "loop/fiber.h"
#include "loop/offload.h"
#include "origin/probe.h"
#include "policy/state.h"
#include "policy/table/tables.h"
#include "proxy/explain.h"
#include "proxy/proxy.h"
#include "tls/assumed.h"
#include "trial/client.h"
#include "trial/origin.h"
#include "vmod/register.h"

#define MONO_BEGIN (1000 * NSEC_PER_SEC) /* not 0, which means that the clocks run */
#define IDLE_ROUNDS 4u                   /* rounds in which work that one of them posts to another is done */
#define FIRST_XID 1001u /* each world counts from here, so that its log is the same every time */
#define EXPIRE_BUDGET 100000u

struct key_purge {
    struct explain_ask ask;
    struct store *store;
    int soft, err;
};

struct trial {
    struct loop *loop, *loops[1];
    struct store *store;
    struct policy_env policy_env;
    struct proxy_env proxy_env;
    struct policy *policy;
    struct server *server;
    struct trial_client client;
    struct address peer, local;
    struct tls_assumed *tls; /* of the next requests; NULL: none */
    nsec real, mono;
    uint32_t *ring;
    uint32_t *records;         /* of the last request, without batches */
    char why[BAN_ERROR_BYTES]; /* the longest of the texts that it gets */
    struct key_purge purge;    /* the last one; a fiber points at it until it has ended */
    bool in_world;
};

static struct trial *the_trial;

/* ---- calls on the loop ---- */

struct call {
    struct post post;
    void (*fn)(struct trial *t, void *arg);
    struct trial *t;
    void *arg;
    bool done;
};

static void
run_call(struct post *p)
{
    struct call *c = container_of(p, struct call, post);
    c->fn(c->t, c->arg);
    c->done = true;
}

static void
on_loop(struct trial *t, void (*fn)(struct trial *t, void *arg), void *arg)
{
    struct call c = { .post.fn = run_call, .fn = fn, .t = t, .arg = arg };
    loop_post(t->loop, &c.post);
    while (!c.done)
        loop_run_once(t->loop, 0);
}

/* ---- time ---- */

static void
set_clock(struct trial *t, nsec mono)
{
    t->real += mono - t->mono;
    t->mono = mono;
    clock_stop(t->real, t->mono);
}

/* Runs what is due now. */
static void
settle(struct trial *t)
{
    for (unsigned i = 0; i < IDLE_ROUNDS; i++)
        loop_run_once(t->loop, 0);
}

void
trial_set_seed(struct trial *t, unsigned seed)
{
    CHECK(t->in_world);
    random_seed(seed);
}

double
trial_now(const struct trial *t)
{
    return nsec_seconds(t->real);
}

void
trial_advance(struct trial *t, double seconds)
{
    nsec end = nsec_add(t->mono, nsec_of(seconds));
    for (nsec next; (next = loop_next_timer(t->loop)) <= end; settle(t))
        set_clock(t, next > t->mono ? next : t->mono + 1);
    set_clock(t, end);
    settle(t);
    (void)store_expire(t->store, t->real, EXPIRE_BUDGET);
}

static bool
is_busy(const struct trial *t)
{
    return (t->client.serving && !t->client.over) || fiber_count(t->loop) > 0;
}

/* Turns the loop until nothing is under way. When everything waits, the clock leaps to the next timer. */
static int
run(struct trial *t)
{
    nsec began = t->mono;
    for (unsigned i = 0; i < TRIAL_ROUNDS_MAX && is_busy(t); i++) {
        settle(t);
        nsec next = loop_next_timer(t->loop);
        if (!is_busy(t))
            return 0;
        if (next == NSEC_NEVER || next - began > nsec_of(TRIAL_LEAP_MAX_S))
            break;
        set_clock(t, next > t->mono ? next : t->mono);
    }
    return is_busy(t) ? ERR_TIMEOUT : 0;
}

/* ---- trial ---- */

struct trial *
trial_new(void)
{
    if (the_trial != NULL)
        return NULL;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, names_init);
    vmod_register();
    params.loops = 1;
    offload_hold_loops(true);
    probes_hold(true);
    struct trial *t = mem_zalloc(sizeof *t);
    t->ring = calloc(1, TRIAL_RING_BYTES);
    t->records = malloc(TRIAL_RING_BYTES);
    CHECK(t->ring != NULL && t->records != NULL);
    /* tests may ask for the key, and failures name their statement */
    atomic_fetch_or(&log_mask[TAG_HASH >> 6], (uint64_t)1 << (TAG_HASH & 63));
    atomic_fetch_or(&log_mask[TAG_VCL_TRACE >> 6], (uint64_t)1 << (TAG_VCL_TRACE & 63));
    atomic_fetch_or(&log_mask[TAG_DEBUG >> 6], (uint64_t)1 << (TAG_DEBUG & 63));
    atomic_store(&log_reasons_wanted, true);
    log_set_limits(params.vsl_reclen_bytes, params.vsl_buffer_bytes, false);
    return the_trial = t;
}

void
trial_free(struct trial *t)
{
    if (t == NULL)
        return;
    CHECK(!t->in_world);
    offload_stop();
    offload_hold_loops(false);
    probes_hold(false);
    ring_open(NULL, 0);
    free(t->ring);
    free(t->records);
    tls_assumed_free(&t->tls);
    trial_bytes_release(&t->client.head);
    trial_bytes_release(&t->client.response);
    free(t);
    the_trial = NULL;
    log_thread_release();
    mem_thread_release();
}

/* ---- worlds ---- */

static void
start_proxy(struct trial *t, void *arg)
{
    CHECK(proxy_start(t->loop, &t->proxy_env) == 0);
    t->server = server_of(t->loop);
    proxy_set_policy(t->loop, t->policy);
}

static void
stop_proxy(struct trial *t, void *arg)
{
    proxy_set_policy(t->loop, NULL);
    proxy_stop(t->loop);
    proxy_release(t->loop);
}

static void
make_world(struct trial *t)
{
    struct storage *storage;
    CHECK(loop_new(0, &t->loop) == 0);
    t->loops[0] = t->loop;
    CHECK(store_new(NULL, &t->store) == 0);
    CHECK(store_add_storage(t->store, SPAN_LIT("s0"), TRIAL_STORAGE_BYTES, &storage) == 0);
    t->policy_env = (struct policy_env){
        .store = t->store,
        .n_loops = 1,
        .loops = t->loops,
        .hostname = SPAN_LIT("host.test"),
        .identity = SPAN_LIT("test"),
        .offline = true,
    };
    t->proxy_env = (struct proxy_env){
        .store = t->store,
        .n_loops = 1,
        .loops = t->loops,
        .server_hostname = SPAN_LIT("host.test"),
        .server_identity = SPAN_LIT("test"),
        .open_exchange = origin_open,
    };
}

static void
drop_world(struct trial *t)
{
    policy_unload(&t->policy);
    store_release(&t->store);
    settle(t);
    loop_release(&t->loop);
    vmod_forget();
    origin_begin();
    clock_stop(0, 0);
    t->in_world = false;
}

static int
parse_address(const char *text, int port, struct address *out)
{
    struct in_addr four;
    struct in6_addr six;
    *out = (struct address){ .port = (uint16_t)port };
    if (inet_pton(AF_INET, text, &four) == 1) {
        out->family = 4;
        memcpy(out->addr, &four, sizeof four);
    } else if (inet_pton(AF_INET6, text, &six) == 1) {
        out->family = 6;
        memcpy(out->addr, &six, sizeof six);
    } else
        return ERR_SYNTAX;
    return 0;
}

static void
open_world(struct trial *t, double now, unsigned seed)
{
    CHECK(!t->in_world);
    t->real = nsec_of(now);
    t->mono = MONO_BEGIN;
    clock_stop(t->real, t->mono);
    random_seed(seed);
    server_set_xid(FIRST_XID, 0);
    origin_begin();
    make_world(t);
    (void)trial_set_client(t, "192.0.2.1", 50000);
    (void)trial_set_tls(t, NULL, NULL);
    (void)parse_address("192.0.2.2", 80, &t->local);
    t->in_world = true;
}

/* err: of loading the policy. */
static int
enter_world(struct trial *t, int err)
{
    if (err != 0)
        drop_world(t);
    else
        on_loop(t, start_proxy, NULL);
    return err;
}

int
trial_begin(struct trial *t, const char *path, double now, unsigned seed, char *error, size_t error_cap)
{
    open_world(t, now, seed);
    return enter_world(t, policy_load(&t->policy_env, SPAN_LIT("boot"), path, &t->policy, error, error_cap));
}

int
trial_begin_image(struct trial *t, const struct policy_image *image, double now, unsigned seed, char *error,
                  size_t error_cap)
{
    open_world(t, now, seed);
    return enter_world(t, policy_load_image(&t->policy_env, SPAN_LIT("boot"), image, &t->policy, error,
                                            error_cap));
}

int
trial_end(struct trial *t)
{
    if (t->client.serving && !t->client.over)
        return ERR_AGAIN;
    trial_client_end(&t->client);
    if (run(t) != 0)
        return ERR_AGAIN;
    on_loop(t, stop_proxy, NULL);
    drop_world(t);
    return 0;
}

int
trial_set_client(struct trial *t, const char *address, int port)
{
    return parse_address(address, port, &t->peer);
}

int
trial_set_tls(struct trial *t, const char *fact, const char *value)
{
    struct text why = { 0 };
    if (fact == NULL)
        tls_assumed_free(&t->tls);
    else if (t->tls == NULL)
        t->tls = tls_assumed_new();
    if (t->tls == NULL)
        return fact == NULL ? 0 : ERR_NOMEM;
    int err = tls_assume(t->tls, span_str(fact), span_str(value), &why);
    snprintf(t->why, sizeof t->why, "%s", text_cstr(&why));
    text_release(&why);
    return err;
}

static struct backend *
find_backend(struct trial *t, const char *backend)
{
    struct director *d = policy_find_director(t->policy, span_str(backend));
    struct backend *b = director_backend(d);
    for (unsigned i = 0; b == NULL && i < t->policy->n_backends; i++)
        if (span_eq(backend_name(t->policy->backends[i]), span_str(backend)))
            b = t->policy->backends[i];
    return b;
}

double
trial_probe_interval(struct trial *t, const char *backend)
{
    struct backend *b = find_backend(t, backend);
    return b == NULL ? ERR_NOTFOUND : backend_probe_interval(b);
}

int
trial_poll(struct trial *t, const char *backend, int good)
{
    struct backend *b = find_backend(t, backend);
    return b == NULL ? ERR_NOTFOUND : backend_poll_by_hand(b, good);
}

int
trial_set_health(struct trial *t, const char *backend, int healthy)
{
    struct backend *b = find_backend(t, backend);
    if (b == NULL)
        return ERR_NOTFOUND;
    backend_set_admin(b, healthy ? BACKEND_HEALTHY : BACKEND_SICK);
    return 0;
}

int
trial_answer(struct trial *t, const struct trial_answer *answer)
{
    return origin_add(answer);
}

void
trial_retire_answers(struct trial *t)
{
    CHECK(!is_busy(t)); /* an exchange points at its answer */
    origin_retire_answers();
}

int
trial_ban(struct trial *t, const char *text)
{
    struct ban_draft *draft = NULL;
    uint64_t position;
    t->why[0] = '\0';
    int err = ban_draft_parse(span_str(text), &draft, t->why);
    if (err == 0)
        err = store_ban(t->store, &draft, t->real, &position, t->why);
    return err;
}

static void
purge_explained(struct explain_ask *ask, const struct explanation *e)
{
    struct key_purge *p = container_of(ask, struct key_purge, ask);
    struct invalidated done = { 0 };
    p->err = e->refused != NULL || !e->has_key ? ERR_NOTFOUND : 0;
    if (p->err == 0 && p->soft)
        store_soft_purge_key(p->store, &e->request->vars.key, e->now, 0, -1, -1, &done);
    else if (p->err == 0)
        store_purge(p->store, &e->request->vars.key, 0, &done);
}

static void
ask_for_key(struct trial *t, void *arg)
{
    int err = proxy_explain(t->loop, &t->purge.ask);
    if (err != 0)
        t->purge.err = err;
}

int
trial_purge_key(struct trial *t, const char *head, size_t head_bytes, int soft)
{
    if (is_busy(t))
        return ERR_AGAIN;
    t->purge = (struct key_purge){
        .ask = { .head = span_of(head, head_bytes), .client = t->peer, .done = purge_explained },
        .store = t->store,
        .soft = soft,
    };
    on_loop(t, ask_for_key, NULL);
    int err = run(t);
    return err == 0 ? t->purge.err : err;
}

void
trial_purge_keys(struct trial *t, const char *keys, int soft)
{
    struct invalidated done = { 0 };
    store_purge_surrogates(t->store, span_str(keys), soft, t->real, 0, &done);
}

void
trial_purge_all(struct trial *t, int soft)
{
    struct invalidated done = { 0 };
    store_purge_all(t->store, soft, t->real, &done);
}

int
trial_put_row(struct trial *t, const char *table, const char *key, const char *value)
{
    struct table_error error;
    int place = policy_find_table(t->policy, span_str(table));
    if (place < 0)
        return ERR_NOTFOUND;
    int err = policy_put_row(t->policy, (unsigned)place, span_str(key),
                             value == NULL ? SPAN_NULL : span_str(value), &error);
    snprintf(t->why, sizeof t->why, "%s", error.text);
    tables_seen_by_all(); /* no request is under way */
    (void)tables_collect();
    return err;
}

const char *
trial_sick(struct trial *t, unsigned i)
{
    for (unsigned k = 0; k < t->policy->n_backends; k++) {
        struct backend *b = t->policy->backends[k];
        if (!backend_is_real(b) || director_healthy(backend_director(b), NULL) || i-- > 0)
            continue;
        struct span name = backend_name(b);
        snprintf(t->why, sizeof t->why, "%.*s", (int)name.len, name.ptr);
        return t->why;
    }
    return NULL;
}

/* ---- requests ---- */

struct sent {
    struct span head, body;
    const char *why;
    int err;
};

static void
send_request(struct trial *t, void *arg)
{
    struct sent *s = arg;
    s->err = trial_client_begin(&t->client, &t->server->service, s->head, s->body, &s->why);
}

static void
end_client(struct trial *t, void *arg)
{
    trial_client_end(&t->client);
}

int
trial_request(struct trial *t, const char *head, size_t head_bytes, const char *body, size_t body_bytes)
{
    struct sent s = { span_of(head, head_bytes), span_of(body, body_bytes), "", 0 };
    log_flush();
    ring_open(t->ring, TRIAL_RING_BYTES);
    origin_forget_requests();
    struct trial_bytes texts[] = { t->client.head, t->client.response };
    texts[0].n = texts[1].n = 0;
    texts[0].cut = texts[1].cut = false;
    t->client = (struct trial_client){
        .listen = { .fd = -1, .name = SPAN_LIT("a0"), .endpoint = SPAN_LIT("test"), .local = t->local },
        .tls = t->tls == NULL ? NULL : tls_assumed_conn(t->tls),
        .head = texts[0],
        .response = texts[1],
    };
    t->client.session.peer = t->peer;
    t->client.session.local = t->local;
    on_loop(t, send_request, &s);
    int err = s.err != 0 ? s.err : run(t);
    if (err != ERR_TIMEOUT)
        on_loop(t, end_client, NULL);
    snprintf(t->why, sizeof t->why, "%s", err == ERR_TIMEOUT ? "the request does not end" : s.why);
    return err;
}

const char *
trial_why(const struct trial *t)
{
    return t->why;
}

void
trial_response(const struct trial *t, struct trial_response *out)
{
    const struct trial_client *c = &t->client;
    *out = (struct trial_response){
        .head = c->head.ptr,
        .body = c->response.ptr,
        .head_bytes = c->head.n,
        .body_bytes = c->response.n,
        .status = c->status,
        .was_reset = c->was_reset,
        .was_tunnel = c->in_tunnel,
        .was_cut = c->response.cut,
    };
}

/* ---- records ---- */

#define RING_WORDS (TRIAL_RING_BYTES / sizeof(uint32_t))

const uint32_t *
trial_records(struct trial *t, size_t *words, int *lost)
{
    log_flush();
    const uint32_t *at = t->ring + RING_HEAD_BYTES / sizeof *at, *end = t->ring + RING_WORDS;
    *words = 0;
    while (at < end && *at >> 24 != RING_TAG_END) {
        bool batch = *at >> 24 == RING_TAG_BATCH;
        size_t n = batch ? 2 : 2 + ((*at & 0xffff) + 3) / 4;
        if (!batch) {
            memcpy(t->records + *words, at, n * sizeof *at);
            *words += n;
        }
        at += n;
    }
    *lost = at >= end;
    return t->records;
}

const char *
trial_origin_heads(const struct trial *t, size_t *bytes)
{
    *bytes = origin_requests()->n;
    return origin_requests()->ptr;
}

int
trial_rule_hits(const struct trial *t, int i)
{
    const struct rule_counts *rules = atomic_load(&t->policy->code)->rules;
    if (rules == NULL || i < 0 || (uint32_t)i >= rules->n_rules)
        return ERR_NOTFOUND;
    return (int)rule_counts_sum(rules, (uint32_t)i).hits;
}
