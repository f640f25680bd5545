/* A policy run by hand: one transaction with all its messages and variables, which the caller fills and looks at by name. */
#include "support/harness.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "cache/store.h"
#include "log/ring.h"
#include "log/txn.h"
#include "policy/counter/counters.h"
#include "policy/exports.h"
#include "policy/state.h"
#include "vmod/register.h"

#define HARNESS_FIELDS 128
#define HARNESS_NOW 1e9
#define HARNESS_STORAGE_BYTES (1u << 20)
#define HARNESS_RING_BYTES (1u << 20)

struct vernis_harness {
    struct policy_env env;
    struct store *store;
    struct policy *policy;
    struct arena arena;                 /* the transaction */
    struct http_message msg[MSG_COUNT];
    struct client_vars client;
    struct fetch_vars fetch;
    struct object *obj;
    struct policy_ctx ctx;
    struct log_txn txn;                 /* while a hook runs */
    struct span log, errors;            /* lines since reset */
    struct span counts;                 /* lines of the newest answer */
    struct span content;                /* of the request, for std.cache_req_body */
    double now;
};

/* ---- life -------------------------------------------------------------------------------------------------------------------- */

static void
append_line(struct vernis_harness *h, struct span *to, struct span text)
{
    struct span both = arena_printf(&h->arena, "%.*s%.*s\n", (int)to->len, to->ptr != NULL ? to->ptr : "", (int)text.len, text.ptr);
    if (both.ptr != NULL)
        *to = both;
}

/* The records of a hook go through our own ring, which is empty before each hook. */
static uint32_t ring_words[(RING_HEAD_BYTES + HARNESS_RING_BYTES) / sizeof(uint32_t)];

static void
log_start(void)
{
    log_flush();
    ring_open(ring_words, sizeof ring_words);
}

static void
log_collect(struct vernis_harness *h)
{
    log_flush();
    const uint32_t *at = ring_words + RING_HEAD_BYTES / sizeof *at, *end = ring_words + sizeof ring_words / sizeof *at;
    for (uint32_t words; at < end && *at >> 24 != RING_TAG_END; at += words) {
        uint32_t tag = *at >> 24, bytes = *at & 0xffff;
        words = 2 + (tag == RING_TAG_BATCH ? 0 : (bytes + 3) / 4);
        struct span text = span_of((const char *)(at + 2), bytes > 0 ? bytes - 1 : 0);
        if (tag == TAG_VCL_LOG || tag == TAG_VCL_ACL)
            append_line(h, &h->log, text);
        else if (tag == TAG_VCL_ERROR)
            append_line(h, &h->errors, text);
    }
    ring_open(NULL, 0);
}

struct vernis_harness *
vernis_harness_new(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, names_init);
    vmod_register();
    struct vernis_harness *h = mem_zalloc(sizeof *h);
    struct storage *storage;
    CHECK(store_new(NULL, &h->store) == 0);
    CHECK(store_add_storage(h->store, SPAN_LIT("s0"), HARNESS_STORAGE_BYTES, &storage) == 0);
    h->env = (struct policy_env){ .store = h->store, .hostname = SPAN_LIT("host.test"), .identity = SPAN_LIT("harness") };
    arena_init(&h->arena, 0);
    vernis_harness_reset(h);
    return h;
}

static void
drop_transaction(struct vernis_harness *h)
{
    if (h->obj != NULL)
        object_release(&h->obj);
    arena_release(&h->arena);
}

void
vernis_harness_free(struct vernis_harness *h)
{
    if (h == NULL)
        return;
    drop_transaction(h);
    policy_unload(&h->policy);
    store_release(&h->store);
    free(h);
    mem_thread_release();
}

static int
load(struct vernis_harness *h, bool leaves_init, const char *path, char *error, size_t error_cap)
{
    policy_unload(&h->policy);
    h->env.leaves_init = leaves_init;
    int err = policy_load(&h->env, SPAN_LIT("harness"), path, &h->policy, error, error_cap);
    vernis_harness_reset(h);
    return err;
}

