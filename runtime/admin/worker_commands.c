/* What the manager may ask of the worker. Runs on the admin thread; reaches loops only through worker_on_loops. */
#include <stdio.h>
#include <stdlib.h>

#include "admin/params.h"
#include "admin/status.h"
#include "admin/worker.h"
#include "admin/worker_stats.h"
#include "base/check.h"
#include "base/params.h"
#include "base/mem.h"
#include "policy/backend.h"
#include "proxy/server.h"

#define ERROR_TEXT_BYTES 4096

struct loaded *
worker_find(struct worker *w, const char *name)
{
    list_each(it, &w->policies) {
        struct loaded *l = container_of(it, struct loaded, link);
        if (!l->discarded && strcmp(l->name, name) == 0)
            return l;
    }
    return NULL;
}

struct loaded *
worker_policy(struct loaded *l)
{
    return l->target != NULL ? l->target : l;
}

static int
fail(struct text *out, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(out, fmt, ap);
    va_end(ap);
    return status;
}

/* ---- policies -------------------------------------------------------------------------------------------------------------- */

static struct loaded *
add(struct worker *w, const char *name)
{
    struct loaded *l = mem_zalloc(sizeof *l);
    l->name = strdup(name);
    CHECK(l->name != NULL);
    list_push_back(&w->policies, &l->link);
    return l;
}

/* A policy that requests still use goes on until they are done (worker_collect), then it rests. */
static void
set_cold(struct loaded *l, bool cold)
{
    l->cold = cold;
    if (!cold && !l->probing)
        policy_start_probes(l->policy);
    if (!cold)
        l->probing = true;
}

/* load NAME PATH warm|cold */
static int
load(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct policy *policy = NULL;
    if (argc != 4)
        return CLI_PARAM;
    if (worker_find(w, argv[1]) != NULL)
        return fail(out, CLI_PARAM, "Already a VCL named %s\n", argv[1]);
    if (w->n_policies >= WORKER_POLICIES_MAX)
        return fail(out, CLI_PARAM, "Too many policies: at most %u\n", WORKER_POLICIES_MAX);
    int err = policy_load(&w->env, span_str(argv[1]), argv[2], &policy, error, sizeof error);
    if (err != 0)
        return fail(out, CLI_PARAM, "%s\n", *error == '\0' ? err_name(err) : error);
    struct loaded *l = add(w, argv[1]);
    l->policy = policy;
    w->n_policies++;
    set_cold(l, strcmp(argv[3], "cold") == 0);
    text_printf(out, "Loaded \"%s\" as \"%s\"", argv[2], argv[1]);
    return CLI_OK;
}

static void
use_on_loop(struct loop *loop, void *arg)
{
    proxy_set_policy(loop, arg);
}

/* use NAME: answered when every loop has switched, so what is sent after the answer sees the new policy. */
static int
use(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 2 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL)
        return fail(out, CLI_PARAM, "No VCL named %s known\n", argc == 2 ? argv[1] : "");
    set_cold(worker_policy(l), false);
    worker_on_loops(w, use_on_loop, worker_policy(l)->policy);
    w->active = l;
    return CLI_OK;
}

static void
label_on_loop(struct loop *loop, void *arg)
{
    const struct loaded *l = arg;
    proxy_set_label(loop, span_str(l->name), l->target == NULL ? NULL : l->target->policy);
}

/* label LABEL NAME: answered as `use`. */
static int
label(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *target = argc == 3 ? worker_find(w, argv[2]) : NULL, *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (target == NULL || target->policy == NULL || (l != NULL && l->policy != NULL))
        return fail(out, CLI_PARAM, "Cannot label %s as %s\n", argc == 3 ? argv[2] : "", argc == 3 ? argv[1] : "");
    if (l == NULL)
        l = add(w, argv[1]);
    l->target = target;
    set_cold(target, false);
    worker_on_loops(w, label_on_loop, l);
    if (l == w->active)
        worker_on_loops(w, use_on_loop, target->policy);
    return CLI_OK;
}

static void
forget(struct loaded *l)
{
    list_remove(&l->link);
    free(l->name);
    free(l);
}

