/* Module dynamic: backends of names that are looked up again and again. A name becomes a director of its own when it is first asked
 * for. It is looked up when a fetch needs it: the first fetch waits for the answer, later ones use the last good answer, and when
 * that is older than the ttl one of them starts a look-up, which runs on the offload pool while a fiber waits for it. That fiber
 * counts as a use of the policy, so all of this lasts as long as any look-up.
 *
 * A transaction may hold a name, or a backend, without being counted here. So the memory of names is never given back, and a name
 * or an address makes room for others only when it has not been used for long, and when room is needed. Until then a backend that
 * no answer has any more is only put aside: it is not polled, listed or counted, and comes back with its address. */
#include "policy/dynamic.h"

#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/list.h"
#include "base/mem.h"
#include "http/names.h"
#include "loop/loop.h"
#include "loop/offload.h"
#include "policy/acl.h"
#include "policy/director.h"
#include "policy/exports.h"
#include "policy/state.h"

#define NAMES_MAX 512u                  /* of one object */
#define BACKENDS_MAX 1024u              /* of one object */
#define HOST_BYTES_MAX 254u
#define PORT_BYTES_MAX 64u
#define NAME_BYTES_MAX 512u
#define UNUSED_MIN_S 600.0              /* before something may make room */

struct dynamic;

struct name {
    struct director director;
    struct dynamic *of;
    char host[HOST_BYTES_MAX], port[PORT_BYTES_MAX], title[NAME_BYTES_MAX];     /* fixed, but for recycling */
    uint64_t hash, serial;              /* serial: no other name of the object has or had it; not 0 */
    /* the lock of `of` */
    struct backend *answer[DYNAMIC_ADDRESSES_MAX];
    unsigned n, turn;
    nsec answered, next_lookup, used;   /* monotonic; answered 0: never */
    nsec ttl;                           /* of the answer */
    bool looking, failed;
    bool lasting;                       /* vcl_init asked for it, and may have put it into a director: it makes no room */
    struct list waiters;
};

struct waiter {                         /* on the stack of a fiber that waits for the first answer */
    struct list link;                   /* lock; not in a list once it was posted */
    struct post post;
    struct loop *loop;
    struct fiber *fiber;
    bool posted;                        /* lock */
    bool woken;                         /* owner loop */
};

struct known {
    struct address address;
    uint64_t serial;                    /* of the name it belongs to; 0: all of the object share it */
    struct backend *backend;
    nsec seen;                          /* last in an answer */
    unsigned answers;                   /* that have it now */
    bool aside;
};

struct dynamic {
    struct director director;           /* all of it, for backend.list */
    struct image_backend terms;         /* of each backend; texts are ours */
    char *port, *host_header;
    const struct probe *probe;          /* the policy's; NULL: none */
    const struct acl *allowed;          /* the policy's; NULL: every address */
    const struct resolver *resolver;    /* the policy's; NULL: the system's look-up */
    enum { TTL_CFG, TTL_DNS, TTL_MIN, TTL_MAX } ttl_from;
    bool share_by_name;
    atomic_bool debug;
    nsec keep;                          /* how long a backend that no answer has is not put aside */
    nsec ttl, retry_after, first_lookup_timeout, usage_timeout;
    pthread_mutex_t lock;
    struct name *names[NAMES_MAX];      /* lock */
    struct known known[BACKENDS_MAX];   /* lock */
    unsigned n_names, n_known;          /* lock */
    uint64_t serial;                    /* the latest that was given; lock */
    bool probing;                       /* its policy is warm; lock */
};

/* ---- looking up ---------------------------------------------------------------------------------------------------------- */

static int
lookup_with(int flags, const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX], unsigned *n)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags }, *list = NULL;
    int err = getaddrinfo(host, port, &hints, &list);
    if (err != 0)
        return err;
    for (const struct addrinfo *ai = list; ai != NULL && *n < DYNAMIC_ADDRESSES_MAX; ai = ai->ai_next)
        address_of(ai->ai_addr, &out[(*n)++]);
    freeaddrinfo(list);
    return 0;
}