int
vernis_harness_load(struct vernis_harness *h, const char *path, char *error, size_t error_cap)
{
    return load(h, false, path, error, error_cap);
}

int
vernis_harness_open(struct vernis_harness *h, const char *path, char *error, size_t error_cap)
{
    return load(h, true, path, error, error_cap);
}

int
vernis_harness_replace(struct vernis_harness *h, const char *path, char *error, size_t error_cap)
{
    if (h->policy == NULL)
        return ERR_NOTFOUND;
    return policy_replace_image(h->policy, path, error, error_cap);
}

/* ---- the transaction --------------------------------------------------------------------------------------------------------- */

static void
make_messages(struct vernis_harness *h)
{
    for (int i = 0; i < MSG_COUNT; i++) {
        struct http_message *m = &h->msg[i];
        CHECK(message_init(m, &h->arena, HARNESS_FIELDS) == 0);
        m->proto = SPAN_LIT("HTTP/1.1");
        m->minor = 1;
        if (i == MSG_REQ || i == MSG_REQ_TOP || i == MSG_BEREQ) {
            m->method = SPAN_LIT("GET");
            m->url = SPAN_LIT("/");
        } else {
            m->status = 200;
            m->reason = SPAN_LIT("OK");
        }
    }
}

static int
keep_content(struct client_vars *v, uint64_t bytes_max)
{
    struct vernis_harness *h = container_of(v, struct vernis_harness, client);
    if (h->content.len > bytes_max)
        return ERR_LIMIT;
    h->client.content = h->content;
    return 0;
}

static const struct client_ops client_ops = { .keep_content = keep_content };

static void
make_variables(struct vernis_harness *h)
{
    const struct address localhost = { .family = 4, .port = 8080, .addr = { 127, 0, 0, 1 } };
    table_pin_release(&h->client.tables);
    table_pin_release(&h->fetch.tables);
    h->client = (struct client_vars){ 0 };
    client_vars_fill(&h->client);
    fetch_vars_init(&h->fetch);
    h->client.client = h->client.server = h->client.remote = h->client.local = localhost;
    h->client.listener = SPAN_LIT("a0");
    h->client.endpoint = SPAN_LIT("127.0.0.1:8080");
    h->client.xid = 1001;
    h->client.sess_xid = h->fetch.sess_xid = 1000;
    h->client.req_time = h->client.resp_time = h->fetch.time_start = h->fetch.time_resp = h->now;
    h->client.req_top = &h->msg[MSG_REQ_TOP];
    h->client.ops = &client_ops;
    h->fetch.xid = 1002;
    h->fetch.ttl = 120;
    h->fetch.grace = 10;
    h->fetch.client = &h->client;
    h->fetch.key = &h->client.key;
    if (h->policy != NULL)
        h->client.backend_hint = h->fetch.backend = policy_default_director(h->policy);
}

void
vernis_harness_reset(struct vernis_harness *h)
{
    drop_transaction(h);
    h->now = HARNESS_NOW;
    h->log = h->errors = h->content = SPAN_NULL;
    make_messages(h);
    make_variables(h);
    CHECK(object_new(store_transient(h->store), OBJECT_PRIVATE, &h->obj) == 0);
    h->obj->status = 200;
    memset(&h->ctx, 0, sizeof h->ctx);
}

static struct span
keep(struct vernis_harness *h, const char *text, size_t len)
{
    struct span copy = arena_copy(&h->arena, span_of(text != NULL ? text : "", text != NULL ? len : 0));
    CHECK(copy.ptr != NULL);
    return copy;
}

int
vernis_harness_request(struct vernis_harness *h, const char *method, size_t method_len, const char *url, size_t url_len,
                       const char *proto, size_t proto_len)
{
    static const enum vcl_msg requests[] = { MSG_REQ, MSG_REQ_TOP, MSG_BEREQ };
    for (size_t i = 0; i < 3; i++) {
        struct http_message *m = &h->msg[requests[i]];
        m->method = keep(h, method, method_len);
        m->url = keep(h, url, url_len);
        m->proto = keep(h, proto, proto_len);
        m->minor = span_eq(m->proto, SPAN_LIT("HTTP/1.0")) ? 0 : 1;
    }
    return 0;
}

