/* What the manager may ask of the worker. Runs on the admin thread; reaches loops only through worker_on_loops. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "admin/params.h"
#include "admin/status.h"
#include "admin/worker.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/counters.h"
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

/* ---- backends --------------------------------------------------------------------------------------------------------------- */

struct backend_query {
    struct worker *w;
    const char *vcl_glob, *name_glob;   /* vcl_glob NULL: the active one */
    bool json, details, sizing;
    const char *admin;                  /* set_health: the new state, NULL for a list */
    enum backend_admin state;
    unsigned found;
    int width;
    struct loaded *at;
    struct text *out;
};

static void
http_date(double seconds, char out[40])
{
    time_t t = (time_t)seconds;
    struct tm tm;
    gmtime_r(&t, &tm);
    strftime(out, 40, "%a, %d %b %Y %H:%M:%S GMT", &tm);
}

static const char *
admin_text(struct backend *b)
{
    if (b == NULL)
        return "probe";
    switch (backend_admin_state(b)) {
    case BACKEND_AUTO: return "probe";
    case BACKEND_HEALTHY: return "healthy";
    case BACKEND_SICK: return "sick";
    }
    WRONG("admin health");
}

static void
count_member(struct director *member, void *arg)
{
    unsigned *n = arg;
    n[0] += director_healthy(member);
    n[1]++;
}

/* Health of a director and what its "probe" column says: good of window, or healthy of all members. */
static bool
health_of(struct director *d, unsigned column[2], struct probe_view *view, double *changed)
{
    struct backend *b = director_backend(d);
    *view = (struct probe_view){ 0 };
    *changed = 0;
    column[0] = column[1] = 0;
    if (b != NULL) {
        backend_probe_view(b, view);
        if (view->probed) {
            column[0] = view->good;
            column[1] = view->window;
        }
        *changed = view->last_changed_s;
    } else if (d->ops->list != NULL)
        d->ops->list(d, count_member, column);
    if (b == NULL && d->ops->healthy != NULL)
        return d->ops->healthy(d, changed);
    return director_healthy(d);
}

static void
row_text(struct backend_query *q, const char *full, struct director *d)
{
    unsigned column[2];
    struct probe_view view;
    double changed;
    char date[40], probe[32];
    bool healthy = health_of(d, column, &view, &changed);
    http_date(changed, date);
    snprintf(probe, sizeof probe, "%u/%u", column[0], column[1]);
    text_printf(q->out, "%-*s %-10s %-8s %-10s %s\n", q->width, full, admin_text(director_backend(d)), probe,
                healthy ? "healthy" : "sick", date);
    if (!q->details || !view.probed)
        return;
    text_printf(q->out, " Current states  good: %2u threshold: %2u window: %2u\n  Average response time of good probes: %.6f\n"
                        "  Oldest ================================================== Newest\n  ",
                view.good, view.threshold, view.window, view.average_s);
    for (int bit = 63; bit >= 0; bit--)
        text_str(q->out, view.happy_bits >> bit & 1 ? "H" : "-");
    text_str(q->out, " Happy\n");
}

static void
row_json(struct backend_query *q, const char *full, struct director *d)
{
    unsigned column[2];
    struct probe_view view;
    double changed;
    bool healthy = health_of(d, column, &view, &changed);
    text_str(q->out, q->found > 1 ? ",\n    " : "\n    ");
    text_json(q->out, span_str(full));
    text_printf(q->out, ": {\n      \"type\": \"%s\",\n      \"admin_health\": \"%s\",\n      \"probe_message\": [%u, %u, \"%s\"],\n",
                d->ops->type, admin_text(director_backend(d)), column[0], column[1], healthy ? "healthy" : "sick");
    if (q->details && view.probed)
        text_printf(q->out, "      \"probe_details\": {\n        \"bits_H\": \"%016llx\",\n        \"good\": %u,\n        \"threshold\": %u,\n"
                            "        \"window\": %u\n      },\n",
                    (unsigned long long)view.happy_bits, view.good, view.threshold, view.window);
    text_printf(q->out, "      \"last_change\": %.3f\n    }", changed);
}

