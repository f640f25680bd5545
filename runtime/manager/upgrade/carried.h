/* Settings that commands made in a daemon and that its successor of an upgrade (upgrade.h) gets: parameters,
 * states of backends, files of tables, certificates that commands loaded, which are read again, and
 * the keys of tickets. The old daemon writes them as lines of quoted words, once for the
 * start of the new daemon and again when it has stopped to take commands:
 *
 *     param.set NAME VALUE                 as param_setting() prints it
 *     backend.set_health POLICY PATTERN STATE      POLICY "": the active one
 *     table.replace TABLE FILE             of the active policy
 *     tls.cert.load LISTENER KEY-FILE ID FILE DEFAULT      LISTENER "": all; KEY-FILE "": in FILE;
 *                                          DEFAULT: "default" or ""
 *     tls.tickets NEXT CURRENT PREVIOUS AGE         as ticket_keys.h has them
 *
 * A reader ignores lines that it does not know. Nothing else is carried: carried_describe() names it. */
#ifndef VERNIS_MANAGER_UPGRADE_CARRIED_H
#define VERNIS_MANAGER_UPGRADE_CARRIED_H

#include "manager/child.h"
#include "manager/policies/policies.h"
#include "manager/tls/changes.h"
#include "manager/tls/ticket_keys.h"

#define CARRIED_BYTES_MAX (4 << 20)

typedef void carried_done_fn(void *arg);

struct carried {
    struct policies *policies;    /* lent */
    struct child *child;          /* lent */
    struct changes *certificates; /* lent */
    struct ticket_keys *tickets;  /* lent */
    bool commits;                 /* certificates are on their way */
    struct text lost;             /* lines: settings that could not be carried, with the reason */
    unsigned asked;               /* answers of the worker to come */
    carried_done_fn *done;
    void *arg;
};

struct carried_counts {              /* what the old worker had when it gave up its clients */
    unsigned long long stored, bans; /* responses; bans that apply to some of them */
};

/* In the old daemon. Replaces the content of the file. */
int carried_write(const struct policies *p, const struct certificates *certificates,
                  const struct ticket_keys *tickets, int fd);
/* Lines for the operator: settings that the new daemon gets, and what it does not get. */
void carried_describe(const struct policies *p, const struct certificates *certificates,
                      const struct carried_counts *counts, unsigned connections, bool dashboard,
                      struct text *out);

/* In the new daemon. */
/* Sets the parameters at its start, before any worker exists. */
void carried_params(int fd);
/* Sets everything, also in the worker; then calls `done` once, with c->lost complete. */
void carried_apply(struct carried *c, int fd, carried_done_fn *done, void *arg);

#endif
