/* libdeflate packs short bodies as a whole, in half of zlib's time, but cannot pack in pieces. So a body is
 * collected until it ends. If the body gets too long or its origin pauses, zlib packs it instead, starting
 * with the bytes collected so far. */
#ifndef VERNIS_FILTER_GZIP_WHOLE_H
#define VERNIS_FILTER_GZIP_WHOLE_H

#include "filter/filter.h"

#define WHOLE_BYTES_MIN \
    64 /* libdeflate leaves shorter bodies uncompressed; zlib packs them, as in Varnish \
        */

struct gzip_whole {
    char *bytes;          /* owned: the plain body, later the packed one */
    size_t at, end, room; /* at: bytes already taken */
    size_t max;           /* gzip_whole_max at the start of the body */
    bool packed;
};

/* Appends all of *in and advances it. False: the body would exceed `max`, or memory ran out. */
bool whole_collect(struct gzip_whole *w, struct span *in);
/* ERR_NOMEM: the body is unchanged. */
int whole_pack(struct gzip_whole *w, int level);
/* Writes packed bytes to `io`. True: all bytes are written, and the memory is freed. */
bool whole_give(struct gzip_whole *w, struct filter_io *io);
void whole_release(struct gzip_whole *w);
/* Upper bound of the memory of one gzip_whole. */
size_t whole_bytes(void);

#endif