void
vernis_harness_content(struct vernis_harness *h, const char *text, size_t len)
{
    h->content = keep(h, text, len);
}

int
vernis_harness_response(struct vernis_harness *h, int status, const char *reason, size_t reason_len)
{
    static const enum vcl_msg responses[] = { MSG_BERESP, MSG_RESP, MSG_OBJ };
    if (status < 100 || status > 65535)
        return ERR_LIMIT;
    for (size_t i = 0; i < 3; i++) {
        h->msg[responses[i]].status = (uint16_t)status;
        h->msg[responses[i]].reason = keep(h, reason, reason_len);
    }
    h->obj->status = (uint16_t)status;
    return 0;
}

int
vernis_harness_add_header(struct vernis_harness *h, int msg, const char *name, size_t name_len, const char *value, size_t value_len)
{
    if (msg < 0 || msg >= MSG_COUNT)
        return ERR_NOTFOUND;
    struct span text = keep(h, name, name_len);
    return message_add(&h->msg[msg], name_lookup(text), text, keep(h, value, value_len));
}

void
vernis_harness_set_now(struct vernis_harness *h, double now)
{
    h->now = now;
}

int
vernis_harness_set_ip(struct vernis_harness *h, const char *which, const char *address, int port)
{
    const struct { const char *name; struct address *a; } places[] = {
        { "client", &h->client.client }, { "server", &h->client.server }, { "remote", &h->client.remote },
        { "local", &h->client.local },
    };
    struct address a = { .family = 4, .port = (uint16_t)port };
    if (inet_pton(AF_INET, address, a.addr) != 1) {
        a.family = 6;
        if (inet_pton(AF_INET6, address, a.addr) != 1)
            return ERR_SYNTAX;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strcmp(places[i].name, which) == 0) {
            *places[i].a = a;
            return 0;
        }
    }
    return ERR_NOTFOUND;
}

/* ---- running ----------------------------------------------------------------------------------------------------------------- */

#define SEES(msg) (1u << (msg))
#define SEES_REQ (SEES(MSG_REQ) | SEES(MSG_REQ_TOP))

static const unsigned messages_of_hook[HOOK_COUNT] = {
    [HOOK_RECV] = SEES_REQ, [HOOK_PIPE] = SEES_REQ | SEES(MSG_BEREQ), [HOOK_PASS] = SEES_REQ, [HOOK_HASH] = SEES_REQ,
    [HOOK_PURGE] = SEES_REQ, [HOOK_MISS] = SEES_REQ, [HOOK_HIT] = SEES_REQ | SEES(MSG_OBJ),
    [HOOK_DELIVER] = SEES_REQ | SEES(MSG_RESP), [HOOK_SYNTH] = SEES_REQ | SEES(MSG_RESP),
    [HOOK_BACKEND_FETCH] = SEES(MSG_BEREQ), [HOOK_BACKEND_RESPONSE] = SEES(MSG_BEREQ) | SEES(MSG_BERESP),
    [HOOK_BACKEND_ERROR] = SEES(MSG_BEREQ) | SEES(MSG_BERESP),
};

static bool
runs_hook(const struct vernis_harness *h, int hook)
{
    return h->policy != NULL && hook >= 0 && hook < HOOK_COUNT;
}

/* Makes the context as the proxy does for a hook. */
static void
begin(struct vernis_harness *h, int hook)
{
    policy_ctx_init(&h->ctx, h->policy, NULL, &h->arena);
    for (int i = 0; i < MSG_COUNT; i++)
        h->ctx.msg[i] = (messages_of_hook[hook] & SEES(i)) != 0 ? &h->msg[i] : NULL;
    bool client = hook <= HOOK_SYNTH, backend = hook >= HOOK_BACKEND_FETCH && hook <= HOOK_BACKEND_ERROR;
    h->ctx.client = client ? &h->client : NULL;
    h->ctx.fetch = backend || hook == HOOK_PIPE ? &h->fetch : NULL;
    h->ctx.obj = hook == HOOK_HIT || hook == HOOK_DELIVER ? h->obj : NULL;
    h->ctx.now = h->now;
    h->txn = (struct log_txn){ .id = backend ? LOG_BACKEND | (uint32_t)h->fetch.xid : LOG_CLIENT | (uint32_t)h->client.xid };
    h->ctx.log = &h->txn;
    log_start();
}

