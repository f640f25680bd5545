/* What DNS says of a name, with how long it may be believed. Asks the servers of resolv.conf, and blocks: for the offload pool. */
#ifndef VERNIS_DNS_H
#define VERNIS_DNS_H

#include "loop/conn.h"

#define DNS_NAME_BYTES_MAX 254u         /* with the NUL */

struct dns_options {
    unsigned timeout_s;                 /* for an answer of one server; 0: as resolv.conf says */
    bool by_tcp;                        /* also what UDP could carry */
};

/* All that was answered; its least time to live. */
struct dns_addresses {
    struct address *at;                 /* the caller's, of `max`; ports are not set */
    unsigned max, n;
    uint32_t ttl_s;
};

#define DNS_SERVICES_MAX 32u            /* of one name; more are not used */

struct dns_service {                    /* RFC 2782 */
    char host[DNS_NAME_BYTES_MAX];
    uint16_t port, priority, weight;
};

struct dns_services {
    struct dns_service at[DNS_SERVICES_MAX];
    unsigned n;
    uint32_t ttl_s;
};

/* 0, or what gai_strerror knows: EAI_NONAME when there is no such name, or it has no address. */
int dns_addresses(const struct dns_options *o, const char *name, struct dns_addresses *out);
int dns_services(const struct dns_options *o, const char *name, struct dns_services *out);
/* Asks this server instead, by IPv4; NULL: those of the system. For tests. */
void dns_set_server(const struct address *server);

#endif
