/* Body filters: processors that change or inspect the bytes of a body, and chains of them. This room knows no
 * objects, no streams and no sockets: a processor is a state machine on bytes, and its caller supplies them.
 *
 * A processor gets its input in pieces, cut anywhere. There are two kinds:
 *
 *  - A changer (`push`) consumes input and produces output into a buffer of its caller. It returns when the
 *    input is consumed, the buffer is full, or the body has ended. It keeps no pointer to input or buffer.
 *  - A looker (`look`) sees bytes that pass unchanged. A looker costs no copy: the chain shows it the bytes
 *    in place.
 *
 * chain_open makes a chain from a list of names (lists.h). A caller drives a chain like one processor:
 *
 *     struct filter_io io = { .in = piece, .last = ended, .out = buffer, .room = n };
 *     int r = chain_push(chain, &io);          // advances io.in, io.out and io.room
 *
 * r is FILTER_MORE: give more input if io.in is empty, more room if io.room is 0. FILTER_END: all output is
 * produced. FILTER_BUSY: the chain has more work without new input or room; push again after other fibers
 * have run. A changer returns it, too, when a short input has made much work. After a negative error
 * chain_why gives the reason, and the chain can only be closed. A chain without a changer (chain_changes) is
 * not pushed: chain_look shows it the bytes in place. Between calls the chain keeps at most gzip_buffer bytes
 * for each two adjacent changers.
 *
 * To add a processor, write a file in this room with its `struct filter_ops` and add its row to `kinds`
 * (lists.c). */
#ifndef VERNIS_FILTER_FILTER_H
#define VERNIS_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "base/span.h"
#include "filter/form.h"
#include "log/txn.h"

enum { FILTER_MORE = 0, FILTER_END = 1, FILTER_BUSY = 2 };

/* FILTER_PART: filters that a policy cannot name; they put a response into a page (stitch.h). */
enum filter_side { FILTER_FETCH, FILTER_DELIVERY, FILTER_PART };

struct filter_io {
    struct span in; /* bytes not yet consumed */
    bool last;      /* the body ends after `in` */
    bool flush;     /* the body pauses: write all output that the consumed bytes allow */
    char *out;
    size_t room;
};

/* Advances past consumed bytes of `in` and written bytes of `out`. */
static inline void
filter_io_move(struct filter_io *io, size_t consumed, size_t produced)
{
    io->in = span_of(io->in.ptr + consumed, io->in.len - consumed);
    io->out += produced;
    io->room -= produced;
}

/* Copies as many bytes as there is room for, and returns their number. */
static inline size_t
filter_io_put(struct filter_io *io, const void *bytes, size_t n)
{
    size_t put = min_size(n, io->room);
    if (put > 0)
        memcpy(io->out, bytes, put);
    filter_io_move(io, 0, put);
    return put;
}

/* Arguments to open a processor; `log` and `user` must outlive it. */
struct filter_wants {
    struct log_txn *log;
    enum filter_side side;
    /* Facts about the input, if it is a complete stored body; NULL: not known. */
    const struct gzip_facts *known;
    bool blocks; /* report the block positions of the output: it may be put into a page */
    void *user;  /* for processors that call back their owner; their own header defines the type */
};

struct filter;

struct filter_ops {
    int (*push)(struct filter *f, struct filter_io *io); /* NULL: a looker */
    /* 0 or an error. `last`: the body ends here. */
    int (*look)(struct filter *f, struct span bytes, bool last);
    void (*close)(struct filter *f); /* frees the processor */
};

/* Base of every processor, which embeds it. */
struct filter {
    const struct filter_ops *ops;
    const char *why;               /* reason of an error: static text, or in the processor's memory */
    const struct gzip_facts *gzip; /* NULL: the processor collects no facts */
    bool holds_back;               /* the output for consumed bytes may wait for more input, or a flush */
};

/* ---- chains (chain.c) ---- */

#define FILTERS_MAX 16 /* names in a list */

struct filter_chain;

/* Opens the processors in `names`, all of which must be known (lists.h). ERR_NOMEM, ERR_LIMIT: more than
 * FILTERS_MAX. *out is NULL if there is nothing to do. */
int chain_open(struct span names, const struct filter_wants *wants, struct filter_chain **out);
bool chain_changes(const struct filter_chain *c);
bool chain_holds_back(const struct filter_chain *c);
/* Memory of such a chain; charge it before opening. */
size_t chain_bytes(struct span names, enum filter_side side);
int chain_push(struct filter_chain *c, struct filter_io *io);
int chain_look(struct filter_chain *c, struct span bytes, bool last);
const char *chain_why(const struct filter_chain *c);
/* From the last processor that collected them; or NULL. */
const struct gzip_facts *chain_gzip(const struct filter_chain *c);
void chain_close(struct filter_chain **c); /* harmless on NULL; processors write their log records */

#endif
