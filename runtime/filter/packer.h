/* Packs bytes in gzip coding with zlib, for the filters that pack: a z_stream, and the positions that
 * stitching needs. A packer writes its output into buffers of any size. */
#ifndef VERNIS_FILTER_PACKER_H
#define VERNIS_FILTER_PACKER_H

#include <zlib.h>

#include "filter/filter.h"

#define PACKER_PENDING_BYTES 32u

struct packer {
    z_stream z;
    struct gzip_facts facts;            /* complete once packer_end has returned FILTER_END */
    bool blocks;                        /* set by the caller: fill last_bit and stop_bit of `facts` */
    bool block_closed;                  /* only the last block, which is empty, is missing */
    char pending[PACKER_PENDING_BYTES]; /* output of a flush for which the caller had too little room */
    size_t pending_at, pending_end;
};

/* PACK_ALIGN: write all input so far and end at a byte boundary. PACK_RESET: also let no later data refer to
 * it. */
enum pack { PACK_ON, PACK_ALIGN, PACK_RESET };

/* `p` must be zeroed. ERR_NOMEM. */
int packer_start(struct packer *p);
/* FILTER_MORE; PACK_ALIGN and PACK_RESET are complete once `io` has room left. ERR_SYNTAX: zlib failed. */
int packer_push(struct packer *p, struct filter_io *io, enum pack how);
/* io->in is the last input. FILTER_MORE: give more room; FILTER_END. ERR_SYNTAX. */
int packer_end(struct packer *p, struct filter_io *io);
/* Writes the log record of a packed body. */
void packer_record(const struct packer *p, struct log_txn *log, const char *id, uint64_t in_bytes,
                   uint64_t out_bytes);
void packer_stop(struct packer *p); /* harmless on a packer that was not started */
size_t packer_bytes(void);          /* memory that zlib needs */

#endif
