/* The commands that the manager sends to the worker. Runs on the admin thread; reaches loops only through
 * worker_on_loops. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "worker/stats.h"
#include "worker/worker.h"
#include "daemon/log_params.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/params.h"
#include "base/mem.h"
#include "cache/ban.h"
#include "storage/storage.h"
#include "cache/store.h"
#include "origin/backend.h"
#include "proxy/server.h"

/* param set NAME VALUE | param reset NAME: the manager has checked the value. */
static int
set_param(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    int err = CLI_PARAM;
    if (argc == 3 && strcmp(argv[1], "reset") == 0)
        err = param_reset(argv[2], out);
    else if (argc == 4 && strcmp(argv[1], "set") == 0)
        err = param_set(argv[2], argv[3], out);
    log_params_apply();
    return err == 0 ? CLI_OK : CLI_PARAM;
}

/* reasons commands|dashboard on|off: see log_params_reasons. */
static int
log_reasons(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool dashboard = argc > 1 && strcmp(argv[1], "dashboard") == 0;
    log_params_reasons(dashboard ? REASONS_FOR_DASHBOARD : REASONS_FOR_COMMANDS,
                       argc > 2 && strcmp(argv[2], "on") == 0);
    return CLI_OK;
}

#define STORAGE_IDENT_BYTES 128u /* a longer name is cut */

/* Names and values, as lines or as members of a JSON object. */
struct counter_list {
    struct text *out;
    bool json, begun;
};

static void
list_counter(struct counter_list *l, const char *ident, const char *name, uint64_t value)
{
    const char *form = l->json ? "%s\n    \"%s.%s\": %" PRIu64 : "%s%s.%s %" PRIu64 "\n";
    text_printf(l->out, form, l->json && l->begun ? "," : "", ident, name, value);
    l->begun = true;
}

static void
list_storage(struct counter_list *l, const struct storage *st)
{
    char ident[STORAGE_IDENT_BYTES];
    snprintf(ident, sizeof ident, "SMA.%.*s", (int)st->name.len, st->name.ptr);
    list_counter(l, ident, "g_bytes", storage_used(st));
    list_counter(l, ident, "limit_bytes", st->limit_bytes);
}

/* The part of the last second in which the busiest loop worked. */
static uint64_t
busiest_percent(const struct worker *w)
{
    unsigned most = 0;
    for (unsigned i = 0; i < w->n_loops; i++) {
        unsigned busy = atomic_load_explicit(&loop_load(w->loops[i])->busy, memory_order_relaxed);
        most = busy > most ? busy : most;
    }
    return most * 100 / LOOP_BUSY;
}

/* counters [-j]: all counters of the worker, the work of the busiest loop, and the bytes of stored
 * objects and of each storage. */
static int
counters(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct counter_list l = { .out = out, .json = argc > 1 && strcmp(argv[1], "-j") == 0 };
    struct counters sum;
    struct store_stats stats;
    worker_stats_sum(w, &sum);
    store_stats(w->store, &stats);
    text_str(out, l.json ? "  {" : "");
    for (unsigned i = 0; i < n_counter_rows; i++)
        list_counter(&l, counters_ident(&counter_rows[i]), counter_rows[i].name,
                     counters_value(&sum, &counter_rows[i]));
    list_counter(&l, "VERNIS", "n_object_bytes", stats.bytes);
    list_counter(&l, "VERNIS", "loop_busiest", busiest_percent(w));
    const struct storage *transient = store_transient(w->store);
    for (unsigned i = 0; i < w->from->n_storages; i++) {
        const struct storage *st = store_storage(w->store, span_str(w->from->storages[i].name));
        if (st != transient)
            list_storage(&l, st);
    }
    list_storage(&l, transient);
    text_str(out, l.json ? "\n  }" : "");
    return CLI_OK;
}

#define XID_CHUNK_DEFAULT 32768u

/* debug.xid [n [chunk]]: the next transaction is n + 1. From Varnish 7.3 on it is n, and varnishtest of these
 * releases counts with that. */
static int
debug_xid(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    /* last values set; loops have used numbers since */
    static unsigned long long last, chunk = XID_CHUNK_DEFAULT;
    if (argc > 1) {
        last = strtoull(argv[1], NULL, 0);
        chunk = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
        if (chunk == 0 || chunk > UINT32_MAX)
            chunk = XID_CHUNK_DEFAULT;
        server_set_xid(last + !params.vsl_7_3, (unsigned)chunk);
    }
    text_printf(out, "XID is %llu chunk %llu", last, chunk);
    return CLI_OK;
}

/* debug.srandom [seed]: makes random choices repeatable. */
static int
debug_srandom(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    random_seed(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 1);
    return CLI_OK;
}

/* debug.fragfetch bytes: reads response bodies in small pieces, as from a slow origin. */
static int
debug_fragfetch(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    params.fetch_piece_bytes = (uint32_t)strtoul(argc > 1 ? argv[1] : "0", NULL, 0);
    return CLI_OK;
}

static void
forget_longest_round(struct loop *loop, void *arg)
{
    (void)loop, (void)arg;
    counters_here()->loop_longest_round_us = 0;
}