void
vernis_harness_leave(struct vernis_harness *h)
{
    log_collect(h);
    h->ctx.log = NULL;
}

int
vernis_harness_run(struct vernis_harness *h, int hook)
{
    if (!runs_hook(h, hook))
        return ERR_NOTFOUND;
    begin(h, hook);
    enum vcl_action action = policy_run(&h->ctx, (enum vcl_hook)hook);
    vernis_harness_leave(h);
    return (int)action;
}

void *
vernis_harness_enter(struct vernis_harness *h, int hook)
{
    if (!runs_hook(h, hook))
        return NULL;
    begin(h, hook);
    h->ctx.hook = (enum vcl_hook)hook;
    return &h->ctx;
}

void *
vernis_harness_function(const char *symbol)
{
    vmod_register();
    const struct policy_export *row = export_find(span_str(symbol));
    return row == NULL ? NULL : (void *)row->fn;
}

/* ---- results: fields and text ------------------------------------------------------------------------------------------------ */

int
vernis_harness_headers(struct vernis_harness *h, int msg)
{
    return msg < 0 || msg >= MSG_COUNT ? ERR_NOTFOUND : h->msg[msg].n_fields;
}

int
vernis_harness_header(struct vernis_harness *h, int msg, int i, const char **name, size_t *name_len, const char **value,
                      size_t *value_len)
{
    if (msg < 0 || msg >= MSG_COUNT || i < 0 || i >= h->msg[msg].n_fields)
        return ERR_NOTFOUND;
    const struct http_field *f = &h->msg[msg].fields[i];
    *name = f->name.ptr;
    *name_len = f->name.len;
    *value = f->value.ptr;
    *value_len = f->value.len;
    return 0;
}

static void
add_count(void *arg, struct span key, uint64_t count)
{
    struct vernis_harness *h = arg;
    append_line(h, &h->counts, arena_printf(&h->arena, "%.*s %llu", (int)key.len, key.ptr, (unsigned long long)count));
}

static struct span
counts(struct vernis_harness *h)
{
    h->counts = SPAN_NULL;
    for (unsigned i = 0; h->policy != NULL && i < h->policy->n_counters; i++)
        policy_counter_each(h->policy->counters[i], add_count, h);
    return h->counts;
}

int
vernis_harness_text(struct vernis_harness *h, const char *name, const char **text, size_t *len)
{
    const struct http_message *m = h->msg;
    const struct { const char *name; struct span text; } rows[] = {
        { "req.url", m[MSG_REQ].url }, { "req.method", m[MSG_REQ].method }, { "req.proto", m[MSG_REQ].proto },
        { "bereq.url", m[MSG_BEREQ].url }, { "bereq.method", m[MSG_BEREQ].method }, { "bereq.proto", m[MSG_BEREQ].proto },
        { "beresp.proto", m[MSG_BERESP].proto }, { "beresp.reason", m[MSG_BERESP].reason },
        { "resp.proto", m[MSG_RESP].proto }, { "resp.reason", m[MSG_RESP].reason },
        { "client.identity", h->client.identity }, { "beresp.filters", h->fetch.filters },
        { "resp.filters", h->client.resp_filters }, { "beresp.storage_hint", h->fetch.storage_hint },
        { "req.backend_hint", h->client.backend_hint != NULL ? h->client.backend_hint->name : SPAN_NULL },
        { "bereq.backend", h->fetch.backend != NULL ? h->fetch.backend->name : SPAN_NULL },
        { "ret.text", h->ctx.ret.text }, { "synth", h->client.synth_body }, { "beresp.body", h->fetch.synth_body },
        { "key", span_of(h->client.key.bytes, h->client.key.len) }, { "failed_why", span_str(h->ctx.failed_why) },
        { "log", h->log }, { "errors", h->errors }, { "counts", counts(h) },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *text = rows[i].text.ptr;
        *len = rows[i].text.len;
        return rows[i].text.ptr != NULL;
    }
    return ERR_NOTFOUND;
}

