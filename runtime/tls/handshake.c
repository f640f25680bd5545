/* Handshakes: see layer.h. OpenSSL calls back with the client's hello: the first time it is sent back, so
 * that it goes on in a fiber. */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "loop/fiber.h"
#include "tls/handshake_internal.h"
#include "tls/hello.h"
#include "tls/layer_internal.h"
#include "tls/library.h"

#define HELLOS \
    2u /* bytes of a client in a handshake: a second hello (RFC 8446, 4.1.4), or as much of another */

static const char plain_answer[] =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 48\r\n"
    "Connection: close\r\n\r\nThis port speaks HTTPS: use https:// in the URL.";

/* ---- callbacks ---- */

/* The host name of the extension (RFC 6066, 3), in lower case. Empty: none. */
static struct span
asked_name(SSL *ssl, char out[TLS_NAME_BYTES_MAX])
{
    const unsigned char *p;
    size_t n;
    if (!SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_server_name, &p, &n) || n < 5 || p[2] != 0)
        return SPAN_NULL;
    size_t len = (size_t)p[3] << 8 | p[4];
    if (len > n - 5 || len == 0 || len > TLS_NAME_BYTES_MAX)
        return SPAN_NULL;
    for (size_t i = 0; i < len; i++)
        out[i] = ascii_lower((char)p[5 + i]);
    return span_of(out, len);
}

/* A ticket is valid for the name that it was given for, and for the same demands on the client's certificate:
 * otherwise it would carry a client around them. */
static bool
bind_tickets(SSL *ssl, const struct tls_handshake *h, struct span name)
{
    unsigned char digest[EVP_MAX_MD_SIZE], text[TLS_DEMANDS_BYTES + TLS_NAME_BYTES_MAX];
    const struct tls_settings *s = &h->contexts->set->frontends[h->frontend].settings;
    size_t digest_n = 0;
    memcpy(text, s->client_demands, TLS_DEMANDS_BYTES);
    if (name.len > 0)
        memcpy(text + TLS_DEMANDS_BYTES, name.ptr, name.len);
    return EVP_Q_digest(tls_library(), "SHA256", NULL, text, TLS_DEMANDS_BYTES + name.len, digest,
                        &digest_n) == 1 &&
           SSL_set_session_id_context(ssl, digest, (unsigned)digest_n) == 1;
}

static int
refuse(struct tls_handshake *h, enum tls_failure why, const char *text, int *alert, int code)
{
    h->failure = why;
    h->text = text;
    *alert = code;
    return SSL_CLIENT_HELLO_ERROR;
}

/* What follows a hello may wait for the key process. A client may send a second one (RFC 8446, 4.1.4). */
static int
go_on(void)
{
    return fiber_current() != NULL ? SSL_CLIENT_HELLO_SUCCESS : SSL_CLIENT_HELLO_RETRY;
}

static int
on_hello(SSL *ssl, int *alert, void *arg)
{
    struct tls_layer *t = SSL_get_app_data(ssl);
    struct tls_handshake *h = t->handshake;
    char text[TLS_NAME_BYTES_MAX];
    if (h->hello_complete)
        return go_on();
    struct span asked = asked_name(ssl, text);
    const struct tls_set *set = h->contexts->set;
    h->name = asked.len == 0 ? NULL : tls_set_find_name(set, h->frontend, asked);
    if (h->name == NULL && asked.len > 0 && set->frontends[h->frontend].settings.sni_nomatch_abort)
        return refuse(h, TLS_FAILURE_NAME, "no certificate has the name", alert, SSL_AD_UNRECOGNIZED_NAME);
    if (h->name == NULL)
        h->name = tls_set_first(set, h->frontend);
    if (h->name == NULL)
        return refuse(h, TLS_FAILURE_NAME, "no certificate is loaded", alert, SSL_AD_UNRECOGNIZED_NAME);
    if (!bind_tickets(ssl, h, asked))
        return refuse(h, TLS_FAILURE_CLIENT, "no memory", alert, SSL_AD_INTERNAL_ERROR);
    h->hello_complete = true;
    return go_on();
}

/* Without it, OpenSSL would not keep the name in sessions of TLS 1.2, so a policy would miss it. */
static int
on_server_name(SSL *ssl, int *alert, void *arg)
{
    return SSL_TLSEXT_ERR_OK;
}

/* Not called for a session that is resumed. */
static int
on_certificate(SSL *ssl, void *arg)
{
    struct tls_layer *t = SSL_get_app_data(ssl);
    if (t->handshake == NULL || t->handshake->name == NULL)
        return 0;
    for (enum tls_key_kind k = 0; k < TLS_KEY_KINDS; k++) {
        const struct tls_certificate *c = t->handshake->name->by_kind[k];
        if (c != NULL && SSL_use_cert_and_key(ssl, c->chain.leaf, c->key, c->chain.others, 1) != 1)
            return 0;
    }
    return 1;
}

