/* Health polls. One fiber each: connect, send, read the status line, note, wait. The record of a poller is counted: the one who
 * started it, its fiber, and every item under way in a mailbox hold a reference. */
#include "policy/probe.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "policy/state.h"

#define PROBE_AVERAGE_WEIGHT 4.0        /* a response time counts a quarter in the mean, once there are four */
#define PROBE_LINE_BYTES 512u
#define PROBE_DRAIN_BYTES (256u * 1024)
#define PROBE_INTERVAL_MIN_S 0.001
#define PROBE_SPAWN_RETRY_S 1.0

/* ---- health ---------------------------------------------------------------------------------------------------------------------- */

static unsigned
good_polls(const struct health *h)
{
    uint64_t mask = h->window >= 64 ? UINT64_MAX : (UINT64_C(1) << h->window) - 1;
    return (unsigned)__builtin_popcountll(h->happy_bits & mask);
}

struct health *
health_new(const struct probe *probe, double now_s)
{
    struct health *h = mem_zalloc(sizeof *h);
    atomic_init(&h->refs, 1);
    pthread_mutex_init(&h->lock, NULL);
    h->window = probe->window;
    h->threshold = probe->threshold;
    unsigned initial = probe->initial < probe->threshold ? probe->initial : probe->threshold;
    h->happy_bits = initial >= 64 ? UINT64_MAX : (UINT64_C(1) << initial) - 1;
    h->changed_s = now_s;
    atomic_init(&h->healthy, good_polls(h) >= h->threshold);
    return h;
}

struct health *
health_ref(struct health *h)
{
    atomic_fetch_add(&h->refs, 1);
    return h;
}

void
health_release(struct health **health)
{
    struct health *h = *health;
    if (h == NULL)
        return;
    *health = NULL;
    if (atomic_fetch_sub_explicit(&h->refs, 1, memory_order_acq_rel) != 1)
        return;
    pthread_mutex_destroy(&h->lock);
    free(h);
}

void
health_note(struct health *h, bool good, double took_s, double now_s)
{
    pthread_mutex_lock(&h->lock);
    h->happy_bits = h->happy_bits << 1 | (good ? 1 : 0);
    if (good) {
        if (h->n_average < PROBE_AVERAGE_WEIGHT)
            h->n_average++;
        h->average_s += (took_s - h->average_s) / h->n_average;
    }
    bool healthy = good_polls(h) >= h->threshold;
    if (healthy != atomic_load(&h->healthy)) {
        h->changed_s = now_s;
        atomic_store(&h->healthy, healthy);
    }
    pthread_mutex_unlock(&h->lock);
}

void
health_view(struct health *h, struct probe_view *out)
{
    pthread_mutex_lock(&h->lock);
    *out = (struct probe_view){
        .good = good_polls(h), .threshold = h->threshold, .window = h->window, .happy_bits = h->happy_bits,
        .last_changed_s = h->changed_s, .average_s = h->average_s, .probed = true, .healthy = atomic_load(&h->healthy),
    };
    pthread_mutex_unlock(&h->lock);
}

/* ---- one poll ---------------------------------------------------------------------------------------------------------------------- */

struct poller {
    atomic_uint refs;
    atomic_bool stopped;
    struct loop *loop;
    struct endpoint *endpoint;
    struct health *health;
    char *request;                      /* whole head; owned */
    size_t request_bytes;
    unsigned expected_status;
    double timeout_s, interval_s;
    struct fiber *asleep;               /* between polls; owner loop */
    struct post start, wake;
    struct timer retry;                 /* no fiber was free */
};

/* "HTTP/1.x NNN", as far as it has come: the status, 0 = go on reading, negative = no HTTP. */
static int
status_of(const char *line, size_t n)
{
    if (memchr(line, '\n', n) == NULL)
        return n < PROBE_LINE_BYTES ? 0 : ERR_SYNTAX;
    unsigned minor, status;
    char text[PROBE_LINE_BYTES + 1];
    memcpy(text, line, n);
    text[n] = '\0';
    return sscanf(text, "HTTP/1.%1u %3u", &minor, &status) == 2 && status >= 100 ? (int)status : ERR_SYNTAX;
}

static int
read_status(struct conn *c, nsec deadline)
{
    char line[PROBE_LINE_BYTES];
    size_t n = 0;
    for (;;) {
        ssize_t got = conn_read(c, line + n, sizeof line - n, deadline);
        if (got <= 0)
            return got == 0 ? ERR_EOF : (int)got;
        n += (size_t)got;
        int status = status_of(line, n);
        if (status != 0)
            return status;
    }
}

