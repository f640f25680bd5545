/* Tickets that a client has changed: none of them resumes a session, and each handshake goes on without. */
#include "fuzz.h"
#include "support/tls_visit.h"
#include "tls/context.h"
#include "tls/key_client.h"
#include "tls/library.h"
#include "tls/set.h"

static struct loop *loop;
static unsigned char *kept_bytes; /* serialized */
static int kept_n;
static size_t ticket_at, ticket_n;

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
    CHECK(!tls_visit(loop, TLS1_3_VERSION, NULL) && visit.kept != NULL);
    SSL_SESSION_get0_ticket(visit.kept, &ticket, &ticket_n);
    kept_n = i2d_SSL_SESSION(visit.kept, &kept_bytes);
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
    CHECK(tls_visit(loop, TLS1_3_VERSION, session) == same);
    SSL_SESSION_free(session);
    free(copy);
    return 0;
}