int
dynamic_numeric_lookup(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX], unsigned *n)
{
    return lookup_with(AI_NUMERICHOST, host, port, out, n);
}

int
dynamic_system_lookup(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX], unsigned *n)
{
    int err = dynamic_numeric_lookup(host, port, out, n);
    return err == EAI_NONAME ? lookup_with(AI_ADDRCONFIG, host, port, out, n) : err;
}

static dynamic_lookup_fn *lookup = dynamic_system_lookup;

void
dynamic_set_lookup(dynamic_lookup_fn *fn)
{
    lookup = fn != NULL ? fn : dynamic_system_lookup;
}

struct job {
    struct name *name;
    struct policy *policy;
    struct loop *loop;                  /* NULL: nobody can wait, so it blocks */
    struct resolved answer;
    int error;
};

static void
look_up(void *arg)
{
    struct job *job = arg;
    const struct name *m = job->name;
    job->error = m->of->resolver == NULL ? lookup(m->host, m->port, job->answer.found, &job->answer.n)
                                         : resolver_lookup(m->of->resolver, m->host, m->port, &job->answer);
}

static void
drop_unused(struct dynamic *d, nsec now)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < d->n_known; i++) {
        struct known *k = &d->known[i];
        if (now - k->seen > nsec_of(UNUSED_MIN_S) + d->usage_timeout && k->answers == 0)
            backend_release(&k->backend);
        else
            d->known[kept++] = *k;
    }
    d->n_known = kept;
}

static void
start_probing(struct dynamic *d, struct backend *b)
{
    struct policy_env *env = &d->director.policy->env;
    struct loop *loop = loop_current() != NULL ? loop_current() : env->n_loops > 0 ? env->loops[0] : NULL;
    if (d->probing && loop != NULL)
        backend_start_probe(b, loop);   /* without a probe this shows its counters */
}

/* What is needed of the name when its backends are its own. */
static struct backend *
make_backend(struct dynamic *d, const struct address *a, const struct name *m)
{
    char host[ADDRESS_TEXT_BYTES], port[8], title[NAME_BYTES_MAX], why[128];
    struct image_backend terms = d->terms;
    struct backend *b = NULL;
    address_text(a, host);
    snprintf(port, sizeof port, "%u", a->port);
    snprintf(title, sizeof title, "%.*s(%s%s%s:%s)", (int)d->director.name.len, d->director.name.ptr, d->share_by_name ? m->host : "",
             d->share_by_name ? "." : "", host, port);
    terms.name = span_str(title);
    if (d->share_by_name && terms.host_header.ptr == NULL)
        terms.host_header = span_str(m->host);
    char bracketed[ADDRESS_TEXT_BYTES + 2];
    snprintf(bracketed, sizeof bracketed, a->family == 6 ? "[%s]" : "%s", host);
    terms.host = span_str(bracketed);
    terms.port = span_str(port);
    if (backend_new(d->director.policy, &terms, d->probe, &b, why, sizeof why) != 0) {
        log_printf(&log_untied, TAG_ERROR, "vmod-dynamic %s: %s", title, why);
        return NULL;
    }
    start_probing(d, b);
    return b;
}

static struct known *
known_at(struct dynamic *d, const struct address *a, uint64_t serial)
{
    for (unsigned i = 0; i < d->n_known; i++)
        if (d->known[i].serial == serial && memcmp(&d->known[i].address, a, sizeof *a) == 0)
            return &d->known[i];
    return NULL;
}

static struct backend *
backend_at(struct dynamic *d, const struct address *a, const struct name *m, nsec now)
{
    uint64_t serial = d->share_by_name ? m->serial : 0;
    struct known *k = known_at(d, a, serial);
    if (k == NULL) {
        if (d->n_known == BACKENDS_MAX)
            drop_unused(d, now);
        struct backend *b = d->n_known == BACKENDS_MAX ? NULL : make_backend(d, a, m);
        if (b == NULL)
            return NULL;
        k = &d->known[d->n_known++];
        *k = (struct known){ .address = *a, .serial = serial, .backend = b };
    }
    if (k->aside)
        start_probing(d, k->backend);
    k->aside = false;
    k->seen = now;
    return k->backend;
}

