/* Opens a compiled policy, checks that it fits this runtime, and resolves its imports. state.c builds the
 * policy's state. Called by the admin thread. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "policy/exports.h"
#include "policy/modules.h"
#include "policy/seal.h"
#include "policy/state.h"

#if __has_include("abi_digest.h")
#include "abi_digest.h"
#endif
#ifndef VERNIS_ABI_DIGEST
#define VERNIS_ABI_DIGEST { 0 } /* no digest at build time: only images with a zero digest load */
#endif

#define IMAGE_IMPORTS_MAX 4096u
#define IMAGE_TABLE_MAX (1u << 20)

static const uint8_t abi_digest[32] = VERNIS_ABI_DIGEST;

static int
refuse(char *error, size_t cap, const char *why)
{
    snprintf(error, cap, "%s", why);
    return ERR_SYNTAX;
}

static bool
is_set_sound(const struct policy_image *im, const struct image_pattern_set *s)
{
    return s->first <= im->n_patterns && s->n_patterns <= im->n_patterns - s->first && s->n_patterns > 0;
}

static bool
is_chain_subject_sound(const struct policy_image *im, const struct image_chain *c,
                       const struct image_chain_subject *s)
{
    if (s->set >= im->n_pattern_sets || s->tests == NULL || s->n_tests == 0 || s->n_tests > c->n_tests)
        return false;
    const struct image_pattern_set *set = &im->pattern_sets[s->set];
    if (s->place > set->n_patterns || s->n_tests > set->n_patterns - s->place)
        return false;
    for (uint32_t i = 0; i < s->n_tests; i++)
        if (s->tests[i] >= c->n_tests || (i > 0 && s->tests[i] <= s->tests[i - 1]))
            return false;
    return true;
}

/* Is this a place where the chain may go on behind test `test`? */
static bool
is_way_sound(const struct image_chain *c, uint32_t test, uint32_t to)
{
    return (to & IMAGE_EXIT) != 0 ? (to & ~IMAGE_EXIT) <= c->n_exits : to > test && to < c->n_tests;
}

/* Is the row of a test within the rows of the chain, with names and rules of the image? */
static bool
is_row_sound(const struct policy_image *im, const struct image_chain *c, uint32_t test)
{
    uint32_t at = c->tests[test].body, left = c->rows_bytes;
    if (at % IMAGE_ROW_ALIGN != 0 || at > left || left - at < sizeof(struct image_row))
        return false;
    const struct image_row *row = (const struct image_row *)(const void *)(c->rows + at);
    const char *place = (const char *)(row + 1);
    left -= at + (uint32_t)sizeof *row;
    for (unsigned i = 0; i < row->n_changes; i++) {
        const struct image_change *change = (const struct image_change *)(const void *)place;
        if (left < sizeof *change || change->kind >= IMAGE_CHANGE_COUNT || change->msg >= MSG_COUNT ||
            change->name >= im->n_names || left < image_change_bytes(change))
            return false;
        place += image_change_bytes(change);
        left -= image_change_bytes(change);
    }
    return (row->rule == IMAGE_NO_RULE || row->rule < im->n_rules) && is_way_sound(c, test, row->next);
}

static bool
is_body_sound(const struct policy_image *im, const struct image_chain *c, uint32_t test)
{
    uint32_t body = c->tests[test].body;
    return (body & IMAGE_EXIT) != 0 ? (body & ~IMAGE_EXIT) < c->n_exits : is_row_sound(im, c, test);
}

static bool
is_chain_sound(const struct policy_image *im, const struct image_chain *c)
{
    if (c->n_subjects == 0 || c->n_subjects > CHAIN_SUBJECTS_MAX || c->subjects == NULL || c->n_tests == 0 ||
        c->n_tests > IMAGE_TABLE_MAX || c->tests == NULL || c->rows == NULL)
        return false;
    for (uint32_t i = 0; i < c->n_subjects; i++)
        if (!is_chain_subject_sound(im, c, &c->subjects[i]))
            return false;
    for (uint32_t i = 0; i < c->n_tests; i++)
        if (!is_body_sound(im, c, i))
            return false;
    return true;
}

static int
check_patterns(const struct policy_image *im, char *error, size_t cap)
{
    for (uint32_t i = 0; i < im->n_patterns; i++)
        if (im->patterns[i].regex < -1 || im->patterns[i].regex >= (int32_t)im->n_regexes)
            return refuse(error, cap, "image is damaged: regular expression of a pattern");
    for (uint32_t i = 0; i < im->n_pattern_sets; i++)
        if (!is_set_sound(im, &im->pattern_sets[i]))
            return refuse(error, cap, "image is damaged: a pattern set");
    for (uint32_t i = 0; i < im->n_chains; i++)
        if (!is_chain_sound(im, &im->chains[i]))
            return refuse(error, cap, "image is damaged: a chain of tests");
    return 0;
}

