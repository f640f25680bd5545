/* A client's first bytes on listeners with HTTPS, and with a PROXY header before: any bytes, or a real hello
 * with changes, in pieces of any size. The session always ends after its peer, and nothing is left of it. */
#include <stdio.h>

#include "fuzz.h"
#include "support/h2_peer.h"
#include "support/tls_peer.h"
#include "tls/context.h"
#include "tls/hello.h"
#include "tls/key_client.h"
#include "tls/layer.h"
#include "tls/library.h"
#include "tls/set.h"

#define PROXY_LINE "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n"

static struct {
    struct loop *loop;
    unsigned char bytes[2048];
    size_t n;
} real; /* a client's hello, once */

static void
publish(const char *settings)
{
    struct text pem = { 0 }, why = { 0 };
    struct tls_set *s = tls_set_new();
    test_certificate(test_keys.by_number[1], "DNS:a.test,DNS:*.b.test", &pem);
    CHECK(s != NULL && tls_set_frontend(s, "web", span_str(settings), &why) == 0);
    CHECK(tls_set_certificate(s, 1, "web", text_span(&pem), &why) == 0);
    tls_set_publish(s);
    text_release(&pem);
}

static void
prepare(void)
{
    CHECK(tls_library_start() == 0);
    test_keys.by_number[1] = test_key_new("P-256");
    publish("protos TLSv1.2 TLSv1.3\n");
    SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
    SSL *ssl = SSL_new(ctx);
    BIO *out = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), out);
    SSL_set_tlsext_host_name(ssl, "a.test");
    SSL_set_connect_state(ssl);
    (void)SSL_do_handshake(ssl);
    int got = BIO_read(out, real.bytes, sizeof real.bytes);
    CHECK(got > 100);
    real.n = (size_t)got;
    SSL_free(ssl);
    SSL_CTX_free(ctx);
}

/* How `hello_look` decides does not depend on where the bytes are cut. */
static void
check_prefixes(struct span in)
{
    enum hello whole = hello_look(in, 4096);
    for (size_t n = 0; n < in.len; n += 1 + in.len / 32) {
        enum hello part = hello_look(span_of(in.ptr, n), 4096);
        CHECK(part == HELLO_MORE || part == whole || whole == HELLO_LONG || whole == HELLO_OTHER);
    }
}

/* Each change: two bytes of a place, one that is combined. */
static void
put_changed(const uint8_t *data, size_t size)
{
    unsigned char copy[sizeof real.bytes];
    memcpy(copy, real.bytes, real.n);
    for (; size >= 3; data += 3, size -= 3)
        copy[(size_t)(data[0] << 8 | data[1]) % real.n] ^= data[2];
    check_prefixes(span_of((const char *)copy, real.n));
    peer_put(copy, real.n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fds[2];
    if (real.n == 0)
        prepare();
    if (size < 2)
        return 0;
    bool proxy = (data[0] & 1) != 0, header = (data[0] & 2) != 0, changed = (data[0] & 4) != 0;
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds) == 0);
    test_keys.fd = fds[1];
    peer_listener.kind = proxy ? LISTEN_PROXY_HTTPS : LISTEN_HTTPS;
    peer_listener.name = SPAN_LIT("web");
    params.linger_time_s = 0;
    peer_begin(0);
    CHECK(key_client_open(peer.loop, fds[0]) == 0);
    if (header)
        peer_put(PROXY_LINE, sizeof PROXY_LINE - 1);
    if (changed)
        put_changed(data + 2, size - 2);
    else {
        char *copy = fuzz_copy(data + 2, size - 2);
        check_prefixes(span_of(copy, size - 2));
        peer_put(copy, size - 2);
        free(copy);
    }
    peer_send_in(1u + data[1] * 16u);
    for (int i = 0; i < 4; i++) {
        test_keys_answer();
        peer_turns(2);
        (void)peer_read_some(PEER_READS_MAX / 4);
    }
    peer_close();
    for (int i = 0; i < 4; i++) {
        test_keys_answer();
        peer_turns(2);
    }
    CHECK(list_empty(&served.sv.sessions) && served.sv.n_handshakes == 0);
    key_client_close(peer.loop);
    tls_contexts_close(peer.loop);
    tls_layer_close(peer.loop);
    close(fds[1]);
    CHECK(peer_end());
    return 0;
}
