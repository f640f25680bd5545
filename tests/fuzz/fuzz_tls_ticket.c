/* Tickets that a client has changed: none of them resumes a session, and each handshake goes on without. */
#include "fuzz.h"
#include "loop/fiber.h"
#include "support/tls_peer.h"
#include "tls/context.h"
#include "tls/key_client.h"
#include "tls/layer.h"
#include "tls/library.h"
#include "tls/set.h"

#define STEPS_MAX 100

static struct loop *loop;
static struct conn conn;
static struct tls_client client;
static int peer;
static enum tls_step step;
static bool on_fiber;
static SSL_SESSION *kept;
static unsigned char *kept_bytes; /* serialized */
static int kept_n;
static size_t ticket_at, ticket_n;

static int
keep(SSL *ssl, SSL_SESSION *session)
{
    SSL_SESSION_free(kept);
    kept = session;
    return 1;
}

static void
run_step(void *unused)
{
    on_fiber = true;
    step = tls_handshake(&conn);
    on_fiber = false;
}

/* Returns whether the session was resumed. */
static bool
visit(int max, SSL_SESSION *session)
{
    char byte[8];
    int fds[2];
    struct iovec hello = { .iov_base = (void *)"hello", .iov_len = 5 };
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 &&
          conn_init(&conn, loop, fds[0]) == 0);
    peer = fds[1];
    CHECK(tls_attach(&conn, SPAN_LIT("web"), SPAN_NULL) == 0);
    tls_client_open(&client, peer, max, "a.test", session);
    SSL_CTX_set_session_cache_mode(client.ctx, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(client.ctx, keep);
    step = TLS_WAIT;
    for (int i = 0; i < STEPS_MAX && (step == TLS_WAIT || step == TLS_FIBER); i++) {
        tls_client_step(&client);
        if (!on_fiber && step == TLS_WAIT)
            step = tls_handshake(&conn);
        if (!on_fiber && step == TLS_FIBER) {
            step = TLS_WAIT;
            CHECK(fiber_spawn(loop, run_step, NULL) == 0);
        }
        test_keys_answer();
        loop_run_once(loop, 0);
    }
    CHECK(step == TLS_DONE);
    for (int i = 0; i < 4; i++)
        tls_client_step(&client);
    bool resumed = tls_resumed(&conn);
    CHECK(client.done && conn_write_now(&conn, &hello, 1) == 5);
    CHECK(tls_client_read(&client, byte, sizeof byte) == 5);
    conn_close(&conn);
    tls_client_close(&client);
    close(peer);
    return resumed;
}

static void
prepare(void)
{
    int fds[2];
    const unsigned char *ticket;
    struct text pem = { 0 }, why = { 0 };
    CHECK(tls_library_start() == 0 && loop_new(0, &loop) == 0 &&
          socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds) == 0 &&
          key_client_open(loop, fds[0]) == 0);
    test_keys.fd = fds[1];
    test_keys.by_number[1] = test_key_new("P-256");
    test_certificate(test_keys.by_number[1], "DNS:a.test", &pem);
    struct tls_set *s = tls_set_new();
    CHECK(tls_set_frontend(s, "", SPAN_LIT("protos TLSv1.2 TLSv1.3\n"), &why) == 0);
    CHECK(tls_set_certificate(s, 1, "web", text_span(&pem), &why) == 0);
    tls_set_publish(s);
    text_release(&pem);
    CHECK(!visit(TLS1_3_VERSION, NULL) && kept != NULL);
    SSL_SESSION_get0_ticket(kept, &ticket, &ticket_n);
    kept_n = i2d_SSL_SESSION(kept, &kept_bytes);
    CHECK(kept_n > 0 && ticket_n > 0);
    unsigned char *at = memmem(kept_bytes, (size_t)kept_n, ticket, ticket_n);
    CHECK(at != NULL);
    ticket_at = (size_t)(at - kept_bytes);
}

/* Each change: a place, a byte that is combined. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (loop == NULL)
        prepare();
    unsigned char *copy = (unsigned char *)fuzz_copy(kept_bytes, (size_t)kept_n);
    const unsigned char *in = copy;
    for (; size >= 2; data += 2, size -= 2)
        copy[ticket_at + data[0] % ticket_n] ^= data[1];
    bool same = memcmp(copy, kept_bytes, (size_t)kept_n) == 0;
    SSL_SESSION *session = d2i_SSL_SESSION(NULL, &in, kept_n);
    CHECK(session != NULL);
    CHECK(visit(TLS1_3_VERSION, session) == same);
    SSL_SESSION_free(session);
    free(copy);
    return 0;
}
