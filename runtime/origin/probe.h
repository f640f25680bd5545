/* Health of a backend, and the polls that measure it. A poller is one fiber of one loop. It works on copies
 * and references, so it may outlive its backend until its current poll ends. What to poll, and how, is a
 * struct image_probe; its `request` is a whole head (SPAN_NULL: GET url), and the policy owns its texts. */
#ifndef VERNIS_ORIGIN_PROBE_H
#define VERNIS_ORIGIN_PROBE_H

#include <stdatomic.h>

#include "origin/endpoint.h"
#include "policy_origins.h"

#define PROBE_WINDOW_MAX 64u
/* steps of a poll: connected over IPv4, IPv6, Unix socket; send failed, sent; receive failed, received */
#define PROBE_STEPS 7u
#define PROBE_STEP_LETTERS "46UxXrR"

struct probe_view {
    unsigned good, threshold, window;
    uint64_t happy_bits, step_bits[PROBE_STEPS]; /* newest poll in bit 0 */
    double last_changed_s, average_s;
    bool probed, healthy;
};

/* Outcomes of the last polls. Every loop reads `healthy`; the lock guards the rest. */
struct health {
    atomic_uint refs;
    atomic_bool healthy;
    pthread_mutex_t lock;
    unsigned window, threshold;
    uint64_t happy_bits; /* newest poll in bit 0 */
    uint64_t step_bits[PROBE_STEPS];
    double changed_s, average_s;  /* wall clock of the last change; mean response time */
    double n_average;             /* number of polls in the average; stops at PROBE_AVERAGE_WEIGHT */
    uint64_t *shown;              /* counter that shows happy_bits; NULL: none */
    void (*went_sick)(void *arg); /* NULL: no watcher */
    void *watcher;
};

/* For tests, before the first backend: backends begin healthy, as after good polls, and nothing polls them
 * but backend_poll_by_hand. A test has no origin that a poll could reach. */
void probes_hold(bool on);
bool probes_held(void);

/* starts with probe->initial good polls */
struct health *health_new(const struct image_probe *probe, double now_s);
void health_release(struct health **h);
bool health_note(struct health *h, bool good, double took_s, double now_s); /* true: the health changed */
void health_show(struct health *h, uint64_t *counter);
/* Calls went_sick, under the lock, each time the health becomes sick; NULL removes the watcher. */
void health_watch(struct health *h, void (*went_sick)(void *arg), void *arg);
void health_view(struct health *h, struct probe_view *out);

struct poller;
/* Any thread. Polls at once, then at each interval, on `loop`. Probes without `.request` send `host_header`.
 * `name` is the backend's, for the log. */
struct poller *poller_start(struct loop *loop, struct endpoint *ep, const struct image_probe *probe,
                            struct health *h, struct span name, struct span host_header);
void poller_stop(struct poller **p); /* any thread; does not wait: a running poll ends by itself */

#endif
