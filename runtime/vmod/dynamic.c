/* Module dynamic: directors of host names. A name is a director that takes the backends of its addresses
 * in turn. A service is a director that picks a name by priority and weight. dynamic_names.c looks the
 * names up. */
#include "vmod/dynamic_names.h"

#include <limits.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "http/message.h"
#include "http/names.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/state.h"

/* ---- director operations ------------------------------------------------------------------------------- */

static struct name *
name_of(struct director *d)
{
    return container_of(d, struct name, director);
}

static struct backend *
next_of(struct name *m, const struct policy_ctx *ctx)
{
    struct backend *found = NULL;
    CHECK(pthread_mutex_lock(&m->of->lock) == 0);
    for (unsigned i = 0; i < m->n && found == NULL; i++) {
        struct backend *b = m->answer[m->turn++ % m->n];
        if (director_healthy(backend_director(b), ctx))
            found = b;
    }
    CHECK(pthread_mutex_unlock(&m->of->lock) == 0);
    return found;
}

static struct backend *
name_resolve(struct director *director, struct policy_ctx *ctx)
{
    struct name *m = name_of(director);
    dynamic_refresh(m);
    return next_of(m, ctx);
}

static bool
name_healthy(struct director *director, const struct policy_ctx *ctx, double *changed_s)
{
    struct name *m = name_of(director);
    CHECK(pthread_mutex_lock(&m->of->lock) == 0);
    bool healthy = m->n == 0 && !m->failed; /* not looked up yet */
    for (unsigned i = 0; i < m->n; i++)
        healthy |= director_healthy(backend_director(m->answer[i]), ctx);
    CHECK(pthread_mutex_unlock(&m->of->lock) == 0);
    if (changed_s != NULL)
        *changed_s = 0;
    return healthy;
}

static void
name_list(struct director *director, void (*each)(struct director *member, void *arg), void *arg)
{
    struct name *m = name_of(director);
    CHECK(pthread_mutex_lock(&m->of->lock) == 0);
    for (unsigned i = 0; i < m->n; i++)
        each(backend_director(m->answer[i]), arg);
    CHECK(pthread_mutex_unlock(&m->of->lock) == 0);
}

const struct director_ops dynamic_name_ops = { "dynamic", name_resolve, name_healthy, name_list,
                                               NULL,      NULL,         false };

/* ---- services ---- */

/* Copies the current targets. Names are never freed while the object lives, so the copy stays valid. */
static unsigned
targets_of(struct name *m, struct target out[DNS_SERVICES_MAX])
{
    CHECK(pthread_mutex_lock(&m->of->lock) == 0);
    unsigned n = m->n_targets;
    memcpy(out, m->targets, n * sizeof *out);
    CHECK(pthread_mutex_unlock(&m->of->lock) == 0);
    return n;
}

/* Selects the healthy targets of the lowest priority value that has any. */
static unsigned
best_of(const struct target *t, unsigned n, const struct policy_ctx *ctx,
        struct target best[DNS_SERVICES_MAX])
{
    unsigned n_best = 0, lowest = UINT_MAX;
    for (unsigned i = 0; i < n; i++) {
        if (t[i].priority > lowest || !director_healthy(&t[i].name->director, ctx))
            continue;
        n_best = t[i].priority < lowest ? 0 : n_best;
        lowest = t[i].priority;
        best[n_best++] = t[i];
    }
    return n_best;
}

/* Picks a target by weight; if all weights are 0, all targets are equally likely. */
static struct name *
chosen_of(const struct target *t, unsigned n, double choice)
{
    double sum = 0, at = 0;
    for (unsigned i = 0; i < n; i++)
        sum += t[i].weight;
    for (unsigned i = 0; i < n; i++) {
        at += sum > 0 ? t[i].weight / sum : 1.0 / n;
        if (choice < at)
            return t[i].name;
    }
    return t[n - 1].name;
}

static unsigned
without(struct target *t, unsigned n, const struct name *tried)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++)
        if (t[i].name != tried)
            t[kept++] = t[i];
    return kept;
}

/* A target not looked up yet counts as healthy, but may turn out to have no address. Then try the next. */
static struct backend *
service_resolve(struct director *director, struct policy_ctx *ctx)
{
    struct name *m = name_of(director);
    struct target left[DNS_SERVICES_MAX], best[DNS_SERVICES_MAX];
    struct backend *found = NULL;
    dynamic_refresh(m);
    unsigned n = targets_of(m, left), n_best;
    while (found == NULL && (n_best = best_of(left, n, ctx, best)) > 0) {
        struct name *target = chosen_of(best, n_best, random_choice());
        found = name_resolve(&target->director, ctx);
        n = without(left, n, target);
    }
    return found;
}

