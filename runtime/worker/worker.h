/* The worker process: loops that serve, and the admin thread, which runs the manager's commands. The manager
 * forks the worker without exec; inherit.h lists everything the worker takes over. */
#ifndef VERNIS_WORKER_WORKER_H
#define VERNIS_WORKER_WORKER_H

#include "daemon/inherit.h"
#include "base/cpus.h"
#include "base/text.h"
#include "cache/store.h"
#include "policy/policy.h"
#include "proxy/proxy.h"

#define WORKER_POLICIES_MAX 1024u /* loaded at once, discarded ones in use included */

struct loaded { /* a policy or a label in this process; admin thread only */
    struct list link;
    struct policy *policy; /* NULL: a label */
    struct loaded *target; /* of a label */
    char *name;
    bool discarded;
    bool cold; /* stops its probes when the last request has ended */
    bool probing;
};

struct worker {
    const struct inherit *from;
    struct store *store;
    struct loop *loops[LOOPS_MAX];
    unsigned n_loops;
    struct policy_env env;
    struct proxy_env proxy;
    struct list policies;  /* struct loaded */
    unsigned n_policies;   /* without labels */
    struct loaded *active; /* may be a label */
    nsec started_real;
    bool draining;
    nsec drain_deadline;
};

__attribute__((noreturn)) inherit_main_fn worker_main;

/* Runs fn(loop, arg) on every loop and returns when all loops have run it. */
void worker_on_loops(struct worker *w, void (*fn)(struct loop *loop, void *arg), void *arg);
struct loaded *worker_find(struct worker *w, const char *name); /* not discarded; NULL */
/* The answer for a name of no policy, with a similar name if there is one. Returns the CLI status. */
int worker_no_policy(struct worker *w, const char *name, struct text *out);
struct loaded *worker_policy(struct loaded *l); /* itself, or the label's target */

/* Runs a command; argv[0] is its name. Returns the status; writes the answer to `out`. */
typedef int worker_command_fn(struct worker *w, unsigned argc, char *const argv[], struct text *out);

/* commands.c: finds a command by argv[0] and runs it. */
int worker_command(struct worker *w, unsigned argc, char *const argv[], struct text *out);
/* its name in the log: Varnish's name for it if one exists */
const char *worker_command_shown(const char *name);
/* loaded.c */
worker_command_fn worker_load, worker_use, worker_label, worker_discard, worker_replace, worker_temperature,
    worker_uses, worker_show;
worker_command_fn worker_backend_list, worker_set_health, worker_poll_by_hand; /* backends.c */
worker_command_fn worker_ban, worker_ban_list, worker_ban_counted;             /* bans.c */
worker_command_fn worker_purge, worker_purge_key, worker_purge_all;            /* purge.c */
/* Adds the member "position" of a JSON answer. */
void text_position(struct text *out, uint64_t position);
worker_command_fn worker_explain_key;    /* explain.c */
worker_command_fn worker_rules;          /* rules.c */
worker_command_fn worker_test_clock;     /* test_clock.c */
void worker_tls_start(struct worker *w); /* tls.c: connects the loops with the key process */
void worker_tls_stop(struct worker *w);  /* while the loops run, without sessions */
worker_command_fn worker_tls_begin, worker_tls_frontend, worker_tls_certificate, worker_tls_commit,
    worker_tls_tickets; /* tls.c */
worker_command_fn worker_table_list, worker_table_show, worker_table_diff, worker_table_replace,
    worker_table_row; /* tables.c */
/* Adds fields to the answer of a load: each table whose rows are in a file, and the file. */
void worker_tables_read(const struct policy *p, struct text *out);
void worker_collect(struct worker *w); /* cools or unloads cold and discarded policies without requests */
bool worker_collecting(const struct worker *w);

#endif