/* The name's answer begins (1) or ceases (-1) to count for its backends. */
static void
count_answer(struct dynamic *d, const struct name *m, int by)
{
    for (unsigned k = 0; k < m->n; k++)
        for (unsigned i = 0; i < d->n_known; i++)
            if (d->known[i].backend == m->answer[k])
                d->known[i].answers += (unsigned)by;
}

static void
put_aside(struct dynamic *d, nsec now)
{
    for (unsigned i = 0; i < d->n_known; i++) {
        struct known *k = &d->known[i];
        if (k->aside || k->answers > 0 || now - k->seen < d->keep)
            continue;
        backend_stop_probe(k->backend);
        k->aside = true;
    }
}

static bool
is_allowed(const struct dynamic *d, const struct address *a)
{
    struct vcl_ip ip = { .family = a->family, .port = a->port };
    memcpy(ip.addr, a->addr, sizeof ip.addr);
    return d->allowed == NULL || acl_look_up(d->allowed, &ip).match;
}

static void
called(struct post *p)
{
    struct waiter *w = container_of(p, struct waiter, post);
    w->woken = true;
    fiber_wake(w->fiber);
}

/* How long an answer is used before the name is looked up again. */
static nsec
ttl_of(const struct dynamic *d, const struct resolved *answer)
{
    nsec dns = answer->has_ttl ? answer->ttl_s * NSEC_PER_SEC : d->ttl;
    switch (d->ttl_from) {
    case TTL_CFG:
        return d->ttl;
    case TTL_DNS:
        return dns;
    case TTL_MIN:
        return dns < d->ttl ? dns : d->ttl;
    case TTL_MAX:
        return dns > d->ttl ? dns : d->ttl;
    }
    CHECK(false);
}

static void
take_answer(const struct job *job)
{
    const struct resolved *answer = &job->answer;
    struct name *m = job->name;
    struct dynamic *d = m->of;
    struct backend *fresh[DYNAMIC_ADDRESSES_MAX];
    unsigned n = 0;
    nsec now = clock_mono_ns();
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    for (unsigned i = 0; i < answer->n; i++)
        if (is_allowed(d, &answer->found[i]) && (fresh[n] = backend_at(d, &answer->found[i], m, now)) != NULL)
            n++;
    m->next_lookup = nsec_add(now, n > 0 ? ttl_of(d, answer) : d->retry_after);
    m->failed = n == 0;
    m->looking = false;
    if (n > 0) {
        count_answer(d, m, -1);
        memcpy(m->answer, fresh, n * sizeof *fresh);
        m->n = n;
        m->ttl = ttl_of(d, answer);
        m->answered = now;
        count_answer(d, m, 1);
        put_aside(d, now);
    }
    for (struct list *link; (link = list_pop_front(&m->waiters)) != NULL;) {
        struct waiter *w = container_of(link, struct waiter, link);
        w->posted = true;
        loop_post(w->loop, &w->post);
    }
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    if (atomic_load(&d->debug))
        log_printf(&log_untied, TAG_DEBUG, "vmod-dynamic %s Results [ %u of %u ]", m->title, n, answer->n);
    if (job->error != 0)
        log_printf(&log_untied, TAG_ERROR, "vmod-dynamic %s getaddrinfo %d (%s)", m->title, job->error, gai_strerror(job->error));
}

static void
look_up_aside(void *arg)
{
    struct job *job = arg;
    offload_run(look_up, job);
    take_answer(job);
    policy_unref(job->policy, job->loop);
    free(job);
}

static void
start_lookup(struct name *m, struct policy *p)
{
    struct job *job = mem_zalloc(sizeof *job);
    if (atomic_load(&m->of->debug))
        log_printf(&log_untied, TAG_DEBUG, "vmod-dynamic %s Lookup", m->title);
    *job = (struct job){ .name = m, .policy = p, .loop = loop_current() };
    if (fiber_current() == NULL) {
        look_up(job);
        take_answer(job);
        free(job);
        return;
    }
    policy_ref(p, job->loop);
    if (fiber_spawn(job->loop, look_up_aside, job) != 0)
        look_up_aside(job);             /* no fiber left: this one waits */
}

