/* Sends a set of certificates to the worker, by the commands tls.* of worker/tls.c: a part at a time, so that
 * neither the manager's memory nor the watchdog suffers from a large one. The worker uses the set only when
 * all of it was right. */
#ifndef VERNIS_MANAGER_TLS_SET_SENDER_H
#define VERNIS_MANAGER_TLS_SET_SENDER_H

#include "manager/tls/certificates.h"

#define SET_CALLS_MAX 64u /* commands that wait for the worker at a time */

/* status: CLI_OK; CLI_COMMS: no worker, or it died; otherwise the worker refused the set, and goes on with
 * that before. text: the reason. */
typedef void set_sent_fn(void *arg, int status, struct span text);

struct set_sender {
    struct certificates *from;
    struct certificate **set; /* NULL: idle */
    const struct settings_set *settings;
    unsigned n, at; /* certificates; commands sent so far */
    unsigned waiting;
    bool sending, committing;
    int status;
    nsec worker; /* its start */
    struct text why;
    set_sent_fn *done;
    void *arg;
};

bool set_sender_busy(const struct set_sender *s);
/* next: the set after a commit, instead of that in use. The set must not change until `done` is called. */
void set_sender_start(struct set_sender *s, struct certificates *from, bool next, set_sent_fn *done,
                      void *arg);

#endif
