/* The keys of session tickets: the next, the current and the previous one. The manager makes them, so that
 * clients resume their sessions on every loop, after a crash of the worker, and after an upgrade. They are in
 * memory only, and wiped when they leave. */
#ifndef VERNIS_MANAGER_TLS_TICKET_KEYS_H
#define VERNIS_MANAGER_TLS_TICKET_KEYS_H

#include "manager/child.h"

#define TICKET_KEYS_KEPT 3u
#define TICKET_KEYS_BYTES 80u
#define TICKET_KEYS_HEX (2 * TICKET_KEYS_BYTES + 1)

struct ticket_keys {
    struct child *child;
    struct events *events;
    unsigned char keys[TICKET_KEYS_KEPT][TICKET_KEYS_BYTES]; /* next, current, previous */
    unsigned n;                                              /* 0: none; 2: no previous one */
    nsec made;                                               /* the next one; CLOCK_MONOTONIC */
    struct event_timer rotate;
};

/* As text: hexadecimal, and the age of the newest in seconds. Wipe it (ticket_words_wipe). */
struct ticket_words {
    char keys[TICKET_KEYS_KEPT][TICKET_KEYS_HEX]; /* the last may be "" */
    char age[32];
};

void ticket_keys_init(struct ticket_keys *t, struct child *child, struct events *events);
void ticket_keys_start(struct ticket_keys *t); /* makes keys, and new ones every tls_ticket_lifetime */
void ticket_keys_stop(struct ticket_keys *t);  /* wipes them; harmless without keys */
void ticket_keys_send(struct ticket_keys *t);  /* to the worker; nothing without keys */

/* For an upgrade. False: there are none. */
bool ticket_keys_words(const struct ticket_keys *t, struct ticket_words *out);
void ticket_words_wipe(struct ticket_words *w);
/* Uses the keys of the daemon before, instead of its own, and sends them. ERR_SYNTAX */
int ticket_keys_take(struct ticket_keys *t, const char *const keys[TICKET_KEYS_KEPT], const char *age);

#endif