static void
visit_backend(struct director *d, void *arg)
{
    struct backend_query *q = arg;
    char name[512], full[800];
    if (d->name.ptr == NULL || d->name.len >= sizeof name)
        return;
    memcpy(name, d->name.ptr, d->name.len);
    name[d->name.len] = '\0';
    if (fnmatch(q->name_glob, name, 0) != 0)
        return;
    q->found++;
    int n = snprintf(full, sizeof full, "%s.%s", q->at->name, name);
    if (q->sizing)
        q->width = n > q->width ? n : q->width;
    else if (q->admin != NULL) {
        if (director_backend(d) != NULL)
            backend_set_admin(director_backend(d), q->state);
    } else if (q->json)
        row_json(q, full, d);
    else
        row_text(q, full, d);
}

static void
visit_backends(struct backend_query *q)
{
    q->found = 0;
    list_each(it, &q->w->policies) {
        struct loaded *l = container_of(it, struct loaded, link);
        if (l->discarded || (q->vcl_glob == NULL ? l != q->w->active : fnmatch(q->vcl_glob, l->name, 0) != 0))
            continue;
        q->at = l;
        policy_each_director(l->policy, visit_backend, q);
    }
}

/* "vcl.backend" selects by both, a glob without a dot by the name within the active policy. Writes into `pattern`. */
static void
split_pattern(char *pattern, struct backend_query *q)
{
    char *dot = strrchr(pattern, '.');
    q->name_glob = pattern;
    if (dot == NULL)
        return;
    *dot = '\0';
    q->vcl_glob = pattern;
    q->name_glob = dot[1] == '\0' ? "*" : dot + 1;
}

/* backend.list [-j] [-p] [glob] */
static int
backend_list(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct backend_query q = { .w = w, .name_glob = "*", .out = out };
    unsigned i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-p") == 0)
            q.details = true;
        else if (strcmp(argv[i], "-j") == 0)
            q.json = true;
        else
            return fail(out, CLI_PARAM, "Invalid flags %s", argv[i]);
    }
    if (argc > i + 1)
        return fail(out, CLI_TOO_MANY, "Too many parameters\n");
    if (i < argc)
        split_pattern(argv[i], &q);
    if (q.json) {
        text_str(out, "  {");
        visit_backends(&q);
        text_str(out, q.found > 0 ? "\n  }" : "}");
        return CLI_OK;
    }
    q.width = (int)sizeof "Backend name" - 1;
    q.sizing = true;
    visit_backends(&q);
    q.sizing = false;
    q.width += 2;
    text_printf(out, "%-*s %-10s %-8s %-10s %s\n", q.width, "Backend name", "Admin", "Probe", "Health", "Last change");
    visit_backends(&q);
    return CLI_OK;
}

/* backend.set_health glob state */
static int
set_health(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    static const char *const states[] = { [BACKEND_AUTO] = "auto", [BACKEND_HEALTHY] = "healthy", [BACKEND_SICK] = "sick" };
    if (argc != 3)
        return fail(out, argc < 3 ? CLI_TOO_FEW : CLI_TOO_MANY, "Too %s parameters\n", argc < 3 ? "few" : "many");
    struct backend_query q = { .w = w, .admin = argv[2], .out = out };
    unsigned state = 0;
    while (state < 3 && strcmp(states[state], argv[2]) != 0)
        state++;
    if (state == 3)
        return fail(out, CLI_PARAM, "Invalid state %s", argv[2]);
    q.state = (enum backend_admin)state;
    split_pattern(argv[1], &q);
    visit_backends(&q);
    return q.found > 0 ? CLI_OK : fail(out, CLI_PARAM, "No Backends matches");
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
    { "debug.xid", debug_xid }, { "backend.list", backend_list }, { "backend.set_health", set_health },
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
