/* Health polls. Each poller is one fiber: connect, send, read the response, record the outcome, wait. A
 * poller is reference-counted: its starter, its fiber and each post under way hold a reference. */
#include "origin/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "log/txn.h"
#include "log/vsc.h"
#include "loop/fiber.h"
#include "origin/probe_answer.h"

/* from the fourth good poll on, a new response time counts a quarter of the average */
#define PROBE_AVERAGE_WEIGHT 4.0
#define PROBE_INTERVAL_MIN_S 0.001
#define PROBE_SPAWN_RETRY_S 1.0

static bool held; /* see probes_hold; set while no loop runs */

void
probes_hold(bool on)
{
    held = on;
}

bool
probes_held(void)
{
    return held;
}

/* ---- health -------------------------------------------------------------------------------------------- */

static unsigned
good_polls(const struct health *h)
{
    uint64_t mask = h->window >= 64 ? UINT64_MAX : (UINT64_C(1) << h->window) - 1;
    return (unsigned)__builtin_popcountll(h->happy_bits & mask);
}

struct health *
health_new(const struct image_probe *probe, double now_s)
{
    CHECK(probe->window >= 1 && probe->window <= PROBE_WINDOW_MAX && probe->threshold <= probe->window);
    struct health *h = mem_zalloc(sizeof *h);
    atomic_init(&h->refs, 1);
    pthread_mutex_init(&h->lock, NULL);
    h->window = probe->window;
    h->threshold = probe->threshold;
    unsigned initial = held || probe->initial > probe->threshold ? probe->threshold : probe->initial;
    h->happy_bits = initial >= 64 ? UINT64_MAX : (UINT64_C(1) << initial) - 1;
    h->changed_s = now_s;
    atomic_init(&h->healthy, good_polls(h) >= h->threshold);
    return h;
}

static struct health *
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

static void
show(const struct health *h)
{
    if (h->shown != NULL)
        vsc_set(h->shown, h->happy_bits);
}

void
health_show(struct health *h, uint64_t *counter)
{
    pthread_mutex_lock(&h->lock);
    h->shown = counter;
    show(h);
    pthread_mutex_unlock(&h->lock);
}

void
health_watch(struct health *h, void (*went_sick)(void *arg), void *arg)
{
    pthread_mutex_lock(&h->lock);
    h->went_sick = went_sick;
    h->watcher = arg;
    pthread_mutex_unlock(&h->lock);
}

bool
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
    bool changed = healthy != atomic_load(&h->healthy);
    if (changed) {
        h->changed_s = now_s;
        atomic_store(&h->healthy, healthy);
        if (!healthy && h->went_sick != NULL)
            h->went_sick(h->watcher);
    }
    show(h);
    pthread_mutex_unlock(&h->lock);
    return changed;
}

void
health_view(struct health *h, struct probe_view *out)
{
    pthread_mutex_lock(&h->lock);
    *out = (struct probe_view){
        .good = good_polls(h),
        .threshold = h->threshold,
        .window = h->window,
        .happy_bits = h->happy_bits,
        .last_changed_s = h->changed_s,
        .average_s = h->average_s,
        .probed = true,
        .healthy = atomic_load(&h->healthy),
    };
    memcpy(out->step_bits, h->step_bits, sizeof out->step_bits);
    pthread_mutex_unlock(&h->lock);
}

/* `letters`: the steps taken, from PROBE_STEP_LETTERS, in any order */
static void
health_note_steps(struct health *h, const char *letters)
{
    static const char all[] = PROBE_STEP_LETTERS;
    pthread_mutex_lock(&h->lock);
    for (unsigned i = 0; i < PROBE_STEPS; i++)
        h->step_bits[i] = h->step_bits[i] << 1 | (strchr(letters, all[i]) != NULL ? 1 : 0);
    pthread_mutex_unlock(&h->lock);
}

/* ---- one poll ------------------------------------------------------------------------------------------ */

struct poller {
    atomic_uint refs;
    atomic_bool stopped;
    struct loop *loop;
    struct endpoint *endpoint;
    struct health *health;
    char *name;    /* the backend's name; owned */
    char *request; /* whole head; owned */
    size_t request_bytes;
    struct span method; /* in request */
    unsigned expected_response;
    double timeout_s, interval_s;
    struct fiber *asleep; /* set between polls; owner loop */
    struct post start, wake;
    struct timer retry; /* for when no fiber was free */
};

/* Steps and result of one poll, for its log record. */
struct outcome {
    char family; /* '4', '6', 'U'; 0: no connection */
    bool sent, send_failed, received, receive_failed, good;
    double took_s;
    char line[PROBE_LINE_BYTES + 1]; /* first line received, or the error */
};

static void
complain(struct outcome *o, const char *what, int err)
{
    int why = err == ERR_TIMEOUT ? ETIMEDOUT : err == ERR_RESET ? ECONNRESET : errno;
    snprintf(o->line, sizeof o->line, "%s error %d (%s)", what, why, strerror(why));
}

static int
no_answer(struct outcome *o, int err)
{
    o->receive_failed = true;
    complain(o, err == ERR_TIMEOUT ? "Poll" : "Read", err);
    return err;
}

/* Returns the status, or an error. A poll counts only if the whole response arrives in time, as in Varnish.
 */
static int
read_status(struct poller *p, struct conn *c, nsec deadline, struct outcome *o)
{
    struct probe_answer answer = { .empty = true };
    int status = probe_receive(c, p->method, deadline, &answer);
    if (status < 0 && status != ERR_SYNTAX)
        return no_answer(o, status);
    o->received = !answer.empty;
    strcpy(o->line, answer.empty ? "Empty response" : answer.line);
    return status;
}