static int
discard(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 2 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l == w->active)
        return fail(out, CLI_PARAM, "Cannot discard %s\n", argc == 2 ? argv[1] : "");
    if (l->policy == NULL) {
        l->target = NULL;
        worker_on_loops(w, label_on_loop, l);
        forget(l);
        return CLI_OK;
    }
    l->discarded = l->cold = true;
    worker_collect(w);
    return CLI_OK;
}

/* Uses by requests. Every loop also holds one count of the active policy, and one for each label it has. */
static uint64_t
request_uses(struct worker *w, struct loaded *l)
{
    if (l->policy == NULL)
        return 0;
    uint64_t n = policy_uses(l->policy), held = w->active != NULL && worker_policy(w->active) == l;
    list_each(it, &w->policies)
        held += container_of(it, struct loaded, link)->target == l;
    held *= w->n_loops;
    return n - (n < held ? n : held);
}

void
worker_collect(struct worker *w)
{
    list_each(it, &w->policies) {
        struct loaded *l = container_of(it, struct loaded, link);
        if (!l->cold || request_uses(w, l) != 0)
            continue;
        if (l->probing)
            policy_stop_probes(l->policy);
        l->probing = false;
        if (!l->discarded)
            continue;
        w->n_policies--;
        policy_unload(&l->policy);
        forget(l);
    }
}

bool
worker_collecting(const struct worker *w)
{
    list_each(it, &w->policies) {
        const struct loaded *l = container_of(it, struct loaded, link);
        if (l->discarded || (l->cold && l->probing))
            return true;
    }
    return false;
}

/* replace NAME PATH */
static int
replace(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct loaded *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l->policy == NULL)
        return fail(out, CLI_PARAM, "No VCL named %s known\n", argc == 3 ? argv[1] : "");
    int err = policy_replace_image(l->policy, argv[2], error, sizeof error);
    return err == 0 ? CLI_OK : fail(out, CLI_PARAM, "%s\n", *error == '\0' ? err_name(err) : error);
}

/* temperature NAME warm|cold */
static int
temperature(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l->policy == NULL)
        return fail(out, CLI_PARAM, "No VCL named %s known\n", argc == 3 ? argv[1] : "");
    set_cold(l, strcmp(argv[2], "cold") == 0);
    worker_collect(w);
    return CLI_OK;
}

/* uses: one line a policy or label: name, requests in it, temperature, whether it is on its way out */
static int
uses(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    list_each(it, &w->policies) {
        struct loaded *l = container_of(it, struct loaded, link);
        const char *temperature = !l->cold ? "warm" : l->probing || l->discarded ? "busy" : "cold";
        text_printf(out, "%s %llu %s %s\n", l->name, (unsigned long long)request_uses(w, l), temperature,
                    l->discarded ? "discarded" : "loaded");
    }
    return CLI_OK;
}

