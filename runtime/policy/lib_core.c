/* Runtime side of policy operations: declared things by index, header fields, matching, the arguments of
 * return, cache key, synthetic body. The image supplies the indices, checked against its tables. */
#include "base/check.h"
#include "http/fields.h"
#include "log/txn.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/vars_text.h"

#define SITE_TEXT_BYTES 256 /* longer names of files are cut */

void
vcl_fail_arith(struct policy_ctx *ctx)
{
    vcl_fail(ctx, "arithmetic: division by zero, or a result out of range");
}

void
vcl_fail_stack(struct policy_ctx *ctx)
{
    vcl_fail(ctx, "nested calls of subs need more stack than a fiber has");
}

/* ---- declared things ----------------------------------------------------------------------------------- */

struct director *
vcl_ref_backend(struct policy_ctx *ctx, int64_t i)
{
    CHECK((uint64_t)i < ctx->policy->n_backends);
    struct director *d = backend_director(ctx->policy->backends[i]);
    return director_is_none(d) ? NULL : d; /* `backend x none;` declares a name without a backend */
}

const struct acl *
vcl_ref_acl(struct policy_ctx *ctx, int64_t i)
{
    CHECK((uint64_t)i < ctx->policy->n_acls);
    return ctx->policy->acls[i];
}

const struct image_probe *
vcl_ref_probe(struct policy_ctx *ctx, int64_t i)
{
    CHECK((uint64_t)i < ctx->policy->n_probes);
    return &ctx->policy->probes[i];
}

const struct regex *
vcl_ref_regex(struct policy_ctx *ctx, int64_t i)
{
    CHECK((uint64_t)i < ctx->policy->n_regexes);
    return ctx->policy->regexes[i];
}

struct storage *
vcl_ref_stevedore(struct policy_ctx *ctx, int64_t i)
{
    CHECK((uint64_t)i < ctx->policy->n_storages);
    return ctx->policy->storages[i];
}

/* NULL means that the object's `new` did not run. The compiler cannot see this when `new` stands in an
 * `if`. */
void *
vcl_ref_instance(struct policy_ctx *ctx, int64_t i)
{
    CHECK((uint64_t)i < ctx->policy->n_instances);
    void *instance = ctx->policy->instances[i];
    if (instance == NULL)
        vcl_fail(ctx, "an object is used before it was made");
    return instance;
}

/* Finalizes an instance that the policy cannot keep, because nothing else refers to it. */
static void
refuse_instance(struct policy_ctx *ctx, const struct image_instance *im, void *instance)
{
    vcl_fail(ctx, "an object could not be created, or was created twice");
    if (instance != NULL && im->fini_import >= 0)
        ((void (*)(struct policy_ctx *, void *))ctx->imports[im->fini_import])(ctx, instance);
}

