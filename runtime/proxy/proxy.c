/* The functions that the worker calls: start and stop, switch the policy, drain. See server.h for
 * ownership. */
#include "proxy/proxy.h"

#include <stdlib.h>

#include "proxy/accept.h"
#include "proxy/request_life.h"
#include "proxy/respond/ready_head.h"
#include "stream/session.h"

/* ---- called by the worker ---- */

int
proxy_start(struct loop *loop, const struct proxy_env *env)
{
    DEBUG_CHECK(server_of(loop) == NULL);
    acceptor_new(server_new(loop, env, &request_service));
    return 0;
}

void
proxy_accept(struct loop *loop, bool on)
{
    acceptor_switch(server_of(loop), on);
}

void
proxy_set_policy(struct loop *loop, struct policy *policy)
{
    server_set_policy(server_of(loop), policy);
}

void
proxy_set_label(struct loop *loop, struct span label, struct policy *policy)
{
    server_set_label(server_of(loop), label, policy);
}

void
proxy_drain(struct loop *loop)
{
    struct server *s = server_of(loop);
    DEBUG_CHECK(loop_may_use(loop));
    proxy_accept(loop, false);
    s->service.draining = true;
    list_each(l, &s->service.sessions)
    {
        struct session *session = container_of(l, struct session, link);
        session->ops->drain(session);
    }
}

void
proxy_retire(struct loop *loop, bool on)
{
    struct service *sv = &server_of(loop)->service;
    proxy_accept(loop, !on);
    sv->retiring = on;
    list_each(l, &sv->sessions)
    {
        struct session *session = container_of(l, struct session, link);
        if (on && session->ops->retire != NULL)
            session->ops->retire(session);
    }
}

unsigned
proxy_sessions(const struct loop *loop)
{
    return atomic_load(&server_of(loop)->service.load->sessions);
}

/* Cuts all connections. Called only when the time for draining is over and the process is about to end.
 * Requests on fibers are left as they are: their stacks go with the loop. */
void
proxy_stop(struct loop *loop)
{
    struct server *s = server_of(loop);
    proxy_accept(loop, false);
    s->service.draining = true;
    list_each(l, &s->service.sessions)
    {
        struct session *session = container_of(l, struct session, link);
        if (!session->ops->close(session, SC_RX_CLOSE_IDLE))
            session->ops->reset_at_exit(session);
    }
    server_drop_labels(s);
    request_recycled_release(s);
    ready_heads_release(&s->ready);
    service_release(&s->service);
}

void
proxy_release(struct loop *loop)
{
    struct server *s = server_of(loop);
    CHECK(atomic_load(&s->service.load->sessions) == 0);
    free(s->acceptor);
    free(s);
}
