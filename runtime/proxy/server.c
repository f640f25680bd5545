/* The server of a loop, without its listeners and sessions (proxy.c): transaction numbers, the policy with
 * which new requests begin, labels. */
#include "proxy/server.h"

#include <stdlib.h>

#include "base/check.h"

#define XID_CHUNK 32768u

static struct loop_slot server_slot; /* struct server of each loop */
static atomic_ullong xid_global = 1;
static atomic_uint xid_chunk = XID_CHUNK;
static atomic_uint xid_epoch; /* raised by server_set_xid, so that loops drop their chunk */
static _Thread_local unsigned xid_seen_epoch;

struct server *
server_of(const struct loop *loop)
{
    return loop_get(loop, &server_slot);
}

struct server *
server_new(struct loop *loop, const struct proxy_env *env, const struct service_ops *ops)
{
    CHECK(loop_is_current(loop));
    struct server *s = mem_zalloc(sizeof *s);
    s->loop = loop;
    s->env = env;
    s->counters = counters_of(loop);
    service_init(&s->service, ops, loop);
    struct span bodies = env->body_storage;
    s->service.bodies = bodies.ptr == NULL ? NULL : store_storage(env->store, bodies);
    if (s->service.bodies == NULL)
        s->service.bodies = store_transient(env->store);
    list_init(&s->labels);
    list_init(&s->free_requests);
    loop_put(loop, &server_slot, s);
    return s;
}

uint64_t
server_xid(struct server *s)
{
    DEBUG_CHECK(loop_may_use(s->loop));
    unsigned epoch = atomic_load_explicit(&xid_epoch, memory_order_acquire);
    if (s->xid_next == s->xid_end || epoch != xid_seen_epoch) {
        unsigned chunk = atomic_load_explicit(&xid_chunk, memory_order_relaxed);
        s->xid_next = atomic_fetch_add(&xid_global, chunk);
        s->xid_end = s->xid_next + chunk;
        xid_seen_epoch = epoch;
    }
    /* May be 0, as in Varnish: with its marker, 0 still identifies a transaction */
    return s->xid_next++ & LOG_ID_BITS;
}

void
server_set_xid(uint64_t next, unsigned chunk)
{
    atomic_store(&xid_global, next);
    atomic_store(&xid_chunk, chunk == 0 ? XID_CHUNK : chunk);
    atomic_fetch_add(&xid_epoch, 1);
}

void
server_set_policy(struct server *s, struct policy *policy)
{
    CHECK(loop_is_current(s->loop));
    if (policy != NULL)
        policy_ref(policy, s->loop);
    if (s->policy != NULL)
        policy_unref(s->policy, s->loop);
    s->policy = policy;
}

static struct server_label *
find_label(struct server *s, struct span name)
{
    list_each(it, &s->labels) if (span_eq(container_of(it, struct server_label, link)->name,
                                          name)) return container_of(it, struct server_label, link);
    return NULL;
}

struct policy *
server_labelled(struct server *s, struct span label)
{
    DEBUG_CHECK(loop_may_use(s->loop));
    struct server_label *l = find_label(s, label);
    return l == NULL ? NULL : l->policy;
}

static void
drop_label(struct server *s, struct server_label *l)
{
    policy_unref(l->policy, s->loop);
    list_remove(&l->link);
    free((char *)l->name.ptr);
    free(l);
}

void
server_set_label(struct server *s, struct span label, struct policy *policy)
{
    CHECK(loop_is_current(s->loop));
    struct server_label *old = find_label(s, label);
    if (policy != NULL) {
        struct server_label *l = mem_zalloc(sizeof *l);
        *l = (struct server_label){ .name = span_of(mem_text(label), label.len), .policy = policy };
        policy_ref(policy, s->loop);
        list_push_front(&s->labels, &l->link);
    }
    if (old != NULL)
        drop_label(s, old);
}

void
server_drop_labels(struct server *s)
{
    list_each(it, &s->labels) drop_label(s, container_of(it, struct server_label, link));
    DEBUG_CHECK(list_empty(&s->labels));
}
