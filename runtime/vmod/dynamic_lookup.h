/* What the halves of module dynamic share: names looked up by the system, or by a resolver of the policy. Private to this room and
 * its tests. */
#ifndef VERNIS_DYNAMIC_LOOKUP_H
#define VERNIS_DYNAMIC_LOOKUP_H

#include "loop/conn.h"
#include "origin/dns.h"
#include "policy_abi.h"

#define DYNAMIC_ADDRESSES_MAX 32u       /* of one name; more are not used */

/* What a name stands for now. May block; any thread. 0, or what gai_strerror knows. */
typedef int dynamic_lookup_fn(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX], unsigned *n);

dynamic_lookup_fn dynamic_system_lookup;            /* getaddrinfo */
dynamic_lookup_fn dynamic_numeric_lookup;           /* the same for what is an address already; EAI_NONAME for names */
void dynamic_set_lookup(dynamic_lookup_fn *fn);     /* tests; NULL: dynamic_system_lookup */

/* dynamic.resolver. Fixed once vcl_init is over, so it is read without a lock. */
struct resolver;

struct resolved {
    struct address found[DYNAMIC_ADDRESSES_MAX];
    unsigned n;
    bool has_ttl;
    uint32_t ttl_s;
};

const struct resolver *resolver_of_blob(const struct vcl_blob *blob);   /* NULL: it is none */
int resolver_services(const struct resolver *r, const char *service, struct dns_services *out);
int resolver_lookup(const struct resolver *r, const char *host, const char *port, struct resolved *out);

#endif
