/* Looks the host names of a backend up again while its policy is in use (backend_resolve_interval). A changed
 * address makes a new endpoint: new connections go there, and active connections finish at the old endpoint.
 * A failed lookup changes nothing. Each resolver is one fiber of one loop. It holds a reference to the
 * backend, so it may outlive the policy until its current lookup ends. */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/counters.h"
#include "log/report.h"
#include "loop/fiber.h"
#include "loop/offload.h"
#include "origin/backend_internal.h"

#define WHY_BYTES 512u

struct resolver {
    atomic_uint refs; /* one of the backend, one of the fiber */
    atomic_bool stopped;
    struct loop *loop;
    struct backend *backend; /* counted reference */
    struct post start, wake;
    struct fiber *asleep; /* owner loop */
};

struct job {
    const struct backend_address *address;
    struct found to, through;
    int err;
    char why[WHY_BYTES];
};

static void
run_job(void *arg)
{
    struct job *job = arg;
    job->err = backend_address_look_up(job->address, &job->to, &job->through, job->why, sizeof job->why);
}

static bool
same(const struct found *a, const struct found *b)
{
    return a->n == b->n && memcmp(a->at, b->at, a->n * sizeof *a->at) == 0;
}

static void
texts_of(const struct found *found, char *out, size_t cap)
{
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < found->n; i++) {
        char text[ADDRESS_TEXT_BYTES];
        address_text(&found->at[i], text);
        n += (size_t)snprintf(out + n, cap - n, "%s%s", i > 0 ? " " : "", text);
    }
}

static void
report_change(const struct backend *b, const struct place *p, const struct found *before,
              const struct found *after)
{
    char was[ENDPOINT_ADDRESSES_MAX * ADDRESS_TEXT_BYTES], is[sizeof was];
    if (same(before, after))
        return;
    texts_of(before, was, sizeof was);
    texts_of(after, is, sizeof is);
    counters_here()->backend_resolved++;
    log_line(LOG_LEVEL_INFO, "backend %.*s: %s is no longer at %s but at %s", (int)b->terms.name.len,
             b->terms.name.ptr, p->host, was, is);
}

static void
take_addresses(struct backend *b, const struct job *job, struct loop *loop)
{
    report_change(b, &b->address.to, &b->address.to_found, &job->to);
    report_change(b, &b->address.through, &b->address.through_found, &job->through);
    b->address.to_found = job->to;
    b->address.through_found = job->through;
    backend_move(b, backend_address_endpoint(&b->address), loop);
}

static void
look_again(struct resolver *r)
{
    static struct log_limiter limiter;
    struct backend *b = r->backend;
    struct job job = { .address = &b->address };
    offload_run(run_job, &job);
    if (job.err != 0) {
        counters_here()->backend_resolve_fail++;
        log_line_limited(&limiter, loop_now(r->loop), LOG_LEVEL_WARNING,
                         "backend %.*s keeps its addresses: %s", (int)b->terms.name.len, b->terms.name.ptr,
                         job.why);
    } else if (!same(&job.to, &b->address.to_found) || !same(&job.through, &b->address.through_found)) {
        take_addresses(b, &job, r->loop);
    }
}

static void
unref(struct resolver *r)
{
    if (atomic_fetch_sub_explicit(&r->refs, 1, memory_order_acq_rel) != 1)
        return;
    backend_unref(r->backend);
    free(r);
}

static void
resolver_fiber(void *arg)
{
    struct resolver *r = arg;
    while (!atomic_load(&r->stopped)) {
        r->asleep = fiber_current();
        fiber_park_until(nsec_add(clock_mono_ns(), nsec_of(params.backend_resolve_interval_s)));
        r->asleep = NULL;
        if (!atomic_load(&r->stopped) && params.backend_resolve_interval_s > 0)
            look_again(r);
    }
    unref(r);
}

/* If no fiber is free, the backend keeps its addresses. */
static void
on_start(struct post *post)
{
    struct resolver *r = container_of(post, struct resolver, start);
    if (atomic_load(&r->stopped) || fiber_spawn(r->loop, resolver_fiber, r) != 0)
        unref(r);
}

static void
on_wake(struct post *post)
{
    struct resolver *r = container_of(post, struct resolver, wake);
    if (r->asleep != NULL)
        fiber_wake(r->asleep);
    unref(r);
}

struct resolver *
resolver_start(struct backend *b, struct loop *loop)
{
    if (!backend_address_by_name(&b->address) || params.backend_resolve_interval_s <= 0)
        return NULL;
    struct resolver *r = mem_zalloc(sizeof *r);
    atomic_init(&r->refs, 2);
    r->loop = loop;
    r->backend = b;
    r->start.fn = on_start;
    r->wake.fn = on_wake;
    atomic_fetch_add(&b->refs, 1);
    loop_post(loop, &r->start);
    return r;
}

void
resolver_stop(struct resolver **resolver)
{
    struct resolver *r = *resolver;
    if (r == NULL)
        return;
    *resolver = NULL;
    atomic_store(&r->stopped, true);
    loop_post(r->loop, &r->wake); /* hands over the backend's reference */
}
