/* Module directors: the objects shard and shard_param. origin/shard.c implements the ring; this file handles
 * its parameters. A parameter's value comes from the call, or else from the transaction, the object, or the
 * built-in default. Parameters set in a fetch or in vcl_pipe hold for that transaction only. The director
 * picks its backend when the connection is made. */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "origin/director.h"
#include "policy/exports.h"
#include "origin/shard.h"
#include "policy/state.h"
#include "policy/task.h"

#define PARAM_BLOB 0x70726853u /* type of the blob of shard_param.use() */

enum shard_by { BY_HASH, BY_URL, BY_KEY, BY_BLOB };

/* Bits of the parameters given, in the order of the arguments of backend() and set(). */
#define GIVEN_BY 1u
#define GIVEN_KEY 2u
#define GIVEN_KEY_BLOB 4u
#define GIVEN_ALT 8u
#define GIVEN_WARMUP 16u
#define GIVEN_RAMPUP 32u
#define GIVEN_HEALTHY 64u
#define GIVEN_PARAM 128u
#define GIVEN_RESOLVE 256u
/* bits that a shard_param keeps */
#define GIVEN_LASTING (GIVEN_BY | GIVEN_ALT | GIVEN_WARMUP | GIVEN_RAMPUP | GIVEN_HEALTHY)

/* Bit 0 of a method's mask is its object, which is always given. */
#define GIVEN_PARAMS(given) ((given) >> 1)

struct shard_param {
    const struct shard_param *defaults; /* NULL: this is the built-in set */
    uint32_t given;
    uint32_t key; /* BY_KEY, BY_BLOB */
    enum shard_by by;
    enum shard_healthy healthy;
    bool rampup;
    int64_t alternative;
    double warmup;
    bool made;      /* true once a transaction's copy is initialised */
    bool of_policy; /* made by `new`: a transaction may override it */
};

struct shard {
    struct director director;
    struct shard_ring ring;
    _Atomic(const struct shard_param *) param;
};

static const struct shard_param built_in = { .given = GIVEN_LASTING, .rampup = true, .warmup = -1 };

static const char *const by_names[] = {
    [BY_HASH] = "HASH", [BY_URL] = "URL", [BY_KEY] = "KEY", [BY_BLOB] = "BLOB"
};
static const char *const healthy_names[] = { [SHARD_CHOSEN] = "CHOSEN",
                                             [SHARD_IGNORE] = "IGNORE",
                                             [SHARD_ALL] = "ALL" };

static unsigned
word_index(struct span word, const char *const names[], unsigned n)
{
    unsigned i = 0;
    while (i + 1 < n && !span_eq(word, span_str(names[i])))
        i++;
    return i;
}

__attribute__((format(printf, 3, 4))) static void
shard_fail(struct policy_ctx *ctx, struct span name, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct span why = arena_vprintf(ctx->arena, fmt, ap);
    va_end(ap);
    vcl_fail_printf(ctx, "vmod_directors: shard %.*s: %s", (int)name.len, name.ptr != NULL ? name.ptr : "",
                    why.ptr != NULL ? why.ptr : "");
}

__attribute__((format(printf, 4, 5))) static void
shard_say(struct policy_ctx *ctx, enum log_tag tag, struct span name, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct span why = arena_vprintf(ctx->arena, fmt, ap);
    va_end(ap);
    log_printf(log_of(ctx), tag, "vmod_directors: shard %.*s: %s", (int)name.len,
               name.ptr != NULL ? name.ptr : "", why.ptr != NULL ? why.ptr : "");
}

/* ---- parameters ---------------------------------------------------------------------------------------- */

static bool
in_housekeeping(const struct policy_ctx *ctx)
{
    return in_hooks(ctx, HOOKS_HOUSEKEEPING);
}

/* True in hooks whose transaction will open a connection. */
static bool
may_set(const struct policy_ctx *ctx)
{
    return in_hooks(ctx, HOOKS_BACKEND | 1u << HOOK_PIPE);
}

static struct shard_param *
find_transaction_params(struct policy_ctx *ctx, const void *owner)
{
    struct shard_param *own = task_find(ctx, owner);
    return own != NULL && own->made ? own : NULL;
}

/* Returns the transaction's own parameters for `owner` (a director or a shard_param), created on first use
 * with `owner`'s as defaults. */
