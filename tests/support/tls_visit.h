/* A client that comes with a session, takes a ticket and leaves: a handshake from end to end, on the thread
 * of its loop. */
#ifndef VERNIS_TESTS_SUPPORT_TLS_VISIT_H
#define VERNIS_TESTS_SUPPORT_TLS_VISIT_H

#include "loop/fiber.h"
#include "support/tls_peer.h"
#include "tls/facts.h"
#include "tls/layer.h"

#define VISIT_STEPS_MAX 1000

static _Thread_local struct {
    struct conn conn;
    struct tls_client client;
    enum tls_step step;
    bool on_fiber;
    SSL_SESSION *kept; /* of the newest ticket. Owned */
} visit;

static inline int
visit_keep(SSL *ssl, SSL_SESSION *session)
{
    SSL_SESSION_free(visit.kept);
    visit.kept = session;
    return 1;
}

static inline void
visit_step(void *unused)
{
    visit.on_fiber = true;
    visit.step = tls_handshake(&visit.conn);
    visit.on_fiber = false;
}

/* session: NULL for none. Returns whether it was resumed. */
static inline bool
tls_visit(struct loop *loop, int max, SSL_SESSION *session)
{
    char byte[8];
    int fds[2];
    struct iovec hello = { .iov_base = (void *)"hello", .iov_len = 5 };
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 &&
          conn_init(&visit.conn, loop, fds[0]) == 0);
    CHECK(tls_attach(&visit.conn, SPAN_LIT("web"), SPAN_NULL) == 0);
    tls_client_open(&visit.client, fds[1], max, "a.test", session);
    SSL_CTX_set_session_cache_mode(visit.client.ctx, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(visit.client.ctx, visit_keep);
    visit.step = TLS_WAIT;
    for (int i = 0; i < VISIT_STEPS_MAX && (visit.step == TLS_WAIT || visit.step == TLS_FIBER); i++) {
        tls_client_step(&visit.client);
        if (!visit.on_fiber && visit.step == TLS_WAIT)
            visit.step = tls_handshake(&visit.conn);
        if (!visit.on_fiber && visit.step == TLS_FIBER) {
            visit.step = TLS_WAIT;
            CHECK(fiber_spawn(loop, visit_step, NULL) == 0);
        }
        test_keys_answer();
        loop_run_once(loop, 0);
    }
    CHECK(visit.step == TLS_DONE);
    for (int i = 0; i < 4; i++)
        tls_client_step(&visit.client);
    bool resumed = tls_resumed(&visit.conn);
    CHECK(visit.client.done && conn_write_now(&visit.conn, &hello, 1) == 5);
    CHECK(tls_client_read(&visit.client, byte, sizeof byte) == 5);
    conn_close(&visit.conn);
    tls_client_close(&visit.client);
    close(fds[1]);
    return resumed;
}

#endif
