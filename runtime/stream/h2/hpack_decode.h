/* Decodes header blocks of HPACK (RFC 7541). One decoder a connection, with the table that the peer's encoder
 * fills: each block must be decoded to its end, and in the order of arrival, also when its fields are not
 * wanted. */
#ifndef VERNIS_STREAM_H2_HPACK_DECODE_H
#define VERNIS_STREAM_H2_HPACK_DECODE_H

#include "stream/h2/hpack_table.h"

struct hpack_decoder {
    struct hpack_table table;
    uint32_t limit;  /* the largest table that our SETTINGS allow */
    uint32_t names;  /* names_count() when the ids in the table were looked up */
    bool update_due; /* the limit fell below the table's size: the next block begins with an update */
};

/* The peer may use a table of HPACK_TABLE_BYTES until it has our SETTINGS, and from then on one of
 * `table_max`: call hpack_decoder_limit with a smaller table_max when the peer acknowledges the SETTINGS. */
void hpack_decoder_init(struct hpack_decoder *d, unsigned table_max);
void hpack_decoder_limit(struct hpack_decoder *d, unsigned table_max);
void hpack_decoder_free(struct hpack_decoder *d); /* harmless on a zeroed decoder */

/* Memory for the text of fields. Decoding moves `at` to the end of the text that it has stored. `more` gives
 * other memory for at least n bytes, and keeps what was stored; false: there is none. It may be NULL. */
struct hpack_text {
    char *at, *end;
    bool (*more)(struct hpack_text *text, size_t n);
};

/* Called for each field in order. Name and value are in the hpack_text or static; pseudo fields and names of
 * the static table are in lower case, other names as they came, see HPACK_ODD_NAME. The id is that of the
 * name (message_ids_are_known: as of names_count() at the beginning), the flags are 0. `marks` are HPACK_*.
 * False: the fields that follow are not wanted. */
typedef bool hpack_field_fn(void *ctx, const struct http_field *f, unsigned marks);

enum hpack_result {
    HPACK_OK,
    HPACK_REFUSED,           /* on_field returned false */
    HPACK_NO_ROOM,           /* the text did not fit: on_field got the fields that did */
    HPACK_COMPRESSION_ERROR, /* *why says which; the connection cannot go on (RFC 9113, 4.3) */
};

/* Decodes a whole block. After all results but the last, the table is in step with the peer's. `why` is set
 * only for HPACK_COMPRESSION_ERROR, to a static text. */
enum hpack_result hpack_decode(struct hpack_decoder *d, const uint8_t *block, size_t len,
                               struct hpack_text *text, hpack_field_fn *on_field, void *ctx,
                               const char **why);

#endif
