/* The state of a policy: objects for everything that an image declares, which live as long as the policy. The
 * admin thread builds and releases them; vcl_init adds directors made by `new`. */
#include "policy/state.h"
#include "policy/counter/counters.h"
#include "policy/table/tables.h"
#include "base/similar.h"

#include <stdio.h>
#include <stdlib.h>

static struct span
policy_text(struct policy *p, struct span text)
{
    return arena_copy(&p->arena, text); /* the arena has no limit: never fails */
}

static void *
policy_table(struct policy *p, unsigned n, size_t size)
{
    void *table = arena_zalloc(&p->arena, n * size + 1);
    CHECK(table != NULL);
    return table;
}

static int
build_names(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->names = policy_table(p, im->n_names, sizeof *p->names);
    p->spellings = policy_table(p, im->n_names, sizeof *p->spellings);
    for (uint32_t i = 0; i < im->n_names; i++, p->n_names++) {
        struct span text = im->names[i];
        int err = name_intern(text, &p->names[i]);
        if (err != 0) {
            snprintf(error, cap, "header name \"%.*s\": %s", (int)text.len, text.ptr,
                     err == ERR_LIMIT ? "too many header names (parameter header_names_max)" : "not a token");
            return err;
        }
        if (!span_eq(text, name_text(p->names[i])))
            p->spellings[i] = policy_text(p, text);
    }
    return 0;
}

static int
build_regexes(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->regexes = policy_table(p, im->n_regexes, sizeof *p->regexes);
    for (uint32_t i = 0; i < im->n_regexes; i++, p->n_regexes++) {
        struct regex_error why;
        int err = regex_new_with(im->regexes[i], REGEX_JIT_LATE, &p->regexes[i], &why);
        if (err != 0) {
            snprintf(error, cap, "regular expression \"%.*s\": %s at offset %zu", (int)im->regexes[i].len,
                     im->regexes[i].ptr, why.text, why.offset);
            return err;
        }
    }
    return 0;
}

static int
build_pattern_set(struct policy *p, const struct policy_image *im, const struct image_pattern_set *from,
                  struct pattern_set **out)
{
    struct pattern *patterns = mem_zalloc(from->n_patterns * sizeof *patterns);
    for (uint32_t i = 0; i < from->n_patterns; i++) {
        const struct image_pattern *pattern = &im->patterns[from->first + i];
        if (pattern->regex < 0)
            patterns[i] = (struct pattern){ .kind = PATTERN_EQUALS, .text = pattern->text };
        else
            patterns[i] = (struct pattern){ .kind = PATTERN_REGEX,
                                            .text = im->regexes[pattern->regex],
                                            .regex = p->regexes[pattern->regex] };
    }
    int err = pattern_set_new(patterns, from->n_patterns, out);
    free(patterns);
    return err;
}

static int
build_pattern_sets(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->pattern_sets = policy_table(p, im->n_pattern_sets, sizeof *p->pattern_sets);
    for (uint32_t i = 0; i < im->n_pattern_sets; i++, p->n_pattern_sets++) {
        int err = build_pattern_set(p, im, &im->pattern_sets[i], &p->pattern_sets[i]);
        if (err != 0) {
            snprintf(error, cap, "a pattern set has more than %u patterns", PATTERN_SET_MAX);
            return err;
        }
    }
    return 0;
}

static int
build_acls(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->acls = policy_table(p, im->n_acls, sizeof *p->acls);
    for (uint32_t i = 0; i < im->n_acls; i++, p->n_acls++) {
        int err = acl_new(&im->acls[i], &p->acls[i]);
        if (err != 0) {
            snprintf(error, cap, "acl \"%.*s\": an entry is not an address", (int)im->acls[i].name.len,
                     im->acls[i].name.ptr);
            return err;
        }
    }
    return 0;
}

