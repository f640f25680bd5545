/* Health of a backend and the polls that find it out. A poller is one fiber of one loop; it works on copies and references, so
 * it may outlive the backend that started it by as long as a poll takes. */
#ifndef VERNIS_PROBE_H
#define VERNIS_PROBE_H

#include <stdatomic.h>

#include "origin/endpoint.h"

#define PROBE_WINDOW_MAX 64u
#define PROBE_STEPS 7u                  /* of a poll: connected by IPv4, IPv6, Unix socket; sending failed, worked; receiving too */
#define PROBE_STEP_LETTERS "46UxXrR"

struct probe {                          /* PROBE value: how to poll. Texts belong to the policy that declares it */
    struct span name, url, request;     /* request: whole head; SPAN_NULL: GET of url */
    unsigned expected_status, window, threshold, initial;
    double timeout_s, interval_s;
};

struct probe_view {
    unsigned good, threshold, window;
    uint64_t happy_bits, step_bits[PROBE_STEPS];        /* newest poll in bit 0 */
    double last_changed_s, average_s;
    bool probed, healthy;
};

/* The outcome of the last polls. `healthy` is read by every loop, the rest under the lock. */
struct health {
    atomic_uint refs;
    atomic_bool healthy;
    pthread_mutex_t lock;
    unsigned window, threshold;
    uint64_t happy_bits;                /* newest poll in bit 0 */
    uint64_t step_bits[PROBE_STEPS];
    double changed_s, average_s;        /* wall clock of the last change; mean response time */
    double n_average;                   /* weight the next response time gets, grows to a limit */
    uint64_t *shown;                    /* counter that happy_bits are copied to; NULL: none */
    void (*went_sick)(void *arg);       /* NULL: nobody wants to know */
    void *watcher;
};

struct health *health_new(const struct probe *probe, double now_s);    /* counts probe->initial good polls */
struct health *health_ref(struct health *h);
void health_release(struct health **h);
bool health_note(struct health *h, bool good, double took_s, double now_s);     /* true: healthy became sick, or sick healthy */
void health_note_steps(struct health *h, const char *letters);  /* those of PROBE_STEP_LETTERS the poll has taken, in any order */
void health_show(struct health *h, uint64_t *counter);
/* Called each time it becomes sick, under its lock; NULL ends that. */
void health_watch(struct health *h, void (*went_sick)(void *arg), void *arg);
void health_view(struct health *h, struct probe_view *out);

struct poller;
/* Any thread. Polls at once and then each interval, on `loop`. `host_header` is for probes without a request of their own, `name`
 * the backend's, for the log. */
struct poller *poller_start(struct loop *loop, struct endpoint *ep, const struct probe *probe, struct health *h, struct span name,
                            struct span host_header);
void poller_stop(struct poller **p);    /* any thread; does not wait: a poll under way ends by itself */

#endif
