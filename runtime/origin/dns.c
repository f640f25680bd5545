/* Queries DNS through the C library's resolver. That resolver handles resolv.conf, the search list, the retry
 * over TCP after a truncated answer, and timeouts. Callable on any thread: each query has its own state. */
#include "origin/dns.h"

#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdlib.h>

#include "base/check.h"

#define ANSWER_BYTES_MAX 65535

static struct address test_server; /* family 0: not set */

void
dns_set_server(const struct address *server)
{
    test_server = server != NULL ? *server : (struct address){ .family = 0 };
}

/* Replaces all servers of the state by this one. */
static void
ask_server(res_state state, const struct address *server)
{
    struct sockaddr_in *to = &state->nsaddr_list[0];
    *to = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(server->port) };
    memcpy(&to->sin_addr, server->addr, sizeof to->sin_addr);
    state->nscount = 1;
}

static int
error_of(int h_error)
{
    return h_error == HOST_NOT_FOUND || h_error == NO_DATA ? EAI_NONAME
         : h_error == TRY_AGAIN                            ? EAI_AGAIN
                                                           : EAI_FAIL;
}

/* Parses the answer into `msg`, which points into `answer` (ANSWER_BYTES_MAX bytes). */
static int
ask(const struct dns_options *o, const char *name, ns_type type, unsigned char *answer, ns_msg *msg)
{
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0)
        return EAI_FAIL;
    if (test_server.family != 0)
        ask_server(&state, &test_server);
    if (o->timeout_s > 0) {
        state.retrans = (int)o->timeout_s;
        state.retry = 1;
    }
    state.options |= o->by_tcp ? RES_USEVC : 0;
    int n = res_nsearch(&state, name, ns_c_in, type, answer, ANSWER_BYTES_MAX);
    int error = n >= 0 ? 0 : error_of(state.res_h_errno);
    res_nclose(&state);
    if (error == 0 && (n > ANSWER_BYTES_MAX || ns_initparse(answer, n, msg) != 0))
        error = EAI_FAIL;
    return error;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void
add_address(void *addresses, const ns_msg *msg, const ns_rr *rr)
{
    struct dns_addresses *out = addresses;
    size_t bytes = ns_rr_type(*rr) == ns_t_a ? 4 : 16;
    if (out->n == out->max || ns_rr_rdlen(*rr) != bytes)
        return;
    struct address *a = &out->at[out->n++];
    *a = (struct address){ .family = bytes == 4 ? 4 : 6 };
    memcpy(a->addr, ns_rr_rdata(*rr), bytes);
}

/* Calls `add` with each record of the type. *ttl_s becomes the smallest time to live of all records,
 * including aliases on the way to an address, because aliases may change too. */
static int
add_records(ns_msg *msg, ns_type type, void (*add)(void *out, const ns_msg *msg, const ns_rr *rr), void *out,
            uint32_t *ttl_s)
{
    ns_rr rr;
    for (int i = 0; i < ns_msg_count(*msg, ns_s_an); i++) {
        if (ns_parserr(msg, ns_s_an, i, &rr) != 0)
            return EAI_FAIL;
        *ttl_s = least(*ttl_s, ns_rr_ttl(rr));
        if (ns_rr_type(rr) == type)
            add(out, msg, &rr);
    }
    return 0;
}

int
dns_addresses(const struct dns_options *o, const char *name, struct dns_addresses *out)
{
    static const ns_type types[] = { ns_t_a, ns_t_aaaa };
    unsigned char *answer = malloc(ANSWER_BYTES_MAX);
    int worst = EAI_NONAME;
    ns_msg msg;
    out->n = 0;
    out->ttl_s = UINT32_MAX;
    for (unsigned i = 0; answer != NULL && i < sizeof types / sizeof types[0]; i++) {
        int error = ask(o, name, types[i], answer, &msg);
        if (error == 0)
            error = add_records(&msg, types[i], add_address, out, &out->ttl_s);
        if (error != 0 && error != EAI_NONAME)
            worst = error;
    }
    free(answer);
    return out->n > 0 ? 0 : answer == NULL ? EAI_MEMORY : worst;
}

/* Skips the target ".", which means that the service does not exist (RFC 2782). */
static void
add_service(void *services, const ns_msg *msg, const ns_rr *rr)
{
    struct dns_services *out = services;
    const unsigned char *data = ns_rr_rdata(*rr);
    struct dns_service *s = &out->at[out->n];
    if (out->n == DNS_SERVICES_MAX || ns_rr_rdlen(*rr) < 7 ||
        dn_expand(ns_msg_base(*msg), ns_msg_end(*msg), data + 6, s->host, sizeof s->host) < 0 ||
        s->host[0] == '\0')
        return;
    s->priority = (uint16_t)ns_get16(data);
    s->weight = (uint16_t)ns_get16(data + 2);
    s->port = (uint16_t)ns_get16(data + 4);
    out->n++;
}

int
dns_services(const struct dns_options *o, const char *name, struct dns_services *out)
{
    unsigned char *answer = malloc(ANSWER_BYTES_MAX);
    ns_msg msg;
    out->n = 0;
    out->ttl_s = UINT32_MAX;
    int error = answer == NULL ? EAI_MEMORY : ask(o, name, ns_t_srv, answer, &msg);
    if (error == 0)
        error = add_records(&msg, ns_t_srv, add_service, out, &out->ttl_s);
    free(answer);
    return error == 0 && out->n == 0 ? EAI_NONAME : error;
}
