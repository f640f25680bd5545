/* Moves bytes through OpenSSL: see layer.h. Records leave through a buffer of the loop, so that several of
 * them are one system call; a connection has a buffer only for what its socket refuses. */
#include "tls/layer.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/check.h"
#include "base/size.h"
#include "tls/fingerprint.h"
#include "tls/handshake_internal.h"
#include "tls/layer_internal.h"

#define RECORD_BYTES 16384u /* content of a full record */
#define RECORD_ADDS 256u    /* at most, around the content */
#define OUT_BYTES (4u * (RECORD_BYTES + RECORD_ADDS))
#define SMALL_RECORD_BYTES 1400u /* with its head it fits into one packet */
#define SMALL_RECORDS_FOR 65536u /* content after a pause, while the peer's window grows */
#define PAUSE NSEC_PER_SEC
#define HELD_BYTES_MAX (1u << 20)
/* Messages of a client after its handshake: each new key (RFC 8446, 4.6.3) costs as much as a hundred
 * records, and a client needs a few in an hour. */
#define MESSAGES_MAX 32u
#define MESSAGES_PERIOD (60 * NSEC_PER_SEC)

struct out { /* one a loop */
    uint32_t bytes;
    char text[OUT_BYTES], content[RECORD_BYTES];
};

static struct loop_slot slot;

static struct out *
out_of(struct loop *loop)
{
    struct out *o = loop_get(loop, &slot);
    if (o == NULL && (o = malloc(sizeof *o)) != NULL) {
        o->bytes = 0;
        loop_put(loop, &slot, o);
    }
    return o;
}

/* ---- OpenSSL's side of the socket ---- */

static bool
hold(struct tls_layer *t, const char *bytes, size_t n)
{
    if (n > HELD_BYTES_MAX - t->held_bytes)
        return false;
    char *more = realloc(t->held, t->held_bytes + n);
    if (more == NULL)
        return false;
    memcpy(more + t->held_bytes, bytes, n);
    t->held = more;
    t->held_bytes += (uint32_t)n;
    return true;
}

/* A handshake may sleep between two writes, so its bytes do not stay in the loop's buffer. A full buffer is
 * sent first: what is held leaves ahead of the buffer. */
static int
bio_write(BIO *bio, const char *bytes, size_t n, size_t *written)
{
    struct tls_layer *t = BIO_get_data(bio);
    struct out *o = out_of(t->conn->loop);
    *written = n;
    if (t->flooded)
        return 0;
    if (t->handshake == NULL && o != NULL && n > OUT_BYTES - o->bytes && tls_layer_send(t, 0) != 0)
        return 0;
    if (t->handshake != NULL || conn_is_unsent(t->conn) || o == NULL || n > OUT_BYTES - o->bytes)
        return hold(t, bytes, n);
    memcpy(o->text + o->bytes, bytes, n);
    o->bytes += (uint32_t)n;
    return 1;
}

static bool
read_early(struct tls_handshake *h, char *out, size_t n, size_t *got)
{
    size_t left = h == NULL ? 0 : h->early_bytes - h->early_taken;
    if (left == 0)
        return false;
    *got = left < n ? left : n;
    memcpy(out, h->early + h->early_taken, *got);
    h->early_taken += (uint32_t)*got;
    return true;
}

static int
bio_read(BIO *bio, char *out, size_t n, size_t *got)
{
    struct tls_layer *t = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    *got = 0;
    if (read_early(t->handshake, out, n, got))
        return 1;
    if (t->end_seen)
        return 0;
    ssize_t r = (t->conn->ready & CONN_READABLE) == 0 ? ERR_AGAIN : conn_socket_read(t->conn, out, n);
    if (r == ERR_AGAIN)
        BIO_set_retry_read(bio);
    t->end_seen = r == 0 || r == ERR_RESET;
    *got = r > 0 ? (size_t)r : 0;
    return r > 0;
}

static long
bio_ctrl(BIO *bio, int command, long n, void *arg)
{
    struct tls_layer *t = BIO_get_data(bio);
    switch (command) {
    case BIO_CTRL_FLUSH: return 1;
    case BIO_CTRL_EOF: return t != NULL && t->end_seen;
    default: return 0;
    }
}

static const BIO_METHOD *
bio_method(void)
{
    static BIO_METHOD *_Atomic method;
    BIO_METHOD *m = method, *none = NULL;
    if (m != NULL)
        return m;
    m = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "connection");
    if (m == NULL)
        return NULL;
    BIO_meth_set_read_ex(m, bio_read);
    BIO_meth_set_write_ex(m, bio_write);
    BIO_meth_set_ctrl(m, bio_ctrl);
    if (!atomic_compare_exchange_strong(&method, &none, m)) {
        BIO_meth_free(m);
        m = none;
    }
    return m;
}

