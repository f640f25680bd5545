/* Session tickets: see tickets.h. A ticket is encrypted by AES-256-CBC and authenticated by HMAC-SHA256 (RFC
 * 5077, 4), which OpenSSL does with what we set up here. */
#include "tls/tickets.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <string.h>

#include "base/check.h"
#include "tls/certificate.h"
#include "tls/library.h"

enum { NEXT, CURRENT, PREVIOUS };

static struct {
    pthread_mutex_t lock;
    struct ticket_key keys[TICKET_KEYS];
    bool present[TICKET_KEYS];
} tickets = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool
from_hex(struct span text, unsigned char *out, size_t n)
{
    size_t got = 0;
    char copy[2 * TICKET_KEY_BYTES + 1];
    if (text.len != 2 * n)
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    bool ok = OPENSSL_hexstr2buf_ex(out, n, &got, copy, '\0') == 1 && got == n;
    OPENSSL_cleanse(copy, sizeof copy);
    return ok;
}

int
tickets_set(struct span next, struct span current, struct span previous)
{
    struct span texts[TICKET_KEYS] = { next, current, previous };
    struct ticket_key keys[TICKET_KEYS] = { 0 };
    bool ok = current.len > 0;
    _Static_assert(sizeof(struct ticket_key) == TICKET_KEY_BYTES, "a key is its bytes");
    for (unsigned i = 0; ok && i < TICKET_KEYS; i++)
        ok = texts[i].len == 0 || from_hex(texts[i], (unsigned char *)&keys[i], sizeof keys[i]);
    if (ok) {
        pthread_mutex_lock(&tickets.lock);
        memcpy(tickets.keys, keys, sizeof keys);
        for (unsigned i = 0; i < TICKET_KEYS; i++)
            tickets.present[i] = texts[i].len > 0;
        pthread_mutex_unlock(&tickets.lock);
    }
    OPENSSL_cleanse(keys, sizeof keys);
    return ok ? 0 : ERR_SYNTAX;
}

void
tickets_forget(void)
{
    pthread_mutex_lock(&tickets.lock);
    OPENSSL_cleanse(tickets.keys, sizeof tickets.keys);
    memset(tickets.present, 0, sizeof tickets.present);
    pthread_mutex_unlock(&tickets.lock);
}

/* Returns the place of the key: for a new ticket the current one, otherwise that of this name. -1: none. */
static int
find(const unsigned char *name, struct ticket_key *out)
{
    int found = -1;
    pthread_mutex_lock(&tickets.lock);
    if (name == NULL && !tickets.present[CURRENT] &&
        RAND_bytes_ex(tls_library(), (unsigned char *)&tickets.keys[CURRENT], TICKET_KEY_BYTES, 0) == 1)
        tickets.present[CURRENT] = true;
    for (int i = 0; i < (int)TICKET_KEYS && found < 0; i++)
        if (tickets.present[i] &&
            (name == NULL ? i == CURRENT : memcmp(tickets.keys[i].name, name, TICKET_NAME_BYTES) == 0))
            found = i;
    if (found >= 0)
        *out = tickets.keys[found];
    pthread_mutex_unlock(&tickets.lock);
    return found;
}

/* 1: go on; 2: go on, and renew the ticket; 0: no such key, so a full handshake; -1: error */
static int
use_key(SSL *ssl, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, int make)
{
    struct ticket_key key;
    int at = find(make ? NULL : name, &key);
    if (at < 0)
        return make ? -1 : 0;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key.mac, sizeof key.mac),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_CIPHER *aes = EVP_CIPHER_fetch(tls_library(), "AES-256-CBC", NULL);
    if (make)
        memcpy(name, key.name, sizeof key.name);
    bool ok = aes != NULL && EVP_MAC_CTX_set_params(mac, params) == 1 &&
              (!make || RAND_bytes_ex(tls_library(), iv, (size_t)EVP_CIPHER_get_iv_length(aes), 0) == 1) &&
              EVP_CipherInit_ex(cipher, aes, NULL, key.cipher, iv, make) == 1;
    EVP_CIPHER_free(aes);
    OPENSSL_cleanse(&key, sizeof key);
    return !ok ? -1 : make || at == CURRENT ? 1 : 2;
}

/* A resumed connection has no certificate of ours, so the ticket holds what policies may ask about it. */
static int
add_words(SSL *ssl, void *arg)
{
    struct text words = { 0 };
    const X509 *x = SSL_get_certificate(ssl);
    if (x == NULL) /* a resumed one: its session has the words */
        return 1;
    tls_certificate_words(x, &words);
    int ok = SSL_SESSION_set1_ticket_appdata(SSL_get_session(ssl), words.ptr, words.len);
    text_release(&words);
    return ok;
}

/* The certificate of the client may have expired since the ticket was made. A client of TLS 1.3 uses a ticket
 * once (RFC 8446, C.4), so it gets another. Sent at once, it also acknowledges the end of the client's
 * handshake: until then, a client with Nagle's algorithm keeps its request, for the 40 ms of a late ACK. */
static SSL_TICKET_RETURN
judge(SSL *ssl, SSL_SESSION *session, const unsigned char *name, size_t n, SSL_TICKET_STATUS status,
      void *arg)
{
    if (status != SSL_TICKET_SUCCESS && status != SSL_TICKET_SUCCESS_RENEW)
        return SSL_TICKET_RETURN_IGNORE_RENEW;
    const X509 *client = SSL_SESSION_get0_peer(session);
    if (client != NULL && X509_cmp_current_time(X509_get0_notAfter(client)) <= 0)
        return SSL_TICKET_RETURN_IGNORE_RENEW;
    return status == SSL_TICKET_SUCCESS && SSL_version(ssl) < TLS1_3_VERSION ? SSL_TICKET_RETURN_USE
                                                                             : SSL_TICKET_RETURN_USE_RENEW;
}

void
tickets_use(SSL_CTX *ctx)
{
    SSL_CTX_set_session_ticket_cb(ctx, add_words, judge, NULL);
    SSL_CTX_set_tlsext_ticket_key_evp_cb(ctx, use_key);
}
