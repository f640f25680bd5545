/* TLS 1.3 by the system's OpenSSL or by AWS-LC: what the server's side costs, without a network.
 *
 *     make micro-tls [AWSLC=DIR] [BENCH_ARGS='--rounds 31']
 *
 * DIR is what `cmake --install` made of a static build of AWS-LC. By hand: gcc -O2 -D_GNU_SOURCE
 * benchmarks/micro_tls.c -lssl -lcrypto -pthread, with -I and -L for AWS-LC. With -DFREE_SETTINGS, AWS-LC
 * frees settings of a connection after its handshake.
 *
 * Clients and servers of one process take turns, and only calls of servers are timed and have their heap
 * counted. A turn is for a batch of connections, so that asking the clock costs nothing. Settings and BIOs
 * are those of runtime/tls. A handshake is all from SSL_new to SSL_free except content; it makes a ticket. */
#include <malloc.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 16u
#define BATCHES 4u /* a round, for each kind of handshake */
#define HITS 100u  /* a round, for each connection of a batch */
#define IDLE 256u  /* connections whose heap is counted */
#define ROUNDS_MAX 1001
#define PIPE_BYTES 16640 /* the largest record */
#define REQUEST_BYTES 60
#define SMALL_BYTES 360 /* an answer of 100 bytes with its header */
#define LARGE_BYTES 10300

struct pipe {
    int from, to;
    char bytes[PIPE_BYTES];
};

static struct conn {
    SSL *client, *server;
    struct pipe up, down;
} conns[IDLE];

static struct {
    bool on;
    double began, us;
    long heap;
} server; /* what its calls cost */

static SSL_SESSION *ticket;

