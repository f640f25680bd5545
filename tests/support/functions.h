/* Calls functions as a policy would, by name and signature, in a transaction with one request. */
#ifndef VERNIS_TESTS_SUPPORT_FUNCTIONS_H
#define VERNIS_TESTS_SUPPORT_FUNCTIONS_H

#include "support/image.h"

static struct arena arena;
static struct policy_image image;
static struct policy *policy;
static struct policy_ctx ctx;
static struct client_vars client;
static struct http_message req;

static inline void
begin(void)
{
    static const struct policy_env env;
    image = image_empty();
    policy = image_load(&env, &image);
    policy_ctx_init(&ctx, policy, NULL, &arena);
    client = (struct client_vars){ 0 };
    client_vars_fill(&client);
    EXPECT_EQ_INT(message_init(&req, &arena, 32), 0);
    ctx.client = &client;
    ctx.msg[MSG_REQ] = &req;
    ctx.hook = HOOK_RECV;
}

static inline void
end(void)
{
    policy_unload(&policy);
    arena_release(&arena);
}

static inline void *
function(const char *name, const char *signature)
{
    const struct policy_export *row = export_find(span_str(name));
    if (!EXPECT(row != NULL))
        abort();
    EXPECT_EQ_STR(span_str(row->signature), signature);
    return (void *)row->fn;
}

#define F(shape, name, signature) ((shape)function(name, signature))
#define S(text) SPAN_LIT(text)

static inline bool
failed(void) /* resets the mark */
{
    bool was = ctx.failed != 0;
    ctx.failed = 0;
    ctx.failed_why = NULL;
    return was;
}

/* ---- shapes ---- */
typedef struct span text_fn(struct policy_ctx *, struct span);
typedef struct span text2_fn(struct policy_ctx *, struct span, struct span);
typedef struct span of_real_fn(struct policy_ctx *, double);
typedef struct span of_int_fn(struct policy_ctx *, int64_t);
typedef struct span of_ip_fn(struct policy_ctx *, const struct vcl_ip *);
typedef struct span of_blob_fn(struct policy_ctx *, const struct vcl_blob *);
typedef void set_text_fn(struct policy_ctx *, struct span);
typedef struct span get_text_fn(struct policy_ctx *);

#endif
