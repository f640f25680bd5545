/* Packs bytes in gzip coding by zlib, for the filters that do: a z_stream, and the positions that stitching needs. A packer makes its
 * output in rooms of any size. */
#ifndef VERNIS_PACKER_H
#define VERNIS_PACKER_H

#include <zlib.h>

#include "filter/filter.h"

#define PACKER_LATE_BYTES 32u

struct packer {
    z_stream z;
    struct gzip_facts facts;            /* complete once packer_end has returned FILTER_END */
    bool blocks;                        /* set by the user: facts shall have the last block and what is behind it */
    bool block_closed;                  /* only the last block is to come, which is empty */
    char late[PACKER_LATE_BYTES];       /* of a flush that found little room */
    size_t late_at, late_end;
};

/* PACK_ALIGN: all input so far comes out, up to a byte boundary. PACK_RESET: also nothing that follows refers to it. */
enum pack { PACK_ON, PACK_ALIGN, PACK_RESET };

/* A zeroed packer. ERR_NOMEM. */
int packer_start(struct packer *p);
/* FILTER_MORE; PACK_ALIGN and PACK_RESET are done when it leaves room. ERR_SYNTAX: zlib refused. */
int packer_push(struct packer *p, struct filter_io *io, enum pack how);
/* io->in is the rest. FILTER_MORE: it needs more room; FILTER_END. ERR_SYNTAX. */
int packer_end(struct packer *p, struct filter_io *io);
/* The record of a body that was packed. */
void packer_record(const struct packer *p, struct log_txn *log, const char *id, uint64_t in_bytes, uint64_t out_bytes);
void packer_stop(struct packer *p);     /* harmless on one that was not started */
size_t packer_bytes(void);              /* memory that zlib takes */

#endif
