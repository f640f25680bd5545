/* Loading, hosting and unloading of policies: counts who uses them, runs their hooks, and swaps code under running state. What an
 * image declares is built in state.c.
 *
 * Uses are counted per loop, so that taking one is a plain increment. An image is entered by each hook anew: the hook pins it,
 * nothing else does. When code is replaced, every loop is posted an acknowledgement; once all have run, nobody can enter the
 * old image any more, and it is unmapped by whoever sees the last hook leave it. */
#include "policy/policy.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "log/counters.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/state.h"

#define STACK_KEPT_EIGHTHS 3            /* 48 KiB of 128: a frame of split.py, and PCRE2 */

static pthread_mutex_t reap_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- counts ------------------------------------------------------------------------------------------------------------ */

struct use_count *
use_counts_new(unsigned n)
{
    struct use_count *u = aligned_alloc(CACHE_LINE_BYTES, n * sizeof *u);
    CHECK(u != NULL);
    memset(u, 0, n * sizeof *u);
    return u;
}

uint64_t
use_sum(const struct use_count *u, unsigned n)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += atomic_load(&((struct use_count *)u)[i].n);
    return sum;
}

/* Loops write their own slot without a locked instruction; threads without a loop share the last one. */
static inline void
use_add(struct use_count *u, unsigned n_slots, const struct loop *loop, uint64_t delta)
{
    if (loop == NULL) {
        atomic_fetch_add(&u[n_slots - 1].n, delta);
        return;
    }
    DEBUG_CHECK(loop_is_current(loop) && loop_id(loop) < n_slots - 1);
    atomic_uint_fast64_t *n = &u[loop_id(loop)].n;
    atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + delta, memory_order_release);
}

void
policy_ref(struct policy *p, struct loop *loop)
{
    use_add(p->uses, p->env.n_loops + 1, loop, 1);
}

void
policy_unref(struct policy *p, struct loop *loop)
{
    use_add(p->uses, p->env.n_loops + 1, loop, (uint64_t)-1);
}

uint64_t
policy_uses(const struct policy *p)
{
    return use_sum(p->uses, p->env.n_loops + 1);
}

/* ---- code: entering, leaving, retiring ----------------------------------------------------------------------------------- */

/* A loop that has loaded the pointer counts itself before it can acknowledge a swap. Threads without a loop acknowledge
 * nothing, so they look again after having counted. */
static struct policy_code *
code_enter(struct policy *p, const struct loop *loop)
{
    for (;;) {
        struct policy_code *code = atomic_load(&p->code);
        if (loop != NULL) {
            use_add(code->inside, code->n_slots, loop, 1);
            return code;
        }
        pthread_mutex_lock(&reap_lock);
        bool current = code == atomic_load(&p->code);
        if (current)
            use_add(code->inside, code->n_slots, NULL, 1);
        pthread_mutex_unlock(&reap_lock);
        if (current)
            return code;
    }
}

static void
reap(struct policy_code *code)          /* reap lock */
{
    if (code->acks_missing == 0 && use_sum(code->inside, code->n_slots) == 0)
        code_close(&code);
}

/* `retired` is read before the count goes down: after that the code may be gone. A loop that does not see it yet has not
 * acknowledged yet either, so its acknowledgement will come to look. */
static void
code_leave(struct policy_code *code, const struct loop *loop)
{
    if (loop != NULL && !atomic_load_explicit(&code->retired, memory_order_relaxed)) {
        use_add(code->inside, code->n_slots, loop, (uint64_t)-1);
        return;
    }
    pthread_mutex_lock(&reap_lock);
    use_add(code->inside, code->n_slots, loop, (uint64_t)-1);
    if (atomic_load(&code->retired))
        reap(code);
    pthread_mutex_unlock(&reap_lock);
}

struct ack {
    struct post post;
    struct policy_code *code;
};

static void
ack_run(struct post *post)
{
    struct ack *ack = container_of(post, struct ack, post);
    pthread_mutex_lock(&reap_lock);
    ack->code->acks_missing--;
    reap(ack->code);
    pthread_mutex_unlock(&reap_lock);
    free(ack);
}