static struct shard_param *
make_transaction_params(struct policy_ctx *ctx, const void *owner, const struct shard_param *below)
{
    struct shard_param *own = find_transaction_params(ctx, owner);
    if (own != NULL)
        return own;
    const struct shard_param *defaults = below != owner && below->of_policy
                                           ? make_transaction_params(ctx, below, below)
                                           : below;
    own = defaults == NULL ? NULL : task_state(ctx, owner, sizeof *own);
    if (own != NULL)
        *own = (struct shard_param){ .defaults = defaults, .made = true };
    return own;
}

/* Returns the parameters that apply to `owner` in this transaction. */
static const struct shard_param *
effective_params(struct policy_ctx *ctx, const void *owner, const struct shard_param *below)
{
    const struct shard_param *own = find_transaction_params(ctx, owner);
    if (own != NULL)
        return own;
    return below != owner && below->of_policy ? effective_params(ctx, below, below) : below;
}

/* Merges the chain of parameters; the first set that gives a parameter wins. */
static struct shard_param
merged(const struct shard_param *p)
{
    struct shard_param all = { 0 };
    for (; p != NULL; p = p->defaults) {
        uint32_t fresh = p->given & ~all.given;
        if (fresh & GIVEN_BY) {
            all.by = p->by;
            all.key = p->key;
        }
        if (fresh & GIVEN_ALT)
            all.alternative = p->alternative;
        if (fresh & GIVEN_WARMUP)
            all.warmup = p->warmup;
        if (fresh & GIVEN_RAMPUP)
            all.rampup = p->rampup;
        if (fresh & GIVEN_HEALTHY)
            all.healthy = p->healthy;
        all.given |= p->given;
    }
    return all;
}

/* Reads the first four bytes of a blob; a shorter blob is padded with leading zeros. */
static uint32_t
key_of_blob(const struct vcl_blob *blob)
{
    const uint8_t *bytes = blob->ptr;
    uint32_t key = 0;
    for (uint64_t i = 0; i < blob->len && i < 4; i++)
        key = key << 8 | bytes[i];
    return key;
}

struct shard_args {
    uint32_t given;
    struct span by, healthy;
    int64_t key, alternative;
    const struct vcl_blob *key_blob;
    double warmup;
    bool rampup;
};

static bool
take_key(struct policy_ctx *ctx, struct shard_param *p, struct span name, const char *where,
         const struct shard_args *a)
{
    p->by = a->given & GIVEN_BY ? word_index(a->by, by_names, 4) : BY_HASH;
    switch (p->by) {
    case BY_HASH:
    case BY_URL:
        if (a->given & (GIVEN_KEY | GIVEN_KEY_BLOB))
            shard_fail(ctx, name, "%s key and key_blob arguments are invalid with by=%s", where,
                       by_names[p->by]);
        return !ctx->failed;
    case BY_KEY:
        if ((a->given & GIVEN_KEY) == 0)
            shard_fail(ctx, name, "%s missing key argument with by=KEY", where);
        else if (a->key < 0 || a->key > UINT32_MAX)
            shard_fail(ctx, name, "%s invalid key argument %lld with by=KEY", where, (long long)a->key);
        p->key = (uint32_t)a->key;
        return !ctx->failed;
    case BY_BLOB:
        if ((a->given & GIVEN_KEY_BLOB) == 0)
            shard_fail(ctx, name, "%s missing key_blob argument with by=BLOB", where);
        else if (a->key_blob == NULL || a->key_blob->len == 0)
            shard_say(ctx, TAG_ERROR, name, "%s by=BLOB but no or empty key_blob - using key 0", where);
        p->key = a->key_blob == NULL ? 0 : key_of_blob(a->key_blob);
        return !ctx->failed;
    }
    WRONG("what a key is made from");
}

/* Checks the arguments and stores them in p, replacing its old values. */
static bool
take_args(struct policy_ctx *ctx, struct shard_param *p, struct span name, const char *where,
          const struct shard_args *a)
{
    if (!take_key(ctx, p, name, where, a))
        return false;
    if (a->given & GIVEN_ALT && a->alternative < 0)
        shard_fail(ctx, name, "%s invalid alt argument %lld", where, (long long)a->alternative);
    else if (a->given & GIVEN_WARMUP && ((a->warmup < 0 && a->warmup != -1) || a->warmup > 1))
        shard_fail(ctx, name, "%s invalid warmup argument %f", where, a->warmup);
    if (ctx->failed)
        return false;
    p->alternative = a->alternative;
    p->warmup = a->warmup;
    p->rampup = a->rampup;
    p->healthy = word_index(a->healthy, healthy_names, 3);
    p->given = a->given & GIVEN_LASTING;
    return true;
}

static struct span
url_of(const struct policy_ctx *ctx)
{
    const struct http_message *m = ctx->msg[MSG_REQ] != NULL ? ctx->msg[MSG_REQ] : ctx->msg[MSG_BEREQ];
    return m == NULL ? SPAN_NULL : m->url;
}