/* debug.longest_round: the counter loop_longest_round_us begins anew. */
static int
debug_longest_round(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct counters sums;
    counters_sum(&sums);
    text_printf(out, "%llu", (unsigned long long)sums.loop_longest_round_us);
    worker_on_loops(w, forget_longest_round, NULL);
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
    const struct loaded *last; /* the last policy counted, so that each counts once */
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

/* Third-party modules. The image lists them, because their names cannot be cut out of the import names. */
static void
list_foreign(const struct policy_image *image, struct text *out)
{
    for (uint32_t i = 0; i < image->n_modules; i++)
        text_printf(out, "%5u %.*s (path=\"%.*s\")\n", 1, (int)image->modules[i].name.len,
                    image->modules[i].name.ptr, (int)image->modules[i].path.len, image->modules[i].path.ptr);
}

/* debug.vmod: how many policies use each module. A third-party module has one line for each policy. */
static int
debug_vmod(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    static const char *const known[] = { "std",   "directors", "blob", "cookie", "header",
                                         "proxy", "purge",     "unix", "vtc",    "debug" };
    struct module_use modules[MODULES_MAX];
    unsigned n = 0;
    list_each(it, &w->policies)
    {
        const struct loaded *l = container_of(it, struct loaded, link);
        const struct policy_image *image = l->policy == NULL ? NULL : policy_image(l->policy);
        for (uint32_t i = 0; image != NULL && i < image->n_imports; i++)
            count_module(modules, &n, image->imports[i].name, l);
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < sizeof known / sizeof *known; k++)
            if (span_eq(modules[i].name, span_str(known[k])))
                text_printf(out, "%5u %s (built in)\n", modules[i].policies, known[k]);
    list_each(it, &w->policies)
    {
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

/* vcl.symtab: the declarations of each policy, and the runtime functions it calls. */
static int
vcl_symtab(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    list_each(it, &w->policies)
    {
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

/* ping: answers when every loop has answered, so that a stuck loop is noticed. */
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

/* shutdown SECONDS: accepts no new connections, gives open ones that long, then the process ends. */
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

static void
retire_on_loop(struct loop *loop, void *arg)
{
    proxy_retire(loop, *(const bool *)arg);
}

static void
retire_loops(struct worker *w, bool on)
{
    store_retire(w->store, on);
    worker_on_loops(w, retire_on_loop, &on);
}

static void
count_ban(const struct ban_info *info, void *arg)
{
    unsigned *n = arg;
    *n += !info->completed;
}

/* detach: another process is about to serve the clients. When this is answered, no request finds a stored
 * response here, and no invalidation is confirmed. Answers how many stored responses and bans there were. */
static int
detach(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct store_stats stats;
    unsigned bans = 0;
    store_stats(w->store, &stats);
    store_ban_each(w->store, count_ban, &bans);
    retire_loops(w, true);
    return text_say(out, CLI_OK, "%llu %u", (unsigned long long)stats.stored, bans);
}

/* attach: the other process does not serve; go on. What is stored has seen all confirmed invalidations. */
static int
attach(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    if (!w->draining)
        retire_loops(w, false);
    return CLI_OK;
}

/* retire SECONDS: as shutdown, but closes client connections at their next response. Unused stored objects
 * are freed at once, because the next process fills its own cache. */
static int
retire(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 0;
    if (!w->draining)
        retire_loops(w, true);
    w->draining = true;
    w->drain_deadline = nsec_add(clock_mono_ns(), nsec_of(seconds));
    (void)store_shrink(w->store, UINT64_MAX);
    return CLI_OK;
}

static const struct {
    const char *name;
    worker_command_fn *fn;
} worker_rows[] = {
    { "load", worker_load },
    { "use", worker_use },
    { "label", worker_label },
    { "discard", worker_discard },
    { "replace", worker_replace },
    { "temperature", worker_temperature },
    { "uses", worker_uses },
    { "vcl.show", worker_show },
    { "debug.clock", worker_test_clock },
    { "debug.poll", worker_poll_by_hand },
    { "debug.row", worker_table_row },
    { "debug.xid", debug_xid },
    { "debug.longest_round", debug_longest_round },
    { "debug.panic.worker", debug_panic },
    { "debug.vmod", debug_vmod },
    { "debug.srandom", debug_srandom },
    { "debug.fragfetch", debug_fragfetch },
    { "vcl.symtab", vcl_symtab },
    { "backend.list", worker_backend_list },
    { "backend.set_health", worker_set_health },
    { "ban", worker_ban },
    { "ban_counted", worker_ban_counted },
    { "ban.list", worker_ban_list },
    { "tls.begin", worker_tls_begin },
    { "tls.frontend", worker_tls_frontend },
    { "tls.certificate", worker_tls_certificate },
    { "tls.commit", worker_tls_commit },
    { "tls.tickets", worker_tls_tickets },
    { "param", set_param },
    { "reasons", log_reasons },
    { "counters", counters },
    { "explain_key", worker_explain_key },
    { "purge", worker_purge },
    { "purge_key", worker_purge_key },
    { "purge_all", worker_purge_all },
    { "rules", worker_rules },
    { "table_list", worker_table_list },
    { "table_show", worker_table_show },
    { "table_diff", worker_table_diff },
    { "table_replace", worker_table_replace },
    { "ping", ping },
    { "accept", accept_clients },
    { "shutdown", shut_down },
    { "detach", detach },
    { "attach", attach },
    { "retire", retire },
};

const char *
worker_command_shown(const char *name)
{
    static const char *const names[][2] = {
        { "load", "vcl.load" },
        { "use", "vcl.use" },
        { "discard", "vcl.discard" },
        { "temperature", "vcl.state" },
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
    return text_say(out, CLI_UNKNOWN, "Unknown request.\nType 'help' for more info.\n");
}
