/* Hosting of policies: counts their uses, runs their hooks, and swaps code under live state. load.c loads and
 * unloads policies; state.c builds the declared state.
 *
 * Each loop counts its own uses, so taking one is a plain increment. Each hook enters the image anew and pins
 * it; nothing else pins it. When code is replaced, every loop gets an acknowledgement item. After all loops
 * have run their item, no hook can enter the old image, and the last hook to leave the image unmaps it. */
#include "policy/policy.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "cache/rfc9111/rfc9111.h"
#include "log/counters.h"
#include "loop/fiber.h"
#include "policy/lib.h"
#include "policy/state.h"

#define STACK_KEPT_EIGHTHS 3 /* 48 KiB of 128: room for a frame of split.py, and for PCRE2 */

static pthread_mutex_t reap_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- counts -------------------------------------------------------------------------------------------- */

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

/* A loop writes its own slot without a locked instruction; threads without a loop share the last slot. */
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

/* ---- code: entering, leaving, retiring ----------------------------------------------------------------- */

/* A loop that read the pointer counts itself before it can acknowledge a swap. Threads without a loop send no
 * acknowledgement, so they check the pointer again after counting. */
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
reap(struct policy_code *code) /* reap lock */
{
    if (code->acks_missing == 0 && use_sum(code->inside, code->n_slots) == 0)
        code_close(&code);
}

/* Read `retired` before the count goes down: afterwards the code may be freed. A loop that does not see
 * `retired` yet has not acknowledged either, so its acknowledgement will call reap. */
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
    CHECK(ack->code->acks_missing > 0);
    ack->code->acks_missing--;
    reap(ack->code);
    pthread_mutex_unlock(&reap_lock);
    free(ack);
}

struct policy_code *
code_pin(struct policy *p)
{
    return code_enter(p, NULL);
}

void
code_unpin(struct policy_code *code)
{
    code_leave(code, NULL);
}

