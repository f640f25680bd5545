/* Interim responses of an origin (RFC 9110, 15.2) on their way to the client whose request they answer. The
 * fetch queues them and the request sends them: both run on one loop, and only the request may wait for its
 * client. Other requests that wait for the same fetch get no interim responses, because these answer only the
 * request that started it. Belongs together with proxy/request_state: the queue is a part of a request. */
#ifndef VERNIS_PROXY_INTERIM_H
#define VERNIS_PROXY_INTERIM_H

#include "http/message.h"

#define INTERIM_MAX 8u /* per request; further ones are dropped, as are all for an HTTP/1.0 client */
#define INTERIM_BYTES_MAX 16384u /* names and values of all; a response that does not fit is dropped */

struct request;
struct interim;

struct interim_queue {
    struct interim *first;
    unsigned n;   /* queued so far, including sent ones */
    size_t bytes; /* of those */
};

/* Called by the fetch: copies the head and wakes the request */
void interim_offer(struct request *r, struct http_message *head);
void interim_send(struct request *r); /* called on the fiber of the request: sends all that are queued */
void interim_release(struct request *r);

#endif
