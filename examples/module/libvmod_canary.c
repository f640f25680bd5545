/* Module canary: which of several releases of a site a visitor gets. See docs/modules.md. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "module_abi.h"

#define RELEASES_MAX 16u
#define PATH_BYTES_MAX 1024u

static const struct vernis_api *api;

static struct vernis_text
text(const char *s)
{
    return (struct vernis_text){ s, strlen(s) };
}

/* FNV-1a, with its bits mixed once more: the low ones choose. */
static uint64_t
digest(struct vernis_text key)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < key.len; i++)
        h = (h ^ (unsigned char)key.ptr[i]) * 0x100000001b3u;
    h ^= h >> 32;
    return h * 0x9e3779b97f4a7c15u >> 16;
}

/* ---- object split: releases and their shares
 * ------------------------------------------------------------------------------ */

struct release {
    char *name;
    double share;
};

struct split {
    unsigned n;
    double total;
    struct release releases[RELEASES_MAX];
};

static void *
split_new(struct vernis_ctx *ctx)
{
    return calloc(1, sizeof(struct split));
}

static void
split_fini(struct vernis_ctx *ctx, void *object)
{
    struct split *s = object;
    for (unsigned i = 0; i < s->n; i++)
        free(s->releases[i].name);
    free(s);
}

/* In vcl_init only (the description says so), which nothing else runs beside. */
static void
split_add(struct vernis_ctx *ctx, void *object, struct vernis_text name, double share)
{
    struct split *s = object;
    if (s->n == RELEASES_MAX || name.len == 0 || !(share > 0)) {
        api->fail(ctx, text("canary: too many releases, one without a name, or one without a share"));
        return;
    }
    s->releases[s->n++] = (struct release){ strndup(name.ptr, name.len), share };
    s->total += share;
}

/* The same key has the same place between 0 and 1 always; releases lie one behind the other. */
static struct vernis_text
split_pick(struct vernis_ctx *ctx, void *object, struct vernis_text key)
{
    const struct split *s = object;
    if (s->n == 0)
        return (struct vernis_text){ NULL, 0 };
    double place = (double)(digest(key) & 0xffffffffu) / 4294967296.0 * s->total;
    unsigned i = 0;
    while (i + 1 < s->n && place >= s->releases[i].share)
        place -= s->releases[i++].share;
    return api->keep(ctx, text(s->releases[i].name)); /* the object may go before the transaction does */
}

/* ---- functions
 * ------------------------------------------------------------------------------------------------------------
 */

/* Sets a field once in a transaction: later calls, after a restart for instance, find it decided. */
static void
mark(struct vernis_ctx *ctx, struct vernis_text variable, struct vernis_text value)
{
    static const char owner;
    int *done = api->state(ctx, &owner, sizeof *done);
    struct vernis_text name;
    struct vernis_message *message = api->header_of(ctx, variable, &name);
    if (done == NULL || *done)
        return;
    *done = 1;
    api->header_set(ctx, message, name, value);
    api->log(ctx, value);
}

struct look {
    char path[PATH_BYTES_MAX];
    int32_t found;
};

static void
look(void *arg)
{
    struct look *l = arg;
    struct stat file;
    l->found = stat(l->path, &file) == 0;
}

static int32_t
halted(struct vernis_ctx *ctx, struct vernis_text path)
{
    struct look l = { .found = 0 };
    if (path.len == 0 || path.len >= sizeof l.path) {
        api->fail(ctx, text("canary.halted: the file's name is empty or too long"));
        return 0;
    }
    memcpy(l.path, path.ptr, path.len);
    api->wait(ctx, look, &l); /* a file system may take its time */
    return l.found;
}

static const char *
load(const struct vernis_api *given)
{
    api = given;
    return NULL;
}

static const struct vernis_row rows[] = {
    { "split_new", "INSTANCE()", (vernis_function *)split_new },
    { "split_fini", "VOID(INSTANCE)", (vernis_function *)split_fini },
    { "split_add", "VOID(INSTANCE,STRING,REAL)", (vernis_function *)split_add },
    { "split_pick", "STRING(INSTANCE,STRING)", (vernis_function *)split_pick },
    { "mark", "VOID(STRING,STRING)", (vernis_function *)mark },
    { "halted", "BOOL(STRING)", (vernis_function *)halted },
};

VERNIS_MODULE_EXPORT const struct vernis_module vernis_module = {
    .abi = VERNIS_MODULE_ABI,
    .name = "canary",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .load = load,
};
