/* A layer below a connection (loop/layer.h) as TLS is one, without cryptography: bytes go in records, a read
 * may find half of a record, records may concern only the layer, and the end is a record. The test holds the
 * other end of the socket, and speaks records with struct record_peer. */
#ifndef VERNIS_TESTS_SUPPORT_RECORD_LAYER_H
#define VERNIS_TESTS_SUPPORT_RECORD_LAYER_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "loop/layer.h"

#define RECORD_HEAD_BYTES 3
#define RECORD_PLAIN_MAX 1000
#define RECORD_BYTES_MAX (RECORD_HEAD_BYTES + RECORD_PLAIN_MAX)
#define RECORD_MASK 0x55

enum record_kind { RECORD_DATA = 'D', RECORD_TICKET = 'T', RECORD_END = 'E' };

/* Returns the bytes of the record. */
static inline size_t
record_seal(enum record_kind kind, const char *plain, size_t n, char *out)
{
    CHECK(n <= RECORD_PLAIN_MAX);
    out[0] = (char)kind;
    out[1] = (char)(n >> 8);
    out[2] = (char)n;
    for (size_t i = 0; i < n; i++)
        out[RECORD_HEAD_BYTES + i] = (char)(plain[i] ^ RECORD_MASK);
    return RECORD_HEAD_BYTES + n;
}

/* Received bytes of records, and the content of the latest whole one. */
struct record_input {
    char raw[2 * RECORD_BYTES_MAX], plain[RECORD_PLAIN_MAX];
    size_t n_raw, n_plain;
};

/* Opens the next record and returns its kind; 0: more bytes are needed. */
static inline int
record_open(struct record_input *in)
{
    if (in->n_raw < RECORD_HEAD_BYTES)
        return 0;
    int kind = in->raw[0];
    size_t n = (size_t)(unsigned char)in->raw[1] << 8 | (unsigned char)in->raw[2];
    CHECK(n <= RECORD_PLAIN_MAX);
    if (in->n_raw < RECORD_HEAD_BYTES + n)
        return 0;
    for (size_t i = 0; i < n; i++)
        in->plain[i] = (char)(in->raw[RECORD_HEAD_BYTES + i] ^ RECORD_MASK);
    in->n_plain = n;
    in->n_raw -= RECORD_HEAD_BYTES + n;
    memmove(in->raw, in->raw + RECORD_HEAD_BYTES + n, in->n_raw);
    return kind;
}

/* ---- the layer ---- */

struct record_layer {
    struct conn_layer layer;
    size_t piece; /* most bytes that a read gives */
    struct record_input in;
    size_t given; /* of in.plain */
    char out[RECORD_BYTES_MAX * 2];
    size_t n_out, sent;
    unsigned tickets;
    bool ended, ends; /* the peer's end, ours is in `out` */
};

static unsigned record_layers; /* that have not ended */

static inline struct record_layer *
record_layer_of(struct conn *c)
{
    return (struct record_layer *)c->layer;
}

/* Takes the next record. Its kind, or an error of the socket. */
static ssize_t
record_receive(struct conn *c)
{
    struct record_layer *l = record_layer_of(c);
    int kind;
    while ((kind = record_open(&l->in)) == 0) {
        ssize_t n = conn_socket_read(c, l->in.raw + l->in.n_raw, sizeof l->in.raw - l->in.n_raw);
        if (n <= 0)
            return n == 0 ? ERR_RESET : n; /* cut: the end is a record */
        l->in.n_raw += (size_t)n;
    }
    l->ended = kind == RECORD_END;
    l->tickets += kind == RECORD_TICKET;
    l->given = kind == RECORD_DATA ? 0 : l->in.n_plain;
    return kind;
}

/* A part of a record counts: the next read looks whether it is whole. */
static void
record_count_held(struct conn *c)
{
    const struct record_layer *l = record_layer_of(c);
    bool held = l->ended || l->given < l->in.n_plain || l->in.n_raw > 0;
    c->ready = (c->ready & ~CONN_HELD) | (held ? CONN_HELD : 0);
}

static ssize_t
record_read(struct conn *c, void *buf, size_t n)
{
    struct record_layer *l = record_layer_of(c);
    while (!l->ended && l->given == l->in.n_plain) {
        ssize_t kind = record_receive(c);
        if (kind < 0) {
            c->ready &= ~CONN_HELD;
            return kind;
        }
    }
    n = n < l->piece ? n : l->piece;
    n = n < l->in.n_plain - l->given ? n : l->in.n_plain - l->given;
    memcpy(buf, l->in.plain + l->given, n);
    l->given += n;
    record_count_held(c);
    return (ssize_t)n;
}

