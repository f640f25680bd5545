/* Module dynamic, resolvers: our own DNS queries, because getaddrinfo does not report the time to live of an
 * answer. Names that DNS does not know are looked up by the system (the hosts file). */
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "origin/dns.h"
#include "policy/exports.h"
#include "vmod/dynamic_lookup.h"

#define RESOLVER_BLOB 0x52534c56u /* type of the blob that use() returns */

struct resolver {
    struct dns_options options;
    bool dns, local; /* sources to ask */
    /* set by add_namespace() and add_transport(), applied by set_namespaces() and set_transports() */
    bool next_dns, next_local, next_udp, next_tcp;
};

void *
vcl_dynamic_resolver_new(struct policy_ctx *ctx, int32_t set_from_os, int64_t parallel)
{
    if (set_from_os == 0 || parallel < 1) {
        vcl_fail(ctx, "dynamic.resolver: set_from_os must be true, and parallel at least 1");
        return NULL;
    }
    struct resolver *r = mem_zalloc(sizeof *r);
    r->dns = r->local = true;
    return r;
}

void
vcl_dynamic_resolver_fini(struct policy_ctx *ctx, void *instance)
{
    free(instance);
}

const struct vcl_blob *
vcl_dynamic_resolver_use(struct policy_ctx *ctx, void *instance)
{
    struct vcl_blob *b = instance == NULL ? NULL : vcl_alloc(ctx, sizeof *b);
    if (b != NULL)
        *b = (struct vcl_blob){ .ptr = instance, .len = sizeof(struct resolver), .type = RESOLVER_BLOB };
    return b;
}

const struct resolver *
resolver_of_blob(const struct vcl_blob *blob)
{
    return blob != NULL && blob->type == RESOLVER_BLOB && blob->len == sizeof(struct resolver) ? blob->ptr
                                                                                               : NULL;
}

/* ---- settings of the policy, in vcl_init --------------------------------------------------------------- */

/* Calls vcl_fail and returns NULL if `possible` is false or vcl_init is over. */
static struct resolver *
changing(struct policy_ctx *ctx, void *instance, const char *what, bool possible)
{
    if (instance == NULL) /* called before its `new` */
        return NULL;
    if (ctx->hook != HOOK_INIT)
        vcl_fail_printf(ctx, "dynamic %s: may only be called in vcl_init", what);
    else if (!possible)
        vcl_fail_printf(ctx, "dynamic %s: this value is not supported", what);
    return ctx->failed ? NULL : instance;
}

int32_t
vcl_dynamic_resolver_set_resolution_type(struct policy_ctx *ctx, void *instance, struct span type)
{
    return changing(ctx, instance, "set_resolution_type", span_eq(type, SPAN_LIT("STUB"))) != NULL;
}

int32_t
vcl_dynamic_resolver_clear_namespaces(struct policy_ctx *ctx, void *instance)
{
    struct resolver *r = changing(ctx, instance, "clear_namespaces", true);
    if (r != NULL)
        r->next_dns = r->next_local = false;
    return r != NULL;
}

int32_t
vcl_dynamic_resolver_add_namespace(struct policy_ctx *ctx, void *instance, struct span name)
{
    bool dns = span_eq(name, SPAN_LIT("DNS")), local = span_eq(name, SPAN_LIT("LOCALNAMES"));
    struct resolver *r = changing(ctx, instance, "add_namespace", dns || local);
    if (r == NULL)
        return false;
    r->next_dns |= dns;
    r->next_local |= local;
    return true;
}

int32_t
vcl_dynamic_resolver_set_namespaces(struct policy_ctx *ctx, void *instance)
{
    struct resolver *r = instance;
    r = changing(ctx, instance, "set_namespaces", r != NULL && (r->next_dns || r->next_local));
    if (r == NULL)
        return false;
    r->dns = r->next_dns;
    r->local = r->next_local;
    return true;
}

