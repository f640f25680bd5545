/* The life of a request: one place begins it and one place ends it. proxy.c hands these functions to the
 * sessions of its loop, as the table of struct service (stream/service.h). */
#ifndef VERNIS_PROXY_REQUEST_LIFE_H
#define VERNIS_PROXY_REQUEST_LIFE_H

#include "proxy/request_state.h"
#include "stream/service.h"

extern const struct service_ops request_service;

void request_recycled_release(struct server *s); /* frees the structs kept for later requests */

#endif
