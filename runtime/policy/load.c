/* The life of a policy: load with vcl_init, replacement of its code, unload with vcl_fini. Runs on the
 * worker's admin thread. */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "policy/state.h"
#include "policy/table/tables.h"
#include "tls/fingerprint.h"

/* ---- init and fini ------------------------------------------------------------------------------------- */

static void
ctx_of_admin(struct policy_ctx *ctx, struct policy *p, struct arena *a)
{
    policy_ctx_init(ctx, p, NULL, a);
    ctx->now = nsec_seconds(clock_real_ns());
}

/* Finds an object whose `new` stood in a branch that was not taken. Loading fails then, so that uses need no
 * further check. */
static const struct image_instance *
missing_object(const struct policy *p)
{
    const struct image_instance *all = atomic_load(&p->code)->image->instances;
    for (unsigned i = 0; i < p->n_instances; i++)
        if (p->instances[i] == NULL)
            return &all[i];
    return NULL;
}

/* The first three lines are Varnish's. */
static void
init_failed(const struct policy *p, struct span why, const char *where, char *error, size_t cap)
{
    snprintf(error, cap, "VCL \"%.*s\" Failed initialization\nMessage:\n\t%.*s\n%s%s", (int)p->name.len,
             p->name.ptr, (int)why.len, why.ptr, *where == '\0' ? "" : "vcl_init failed at ", where);
}

static int
run_init(struct policy *p, char *error, size_t cap)
{
    struct arena a;
    arena_init(&a, 0);
    struct policy_ctx ctx;
    ctx_of_admin(&ctx, p, &a);
    enum vcl_action action = policy_run(&ctx, HOOK_INIT);
    const struct image_instance *missing = missing_object(p);
    p->initialised = action == ACTION_OK && missing == NULL;
    if (action != ACTION_OK) {
        char where[256];
        bool known = policy_site(&ctx, where, sizeof where) > 0;
        struct span why = ctx.failed_why != NULL ? span_str(ctx.failed_why) : ctx.ret.text;
        if (why.len == 0)
            why = SPAN_LIT("Failed from VCL");
        init_failed(p, why, known ? where : "", error, cap);
    } else if (missing != NULL) {
        char why[256];
        int n = snprintf(why, sizeof why, "Object %.*s not initialized", (int)missing->name.len,
                         missing->name.ptr);
        init_failed(p, span_of(why, n < (int)sizeof why ? (size_t)n : sizeof why - 1), "", error, cap);
    }
    arena_release(&a);
    return p->initialised ? 0 : ERR_CANCELLED;
}

/* Finalizes objects in reverse order of declaration, because later objects may hold earlier ones. */
static void
run_fini(struct policy *p)
{
    struct arena a;
    arena_init(&a, 0);
    struct policy_ctx ctx;
    ctx_of_admin(&ctx, p, &a);
    if (p->initialised)
        policy_run(&ctx, HOOK_FINI);
    struct policy_code *code = code_pin(p);
    ctx.imports = code->imports;
    for (unsigned i = p->n_instances; i-- > 0;) {
        const struct image_instance *im = &code->image->instances[i];
        if (p->instances[i] == NULL || im->fini_import < 0)
            continue;
        void (*fini)(struct policy_ctx *,
                     void *) = (void (*)(struct policy_ctx *, void *))code->imports[im->fini_import];
        fini(&ctx, p->instances[i]);
        p->instances[i] = NULL;
    }
    code_unpin(code);
    arena_release(&a);
}

/* ---- load, unload, replace ----------------------------------------------------------------------------- */

static void
policy_free(struct policy *p)
{
    struct policy_code *code = atomic_load(&p->code);
    if (p->reads_fingerprints)
        tls_hello_want(-1);
    state_release(p);
    code_close(&code);
    pthread_mutex_destroy(&p->lock);
    free(p->uses);
    free(p);
}

static bool
imports(const struct policy_image *im, const char *name)
{
    for (uint32_t i = 0; i < im->n_imports; i++)
        if (span_eq(im->imports[i].name, span_str(name)))
            return true;
    return false;
}