/* New hooks cannot find this code any more, but loops that read the pointer may still enter it. */
void
code_retire(struct policy_code *code, const struct policy_env *env)
{
    CHECK(!atomic_load(&code->retired));
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

/* ---- hooks --------------------------------------------------------------------------------------------- */

void
policy_ctx_fill(struct policy_ctx *ctx, struct policy *p, struct loop *loop, struct arena *a)
{
    CHECK(p != NULL && ctx->policy == NULL);
    ctx->policy = p;
    ctx->loop = loop;
    ctx->arena = a;
    ctx->names = p->names;
    ctx->ret.seconds = -1;
    ctx->rule_slot = loop == NULL ? p->env.n_loops : loop_id(loop);
}

void
policy_ctx_init(struct policy_ctx *ctx, struct policy *p, struct loop *loop, struct arena *a)
{
    *ctx = (struct policy_ctx){ 0 };
    policy_ctx_fill(ctx, p, loop, a);
}

void
policy_uncounted(struct policy_ctx *ctx)
{
    ctx->rule_slot = rule_slot_unread(ctx->policy->env.n_loops);
}

static const struct span action_names[ACTION_COUNT] = ACTION_NAMES;
static const struct span hook_names[HOOK_COUNT] = HOOK_NAMES;
static const struct span hook_log_names[HOOK_COUNT] = HOOK_LOG_NAMES;

/* vcl_fail has already logged its reason. The reason of return(fail) is logged here. */
static void
note_failure(struct policy_ctx *ctx)
{
    counters_here()->vcl_fail++;
    if (!ctx->failed)
        log_text(ctx->log, TAG_VCL_ERROR,
                 ctx->ret.text.ptr != NULL ? ctx->ret.text : SPAN_LIT("Failed from VCL"));
}

static void
log_place(const struct policy_ctx *ctx, const struct policy_image *im)
{
    if (!log_wants(TAG_VCL_TRACE) || ctx->site >= im->n_sites)
        return;
    const struct image_site *site = &im->sites[ctx->site];
    struct span name = policy_name(ctx->policy);
    log_printf(ctx->log, TAG_VCL_TRACE, "%.*s %u %u.%u.%u", (int)name.len, name.ptr, (unsigned)ctx->site,
               (unsigned)site->file, (unsigned)site->line, (unsigned)site->column);
}

/* Lowest stack address at which compiled code may still call subs. The rest of the stack serves the frame
 * that runs before the check, and runtime functions. */
static const char *
stack_mark(void)
{
    size_t bytes;
    const char *low = fiber_stack(&bytes);
    return low == NULL ? NULL : low + bytes / 8 * STACK_KEPT_EIGHTHS;
}

void
policy_constant_records(enum vcl_hook hook, uint32_t action, struct log_pair *out)
{
    CHECK(action < ACTION_COUNT);
    log_pair_make(out, TAG_VCL_CALL, hook_log_names[hook], TAG_VCL_RETURN, action_names[action]);
}

/* The action of a hook that does nothing but return it; ACTION_NONE if the hook must run. The loop does not
 * acknowledge a swap of the code in between, so the code needs no count. vcl_recv always runs, because its
 * runs count requests. VCL_trace, vernis explain-key and Vernis-Why show sites, which only a run sets. */
static enum vcl_action
constant_action(const struct policy_ctx *ctx, enum vcl_hook hook, const struct policy_code *code)
{
    uint32_t action = code->image->effects[hook].constant;
    const struct client_vars *c = ctx->client;
    bool shown = log_wants(TAG_VCL_TRACE) || (c != NULL && (c->explainer != NULL || c->shows_sites));
    return shown || ctx->loop == NULL || hook == HOOK_RECV || action == ACTION_FAIL ? ACTION_NONE
                                                                                    : (enum vcl_action)action;
}

enum vcl_action
policy_run(struct policy_ctx *ctx, enum vcl_hook hook)
{
    CHECK(hook < HOOK_COUNT && ctx->imports == NULL);
    struct policy_code *code = atomic_load(&ctx->policy->code);
    enum vcl_action constant = constant_action(ctx, hook, code);
    ctx->ret = (struct policy_return){ .text = SPAN_NULL, .seconds = -1 };
    ctx->hook = hook;
    ctx->failed = 0;
    if (constant != ACTION_NONE) {
        log_pair_write(ctx->log, &code->constants[hook]);
        return constant;
    }
    code = code_enter(ctx->policy, ctx->loop);
    ctx->imports = code->imports;
    ctx->names = ctx->policy->names;
    ctx->failed_why = NULL;
    ctx->stack_low = stack_mark();
    ctx->subs_running = NULL;
    ctx->pattern_results = NULL;
    ctx->captures = NULL;
    ctx->allowed = 0;
    ctx->fresh = NULL;
    struct http_message *obj = ctx->msg[MSG_OBJ];
    log_text(ctx->log, TAG_VCL_CALL, hook_log_names[hook]);
    struct rule_timer timer;
    rule_counts_enter(code->rules, ctx, hook, &timer);
    int32_t action = code->image->hooks[hook](ctx);
    if (timer.on)
        rule_timer_stop(code->rules, ctx, hook, &timer);
    ctx->imports = NULL; /* the image may be unmapped after code_leave */
    ctx->site = ctx->failed ? ctx->failed_site : ctx->site;
    ctx->msg[MSG_OBJ] = obj;
    log_place(ctx, code->image);
    code_leave(code, ctx->loop);
    if (ctx->failed || action <= ACTION_NONE || action >= ACTION_COUNT)
        action = ACTION_FAIL;
    if (action == ACTION_FAIL)
        note_failure(ctx);
    log_text(ctx->log, TAG_VCL_RETURN, action_names[action]);
    return (enum vcl_action)action;
}

void
policy_trace(const struct policy_ctx *ctx)
{
    if (!log_wants(TAG_VCL_TRACE))
        return;
    struct policy_code *code = code_enter(ctx->policy, ctx->loop);
    log_place(ctx, code->image);
    code_leave(code, ctx->loop);
}

struct policy_place
policy_place(const struct policy_ctx *ctx, uint32_t site)
{
    struct policy_place out = { 0 };
    struct policy_code *code = code_enter(ctx->policy, ctx->loop);
    const struct policy_image *im = code->image;
    const struct image_site *at = site > 0 && site <= im->n_sites ? &im->sites[site - 1] : NULL;
    if (at != NULL && at->file < im->n_sources)
        out = (struct policy_place){ *at, true, span_eq(im->sources[at->file].name, SPAN_LIT("<builtin>")) };
    code_leave(code, ctx->loop);
    return out;
}

/* A constant hook did not run, so that ctx->site is of an earlier one. */
struct policy_place
policy_decided_at(const struct policy_ctx *ctx)
{
    struct policy_code *code = code_enter(ctx->policy, ctx->loop);
    bool ran = constant_action(ctx, ctx->hook, code) == ACTION_NONE;
    code_leave(code, ctx->loop);
    return policy_place(ctx, ran ? ctx->site + 1 : 0);
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
        n = snprintf(out, cap, "%.*s:%u:%u", (int)file->len, file->ptr, (unsigned)site->line,
                     (unsigned)site->column);
    } else if (cap > 0) {
        out[0] = '\0';
    }
    code_leave(code, ctx->loop);
    return n;
}

