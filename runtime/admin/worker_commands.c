/* What the manager may ask of the worker. Runs on the admin thread; reaches loops only through worker_on_loops. */
#include <stdio.h>
#include <stdlib.h>

#include "admin/params.h"
#include "admin/status.h"
#include "admin/worker.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/counters.h"
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
    struct loaded *l = mem_zalloc(sizeof *l);
    l->policy = policy;
    l->name = strdup(argv[1]);
    l->cold = strcmp(argv[3], "cold") == 0;
    CHECK(l->name != NULL);
    list_push_back(&w->policies, &l->link);
    w->n_policies++;
    if (!l->cold)
        policy_start_probes(policy);
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
    if (l->cold)
        policy_start_probes(l->policy);
    l->cold = false;
    worker_on_loops(w, use_on_loop, l->policy);
    w->active = l;
    return CLI_OK;
}

static int
discard(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 2 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l == w->active)
        return fail(out, CLI_PARAM, "Cannot discard %s\n", argc == 2 ? argv[1] : "");
    policy_stop_probes(l->policy);
    l->discarded = true;
    worker_collect(w);
    return CLI_OK;
}

void
worker_collect(struct worker *w)
{
    list_each(it, &w->policies) {
        struct loaded *l = container_of(it, struct loaded, link);
        if (!l->discarded || policy_uses(l->policy) != 0)
            continue;
        list_remove(&l->link);
        w->n_policies--;
        policy_unload(&l->policy);
        free(l->name);
        free(l);
    }
}

bool
worker_collecting(const struct worker *w)
{
    list_each(it, &w->policies)
        if (container_of(it, struct loaded, link)->discarded)
            return true;
    return false;
}

/* replace NAME PATH */
static int
replace(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct loaded *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL)
        return fail(out, CLI_PARAM, "No VCL named %s known\n", argc == 3 ? argv[1] : "");
    int err = policy_replace_image(l->policy, argv[2], error, sizeof error);
    return err == 0 ? CLI_OK : fail(out, CLI_PARAM, "%s\n", *error == '\0' ? err_name(err) : error);
}

/* temperature NAME warm|cold */
static int
temperature(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL)
        return fail(out, CLI_PARAM, "No VCL named %s known\n", argc == 3 ? argv[1] : "");
    bool cold = strcmp(argv[2], "cold") == 0;
    if (cold && !l->cold)
        policy_stop_probes(l->policy);
    else if (!cold && l->cold)
        policy_start_probes(l->policy);
    l->cold = cold;
    return CLI_OK;
}

/* uses: one line a policy: name, what counts it, whether it is on its way out */
static int
uses(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    list_each(it, &w->policies) {
        struct loaded *l = container_of(it, struct loaded, link);
        uint64_t n = policy_uses(l->policy);
        /* Every loop holds one count of the active policy; what operators look for are requests. */
        if (l == w->active)
            n -= n < w->n_loops ? n : w->n_loops;
        text_printf(out, "%s %llu %s\n", l->name, (unsigned long long)n, l->discarded ? "discarded" : "loaded");
    }
    return CLI_OK;
}

/* vcl.show [-v] [name] */
static int
show(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    if (argc > 2u + verbose)
        return fail(out, CLI_TOO_MANY, "Too many parameters\n");
    const char *name = argc > 1u + verbose ? argv[1 + verbose] : NULL;
    struct loaded *l = name == NULL ? w->active : worker_find(w, name);
    if (l == NULL && name == NULL)
        return fail(out, CLI_CANT, "No active VCL\n");
    if (l == NULL)
        return fail(out, CLI_PARAM, "No VCL named '%s'\n", name);
    const struct policy_image *image = policy_image(l->policy);
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
    if (argc == 3 && strcmp(argv[1], "reset") == 0)
        return param_reset(argv[2], out) == 0 ? CLI_OK : CLI_PARAM;
    if (argc == 4 && strcmp(argv[1], "set") == 0)
        return param_set(argv[2], argv[3], out) == 0 ? CLI_OK : CLI_PARAM;
    return CLI_PARAM;
}

/* counters [-j]: all of MAIN, and a few figures of what is there now. */
static int
counters(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool json = argc > 1 && strcmp(argv[1], "-j") == 0;
    struct counters sum;
    struct store_stats stats;
    counters_sum(&sum);
    store_stats(w->store, &stats);
    const struct { const char *name; uint64_t value; } now[] = {
        { "uptime", (uint64_t)((clock_real_ns() - w->started_real) / NSEC_PER_SEC) }, { "n_object", stats.objects },
        { "n_objecthead", stats.entries }, { "n_object_bytes", stats.bytes }, { "n_vcl", w->n_policies }, { "threads", w->n_loops },
    };
    const char *form = json ? "%s\n    \"MAIN.%s\": %llu" : "%sMAIN.%s %llu\n", *between = "";
    text_str(out, json ? "  {" : "");
    for (unsigned i = 0; i < sizeof now / sizeof *now; i++, between = json ? "," : "")
        text_printf(out, form, between, now[i].name, (unsigned long long)now[i].value);
    for (unsigned i = 0; i < n_counter_rows; i++) {
        uint64_t value = *(const uint64_t *)((const char *)&sum + counter_rows[i].offset);
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

static void
nothing(struct loop *loop, void *arg)
{
}

/* ping: a sign of life of every loop, not only of this thread. */
static int
ping(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    worker_on_loops(w, nothing, NULL);
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
    { "load", load }, { "use", use }, { "discard", discard }, { "replace", replace }, { "temperature", temperature },
    { "uses", uses }, { "vcl.show", show },
    { "debug.xid", debug_xid }, { "backend.list", worker_backend_list }, { "backend.set_health", worker_set_health },
    { "param", set_param }, { "counters", counters }, { "ping", ping }, { "accept", accept_clients }, { "shutdown", shut_down },
};

int
worker_command(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    for (unsigned i = 0; i < sizeof worker_rows / sizeof *worker_rows; i++)
        if (strcmp(worker_rows[i].name, argv[0]) == 0)
            return worker_rows[i].fn(w, argc, argv, out);
    return fail(out, CLI_UNKNOWN, "Unknown request.\nType 'help' for more info.\n");
}