/* Closing with bytes unread would reset the origin's connection; some count that as an error. */
static void
drain(struct conn *c, nsec deadline)
{
    char scratch[2048];
    for (size_t n = 0; n < PROBE_DRAIN_BYTES;) {
        ssize_t got = conn_read(c, scratch, sizeof scratch, deadline);
        if (got <= 0)
            return;
        n += (size_t)got;
    }
}

static void
poll_once(struct poller *p)
{
    nsec start = clock_mono_ns(), deadline = nsec_add(start, nsec_of(p->timeout_s));
    struct conn c;
    int err = endpoint_connect(p->endpoint, p->loop, &c, deadline, NULL);
    bool connected = err == 0;
    if (connected) {
        struct iovec iov = { p->request, p->request_bytes };
        err = conn_write(&c, &iov, 1, deadline);
    }
    int status = err != 0 ? err : read_status(&c, deadline);
    nsec end = clock_mono_ns();
    health_note(p->health, status == (int)p->expected_status, nsec_seconds(end - start), nsec_seconds(clock_real_ns()));
    if (!connected)
        return;
    if (status > 0)
        drain(&c, deadline);
    conn_close(&c);
}

/* ---- the poller -------------------------------------------------------------------------------------------------------------------- */

static void
poller_unref(struct poller *p)
{
    if (atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1)
        return;
    endpoint_release(&p->endpoint);
    health_release(&p->health);
    free(p->request);
    free(p);
}

static void
poller_fiber(void *arg)
{
    struct poller *p = arg;
    while (!atomic_load(&p->stopped)) {
        poll_once(p);
        if (atomic_load(&p->stopped))
            break;
        p->asleep = fiber_current();
        fiber_park_until(nsec_add(clock_mono_ns(), nsec_of(p->interval_s)));
        p->asleep = NULL;
    }
    poller_unref(p);
}

static void
poller_spawn(struct poller *p)          /* gives the fiber the caller's reference */
{
    if (atomic_load(&p->stopped))
        poller_unref(p);
    else if (fiber_spawn(p->loop, poller_fiber, p) != 0)
        timer_set(p->loop, &p->retry, nsec_add(loop_now(p->loop), nsec_of(PROBE_SPAWN_RETRY_S)));
}

static void
on_retry(struct timer *t)
{
    poller_spawn(container_of(t, struct poller, retry));
}

static void
on_start(struct post *post)
{
    poller_spawn(container_of(post, struct poller, start));
}

static void
on_wake(struct post *post)
{
    struct poller *p = container_of(post, struct poller, wake);
    if (p->asleep != NULL)
        fiber_wake(p->asleep);
    poller_unref(p);
}

static void
set_request(struct poller *p, const struct probe *probe, struct span host)
{
    static const char form[] = "GET %.*s HTTP/1.1\r\nHost: %.*s\r\nConnection: close\r\n\r\n";
    struct span url = probe->url.len > 0 ? probe->url : SPAN_LIT("/");
    if (host.len == 0)
        host = SPAN_LIT("0.0.0.0");     /* a Unix socket without host_header; HTTP/1.1 wants the field */
    p->request_bytes = probe->request.ptr != NULL ? probe->request.len : url.len + host.len + sizeof form;
    p->request = mem_alloc(p->request_bytes + 1);
    if (probe->request.ptr != NULL)
        memcpy(p->request, probe->request.ptr, probe->request.len);
    else
        p->request_bytes = (size_t)snprintf(p->request, p->request_bytes, form, (int)url.len, url.ptr, (int)host.len, host.ptr);
}

struct poller *
poller_start(struct loop *loop, struct endpoint *ep, const struct probe *probe, struct health *h, struct span host_header)
{
    struct poller *p = mem_zalloc(sizeof *p);
    atomic_init(&p->refs, 2);           /* the caller's and the fiber's */
    p->loop = loop;
    p->endpoint = endpoint_ref(ep);
    p->health = health_ref(h);
    p->expected_status = probe->expected_status;
    p->timeout_s = probe->timeout_s;
    p->interval_s = probe->interval_s > PROBE_INTERVAL_MIN_S ? probe->interval_s : PROBE_INTERVAL_MIN_S;
    p->start.fn = on_start;
    p->wake.fn = on_wake;
    p->retry.fn = on_retry;
    set_request(p, probe, host_header);
    loop_post(loop, &p->start);
    return p;
}

void
poller_stop(struct poller **poller)
{
    struct poller *p = *poller;
    if (p == NULL)
        return;
    *poller = NULL;
    atomic_store(&p->stopped, true);
    loop_post(p->loop, &p->wake);       /* hands over the caller's reference */
}
