/* Lookups of module dynamic, by the system or by a resolver of the policy. Private to this room and its
 * tests. */
#ifndef VERNIS_VMOD_DYNAMIC_LOOKUP_H
#define VERNIS_VMOD_DYNAMIC_LOOKUP_H

#include "loop/conn.h"
#include "origin/dns.h"
#include "policy_abi.h"

#define DYNAMIC_ADDRESSES_MAX 32u /* per name; further ones are ignored */

/* Finds the current addresses of a name. May block; any thread. Returns 0 or an EAI_ code. */
typedef int dynamic_lookup_fn(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX],
                              unsigned *n);

dynamic_lookup_fn dynamic_system_lookup;        /* getaddrinfo */
dynamic_lookup_fn dynamic_numeric_lookup;       /* for numeric addresses only; EAI_NONAME for names */
void dynamic_set_lookup(dynamic_lookup_fn *fn); /* for tests; NULL: dynamic_system_lookup */

/* dynamic.resolver. Does not change after vcl_init, so it is read without a lock. */
struct resolver;

struct resolved {
    struct address found[DYNAMIC_ADDRESSES_MAX];
    unsigned n;
    bool has_ttl;
    uint32_t ttl_s;
};

const struct resolver *resolver_of_blob(const struct vcl_blob *blob); /* NULL: not a resolver */
int resolver_services(const struct resolver *r, const char *service, struct dns_services *out);
int resolver_lookup(const struct resolver *r, const char *host, const char *port, struct resolved *out);

#endif
