/* Interim responses of an origin (RFC 9110, 15.2) on their way to the client whose request they answer. The fetch hands them over, the
 * request sends them: both run on one loop, and only the request may wait for its client. Requests that wait for the same fetch get
 * none: what the origin says before its response is for the one that asked. Belongs together with proxy/request_state: the queue is a
 * part of a request. */
#ifndef VERNIS_INTERIM_H
#define VERNIS_INTERIM_H

#include "http/message.h"

#define INTERIM_MAX 8u                  /* of one request; further ones are dropped, as an HTTP/1.0 client's are */
#define INTERIM_BYTES_MAX 16384u        /* names and values of all of them; what does not fit is dropped */

struct request;
struct interim;

struct interim_queue {
    struct interim *first;
    unsigned n;                         /* so far, sent ones too */
    size_t bytes;                       /* the same */
};

void interim_offer(struct request *r, struct http_message *head);       /* by the fetch: copies it, and wakes the request */
void interim_send(struct request *r);                                   /* by the request's fiber: all there are */
void interim_release(struct request *r);

#endif
