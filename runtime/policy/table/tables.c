/* Sets of tables: see tables.h. */
#include "policy/table/tables.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/params.h"
#include "policy/exports.h"
#include "policy/state.h"
#include "policy/table/value.h"

static_assert((int)TABLE_KINDS == (int)IMAGE_TABLE_COUNT && (int)TABLE_IP == (int)IMAGE_TABLE_IP &&
                  (int)TABLE_SUFFIX == (int)IMAGE_TABLE_SUFFIX &&
                  (int)TABLE_PREFIX == (int)IMAGE_TABLE_PREFIX,
              "kinds of tables have the same numbers in match/ and in images");

struct shared_table { /* admin thread */
    struct table *table;
    unsigned sets; /* that have it */
    unsigned live; /* those of them that new transactions may get; 0: `replaced_bytes` has its bytes */
};

struct table_set {
    struct list link; /* of `retired` */
    bool seen;        /* by every loop that it is retired */
    bool replaced;    /* no new transaction gets it */
    unsigned n, n_slots;
    struct use_count *holders; /* one for each loop, and the last for threads without one */
    struct shared_table *tables[];
};

struct declared {
    struct span name, file, key_column, value_column;
    enum table_kind kind;
    enum image_table_value value;
    bool replaceable;
};

struct tables {
    struct declared *declared;
    _Atomic(struct table_set *) current;
    unsigned n;
    struct arena texts;
};

static struct list retired;     /* struct table_set; admin thread */
static uint64_t replaced_bytes; /* of tables without a live set; admin thread */

/* ---- sets ---------------------------------------------------------------------------------------------- */

static struct table_set *
set_new(unsigned n, unsigned n_slots)
{
    struct table_set *s = mem_zalloc(sizeof *s + n * sizeof *s->tables);
    s->n = n;
    s->n_slots = n_slots;
    s->holders = use_counts_new(n_slots);
    return s;
}

static void
set_put(struct table_set *s, unsigned i, struct shared_table *t)
{
    s->tables[i] = t;
    t->sets++;
    t->live++;
}

static uint64_t
bytes_of(const struct shared_table *t)
{
    return t->table == NULL ? 0 : table_bytes(t->table);
}

static void
set_replaced(struct table_set *s)
{
    for (unsigned i = 0; !s->replaced && i < s->n; i++)
        if (s->tables[i] != NULL && --s->tables[i]->live == 0)
            replaced_bytes += bytes_of(s->tables[i]);
    s->replaced = true;
}

static void
set_free(struct table_set *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        struct shared_table *t = s->tables[i];
        if (t == NULL || --t->sets > 0)
            continue;
        replaced_bytes -= bytes_of(t);
        table_release(&t->table);
        free(t);
    }
    free(s->holders);
    free(s);
}

static void
retire(struct table_set *s, bool seen)
{
    if (retired.next == NULL)
        list_init(&retired);
    set_replaced(s);
    s->seen = seen;
    list_push_back(&retired, &s->link);
}

void
tables_seen_by_all(void)
{
    if (retired.next == NULL)
        return;
    list_each(it, &retired) container_of(it, struct table_set, link)->seen = true;
}

bool
tables_collect(void)
{
    if (retired.next == NULL)
        return false;
    list_each(it, &retired)
    {
        struct table_set *s = container_of(it, struct table_set, link);
        if (!s->seen || use_sum(s->holders, s->n_slots) > 0)
            continue;
        list_remove(&s->link);
        set_free(s);
    }
    return !list_empty(&retired);
}

void
policy_tables_discarded(struct policy *p)
{
    if (p->tables != NULL)
        set_replaced(atomic_load(&p->tables->current));
}

bool
tables_hold_too_much(char *error, size_t cap)
{
    (void)tables_collect();
    if (replaced_bytes <= params.tables_replaced_max_bytes)
        return false;
    snprintf(error, cap,
             "transactions still hold %" PRIu64
             " MB of replaced rows, more than tables_replaced_max (%" PRIu64
             " MB): try again when they have ended",
             replaced_bytes / (1u << 20), (uint64_t)params.tables_replaced_max_bytes / (1u << 20));
    return true;
}

/* ---- pins ---------------------------------------------------------------------------------------------- */

static struct table_pin *
pin_of(const struct policy_ctx *ctx)
{
    if (in_hooks(ctx, HOOKS_BACKEND))
        return ctx->fetch != NULL ? &ctx->fetch->tables : NULL;
    return ctx->client != NULL ? &ctx->client->tables : NULL;
}

static void
take_pin(struct table_pin *pin, const struct policy_ctx *ctx)
{
    const struct table_set *s = atomic_load(&ctx->policy->tables->current);
    unsigned slot = ctx->loop == NULL ? s->n_slots - 1 : loop_id(ctx->loop);
    *pin = (struct table_pin){ .set = s, .holders = &s->holders[slot].n };
    atomic_fetch_add_explicit(pin->holders, 1, memory_order_relaxed);
}