static bool
is_rule_sound(const struct policy_image *im, const struct image_rule *r)
{
    if (r->site >= im->n_sites || im->sites[r->site].file >= im->n_sources)
        return false;
    if (r->name > im->n_rule_names)
        return false;
    size_t bytes = im->sources[im->sites[r->site].file].text.len;
    return r->start <= bytes && r->length <= bytes - r->start;
}

static int
check_rules(const struct policy_image *im, char *error, size_t cap)
{
    if (im->n_rules > IMAGE_RULES_MAX || (im->n_rules > 0 && im->rules == NULL) ||
        im->n_rule_names > im->n_rules || (im->n_rule_names > 0 && im->rule_names == NULL))
        return refuse(error, cap, "image is damaged: rules");
    for (uint32_t i = 0; i < im->n_rules; i++)
        if (!is_rule_sound(im, &im->rules[i]))
            return refuse(error, cap, "image is damaged: a rule");
    return 0;
}

static bool
is_table_sound(const struct policy_image *im, const struct image_table *t)
{
    if (t->kind >= IMAGE_TABLE_COUNT || t->value >= IMAGE_TABLE_OF_COUNT || t->n_rows > IMAGE_TABLE_MAX ||
        (t->n_rows > 0 && t->rows == NULL) || (t->key_column.ptr == NULL) != (t->value_column.ptr == NULL))
        return false;
    for (uint32_t i = 0; i < t->n_rows && t->value == IMAGE_TABLE_OF_BACKEND; i++)
        if (t->rows[i].whole < 0 || t->rows[i].whole >= (int64_t)im->n_backends)
            return false;
    return true;
}

/* Checks every table and index that the rest of the room uses without a further check. */
static int
check_tables(const struct policy_image *im, char *error, size_t cap)
{
    const uint32_t counts[] = { im->n_sources,  im->n_sites,     im->n_names,        im->n_regexes,
                                im->n_backends, im->n_probes,    im->n_acls,         im->n_tables,
                                im->n_counters, im->n_instances, im->n_storages,     im->n_modules,
                                im->n_subs,     im->n_patterns,  im->n_pattern_sets, im->n_chains };
    const void *const tables[] = { im->sources,  im->sites,     im->names,        im->regexes,
                                   im->backends, im->probes,    im->acls,         im->tables,
                                   im->counters, im->instances, im->storages,     im->modules,
                                   im->subs,     im->patterns,  im->pattern_sets, im->chains };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] > IMAGE_TABLE_MAX || (counts[i] > 0 && tables[i] == NULL))
            return refuse(error, cap, "image is damaged: a table is missing or too long");
    if (im->n_imports > IMAGE_IMPORTS_MAX || (im->n_imports > 0 && im->imports == NULL))
        return refuse(error, cap, "image is damaged: imports");
    if (im->default_backend >= (int32_t)im->n_backends)
        return refuse(error, cap, "image is damaged: default backend");
    for (uint32_t i = 0; i < im->n_backends; i++)
        if (im->backends[i].probe >= (int32_t)im->n_probes)
            return refuse(error, cap, "image is damaged: probe of a backend");
    for (uint32_t i = 0; i < im->n_tables; i++)
        if (!is_table_sound(im, &im->tables[i]))
            return refuse(error, cap, "image is damaged: a table of the policy");
    for (uint32_t i = 0; i < im->n_counters; i++)
        if (im->counters[i].n_labels > COUNTER_LABELS_MAX ||
            (im->counters[i].n_labels > 0 && im->counters[i].labels == NULL))
            return refuse(error, cap, "image is damaged: a counter of the policy");
    for (uint32_t i = 0; i < im->n_instances; i++)
        if (im->instances[i].fini_import >= (int32_t)im->n_imports)
            return refuse(error, cap, "image is damaged: destructor of an instance");
    for (uint32_t i = 0; i < HOOK_COUNT; i++)
        if (im->hooks[i] == NULL)
            return refuse(error, cap, "image is damaged: a hook is missing");
    int err = check_rules(im, error, cap);
    return err != 0 ? err : check_patterns(im, error, cap);
}

static int
check_header(const struct policy_image *im, char *error, size_t cap)
{
    if (im->magic != VERNIS_POLICY_MAGIC)
        return refuse(error, cap, "not a compiled policy: wrong magic number");
    if (im->abi_version != VERNIS_ABI_VERSION) {
        snprintf(
            error, cap,
            "compiled for version %u of the policy contract, this runtime has version %u: compile it again",
            (unsigned)im->abi_version, VERNIS_ABI_VERSION);
        return ERR_SYNTAX;
    }
    if (memcmp(im->abi_digest, abi_digest, sizeof abi_digest) != 0)
        return refuse(error, cap,
                      "compiled for another build of the runtime (ABI digest differs): compile it again");
    return check_tables(im, error, cap);
}

