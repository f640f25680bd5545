/* Module dynamic, names: lookups, with the backends of the addresses found, or the targets of a service. A
 * name becomes a director on its first use. A fetch triggers the lookup. The first fetch waits for the
 * answer. Later fetches use the last good answer; when it is older than its ttl, one of them starts a lookup,
 * which runs on the offload pool while a fiber waits for it. That fiber counts as a use of the policy, so the
 * policy outlives every lookup.
 *
 * A transaction may hold a name or a backend without being counted here. Therefore the memory of names is
 * never freed. A name or an address makes room for others only when room is needed and it has been unused for
 * long. Until then a backend that no answer contains is retired: it is not polled, listed or counted, and
 * comes back with its address. */
#include "vmod/dynamic_names.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/check.h"
#include "base/mem.h"
#include "loop/fiber.h"
#include "loop/loop.h"
#include "loop/offload.h"
#include "policy/acl.h"
#include "policy/state.h"

#define UNUSED_MIN_S 600.0 /* unused time before an entry may make room */

/* ---- lookup -------------------------------------------------------------------------------------------- */

static int
lookup_with(int flags, const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX],
            unsigned *n)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags },
                    *list = NULL;
    int err = getaddrinfo(host, port, &hints, &list);
    if (err != 0)
        return err;
    for (const struct addrinfo *ai = list; ai != NULL && *n < DYNAMIC_ADDRESSES_MAX; ai = ai->ai_next) {
        address_of(ai->ai_addr, &out[*n]);
        address_unmap(&out[(*n)++]);
    }
    freeaddrinfo(list);
    return 0;
}

int
dynamic_numeric_lookup(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX],
                       unsigned *n)
{
    return lookup_with(AI_NUMERICHOST, host, port, out, n);
}

int
dynamic_system_lookup(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX],
                      unsigned *n)
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
    struct loop *loop; /* NULL: no fiber can wait, so the lookup blocks */
    struct resolved answer;
    struct dns_services services; /* answer for a service, instead of `answer` */
    int error;
};

static bool
is_service(const struct name *m)
{
    return m->port[0] == '\0';
}

