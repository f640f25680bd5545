/* gzip (RFC 1952) as filters: gunzip and gzip change bodies, testgunzip checks one that is stored as it came. */
#ifndef VERNIS_FILTER_GZIP_H
#define VERNIS_FILTER_GZIP_H

#include "filter/filter.h"

#define GZIP_HEADER_BYTES 10            /* of the header that we write, and the libraries */
#define GZIP_TRAILER_BYTES 8            /* CRC-32 and length, each little-endian */
#define GZIP_WINDOW_BITS (15 + 16)      /* zlib's argument: 32 KB, with header and trailer of gzip */

#define GUNZIP_RATIO_FROM (16u << 20)   /* unpacked bytes from which on gunzip_ratio_max counts */

/* NULL, or why so much output of so much input is more than gunzip_size_max or gunzip_ratio_max allow. */
const char *gunzip_over_limit(uint64_t in_bytes, uint64_t out_bytes);

int gunzip_open(const struct filter_wants *wants, struct filter **out);
int gunzip_delivery_open(const struct filter_wants *wants, struct filter **out);       /* gunzip_delivery.c */
int testgunzip_open(const struct filter_wants *wants, struct filter **out);
int gzip_open(const struct filter_wants *wants, struct filter **out);

/* Memory that each takes. */
size_t gunzip_bytes(void);
size_t gunzip_delivery_bytes(void);
size_t testgunzip_bytes(void);
size_t gzip_bytes(void);

#endif
