/* The life of a request: its beginning and its end have one place each, whatever happens in between. proxy.c hands these functions
 * to the sessions of its loop, as the table of struct service (stream/service.h). */
#ifndef VERNIS_REQUEST_LIFE_H
#define VERNIS_REQUEST_LIFE_H

#include "proxy/request_state.h"
#include "stream/service.h"

extern const struct service_ops request_service;

void request_recycled_release(struct server *s);        /* frees the structs that are kept for the next requests */

#endif