/* Until the look-up that goes on has ended, or for first_lookup_timeout. */
static void
wait_for_answer(struct name *m)
{
    struct dynamic *d = m->of;
    struct waiter w = { .post.fn = called, .loop = loop_current(), .fiber = fiber_current() };
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    bool wait = m->looking;
    if (wait)
        list_push_back(&m->waiters, &w.link);
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    nsec deadline = nsec_add(clock_mono_ns(), d->first_lookup_timeout);
    while (wait && !w.woken) {
        if (fiber_park_until(deadline) != ERR_TIMEOUT || w.woken)
            continue;
        CHECK(pthread_mutex_lock(&d->lock) == 0);
        if (!w.posted)
            list_remove(&w.link);
        wait = w.posted;                /* what is posted comes, and must find us here */
        deadline = NSEC_NEVER;
        CHECK(pthread_mutex_unlock(&d->lock) == 0);
    }
}

/* ---- as a director ------------------------------------------------------------------------------------------------------- */

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
    struct dynamic *d = m->of;
    nsec now = clock_mono_ns();
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    bool start = !m->looking && now >= m->next_lookup;
    bool wait = m->n == 0 || now - m->answered > nsec_add(m->ttl, d->usage_timeout);    /* too old to be believed unasked */
    m->looking |= start;
    m->used = now;
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    if (start)
        start_lookup(m, d->director.policy);
    if (wait && fiber_current() != NULL)
        wait_for_answer(m);
    return next_of(m, ctx);
}

static bool
name_healthy(struct director *director, const struct policy_ctx *ctx, double *changed_s)
{
    struct name *m = name_of(director);
    CHECK(pthread_mutex_lock(&m->of->lock) == 0);
    bool healthy = m->n == 0 && !m->failed;     /* nobody has asked yet */
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

static const struct director_ops name_ops = { "dynamic", name_resolve, name_healthy, name_list, NULL, NULL };

/* All names together are nothing to choose from; this is for backend.list. */
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
        if (!d->known[i].aside)
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
        else if (!d->known[i].aside)
            start_probing(d, d->known[i].backend);
    }
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
}

static const struct director_ops all_ops = { "dynamic", all_resolve, all_healthy, all_list, all_probe, NULL };

/* ---- what a policy says -------------------------------------------------------------------------------------------------- */

#define GIVEN_PROBE (1u << 3)
#define GIVEN_WHITELIST (1u << 4)
#define GIVEN_RESOLVER (1u << 13)

static int
ttl_from_of(struct span word)
{
    return span_eq(word, SPAN_LIT("dns")) ? TTL_DNS : span_eq(word, SPAN_LIT("min")) ? TTL_MIN : span_eq(word, SPAN_LIT("max")) ? TTL_MAX
           : TTL_CFG;
}

/* False after a failure was noted. */
static bool
resolver_fits(struct policy_ctx *ctx, const struct vcl_blob *blob, bool given, struct span ttl_from)
{
    if (given && resolver_of_blob(blob) == NULL)
        vcl_fail(ctx, "dynamic.director: resolver is not what use() of a dynamic.resolver gives");
    else if (!given && ttl_from_of(ttl_from) != TTL_CFG)
        vcl_fail(ctx, "dynamic.director: ttl_from needs a resolver");
    return !ctx->failed;
}