/* OpenSSL handles all messages that have come before it returns: the end of its input stops it. */
static void
on_message(int is_written, int version, int type, const void *bytes, size_t n, SSL *ssl, void *arg)
{
    struct tls_layer *t = SSL_get_app_data(ssl);
    if (is_written || type != SSL3_RT_HANDSHAKE)
        return;
    if (t->handshake != NULL) {
        if (t->hello == NULL && tls_hello_wanted())
            t->hello = tls_hello_read(span_of(bytes, n));
        return;
    }
    nsec now = loop_now(t->conn->loop);
    if (now - t->messages_since > MESSAGES_PERIOD) {
        t->messages_since = now;
        t->messages = 0;
    }
    t->flooded = ++t->messages > MESSAGES_MAX;
    t->end_seen = t->end_seen || t->flooded;
}

/* ---- to the socket ---- */

/* From one place in memory. What the socket refuses is held. */
static int
send_some(struct tls_layer *t, const char *bytes, size_t n, int flags)
{
    struct iovec iov = { .iov_base = (void *)bytes, .iov_len = n };
    ssize_t put = (t->conn->ready & CONN_WRITABLE) == 0 ? ERR_AGAIN
                                                        : conn_socket_write(t->conn, &iov, 1, flags);
    if (put < 0 && put != ERR_AGAIN)
        return ERR_RESET;
    size_t sent = put < 0 ? 0 : (size_t)put;
    if (sent == n)
        return 0;
    if (!hold(t, bytes + sent, n - sent))
        return ERR_RESET;
    t->conn->ready = (t->conn->ready | CONN_UNSENT) & ~CONN_WRITABLE;
    conn_socket_await_room(t->conn);
    return 0;
}

/* The held bytes. Sets CONN_UNSENT while some are left. */
static int
send_held(struct tls_layer *t)
{
    struct conn *c = t->conn;
    while (t->held_sent < t->held_bytes) {
        struct iovec iov = { .iov_base = t->held + t->held_sent, .iov_len = t->held_bytes - t->held_sent };
        ssize_t put = conn_socket_write(c, &iov, 1, 0);
        if (put == ERR_AGAIN || (put > 0 && (size_t)put < iov.iov_len)) {
            t->held_sent += put > 0 ? (uint32_t)put : 0;
            c->ready |= CONN_UNSENT;
            conn_socket_await_room(c);
            return 0;
        }
        if (put < 0)
            break;
        t->held_sent += (uint32_t)put;
    }
    bool all = t->held_sent == t->held_bytes;
    free(t->held);
    t->held = NULL;
    t->held_bytes = t->held_sent = 0;
    c->ready &= ~CONN_UNSENT;
    if (all && t->closes)
        conn_socket_half_close(c);
    return all ? 0 : ERR_RESET;
}

int
tls_layer_send(struct tls_layer *t, int flags)
{
    struct out *o = loop_get(t->conn->loop, &slot);
    if (t->held_bytes > 0)
        return conn_is_unsent(t->conn) ? 0 : send_held(t);
    if (o == NULL || o->bytes == 0)
        return 0;
    size_t n = o->bytes;
    o->bytes = 0;
    return send_some(t, o->text, n, flags);
}

/* ---- operations ---- */

static ssize_t
fail(struct tls_layer *t)
{
    t->failed = true;
    t->conn->ready |= CONN_HELD; /* the error is for each later read */
    (void)tls_layer_send(t, 0);  /* an alert */
    return ERR_RESET;
}

static ssize_t
layer_read(struct conn *c, void *buf, size_t n)
{
    struct tls_layer *t = tls_layer_of(c);
    size_t got = 0;
    t->conn = c;
    if (t->failed)
        return ERR_RESET;
    ERR_clear_error();
    if (SSL_read_ex(t->ssl, buf, n, &got) == 1) {
        c->ready = SSL_has_pending(t->ssl) ? c->ready | CONN_HELD : c->ready & ~CONN_HELD;
        return tls_layer_send(t, 0) == 0 ? (ssize_t)got : fail(t);
    }
    switch (SSL_get_error(t->ssl, 0)) {
    case SSL_ERROR_WANT_READ: c->ready &= ~CONN_HELD; return tls_layer_send(t, 0) == 0 ? ERR_AGAIN : fail(t);
    case SSL_ERROR_ZERO_RETURN: c->ready |= CONN_HELD; return 0;
    default: return fail(t);
    }
}

static size_t
record_bytes(struct tls_layer *t)
{
    return t->small_bytes > 0 ? SMALL_RECORD_BYTES : RECORD_BYTES;
}

