/* Days until certificates expire: counters for readers and for metrics, and warnings in the log. */
#ifndef VERNIS_MANAGER_TLS_EXPIRY_H
#define VERNIS_MANAGER_TLS_EXPIRY_H

#include "manager/tls/certificates.h"

#define EXPIRY_COUNTED_MAX 1000u /* certificates with counters */

struct expiry {
    struct events *events;
    struct certificates *certificates;
    struct event_timer hourly;
};

long long certificate_days(const struct certificate *one); /* whole days left; below 0: it has expired */

void expiry_start(struct expiry *e, struct events *events, struct certificates *certificates);
void expiry_stop(struct expiry *e);
/* Updates the counters of those in use, and warns of those that expire soon (tls_expiry_warning): once a day.
 */
void expiry_look(struct certificates *c);

#endif