/* The client asks whether its authority still stands by the certificate (RFC 6066, 8). OpenSSL frees the
 * copy. */
static int
on_status(SSL *ssl, void *arg)
{
    struct tls_layer *t = SSL_get_app_data(ssl);
    const struct tls_name *name = t->handshake == NULL ? NULL : t->handshake->name;
    const X509 *leaf = SSL_get_certificate(ssl);
    for (enum tls_key_kind k = 0; name != NULL && k < TLS_KEY_KINDS; k++) {
        const struct tls_certificate *c = name->by_kind[k];
        if (c == NULL || c->chain.leaf != leaf ||
            !tls_staple_is_valid(&c->staple, clock_real_ns() / NSEC_PER_SEC))
            continue;
        unsigned char *copy = OPENSSL_memdup(c->staple.bytes, c->staple.n);
        return copy != NULL && SSL_set_tlsext_status_ocsp_resp(ssl, copy, (int)c->staple.n) == 1
                 ? SSL_TLSEXT_ERR_OK
                 : SSL_TLSEXT_ERR_NOACK;
    }
    return SSL_TLSEXT_ERR_NOACK;
}

/* RFC 7301, 3.2: no protocol in common ends the handshake. */
static int
on_alpn(SSL *ssl, const unsigned char **out, unsigned char *n, const unsigned char *in, unsigned in_n,
        void *arg)
{
    static const unsigned char both[] = "\x02h2\x08http/1.1", one[] = "\x08http/1.1";
    struct tls_layer *t = SSL_get_app_data(ssl);
    const struct tls_settings *s = &t->handshake->contexts->set->frontends[t->handshake->frontend].settings;
    bool h2 = (params.features & FEATURE_HTTP2) != 0 && !s->no_h2;
    int found = SSL_select_next_proto((unsigned char **)out, n, h2 ? both : one,
                                      (unsigned)(h2 ? sizeof both : sizeof one) - 1, in, in_n);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* OpenSSL would keep the last error, which often follows from the first. */
int
handshake_accept_any(int valid, X509_STORE_CTX *store)
{
    SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct tls_layer *t = SSL_get_app_data(ssl);
    if (valid)
        return 1;
    if (t->handshake->verify_error == X509_V_OK)
        t->handshake->verify_error = X509_STORE_CTX_get_error(store);
    X509_STORE_CTX_set_error(store, t->handshake->verify_error);
    return 1;
}

void
handshake_set_callbacks(SSL_CTX *ctx)
{
    SSL_CTX_set_client_hello_cb(ctx, on_hello, NULL);
    SSL_CTX_set_tlsext_servername_callback(ctx, on_server_name);
    SSL_CTX_set_cert_cb(ctx, on_certificate, NULL);
    SSL_CTX_set_alpn_select_cb(ctx, on_alpn, NULL);
    SSL_CTX_set_tlsext_status_cb(ctx, on_status);
}

/* ---- steps ---- */

void
handshake_free(struct tls_layer *t)
{
    struct tls_handshake *h = t->handshake;
    t->handshake = NULL;
    if (h == NULL)
        return;
    tls_contexts_give(&h->contexts);
    free(h->early);
    free(h);
}

static enum tls_failure
failure_of(unsigned long code)
{
    switch (ERR_GET_REASON(code)) {
    case SSL_R_NO_SHARED_CIPHER:
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_NO_SUITABLE_KEY_SHARE:
    case SSL_R_NO_APPLICATION_PROTOCOL: return TLS_FAILURE_SHARED;
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
    case SSL_R_CERTIFICATE_VERIFY_FAILED: return TLS_FAILURE_CERTIFICATE;
    case ERR_R_EVP_LIB: return TLS_FAILURE_KEY; /* of what signs */
    default: return TLS_FAILURE_CLIENT;
    }
}

static enum tls_step
failed(struct tls_layer *t)
{
    struct tls_handshake *h = t->handshake;
    unsigned long code = ERR_peek_error();
    const char *reason = code == 0 ? NULL : ERR_reason_error_string(code);
    t->failed = true;
    if (h->failure == TLS_FAILURE_NONE) {
        h->failure = failure_of(code);
        h->text = reason != NULL ? reason : "the client closed the connection";
    }
    if (h->failure == TLS_FAILURE_PLAIN) {
        struct iovec iov = { .iov_base = (void *)plain_answer, .iov_len = sizeof plain_answer - 1 };
        char junk[4096];
        (void)conn_socket_write(t->conn, &iov, 1, 0);
        /* Unread bytes would make the kernel reset the connection, and the answer would be lost. */
        for (unsigned i = 0; i < 64 && conn_socket_read(t->conn, junk, sizeof junk) > 0; i++)
            ;
    } else
        (void)tls_layer_send(t, 0);
    return TLS_FAILED;
}

/* The client waits for more of this server, or it floods. */
static bool
sent_too_much(const struct tls_layer *t)
{
    const struct tls_handshake *h = t->handshake;
    bool certificate = h->contexts->set->frontends[h->frontend].settings.client_verify != TLS_CLIENT_NONE;
    return !certificate && t->conn->bytes_in - h->received_before > HELLOS * params.tls_hello_size_bytes;
}

static enum tls_step
fail_of(struct tls_layer *t, enum tls_failure failure, const char *text)
{
    t->handshake->failure = failure;
    t->handshake->text = text;
    return failed(t);
}

static bool
keep_early(struct tls_handshake *h, const char *bytes, size_t n)
{
    if (n == 0)
        return true;
    char *more = realloc(h->early, h->early_bytes + n);
    if (more == NULL)
        return false;
    memcpy(more + h->early_bytes, bytes, n);
    h->early = more;
    h->early_bytes += (uint32_t)n;
    return true;
}

/* Collects the client's first message. TLS_DONE: OpenSSL may begin. */
static enum tls_step
collect_hello(struct tls_layer *t)
{
    struct tls_handshake *h = t->handshake;
    char bytes[4096];
    for (;;) {
        enum hello is = hello_look(span_of(h->early, h->early_bytes), params.tls_hello_size_bytes);
        if (is == HELLO_PLAIN)
            return fail_of(t, TLS_FAILURE_PLAIN, "plain HTTP on a port for HTTPS");
        if (is == HELLO_LONG)
            return fail_of(t, TLS_FAILURE_HELLO, "the client's first message is longer than tls_hello_size");
        if (is != HELLO_MORE)
            break;
        ssize_t n = (t->conn->ready & CONN_READABLE) == 0 ? ERR_AGAIN
                                                          : conn_socket_read(t->conn, bytes, sizeof bytes);
        if (n == ERR_AGAIN)
            return TLS_WAIT;
        if (n <= 0)
            return fail_of(t, TLS_FAILURE_CLIENT, "the client closed the connection");
        if (!keep_early(h, bytes, (size_t)n))
            return fail_of(t, TLS_FAILURE_CLIENT, "no memory");
    }
    SSL *ssl = SSL_new(h->contexts->by_frontend[h->frontend]);
    if (ssl == NULL || !tls_layer_use(t, ssl))
        return fail_of(t, TLS_FAILURE_CLIENT, "no memory");
    SSL_set_accept_state(ssl);
    return TLS_DONE;
}

enum tls_step
tls_handshake(struct conn *c)
{
    struct tls_layer *t = tls_layer_of(c);
    struct tls_handshake *h = t->handshake;
    CHECK(h != NULL);
    ERR_clear_error();
    if (t->failed) /* the socket broke while its bytes waited */
        return failed(t);
    enum tls_step collected = t->ssl == NULL ? collect_hello(t) : TLS_DONE;
    if (collected != TLS_DONE)
        return collected;
    int done = SSL_do_handshake(t->ssl);
    if (done == 1) {
        if (t->failed || tls_layer_send(t, 0) != 0)
            return failed(t);
        handshake_free(t);
        c->ready |= SSL_has_pending(t->ssl) ? CONN_HELD : 0;
        return TLS_DONE;
    }
    int why = SSL_get_error(t->ssl, done);
    if (why == SSL_ERROR_WANT_CLIENT_HELLO_CB)
        return TLS_FIBER;
    if (why == SSL_ERROR_WANT_READ && sent_too_much(t))
        return fail_of(t, TLS_FAILURE_HELLO, "the client sent more than tls_hello_size allows");
    if (why == SSL_ERROR_WANT_READ && !t->failed && tls_layer_send(t, 0) == 0)
        return TLS_WAIT;
    return failed(t);
}

enum tls_failure
tls_failure(const struct conn *c, const char **text)
{
    const struct tls_handshake *h = tls_layer_of(c)->handshake;
    *text = h->text;
    return h->failure;
}

struct span
tls_protocol(const struct conn *c)
{
    const unsigned char *name;
    unsigned n;
    SSL_get0_alpn_selected(tls_layer_of(c)->ssl, &name, &n);
    return span_of((const char *)name, n);
}

int
tls_attach(struct conn *c, struct span listener, struct span early)
{
    CHECK(c->layer == NULL);
    struct tls_contexts *contexts = tls_contexts_take(c->loop);
    if (contexts == NULL)
        return ERR_NOTFOUND;
    struct tls_handshake *h = calloc(1, sizeof *h);
    struct tls_layer *t = h == NULL || !keep_early(h, early.ptr, early.len) ? NULL : tls_layer_new(c);
    if (t == NULL) {
        if (h != NULL)
            free(h->early);
        free(h);
        tls_contexts_give(&contexts);
        return ERR_NOMEM;
    }
    h->contexts = contexts;
    h->frontend = tls_set_find_frontend(contexts->set, listener);
    h->received_before = c->bytes_in - early.len;
    t->handshake = h;
    return 0;
}