/* vcl.show [-v] [name] */
static int
show(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    if (argc > 2u + verbose)
        return fail(out, CLI_PARAM, "Too many parameters: '%s'", argv[2 + verbose]);
    const char *name = argc > 1u + verbose ? argv[1 + verbose] : NULL;
    struct loaded *l = name == NULL ? w->active : worker_find(w, name);
    if (l == NULL && name == NULL)
        return fail(out, CLI_CANT, "No active VCL\n");
    if (l == NULL)
        return fail(out, CLI_PARAM, "No VCL named '%s'", name);
    const struct policy_image *image = policy_image(worker_policy(l)->policy);
    for (uint32_t i = 0; i < image->n_sources && (verbose || i == 0); i++) {
        const struct image_source *s = &image->sources[i];
        if (verbose)
            text_printf(out, "// VCL.SHOW %u %zu %.*s\n", i, s->text.len, (int)s->name.len, s->name.ptr);
        text_add(out, s->text);
        if (verbose)
            text_str(out, "\n");
    }
    return CLI_OK;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------------------- */

/* param set NAME VALUE | param reset NAME: the manager has checked it. */
static int
set_param(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    int err = CLI_PARAM;
    if (argc == 3 && strcmp(argv[1], "reset") == 0)
        err = param_reset(argv[2], out);
    else if (argc == 4 && strcmp(argv[1], "set") == 0)
        err = param_set(argv[2], argv[3], out);
    worker_log_params();
    return err == 0 ? CLI_OK : CLI_PARAM;
}

/* counters [-j]: all of MAIN, and a few figures of what is there now. */
static int
counters(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool json = argc > 1 && strcmp(argv[1], "-j") == 0;
    struct counters sum;
    struct store_stats stats;
    worker_stats_sum(w, &sum);
    store_stats(w->store, &stats);
    const char *form = json ? "%s\n    \"MAIN.%s\": %llu" : "%sMAIN.%s %llu\n", *between = json ? "," : "";
    text_str(out, json ? "  {" : "");
    text_printf(out, form, "", "n_object_bytes", (unsigned long long)stats.bytes);
    for (unsigned i = 0; i < n_counter_rows; i++) {
        uint64_t value = counters_value(&sum, &counter_rows[i]);
        text_printf(out, form, between, counter_rows[i].name, (unsigned long long)value);
    }
    text_str(out, json ? "\n  }" : "");
    return CLI_OK;
}

#define XID_CHUNK_DEFAULT 32768u

/* debug.xid [n [chunk]]: the next transaction is n + 1. */
static int
debug_xid(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    static unsigned long long last, chunk = XID_CHUNK_DEFAULT;     /* as set here; loops have gone on since */
    if (argc > 1) {
        last = strtoull(argv[1], NULL, 0);
        chunk = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
        if (chunk == 0 || chunk > UINT32_MAX)
            chunk = XID_CHUNK_DEFAULT;
        server_set_xid(last + 1, (unsigned)chunk);
    }
    text_printf(out, "XID is %llu chunk %llu", last, chunk);
    return CLI_OK;
}

/* debug.srandom [seed]: what chance decides comes in a known order. */
static int
debug_srandom(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    random_seed(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 1);
    return CLI_OK;
}

/* debug.fragfetch bytes: content arrives in small pieces, as from a slow origin. */
static int
debug_fragfetch(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    params.fetch_piece_bytes = (uint32_t)strtoul(argc > 1 ? argv[1] : "0", NULL, 0);
    return CLI_OK;
}

static int
debug_panic(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    CHECK(!"debug.panic.worker");
    return CLI_OK;
}

#define MODULES_MAX 64u

struct module_use {
    struct span name;
    unsigned policies;
    const struct loaded *last;          /* counted once a policy */
};

static void
count_module(struct module_use modules[], unsigned *n, struct span import, const struct loaded *l)
{
    const char *end = memchr(import.ptr, '_', import.len);
    struct span name = span_of(import.ptr, end == NULL ? 0 : (size_t)(end - import.ptr));
    unsigned i = 0;
    while (i < *n && !span_eq(modules[i].name, name))
        i++;
    if (i == MODULES_MAX)
        return;
    if (i == *n)
        modules[(*n)++] = (struct module_use){ .name = name };
    modules[i].policies += modules[i].last != l;
    modules[i].last = l;
}

/* Those by third parties: their names have no end of their own in what is imported of them. */
static void
list_foreign(const struct policy_image *image, struct text *out)
{
    for (uint32_t i = 0; i < image->n_modules; i++)
        text_printf(out, "%5u %.*s (path=\"%.*s\")\n", 1, (int)image->modules[i].name.len, image->modules[i].name.ptr,
                    (int)image->modules[i].path.len, image->modules[i].path.ptr);
}

/* debug.vmod: how many policies use each module; one by a third party has a line for each. */
static int
debug_vmod(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    static const char *const known[] = { "std", "directors", "blob", "cookie", "header", "proxy", "purge", "unix", "vtc", "debug" };
    struct module_use modules[MODULES_MAX];
    unsigned n = 0;
    list_each(it, &w->policies) {
        const struct loaded *l = container_of(it, struct loaded, link);
        const struct policy_image *image = l->policy == NULL ? NULL : policy_image(l->policy);
        for (uint32_t i = 0; image != NULL && i < image->n_imports; i++)
            count_module(modules, &n, image->imports[i].name, l);
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < sizeof known / sizeof *known; k++)
            if (span_eq(modules[i].name, span_str(known[k])))
                text_printf(out, "%5u %s (built in)\n", modules[i].policies, known[k]);
    list_each(it, &w->policies) {
        const struct loaded *l = container_of(it, struct loaded, link);
        if (l->policy != NULL)
            list_foreign(policy_image(l->policy), out);
    }
    return CLI_OK;
}

static void
declared(struct text *out, const char *kind, struct span name, struct span of)
{
    text_printf(out, "    %s %.*s", kind, (int)name.len, name.ptr);
    if (of.len > 0)
        text_printf(out, " = %.*s", (int)of.len, of.ptr);
    text_str(out, "\n");
}

static void
list_symbols(const struct policy_image *image, struct text *out)
{
    for (uint32_t i = 0; i < image->n_modules; i++)
        declared(out, "import", image->modules[i].name, image->modules[i].path);
    for (uint32_t i = 0; i < image->n_probes; i++)
        declared(out, "probe", image->probes[i].name, SPAN_NULL);
    for (uint32_t i = 0; i < image->n_backends; i++)
        declared(out, "backend", image->backends[i].name, SPAN_NULL);
    for (uint32_t i = 0; i < image->n_acls; i++)
        declared(out, "acl", image->acls[i].name, SPAN_NULL);
    for (uint32_t i = 0; i < image->n_instances; i++)
        declared(out, "new", image->instances[i].name, image->instances[i].kind);
    for (uint32_t i = 0; i < image->n_imports; i++)
        declared(out, "function", image->imports[i].name, SPAN_NULL);
}

/* vcl.symtab: what each policy declares, and the functions of the runtime it calls. */
static int
vcl_symtab(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    list_each(it, &w->policies) {
        const struct loaded *l = container_of(it, struct loaded, link);
        if (l->policy == NULL || l->discarded)
            continue;
        text_printf(out, "Vcl: %s\n  symtab:\n", l->name);
        list_symbols(policy_image(l->policy), out);
    }
    return CLI_OK;
}

static void
nothing(struct loop *loop, void *arg)
{
}

/* ping: a sign of life of every loop, not only of this thread. */
static int
ping(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    worker_on_loops(w, nothing, NULL);
    text_printf(out, "PONG %lld 1.0", (long long)(clock_real_ns() / NSEC_PER_SEC));
    return CLI_OK;
}

static void
accept_on_loop(struct loop *loop, void *arg)
{
    proxy_accept(loop, true);
}

static int
accept_clients(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    worker_on_loops(w, accept_on_loop, NULL);
    return CLI_OK;
}

static void
drain_on_loop(struct loop *loop, void *arg)
{
    proxy_drain(loop);
}

/* shutdown SECONDS: no new connections, what is under way may take that long; then the process ends. */
static int
shut_down(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 0;
    if (!w->draining)
        worker_on_loops(w, drain_on_loop, NULL);
    w->draining = true;
    w->drain_deadline = nsec_add(clock_mono_ns(), nsec_of(seconds));
    return CLI_OK;
}

static const struct {
    const char *name;
    int (*fn)(struct worker *w, unsigned argc, char *const argv[], struct text *out);
} worker_rows[] = {
    { "load", load }, { "use", use }, { "label", label }, { "discard", discard }, { "replace", replace }, { "temperature", temperature },
    { "uses", uses }, { "vcl.show", show },
    { "debug.xid", debug_xid }, { "debug.panic.worker", debug_panic }, { "debug.vmod", debug_vmod }, { "debug.srandom", debug_srandom },
    { "debug.fragfetch", debug_fragfetch }, { "vcl.symtab", vcl_symtab },
    { "backend.list", worker_backend_list }, { "backend.set_health", worker_set_health }, { "ban", worker_ban }, { "ban.list", worker_ban_list },
    { "param", set_param }, { "counters", counters }, { "ping", ping }, { "accept", accept_clients }, { "shutdown", shut_down },
};

const char *
worker_command_shown(const char *name)
{
    static const char *const names[][2] = {
        { "load", "vcl.load" }, { "use", "vcl.use" }, { "discard", "vcl.discard" }, { "temperature", "vcl.state" },
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], name) == 0)
            return names[i][1];
    return name;
}

int
worker_command(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    for (unsigned i = 0; i < sizeof worker_rows / sizeof *worker_rows; i++)
        if (strcmp(worker_rows[i].name, argv[0]) == 0)
            return worker_rows[i].fn(w, argc, argv, out);
    return fail(out, CLI_UNKNOWN, "Unknown request.\nType 'help' for more info.\n");
}