/* A function of the module; `prefix`: its symbols begin so. */
static bool
imports_some(const struct policy_image *im, const char *prefix)
{
    for (uint32_t i = 0; i < im->n_imports; i++)
        if (im->imports[i].name.len > strlen(prefix) &&
            memcmp(im->imports[i].name.ptr, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* True if a request may return to its original form: return(vcl(...)) or std.rollback. */
static bool
image_rolls_back(const struct policy_image *im)
{
    return im->effects[HOOK_RECV].actions & UINT64_C(1) << ACTION_VCL || imports(im, "std_rollback");
}

/* True if a fetched response may have ESI includes. An include starts from the request as the client sent
 * it. */
static bool
image_makes_pages(const struct policy_image *im)
{
    return imports(im, "set_beresp_do_esi") || imports(im, "set_beresp_filters");
}

/* Hellos of TLS clients are kept while a policy is loaded whose code, so far, reads fingerprints. */
static void
note_fingerprints(struct policy *p, const struct policy_image *im)
{
    if (p->reads_fingerprints || !imports_some(im, "tls_ja"))
        return;
    p->reads_fingerprints = true;
    tls_hello_want(1);
}

static void
note_pages(const struct policy_image *im)
{
    if (image_makes_pages(im))
        atomic_store(&policy_pages_made, true);
}

/* Takes ownership of the code. */
static int
policy_build(const struct policy_env *env, struct span name, struct policy_code *code, struct policy **out,
             char *error, size_t cap)
{
    struct policy *p = mem_zalloc(sizeof *p);
    p->env = *env;
    atomic_init(&p->code, code);
    pthread_mutex_init(&p->lock, NULL);
    p->uses = use_counts_new(env->n_loops + 1);
    atomic_init(&p->rfc9111, code->image->follows_rfc9111 != 0);
    atomic_init(&p->rolls_back, image_rolls_back(code->image));
    atomic_init(&p->reads_proxy, imports_some(code->image, "proxy_"));
    note_pages(code->image);
    note_fingerprints(p, code->image);
    arena_init(&p->arena, 0);
    p->name = arena_copy(&p->arena, name);
    int err = state_build(p, code->image, error, cap);
    p->env.table_files = NULL; /* lent for the load */
    if (err == 0 && !env->leaves_init)
        err = run_init(p, error, cap);
    if (err == 0) {
        *out = p;
        return 0;
    }
    run_fini(p); /* finalizes the objects that vcl_init created before it failed */
    policy_free(p);
    return err;
}

int
policy_load(const struct policy_env *env, struct span name, const char *path, struct policy **out,
            char *error, size_t error_cap)
{
    struct policy_code *code = NULL;
    int err = code_open(path, env->n_loops + 1, &code, error, error_cap);
    return err != 0 ? err : policy_build(env, name, code, out, error, error_cap);
}

int
policy_load_image(const struct policy_env *env, struct span name, const struct policy_image *image,
                  struct policy **out, char *error, size_t error_cap)
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
    CHECK(policy_uses(p) == 0 && loop_current() == NULL);
    run_fini(p);
    policy_free(p);
}

/* Objects of a module need the library that created them, so a newer library cannot take them over. */
static bool
same_modules(const struct policy_code *a, const struct policy_code *b)
{
    size_t bytes = a->image->n_modules * sizeof *a->modules;
    return a->image->n_modules == b->image->n_modules && memcmp(a->modules, b->modules, bytes) == 0;
}

static bool
same_rules(const struct policy_image *a, const struct policy_image *b)
{
    if (a->n_rules != b->n_rules)
        return false;
    for (uint32_t i = 0; i < a->n_rules; i++)
        if (!span_eq(rule_head(a, &a->rules[i]), rule_head(b, &b->rules[i])) ||
            !span_eq(rule_name(a, &a->rules[i]), rule_name(b, &b->rules[i])))
            return false;
    return true;
}

/* New code for the same rules goes on counting where the old code is. Other rules begin at zero. */
static void
share_rules(struct policy_code *code, struct policy_code *old)
{
    rule_counts_release(&code->rules);
    atomic_fetch_add(&old->rules->owners, 1);
    code->rules = old->rules;
}

/* Takes ownership of the code. */
static int
take_over(struct policy *p, struct policy_code *code, char *error, size_t cap)
{
    const struct policy_image *new = code->image, *old = atomic_load(&p->code)->image;
    if (memcmp(new->interface_digest, old->interface_digest, sizeof new->interface_digest) != 0 ||
        new->n_names != p->n_names || new->n_regexes != p->n_regexes ||
        new->n_pattern_sets != p->n_pattern_sets || new->n_backends != p->n_backends ||
        new->n_acls != p->n_acls || new->n_tables != tables_count(p->tables) ||
        new->n_counters != p->n_counters || new->n_probes != p->n_probes ||
        new->n_instances != p->n_instances || new->n_storages != p->n_storages ||
        !same_modules(code, atomic_load(&p->code))) {
        snprintf(error, cap, "declarations differ from those of policy \"%.*s\": load it as a new policy",
                 (int)p->name.len, p->name.ptr);
        code_close(&code);
        return ERR_SYNTAX;
    }
    atomic_store(&p->rfc9111, new->follows_rfc9111 != 0);
    if (image_rolls_back(new))
        atomic_store(&p->rolls_back, true);
    if (imports_some(new, "proxy_"))
        atomic_store(&p->reads_proxy, true);
    note_pages(new);
    note_fingerprints(p, new);
    if (same_rules(new, old))
        share_rules(code, atomic_load(&p->code));
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