static uint32_t
key_of(const struct policy_ctx *ctx, const struct shard_param *p)
{
    switch (p->by) {
    case BY_KEY:
    case BY_BLOB: return p->key;
    case BY_HASH:
        if (ctx->fetch != NULL && ctx->fetch->key != NULL) {
            uint8_t digest[32];
            key_digest(ctx->fetch->key, digest);
            return key_of_blob(&(struct vcl_blob){ .ptr = digest, .len = sizeof digest });
        }
        return text_hash32(url_of(ctx));
    case BY_URL: return text_hash32(url_of(ctx));
    }
    WRONG("what a key is made from");
}

static struct director *
pick(struct policy_ctx *ctx, struct shard *s, const struct shard_param *said)
{
    struct shard_param p = merged(said);
    struct shard_pick wanted = { key_of(ctx, &p), p.alternative, p.warmup, p.rampup, p.healthy };
    struct director *found = shard_pick(&s->ring, &wanted, ctx);
    if (found == NULL && shard_is_empty(&s->ring))
        shard_say(ctx, TAG_ERROR, s->director.name, "no backends");
    return found;
}

/* ---- the director -------------------------------------------------------------------------------------- */

static struct shard *
shard_of(struct director *d)
{
    return container_of(d, struct shard, director);
}

static struct backend *
shard_resolve(struct director *d, struct policy_ctx *ctx)
{
    struct shard *s = shard_of(d);
    return director_resolve(pick(ctx, s, effective_params(ctx, s, atomic_load(&s->param))), ctx);
}

static bool
shard_healthy(struct director *d, const struct policy_ctx *ctx, double *changed_s)
{
    return shard_any_healthy(&shard_of(d)->ring, ctx, changed_s);
}

static void
shard_list(struct director *d, void (*each)(struct director *member, void *arg), void *arg)
{
    shard_each(&shard_of(d)->ring, each, arg);
}

static void
shard_view(struct director *d, struct director_view *out,
           void (*each)(const struct director_member *m, void *arg), void *arg)
{
    struct shard_ring *r = &shard_of(d)->ring;
    pthread_rwlock_rdlock(&r->lock);
    *out = (struct director_view){ .detail = DETAIL_RING, .warmup = r->warmup, .rampup_s = r->rampup_s };
    for (uint32_t i = 0; i < r->n_hosts; i++) {
        const struct shard_host *h = &r->hosts[i];
        each(
            &(struct director_member){
                .director = h->director,
                .ident = h->ident == NULL ? h->director->name : span_str(h->ident),
                .rampup_s = isnan(h->rampup_s) ? r->rampup_s : h->rampup_s,
            },
            arg);
    }
    pthread_rwlock_unlock(&r->lock);
}

static const struct director_ops shard_ops = { "shard", shard_resolve, shard_healthy, shard_list,
                                               NULL,    shard_view,    false };

void *
vcl_directors_shard_new(struct policy_ctx *ctx)
{
    struct shard *s = mem_zalloc(sizeof *s);
    s->director = (struct director){ .ops = &shard_ops, .name = SPAN_LIT("") };
    shard_init(&s->ring, &s->director);
    atomic_init(&s->param, &built_in);
    policy_add_director(ctx->policy, &s->director);
    return s;
}

void
vcl_directors_shard_fini(struct policy_ctx *ctx, void *instance)
{
    struct shard *s = instance;
    shard_release(&s->ring);
    free(s);
}

void
vcl_directors_shard_set_warmup(struct policy_ctx *ctx, void *instance, double probability)
{
    struct shard *s = instance;
    if (probability >= 0 && probability < 1)
        shard_set_warmup(&s->ring, probability);
    else
        shard_say(ctx, TAG_NOTICE, s->director.name, ".set_warmup(%f) ignored", probability);
}

void
vcl_directors_shard_set_rampup(struct policy_ctx *ctx, void *instance, double duration)
{
    struct shard *s = instance;
    shard_set_rampup(&s->ring, duration > 0 ? duration : 0);
}

static const struct shard_param *
param_of_blob(const struct vcl_blob *blob)
{
    bool right = blob != NULL && blob->type == PARAM_BLOB && blob->len == sizeof(struct shard_param);
    return right ? blob->ptr : NULL;
}

