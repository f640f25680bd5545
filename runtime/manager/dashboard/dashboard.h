/* The dashboard: a page that shows the traffic of this daemon, served by the manager.
 *
 * The page and its script hold no data and are open to all. The data, a stream of events and the history,
 * need the token (token.h) in the Authorization field. So the browser sends it to no other site, and a page
 * of another site cannot ask with it. Each text of a client passes as a JSON string.
 *
 * Each second the manager reads a bounded part of the log from shared memory. It reads the counters each
 * second while somebody watches, else each HISTORY_STEP_S. It asks the worker for backends and rules only for
 * watchers. */
#ifndef VERNIS_MANAGER_DASHBOARD_DASHBOARD_H
#define VERNIS_MANAGER_DASHBOARD_DASHBOARD_H

#include "manager/child.h"
#include "manager/events.h"
#include "manager/listen.h"
#include "manager/policies/policies.h"
#include "manager/shared.h"
#include "manager/dashboard/figures.h"
#include "manager/dashboard/history.h"
#include "manager/dashboard/log_reader.h"
#include "manager/dashboard/token.h"
#include "manager/dashboard/urls.h"
#include "manager/web.h"

#define DASHBOARD_WATCHERS_MAX 8u
#define DASHBOARD_LISTEN_DEFAULT "127.0.0.1:0"

struct dashboard_env { /* lent for the life of the daemon */
    struct events *events;
    struct child *child;
    const struct policies *policies;
    const struct shared *shared;
    const struct options *options;
    const struct workdir *dir;
    const char *const *identity;
    nsec started; /* CLOCK_MONOTONIC, of the manager */
};

struct dashboard_question; /* to the worker, while it has not answered */

struct dashboard {
    struct dashboard_env env;
    struct listens sockets;
    struct web *web; /* NULL: off */
    char token[TOKEN_DIGITS + 1];
    struct history *history;
    struct log_reader log;
    struct urls *urls;
    struct figures before, now, step; /* step: at the last record of the history */
    nsec before_at, now_at, step_at;  /* CLOCK_MONOTONIC; 0: not yet */
    struct origin_times origin;       /* of the last step that had responses */
    struct event_timer tick;
    struct dashboard_question *question;
    nsec backends_asked, rules_asked;
    struct text backends, rules; /* JSON; empty: unknown */
    struct text message;
};

void dashboard_init(struct dashboard *d, const struct dashboard_env *env);
/* Begins to serve on an address. ERR_SYS or ERR_SYNTAX with a line in `why`; it is off then. */
int dashboard_start(struct dashboard *d, const char *address, struct text *why);
/* As the parameter says. Protects the parameter from changes. */
int dashboard_open(struct dashboard *d, struct text *why);
void dashboard_stop(struct dashboard *d); /* harmless when off */
bool dashboard_runs(const struct dashboard *d);
/* Appends a link for each address. A link has the token behind '#', which browsers do not send. */
void dashboard_links(const struct dashboard *d, const char *between, struct text *out);
/* state.c: appends the message for watchers */
void dashboard_describe(struct dashboard *d, struct text *out);

#endif