int
vernis_harness_rule_hits(struct vernis_harness *h, int i)
{
    const struct rule_counts *rules = h->policy == NULL ? NULL : atomic_load(&h->policy->code)->rules;
    return rules == NULL || i < 0 || (uint32_t)i >= rules->n_rules ? ERR_NOTFOUND : (int)rule_counts_sum(rules, (uint32_t)i).hits;
}

/* ---- results: numbers -------------------------------------------------------------------------------------------------------- */

enum number_shape { SHAPE_DOUBLE, SHAPE_INT64, SHAPE_BOOL, SHAPE_UINT16, SHAPE_UINT32, SHAPE_INT32,
                    SHAPE_HITMISS, SHAPE_HITPASS };

struct number_row {
    const char *name;
    enum number_shape shape;
    size_t offset;                      /* in struct vernis_harness */
};

#define AT(member) offsetof(struct vernis_harness, member)

static const struct number_row numbers[] = {
    { "req.grace", SHAPE_DOUBLE, AT(client.grace_limit) }, { "req.ttl", SHAPE_DOUBLE, AT(client.ttl_limit) },
    { "req.esi", SHAPE_BOOL, AT(client.esi) }, { "req.esi_level", SHAPE_INT64, AT(client.esi_level) },
    { "req.restarts", SHAPE_INT64, AT(client.restarts) },
    { "req.hash_always_miss", SHAPE_BOOL, AT(client.hash_always_miss) },
    { "req.hash_ignore_busy", SHAPE_BOOL, AT(client.hash_ignore_busy) },
    { "req.hash_ignore_vary", SHAPE_BOOL, AT(client.hash_ignore_vary) },
    { "req.is_hitmiss", SHAPE_HITMISS, AT(client.found) }, { "req.is_hitpass", SHAPE_HITPASS, AT(client.found) },
    { "req.time", SHAPE_DOUBLE, AT(client.req_time) }, { "resp.time", SHAPE_DOUBLE, AT(client.resp_time) },
    { "resp.status", SHAPE_UINT16, AT(msg[MSG_RESP].status) }, { "resp.do_esi", SHAPE_BOOL, AT(client.resp_do_esi) },
    { "resp.is_streaming", SHAPE_BOOL, AT(client.is_streaming) },
    { "sess.timeout_idle", SHAPE_DOUBLE, AT(client.timeout_idle) },
    { "sess.timeout_linger", SHAPE_DOUBLE, AT(client.timeout_linger) },
    { "sess.idle_send_timeout", SHAPE_DOUBLE, AT(client.idle_send_timeout) },
    { "sess.send_timeout", SHAPE_DOUBLE, AT(client.send_timeout) },
    { "bereq.connect_timeout", SHAPE_DOUBLE, AT(fetch.connect_timeout) },
    { "bereq.first_byte_timeout", SHAPE_DOUBLE, AT(fetch.first_byte_timeout) },
    { "bereq.between_bytes_timeout", SHAPE_DOUBLE, AT(fetch.between_bytes_timeout) },
    { "bereq.retries", SHAPE_INT64, AT(fetch.retries) }, { "bereq.is_bgfetch", SHAPE_BOOL, AT(fetch.is_bgfetch) },
    { "bereq.is_hitmiss", SHAPE_HITMISS, AT(fetch.found) }, { "bereq.is_hitpass", SHAPE_HITPASS, AT(fetch.found) },
    { "bereq.uncacheable", SHAPE_BOOL, AT(fetch.uncacheable) }, { "bereq.time", SHAPE_DOUBLE, AT(fetch.time_start) },
    { "bereq.body_unset", SHAPE_BOOL, AT(fetch.body_unset) },
    { "beresp.ttl", SHAPE_DOUBLE, AT(fetch.ttl) }, { "beresp.grace", SHAPE_DOUBLE, AT(fetch.grace) },
    { "beresp.keep", SHAPE_DOUBLE, AT(fetch.keep) }, { "beresp.age", SHAPE_DOUBLE, AT(fetch.age) },
    { "beresp.time", SHAPE_DOUBLE, AT(fetch.time_resp) }, { "beresp.status", SHAPE_UINT16, AT(msg[MSG_BERESP].status) },
    { "beresp.uncacheable", SHAPE_BOOL, AT(fetch.uncacheable) }, { "beresp.was_304", SHAPE_BOOL, AT(fetch.was_304) },
    { "beresp.do_esi", SHAPE_BOOL, AT(fetch.do_esi) }, { "beresp.do_gzip", SHAPE_BOOL, AT(fetch.do_gzip) },
    { "beresp.do_gunzip", SHAPE_BOOL, AT(fetch.do_gunzip) }, { "beresp.do_stream", SHAPE_BOOL, AT(fetch.do_stream) },
    { "hit_for_pass", SHAPE_DOUBLE, AT(fetch.hit_for_pass) }, { "ret.status", SHAPE_INT64, AT(ctx.ret.status) },
    { "ret.seconds", SHAPE_DOUBLE, AT(ctx.ret.seconds) }, { "failed", SHAPE_INT32, AT(ctx.failed) },
    { "site", SHAPE_UINT32, AT(ctx.site) }, { "now", SHAPE_DOUBLE, AT(now) },
};

