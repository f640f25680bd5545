/* Encodes header blocks of HPACK (RFC 7541) in two ways.
 *
 * hpack_encode_* have no state: a block is valid on every connection and at any time, so it can be stored and
 * sent again. Names of the static table go by their number, other names and all values as literals without
 * Huffman code, and nothing enters the peer's table. Varnish encodes so, and its records ReqAcct count these
 * bytes.
 *
 * struct hpack_encoder keeps fields that return in the peer's table, and sends their number then: less than
 * half of the bytes, at about the same cost. Blocks must be sent in the order in which they were encoded. */
#ifndef VERNIS_STREAM_H2_HPACK_ENCODE_H
#define VERNIS_STREAM_H2_HPACK_ENCODE_H

#include "stream/h2/hpack_table.h"

#define HPACK_STATUS_BYTES_MAX 5u
#define HPACK_INTEGER_BYTES_MAX 6u
#define HPACK_NO_TABLE 0x20 /* first byte of a block: the peer's table has no bytes from now on (6.3) */

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

/* ---- with a table ---- */

#define HPACK_UPDATE_BYTES_MAX 6u
#define HPACK_SLOTS 64u

/* A field that was sent, found by its hash. */
struct hpack_slot {
    uint16_t tag;    /* more bits of the hash */
    uint16_t number; /* of the entry, its lowest bits; the entry may be gone or be another one */
};

struct hpack_encoder {
    struct hpack_table table;
    uint32_t peer_bytes; /* the size of the peer's table, which may be larger than ours */
    bool update_due;     /* the peer does not know of it yet */
    struct hpack_slot slots[HPACK_SLOTS];
};

/* `table_bytes`: at most HPACK_TABLE_BYTES. */
void hpack_encoder_init(struct hpack_encoder *e, uint32_t table_bytes);
void hpack_encoder_free(struct hpack_encoder *e); /* harmless on a zeroed encoder */
/* The peer's SETTINGS_HEADER_TABLE_SIZE, as soon as we acknowledge it. */
void hpack_encoder_limit(struct hpack_encoder *e, uint32_t table_max);
/* Begins a block. Returns its bytes, at most HPACK_UPDATE_BYTES_MAX, often none. :status follows
 * (hpack_encode_status), then the fields. */
size_t hpack_encoder_begin(struct hpack_encoder *e, uint8_t *out);
/* As hpack_encode_field. */
size_t hpack_encoder_field(struct hpack_encoder *e, uint8_t *out, size_t size, const struct http_field *f);

#endif