void
table_pin_release(struct table_pin *pin)
{
    if (pin->set != NULL)
        atomic_fetch_sub_explicit(pin->holders, 1, memory_order_release);
    *pin = (struct table_pin){ 0 };
}

/* vcl_init and vcl_fini run on the admin thread, which frees sets, so they need no pin. */
const struct table *
table_of_transaction(struct policy_ctx *ctx, int64_t i)
{
    struct tables *all = ctx->policy->tables;
    struct table_pin *pin = pin_of(ctx);
    if (pin != NULL && pin->set == NULL)
        take_pin(pin, ctx);
    const struct table_set *s = pin != NULL ? pin->set : atomic_load(&all->current);
    CHECK((uint64_t)i < s->n);
    return s->tables[i]->table;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static struct table_form
form_of(const struct declared *d, struct value_reader *reader, const char *path)
{
    return (struct table_form){ .kind = d->kind,
                                .format = table_format_of(path),
                                .key_column = d->key_column,
                                .value_column = d->value_column,
                                .texts = d->value == IMAGE_TABLE_OF_STRING,
                                .value = value_of_text,
                                .arg = reader };
}

static int
read_rows(const struct policy_image *im, const struct image_table *from, struct table **out,
          struct table_error *error)
{
    struct value_reader reader = { .image = im, .type = (enum image_table_value)from->value };
    struct table_build *b = table_begin((enum table_kind)from->kind);
    uint8_t network[TABLE_NETWORK_BYTES];
    int err = 0;
    *error = (struct table_error){ .text = "the image is damaged" };
    for (uint32_t i = 0; i < from->n_rows && err == 0; i++) {
        struct span key = from->rows[i].key, value = SPAN_NULL;
        err = value_of_row(&reader, &from->rows[i], &value);
        if (err == 0 && from->kind == IMAGE_TABLE_IP) {
            unsigned bytes = key.len == 5 ? 4 : 16;
            if (key.len != bytes + 1 || (uint8_t)key.ptr[bytes] > 8 * bytes)
                err = ERR_SYNTAX;
            else
                key = table_network(network, bytes == 4 ? 4 : 6, (const uint8_t *)key.ptr,
                                    (uint8_t)key.ptr[bytes]);
        }
        if (err == 0)
            err = table_add(b, key, value, (struct table_place){ .line = i + 1 }, error);
    }
    if (err == 0)
        return table_end(&b, out, error);
    table_cancel(&b);
    return err;
}

static int
read_file(const struct policy_image *im, const struct declared *d, const char *path, struct table **out,
          struct table_error *error)
{
    struct value_reader reader = { .image = im, .type = d->value };
    struct table_form form = form_of(d, &reader, path);
    return table_read_file(&form, path, out, error);
}

/* The file that stands in for that of the image, after a worker has died. */
static char *const *
kept_file(const struct policy_env *env, struct span name)
{
    for (char *const *at = env->table_files; at != NULL && at[0] != NULL && at[1] != NULL && at[2] != NULL;
         at += 3)
        if (span_eq(span_str(at[0]), name))
            return at;
    return NULL;
}

/* ---- the life of a policy's tables --------------------------------------------------------------------- */

static void
declare(struct tables *all, struct declared *d, const struct image_table *from)
{
    *d = (struct declared){ .name = arena_copy(&all->texts, from->name),
                            .file = arena_copy(&all->texts, from->file),
                            .key_column = arena_copy(&all->texts, from->key_column),
                            .value_column = arena_copy(&all->texts, from->value_column),
                            .kind = (enum table_kind)from->kind,
                            .value = (enum image_table_value)from->value,
                            .replaceable = from->file.ptr != NULL };
}

static int
build_one(const struct policy_env *env, const struct policy_image *im, struct tables *all, unsigned i,
          struct table_set *set, char *error, size_t cap)
{
    struct declared *d = &all->declared[i];
    struct shared_table *shared = mem_zalloc(sizeof *shared);
    struct table_error why;
    declare(all, d, &im->tables[i]);
    char *const *kept = d->replaceable ? kept_file(env, d->name) : NULL;
    if (kept != NULL)
        d->file = arena_copy(&all->texts, span_str(kept[2]));
    int err = d->replaceable ? read_file(im, d, kept != NULL ? kept[1] : d->file.ptr, &shared->table, &why)
                             : read_rows(im, &im->tables[i], &shared->table, &why);
    set_put(set, i, shared);
    if (err != 0 && !d->replaceable)
        snprintf(error, cap, "table \"%.*s\", row %u: %s", (int)d->name.len, d->name.ptr,
                 (unsigned)why.at.line, why.text);
    else if (err != 0 && why.at.line > 0)
        snprintf(error, cap, "table \"%.*s\": %.*s:%u:%u: %s", (int)d->name.len, d->name.ptr,
                 (int)d->file.len, d->file.ptr, (unsigned)why.at.line, (unsigned)why.at.column, why.text);
    else if (err != 0)
        snprintf(error, cap, "table \"%.*s\": %.*s: %s", (int)d->name.len, d->name.ptr, (int)d->file.len,
                 d->file.ptr, why.text);
    return err;
}

static bool
has_files(const struct policy_image *im)
{
    for (uint32_t i = 0; i < im->n_tables; i++)
        if (im->tables[i].file.ptr != NULL)
            return true;
    return false;
}

int
tables_new(const struct policy_env *env, const struct policy_image *im, struct tables **out, char *error,
           size_t cap)
{
    int err = 0;
    if (im->n_tables == 0)
        return 0;
    if (im->n_tables > TABLES_MAX) {
        snprintf(error, cap, "a policy has at most %u tables", TABLES_MAX);
        return ERR_LIMIT;
    }
    if (has_files(im) && tables_hold_too_much(error, cap))
        return ERR_LIMIT;
    struct tables *all = mem_zalloc(sizeof *all);
    arena_init(&all->texts, 0);
    all->n = im->n_tables;
    all->declared = mem_zalloc(all->n * sizeof *all->declared);
    struct table_set *set = set_new(all->n, env->n_loops + 1);
    atomic_init(&all->current, set);
    *out = all;
    for (unsigned i = 0; i < all->n && err == 0; i++)
        err = build_one(env, im, all, i, set, error, cap);
    return err;
}

void
tables_release(struct tables **tables)
{
    struct tables *all = *tables;
    if (all == NULL)
        return;
    *tables = NULL;
    retire(atomic_load(&all->current), true);
    (void)tables_collect();
    arena_release(&all->texts);
    free(all->declared);
    free(all);
}

unsigned
tables_count(const struct tables *all)
{
    return all == NULL ? 0 : all->n;
}

/* ---- for commands -------------------------------------------------------------------------------------- */

unsigned
policy_tables(const struct policy *p)
{
    return tables_count(p->tables);
}

void
policy_table_info(const struct policy *p, unsigned i, struct table_info *out)
{
    CHECK(i < tables_count(p->tables));
    const struct declared *d = &p->tables->declared[i];
    *out = (struct table_info){ .name = d->name,
                                .file = d->file,
                                .kind = d->kind,
                                .value = d->value,
                                .table = atomic_load(&p->tables->current)->tables[i]->table,
                                .replaceable = d->replaceable };
}

int
policy_find_table(const struct policy *p, struct span name)
{
    for (unsigned i = 0; i < tables_count(p->tables); i++)
        if (span_eq(p->tables->declared[i].name, name))
            return (int)i;
    return ERR_NOTFOUND;
}

int
policy_read_table(const struct policy *p, unsigned i, const char *path, struct table **out,
                  struct table_error *error)
{
    CHECK(i < tables_count(p->tables));
    return read_file(policy_image(p), &p->tables->declared[i], path, out, error);
}

static void
publish(struct tables *all, unsigned i, struct table **t)
{
    struct table_set *old = atomic_load(&all->current), *new = set_new(old->n, old->n_slots);
    struct shared_table *shared = mem_zalloc(sizeof *shared);
    shared->table = *t;
    *t = NULL;
    for (unsigned k = 0; k < old->n; k++)
        set_put(new, k, k == i ? shared : old->tables[k]);
    atomic_store(&all->current, new);
    retire(old, false);
}

void
policy_put_table(struct policy *p, unsigned i, struct table **t, struct span file)
{
    struct tables *all = p->tables;
    CHECK(i < tables_count(all) && all->declared[i].replaceable && *t != NULL);
    all->declared[i].file = arena_copy(&all->texts, file);
    publish(all, i, t);
}

/* The rows but that of `key`, then the new one. */
static int
with_row(const struct table *old, struct span key, struct span value, struct table **out,
         struct table_error *error)
{
    static const struct table_place nowhere = { 0 };
    struct table_build *b = table_begin(table_kind(old));
    int err = 0;
    for (uint32_t row = table_first(old); row != TABLE_NO_ROW && err == 0; row = table_next(old, row))
        if (!span_eq(table_key(old, row), key))
            err = table_add(b, table_key(old, row), table_value(old, row), nowhere, error);
    if (err == 0 && value.ptr != NULL)
        err = table_add(b, key, value, nowhere, error);
    if (err == 0)
        return table_end(&b, out, error);
    table_cancel(&b);
    return err;
}

int
policy_put_row(struct policy *p, unsigned i, struct span key, struct span value, struct table_error *error)
{
    CHECK(i < tables_count(p->tables));
    const struct declared *d = &p->tables->declared[i];
    const struct table *old = atomic_load(&p->tables->current)->tables[i]->table;
    struct value_reader reader = { .image = policy_image(p), .type = d->value };
    uint8_t network[TABLE_NETWORK_BYTES];
    struct table *new = NULL;
    *error = (struct table_error){ 0 };
    int err = table_read_key(d->kind, key, network, &key, error->text, sizeof error->text);
    if (err == 0 && value.ptr != NULL)
        err = value_of_text(&reader, value, &value, error->text, sizeof error->text);
    if (err == 0)
        err = with_row(old, key, value, &new, error);
    if (err == 0)
        publish(p->tables, i, &new);
    return err;
}