static void
record_push(struct conn *c, int flags)
{
    struct record_layer *l = record_layer_of(c);
    while (l->sent < l->n_out) {
        struct iovec iov = { l->out + l->sent, l->n_out - l->sent };
        ssize_t put = conn_socket_write(c, &iov, 1, flags);
        if (put == ERR_AGAIN) {
            c->ready |= CONN_UNSENT;
            return;
        }
        l->sent = put < 0 ? l->n_out : l->sent + (size_t)put;
    }
    c->ready &= ~CONN_UNSENT;
    l->sent = l->n_out = 0;
    if (l->ends)
        conn_socket_half_close(c);
}

static ssize_t
record_write(struct conn *c, const struct iovec *iov, int n, int flags)
{
    struct record_layer *l = record_layer_of(c);
    char plain[RECORD_PLAIN_MAX];
    size_t bytes = 0;
    CHECK(!conn_is_unsent(c) && !l->ends && l->n_out == 0);
    for (int i = 0; i < n; i++) {
        size_t room = sizeof plain - bytes, take = iov[i].iov_len < room ? iov[i].iov_len : room;
        memcpy(plain + bytes, iov[i].iov_base, take);
        bytes += take;
    }
    uint64_t before = c->bytes_out;
    l->n_out = record_seal(RECORD_DATA, plain, bytes, l->out);
    record_push(c, flags);
    return c->bytes_out == before && !conn_is_unsent(c) ? ERR_RESET : (ssize_t)bytes;
}

static void
record_flush(struct conn *c)
{
    record_push(c, 0);
}

static bool
record_alive(struct conn *c)
{
    struct record_layer *l = record_layer_of(c);
    while (!l->ended && l->given == l->in.n_plain) {
        ssize_t kind = record_receive(c);
        if (kind < 0)
            return kind == ERR_AGAIN;
    }
    record_count_held(c);
    return false;
}

static void
record_half_close(struct conn *c)
{
    struct record_layer *l = record_layer_of(c);
    if (l->ends)
        return;
    l->n_out += record_seal(RECORD_END, NULL, 0, l->out + l->n_out);
    l->ends = true;
    if (!conn_is_unsent(c))
        record_push(c, 0);
}

static void
record_end(struct conn *c)
{
    record_half_close(c);
    record_layers--;
    free(c->layer);
}

/* Puts a layer below a connection on which no byte has moved. */
static inline void
record_layer_add(struct conn *c, size_t piece)
{
    static const struct conn_layer_ops ops = { record_read,  record_write,      record_flush,
                                               record_alive, record_half_close, record_end };
    struct record_layer *l = calloc(1, sizeof *l);
    CHECK(c->layer == NULL && c->bytes_in + c->bytes_out == 0 && l != NULL && piece > 0);
    l->layer.ops = &ops;
    l->piece = piece;
    c->layer = &l->layer;
    record_layers++;
}

/* ---- the other end of the socket ---- */

struct record_peer {
    struct record_input in;
    bool ended; /* got the end */
};

static inline void
record_peer_says(int fd, enum record_kind kind, const char *text, size_t n)
{
    char out[RECORD_BYTES_MAX];
    do {
        size_t part = n < RECORD_PLAIN_MAX ? n : RECORD_PLAIN_MAX, bytes = record_seal(kind, text, part, out);
        CHECK(send(fd, out, bytes, MSG_NOSIGNAL) == (ssize_t)bytes);
        text += part;
        n -= part;
    } while (n > 0);
}

/* As recv without waiting: the plain bytes of one record; 0: the end; -1 with errno. */
static inline ssize_t
record_peer_reads(struct record_peer *p, int fd, char out[RECORD_PLAIN_MAX])
{
    int kind;
    while ((kind = record_open(&p->in)) == 0) {
        ssize_t n = recv(fd, p->in.raw + p->in.n_raw, sizeof p->in.raw - p->in.n_raw, MSG_DONTWAIT);
        if (n <= 0) {
            CHECK(n < 0 || p->in.n_raw == 0); /* no record is cut */
            return n;
        }
        p->in.n_raw += (size_t)n;
    }
    p->ended = kind == RECORD_END;
    memcpy(out, p->in.plain, p->in.n_plain);
    return (ssize_t)p->in.n_plain;
}

#endif
