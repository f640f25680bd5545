/* Body filters: processors that change or look at the bytes of a body, and chains of them. This room knows no object, no stream and
 * no socket: a processor is a state machine on bytes, driven by whoever has the bytes.
 *
 * A processor gets its input in pieces, cut anywhere. It is one of two kinds:
 *
 *  - a changer (`push`) consumes input and produces output into a buffer of its caller. It returns when the input is consumed, or the
 *    buffer is full, or the body has ended. It keeps no pointer into either.
 *  - a looker (`look`) sees bytes that pass unchanged. It costs no copy: in a chain it looks at the bytes where they are.
 *
 * A chain is made of a list of names (lists.h) by chain_open, and is driven like one processor:
 *
 *     struct filter_io io = { .in = piece, .last = ended, .out = buffer, .room = n };
 *     int r = chain_push(chain, &io);          // io.in, io.out and io.room have moved on
 *
 * r is FILTER_MORE: give more input if io.in is empty, more room if io.room is 0. FILTER_END: all output is produced. FILTER_BUSY: there
 * is more to do with what the chain has, whatever io says; push again after others had their turn. A negative
 * error: chain_why tells, and the chain can only be closed. A chain without a changer (chain_changes) is not pushed: it is shown the
 * bytes where they are with chain_look. In between, the chain keeps at most gzip_buffer bytes for each two changers that follow
 * each other.
 *
 * To add a processor: a file of this room with its `struct filter_ops` and its row in `kinds` (lists.c). */
#ifndef VERNIS_FILTER_H
#define VERNIS_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "base/span.h"
#include "filter/form.h"
#include "log/txn.h"

enum { FILTER_MORE = 0, FILTER_END = 1, FILTER_BUSY = 2 };    /* BUSY: only of chains */

/* FILTER_PART: filters that no policy can name, which put a response into a page (stitch.h). */
enum filter_side { FILTER_FETCH, FILTER_DELIVERY, FILTER_PART };

struct filter_io {
    struct span in;                     /* not yet consumed */
    bool last;                          /* nothing follows `in` */
    bool flush;                         /* more follows, but not now: what was consumed comes out as far as it can */
    char *out;
    size_t room;
};

/* So much of `in` is consumed; so much was written to `out`. */
static inline void
filter_io_move(struct filter_io *io, size_t consumed, size_t produced)
{
    io->in = span_of(io->in.ptr + consumed, io->in.len - consumed);
    io->out += produced;
    io->room -= produced;
}

/* Copies what there is room for, and returns how much that was. */
static inline size_t
filter_io_put(struct filter_io *io, const void *bytes, size_t n)
{
    size_t put = min_size(n, io->room);
    if (put > 0)
        memcpy(io->out, bytes, put);
    filter_io_move(io, 0, put);
    return put;
}

/* Arguments to open a processor; `log` and `user` outlive it. */
struct filter_wants {
    struct log_txn *log;
    enum filter_side side;
    const struct gzip_facts *known;     /* of the body that goes in, which ended long ago; NULL: not known */
    bool blocks;                        /* of what comes out, the positions of blocks shall be known: it may be put into a page */
    void *user;                         /* of processors that report to their owner, by callbacks of their own header */
};

struct filter;

struct filter_ops {
    int (*push)(struct filter *f, struct filter_io *io);                /* NULL: a looker */
    int (*look)(struct filter *f, struct span bytes, bool last);        /* 0 or an error. `last`: nothing follows */
    void (*close)(struct filter *f);                                    /* frees it */
};

/* Embedded in a processor. */
struct filter {
    const struct filter_ops *ops;
    const char *why;                    /* of an error: static text, or in the processor's own memory */
    const struct gzip_facts *gzip;      /* NULL: it learns none */
    bool holds_back;                    /* output of what it has consumed may wait for more input, or a flush */
};

/* ---- chains (chain.c) ---- */

#define FILTERS_MAX 16                  /* names in a list */

struct filter_chain;

/* The processors of `names`, each of which is known (lists.h). ERR_NOMEM, ERR_LIMIT: more than FILTERS_MAX. *out NULL: nothing is
 * to be done. */
int chain_open(struct span names, const struct filter_wants *wants, struct filter_chain **out);
bool chain_changes(const struct filter_chain *c);
bool chain_holds_back(const struct filter_chain *c);
/* Memory that such a chain takes, to be charged before it is opened. */
size_t chain_bytes(struct span names, enum filter_side side);
int chain_push(struct filter_chain *c, struct filter_io *io);
int chain_look(struct filter_chain *c, struct span bytes, bool last);
const char *chain_why(const struct filter_chain *c);
const struct gzip_facts *chain_gzip(const struct filter_chain *c);      /* of the last processor that learned them; or NULL */
void chain_close(struct filter_chain **c);      /* harmless on NULL; processors write their records */

#endif