void
vcl_directors_shard_associate(struct policy_ctx *ctx, void *instance, uint32_t given,
                              const struct vcl_blob *blob)
{
    struct shard *s = instance;
    const struct shard_param *p = GIVEN_PARAMS(given) == 0 || blob == NULL ? &built_in : param_of_blob(blob);
    if (p == NULL)
        shard_fail(ctx, s->director.name, "shard .associate param invalid");
    else
        atomic_store(&s->param, p);
}

int32_t
vcl_directors_shard_add_backend(struct policy_ctx *ctx, void *instance, uint32_t given, struct director *d,
                                struct span ident, double rampup, double weight)
{
    struct shard *s = instance;
    bool none = d == NULL || director_is_none(d);
    if (none || director_reaches(d, &s->director)) {
        shard_fail(ctx, s->director.name, "%s",
                   none ? "None backend cannot be added" : "the backend to add contains this director");
        return 0;
    }
    bool weighted = GIVEN_PARAMS(given) & 8u, has_rampup = GIVEN_PARAMS(given) & 4u;
    if (weighted && !(weight >= 1))
        shard_say(ctx, TAG_NOTICE, s->director.name, ".add_backend(weight=%f) ignored", weight);
    if (shard_change(ctx, &s->ring, SHARD_ADD, d, GIVEN_PARAMS(given) & 2u ? ident : SPAN_NULL,
                     has_rampup ? rampup : NAN, weighted && weight >= 1 ? weight : 1) == 0)
        return 1;
    shard_fail(ctx, s->director.name, "more changes than the limit of %u", DIRECTOR_MEMBERS_MAX);
    return 0;
}

int32_t
vcl_directors_shard_remove_backend(struct policy_ctx *ctx, void *instance, uint32_t given, struct director *d,
                                   struct span ident)
{
    struct shard *s = instance;
    d = GIVEN_PARAMS(given) & 1u ? d : NULL;
    ident = GIVEN_PARAMS(given) & 2u ? ident : SPAN_NULL;
    if (d == NULL && ident.ptr == NULL) {
        shard_fail(ctx, s->director.name, ".remove_backend(): either backend or ident are required");
        return 0;
    }
    return shard_change(ctx, &s->ring, SHARD_REMOVE, d, ident, NAN, 1) == 0;
}

int32_t
vcl_directors_shard_clear(struct policy_ctx *ctx, void *instance)
{
    struct shard *s = instance;
    return shard_change(ctx, &s->ring, SHARD_CLEAR, NULL, SPAN_NULL, NAN, 1) == 0;
}

int32_t
vcl_directors_shard_reconfigure(struct policy_ctx *ctx, void *instance, int64_t replicas)
{
    struct shard *s = instance;
    if (replicas <= 0) {
        shard_say(ctx, TAG_ERROR, s->director.name, ".reconfigure() invalid replicas argument %lld",
                  (long long)replicas);
        return 0;
    }
    bool some = shard_settle(&s->ring,
                             replicas < SHARD_REPLICAS_MAX ? (uint32_t)replicas : SHARD_REPLICAS_MAX, ctx);
    if (!some)
        shard_say(ctx, TAG_ERROR, s->director.name, ".reconfigure() no backends");
    return some;
}

int64_t
vcl_directors_shard_key(struct policy_ctx *ctx, void *instance, struct span text)
{
    return text_hash32(text);
}

static struct director *
backend_later(struct policy_ctx *ctx, struct shard *s, const struct shard_args *a,
              const struct vcl_blob *param)
{
    if ((a->given & ~GIVEN_RESOLVE) == 0)
        return &s->director;
    if (!may_set(ctx)) {
        shard_fail(ctx, s->director.name,
                   ".backend(resolve=LAZY) with other parameters can only be used in backend/pipe context");
        return NULL;
    }
    struct shard_param *own = make_transaction_params(ctx, s, atomic_load(&s->param));
    if (own == NULL)
        return NULL;
    if (a->given & GIVEN_PARAM && (own->defaults = param_of_blob(param)) == NULL)
        shard_fail(ctx, s->director.name, ".backend(key_blob) param invalid");
    return !ctx->failed && take_args(ctx, own, s->director.name, "shard.backend()", a) ? &s->director : NULL;
}

static struct director *
backend_now(struct policy_ctx *ctx, struct shard *s, const struct shard_args *a, const struct vcl_blob *param)
{
    if (in_housekeeping(ctx)) {
        shard_fail(ctx, s->director.name, ".backend(resolve=NOW) can not be used in vcl_init{}/vcl_fini{}");
        return NULL;
    }
    struct shard_param own = { .defaults = effective_params(ctx, s, atomic_load(&s->param)) };
    if (a->given & GIVEN_PARAM && (own.defaults = param_of_blob(param)) == NULL)
        shard_fail(ctx, s->director.name, ".backend(key_blob) param invalid");
    return !ctx->failed && take_args(ctx, &own, s->director.name, "shard.backend()", a) ? pick(ctx, s, &own)
                                                                                        : NULL;
}

