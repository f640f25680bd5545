/* The Huffman code of HPACK and QPACK (RFC 7541, 5.2 and appendix B). */
#ifndef VERNIS_STREAM_H2_HUFFMAN_H
#define VERNIS_STREAM_H2_HUFFMAN_H

#include <sys/types.h>

#include "base/span.h"

/* Decodes n bytes, and returns the number of bytes they stand for; those that do not fit in `room` are not
 * written. ERR_SYNTAX: the padding is wrong, or the code of EOS occurs; *why says which. */
ssize_t huffman_decode(const uint8_t *in, size_t n, char *out, size_t room, const char **why);

#endif