const char *
action_name(enum vcl_action a)
{
    return (unsigned)a < ACTION_COUNT ? action_names[a].ptr : "?";
}

void
policy_tell(const struct policy_ctx *ctx, const struct policy *p, struct check_report *out)
{
    if (p != NULL)
        out->policy = p->name.ptr;
    if (ctx->imports != NULL) /* a hook runs */
        out->hook = hook_name(ctx->hook);
}

const char *
hook_name(enum vcl_hook h)
{
    return (unsigned)h < HOOK_COUNT ? hook_names[h].ptr : "?";
}

struct span
rule_head(const struct policy_image *im, const struct image_rule *r)
{
    return span_of(im->sources[im->sites[r->site].file].text.ptr + r->start, r->length);
}

struct span
rule_name(const struct policy_image *im, const struct image_rule *r)
{
    return r->name > 0 ? im->rule_names[r->name - 1] : span_of("", 0);
}

void
policy_report_rules(struct policy *p, struct rule_report *r)
{
    struct policy_code *code = code_pin(p);
    r->image = code->image;
    r->not_counted = code->image->rules_left;
    r->requests = rule_counts_runs(code->rules, HOOK_RECV);
    for (uint32_t i = 0; i < code->image->n_rules; i++) {
        struct rule_sum sum = rule_counts_sum(code->rules, i);
        r->each(r, i, sum.hits, sum.timed, sum.ns);
    }
    code_unpin(code);
}

/* ---- accessors and probes ------------------------------------------------------------------------------ */

atomic_bool policy_pages_made;

bool
policy_rolls_back(const struct policy *p)
{
    return atomic_load_explicit(&p->rolls_back, memory_order_relaxed);
}

bool
policy_reads_proxy(const struct policy *p)
{
    return atomic_load_explicit(&p->reads_proxy, memory_order_relaxed);
}

bool
policy_pages_possible(void)
{
    return atomic_load_explicit(&policy_pages_made, memory_order_relaxed);
}

bool
policy_keeps_original(const struct policy *p)
{
    return policy_rolls_back(p) || policy_pages_possible();
}

bool
policy_follows_rfc9111(const struct policy *p)
{
    return rfc9111_for_all() || (p != NULL && atomic_load_explicit(&p->rfc9111, memory_order_relaxed));
}

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

bool
policy_allow_why(struct policy *p, struct span acl)
{
    for (unsigned i = 0; i < p->n_acls && p->why_acl == NULL; i++)
        if (span_eq(acl_name(p->acls[i]), acl))
            p->why_acl = p->acls[i];
    return p->why_acl != NULL;
}

bool
policy_tells_why(struct policy_ctx *ctx)
{
    const struct acl *acl = ctx->policy->why_acl;
    return acl != NULL && acl_look_up(acl, ip_of_address(ctx, &ctx->client->client)).match;
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