static char
family_of(const struct conn *c)
{
    struct address a;
    conn_peer(c, &a);
    return a.family == 4 ? '4' : a.family == 6 ? '6' : 'U';
}

/* Returns the status, or an error. */
static int
ask(struct poller *p, struct conn *c, nsec deadline, struct outcome *o)
{
    struct iovec iov = { p->request, p->request_bytes };
    o->family = family_of(c);
    int err = conn_write(c, &iov, 1, deadline);
    if (err == 0) {
        o->sent = true;
        return read_status(p, c, deadline, o);
    }
    o->send_failed = true;
    complain(o, "Write", err);
    return err;
}

static void
steps_of(const struct outcome *o, char letters[PROBE_STEPS])
{
    memset(letters, '-', PROBE_STEPS);
    if (o->family != 0)
        letters[o->family == '6' ? 1 : o->family == 'U' ? 2 : 0] = o->family;
    if (o->send_failed)
        letters[3] = 'x';
    if (o->sent)
        letters[4] = 'X';
    if (o->receive_failed)
        letters[5] = 'r';
    if (o->received)
        letters[6] = 'R';
}

/* "Still" means the same health as before, "Went" a change. */
static void
log_health(struct poller *p, const struct outcome *o, bool changed)
{
    struct probe_view v;
    if (!log_wants(TAG_BACKEND_HEALTH))
        return;
    health_view(p->health, &v);
    char steps[PROBE_STEPS + 2];
    steps_of(o, steps);
    steps[PROBE_STEPS] = o->good ? 'H' : '-';
    steps[PROBE_STEPS + 1] = '\0';
    log_printf(&log_untied, TAG_BACKEND_HEALTH, "%s %s %s %s %u %u %u %f %f \"%s\"", p->name,
               changed ? "Went" : "Still", v.healthy ? "healthy" : "sick", steps, v.good, v.threshold,
               v.window, o->took_s, v.average_s, o->line);
}

static void
poll_once(struct poller *p)
{
    CHECK(loop_is_current(p->loop) && fiber_current() != NULL);
    nsec start = clock_mono_ns(), deadline = nsec_add(start, nsec_of(p->timeout_s));
    struct outcome o = { .good = false };
    struct conn c;
    int status = endpoint_connect(p->endpoint, p->loop, &c, deadline, NULL);
    bool connected = status == 0;
    if (connected)
        status = ask(p, &c, deadline, &o);
    else
        snprintf(o.line, sizeof o.line, "Open error %d (%s)", errno, strerror(errno));
    double took_s = nsec_seconds(clock_mono_ns() - start);
    if (o.received)
        o.took_s = took_s;
    o.good = status == (int)p->expected_response;
    char steps[PROBE_STEPS + 1];
    steps_of(&o, steps);
    steps[PROBE_STEPS] = '\0';
    health_note_steps(p->health, steps);
    bool changed = health_note(p->health, o.good, took_s, nsec_seconds(clock_real_ns()));
    log_health(p, &o, changed);
    if (connected)
        conn_close(&c);
}

/* ---- the poller ---------------------------------------------------------------------------------------- */

static void
poller_unref(struct poller *p)
{
    if (atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1)
        return;
    endpoint_release(&p->endpoint);
    health_release(&p->health);
    free(p->request);
    free(p->name);
    free(p);
}

static void
poller_fiber(void *arg)
{
    struct poller *p = arg;
    struct probe_view v;
    health_view(p->health, &v);
    /* logs the initial health */
    log_health(p, &(struct outcome){ .good = (v.happy_bits & 1) != 0 }, !v.healthy);
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
poller_spawn(struct poller *p) /* passes the caller's reference to the fiber */
{
    CHECK(loop_is_current(p->loop));
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
set_request(struct poller *p, const struct image_probe *probe, struct span host)
{
    static const char form[] = "GET %.*s HTTP/1.1\r\nHost: %.*s\r\nConnection: close\r\n\r\n";
    struct span url = probe->url.len > 0 ? probe->url : SPAN_LIT("/");
    if (host.len == 0)
        host = SPAN_LIT("0.0.0.0"); /* a Unix socket without .host_header; HTTP/1.1 requires Host */
    p->request_bytes = probe->request.ptr != NULL ? probe->request.len : url.len + host.len + sizeof form;
    p->request = mem_alloc(p->request_bytes + 1);
    if (probe->request.ptr != NULL)
        memcpy(p->request, probe->request.ptr, probe->request.len);
    else
        p->request_bytes = (size_t)snprintf(p->request, p->request_bytes, form, (int)url.len, url.ptr,
                                            (int)host.len, host.ptr);
    const char *end = memchr(p->request, ' ', p->request_bytes);
    p->method = end == NULL ? SPAN_LIT("") : span_of(p->request, (size_t)(end - p->request));
}

struct poller *
poller_start(struct loop *loop, struct endpoint *ep, const struct image_probe *probe, struct health *h,
             struct span name, struct span host_header)
{
    struct poller *p = mem_zalloc(sizeof *p);
    atomic_init(&p->refs, 2); /* one of the caller, one of the fiber */
    p->loop = loop;
    p->endpoint = endpoint_ref(ep);
    p->health = health_ref(h);
    p->expected_response = probe->expected_response;
    p->timeout_s = probe->timeout_s;
    p->interval_s = probe->interval_s > PROBE_INTERVAL_MIN_S ? probe->interval_s : PROBE_INTERVAL_MIN_S;
    p->start.fn = on_start;
    p->wake.fn = on_wake;
    p->retry.fn = on_retry;
    p->name = mem_text(name);
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
    loop_post(p->loop, &p->wake); /* hands over the caller's reference */
}