static int
open_modules(struct policy_code *code, char *error, size_t cap)
{
    const struct policy_image *im = code->image;
    code->modules = mem_zalloc((im->n_modules + 1) * sizeof *code->modules);
    for (uint32_t i = 0; i < im->n_modules; i++) {
        int err = module_open(im->modules[i].name, im->modules[i].path, &code->modules[i], error, cap);
        if (err != 0)
            return err;
    }
    return 0;
}

/* After a failed open_modules the remaining entries are NULL. */
static void
close_modules(struct policy_code *code)
{
    for (uint32_t i = 0; code->modules != NULL && i < code->image->n_modules; i++)
        module_close(&code->modules[i]);
    free(code->modules);
}

/* Resolves "module.symbol" among the modules of the image. */
static void *
resolve_foreign(const struct policy_code *code, const struct image_import *want, size_t module_len,
                char *error, size_t cap)
{
    struct span module = span_of(want->name.ptr, module_len);
    for (uint32_t i = 0; i < code->image->n_modules; i++)
        if (span_eq(code->image->modules[i].name, module))
            return module_function(code->modules[i], want, error, cap);
    refuse(error, cap, "image is damaged: a module is missing");
    return NULL;
}

static int
resolve_imports(struct policy_code *code, char *error, size_t cap)
{
    const struct policy_image *im = code->image;
    for (uint32_t i = 0; i < im->n_imports; i++) {
        const struct image_import *want = &im->imports[i];
        const char *dot = memchr(want->name.ptr, '.', want->name.len);
        if (dot != NULL) {
            code->imports[i] = resolve_foreign(code, want, (size_t)(dot - want->name.ptr), error, cap);
            if (code->imports[i] == NULL)
                return ERR_SYNTAX;
            continue;
        }
        const struct policy_export *have = export_find(want->name);
        if (have == NULL) {
            snprintf(error, cap, "the policy needs \"%.*s\", which this runtime does not have",
                     (int)want->name.len, want->name.ptr);
            return ERR_SYNTAX;
        }
        if (export_hash(want->name, span_str(have->signature)) != want->signature) {
            snprintf(error, cap, "the policy uses \"%.*s\" with another signature than this runtime's %s",
                     (int)want->name.len, want->name.ptr, have->signature);
            return ERR_SYNTAX;
        }
        code->imports[i] = (void *)have->fn;
    }
    return 0;
}

int
code_of_image(const struct policy_image *image, unsigned n_slots, struct policy_code **out, char *error,
              size_t error_cap)
{
    int err = check_header(image, error, error_cap);
    if (err != 0)
        return err;
    struct policy_code *code = mem_zalloc(sizeof *code + image->n_imports * sizeof code->imports[0]);
    code->image = image;
    code->chains = image->chains;
    code->n_chains = image->n_chains;
    code->n_slots = n_slots;
    code->inside = use_counts_new(n_slots);
    code->rules = rule_counts_new(image->n_rules, n_slots - 1);
    for (unsigned hook = 0; hook < HOOK_COUNT; hook++)
        policy_constant_records(hook, image->effects[hook].constant, &code->constants[hook]);
    err = open_modules(code, error, error_cap);
    if (err == 0)
        err = resolve_imports(code, error, error_cap);
    if (err == 0)
        *out = code;
    else
        code_close(&code);
    return err;
}

int
code_open(const char *path, unsigned n_slots, struct policy_code **out, char *error, size_t error_cap)
{
    char full[4096];
    /* dlopen searches the library path for a name without a slash. */
    int n = snprintf(full, sizeof full, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    if (n < 0 || (size_t)n >= sizeof full)
        return refuse(error, error_cap, "file name too long");
    int err = seal_check(full, error, error_cap);
    if (err != 0)
        return err;
    void *handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        snprintf(error, error_cap, "cannot open the compiled policy: %s", dlerror());
        return ERR_SYS;
    }
    const struct policy_image *image = dlsym(handle, VERNIS_POLICY_SYMBOL);
    err = image != NULL
            ? code_of_image(image, n_slots, out, error, error_cap)
            : refuse(error, error_cap, "not a compiled policy: symbol " VERNIS_POLICY_SYMBOL " is missing");
    if (err == 0)
        (*out)->handle = handle;
    else
        dlclose(handle);
    return err;
}

void
code_close(struct policy_code **code)
{
    struct policy_code *c = *code;
    if (c == NULL)
        return;
    *code = NULL;
    free(c->inside);
    rule_counts_release(&c->rules);
    close_modules(c);
    if (c->handle != NULL)
        dlclose(c->handle);
    free(c);
}
