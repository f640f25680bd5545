/* Answers challenges of ACME (RFC 8555, 8.3) from the folder of the parameter acme_folder, before vcl_recv,
 * so that no policy can be in the way of a new certificate. A client of ACME on this machine writes the
 * folder. */
#ifndef VERNIS_PROXY_RESPOND_ACME_H
#define VERNIS_PROXY_RESPOND_ACME_H

#include <stdbool.h>

#include "proxy/request_state.h"

/* A GET or HEAD as the client sent it, below the path of challenges, while there is a folder. */
bool acme_is_challenge(const struct request *r);
/* Sends the file whose name is the token, or 404. Fiber only. As respond_send_text. */
int acme_send(struct request *r);

#endif
