/* TLS over a connection: handshakes whose key is elsewhere, and bytes in both directions. */
#include <signal.h>

#include "base/params.h"
#include "loop/fiber.h"
#include "support/tls_peer.h"
#include "test.h"
#include "tls/context.h"
#include "tls/facts.h"
#include "tls/key_client.h"
#include "tls/layer.h"
#include "tls/library.h"
#include "tls/set.h"
#include "tls/tickets.h"

#define TEST(name) { #name, name }
#define STEPS_MAX 2000

enum { RSA2048_KEY = 1, P256_KEY, ED25519_KEY, WILD_KEY, OTHER_KEY };

static struct loop *loop;
static struct conn c;
static int peer;
static struct tls_client client;
static enum tls_step step;
static bool on_fiber;
static char big[600000], got[600000];

static void
add(struct tls_set *s, uint32_t number, const char *kind, const char *listener, const char *names)
{
    struct text pem = { 0 }, why = { 0 };
    test_keys.by_number[number] = test_key_new(kind);
    test_certificate(test_keys.by_number[number], names, &pem);
    EXPECT_EQ_INT(tls_set_certificate(s, number, listener, text_span(&pem), &why), 0);
    EXPECT_EQ_STR(text_span(&why), "");
    text_release(&pem);
    text_release(&why);
}

/* With the key from before. */
static void
add_again(struct tls_set *s, uint32_t number, const char *names)
{
    struct text pem = { 0 }, why = { 0 };
    test_certificate(test_keys.by_number[number], names, &pem);
    EXPECT_EQ_INT(tls_set_certificate(s, number, "", text_span(&pem), &why), 0);
    text_release(&pem);
    text_release(&why);
}

static struct tls_set *
new_set(const char *settings)
{
    struct tls_set *s = tls_set_new();
    struct text why = { 0 };
    EXPECT_EQ_INT(tls_set_frontend(s, "", SPAN_LIT("protos TLSv1.2 TLSv1.3\n"), &why), 0);
    EXPECT_EQ_INT(tls_set_frontend(s, "web", span_str(settings), &why), 0);
    EXPECT_EQ_STR(text_span(&why), "");
    text_release(&why);
    return s;
}

static void
begin(void)
{
    int fds[2];
    CHECK(tls_library_start() == 0 && loop_new(0, &loop) == 0 &&
          socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds) == 0 &&
          key_client_open(loop, fds[0]) == 0);
    test_keys.fd = fds[1];
    test_keys.n_asked = 0;
    test_keys.silent = false;
}

static void
end(void)
{
    key_client_close(loop);
    tls_contexts_close(loop);
    tls_layer_close(loop);
    close(test_keys.fd);
    loop_release(&loop);
    tls_set_forget();
    for (unsigned i = 0; i < TEST_KEYS_MAX; i++) {
        EVP_PKEY_free(test_keys.by_number[i]);
        test_keys.by_number[i] = NULL;
    }
}

static void
connect_peer(struct span early)
{
    int fds[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 && conn_init(&c, loop, fds[0]) == 0);
    peer = fds[1];
    step = TLS_WAIT;
    on_fiber = false;
    EXPECT_EQ_INT(tls_attach(&c, SPAN_LIT("web"), early), 0);
}

static void
run_step(void *arg)
{
    on_fiber = true;
    step = tls_handshake(&c);
    on_fiber = false;
}

static void
server_step(void)
{
    if (!on_fiber && step == TLS_WAIT)
        step = tls_handshake(&c);
    if (!on_fiber && step == TLS_FIBER) {
        step = TLS_WAIT;
        CHECK(fiber_spawn(loop, run_step, NULL) == 0);
    }
    test_keys_answer();
    loop_run_once(loop, 0);
}

static void
shake(void)
{
    for (int i = 0; i < STEPS_MAX && (step == TLS_WAIT || step == TLS_FIBER); i++) {
        tls_client_step(&client);
        server_step();
    }
    for (int i = 0; i < 10; i++)
        tls_client_step(&client);
}

static void
open_client(int max, const char *name, SSL_SESSION *session)
{
    connect_peer(SPAN_NULL);
    tls_client_open(&client, peer, max, name, session);
    shake();
}

static void
close_client(void)
{
    conn_close(&c);
    tls_client_close(&client);
    close(peer);
}