static void *
vcl_dynamic_new(struct policy_ctx *ctx, uint32_t given, struct span port, struct span host_header, struct span share,
                const struct probe *probe, const struct acl *allowed, double ttl, double connect_timeout, double first_byte_timeout,
                double between_bytes_timeout, double usage_timeout, double first_lookup_timeout, int64_t max_connections,
                int64_t proxy_header, const struct vcl_blob *resolver, struct span ttl_from, double retry_after, int64_t keep)
{
    if (port.len == 0 || port.len >= PORT_BYTES_MAX || !(ttl > 0) || !(retry_after > 0) || !(first_lookup_timeout >= 0)
        || !(usage_timeout >= 0) || max_connections < 0 || max_connections > UINT32_MAX || proxy_header < 0 || proxy_header > 2
        || keep < 0) {
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
        .host_header = host_header.len > 0 ? span_str(d->host_header) : SPAN_NULL, .connect_timeout_s = connect_timeout,
        .first_byte_timeout_s = first_byte_timeout, .between_bytes_timeout_s = between_bytes_timeout, .probe = -1,
        .max_connections = (uint32_t)max_connections, .proxy_header = (uint32_t)proxy_header,
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
    policy_add_director(ctx->policy, &d->director);
    return d;
}

static void
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

static struct name *
place_for(struct dynamic *d, nsec now)
{
    if (d->n_names < NAMES_MAX)
        return d->names[d->n_names++] = mem_zalloc(sizeof *d->names[0]);
    for (unsigned i = 0; i < d->n_names; i++) {
        struct name *m = d->names[i];
        if (!m->lasting && !m->looking && list_empty(&m->waiters) && now - m->used > nsec_of(UNUSED_MIN_S) && now - m->used > d->usage_timeout)
            return m;
    }
    return NULL;
}

static struct name *
find_or_make(struct dynamic *d, struct span host, struct span port)
{
    uint64_t hash = XXH3_64bits_withSeed(host.ptr, host.len, XXH3_64bits(port.ptr, port.len));
    nsec now = clock_mono_ns();
    for (unsigned i = 0; i < d->n_names; i++)
        if (d->names[i]->hash == hash && span_eq(span_str(d->names[i]->host), host) && span_eq(span_str(d->names[i]->port), port))
            return d->names[i];
    struct name *m = place_for(d, now);
    if (m == NULL)
        return NULL;
    count_answer(d, m, -1);             /* of the name whose place this was */
    *m = (struct name){ .of = d, .hash = hash, .serial = ++d->serial, .used = now };
    list_init(&m->waiters);
    memcpy(m->host, host.ptr, host.len);
    memcpy(m->port, port.ptr, port.len);
    snprintf(m->title, sizeof m->title, "%.*s(%s:%s)", (int)d->director.name.len, d->director.name.ptr, m->host, m->port);
    m->director = (struct director){ .ops = &name_ops, .name = span_str(m->title), .policy = d->director.policy };
    return m;
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

/* Without a host, the one of the request. */
static struct director *
vcl_dynamic_backend(struct policy_ctx *ctx, void *instance, struct span host, struct span port)
{
    struct dynamic *d = instance;
    if (d == NULL)
        return NULL;
    host = host.len > 0 ? host : host_asked_for(ctx);
    port = port.len > 0 ? port : span_str(d->port);
    if (!is_text(host, HOST_BYTES_MAX) || !is_text(port, PORT_BYTES_MAX)) {
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("dynamic: no host, or one that is no name"));
        return NULL;
    }
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    struct name *m = find_or_make(d, host, port);
    if (m != NULL) {
        m->used = clock_mono_ns();
        m->lasting |= ctx->hook == HOOK_INIT;
    }
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    if (m == NULL)
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("dynamic: too many names"));
    return m == NULL ? NULL : &m->director;
}

static void
vcl_dynamic_debug(struct policy_ctx *ctx, void *instance, int32_t on)
{
    struct dynamic *d = instance;
    if (d != NULL)
        atomic_store(&d->debug, on != 0);
}

static const struct policy_export rows[] = {
    { "dynamic_new",
      "INSTANCE(STRING,STRING,STRING,PROBE?,ACL?,DURATION,DURATION,DURATION,DURATION,DURATION,DURATION,INT,INT,BLOB?,STRING,DURATION,INT)",
      (export_fn *)vcl_dynamic_new },
    { "dynamic_fini", "VOID(INSTANCE)", (export_fn *)vcl_dynamic_fini },
    { "dynamic_debug", "VOID(INSTANCE,BOOL)", (export_fn *)vcl_dynamic_debug },
    { "dynamic_backend", "BACKEND(INSTANCE,STRING,STRING)", (export_fn *)vcl_dynamic_backend },
};
const struct export_table exports_dynamic = EXPORT_TABLE(rows);