static void
need(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "micro_tls: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

/* ---- heap, with glibc's word before each block: the libraries call these functions, too ---- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

static void *
count(void *p, int sign)
{
    if (server.on && p != NULL)
        server.heap += sign * (long)(malloc_usable_size(p) + sizeof(size_t));
    return p;
}

void *
malloc(size_t n)
{
    return count(__libc_malloc(n), 1);
}

void *
calloc(size_t n, size_t size)
{
    return count(__libc_calloc(n, size), 1);
}

void *
realloc(void *p, size_t n)
{
    return count(__libc_realloc(count(p, -1), n), 1);
}

void
free(void *p)
{
    __libc_free(count(p, -1));
}

/* ---- connections ---- */

static void
serve(bool on)
{
    struct timespec t;
    server.on = on;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    double now = (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
    server.us += on ? 0 : now - server.began;
    server.began = now;
}

static int
bio_write(BIO *bio, const char *bytes, int n)
{
    struct conn *c = BIO_get_data(bio);
    struct pipe *p = server.on ? &c->down : &c->up;
    need(n <= PIPE_BYTES - p->to, "room in a pipe");
    memcpy(p->bytes + p->to, bytes, (size_t)n);
    p->to += n;
    return n;
}

static int
bio_read(BIO *bio, char *out, int n)
{
    struct conn *c = BIO_get_data(bio);
    struct pipe *p = server.on ? &c->up : &c->down;
    int left = p->to - p->from, take = left < n ? left : n;
    BIO_clear_retry_flags(bio);
    if (take == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    memcpy(out, p->bytes + p->from, (size_t)take);
    p->from = take == left ? 0 : p->from + take;
    p->to = take == left ? 0 : p->to;
    return take;
}

static long
bio_ctrl(BIO *bio, int command, long n, void *arg)
{
    return command == BIO_CTRL_FLUSH;
}

static SSL *
open_end(SSL_CTX *ctx, struct conn *c)
{
    static BIO_METHOD *method;
    if (method == NULL) {
        method = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "pipe");
        BIO_meth_set_read(method, bio_read);
        BIO_meth_set_write(method, bio_write);
        BIO_meth_set_ctrl(method, bio_ctrl);
    }
    SSL *ssl = SSL_new(ctx);
    BIO *bio = BIO_new(method);
    need(ssl != NULL && bio != NULL, "SSL_new");
    BIO_set_data(bio, c);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
#ifdef FREE_SETTINGS
    SSL_set_shed_handshake_config(ssl, 1);
#endif
    return ssl;
}

static void
open_conns(SSL_CTX *const ctx[2], unsigned n, bool resumes)
{
    for (struct conn *c = conns; c < conns + n; c++) {
        c->up.from = c->up.to = c->down.from = c->down.to = 0;
        c->client = open_end(ctx[1], c);
        need(!resumes || SSL_set_session(c->client, ticket) == 1, "SSL_set_session");
        need(SSL_connect(c->client) == -1, "hello");
    }
    serve(true);
    for (struct conn *c = conns; c < conns + n; c++) {
        c->server = open_end(ctx[0], c);
        need(SSL_accept(c->server) == -1, "answer to hello");
    }
    serve(false);
    for (struct conn *c = conns; c < conns + n; c++)
        need(SSL_connect(c->client) == 1, "handshake of client");
    serve(true);
    for (struct conn *c = conns; c < conns + n; c++)
        need(SSL_accept(c->server) == 1, "handshake of server");
    serve(false);
    for (struct conn *c = conns; c < conns + n; c++)
        need(SSL_session_reused(c->server) == resumes, "resumption");
}

/* The first hit of a connection also sends AWS-LC's ticket, which waits for content. */
static void
hit(unsigned n, int answer_bytes)
{
    static char buffer[PIPE_BYTES], content[LARGE_BYTES];
    for (struct conn *c = conns; c < conns + n; c++)
        need(SSL_write(c->client, content, REQUEST_BYTES) == REQUEST_BYTES, "request");
    serve(true);
    for (struct conn *c = conns; c < conns + n; c++) {
        ERR_clear_error();
        need(SSL_read(c->server, buffer, sizeof buffer) == REQUEST_BYTES, "read of request");
        ERR_clear_error();
        need(SSL_write(c->server, content, answer_bytes) == answer_bytes, "write of answer");
    }
    serve(false);
    for (struct conn *c = conns; c < conns + n; c++)
        need(SSL_read(c->client, buffer, sizeof buffer) == answer_bytes, "answer");
}

static void
close_conns(unsigned n)
{
    serve(true);
    for (struct conn *c = conns; c < conns + n; c++) {
        (void)SSL_shutdown(c->server);
        SSL_free(c->server);
    }
    serve(false);
    for (struct conn *c = conns; c < conns + n; c++) {
        (void)SSL_shutdown(c->client); /* otherwise OpenSSL would not use the ticket */
        SSL_free(c->client);
    }
}

/* ---- contexts ---- */

static void
use_new_certificate(SSL_CTX *ctx, int key_type)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_id(key_type, NULL);
    X509 *x = X509_new();
    need(EVP_PKEY_keygen_init(maker) == 1, "EVP_PKEY_keygen_init");
    need((key_type == EVP_PKEY_EC ? EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1)
                                  : EVP_PKEY_CTX_set_rsa_keygen_bits(maker, 2048)) == 1,
         "kind of key");
    need(EVP_PKEY_keygen(maker, &key) == 1, "EVP_PKEY_keygen");
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), 0);
    X509_gmtime_adj(X509_getm_notAfter(x), 86400);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                               (const unsigned char *)"www.example.com", -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(x));
    X509_set_pubkey(x, key);
    need(X509_sign(x, key, EVP_sha256()) > 0, "X509_sign");
    need(SSL_CTX_use_certificate(ctx, x) == 1 && SSL_CTX_use_PrivateKey(ctx, key) == 1, "certificate");
    EVP_PKEY_CTX_free(maker);
    EVP_PKEY_free(key);
    X509_free(x);
}

static int
on_ticket(SSL *ssl, SSL_SESSION *session)
{
    SSL_SESSION_free(ticket);
    ticket = session;
    return 1;
}