static bool
service_healthy(struct director *director, const struct policy_ctx *ctx, double *changed_s)
{
    struct name *m = name_of(director);
    struct target t[DNS_SERVICES_MAX], best[DNS_SERVICES_MAX];
    CHECK(pthread_mutex_lock(&m->of->lock) == 0);
    bool unasked = m->n_targets == 0 && !m->failed;
    CHECK(pthread_mutex_unlock(&m->of->lock) == 0);
    if (changed_s != NULL)
        *changed_s = 0;
    return unasked || best_of(t, targets_of(m, t), ctx, best) > 0;
}

static void
service_list(struct director *director, void (*each)(struct director *member, void *arg), void *arg)
{
    struct target t[DNS_SERVICES_MAX];
    unsigned n = targets_of(name_of(director), t);
    for (unsigned i = 0; i < n; i++)
        each(&t[i].name->director, arg);
}

const struct director_ops dynamic_service_ops = {
    "dynamic", service_resolve, service_healthy, service_list, NULL, NULL, false
};

/* The director of all names exists for backend.list only. */
static struct backend *
all_resolve(struct director *d, struct policy_ctx *ctx)
{
    return NULL;
}

static void
all_list(struct director *director, void (*each)(struct director *member, void *arg), void *arg)
{
    struct dynamic *d = container_of(director, struct dynamic, director);
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    for (unsigned i = 0; i < d->n_known; i++)
        if (!d->known[i].retired)
            each(backend_director(d->known[i].backend), arg);
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
}

static bool
all_healthy(struct director *director, const struct policy_ctx *ctx, double *changed_s)
{
    struct dynamic *d = container_of(director, struct dynamic, director);
    bool healthy = false;
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    for (unsigned i = 0; i < d->n_known; i++)
        healthy |= director_healthy(backend_director(d->known[i].backend), ctx);
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    if (changed_s != NULL)
        *changed_s = 0;
    return healthy;
}

static void
all_probe(struct director *director, bool on)
{
    struct dynamic *d = container_of(director, struct dynamic, director);
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    d->probing = on;
    for (unsigned i = 0; i < d->n_known; i++) {
        if (!on)
            backend_stop_probe(d->known[i].backend);
        else if (!d->known[i].retired)
            dynamic_start_probing(d, d->known[i].backend);
    }
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
}

static const struct director_ops all_ops = { "dynamic", all_resolve, all_healthy, all_list,
                                             all_probe, NULL,        true };

/* ---- arguments of the policy --------------------------------------------------------------------------- */

#define GIVEN_PROBE (1u << 3)
#define GIVEN_WHITELIST (1u << 4)
#define GIVEN_RESOLVER (1u << 13)

static int
ttl_from_of(struct span word)
{
    return span_eq(word, SPAN_LIT("dns")) ? TTL_DNS
         : span_eq(word, SPAN_LIT("min")) ? TTL_MIN
         : span_eq(word, SPAN_LIT("max")) ? TTL_MAX
                                          : TTL_CFG;
}

/* Calls vcl_fail and returns false if the resolver argument is wrong. */
static bool
resolver_fits(struct policy_ctx *ctx, const struct vcl_blob *blob, bool given, struct span ttl_from)
{
    if (given && resolver_of_blob(blob) == NULL)
        vcl_fail(ctx, "dynamic.director: resolver is not what use() of a dynamic.resolver gives");
    else if (!given && ttl_from_of(ttl_from) != TTL_CFG)
        vcl_fail(ctx, "dynamic.director: ttl_from needs a resolver");
    return !ctx->failed;
}