/* The code can no longer be found; loops may still be on their way into it. */
static void
code_retire(struct policy_code *code, const struct policy_env *env)
{
    pthread_mutex_lock(&reap_lock);
    code->acks_missing = env->n_loops;
    atomic_store(&code->retired, true);
    if (env->n_loops == 0)
        reap(code);
    pthread_mutex_unlock(&reap_lock);
    for (unsigned i = 0; i < env->n_loops; i++) {
        struct ack *ack = mem_zalloc(sizeof *ack);
        *ack = (struct ack){ .post.fn = ack_run, .code = code };
        loop_post(env->loops[i], &ack->post);
    }
}

/* ---- hooks --------------------------------------------------------------------------------------------------------------- */

void
policy_ctx_init(struct policy_ctx *ctx, struct policy *p, struct loop *loop, struct arena *a)
{
    *ctx = (struct policy_ctx){ .policy = p, .loop = loop, .arena = a, .names = p->names, .ret.seconds = -1 };
}

#define LABEL(text) { text, sizeof(text) - 1 }

static const struct span action_labels[ACTION_COUNT] = {
    [ACTION_NONE] = LABEL("none"), [ACTION_FAIL] = LABEL("fail"), [ACTION_SYNTH] = LABEL("synth"),
    [ACTION_RESTART] = LABEL("restart"), [ACTION_PASS] = LABEL("pass"), [ACTION_PIPE] = LABEL("pipe"),
    [ACTION_HASH] = LABEL("hash"), [ACTION_PURGE] = LABEL("purge"), [ACTION_VCL] = LABEL("vcl"),
    [ACTION_LOOKUP] = LABEL("lookup"), [ACTION_FETCH] = LABEL("fetch"), [ACTION_DELIVER] = LABEL("deliver"),
    [ACTION_ABANDON] = LABEL("abandon"), [ACTION_RETRY] = LABEL("retry"), [ACTION_ERROR] = LABEL("error"),
    [ACTION_OK] = LABEL("ok"),
};

/* As the log calls them. */
static const struct span hook_labels[HOOK_COUNT] = {
    [HOOK_RECV] = LABEL("RECV"), [HOOK_PIPE] = LABEL("PIPE"), [HOOK_PASS] = LABEL("PASS"), [HOOK_HASH] = LABEL("HASH"),
    [HOOK_PURGE] = LABEL("PURGE"), [HOOK_MISS] = LABEL("MISS"), [HOOK_HIT] = LABEL("HIT"), [HOOK_DELIVER] = LABEL("DELIVER"),
    [HOOK_SYNTH] = LABEL("SYNTH"), [HOOK_BACKEND_FETCH] = LABEL("BACKEND_FETCH"),
    [HOOK_BACKEND_RESPONSE] = LABEL("BACKEND_RESPONSE"), [HOOK_BACKEND_ERROR] = LABEL("BACKEND_ERROR"),
    [HOOK_INIT] = LABEL("INIT"), [HOOK_FINI] = LABEL("FINI"),
};

/* What a function found wrong is in the log already; what the policy itself returned is not. */
static void
note_failure(struct policy_ctx *ctx)
{
    counters_here()->vcl_fail++;
    if (!ctx->failed)
        log_text(ctx->log, TAG_VCL_ERROR, ctx->ret.text.ptr != NULL ? ctx->ret.text : SPAN_LIT("Failed from VCL"));
}

/* Where the hook decided, as Varnish's traces say it: policy, number of the place, source.line.column. Varnish writes one for each
 * statement it passes; ours is the statement that ended the hook. */
static void
log_place(const struct policy_ctx *ctx, const struct policy_image *im)
{
    if (!log_wants(TAG_VCL_TRACE) || ctx->site >= im->n_sites)
        return;
    const struct image_site *site = &im->sites[ctx->site];
    struct span name = policy_name(ctx->policy);
    log_printf(ctx->log, TAG_VCL_TRACE, "%.*s %u %u.%u.%u", (int)name.len, name.ptr, (unsigned)ctx->site, (unsigned)site->file,
               (unsigned)site->line, (unsigned)site->column);
}