static void
serve_one(void)
{
    begin();
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    open_client(TLS1_3_VERSION, "a.test", NULL);
    EXPECT_EQ_INT(step, TLS_DONE);
}

/* The key with which the server has signed. */
static EVP_PKEY *
seen_key(void)
{
    X509 *x = SSL_get0_peer_certificate(client.ssl);
    return x == NULL ? NULL : X509_get0_pubkey(x);
}

static bool
has_key(uint32_t number)
{
    return seen_key() != NULL && EVP_PKEY_eq(seen_key(), test_keys.by_number[number]) == 1;
}

/* ---- handshakes ---- */

static void
each_kind_of_key_signs(void)
{
    static const struct {
        const char *kind;
        uint32_t number;
    } kinds[] = {
        { "RSA", RSA2048_KEY }, { "P-256", P256_KEY }, { "P-384", P256_KEY }, { "ED25519", ED25519_KEY }
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        begin();
        struct tls_set *s = new_set("");
        add(s, kinds[i].number, kinds[i].kind, "web", "DNS:a.test");
        tls_set_publish(s);
        open_client(TLS1_3_VERSION, "a.test", NULL);
        EXPECT_EQ_INT(step, TLS_DONE);
        EXPECT(client.done && has_key(kinds[i].number));
        EXPECT_EQ_INT(test_keys.n_asked, 1);
        close_client();
        open_client(TLS1_2_VERSION, "a.test", NULL);
        EXPECT_EQ_INT(step, TLS_DONE);
        EXPECT(client.done && has_key(kinds[i].number));
        close_client();
        end();
    }
}

static void
names_choose_certificates(void)
{
    begin();
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    add(s, WILD_KEY, "P-256", "web", "DNS:*.b.test");
    add(s, OTHER_KEY, "P-256", "", "DNS:c.test,DNS:a.test");
    tls_set_publish(s);
    static const struct {
        const char *asked;
        uint32_t number;
    } rows[] = { { "a.test", P256_KEY },       { "A.Test", P256_KEY }, { "x.b.test", WILD_KEY },
                 { "x.y.b.test", P256_KEY },   { "b.test", P256_KEY }, { "c.test", OTHER_KEY },
                 { "unknown.test", P256_KEY }, { NULL, P256_KEY } };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        open_client(TLS1_3_VERSION, rows[i].asked, NULL);
        EXPECT(has_key(rows[i].number));
        close_client();
    }
    end();
}

static void
an_unknown_name_may_be_refused(void)
{
    const char *text;
    begin();
    struct tls_set *s = new_set("sni_nomatch_abort on\n");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    open_client(TLS1_3_VERSION, "b.test", NULL);
    EXPECT_EQ_INT(step, TLS_FAILED);
    EXPECT_EQ_INT(tls_failure(&c, &text), TLS_FAILURE_NAME);
    EXPECT(client.failed);
    EXPECT_EQ_INT(test_keys.n_asked, 0);
    close_client();
    open_client(TLS1_3_VERSION, NULL, NULL);
    EXPECT_EQ_INT(step, TLS_DONE);
    close_client();
    end();
}

static void
a_client_may_choose_between_kinds(void)
{
    begin();
    struct tls_set *s = new_set("");
    add(s, RSA2048_KEY, "RSA", "web", "DNS:a.test");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    open_client(TLS1_3_VERSION, "a.test", NULL);
    EXPECT(has_key(P256_KEY));
    close_client();
    connect_peer(SPAN_NULL);
    tls_client_open(&client, peer, TLS1_3_VERSION, "a.test", NULL);
    SSL_set1_sigalgs_list(client.ssl, "rsa_pss_rsae_sha256");
    shake();
    EXPECT(client.done && has_key(RSA2048_KEY));
    close_client();
    end();
}

/* A group that the server does not take makes it ask for a second hello, which needs a fiber as the first. */
static void
a_second_hello_works(void)
{
    begin();
    struct tls_set *s = new_set("groups prime256v1\n");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    connect_peer(SPAN_NULL);
    tls_client_open(&client, peer, TLS1_3_VERSION, "a.test", NULL);
    SSL_set1_groups_list(client.ssl, "X25519:prime256v1");
    shake();
    EXPECT_EQ_INT(step, TLS_DONE);
    EXPECT(client.done);
    close_client();
    end();
}

