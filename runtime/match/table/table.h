/* A table of rows, key to value, that never changes once it is built: a policy's `table`. A look-up finds the
 * row with the whole key, with the longest key that the text begins with, with the longest key that a host
 * ends with, or with the longest prefix that covers an address. Keys and values are bytes here;
 * policy/table/value.h gives them types.
 *
 * One thread builds a table. All threads may read it, and whoever owns it frees it when nobody reads any
 * more. A row is named by its place in the table's bytes, so a name is good for one table only. */
#ifndef VERNIS_MATCH_TABLE_TABLE_H
#define VERNIS_MATCH_TABLE_TABLE_H

#include "base/span.h"

#define TABLE_ROWS_MAX 16000000u
#define TABLE_TEXT_BYTES_MAX 16384u         /* of a key, of a value */
#define TABLE_BYTES_MAX (UINT64_C(4) << 30) /* of all rows */
#define TABLE_NO_ROW UINT32_MAX

enum table_kind {
    TABLE_EXACT,
    TABLE_PREFIX,
    TABLE_SUFFIX, /* whole labels: "example.com" is a suffix of "www.example.com", not of "badexample.com" */
    TABLE_IP,
    TABLE_KINDS
};

struct table;
struct table_build;

struct table_place { /* of a row in its file; from 1; 0: unknown */
    uint32_t line, column;
};

struct table_error {
    struct table_place at;
    char text[256];
};

/* A key of an ip table: the network's address, 4 or 16 bytes in network order, and the length of the prefix.
 * Bits behind the prefix are ignored, as in an ACL. */
#define TABLE_NETWORK_BYTES 17u
struct span table_network(uint8_t out[TABLE_NETWORK_BYTES], unsigned family, const uint8_t *addr,
                          unsigned bits);

/* Copies key and value. Errors: ERR_SYNTAX, a key that this kind cannot have; ERR_LIMIT. `error` has the
 * reason, and the place as given. */
struct table_build *table_begin(enum table_kind kind);
int table_add(struct table_build *b, struct span key, struct span value, struct table_place at,
              struct table_error *error);
/* Makes the table, or reports a key that occurs twice (ERR_EXISTS) at its second place. Frees *b, and leaves
 * NULL, in both cases. */
int table_end(struct table_build **b, struct table **out, struct table_error *error);
void table_cancel(struct table_build **b);
void table_release(struct table **t);

/* TABLE_NO_ROW: there is none. An ip table is asked with table_find_ip, the others with table_find. */
uint32_t table_find(const struct table *t, struct span text);
uint32_t table_find_ip(const struct table *t, unsigned family, const uint8_t *addr);
/* The row with exactly this key, of any kind of table. */
uint32_t table_find_key(const struct table *t, struct span key);

struct span table_key(const struct table *t, uint32_t row);
struct span table_value(const struct table *t, uint32_t row); /* begins at a multiple of 4 bytes */

/* Rows in the order in which they were added. */
uint32_t table_first(const struct table *t);
uint32_t table_next(const struct table *t, uint32_t row);

enum table_kind table_kind(const struct table *t);
uint32_t table_rows(const struct table *t);
uint64_t table_text_bytes(const struct table *t); /* of its keys and values */
uint64_t table_bytes(const struct table *t);      /* of all its memory */

#endif