static void
look_up(void *arg)
{
    struct job *job = arg;
    const struct name *m = job->name;
    const struct resolver *r = m->of->resolver;
    if (is_service(m)) {
        job->error = resolver_services(r, m->host, &job->services);
        job->answer.has_ttl = true;
        job->answer.ttl_s = job->services.ttl_s;
    } else if (r != NULL) {
        job->error = resolver_lookup(r, m->host, m->port, &job->answer);
    } else {
        job->error = lookup(m->host, m->port, job->answer.found, &job->answer.n);
    }
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

void
dynamic_start_probing(struct dynamic *d, struct backend *b)
{
    struct policy_env *env = &d->policy->env;
    struct loop *loop = loop_current() != NULL ? loop_current() : env->n_loops > 0 ? env->loops[0] : NULL;
    if (d->probing && loop != NULL)
        backend_start_probe(b, loop); /* also shows the backend's counters, even without a probe */
}

/* Makes the backend of an address. With share HOST the backend's title and Host come from the name. */
static struct backend *
make_backend(struct dynamic *d, const struct address *a, const struct name *m)
{
    char host[ADDRESS_TEXT_BYTES], port[8], title[NAME_BYTES_MAX], why[128];
    struct image_backend terms = d->terms;
    struct backend *b = NULL;
    address_text(a, host);
    snprintf(port, sizeof port, "%u", a->port);
    snprintf(title, sizeof title, "%.*s%s%s(%s:%s)", (int)d->director.name.len, d->director.name.ptr,
             d->share_by_name ? "." : "", d->share_by_name ? m->host : "", host, m->port);
    terms.name = span_str(title);
    if (d->share_by_name && terms.host_header.ptr == NULL)
        terms.host_header = span_str(m->host);
    char bracketed[ADDRESS_TEXT_BYTES + 2];
    snprintf(bracketed, sizeof bracketed, a->family == 6 ? "[%s]" : "%s", host);
    terms.host = span_str(bracketed);
    terms.port = span_str(port);
    if (backend_new(policy_name(d->policy), &terms, NULL, d->probe, &b, why, sizeof why) != 0) {
        dynamic_log(&log_untied, TAG_ERROR, m, "%s: %s", title, why);
        return NULL;
    }
    if (atomic_load(&d->debug))
        dynamic_log(&log_untied, TAG_DEBUG, m, "add-backend %s", title);
    dynamic_start_probing(d, b);
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
    if (k->retired)
        dynamic_start_probing(d, k->backend);
    k->retired = false;
    k->seen = now;
    return k->backend;
}

static bool
is_allowed(const struct name *m, const struct address *a)
{
    const struct dynamic *d = m->of;
    struct vcl_ip ip = { .family = a->family, .port = a->port };
    char host[ADDRESS_TEXT_BYTES];
    if (d->allowed == NULL)
        return true;
    memcpy(ip.addr, a->addr, sizeof ip.addr);
    struct acl_verdict v = acl_look_up(d->allowed, &ip);
    acl_log(d->allowed, &v, &log_untied);
    address_text(a, host);
    if (!v.match)
        log_printf(&log_untied, TAG_ERROR, "vmod-dynamic: %.*s %.*s %s:%s whitelist mismatch",
                   (int)policy_name(d->policy).len, policy_name(d->policy).ptr, (int)d->director.name.len,
                   d->director.name.ptr, host, m->port);
    return v.match;
}

struct waiter {       /* on the stack of a fiber that waits for the first answer */
    struct list link; /* lock; unlinked once posted */
    struct post post;
    struct loop *loop;
    struct fiber *fiber;
    bool posted; /* lock */
    bool woken;  /* owner loop */
};

static void
called(struct post *p)
{
    struct waiter *w = container_of(p, struct waiter, post);
    w->woken = true;
    fiber_wake(w->fiber);
}

/* Time until an answer is looked up again. */
static nsec
ttl_of(const struct dynamic *d, const struct resolved *answer)
{
    nsec dns = answer->has_ttl ? answer->ttl_s * NSEC_PER_SEC : d->ttl;
    switch (d->ttl_from) {
    case TTL_CFG: return d->ttl;
    case TTL_DNS: return dns;
    case TTL_MIN: return dns < d->ttl ? dns : d->ttl;
    case TTL_MAX: return dns > d->ttl ? dns : d->ttl;
    }
    CHECK(false);
}

/* Returns the number of usable addresses. */
static unsigned
take_addresses(struct name *m, const struct resolved *answer, nsec now)
{
    struct dynamic *d = m->of;
    struct backend *fresh[DYNAMIC_ADDRESSES_MAX];
    unsigned n = 0;
    for (unsigned i = 0; i < answer->n; i++)
        if (is_allowed(m, &answer->found[i]) && (fresh[n] = backend_at(d, &answer->found[i], m, now)) != NULL)
            n++;
    if (n == 0)
        return 0;
    if (n != m->n || memcmp(m->answer, fresh, n * sizeof *fresh) != 0) {
        dynamic_count_answer(m, -1, &log_untied);
        memcpy(m->answer, fresh, n * sizeof *fresh);
        m->n = n;
        dynamic_count_answer(m, 1, &log_untied);
    }
    dynamic_retire(d, now);
    return n;
}

/* The same for a service. Targets that stay are held twice for a moment, so that no count reaches 0. */
static unsigned
take_targets(struct name *m, const struct dns_services *answer, nsec now)
{
    struct target fresh[DNS_SERVICES_MAX];
    unsigned n = 0;
    for (unsigned i = 0; i < answer->n; i++) {
        const struct dns_service *s = &answer->at[i];
        char port[8];
        snprintf(port, sizeof port, "%u", s->port);
        struct name *target = dynamic_name(m->of, span_str(s->host), span_str(port));
        if (target == NULL)
            continue;
        target->held++;
        fresh[n++] = (struct target){ s->priority, s->weight, target };
    }
    if (n == 0)
        return 0;
    dynamic_release_targets(m, now);
    memcpy(m->targets, fresh, n * sizeof *fresh);
    m->n_targets = n;
    return n;
}

static void
wake_waiters(struct name *m)
{
    for (struct list *link; (link = list_pop_front(&m->waiters)) != NULL;) {
        struct waiter *w = container_of(link, struct waiter, link);
        w->posted = true;
        loop_post(w->loop, &w->post);
    }
}

static void
take_answer(const struct job *job)
{
    struct name *m = job->name;
    struct dynamic *d = m->of;
    nsec now = clock_mono_ns();
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    bool service = is_service(m);
    unsigned n = service ? take_targets(m, &job->services, now) : take_addresses(m, &job->answer, now);
    m->next_lookup = nsec_add(now, n > 0 ? ttl_of(d, &job->answer) : d->retry_after);
    m->failed = n == 0;
    m->looking = false;
    if (n > 0) {
        m->ttl = ttl_of(d, &job->answer);
        m->answered = now;
    }
    wake_waiters(m);
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    if (atomic_load(&d->debug))
        dynamic_log(&log_untied, TAG_DEBUG, m, "Results [ %u of %u ]", n,
                    service ? job->services.n : job->answer.n);
    if (job->error != 0)
        dynamic_log(&log_untied, TAG_ERROR, m, "getaddrinfo %d (%s)", job->error, gai_strerror(job->error));
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
        dynamic_log(&log_untied, TAG_DEBUG, m, "Lookup");
    *job = (struct job){ .name = m, .policy = p, .loop = loop_current() };
    if (fiber_current() == NULL) {
        look_up(job);
        take_answer(job);
        free(job);
        return;
    }
    policy_ref(p, job->loop);
    if (fiber_spawn(job->loop, look_up_aside, job) != 0)
        look_up_aside(job); /* no free fiber: the caller's fiber waits */
}

/* Waits until the running lookup ends, for at most first_lookup_timeout. */
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
        wait = w.posted; /* a posted item will arrive and needs this stack frame */
        deadline = NSEC_NEVER;
        CHECK(pthread_mutex_unlock(&d->lock) == 0);
    }
}