static int
build_probes(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->probes = policy_table(p, im->n_probes, sizeof *p->probes);
    for (uint32_t i = 0; i < im->n_probes; i++, p->n_probes++) {
        const struct image_probe *from = &im->probes[i];
        if (from->window < 1 || from->window > PROBE_WINDOW_MAX || from->threshold > from->window) {
            snprintf(error, cap, "probe \"%.*s\": window is 1 to %u, threshold at most the window",
                     (int)from->name.len, from->name.ptr, PROBE_WINDOW_MAX);
            return ERR_LIMIT;
        }
        p->probes[i] = *from;
#define OWN(text) p->probes[i].text = policy_text(p, from->text);
        IMAGE_PROBE_TEXTS(OWN)
#undef OWN
    }
    return 0;
}

/* A backend of a trial: its host is a name that nobody looks up, so its address is one that no host has
 * (RFC 5737). Requests still get the declared host. */
static struct image_backend
without_address(struct image_backend b)
{
    if (b.host_header.ptr == NULL)
        b.host_header = b.path.ptr != NULL ? SPAN_LIT("0.0.0.0") : b.host;
    b.host = SPAN_LIT("192.0.2.1");
    b.port = SPAN_LIT("80");
    b.path = SPAN_NULL;
    b.via = 0;
    return b;
}

static int
build_backends(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->backends = policy_table(p, im->n_backends, sizeof *p->backends);
    for (uint32_t i = 0; i < im->n_backends; i++, p->n_backends++) {
        const struct image_backend *from = &im->backends[i];
        const struct image_probe *probe = from->probe < 0 ? NULL : &p->probes[from->probe];
        char why[200];
        struct image_backend alone;
        if (p->env.offline && !from->none) {
            alone = without_address(*from);
            from = &alone;
        }
        const struct image_backend *via = from->via == 0 ? NULL : &im->backends[from->via - 1];
        int err = backend_new(p->name, from, via, probe, &p->backends[i], why, sizeof why);
        if (err == 0)
            continue;
        struct span file = SPAN_LIT("?");
        unsigned line = 0;
        if (from->site < im->n_sites && im->sites[from->site].file < im->n_sources) {
            file = im->sources[im->sites[from->site].file].name;
            line = im->sites[from->site].line;
        }
        snprintf(error, cap, "%.*s:%u: backend \"%.*s\": %s", (int)file.len, file.ptr, line,
                 (int)from->name.len, from->name.ptr, why);
        return err;
    }
    static const struct image_backend nothing = { .name = { "none", 4 }, .probe = -1, .none = 1 };
    int err = backend_new(p->name, &nothing, NULL, NULL, &p->nothing, error, cap);
    bool none = im->default_backend < 0 || im->backends[im->default_backend].none;
    p->default_director = backend_director(none ? p->nothing : p->backends[im->default_backend]);
    return err;
}

static int
no_storage(const struct store *s, struct span name, char *error, size_t cap)
{
    struct similar near = similar_to(name);
    for (unsigned i = 0; store_storage_name(s, i).ptr != NULL; i++)
        similar_try(&near, store_storage_name(s, i).ptr);
    snprintf(error, cap, "there is no storage.%.*s: the daemon was not started with -s %.*s=...%s%s%s",
             (int)name.len, name.ptr, (int)name.len, name.ptr,
             near.name == NULL ? "" : "\nDid you mean storage.", near.name == NULL ? "" : near.name,
             near.name == NULL ? "" : "?");
    return ERR_NOTFOUND;
}

static int
build_storages(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->storages = policy_table(p, im->n_storages, sizeof *p->storages);
    for (uint32_t i = 0; i < im->n_storages; i++, p->n_storages++) {
        struct span name = im->storages[i];
        p->storages[i] = p->env.store == NULL ? NULL : store_storage(p->env.store, name);
        if (p->env.store != NULL && p->storages[i] == NULL)
            return no_storage(p->env.store, name, error, cap);
    }
    return 0;
}

static int
build_instances(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    p->instances = policy_table(p, im->n_instances, sizeof *p->instances);
    p->n_instances = im->n_instances;
    return 0;
}