void
vcl_set_instance(struct policy_ctx *ctx, int64_t i, void *instance)
{
    struct policy *p = ctx->policy;
    CHECK((uint64_t)i < p->n_instances && ctx->hook == HOOK_INIT);
    if (p->instances[i] != NULL || instance == NULL) {
        refuse_instance(ctx, &policy_image(p)->instances[i], instance);
        return;
    }
    p->instances[i] = instance;
    /* Name the director here, because its constructor does not get the name. */
    for (unsigned d = 0; d < p->n_directors; d++)
        if ((void *)p->directors[d] == instance)
            p->directors[d]->name = arena_copy(&p->arena, policy_image(p)->instances[i].name);
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static struct http_message *
message_of(struct policy_ctx *ctx, int64_t msg)
{
    CHECK((uint64_t)msg < MSG_COUNT);
    return msg == MSG_OBJ ? message_of_object(ctx) : ctx->msg[msg];
}

static name_id
name_of(struct policy_ctx *ctx, int64_t name)
{
    CHECK((uint64_t)name < ctx->policy->n_names);
    return ctx->policy->names[name];
}

struct span
vcl_header_get(struct policy_ctx *ctx, int64_t msg, int64_t name)
{
    const struct http_message *m = message_of(ctx, msg);
    name_id id = name_of(ctx, name);
    return m == NULL || message_lacks(m, id) ? SPAN_NULL : message_get_named(m, id, SPAN_NULL);
}

/* Is the value that of the field already, not a copy of it? Such as the result of a regsub without a match.
 */
static bool
is_value_of(const struct http_message *m, name_id id, struct span value)
{
    if (message_lacks(m, id))
        return false;
    struct span now = message_get_named(m, id, SPAN_NULL);
    return now.ptr == value.ptr && now.len == value.len;
}

void
vcl_header_set(struct policy_ctx *ctx, int64_t msg, int64_t name, struct span value)
{
    struct http_message *m = message_of(ctx, msg);
    name_id id = name_of(ctx, name);
    struct span spelling = ctx->policy->spellings[name];
    if (m == NULL) {
        vcl_fail(ctx, "cannot set a header field: the message does not exist in this hook");
    } else if (!is_field_value(value)) {
        vcl_fail_printf(ctx, "Bad header %.*s: %.*s", (int)name_text(id).len, name_text(id).ptr,
                        (int)value.len, value.ptr);
    } else {
        if ((value.ptr != ctx->fresh || ctx->arena != m->arena) && !is_value_of(m, id, value))
            value = vcl_keep(ctx, m->arena, value);
        if (spelling.ptr != NULL)
            spelling = vcl_keep(ctx, m->arena, spelling);
        if (!ctx->failed && message_set_sound(m, id, spelling, value) != 0)
            vcl_fail(ctx, "too many header fields, or out of workspace");
    }
}

void
vcl_header_unset(struct policy_ctx *ctx, int64_t msg, int64_t name)
{
    struct http_message *m = message_of(ctx, msg);
    name_id id = name_of(ctx, name);
    if (m != NULL)
        message_unset(m, id, SPAN_NULL);
}

/* ---- matching ------------------------------------------------------------------------------------------ */

void
fail_match_limit(struct policy_ctx *ctx)
{
    vcl_fail(ctx, "Regexp matching failed: match limit exceeded (pcre2_match_limit, pcre2_depth_limit)");
}

int32_t
vcl_regex_match(struct policy_ctx *ctx, int64_t i, struct span subject)
{
    int result = regex_match(vcl_ref_regex(ctx, i), subject);
    if (result < 0)
        fail_match_limit(ctx);
    return result > 0;
}

int32_t
vcl_acl_match(struct policy_ctx *ctx, int64_t i, const struct vcl_ip *ip)
{
    const struct acl *acl = vcl_ref_acl(ctx, i);
    if (ip == NULL) {
        vcl_fail(ctx, "Cannot match a null IP address");
        return 0;
    }
    struct acl_verdict v = acl_look_up(acl, ip);
    acl_log(acl, &v, log_of(ctx));
    return v.match;
}

bool
vcl_withheld(struct policy_ctx *ctx, const char *what, struct span of)
{
    struct explainer *e = ctx->client == NULL ? NULL : ctx->client->explainer;
    if (e != NULL)
        e->withheld(e, ctx, what, of);
    return e != NULL;
}

/* ---- safety checks ------------------------------------------------------------------------------------- */

/* One record for each check and run of a hook: "allow: cookie (main.vcl:12:5)". */
static void
log_waived(struct policy_ctx *ctx, uint32_t mask)
{
    static const struct span names[] = SAFETY_NAMES;
    char place[SITE_TEXT_BYTES];
    if (!log_wants(TAG_VCL_LOG))
        return;
    (void)policy_site(ctx, place, sizeof place);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if ((mask >> i & 1) != 0)
            log_printf(log_of(ctx), TAG_VCL_LOG, "allow: %s (%s)", names[i].ptr, place);
}

void
vcl_allow(struct policy_ctx *ctx, int64_t mask)
{
    uint32_t waived = (uint32_t)mask & ~ctx->allowed;
    ctx->allowed |= waived;
    if (waived != 0)
        log_waived(ctx, waived);
}

int32_t
vcl_allowed(struct policy_ctx *ctx, int64_t mask)
{
    return ((uint32_t)mask & ~ctx->allowed) == 0;
}

/* ---- arguments of return ------------------------------------------------------------------------------- */

static void
set_return(struct policy_ctx *ctx, int64_t status, struct span text)
{
    ctx->ret.status = status;
    ctx->ret.text = text.ptr == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, text);
}