/* Where compiled code has to stop calling subs: what a function may touch before it looks, and what the runtime's functions that
 * it calls need, is kept. */
static const char *
stack_mark(void)
{
    size_t bytes;
    const char *low = fiber_stack(&bytes);
    return low == NULL ? NULL : low + bytes / 8 * STACK_KEPT_EIGHTHS;
}

enum vcl_action
policy_run(struct policy_ctx *ctx, enum vcl_hook hook)
{
    struct policy_code *code = code_enter(ctx->policy, ctx->loop);
    ctx->imports = code->imports;
    ctx->names = ctx->policy->names;
    ctx->ret = (struct policy_return){ .text = SPAN_NULL, .seconds = -1 };
    ctx->hook = hook;
    ctx->failed = 0;
    ctx->failed_why = NULL;
    ctx->stack_low = stack_mark();
    ctx->subs_running = NULL;
    struct http_message *obj = ctx->msg[MSG_OBJ];
    log_text(ctx->log, TAG_VCL_CALL, hook_labels[hook]);
    int32_t action = code->image->hooks[hook](ctx);
    ctx->imports = NULL;                /* the image may go away from here on */
    ctx->site = ctx->failed ? ctx->failed_site : ctx->site;
    ctx->msg[MSG_OBJ] = obj;
    log_place(ctx, code->image);
    code_leave(code, ctx->loop);
    if (ctx->failed || action <= ACTION_NONE || action >= ACTION_COUNT)
        action = ACTION_FAIL;
    if (action == ACTION_FAIL)
        note_failure(ctx);
    log_text(ctx->log, TAG_VCL_RETURN, action_labels[action]);
    return (enum vcl_action)action;
}

int
policy_site(struct policy_ctx *ctx, char *out, size_t cap)
{
    struct policy_code *code = code_enter(ctx->policy, ctx->loop);
    const struct policy_image *im = code->image;
    int n = 0;
    if (ctx->site < im->n_sites && im->sites[ctx->site].file < im->n_sources) {
        const struct image_site *site = &im->sites[ctx->site];
        const struct span *file = &im->sources[site->file].name;
        n = snprintf(out, cap, "%.*s:%u:%u", (int)file->len, file->ptr, (unsigned)site->line, (unsigned)site->column);
    } else if (cap > 0) {
        out[0] = '\0';
    }
    code_leave(code, ctx->loop);
    return n;
}

const char *
action_name(enum vcl_action a)
{
    return (unsigned)a < ACTION_COUNT ? action_labels[a].ptr : "?";
}

const char *
hook_name(enum vcl_hook h)
{
    static const char *const names[HOOK_COUNT] = {
        [HOOK_RECV] = "vcl_recv", [HOOK_PIPE] = "vcl_pipe", [HOOK_PASS] = "vcl_pass", [HOOK_HASH] = "vcl_hash",
        [HOOK_PURGE] = "vcl_purge", [HOOK_MISS] = "vcl_miss", [HOOK_HIT] = "vcl_hit", [HOOK_DELIVER] = "vcl_deliver",
        [HOOK_SYNTH] = "vcl_synth", [HOOK_BACKEND_FETCH] = "vcl_backend_fetch",
        [HOOK_BACKEND_RESPONSE] = "vcl_backend_response", [HOOK_BACKEND_ERROR] = "vcl_backend_error",
        [HOOK_INIT] = "vcl_init", [HOOK_FINI] = "vcl_fini",
    };
    return (unsigned)h < HOOK_COUNT ? names[h] : "?";
}

/* ---- init and fini --------------------------------------------------------------------------------------------------------- */

static void
ctx_of_admin(struct policy_ctx *ctx, struct policy *p, struct arena *a)
{
    policy_ctx_init(ctx, p, NULL, a);
    ctx->now = nsec_seconds(clock_real_ns());
}

