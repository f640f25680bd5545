/* Handshakes on two loops at once, while certificates and keys of tickets change. Runs under TSan, too. */
#include <pthread.h>
#include <signal.h>

#include "support/tls_visit.h"
#include "test.h"
#include "tls/context.h"
#include "tls/key_client.h"
#include "tls/library.h"
#include "tls/set.h"
#include "tls/tickets.h"

#define THREADS 2u
#define VISITS 100u
#define CHANGES 40u
#define KEY 1u

static EVP_PKEY *key;
static atomic_uint n_running;

static void
publish(void)
{
    struct text pem = { 0 }, why = { 0 };
    struct tls_set *s = tls_set_new();
    CHECK(s != NULL && tls_set_frontend(s, "", SPAN_LIT("protos TLSv1.2 TLSv1.3\n"), &why) == 0);
    test_certificate(key, "DNS:a.test,DNS:*.b.test", &pem);
    CHECK(tls_set_certificate(s, KEY, "web", text_span(&pem), &why) == 0);
    tls_set_publish(s);
    text_release(&pem);
}

static void *
run_loop(void *arg)
{
    const unsigned *number = arg;
    struct loop *loop;
    int fds[2];
    unsigned n_resumed = 0;
    CHECK(loop_new(*number, &loop) == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds) == 0 &&
          key_client_open(loop, fds[0]) == 0);
    test_keys.fd = fds[1];
    test_keys.by_number[KEY] = key;
    for (unsigned i = 0; i < VISITS; i++) {
        SSL_SESSION *session = i % 3 == 0 || visit.kept == NULL ? NULL : SSL_SESSION_dup(visit.kept);
        n_resumed += tls_visit(loop, i % 5 == 0 ? TLS1_2_VERSION : TLS1_3_VERSION, session);
        SSL_SESSION_free(session);
    }
    EXPECT(n_resumed > 0);
    EXPECT(test_keys.n_asked > 0 && test_keys.n_asked < VISITS);
    SSL_SESSION_free(visit.kept);
    visit.kept = NULL;
    key_client_close(loop);
    tls_contexts_close(loop);
    tls_layer_close(loop);
    close(fds[1]);
    loop_release(&loop);
    atomic_fetch_sub(&n_running, 1);
    return NULL;
}

/* The key of each change is the next of the one before. */
static void
change_tickets(unsigned i)
{
    char keys[TICKET_KEYS][2 * TICKET_KEY_BYTES + 1];
    for (unsigned k = 0; k < TICKET_KEYS; k++)
        for (unsigned at = 0; at < 2 * TICKET_KEY_BYTES; at++)
            keys[k][at] = "0123456789abcdef"[(i + k + at) % 16];
    CHECK(tickets_set(span_of(keys[2], 2 * TICKET_KEY_BYTES), span_of(keys[1], 2 * TICKET_KEY_BYTES),
                      span_of(keys[0], 2 * TICKET_KEY_BYTES)) == 0);
}

static void
loops_share_certificates_and_keys_of_tickets(void)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    CHECK(tls_library_start() == 0);
    key = test_key_new("P-256");
    publish();
    change_tickets(0);
    atomic_store(&n_running, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, run_loop, &numbers[i]) == 0);
    }
    for (unsigned i = 1; i < CHANGES && atomic_load(&n_running) > 0; i++) {
        publish();
        if (i % 8 == 0)
            change_tickets(i / 8);
        (void)usleep(5000);
    }
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    tls_set_forget();
    tickets_forget();
    EVP_PKEY_free(key);
}

int
main(int argc, char *argv[])
{
    static const struct test tests[] = { { "loops_share_certificates_and_keys_of_tickets",
                                           loops_share_certificates_and_keys_of_tickets } };
    signal(SIGPIPE, SIG_IGN);
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