static SSL_SESSION *kept;

static int
keep_session(SSL *ssl, SSL_SESSION *session)
{
    SSL_SESSION_free(kept);
    kept = session;
    return 1;
}

/* The ticket comes with the first bytes. OpenSSL's clients use a session once: so a copy. */
static void
visit(const char *name, SSL_SESSION *ticket)
{
    char byte[8];
    SSL_SESSION *session = ticket == NULL ? NULL : SSL_SESSION_dup(ticket);
    struct iovec hello = { .iov_base = (void *)"hello", .iov_len = 5 };
    connect_peer(SPAN_NULL);
    tls_client_open(&client, peer, TLS1_3_VERSION, name, session);
    SSL_CTX_set_session_cache_mode(client.ctx, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(client.ctx, keep_session);
    SSL_SESSION_free(session);
    shake();
    EXPECT_EQ_INT(step, TLS_DONE);
    EXPECT_EQ_INT(conn_write_now(&c, &hello, 1), 5);
    EXPECT_EQ_INT(tls_client_read(&client, byte, sizeof byte), 5);
}

static void
tickets_resume_the_same_name_only(void)
{
    begin();
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test,DNS:b.test");
    tls_set_publish(s);
    visit("a.test", NULL);
    EXPECT(!tls_resumed(&c));
    close_client();
    SSL_SESSION *ticket = kept;
    CHECK(ticket != NULL && SSL_SESSION_up_ref(ticket) == 1);
    visit("a.test", ticket);
    EXPECT(tls_resumed(&c) && SSL_session_reused(client.ssl));
    EXPECT_EQ_INT(test_keys.n_asked, 1);
    close_client();
    visit("b.test", ticket);
    EXPECT(!tls_resumed(&c));
    close_client();
    SSL_SESSION_free(ticket);
    SSL_SESSION_free(kept);
    kept = NULL;
    end();
}

/* Otherwise a ticket would carry a client around the authorities of another listener. */
static void
tickets_resume_for_the_same_demands_only(void)
{
    struct text ca = { 0 }, why = { 0 };
    begin();
    EVP_PKEY *key = test_key_new("P-256");
    test_certificate(key, "DNS:authority.test", &ca);
    struct tls_set *s = new_set("client_verify optional\n");
    struct text line = { 0 };
    text_str(&line, "client_ca ");
    text_add(&line, text_span(&ca));
    EXPECT_EQ_INT(tls_set_frontend(s, "web", text_span(&line), &why), 0);
    EXPECT_EQ_STR(text_span(&why), "");
    add(s, P256_KEY, "P-256", "", "DNS:a.test");
    tls_set_publish(s);
    visit("a.test", NULL);
    close_client();
    SSL_SESSION *ticket = kept;
    CHECK(ticket != NULL && SSL_SESSION_up_ref(ticket) == 1);
    for (int i = 0; i < 2; i++) {
        visit("a.test", ticket);
        EXPECT(tls_resumed(&c));
        close_client();
    }
    text_clear(&ca);
    text_clear(&line);
    test_certificate(key, "DNS:another.test", &ca);
    text_str(&line, "client_ca ");
    text_add(&line, text_span(&ca));
    s = new_set("client_verify optional\n");
    EXPECT_EQ_INT(tls_set_frontend(s, "web", text_span(&line), &why), 0);
    add_again(s, P256_KEY, "DNS:a.test");
    tls_set_publish(s);
    visit("a.test", ticket);
    EXPECT(!tls_resumed(&c));
    close_client();
    SSL_SESSION_free(ticket);
    SSL_SESSION_free(kept);
    kept = NULL;
    EVP_PKEY_free(key);
    text_release(&line);
    text_release(&ca);
    text_release(&why);
    end();
}

/* OpenSSL's queue of errors is the thread's: that of one client is not that of another, who waits. */
static void
errors_of_others_end_no_handshake(void)
{
    serve_one();
    close_client();
    test_keys.silent = true;
    connect_peer(SPAN_NULL);
    tls_client_open(&client, peer, TLS1_3_VERSION, "a.test", NULL);
    for (int i = 0; i < 10; i++) {
        tls_client_step(&client);
        server_step();
    }
    EXPECT(on_fiber);
    struct conn bad;
    int fds[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 &&
          conn_init(&bad, loop, fds[0]) == 0);
    EXPECT_EQ_INT(tls_attach(&bad, SPAN_LIT("web"), SPAN_LIT("\x16\x03\x01\x00\x05 junk and more")), 0);
    EXPECT_EQ_INT(tls_handshake(&bad), TLS_FAILED);
    conn_close(&bad);
    close(fds[1]);
    test_keys.silent = false;
    for (int i = 0; i < 10; i++) /* the client would clear the queue */
        server_step();
    shake();
    EXPECT_EQ_INT(step, TLS_DONE);
    close_client();
    end();
}

/* The chain is larger than the socket's buffer. */
static void
a_client_that_leaves_its_certificate_unread_may_go(void)
{
    const char *text;
    struct text names = { 0 };
    begin();
    for (int i = 0; i < 4000; i++)
        text_printf(&names, "%sDNS:a-long-name-of-a-host-%d.test", i == 0 ? "" : ",", i);
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", text_cstr(&names));
    tls_set_publish(s);
    connect_peer(SPAN_NULL);
    int small = 1;
    CHECK(setsockopt(c.poll.fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small) == 0);
    tls_client_open(&client, peer, TLS1_3_VERSION, "a.test", NULL);
    tls_client_step(&client);
    for (int i = 0; i < 20; i++)
        server_step();
    EXPECT(conn_is_unsent(&c));
    EXPECT_EQ_INT(step, TLS_WAIT);
    close(peer);
    loop_run_once(loop, 0);
    step = tls_handshake(&c);
    EXPECT_EQ_INT(step, TLS_FAILED);
    EXPECT_EQ_INT(tls_failure(&c, &text), TLS_FAILURE_CLIENT);
    EXPECT(text != NULL);
    conn_close(&c);
    tls_client_close(&client);
    text_release(&names);
    end();
}

static void
no_signature_ends_the_handshake(void)
{
    const char *text;
    begin();
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    params.tls_handshake_timeout_s = 0.02;
    test_keys.silent = true;
    connect_peer(SPAN_NULL);
    tls_client_open(&client, peer, TLS1_3_VERSION, "a.test", NULL);
    for (int i = 0; i < STEPS_MAX && step != TLS_FAILED; i++) {
        shake();
        loop_run_once(loop, NSEC_PER_MSEC);
    }
    EXPECT_EQ_INT(tls_failure(&c, &text), TLS_FAILURE_KEY);
    params.tls_handshake_timeout_s = 8;
    close_client();
    end();
}

static void
plain_http_gets_an_answer(void)
{
    const char *text;
    begin();
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    connect_peer(SPAN_LIT("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    step = tls_handshake(&c);
    EXPECT_EQ_INT(step, TLS_FAILED);
    EXPECT_EQ_INT(tls_failure(&c, &text), TLS_FAILURE_PLAIN);
    ssize_t n = recv(peer, got, sizeof got, 0);
    EXPECT(n > 0 && memmem(got, (size_t)n, "400 Bad Request", 15) != NULL);
    conn_close(&c);
    close(peer);
    end();
}

/* ---- bytes ---- */

static void
bytes_go_both_ways(void)
{
    serve_one();
    EXPECT_EQ_INT(SSL_write(client.ssl, "0123456789", 10), 10);
    loop_run_once(loop, 0);
    EXPECT(conn_may_read(&c));
    EXPECT_EQ_INT(conn_read_now(&c, got, 4), 4);
    EXPECT((c.ready & CONN_HELD) != 0); /* no event will tell of the rest */
    EXPECT_EQ_INT(conn_read_now(&c, got + 4, 100), 6);
    EXPECT(memcmp(got, "0123456789", 10) == 0);
    EXPECT_EQ_INT(conn_read_now(&c, got, 4), ERR_AGAIN);
    EXPECT((c.ready & CONN_HELD) == 0);
    struct iovec parts[] = { { .iov_base = (void *)"head ", .iov_len = 5 },
                             { .iov_base = (void *)"", .iov_len = 0 },
                             { .iov_base = (void *)"body", .iov_len = 4 } };
    EXPECT_EQ_INT(conn_write_now(&c, parts, 3), 9);
    EXPECT_EQ_INT(tls_client_read(&client, got, sizeof got), 9); /* in one record */
    EXPECT(memcmp(got, "head body", 9) == 0);
    close_client();
    end();
}

static void
what_the_socket_refuses_leaves_later(void)
{
    size_t put = 0, n = 0;
    serve_one();
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = (char)(i * 7 / 3);
    while (put < sizeof big || conn_is_unsent(&c)) {
        struct iovec rest = { .iov_base = big + put, .iov_len = sizeof big - put };
        ssize_t now = put < sizeof big ? conn_write_now(&c, &rest, 1) : ERR_AGAIN;
        put += now > 0 ? (size_t)now : 0;
        if ((c.ready & CONN_WRITABLE) == 0)
            n += tls_client_read(&client, got + n, sizeof got - n);
        loop_run_once(loop, 0);
    }
    for (size_t more = 1; more > 0; n += more)
        more = tls_client_read(&client, got + n, sizeof got - n);
    EXPECT_EQ_INT(n, sizeof big);
    EXPECT(memcmp(big, got, sizeof big) == 0);
    close_client();
    end();
}

static void
the_end_is_told_apart_from_a_cut(void)
{
    serve_one();
    conn_half_close(&c);
    tls_client_read(&client, got, sizeof got);
    EXPECT(tls_client_saw_end(&client));
    close_client();
    end();
    serve_one();
    conn_reset(&c);
    tls_client_read(&client, got, sizeof got);
    EXPECT(!tls_client_saw_end(&client));
    tls_client_close(&client);
    close(peer);
    end();
    serve_one();
    SSL_shutdown(client.ssl);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(conn_read_now(&c, got, 10), 0);
    close_client();
    end();
    serve_one();
    CHECK(shutdown(peer, SHUT_WR) == 0); /* without close_notify */
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(conn_read_now(&c, got, 10), ERR_RESET);
    close_client();
    end();
}

/* All at once in the socket: KeyUpdate messages that ask for one in return (RFC 8446, 4.6.3). */
static void
send_key_updates(unsigned n)
{
    char *bytes;
    BIO *out = BIO_new(BIO_s_mem());
    SSL_set0_wbio(client.ssl, out);
    for (unsigned i = 0; i < n; i++)
        CHECK(SSL_key_update(client.ssl, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(client.ssl) == 1);
    long total = BIO_get_mem_data(out, &bytes);
    for (long at = 0; at < total;) {
        ssize_t put = send(peer, bytes + at, (size_t)(total - at), 0);
        if (put <= 0)
            break;
        at += put;
    }
    BIO_up_ref(SSL_get_rbio(client.ssl));
    SSL_set0_wbio(client.ssl, SSL_get_rbio(client.ssl));
}

/* The server skips it, because its tickets allow none (RFC 8446, 4.2.10). */
static void
early_data_reaches_nobody(void)
{
    size_t put = 0;
    begin();
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    visit("a.test", NULL);
    close_client();
    SSL_SESSION *ticket = SSL_SESSION_dup(kept);
    CHECK(ticket != NULL && SSL_SESSION_set_max_early_data(ticket, 1000) == 1);
    connect_peer(SPAN_NULL);
    tls_client_open(&client, peer, TLS1_3_VERSION, "a.test", ticket);
    CHECK(SSL_write_early_data(client.ssl, "early", 5, &put) == 1);
    shake();
    EXPECT_EQ_INT(step, TLS_DONE);
    EXPECT(tls_resumed(&c));
    EXPECT_EQ_INT(SSL_get_early_data_status(client.ssl), SSL_EARLY_DATA_REJECTED);
    EXPECT_EQ_INT(SSL_write(client.ssl, "late", 4), 4);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(conn_read_now(&c, got, sizeof got), 4);
    EXPECT(memcmp(got, "late", 4) == 0);
    close_client();
    SSL_SESSION_free(ticket);
    SSL_SESSION_free(kept);
    kept = NULL;
    end();
}

static void
no_client_negotiates_again(void)
{
    begin();
    struct tls_set *s = new_set("");
    add(s, P256_KEY, "P-256", "web", "DNS:a.test");
    tls_set_publish(s);
    open_client(TLS1_2_VERSION, "a.test", NULL);
    EXPECT_EQ_INT(step, TLS_DONE);
    CHECK(SSL_renegotiate(client.ssl) == 1);
    (void)SSL_do_handshake(client.ssl);
    loop_run_once(loop, 0);
    ssize_t n = conn_read_now(&c, got, sizeof got);
    EXPECT(n == ERR_AGAIN || n == ERR_RESET);
    EXPECT(SSL_do_handshake(client.ssl) != 1);
    EXPECT_EQ_INT(test_keys.n_asked, 1);
    close_client();
    end();
}

static void
a_few_new_keys_are_no_flood(void)
{
    serve_one();
    send_key_updates(5);
    EXPECT_EQ_INT(SSL_write(client.ssl, "0123456789", 10), 10);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(conn_read_now(&c, got, sizeof got), 10);
    struct iovec iov = { .iov_base = (void *)"answer", .iov_len = 6 };
    EXPECT_EQ_INT(conn_write_now(&c, &iov, 1), 6);
    EXPECT_EQ_INT(tls_client_read(&client, got, sizeof got), 6);
    close_client();
    end();
}

/* What the flood makes is not sent to another client. */
static void
a_flood_of_new_keys_ends_its_connection_only(void)
{
    struct iovec iov = { .iov_base = (void *)"answer", .iov_len = 6 };
    serve_one();
    struct conn good = { .poll.fd = -1 };
    struct tls_client good_client = client;
    int good_peer = peer;
    conn_take_over(&c, &good);
    conn_forget(&c);
    CHECK(conn_attach(&good, loop) == 0);
    open_client(TLS1_3_VERSION, "a.test", NULL);
    send_key_updates(4000);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(conn_read_now(&c, got, sizeof got), ERR_RESET);
    EXPECT_EQ_INT(conn_write_now(&good, &iov, 1), 6);
    EXPECT_EQ_INT(tls_client_read(&good_client, got, sizeof got), 6);
    close_client();
    conn_close(&good);
    tls_client_close(&good_client);
    close(good_peer);
    end();
}

static void
settings_are_tried_before_they_are_used(void)
{
    begin();
    struct text why = { 0 };
    struct tls_set *s = new_set("ciphers NO-SUCH-CIPHER\n");
    EXPECT(tls_context_new(s, 1, &why) == NULL);
    EXPECT_EQ_STR(text_span(&why), "TLS of web: ciphers is refused (no cipher match)");
    text_clear(&why);
    EXPECT_EQ_INT(tls_set_frontend(s, "web", SPAN_LIT("protos SSLv3\n"), &why), ERR_SYNTAX);
    EXPECT_EQ_STR(text_span(&why), "invalid value of protos: SSLv3");
    text_clear(&why);
    EXPECT_EQ_INT(tls_set_frontend(s, "web", SPAN_LIT("colour blue"), &why), ERR_SYNTAX);
    EXPECT_EQ_STR(text_span(&why), "unknown setting colour: blue");
    text_clear(&why);
    EXPECT_EQ_INT(tls_set_certificate(s, 7, "web", SPAN_LIT("no PEM"), &why), ERR_SYNTAX);
    EXPECT_EQ_STR(text_span(&why), "certificate 7: the chain cannot be read (no start line)");
    text_release(&why);
    tls_set_release(&s);
    end();
}

int
main(int argc, char *argv[])
{
    static const struct test tests[] = {
        TEST(each_kind_of_key_signs),
        TEST(names_choose_certificates),
        TEST(an_unknown_name_may_be_refused),
        TEST(a_client_may_choose_between_kinds),
        TEST(a_second_hello_works),
        TEST(tickets_resume_the_same_name_only),
        TEST(tickets_resume_for_the_same_demands_only),
        TEST(errors_of_others_end_no_handshake),
        TEST(a_client_that_leaves_its_certificate_unread_may_go),
        TEST(no_signature_ends_the_handshake),
        TEST(plain_http_gets_an_answer),
        TEST(bytes_go_both_ways),
        TEST(what_the_socket_refuses_leaves_later),
        TEST(the_end_is_told_apart_from_a_cut),
        TEST(early_data_reaches_nobody),
        TEST(no_client_negotiates_again),
        TEST(a_few_new_keys_are_no_flood),
        TEST(a_flood_of_new_keys_ends_its_connection_only),
        TEST(settings_are_tried_before_they_are_used),
    };
    signal(SIGPIPE, SIG_IGN);
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