static int
run_init(struct policy *p, char *error, size_t cap)
{
    struct arena a;
    arena_init(&a, 0);
    struct policy_ctx ctx;
    ctx_of_admin(&ctx, p, &a);
    enum vcl_action action = policy_run(&ctx, HOOK_INIT);
    p->initialised = action == ACTION_OK;
    if (!p->initialised) {
        char where[256];
        bool known = policy_site(&ctx, where, sizeof where) > 0;
        struct span why = ctx.failed_why != NULL ? span_str(ctx.failed_why) : ctx.ret.text;
        snprintf(error, cap, "VCL \"%.*s\" Failed initialization\nMessage: vcl_init failed%s%s: %.*s", (int)p->name.len, p->name.ptr,
                 known ? " at " : "", where, why.len > 0 ? (int)why.len : 15, why.len > 0 ? why.ptr : "Failed from VCL");
    }
    arena_release(&a);
    return p->initialised ? 0 : ERR_CANCELLED;
}

/* Objects go in the reverse of the order they were declared in: later ones may hold earlier ones. */
static void
run_fini(struct policy *p)
{
    struct arena a;
    arena_init(&a, 0);
    struct policy_ctx ctx;
    ctx_of_admin(&ctx, p, &a);
    if (p->initialised)
        policy_run(&ctx, HOOK_FINI);
    struct policy_code *code = code_enter(p, NULL);
    ctx.imports = code->imports;
    for (unsigned i = p->n_instances; i-- > 0;) {
        const struct image_instance *im = &code->image->instances[i];
        if (p->instances[i] == NULL || im->fini_import < 0)
            continue;
        void (*fini)(struct policy_ctx *, void *) = (void (*)(struct policy_ctx *, void *))code->imports[im->fini_import];
        fini(&ctx, p->instances[i]);
        p->instances[i] = NULL;
    }
    code_leave(code, NULL);
    arena_release(&a);
}

/* ---- load, unload, replace --------------------------------------------------------------------------------------------------- */

static void
policy_free(struct policy *p)
{
    struct policy_code *code = atomic_load(&p->code);
    state_release(p);
    code_close(&code);
    pthread_mutex_destroy(&p->lock);
    free(p->uses);
    free(p);
}

/* Whether a request may come back to how the client sent it: by another policy taking it over, or by a function. */
static bool
image_rolls_back(const struct policy_image *im)
{
    if (im->effects[HOOK_RECV].actions & UINT64_C(1) << ACTION_VCL)
        return true;
    for (uint32_t i = 0; i < im->n_imports; i++)
        if (span_eq(im->imports[i].name, SPAN_LIT("std_rollback")))
            return true;
    return false;
}

bool
policy_rolls_back(const struct policy *p)
{
    return atomic_load_explicit(&p->rolls_back, memory_order_relaxed);
}

/* Takes the code. */
static int
policy_build(const struct policy_env *env, struct span name, struct policy_code *code, struct policy **out, char *error, size_t cap)
{
    struct policy *p = mem_zalloc(sizeof *p);
    p->env = *env;
    atomic_init(&p->code, code);
    pthread_mutex_init(&p->lock, NULL);
    p->uses = use_counts_new(env->n_loops + 1);
    atomic_init(&p->rolls_back, image_rolls_back(code->image));
    arena_init(&p->arena, 0);
    p->name = arena_copy(&p->arena, name);
    int err = state_build(p, code->image, error, cap);
    if (err == 0 && !env->leaves_init)
        err = run_init(p, error, cap);
    if (err == 0) {
        *out = p;
        return 0;
    }
    run_fini(p);                        /* what vcl_init had made before it failed */
    policy_free(p);
    return err;
}

int
policy_load(const struct policy_env *env, struct span name, const char *path, struct policy **out, char *error, size_t error_cap)
{
    struct policy_code *code = NULL;
    int err = code_open(path, env->n_loops + 1, &code, error, error_cap);
    return err != 0 ? err : policy_build(env, name, code, out, error, error_cap);
}

