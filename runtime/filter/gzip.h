/* gzip (RFC 1952) as filters: gunzip and gzip change bodies, testgunzip checks a body that is stored
 * unchanged. */
#ifndef VERNIS_FILTER_GZIP_H
#define VERNIS_FILTER_GZIP_H

#include "filter/filter.h"

#define GZIP_HEADER_BYTES 10       /* the header that our libraries and we write */
#define GZIP_TRAILER_BYTES 8       /* CRC-32 and length, each little-endian */
#define GZIP_WINDOW_BITS (15 + 16) /* zlib's argument: 32 KB, with header and trailer of gzip */

#define GUNZIP_RATIO_FROM (16u << 20) /* gunzip_ratio_max applies above this many unpacked bytes */

/* Returns the reason if the output exceeds gunzip_size_max or gunzip_ratio_max for this input, else NULL. */
const char *gunzip_over_limit(uint64_t in_bytes, uint64_t out_bytes);

int gunzip_open(const struct filter_wants *wants, struct filter **out);
int gunzip_delivery_open(const struct filter_wants *wants, struct filter **out); /* gunzip_delivery.c */
int testgunzip_open(const struct filter_wants *wants, struct filter **out);
int gzip_open(const struct filter_wants *wants, struct filter **out);

/* Memory of each filter. */
size_t gunzip_bytes(void);
size_t gunzip_delivery_bytes(void);
size_t testgunzip_bytes(void);
size_t gzip_bytes(void);

#endif
