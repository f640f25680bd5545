/* OpenSSL's contexts of a loop: see context.h. */
#include "tls/context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "tls/handshake_internal.h"
#include "tls/library.h"
#include "tls/tickets.h"

#define CLIENT_CHAIN_BYTES_MAX 65536

static struct loop_slot slot;

/* ---- one ---- */

static bool
set_protocols(SSL_CTX *ctx, int protocols)
{
    int least = protocols == TLS_PROTOCOL_1_3 ? TLS1_3_VERSION : TLS1_2_VERSION;
    int most = protocols == TLS_PROTOCOL_1_2 ? TLS1_2_VERSION : TLS1_3_VERSION;
    return SSL_CTX_set_min_proto_version(ctx, least) == 1 && SSL_CTX_set_max_proto_version(ctx, most) == 1;
}

/* Of a PEM text. 0: none, or one cannot be added. */
static unsigned
add_authorities(SSL_CTX *ctx, const char *text)
{
    X509_STORE *store = SSL_CTX_get_cert_store(ctx);
    BIO *pem = BIO_new_mem_buf(text, -1);
    unsigned n = 0;
    bool ok = true;
    for (X509 *one; ok && pem != NULL && (one = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL; n++) {
        ok = X509_STORE_add_cert(store, one) == 1 && SSL_CTX_add_client_CA(ctx, one) == 1;
        X509_free(one);
    }
    BIO_free(pem);
    return ok ? n : 0;
}

/* Each certificate of a chain is looked up in the list of its authority: a missing list refuses it. */
static unsigned
add_revoked(SSL_CTX *ctx, const char *text)
{
    X509_STORE *store = SSL_CTX_get_cert_store(ctx);
    BIO *pem = BIO_new_mem_buf(text, -1);
    unsigned n = 0;
    bool ok = X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL) == 1;
    for (X509_CRL *one; ok && pem != NULL && (one = PEM_read_bio_X509_CRL(pem, NULL, NULL, NULL)) != NULL;
         n++) {
        ok = X509_STORE_add_crl(store, one) == 1;
        X509_CRL_free(one);
    }
    BIO_free(pem);
    return ok ? n : 0;
}

/* Blocks that cannot be read would leave a client in that another block keeps out, so each must count. */
static unsigned
blocks_in(const char *text)
{
    static const char begin[] = "-----BEGIN ";
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, begin)) != NULL; at += sizeof begin - 1)
        n++;
    return n;
}

static bool
set_verify(SSL_CTX *ctx, const struct tls_settings *s)
{
    if (s->client_verify == TLS_CLIENT_NONE)
        return true;
    bool required = s->client_verify == TLS_CLIENT_REQUIRED;
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                       required ? NULL : handshake_accept_any);
    SSL_CTX_set_verify_depth(ctx, (int)s->client_depth);
    SSL_CTX_set_max_cert_list(ctx, CLIENT_CHAIN_BYTES_MAX);
    bool ok = s->client_ca != NULL && add_authorities(ctx, s->client_ca) == blocks_in(s->client_ca) &&
              (s->client_crl == NULL || add_revoked(ctx, s->client_crl) == blocks_in(s->client_crl));
    if (ok)
        ERR_clear_error(); /* the end of a text is an error to OpenSSL */
    return ok;
}

static void
set_plain(SSL_CTX *ctx, const struct tls_settings *s)
{
    SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                 (s->prefer_server_ciphers > 0
                                      ? SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA
                                      : 0));
    SSL_CTX_set_mode(ctx, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(ctx, 1);
    /* Sessions are in tickets only, because a table of them would be shared by all loops. One is enough. */
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(ctx, 1);
    SSL_CTX_set_max_early_data(ctx, 0);
    tickets_use(ctx);
    handshake_set_callbacks(ctx);
}

void
tls_context_free(SSL_CTX *ctx)
{
    SSL_CTX_free(ctx);
}

SSL_CTX *
tls_context_new(const struct tls_set *set, unsigned frontend, struct text *why)
{
    const struct tls_settings *s = &set->frontends[frontend].settings;
    const char *listener = set->frontends[frontend].listener;
    ERR_clear_error();
    SSL_CTX *ctx = SSL_CTX_new_ex(tls_library(), NULL, TLS_server_method());
    const char *wrong = ctx == NULL                                                     ? "memory"
                      : !set_protocols(ctx, s->protocols)                               ? "protos"
                      : s->ciphers != NULL && !SSL_CTX_set_cipher_list(ctx, s->ciphers) ? "ciphers"
                      : s->ciphersuites != NULL && !SSL_CTX_set_ciphersuites(ctx, s->ciphersuites)
                          ? "ciphersuites"
                      : s->groups != NULL && !SSL_CTX_set1_groups_list(ctx, s->groups) ? "groups"
                      : !set_verify(ctx, s) ? "client_ca or client_crl"
                                            : NULL;
    if (wrong == NULL) {
        set_plain(ctx, s);
        return ctx;
    }
    text_printf(why, "TLS of %s: %s is refused (", *listener == '\0' ? "all listeners" : listener, wrong);
    tls_library_error(why);
    text_str(why, ")");
    SSL_CTX_free(ctx);
    return NULL;
}

/* ---- those of a loop ---- */

void
tls_contexts_give(struct tls_contexts **at)
{
    struct tls_contexts *c = *at;
    *at = NULL;
    if (c == NULL || --c->refs > 0)
        return;
    for (unsigned i = 0; i < c->set->n_frontends; i++)
        SSL_CTX_free(c->by_frontend[i]);
    tls_set_release(&c->set);
    free(c);
}

/* Settings were tried when the set was published, so only memory can be missing. */
static struct tls_contexts *
make(void)
{
    struct tls_set *set = tls_set_newest();
    struct tls_contexts *c = set == NULL ? NULL : calloc(1, sizeof *c + set->n_frontends * sizeof(SSL_CTX *));
    if (c == NULL) {
        tls_set_release(&set);
        return NULL;
    }
    struct text why = { 0 };
    bool ok = true;
    c->refs = 1;
    c->set = set;
    for (unsigned i = 0; ok && i < set->n_frontends; i++)
        ok = (c->by_frontend[i] = tls_context_new(set, i, &why)) != NULL;
    text_release(&why);
    if (!ok)
        tls_contexts_give(&c);
    return c;
}

struct tls_contexts *
tls_contexts_take(struct loop *loop)
{
    struct tls_contexts *c = loop_get(loop, &slot);
    if (c == NULL || c->set->generation != tls_set_generation()) {
        tls_contexts_give(&c);
        c = make();
        loop_put(loop, &slot, c);
    }
    if (c != NULL)
        c->refs++;
    return c;
}

void
tls_contexts_close(struct loop *loop)
{
    struct tls_contexts *c = loop_get(loop, &slot);
    tls_contexts_give(&c);
    loop_put(loop, &slot, NULL);
}