struct director *
vcl_directors_shard_backend(struct policy_ctx *ctx, void *instance, uint32_t given, struct span by,
                            int64_t key, const struct vcl_blob *key_blob, int64_t alternative, double warmup,
                            int32_t rampup, struct span healthy, const struct vcl_blob *param,
                            struct span resolve)
{
    struct shard *s = instance;
    struct shard_args a = {
        GIVEN_PARAMS(given), by, healthy, key, alternative, key_blob, warmup, rampup != 0
    };
    bool later = a.given & GIVEN_RESOLVE ? span_eq(resolve, SPAN_LIT("LAZY")) : in_housekeeping(ctx);
    return later ? backend_later(ctx, s, &a, param) : backend_now(ctx, s, &a, param);
}

void
vcl_directors_shard_debug(struct policy_ctx *ctx, void *instance, int64_t flags)
{
    struct shard *s = instance;
    shard_show(&s->ring, (unsigned)flags & (SHARD_SHOW_CHOICES | SHARD_SHOW_POINTS));
}

/* ---- shard_param --------------------------------------------------------------------------------------- */

void *
vcl_directors_shard_param_new(struct policy_ctx *ctx)
{
    struct shard_param *p = mem_zalloc(sizeof *p);
    p->defaults = &built_in;
    p->of_policy = true;
    return p;
}

void
vcl_directors_shard_param_fini(struct policy_ctx *ctx, void *instance)
{
    free(instance);
}

/* Returns the parameters that set() changes in this hook: the policy's own during vcl_init, otherwise the
 * transaction's. */
static struct shard_param *
to_change(struct policy_ctx *ctx, struct shard_param *p, const char *where)
{
    if (in_housekeeping(ctx))
        return p;
    if (may_set(ctx))
        return make_transaction_params(ctx, p, p);
    shard_fail(ctx, policy_instance_name(ctx->policy, p),
               "%s may only be used in vcl_init and in backend/pipe context", where);
    return NULL;
}

void
vcl_directors_shard_param_set(struct policy_ctx *ctx, void *instance, uint32_t given, struct span by,
                              int64_t key, const struct vcl_blob *key_blob, int64_t alternative,
                              double warmup, int32_t rampup, struct span healthy)
{
    struct shard_param *p = to_change(ctx, instance, "shard_param.set()");
    struct shard_args a = {
        GIVEN_PARAMS(given), by, healthy, key, alternative, key_blob, warmup, rampup != 0
    };
    if (p != NULL)
        take_args(ctx, p, policy_instance_name(ctx->policy, instance), "shard_param.set()", &a);
}

void
vcl_directors_shard_param_clear(struct policy_ctx *ctx, void *instance)
{
    struct shard_param *p = to_change(ctx, instance, "shard_param.clear()");
    if (p != NULL)
        p->given = 0;
}

static struct shard_param
read_param(struct policy_ctx *ctx, void *instance)
{
    return merged(may_set(ctx) ? effective_params(ctx, instance, instance) : instance);
}

struct span
vcl_directors_shard_param_get_by(struct policy_ctx *ctx, void *instance)
{
    return span_str(by_names[read_param(ctx, instance).by]);
}

int64_t
vcl_directors_shard_param_get_key(struct policy_ctx *ctx, void *instance)
{
    struct shard_param p = read_param(ctx, instance);
    return key_of(ctx, &p);
}

int64_t
vcl_directors_shard_param_get_alt(struct policy_ctx *ctx, void *instance)
{
    return read_param(ctx, instance).alternative;
}

double
vcl_directors_shard_param_get_warmup(struct policy_ctx *ctx, void *instance)
{
    return read_param(ctx, instance).warmup;
}

int32_t
vcl_directors_shard_param_get_rampup(struct policy_ctx *ctx, void *instance)
{
    return read_param(ctx, instance).rampup;
}

struct span
vcl_directors_shard_param_get_healthy(struct policy_ctx *ctx, void *instance)
{
    return span_str(healthy_names[read_param(ctx, instance).healthy]);
}

const struct vcl_blob *
vcl_directors_shard_param_use(struct policy_ctx *ctx, void *instance)
{
    struct vcl_blob *b = vcl_alloc(ctx, sizeof *b);
    if (b != NULL)
        *b = (struct vcl_blob){ .ptr = instance, .len = sizeof(struct shard_param), .type = PARAM_BLOB };
    return b;
}
