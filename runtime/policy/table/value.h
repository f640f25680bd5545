/* Types of a table's values: bytes in the table, text in files and answers of commands. Text has the form of
 * a literal: 5, 1.5, 10m, 64KB, true, 192.0.2.1, the name of a backend. */
#ifndef VERNIS_POLICY_TABLE_VALUE_H
#define VERNIS_POLICY_TABLE_VALUE_H

#include "policy_abi.h"

struct value_reader {                 /* one value at a time */
    const struct policy_image *image; /* for names of backends */
    enum image_table_value type;
    union {
        int64_t whole;
        double real;
        struct vcl_ip ip;
    } bytes;
};

/* For struct table_form: `arg` is a reader. */
int value_of_text(void *arg, struct span text, struct span *out, char *why, size_t why_cap);
/* The bytes of a value in an image; used before the next call. */
int value_of_row(struct value_reader *r, const struct image_table_row *row, struct span *out);

#define VALUE_TEXT_BYTES 64u
/* The text of a value. Only a STRING is longer than `buf`; it is not copied. */
struct span value_text(enum image_table_value type, const struct policy_image *image, struct span value,
                       char buf[VALUE_TEXT_BYTES]);
const char *value_type_name(enum image_table_value type);

#endif
