/* Reads a table from a file: CSV (RFC 4180, UTF-8) with a column of keys and one of values, or JSON, one
 * object. The reader knows keys. What a value is, its caller knows. */
#ifndef VERNIS_MATCH_TABLE_READ_H
#define VERNIS_MATCH_TABLE_READ_H

#include "match/table/table.h"

#define TABLE_FILE_BYTES_MAX (UINT64_C(1) << 30)
#define TABLE_JSON_BYTES_MAX \
    (UINT64_C(128) << 20)     /* a parsed file takes about ten times its size for a while */
#define TABLE_COLUMNS_MAX 64u /* of a CSV file with a head line */

enum table_format { TABLE_CSV, TABLE_JSON };

struct table_form {
    enum table_kind kind;
    enum table_format format;
    struct span key_column, value_column; /* names in the head line; SPAN_NULL: no head line, two columns */
    bool texts;                           /* values are texts: a number in JSON is none */
    /* Turns the text of a value into its bytes, which are used before the next call. Else writes the reason,
     * such as "is not an INT", and returns ERR_SYNTAX. */
    int (*value)(void *arg, struct span text, struct span *out, char *why, size_t why_cap);
    void *arg;
};

enum table_format table_format_of(const char *path); /* by its name: JSON if it ends with .json */

/* ERR_SYS without a place: the file could not be read. Else an error of a row, with its line and column in
 * bytes. */
int table_read(const struct table_form *form, struct span content, struct table **out,
               struct table_error *error);
int table_read_file(const struct table_form *form, const char *path, struct table **out,
                    struct table_error *error);

/* The key of a row from its text: an address or a network for an ip table ("192.0.2.0/24"), else the text
 * itself. */
int table_read_key(enum table_kind kind, struct span text, uint8_t network[TABLE_NETWORK_BYTES],
                   struct span *out, char *why, size_t why_cap);
/* The text of a key. At least TABLE_KEY_TEXT_BYTES of `buf` for an ip table. */
#define TABLE_KEY_TEXT_BYTES 64u
struct span table_key_text(enum table_kind kind, struct span key, char buf[TABLE_KEY_TEXT_BYTES]);

#endif
