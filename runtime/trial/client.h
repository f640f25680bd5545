/* A client in memory that sends one request and takes its whole response: the stream (stream/stream.h) of a
 * trial. It takes every byte at once. */
#ifndef VERNIS_TRIAL_CLIENT_H
#define VERNIS_TRIAL_CLIENT_H

#include "stream/session.h"
#include "trial/bytes.h"

struct trial_client {
    struct session session;
    struct stream stream;
    struct listen_socket listen;
    struct conn *tls; /* with facts of TLS; NULL: none */
    char *text;       /* of the request's head; owned */
    struct span body; /* of the request, lent; what is left of it */
    struct trial_bytes head, response;
    unsigned status;
    bool session_is_open, serving, over, was_reset, in_tunnel;
};

/* Opens a session and sends the head, whose text is copied. ERR_SYNTAX: it is no request; *why tells. Call on
 * the loop. */
int trial_client_begin(struct trial_client *c, struct service *sv, struct span head, struct span body,
                       const char **why);
/* After the end of its stream. */
void trial_client_end(struct trial_client *c);

#endif
