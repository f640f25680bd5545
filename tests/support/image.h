/* Images written by hand: hooks are C functions of the test, and imports have name and signature as from a
 * compiler. A test fills in a few members; everything else is an empty policy with the actions of the builtin
 * policy. */
#ifndef VERNIS_TESTS_SUPPORT_IMAGE_H
#define VERNIS_TESTS_SUPPORT_IMAGE_H

#include <stdlib.h>

#include "abi_digest.h"
#include "http/names.h"
#include "policy/exports.h"
#include "policy/state.h"
#include "support/on_loop.h"
#include "test.h"

#define IMPORTS_MAX 32

static int32_t
hook_ok(struct policy_ctx *ctx)
{
    return ACTION_OK;
}
static int32_t
hook_deliver(struct policy_ctx *ctx)
{
    return ACTION_DELIVER;
}

static const struct span image_files[] = { { "a.vcl", 5 } };
static const struct image_source image_sources[] = { { { "a.vcl", 5 }, { "vcl 4.1;", 8 } } };
static const struct image_site image_sites[] = { { 0, 1, 1 }, { 0, 7, 3 }, { 0, 12, 5 } };
static struct image_import image_imports[IMPORTS_MAX];

static inline struct policy_image
image_empty(void)
{
    struct policy_image im = {
        .magic = VERNIS_POLICY_MAGIC,
        .abi_version = VERNIS_ABI_VERSION,
        .abi_digest = VERNIS_ABI_DIGEST,
        .name = image_files[0],
        .sources = image_sources,
        .n_sources = 1,
        .sites = image_sites,
        .n_sites = 3,
        .default_backend = -1,
        .imports = image_imports,
    };
    for (int i = 0; i < HOOK_COUNT; i++)
        im.hooks[i] = i >= HOOK_INIT ? hook_ok : hook_deliver;
    names_init();
    return im;
}

/* Imports a function. Returns its index in ctx->imports. */
static inline uint32_t
image_import(struct policy_image *im, const char *name, const char *signature)
{
    image_imports[im->n_imports] = (struct image_import){ span_str(name),
                                                          export_hash(span_str(name), span_str(signature)) };
    return im->n_imports++;
}

#define IMPORTED(ctx, index, shape) ((shape *)(ctx)->imports[index])

static inline struct policy *
image_load(const struct policy_env *env, const struct policy_image *im)
{
    struct policy *p = NULL;
    char error[512] = "";
    int err = policy_load_image(env, SPAN_LIT("p"), im, &p, error, sizeof error);
    if (!EXPECT_EQ_INT(err, 0))
        fprintf(stderr, "load: %s\n", error);
    return p;
}

#endif
