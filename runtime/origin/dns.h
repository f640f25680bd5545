/* DNS answers for a name, with their time to live. Asks the servers of resolv.conf, and blocks: call on the
 * offload pool. */
#ifndef VERNIS_ORIGIN_DNS_H
#define VERNIS_ORIGIN_DNS_H

#include "loop/conn.h"

#define DNS_NAME_BYTES_MAX 254u /* with the NUL */

struct dns_options {
    unsigned timeout_s; /* per server; 0: as resolv.conf says */
    bool by_tcp;        /* use TCP even where UDP would do */
};

/* All addresses of the answer, and the smallest time to live. */
struct dns_addresses {
    struct address *at; /* the caller's array of `max`; ports are not set */
    unsigned max, n;
    uint32_t ttl_s;
};

#define DNS_SERVICES_MAX 32u /* per name; further ones are ignored */

struct dns_service { /* RFC 2782 */
    char host[DNS_NAME_BYTES_MAX];
    uint16_t port, priority, weight;
};

struct dns_services {
    struct dns_service at[DNS_SERVICES_MAX];
    unsigned n;
    uint32_t ttl_s;
};

/* Return 0, or an EAI_ code: EAI_NONAME if the name does not exist or has no address. */
int dns_addresses(const struct dns_options *o, const char *name, struct dns_addresses *out);
int dns_services(const struct dns_options *o, const char *name, struct dns_services *out);
/* For tests: asks this IPv4 server; NULL: the servers of the system. */
void dns_set_server(const struct address *server);

#endif