static const struct number_row *
number_find(const char *name)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return &numbers[i];
    return NULL;
}

int
vernis_harness_number(struct vernis_harness *h, const char *name, double *out)
{
    const struct number_row *row = number_find(name);
    if (row == NULL)
        return ERR_NOTFOUND;
    const void *at = (const char *)h + row->offset;
    switch (row->shape) {
    case SHAPE_DOUBLE: *out = *(const double *)at; break;
    case SHAPE_INT64: *out = (double)*(const int64_t *)at; break;
    case SHAPE_BOOL: *out = *(const bool *)at; break;
    case SHAPE_UINT16: *out = *(const uint16_t *)at; break;
    case SHAPE_UINT32: *out = *(const uint32_t *)at; break;
    case SHAPE_INT32: *out = *(const int32_t *)at; break;
    case SHAPE_HITMISS: *out = *(const enum finding *)at == FOUND_HIT_FOR_MISS; break;
    case SHAPE_HITPASS: *out = *(const enum finding *)at == FOUND_HIT_FOR_PASS; break;
    }
    return 0;
}

static void
set_finding(enum finding *found, enum finding what, bool is_so)
{
    if (is_so)
        *found = what;
    else if (*found == what)
        *found = FOUND_NOTHING;
}

int
vernis_harness_set_number(struct vernis_harness *h, const char *name, double value)
{
    const struct number_row *row = number_find(name);
    if (row == NULL)
        return ERR_NOTFOUND;
    void *at = (char *)h + row->offset;
    switch (row->shape) {
    case SHAPE_DOUBLE: *(double *)at = value; break;
    case SHAPE_INT64: *(int64_t *)at = (int64_t)value; break;
    case SHAPE_BOOL: *(bool *)at = value != 0; break;
    case SHAPE_UINT16: *(uint16_t *)at = (uint16_t)value; break;
    case SHAPE_UINT32: *(uint32_t *)at = (uint32_t)value; break;
    case SHAPE_INT32: *(int32_t *)at = (int32_t)value; break;
    case SHAPE_HITMISS: set_finding((enum finding *)at, FOUND_HIT_FOR_MISS, value != 0); break;
    case SHAPE_HITPASS: set_finding((enum finding *)at, FOUND_HIT_FOR_PASS, value != 0); break;
    }
    return 0;
}

int
vernis_export(int i, const char **name, const char **signature)
{
    vmod_register();
    const struct policy_export *row = i < 0 ? NULL : export_at((unsigned)i);
    if (row == NULL)
        return ERR_NOTFOUND;
    *name = row->symbol;
    *signature = row->signature;
    return 0;
}