int32_t
vcl_dynamic_resolver_clear_transports(struct policy_ctx *ctx, void *instance)
{
    struct resolver *r = changing(ctx, instance, "clear_transports", true);
    if (r != NULL)
        r->next_udp = r->next_tcp = false;
    return r != NULL;
}

int32_t
vcl_dynamic_resolver_add_transport(struct policy_ctx *ctx, void *instance, struct span name)
{
    bool udp = span_eq(name, SPAN_LIT("UDP")), tcp = span_eq(name, SPAN_LIT("TCP"));
    struct resolver *r = changing(ctx, instance, "add_transport", udp || tcp);
    if (r == NULL)
        return false;
    r->next_udp |= udp;
    r->next_tcp |= tcp;
    return true;
}

int32_t
vcl_dynamic_resolver_set_transports(struct policy_ctx *ctx, void *instance)
{
    struct resolver *r = instance;
    r = changing(ctx, instance, "set_transports", r != NULL && (r->next_udp || r->next_tcp));
    if (r != NULL)
        r->options.by_tcp = !r->next_udp;
    return r != NULL;
}

int32_t
vcl_dynamic_resolver_set_timeout(struct policy_ctx *ctx, void *instance, double seconds)
{
    struct resolver *r = changing(ctx, instance, "set_timeout", seconds > 0 && seconds <= 3600);
    if (r != NULL)
        r->options.timeout_s = (unsigned)ceil(seconds);
    return r != NULL;
}

/* No effect: no connection outlives its query. */
int32_t
vcl_dynamic_resolver_set_idle_timeout(struct policy_ctx *ctx, void *instance, double seconds)
{
    return changing(ctx, instance, "set_idle_timeout", seconds >= 0) != NULL;
}

/* No effect: the size of the offload pool limits the queries. */
int32_t
vcl_dynamic_resolver_set_limit_outstanding_queries(struct policy_ctx *ctx, void *instance, int64_t n)
{
    return changing(ctx, instance, "set_limit_outstanding_queries", n >= 0) != NULL;
}

int32_t
vcl_dynamic_resolver_set_follow_redirects(struct policy_ctx *ctx, void *instance, struct span which)
{
    return changing(ctx, instance, "set_follow_redirects", span_eq(which, SPAN_LIT("REDIRECTS_FOLLOW"))) !=
           NULL;
}

/* ---- queries ------------------------------------------------------------------------------------------- */

static int
port_number(const char *port, uint16_t *out)
{
    struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE },
                    *list = NULL;
    int err = getaddrinfo(NULL, port, &hints, &list);
    if (err != 0)
        return err;
    *out = ntohs(((const struct sockaddr_in *)(const void *)list->ai_addr)->sin_port);
    freeaddrinfo(list);
    return 0;
}

static int
ask_dns(const struct resolver *r, const char *host, const char *port, struct resolved *out)
{
    struct dns_addresses answer = { .at = out->found, .max = DYNAMIC_ADDRESSES_MAX };
    uint16_t number;
    int err = port_number(port, &number);
    if (err == 0)
        err = dns_addresses(&r->options, host, &answer);
    if (err != 0)
        return err;
    for (unsigned i = 0; i < answer.n; i++)
        out->found[i].port = number;
    out->n = answer.n;
    out->ttl_s = answer.ttl_s;
    out->has_ttl = true;
    return 0;
}

int
resolver_lookup(const struct resolver *r, const char *host, const char *port, struct resolved *out)
{
    int err = dynamic_numeric_lookup(host, port, out->found, &out->n);
    if (err == EAI_NONAME && r->dns)
        err = ask_dns(r, host, port, out);
    if (err == EAI_NONAME && r->local)
        err = dynamic_system_lookup(host, port, out->found, &out->n);
    return err;
}

/* Only DNS has services. */
int
resolver_services(const struct resolver *r, const char *service, struct dns_services *out)
{
    return r->dns ? dns_services(&r->options, service, out) : EAI_NONAME;
}
