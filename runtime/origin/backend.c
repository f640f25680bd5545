/* A declared backend: its addresses, timeouts and health. A backend is reference-counted: the policy holds
 * one reference, and each connection another, also while it is idle (backend_conn.c). */
#include "origin/backend.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/counters.h"
#include "log/vsc.h"
#include "origin/backend_internal.h"

#define COUNTERS_IDENT_BYTES 512u

/* Varnish's counters are last, so that the key of varnishstat for the end of the list finds one of them. */
static const struct vsc_row vbe_rows[VBE_COUNT] = {
    [VBE_EJECTED] = { "ejected", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                      "Times the origin was ejected after failures" },
    [VBE_HEALTHY] = { "healthy", VSC_GAUGE, VSC_INFO, VSC_INTEGER,
                      "1 if healthy: as set by hand, else by its probe and not ejected" },
    [VBE_HAPPY] = { "happy", VSC_BITMAP, VSC_INFO, VSC_BITS, "Outcomes of the last polls, newest in bit 0" },
    [VBE_BEREQ_HDRBYTES] = { "bereq_hdrbytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Request head bytes sent" },
    [VBE_BEREQ_BODYBYTES] = { "bereq_bodybytes", VSC_COUNTER, VSC_INFO, VSC_BYTES,
                              "Request content bytes sent" },
    [VBE_BERESP_HDRBYTES] = { "beresp_hdrbytes", VSC_COUNTER, VSC_INFO, VSC_BYTES,
                              "Response head bytes received" },
    [VBE_BERESP_BODYBYTES] = { "beresp_bodybytes", VSC_COUNTER, VSC_INFO, VSC_BYTES,
                               "Response content bytes received" },
    [VBE_PIPE_HDRBYTES] = { "pipe_hdrbytes", VSC_COUNTER, VSC_INFO, VSC_BYTES,
                            "Head bytes of piped requests" },
    [VBE_PIPE_OUT] = { "pipe_out", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes sent" },
    [VBE_PIPE_IN] = { "pipe_in", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes received" },
    [VBE_CONN] = { "conn", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Concurrent connections used" },
    [VBE_REQ] = { "req", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests sent" },
    [VBE_UNHEALTHY] = { "unhealthy", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                        "Fetches not tried because the backend was sick" },
    [VBE_BUSY] = { "busy", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                   "Fetches not tried because max_connections were in use" },
    [VBE_FAIL] = { "fail", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                   "Connections that could not be opened, for any reason" },
    [VBE_FAIL_EACCES] = { "fail_eacces", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: EACCES or EPERM" },
    [VBE_FAIL_EADDRNOTAVAIL] = { "fail_eaddrnotavail", VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
                                 "Not opened: EADDRNOTAVAIL" },
    [VBE_FAIL_ECONNREFUSED] = { "fail_econnrefused", VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
                                "Not opened: ECONNREFUSED" },
    [VBE_FAIL_ENETUNREACH] = { "fail_enetunreach", VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
                               "Not opened: ENETUNREACH" },
    [VBE_FAIL_ETIMEDOUT] = { "fail_etimedout", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: ETIMEDOUT" },
    [VBE_FAIL_OTHER] = { "fail_other", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Not opened: other reasons" },
    [VBE_HELDDOWN] = { "helddown", VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
                       "Connections not tried because the last attempt had just failed" },
};
static const struct vsc_type vbe_type = { "vbe", "An origin", vbe_rows, VBE_COUNT };

/* ---- creation and release ------------------------------------------------------------------------------ */

static struct span
own(struct span text)
{
    return text.ptr == NULL ? SPAN_NULL : span_of(mem_text(text), text.len);
}

/* Only backends with an address have counters: `none` has no origin. */
static void
show_counts(struct tally *t, const uint64_t *sums)
{
    struct backend *b = container_of(t, struct backend, tally);
    for (int i = 0; i < VBE_COUNT; i++)
        if (i != VBE_HEALTHY && i != VBE_HAPPY)
            vsc_set(&b->counters[i], i == VBE_CONN ? tally_gauge(sums[i]) : sums[i]);
}

static void
counters_make(struct backend *b, struct span policy)
{
    char ident[COUNTERS_IDENT_BYTES];
    snprintf(ident, sizeof ident, "VBE.%.*s.%.*s", (int)policy.len, policy.ptr, (int)b->terms.name.len,
             b->terms.name.ptr);
    b->counters = vsc_new(&vbe_type, ident);
    vsc_hide(b->counters, true);
    tally_open(&b->tally, VBE_COUNT, show_counts);
}

static const struct director_ops backend_ops;

/* Returns the value of Host for requests without one: .host_header, or the declared host. */
static struct span
host_header_of(const struct image_backend *im)
{
    if (im->host_header.ptr != NULL)
        return im->host_header;
    return im->path.ptr != NULL ? SPAN_LIT("0.0.0.0") : im->host;
}

/* The timeouts of `via` are the defaults. */
static struct image_backend
terms_of(const struct image_backend *im, const struct image_backend *via)
{
    struct image_backend terms = *im;
    terms.host_header = host_header_of(im);
#define OWN(text) terms.text = own(terms.text);
    IMAGE_BACKEND_TEXTS(OWN)
#undef OWN
    if (via == NULL)
        return terms;
    if (im->connect_timeout_s < 0)
        terms.connect_timeout_s = via->connect_timeout_s;
    if (im->first_byte_timeout_s < 0)
        terms.first_byte_timeout_s = via->first_byte_timeout_s;
    if (im->between_bytes_timeout_s < 0)
        terms.between_bytes_timeout_s = via->between_bytes_timeout_s;
    return terms;
}

static void
went_sick(void *arg)
{
    struct backend *b = arg;
    if (!director_healthy(&b->director, NULL))
        backend_dismiss(b);
}

int
backend_new(struct span policy, const struct image_backend *im, const struct image_backend *via,
            const struct image_probe *probe, struct backend **out, char *why, size_t why_cap)
{
    struct backend_address address = { 0 };
    int err = im->none ? 0 : backend_address_init(&address, im, via, why, why_cap);
    if (err != 0)
        return err;
    struct backend *b = mem_zalloc(sizeof *b);
    atomic_init(&b->refs, 1);
    pthread_mutex_init(&b->lock, NULL);
    list_init(&b->waiting);
    b->terms = terms_of(im, via);
    b->director = (struct director){ .ops = &backend_ops, .name = b->terms.name };
    double now = nsec_seconds(clock_real_ns());
    atomic_init(&b->admin_changed_s, now);
    b->address = address;
    b->real = !im->none;
    if (b->real) {
        atomic_init(&b->endpoint, backend_address_endpoint(&b->address));
        counters_make(b, policy);
        counters_here()->n_backend++;
    }
    if (probe != NULL && b->real) {
        b->probe = probe;
        b->health = health_new(probe, now);
        health_show(b->health, &b->counters[VBE_HAPPY]);
        health_watch(b->health, went_sick, b);
    }
    if (b->real)
        backend_shown_add(b);
    *out = b;
    return 0;
}

struct endpoint *
backend_endpoint(struct backend *b)
{
    CHECK(b->real);
    pthread_mutex_lock(&b->lock);
    struct endpoint *ep = endpoint_ref(b->endpoint);
    pthread_mutex_unlock(&b->lock);
    return ep;
}

static void
drop(struct backend *b, unsigned n)
{
    unsigned refs = atomic_fetch_sub_explicit(&b->refs, n, memory_order_acq_rel);
    CHECK(refs >= n);
    if (refs != n)
        return;
    struct endpoint *ep = atomic_load(&b->endpoint);
    CHECK(b->poller == NULL && b->resolver == NULL && b->in_use == 0 && b->n_waiting == 0);
    backend_shown_remove(b);
    if (b->health != NULL) {
        health_show(b->health, NULL);
        health_watch(b->health, NULL, NULL);
    }
    tally_close(&b->tally);
    vsc_free(&b->counters);
    endpoint_release(&ep);
    health_release(&b->health);
    backend_address_release(&b->address);
    pthread_mutex_destroy(&b->lock);
#define FREE(text) free((char *)b->terms.text.ptr);
    IMAGE_BACKEND_TEXTS(FREE)
#undef FREE
    free(b);
}

void
backend_unref(struct backend *b)
{
    drop(b, 1);
}

void
backend_release(struct backend **backend)
{
    struct backend *b = *backend;
    if (b == NULL)
        return;
    *backend = NULL;
    backend_stop_probe(b);
    counters_here()->n_backend -= b->real;
    b->probe = NULL;
    unsigned n = 0;
    if (b->real) {
        struct endpoint *ep = backend_endpoint(b);
        atomic_store(&b->released, true);
        n = endpoint_forget(ep, b);
        endpoint_release(&ep);
    }
    drop(b, 1 + n);
}

/* Call under the lock. */
static void
start_poller(struct backend *b, struct loop *loop)
{
    if (b->health != NULL && !probes_held())
        b->poller = poller_start(loop, b->endpoint, b->probe, b->health, b->terms.name, b->terms.host_header);
}

void
backend_start_probe(struct backend *b, struct loop *loop)
{
    CHECK(loop != NULL);
    if (b->counters != NULL)
        vsc_hide(b->counters, false);
    if (!b->real)
        return;
    pthread_mutex_lock(&b->lock);
    if (b->poller == NULL)
        start_poller(b, loop);
    if (b->resolver == NULL)
        b->resolver = resolver_start(b, loop);
    pthread_mutex_unlock(&b->lock);
}

void
backend_move(struct backend *b, struct endpoint *ep, struct loop *loop)
{
    pthread_mutex_lock(&b->lock);
    struct endpoint *old = atomic_exchange(&b->endpoint, ep);
    if (b->poller != NULL) { /* the policy still exists, so b->probe is valid */
        poller_stop(&b->poller);
        start_poller(b, loop);
    }
    pthread_mutex_unlock(&b->lock);
    drop(b, endpoint_forget(old, b)); /* the caller has a reference of its own */
    endpoint_release(&old);
}

void
backend_stop_probe(struct backend *b)
{
    pthread_mutex_lock(&b->lock);
    poller_stop(&b->poller);
    resolver_stop(&b->resolver);
    pthread_mutex_unlock(&b->lock);
    if (b->counters != NULL)
        vsc_hide(b->counters, true);
}

/* ---- director operations ------------------------------------------------------------------------------- */

/* A sick backend also resolves to itself: backend_get_for then returns ERR_SICK and counts the failure. */
static struct backend *
resolve_self(struct director *d, struct policy_ctx *ctx)
{
    return container_of(d, struct backend, director);
}

static bool
backend_healthy(struct director *d, const struct policy_ctx *ctx, double *changed_s)
{
    struct backend *b = container_of(d, struct backend, director);
    if (!b->real)
        return false;
    int admin = atomic_load_explicit(&b->admin, memory_order_relaxed);
    if (changed_s != NULL) {
        *changed_s = atomic_load(&b->admin_changed_s);
        struct probe_view view;
        backend_probe_view(b, &view);
        if (admin == BACKEND_AUTO && view.probed)
            *changed_s = view.last_changed_s;
    }
    if (admin != BACKEND_AUTO)
        return admin == BACKEND_HEALTHY;
    bool polled_sick = b->health != NULL && !atomic_load_explicit(&b->health->healthy, memory_order_relaxed);
    return !polled_sick && !backend_is_ejected(b);
}

bool
backend_is_ejected(struct backend *b)
{
    if (!b->real || !ejection_is_on())
        return false;
    pthread_mutex_lock(&b->lock);
    nsec until = endpoint_ejected_until(b->endpoint);
    pthread_mutex_unlock(&b->lock);
    return until != 0 && clock_mono_ns() < until;
}

static const struct director_ops backend_ops = {
    .type = "backend",
    .resolve = resolve_self,
    .healthy = backend_healthy,
    .list = NULL,
};

bool
director_is_none(struct director *d)
{
    struct backend *b = director_backend(d);
    return b != NULL && !b->real;
}

struct backend *
director_backend(struct director *d)
{
    return d != NULL && d->ops == &backend_ops ? container_of(d, struct backend, director) : NULL;
}

/* ---- accessors ----------------------------------------------------------------------------------------- */

struct director *
backend_director(struct backend *b)
{
    return &b->director;
}

struct span
backend_name(const struct backend *b)
{
    return b->terms.name;
}

bool
backend_is_real(const struct backend *b)
{
    return b->real;
}

struct span
backend_host_header(const struct backend *b)
{
    return b->terms.host_header;
}

double
backend_connect_timeout(const struct backend *b)
{
    return b->terms.connect_timeout_s >= 0 ? b->terms.connect_timeout_s : params.connect_timeout_s;
}

double
backend_first_byte_timeout(const struct backend *b)
{
    return b->terms.first_byte_timeout_s >= 0 ? b->terms.first_byte_timeout_s : params.first_byte_timeout_s;
}

double
backend_between_bytes_timeout(const struct backend *b)
{
    return b->terms.between_bytes_timeout_s >= 0 ? b->terms.between_bytes_timeout_s
                                                 : params.between_bytes_timeout_s;
}

void
backend_count(struct backend *b, enum backend_counter which)
{
    DEBUG_CHECK(which != VBE_HEALTHY && which != VBE_HAPPY);
    if (b->counters != NULL)
        tally_words(&b->tally)[which]++;
}

uint64_t *
backend_counts(struct backend *b)
{
    DEBUG_CHECK(b->counters != NULL);
    return tally_words(&b->tally);
}

uint64_t
backend_counted(const struct backend *b, enum backend_counter which)
{
    bool is_shown_only = which == VBE_HEALTHY || which == VBE_HAPPY;
    return is_shown_only ? __atomic_load_n(&b->counters[which], __ATOMIC_RELAXED)
                         : tally_sum(&b->tally, which);
}

void
backend_set_admin(struct backend *b, enum backend_admin a)
{
    if (atomic_exchange(&b->admin, (int)a) != (int)a)
        atomic_store(&b->admin_changed_s, nsec_seconds(clock_real_ns()));
    went_sick(b);
}

int
backend_poll_by_hand(struct backend *b, bool good)
{
    if (b->health == NULL)
        return ERR_NOTFOUND;
    backend_set_admin(b, BACKEND_AUTO);
    (void)health_note(b->health, good, 0, nsec_seconds(clock_real_ns()));
    return 0;
}

double
backend_probe_interval(const struct backend *b)
{
    return b->health == NULL ? -1 : b->probe->interval_s;
}

enum backend_admin
backend_admin_state(const struct backend *b)
{
    return (enum backend_admin)atomic_load(&((struct backend *)b)->admin);
}

void
backend_probe_view(struct backend *b, struct probe_view *out)
{
    if (b->health != NULL) {
        health_view(b->health, out);
        return;
    }
    *out = (struct probe_view){ .last_changed_s = atomic_load(&b->admin_changed_s), .healthy = b->real };
}

unsigned
backend_idle(struct backend *b)
{
    if (!b->real)
        return 0;
    struct endpoint *ep = backend_endpoint(b);
    unsigned n = endpoint_count_idle(ep);
    endpoint_release(&ep);
    return n;
}

void
backend_loop_release(struct loop *loop)
{
    endpoint_loop_release(loop);
}
