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
#include "tls/layer_internal.h"
#include "tls/library.h"

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
    unsigned char digest[EVP_MAX_MD_SIZE];
    char text[TLS_NAME_BYTES_MAX + 64];
    const struct tls_frontend *f = &h->contexts->set->frontends[h->frontend];
    int n = snprintf(text, sizeof text, "%d %.*s", (int)f->settings.client_verify, (int)name.len, name.ptr);
    size_t digest_n = 0;
    return EVP_Q_digest(tls_library(), "SHA256", NULL, text, (size_t)n, digest, &digest_n) == 1 &&
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

/* Not called for a session that is resumed. */
static int
on_certificate(SSL *ssl, void *arg)
{
    struct tls_layer *t = SSL_get_app_data(ssl);
    if (t->handshake == NULL || t->handshake->name == NULL)
        return 0;
    for (enum tls_key_kind k = 0; k < TLS_KEY_KINDS; k++) {
        const struct tls_certificate *c = t->handshake->name->by_kind[k];
        if (c != NULL && SSL_use_cert_and_key(ssl, c->leaf, c->key, c->chain, 1) != 1)
            return 0;
    }
    return 1;
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

void
handshake_set_callbacks(SSL_CTX *ctx)
{
    SSL_CTX_set_client_hello_cb(ctx, on_hello, NULL);
    SSL_CTX_set_cert_cb(ctx, on_certificate, NULL);
    SSL_CTX_set_alpn_select_cb(ctx, on_alpn, NULL);
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
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST: return TLS_FAILURE_PLAIN;
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
    if (h->failure == TLS_FAILURE_PLAIN) { /* instead of OpenSSL's alert */
        struct iovec iov = { .iov_base = (void *)plain_answer, .iov_len = sizeof plain_answer - 1 };
        h->text = "plain HTTP on a port for HTTPS";
        (void)conn_socket_write(t->conn, &iov, 1, 0);
    } else
        (void)tls_layer_send(t, 0);
    return TLS_FAILED;
}

static bool
hello_too_long(const struct tls_layer *t)
{
    const struct tls_handshake *h = t->handshake;
    return !h->hello_complete && t->conn->bytes_in - h->received_before > params.tls_hello_size_bytes;
}

enum tls_step
tls_handshake(struct conn *c)
{
    struct tls_layer *t = tls_layer_of(c);
    struct tls_handshake *h = t->handshake;
    CHECK(h != NULL && !t->failed);
    ERR_clear_error();
    int done = SSL_do_handshake(t->ssl);
    if (done == 1) {
        int err = tls_layer_send(t, 0);
        h->failure = err != 0 ? TLS_FAILURE_CLIENT : TLS_FAILURE_NONE;
        if (err != 0)
            return failed(t);
        handshake_free(t);
        c->ready |= SSL_has_pending(t->ssl) ? CONN_HELD : 0;
        return TLS_DONE;
    }
    int why = SSL_get_error(t->ssl, done);
    if (why == SSL_ERROR_WANT_CLIENT_HELLO_CB)
        return TLS_FIBER;
    if (why == SSL_ERROR_WANT_READ && hello_too_long(t)) {
        h->failure = TLS_FAILURE_HELLO;
        h->text = "the client's first message is longer than tls_hello_size";
    } else if (why == SSL_ERROR_WANT_READ && tls_layer_send(t, 0) == 0)
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

bool
tls_resumed(const struct conn *c)
{
    return SSL_session_reused(tls_layer_of(c)->ssl) == 1;
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
    unsigned frontend = tls_set_find_frontend(contexts->set, listener);
    struct tls_handshake *h = calloc(1, sizeof *h);
    SSL *ssl = SSL_new(contexts->by_frontend[frontend]);
    char *copy = early.len == 0 ? NULL : malloc(early.len);
    struct tls_layer *t = h == NULL || ssl == NULL || (early.len > 0 && copy == NULL) ? NULL
                                                                                      : tls_layer_new(c, ssl);
    if (t == NULL) {
        SSL_free(ssl);
        free(h);
        free(copy);
        tls_contexts_give(&contexts);
        return ERR_NOMEM;
    }
    if (early.len > 0)
        memcpy(copy, early.ptr, early.len);
    *h = (struct tls_handshake){ .contexts = contexts,
                                 .frontend = frontend,
                                 .early = copy,
                                 .early_bytes = (uint32_t)early.len,
                                 .received_before = c->bytes_in };
    t->handshake = h;
    SSL_set_accept_state(ssl);
    return 0;
}
