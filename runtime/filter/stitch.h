/* Bodies in gzip coding put together from parts without packing them anew (RFC 1951, 1952). A body is its head, parts, and its tail.
 * A part is made of whole blocks of deflate data, none of them the last one, and ends at the boundary of a byte; so parts can follow each
 * other in any order. Two filters make parts: "part_gzip" of a body that is in gzip coding, "part_plain" of any other, which goes into
 * stored blocks. Each part has a sum, and the tail has that of all. */
#ifndef VERNIS_STITCH_H
#define VERNIS_STITCH_H

#include "filter/filter.h"

#define STITCH_TAIL_BYTES 13

/* CRC-32 and length of plain bytes. Zeroed: of none. */
struct gzip_sum {
    uint64_t bytes;
    uint32_t crc;
};

/* The user (struct filter_wants) of both filters. */
struct gzip_part {
    struct gzip_facts facts;            /* part_gzip: of the body */
    uint64_t stored_bytes;              /* part_gzip: of the body */
    struct gzip_sum sum;                /* made. part_plain: of the bytes that have come out so far; part_gzip: at its end */
};

struct span stitch_head(void);
void stitch_tail(const struct gzip_sum *sum, char out[STITCH_TAIL_BYTES]);
void gzip_sum_add(struct gzip_sum *to, const struct gzip_sum *next);
void gzip_sum_bytes(struct gzip_sum *to, struct span plain);

/* Whether part_gzip can use the facts: some bodies have none. */
bool stitch_fits(const struct gzip_facts *facts, uint64_t stored_bytes);
int part_gzip_open(const struct filter_wants *wants, struct filter **out);
int part_plain_open(const struct filter_wants *wants, struct filter **out);
size_t part_bytes(void);                /* memory that either takes */

#endif