int
policy_load_image(const struct policy_env *env, struct span name, const struct policy_image *image, struct policy **out,
                  char *error, size_t error_cap)
{
    struct policy_code *code = NULL;
    int err = code_of_image(image, env->n_loops + 1, &code, error, error_cap);
    return err != 0 ? err : policy_build(env, name, code, out, error, error_cap);
}

void
policy_unload(struct policy **policy)
{
    struct policy *p = *policy;
    if (p == NULL)
        return;
    *policy = NULL;
    policy_stop_probes(p);
    CHECK(policy_uses(p) == 0);
    run_fini(p);
    policy_free(p);
}

/* Objects and functions of a module are of one library: one that was installed since cannot take over its objects. */
static bool
same_modules(const struct policy_code *a, const struct policy_code *b)
{
    size_t bytes = a->image->n_modules * sizeof *a->modules;
    return a->image->n_modules == b->image->n_modules && memcmp(a->modules, b->modules, bytes) == 0;
}

/* Takes the code. */
static int
take_over(struct policy *p, struct policy_code *code, char *error, size_t cap)
{
    const struct policy_image *new = code->image, *old = atomic_load(&p->code)->image;
    if (memcmp(new->interface_digest, old->interface_digest, sizeof new->interface_digest) != 0 ||
        new->n_names != p->n_names || new->n_regexes != p->n_regexes || new->n_backends != p->n_backends ||
        new->n_acls != p->n_acls || new->n_probes != p->n_probes || new->n_instances != p->n_instances ||
        new->n_storages != p->n_storages || !same_modules(code, atomic_load(&p->code))) {
        snprintf(error, cap, "declarations differ from those of policy \"%.*s\": load it as a new policy", (int)p->name.len,
                 p->name.ptr);
        code_close(&code);
        return ERR_SYNTAX;
    }
    if (image_rolls_back(new))
        atomic_store(&p->rolls_back, true);
    code_retire(atomic_exchange(&p->code, code), &p->env);
    return 0;
}

int
policy_replace_image(struct policy *p, const char *path, char *error, size_t error_cap)
{
    struct policy_code *code = NULL;
    int err = code_open(path, p->env.n_loops + 1, &code, error, error_cap);
    return err != 0 ? err : take_over(p, code, error, error_cap);
}

int
policy_replace_with(struct policy *p, const struct policy_image *image, char *error, size_t error_cap)
{
    struct policy_code *code = NULL;
    int err = code_of_image(image, p->env.n_loops + 1, &code, error, error_cap);
    return err != 0 ? err : take_over(p, code, error, error_cap);
}

/* ---- looking at it ----------------------------------------------------------------------------------------------------------- */

struct span
policy_name(const struct policy *p)
{
    return p->name;
}

const struct policy_image *
policy_image(const struct policy *p)
{
    return atomic_load(&((struct policy *)p)->code)->image;
}

struct director *
policy_default_director(struct policy *p)
{
    return p->default_director;
}

static void
probe_directors(struct policy *p, bool on)
{
    CHECK(pthread_mutex_lock(&p->lock) == 0);
    for (unsigned i = 0; i < p->n_directors; i++)
        if (p->directors[i]->ops->probe != NULL)
            p->directors[i]->ops->probe(p->directors[i], on);
    CHECK(pthread_mutex_unlock(&p->lock) == 0);
}

void
policy_start_probes(struct policy *p)
{
    if (p->probing)
        return;
    p->probing = true;
    for (unsigned i = 0; i < p->n_backends && p->env.n_loops > 0; i++)
        backend_start_probe(p->backends[i], p->env.loops[i % p->env.n_loops]);
    probe_directors(p, true);
}

void
policy_stop_probes(struct policy *p)
{
    if (!p->probing)
        return;
    p->probing = false;
    for (unsigned i = 0; i < p->n_backends; i++)
        backend_stop_probe(p->backends[i]);
    probe_directors(p, false);
}