/* Of a server, then of its clients. */
static void
make_contexts(SSL_CTX *ctx[2], int key_type, const char *group)
{
    for (int i = 0; i < 2; i++) {
        ctx[i] = SSL_CTX_new(i == 0 ? TLS_server_method() : TLS_client_method());
        need(SSL_CTX_set_min_proto_version(ctx[i], TLS1_3_VERSION) == 1 &&
                 SSL_CTX_set_ciphersuites(ctx[i], "TLS_AES_128_GCM_SHA256") == 1 &&
                 SSL_CTX_set1_groups_list(ctx[i], group) == 1,
             "settings");
        SSL_CTX_set_options(ctx[i], SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
        SSL_CTX_set_mode(ctx[i], SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        SSL_CTX_set_read_ahead(ctx[i], 1);
    }
    SSL_CTX_set_session_cache_mode(ctx[0], SSL_SESS_CACHE_OFF);
    SSL_CTX_set_session_id_context(ctx[0], (const unsigned char *)"bench", 5);
    SSL_CTX_set_num_tickets(ctx[0], 1);
    use_new_certificate(ctx[0], key_type);
    SSL_CTX_set_session_cache_mode(ctx[1], SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(ctx[1], on_ticket);
}

/* ---- rows ---- */

static double
handshake_us(SSL_CTX *const ctx[2], bool resumes)
{
    double us = 0;
    for (unsigned i = 0; i < BATCHES; i++) {
        server.us = 0;
        open_conns(ctx, BATCH, resumes);
        us += server.us;
        hit(BATCH, SMALL_BYTES);
        server.us = 0;
        close_conns(BATCH);
        us += server.us;
    }
    return us / (BATCHES * BATCH);
}

static double
hit_us(SSL_CTX *const ctx[2], int answer_bytes)
{
    open_conns(ctx, BATCH, false);
    hit(BATCH, answer_bytes);
    server.us = 0;
    for (unsigned i = 0; i < HITS; i++)
        hit(BATCH, answer_bytes);
    double us = server.us;
    close_conns(BATCH);
    return us / (HITS * BATCH);
}

static long
idle_bytes(SSL_CTX *const ctx[2])
{
    server.heap = 0;
    open_conns(ctx, IDLE, false);
    hit(IDLE, SMALL_BYTES);
    long bytes = server.heap / (long)IDLE;
    close_conns(IDLE);
    return bytes;
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
    static const char *const names[] = { "full handshake, RSA-2048, X25519",
                                         "full handshake, ECDSA P-256, P-256",
                                         "full handshake, ECDSA P-256, X25519",
                                         "resumed handshake, X25519",
                                         "hit of 100 B",
                                         "hit of 10 KB" };
    enum { ROWS = sizeof names / sizeof *names };
    static double us[ROWS][ROUNDS_MAX];
    SSL_CTX *rsa[2], *p256[2], *x25519[2];
    int rounds = argc == 3 && strcmp(argv[1], "--rounds") == 0 ? atoi(argv[2]) : 31;
    need(argc != 2 && rounds > 0 && rounds <= ROUNDS_MAX, "usage: micro_tls [--rounds N]");
    make_contexts(rsa, EVP_PKEY_RSA, "X25519");
    make_contexts(p256, EVP_PKEY_EC, "P-256");
    make_contexts(x25519, EVP_PKEY_EC, "X25519");
    for (int round = -1; round < rounds; round++) { /* that of -1 warms up, and is overwritten */
        int i = round < 0 ? 0 : round;
        us[0][i] = handshake_us(rsa, false);
        us[1][i] = handshake_us(p256, false);
        us[2][i] = handshake_us(x25519, false);
        us[3][i] = handshake_us(x25519,
                                true); /* by the newest ticket, so it must follow its full handshake */
        us[4][i] = hit_us(x25519, SMALL_BYTES);
        us[5][i] = hit_us(x25519, LARGE_BYTES);
    }
    printf("%s, %d rounds\n%-36s %9s %9s %9s\n", OpenSSL_version(OPENSSL_VERSION), rounds, "server's CPU, us",
           "median", "least", "most");
    for (int row = 0; row < ROWS; row++) {
        qsort(us[row], (size_t)rounds, sizeof *us[row], by_value);
        printf("%-36s %9.2f %9.2f %9.2f\n", names[row], us[row][rounds / 2], us[row][0], us[row][rounds - 1]);
    }
    printf("%-36s %9ld\n", "heap of an idle connection, bytes", idle_bytes(x25519));
    return 0;
}
