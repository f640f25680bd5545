/* Keys of session tickets: the next, the current and the previous one. All loops of all workers of a manager
 * have the same, so that a client resumes its session wherever it returns. Until the manager sends some, this
 * process uses keys of its own. */
#ifndef VERNIS_TLS_TICKETS_H
#define VERNIS_TLS_TICKETS_H

#include <openssl/types.h>

#include "base/span.h"

#define TICKET_NAME_BYTES 16u
#define TICKET_SECRET_BYTES 32u
#define TICKET_KEY_BYTES (TICKET_NAME_BYTES + 2 * TICKET_SECRET_BYTES)
#define TICKET_KEYS 3u

struct ticket_key {
    unsigned char name[TICKET_NAME_BYTES], cipher[TICKET_SECRET_BYTES], mac[TICKET_SECRET_BYTES];
};

/* In hexadecimal; an empty one: none. ERR_SYNTAX. Any thread. The current one makes tickets; all are
 * accepted, and a ticket of another key is renewed. */
int tickets_set(struct span next, struct span current, struct span previous);
void tickets_use(SSL_CTX *ctx);
void tickets_forget(void); /* wipes them */

#endif
