/* Assembles gzip bodies from parts without packing the parts again (RFC 1951, 1952). A body is a header,
 * parts, and a tail. A part consists of whole deflate blocks, none of them marked as last, and ends at a byte
 * boundary, so parts can follow each other in any order. Two filters make parts: "part_gzip" from a gzip
 * body, "part_plain" from any other, which it puts into stored blocks. Each part has a checksum, and the tail
 * has the combined one. */
#ifndef VERNIS_FILTER_STITCH_H
#define VERNIS_FILTER_STITCH_H

#include "filter/filter.h"

#define STITCH_TAIL_BYTES 13

/* CRC-32 and length of plain bytes. Zeroed: of no bytes. */
struct gzip_sum {
    uint64_t bytes;
    uint32_t crc;
};

/* The `user` field of struct filter_wants, for both filters. */
struct gzip_part {
    struct gzip_facts facts; /* part_gzip: of the body */
    uint64_t stored_bytes;   /* part_gzip: of the body */
    /* output. part_plain: of the bytes written so far; part_gzip: at the end of the body. */
    struct gzip_sum sum;
};

struct span stitch_head(void);
void stitch_tail(const struct gzip_sum *sum, char out[STITCH_TAIL_BYTES]);
void gzip_sum_add(struct gzip_sum *to, const struct gzip_sum *next);
void gzip_sum_bytes(struct gzip_sum *to, struct span plain);

/* Can part_gzip use the facts? Some bodies have no facts. */
bool stitch_fits(const struct gzip_facts *facts, uint64_t stored_bytes);
int part_gzip_open(const struct filter_wants *wants, struct filter **out);
int part_plain_open(const struct filter_wants *wants, struct filter **out);
size_t part_bytes(void); /* memory of either filter */

#endif