/* Call under the lock. If true, the caller must start a lookup. */
static bool
is_due(struct name *m, nsec now)
{
    bool due = !m->looking && now >= m->next_lookup;
    m->looking |= due;
    m->used = now;
    m->state = IN_USE;
    return due;
}

void
dynamic_look(struct name *m)
{
    struct dynamic *d = m->of;
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    bool start = is_due(m, clock_mono_ns());
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    if (start)
        start_lookup(m, d->policy);
}

void
dynamic_refresh(struct name *m)
{
    struct dynamic *d = m->of;
    nsec now = clock_mono_ns();
    CHECK(pthread_mutex_lock(&d->lock) == 0);
    /* too old to use without a new lookup */
    bool wait = m->answered == 0 || now - m->answered > nsec_add(m->ttl, d->usage_timeout);
    CHECK(pthread_mutex_unlock(&d->lock) == 0);
    dynamic_look(m);
    if (wait && fiber_current() != NULL)
        wait_for_answer(m);
}

/* ---- the table of names -------------------------------------------------------------------------------- */

static struct name *
place_for(struct dynamic *d, nsec now)
{
    if (d->n_names < NAMES_MAX)
        return d->names[d->n_names++] = mem_zalloc(sizeof *d->names[0]);
    for (unsigned i = 0; i < d->n_names; i++) {
        struct name *m = d->names[i];
        if (!m->lasting && m->held == 0 && !m->looking && list_empty(&m->waiters) &&
            now - m->used > nsec_of(UNUSED_MIN_S) && now - m->used > d->usage_timeout)
            return m;
    }
    return NULL;
}

struct name *
dynamic_name(struct dynamic *d, struct span host, struct span port)
{
    uint64_t hash = XXH3_64bits_withSeed(host.ptr, host.len, XXH3_64bits(port.ptr, port.len));
    nsec now = clock_mono_ns();
    for (unsigned i = 0; i < d->n_names; i++)
        if (d->names[i]->hash == hash && span_eq(span_str(d->names[i]->host), host) &&
            span_eq(span_str(d->names[i]->port), port))
            return d->names[i];
    struct name *m = place_for(d, now);
    if (m == NULL)
        return NULL;
    dynamic_count_answer(m, -1, &log_untied); /* of the name that made room */
    dynamic_release_targets(m, now);
    *m = (struct name){ .of = d, .hash = hash, .serial = ++d->serial, .used = now };
    list_init(&m->waiters);
    memcpy(m->host, host.ptr, host.len);
    if (port.len > 0)
        memcpy(m->port, port.ptr, port.len);
    snprintf(m->title, sizeof m->title, "%.*s(%s%s%s)", (int)d->director.name.len, d->director.name.ptr,
             m->host, port.len > 0 ? ":" : "", m->port);
    m->director = (struct director){
        .ops = port.len > 0 ? &dynamic_name_ops : &dynamic_service_ops,
        .name = span_str(m->title),
    };
    return m;
}
