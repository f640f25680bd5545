/* Encodes header blocks of HPACK (RFC 7541) without state: a block is valid on every connection and at any
 * time, so it can be stored and sent again. Names of the static table go by their number, other names and all
 * values as literals without Huffman code, and nothing enters the peer's table. Varnish encodes so, and its
 * records ReqAcct count these bytes. */
#ifndef VERNIS_STREAM_H2_HPACK_ENCODE_H
#define VERNIS_STREAM_H2_HPACK_ENCODE_H

#include "http/message.h"

#define HPACK_STATUS_BYTES_MAX 5u
#define HPACK_INTEGER_BYTES_MAX 6u

/* Writes the field :status, of 100 to 999; returns its bytes, at most HPACK_STATUS_BYTES_MAX. */
size_t hpack_encode_status(uint8_t *out, unsigned status);
/* Writes a field with its name in lower case. Returns its bytes; 0: `size` is below hpack_field_max. A field
 * with a well-known name has its id. */
size_t hpack_encode_field(uint8_t *out, size_t size, const struct http_field *f);

/* Bytes that suffice for a field. */
static inline size_t
hpack_field_max(size_t name_len, size_t value_len)
{
    return 1 + 2 * HPACK_INTEGER_BYTES_MAX + name_len + value_len;
}

#endif