/* The content of the next record: in place if one piece has it all, else gathered. */
static const char *
next_content(struct out *o, const struct iovec *iov, int n, size_t skip, size_t *bytes)
{
    size_t got = 0, most = *bytes;
    if (n == 1 || iov->iov_len - skip >= most) {
        size_t left = iov->iov_len - skip;
        *bytes = left < most ? left : most;
        return (const char *)iov->iov_base + skip;
    }
    for (int i = 0; i < n && got < most; i++, skip = 0) {
        size_t left = iov[i].iov_len - skip, take = left < most - got ? left : most - got;
        memcpy(o->content + got, (const char *)iov[i].iov_base + skip, take);
        got += take;
    }
    *bytes = got;
    return o->content;
}

static void
note_write(struct tls_layer *t)
{
    nsec now = loop_now(t->conn->loop);
    if (now - t->last_write > PAUSE)
        t->small_bytes = SMALL_RECORDS_FOR;
    t->last_write = now;
}

static ssize_t
layer_write(struct conn *c, const struct iovec *iov, int n, int flags)
{
    struct tls_layer *t = tls_layer_of(c);
    struct out *o = out_of(c->loop);
    size_t taken = 0, skip = 0;
    t->conn = c;
    if (t->failed || o == NULL)
        return ERR_RESET;
    note_write(t);
    ERR_clear_error();
    while (n > 0 && !conn_is_unsent(c)) {
        size_t bytes = record_bytes(t), put = 0;
        const char *content = next_content(o, iov, n, skip, &bytes);
        if (bytes > 0 && SSL_write_ex(t->ssl, content, bytes, &put) != 1)
            return fail(t);
        taken += put;
        t->small_bytes -= put < t->small_bytes ? (uint32_t)put : t->small_bytes;
        for (skip += put; n > 0 && skip >= iov->iov_len; n--, iov++)
            skip -= iov->iov_len;
        if (OUT_BYTES - o->bytes < RECORD_BYTES + RECORD_ADDS &&
            tls_layer_send(t, n > 0 ? flags | MSG_MORE : flags) != 0)
            return fail(t);
    }
    return tls_layer_send(t, flags) == 0 ? (ssize_t)taken : fail(t);
}

static void
layer_flush(struct conn *c)
{
    struct tls_layer *t = tls_layer_of(c);
    t->conn = c;
    if (send_held(t) != 0)
        fail(t);
}

/* A ticket is for this layer, and no sign of an end. */
static bool
layer_alive(struct conn *c)
{
    struct tls_layer *t = tls_layer_of(c);
    char byte;
    size_t got;
    t->conn = c;
    ERR_clear_error();
    return !t->failed && SSL_peek_ex(t->ssl, &byte, 1, &got) != 1 &&
           SSL_get_error(t->ssl, 0) == SSL_ERROR_WANT_READ && tls_layer_send(t, 0) == 0;
}

static void
say_end(struct tls_layer *t)
{
    if (t->failed || t->handshake != NULL || (SSL_get_shutdown(t->ssl) & SSL_SENT_SHUTDOWN) != 0)
        return;
    ERR_clear_error();
    (void)SSL_shutdown(t->ssl);
}

static void
layer_half_close(struct conn *c)
{
    struct tls_layer *t = tls_layer_of(c);
    t->conn = c;
    say_end(t);
    t->closes = true;
    if (tls_layer_send(t, 0) != 0 || !conn_is_unsent(c))
        conn_socket_half_close(c);
}

/* After an error the peer must not take the end for a regular one. */
static void
layer_end(struct conn *c)
{
    struct tls_layer *t = tls_layer_of(c);
    t->conn = c;
    if ((c->ready & CONN_ERROR) == 0) {
        say_end(t);
        (void)tls_layer_send(t, 0);
    }
    handshake_free(t);
    SSL_free(t->ssl);
    free(t->held);
    free(t->hello);
    free(t);
}

struct tls_layer *
tls_layer_new(struct conn *c)
{
    static const struct conn_layer_ops ops = { layer_read,  layer_write,      layer_flush,
                                               layer_alive, layer_half_close, layer_end };
    struct tls_layer *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->layer.ops = &ops;
    t->conn = c;
    t->small_bytes = SMALL_RECORDS_FOR;
    c->layer = &t->layer;
    return t;
}

bool
tls_layer_use(struct tls_layer *t, SSL *ssl)
{
    const BIO_METHOD *method = bio_method();
    BIO *bio = method == NULL ? NULL : BIO_new(method);
    t->ssl = ssl;
    if (bio == NULL)
        return false;
    BIO_set_data(bio, t);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    SSL_set_app_data(ssl, t);
    SSL_set_msg_callback(ssl, on_message);
    return true;
}

void
tls_layer_close(struct loop *loop)
{
    free(loop_get(loop, &slot));
    loop_put(loop, &slot, NULL);
}