static int
build_tables(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    return tables_new(&p->env, im, &p->tables, error, cap);
}

static int
build_counters(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    (void)error, (void)cap; /* cannot fail */
    p->counters = policy_table(p, im->n_counters, sizeof *p->counters);
    for (uint32_t i = 0; i < im->n_counters; i++, p->n_counters++)
        p->counters[i] = policy_counter_share(&im->counters[i], p->env.n_loops);
    return 0;
}

int
state_build(struct policy *p, const struct policy_image *im, char *error, size_t cap)
{
    CHECK(p->n_names == 0 && p->n_backends == 0 && p->nothing == NULL);
    static int (*const steps[])(struct policy *, const struct policy_image *, char *, size_t) = {
        build_names,    build_regexes,  build_pattern_sets, build_acls,   build_probes,
        build_backends, build_storages, build_instances,    build_tables, build_counters,
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        int err = steps[i](p, im, error, cap);
        if (err != 0)
            return err;
    }
    return 0;
}

void
state_release(struct policy *p)
{
    for (unsigned i = 0; i < p->n_backends; i++)
        backend_release(&p->backends[i]);
    backend_release(&p->nothing);
    tables_release(&p->tables);
    for (unsigned i = 0; i < p->n_counters; i++)
        policy_counter_release(&p->counters[i]);
    for (unsigned i = 0; i < p->n_acls; i++)
        acl_release(&p->acls[i]);
    for (unsigned i = 0; i < p->n_pattern_sets; i++)
        pattern_set_release(&p->pattern_sets[i]);
    for (unsigned i = 0; i < p->n_regexes; i++)
        regex_release(&p->regexes[i]);
    arena_release(&p->arena);
    free(p->directors);
}

/* ---- directors ----------------------------------------------------------------------------------------- */

void
policy_add_director(struct policy *p, struct director *d)
{
    CHECK(d->ops != NULL);
    pthread_mutex_lock(&p->lock);
    if (p->n_directors == p->cap_directors) {
        p->cap_directors = p->cap_directors == 0 ? 8 : 2 * p->cap_directors;
        p->directors = realloc(p->directors, p->cap_directors * sizeof *p->directors);
        CHECK(p->directors != NULL);
    }
    p->directors[p->n_directors++] = d;
    pthread_mutex_unlock(&p->lock);
}

void
policy_each_director(struct policy *p, void (*each)(struct director *d, void *arg), void *arg)
{
    for (unsigned i = 0; i < p->n_backends; i++)
        each(backend_director(p->backends[i]), arg);
    for (unsigned i = 0; i < p->n_directors; i++)
        each(p->directors[i], arg);
}

/* The running statement is the declaration of the instance, so both have the same place. */
struct span
policy_new_name(const struct policy_ctx *ctx)
{
    const struct policy_image *im = policy_image(ctx->policy);
    for (unsigned i = 0; i < im->n_instances && ctx->site < im->n_sites; i++) {
        const struct image_site *at = &im->sites[ctx->site], *of = &im->sites[im->instances[i].site];
        if (im->instances[i].site < im->n_sites && at->file == of->file && at->line == of->line &&
            at->column == of->column)
            return im->instances[i].name;
    }
    return SPAN_LIT("");
}

struct span
policy_instance_name(struct policy *p, const void *instance)
{
    for (unsigned i = 0; i < p->n_instances; i++)
        if (p->instances[i] == instance)
            return policy_image(p)->instances[i].name;
    return SPAN_LIT("");
}

struct director *
policy_find_director(struct policy *p, struct span name)
{
    for (unsigned i = 0; i < p->n_backends; i++)
        if (span_eq(backend_name(p->backends[i]), name))
            return backend_director(p->backends[i]);
    for (unsigned i = 0; i < p->n_directors; i++)
        if (span_eq(p->directors[i]->name, name))
            return p->directors[i];
    return NULL;
}