void *
vcl_dynamic_new(struct policy_ctx *ctx, uint32_t given, struct span port, struct span host_header,
                struct span share, const struct image_probe *probe, const struct acl *allowed, double ttl,
                double connect_timeout, double first_byte_timeout, double between_bytes_timeout,
                double usage_timeout, double first_lookup_timeout, int64_t max_connections,
                int64_t proxy_header, const struct vcl_blob *resolver, struct span ttl_from,
                double retry_after, int64_t keep)
{
    const char *zero = port.len == 0             ? "port may not be empty"
                     : ttl == 0                  ? "ttl may not be 0s"
                     : usage_timeout == 0        ? "domain_usage_timeout may not be 0s"
                     : first_lookup_timeout == 0 ? "first_lookup_timeout may not be 0s"
                                                 : NULL;
    if (zero != NULL) {
        vcl_fail_printf(ctx, "dynamic.director(): %s", zero);
        return NULL;
    }
    if (port.len >= PORT_BYTES_MAX || !(ttl > 0) || !(retry_after > 0) || !(first_lookup_timeout > 0) ||
        !(usage_timeout > 0) || max_connections < 0 || max_connections > UINT32_MAX || proxy_header < 0 ||
        proxy_header > 2 || keep < 0) {
        vcl_fail(ctx, "dynamic.director: an argument is out of range");
        return NULL;
    }
    if (!resolver_fits(ctx, resolver, (given & GIVEN_RESOLVER) != 0, ttl_from))
        return NULL;
    struct dynamic *d = mem_zalloc(sizeof *d);
    d->director = (struct director){ .ops = &all_ops, .name = SPAN_LIT("") };
    d->port = mem_text(port);
    d->host_header = mem_text(host_header);
    d->terms = (struct image_backend){
        .host_header = host_header.len > 0 ? span_str(d->host_header) : SPAN_NULL,
        .connect_timeout_s = connect_timeout,
        .first_byte_timeout_s = first_byte_timeout,
        .between_bytes_timeout_s = between_bytes_timeout,
        .wait_timeout_s = -1,
        .probe = -1,
        .max_connections = (uint32_t)max_connections,
        .proxy_header = (uint32_t)proxy_header,
    };
    d->probe = (given & GIVEN_PROBE) != 0 ? probe : NULL;
    d->allowed = (given & GIVEN_WHITELIST) != 0 ? allowed : NULL;
    d->resolver = (given & GIVEN_RESOLVER) != 0 ? resolver_of_blob(resolver) : NULL;
    d->ttl_from = ttl_from_of(ttl_from);
    d->share_by_name = span_eq(share, SPAN_LIT("HOST"));
    atomic_init(&d->debug, false);
    d->keep = nsec_of(ttl * (double)keep);
    d->ttl = nsec_of(ttl);
    d->retry_after = nsec_of(retry_after);
    d->first_lookup_timeout = nsec_of(first_lookup_timeout);
    d->usage_timeout = nsec_of(usage_timeout);
    CHECK(pthread_mutex_init(&d->lock, NULL) == 0);
    d->policy = ctx->policy;
    policy_add_director(ctx->policy, &d->director);
    return d;
}

void
vcl_dynamic_fini(struct policy_ctx *ctx, void *instance)
{
    struct dynamic *d = instance;
    if (d == NULL)
        return;
    for (unsigned i = 0; i < d->n_names; i++)
        free(d->names[i]);
    for (unsigned i = 0; i < d->n_known; i++)
        backend_release(&d->known[i].backend);
    CHECK(pthread_mutex_destroy(&d->lock) == 0);
    free(d->port);
    free(d->host_header);
    free(d);
}

static struct director *
director_of(struct policy_ctx *ctx, struct dynamic *d, struct span host, struct span port)
{
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    nsec now = clock_mono_ns();
    struct name *m = dynamic_name(d, host, port);
    if (m != NULL) {
        m->used = now;
        m->state = IN_USE;
        m->lasting |= ctx->hook == HOOK_INIT;
    }
    dynamic_drop_unused(d, log_of(ctx), now);
    bool due = m != NULL && !m->looking && now >= m->next_lookup;
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    if (due && fiber_current() != NULL)
        dynamic_look(m); /* start early, so that the answer is ready when a fetch needs it */
    if (m == NULL)
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("dynamic: too many names"));
    return m == NULL ? NULL : &m->director;
}

static struct span
host_asked_for(const struct policy_ctx *ctx)
{
    const struct http_message *m = ctx->msg[MSG_BEREQ] != NULL ? ctx->msg[MSG_BEREQ] : ctx->msg[MSG_REQ];
    return m == NULL ? SPAN_NULL : message_get(m, NAME_HOST);
}

static bool
is_text(struct span s, size_t cap)
{
    return s.len > 0 && s.len < cap && memchr(s.ptr, '\0', s.len) == NULL;
}

/* Without a host, uses the request's Host field. */
struct director *
vcl_dynamic_backend(struct policy_ctx *ctx, void *instance, struct span host, struct span port)
{
    struct dynamic *d = instance;
    if (d == NULL)
        return NULL;
    host = host.len > 0 ? host : host_asked_for(ctx);
    port = port.len > 0 ? port : span_str(d->port);
    if (!is_text(host, HOST_BYTES_MAX) || !is_text(port, PORT_BYTES_MAX)) {
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("dynamic: the host is missing or not a name"));
        return NULL;
    }
    return director_of(ctx, d, host, port);
}

struct director *
vcl_dynamic_service(struct policy_ctx *ctx, void *instance, struct span service)
{
    struct dynamic *d = instance;
    if (d == NULL)
        return NULL;
    if (d->resolver == NULL) {
        vcl_fail(ctx, "dynamic service: the director has no resolver");
        return NULL;
    }
    if (!is_text(service, HOST_BYTES_MAX)) {
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("dynamic: the service is missing or not a name"));
        return NULL;
    }
    return director_of(ctx, d, service, SPAN_LIT(""));
}

void
vcl_dynamic_debug(struct policy_ctx *ctx, void *instance, int32_t on)
{
    struct dynamic *d = instance;
    if (d != NULL)
        atomic_store(&d->debug, on != 0);
}