void
vcl_return_synth(struct policy_ctx *ctx, int64_t status, struct span reason)
{
    if (is_status(ctx, status, "return(synth()) status code"))
        set_return(ctx, status, reason);
}

void
vcl_return_error(struct policy_ctx *ctx, int64_t status, struct span reason)
{
    if (is_status(ctx, status, "return(error()) status code"))
        set_return(ctx, status, reason);
}

void
vcl_return_pass(struct policy_ctx *ctx, double seconds)
{
    ctx->ret.seconds = seconds > 0 ? seconds : 0;
    if (ctx->fetch == NULL)
        return;
    ctx->fetch->hit_for_pass = ctx->ret.seconds;
    log_printf(ctx->log, TAG_TTL, "HFP %.0f %.0f %.0f %.0f uncacheable", ctx->ret.seconds, 0.0, 0.0,
               ctx->fetch->time_resp - ctx->fetch->age);
}

void
vcl_return_fail(struct policy_ctx *ctx, struct span message)
{
    set_return(ctx, 0, message);
}

void
vcl_return_vcl(struct policy_ctx *ctx, struct span label)
{
    set_return(ctx, 0, label);
}

/* ---- cache key and synthetic body ---------------------------------------------------------------------- */

static void
hash(struct policy_ctx *ctx, struct span text,
     void (*add)(struct cache_key *k, struct arena *a, struct span piece))
{
    struct client_vars *c = client_of(ctx);
    CHECK(c != NULL);
    if (c->explainer != NULL)
        c->explainer->key_part(c->explainer, ctx, text, add == key_add);
    if (log_wants(TAG_HASH) && text.ptr != NULL)
        log_text(ctx->log, TAG_HASH, text);
    add(&c->key, ctx->arena, text);
    if (c->key.failed)
        vcl_fail(ctx, "the cache key is too long, or out of workspace");
}

void
vcl_hash_data(struct policy_ctx *ctx, struct span text)
{
    hash(ctx, text, key_add);
}

/* One part of a "+" expression in hash_data(). Each part gets its own log record, so the parts are never
 * joined. */
void
vcl_hash_part(struct policy_ctx *ctx, struct span text)
{
    hash(ctx, text, key_add_part);
}

/* Returns the body of the synthetic response. In vcl_backend_error it belongs to the fetch. */
static struct span *
body_of(struct policy_ctx *ctx)
{
    if (ctx->hook == HOOK_BACKEND_ERROR || ctx->client == NULL)
        return ctx->fetch != NULL ? &ctx->fetch->synth_body : NULL;
    return &ctx->client->synth_body;
}

static void
body_put(struct policy_ctx *ctx, struct span text, bool append)
{
    struct span *body = body_of(ctx);
    if (body == NULL) {
        vcl_fail(ctx, "this hook has no body to set");
        return;
    }
    size_t before = append ? body->len : 0;
    char *both = vcl_alloc(ctx, before + text.len + 1);
    if (both == NULL)
        return;
    if (before > 0)
        memcpy(both, body->ptr, before);
    if (text.len > 0)
        memcpy(both + before, text.ptr, text.len);
    *body = span_of(both, before + text.len);
}

void
vcl_synthetic(struct policy_ctx *ctx, struct span text)
{
    body_put(ctx, text.ptr != NULL ? text : SPAN_LIT("(null)"), true);
}

void
vcl_set_body(struct policy_ctx *ctx, struct span text)
{
    body_put(ctx, text, false);
}

void
vcl_append_body(struct policy_ctx *ctx, struct span text)
{
    body_put(ctx, text, true);
}

void
vcl_set_body_blob(struct policy_ctx *ctx, const struct vcl_blob *blob)
{
    body_put(ctx, blob != NULL ? span_of(blob->ptr, blob->len) : SPAN_NULL, false);
}

void
vcl_append_body_blob(struct policy_ctx *ctx, const struct vcl_blob *blob)
{
    body_put(ctx, blob != NULL ? span_of(blob->ptr, blob->len) : SPAN_NULL, true);
}

struct director *
vcl_backend_resolve(struct policy_ctx *ctx, struct director *d)
{
    struct backend *b = d == NULL ? NULL : director_resolve(d, ctx);
    return b == NULL ? NULL : backend_director(b);
}
