/* The policies and labels of this process: load, use, label, discard, and unload of unused policies. Runs on
 * the admin thread; reaches loops only through worker_on_loops. */
#include <stdlib.h>

#include "worker/worker.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/mem.h"
#include "base/similar.h"
#include "log/report.h"
#include "policy/table/tables.h"
#include "proxy/server.h"

#define ERROR_TEXT_BYTES 4096

struct loaded *
worker_find(struct worker *w, const char *name)
{
    list_each(it, &w->policies)
    {
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

static struct loaded *
add(struct worker *w, const char *name)
{
    struct loaded *l = mem_zalloc(sizeof *l);
    l->name = strdup(name);
    CHECK(l->name != NULL);
    list_push_back(&w->policies, &l->link);
    return l;
}

/* A cold policy keeps its probes until its last request has ended (worker_collect). */
static void
set_cold(struct loaded *l, bool cold)
{
    l->cold = cold;
    if (!cold && !l->probing)
        policy_start_probes(l->policy);
    if (!cold)
        l->probing = true;
}

static void
allow_why(struct policy *p, const char *name)
{
    const char *acl = param_text("why_acl");
    if (*acl != '\0' && !policy_allow_why(p, span_str(acl)))
        log_line(LOG_LEVEL_WARNING,
                 "policy %s has no ACL \"%s\" (parameter why_acl), so it has no Vernis-Why", name, acl);
}

/* load NAME PATH warm|cold [TABLE COPY FILE ...]: the copies stand in for the files that the policy names. */
int
worker_load(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct policy *policy = NULL;
    if (argc < 4)
        return CLI_PARAM;
    if (worker_find(w, argv[1]) != NULL)
        return text_say(out, CLI_PARAM, "Already a VCL named %s\n", argv[1]);
    if (w->n_policies >= WORKER_POLICIES_MAX)
        return text_say(out, CLI_PARAM, "Too many policies: at most %u\n", WORKER_POLICIES_MAX);
    struct policy_env env = w->env;
    env.table_files = argv + 4;
    int err = policy_load(&env, span_str(argv[1]), argv[2], &policy, error, sizeof error);
    if (err != 0)
        return text_say(out, CLI_CANT, "%s\n", *error == '\0' ? err_name(err) : error);
    struct loaded *l = add(w, argv[1]);
    l->policy = policy;
    w->n_policies++;
    set_cold(l, strcmp(argv[3], "cold") == 0);
    text_printf(out, "Loaded \"%s\" as \"%s\"", argv[2], argv[1]);
    worker_tables_read(policy, out);
    allow_why(policy, argv[1]);
    return CLI_OK;
}

static void
use_on_loop(struct loop *loop, void *arg)
{
    proxy_set_policy(loop, arg);
}

/* use NAME: answers when every loop has switched, so requests sent after the answer get the new policy. */
int
worker_use(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 2 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL)
        return text_say(out, CLI_PARAM, "No VCL named %s known\n", argc == 2 ? argv[1] : "");
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

/* label LABEL NAME: answers when every loop has switched, like `use`. */
int
worker_label(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *target = argc == 3 ? worker_find(w, argv[2]) : NULL,
                  *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (target == NULL || target->policy == NULL || (l != NULL && l->policy != NULL))
        return text_say(out, CLI_PARAM, "Cannot label %s as %s\n", argc == 3 ? argv[2] : "",
                        argc == 3 ? argv[1] : "");
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

int
worker_discard(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 2 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l == w->active)
        return text_say(out, CLI_PARAM, "Cannot discard %s\n", argc == 2 ? argv[1] : "");
    if (l->policy == NULL) {
        l->target = NULL;
        worker_on_loops(w, label_on_loop, l);
        forget(l);
        return CLI_OK;
    }
    l->discarded = l->cold = true;
    policy_tables_discarded(l->policy);
    worker_collect(w);
    return CLI_OK;
}

/* Requests in a policy. Every loop also counts one use for the active policy and one for each label of a
 * policy; both are subtracted here. */
static uint64_t
request_uses(struct worker *w, struct loaded *l)
{
    if (l->policy == NULL)
        return 0;
    uint64_t n = policy_uses(l->policy), held = w->active != NULL && worker_policy(w->active) == l;
    list_each(it, &w->policies) held += container_of(it, struct loaded, link)->target == l;
    held *= w->n_loops;
    return n - (n < held ? n : held);
}

void
worker_collect(struct worker *w)
{
    list_each(it, &w->policies)
    {
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
    if (tables_collect())
        return true;
    list_each(it, &w->policies)
    {
        const struct loaded *l = container_of(it, struct loaded, link);
        if (l->discarded || (l->cold && l->probing))
            return true;
    }
    return false;
}

/* replace NAME PATH */
int
worker_replace(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct loaded *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l->policy == NULL)
        return text_say(out, CLI_PARAM, "No VCL named %s known\n", argc == 3 ? argv[1] : "");
    int err = policy_replace_image(l->policy, argv[2], error, sizeof error);
    return err == 0 ? CLI_OK : text_say(out, CLI_PARAM, "%s\n", *error == '\0' ? err_name(err) : error);
}

/* temperature NAME warm|cold */
int
worker_temperature(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 3 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l->policy == NULL)
        return text_say(out, CLI_PARAM, "No VCL named %s known\n", argc == 3 ? argv[1] : "");
    set_cold(l, strcmp(argv[2], "cold") == 0);
    worker_collect(w);
    return CLI_OK;
}

/* uses: four fields for each policy or label: name, its requests, temperature, loaded or discarded */
int
worker_uses(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    list_each(it, &w->policies)
    {
        struct loaded *l = container_of(it, struct loaded, link);
        const char *temperature = !l->cold ? "warm" : l->probing || l->discarded ? "busy" : "cold";
        text_printf(out, "%s%c%llu%c%s%c%s%c", l->name, 0, (unsigned long long)request_uses(w, l), 0,
                    temperature, 0, l->discarded ? "discarded" : "loaded", 0);
    }
    return CLI_OK;
}

int
worker_no_policy(struct worker *w, const char *name, struct text *out)
{
    struct similar s = similar_to(span_str(name));
    list_each(it, &w->policies)
    {
        const struct loaded *l = container_of(it, struct loaded, link);
        if (!l->discarded)
            similar_try(&s, l->name);
    }
    text_printf(out, "No VCL named '%s'", name);
    if (s.name != NULL)
        text_printf(out, "\nDid you mean %s?", s.name);
    else
        text_str(out, "\nvcl.list shows the loaded policies.");
    return CLI_PARAM;
}

/* vcl.show [-v] [name] */
int
worker_show(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    if (argc > 2u + verbose)
        return text_say(out, CLI_PARAM, "Too many parameters: '%s'", argv[2 + verbose]);
    const char *name = argc > 1u + verbose ? argv[1 + verbose] : NULL;
    struct loaded *l = name == NULL ? w->active : worker_find(w, name);
    if (l == NULL && name == NULL)
        return text_say(out, CLI_CANT, "No active VCL\n");
    if (l == NULL)
        return worker_no_policy(w, name, out);
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
