/* The readers of CSV and JSON share these. */
#ifndef VERNIS_MATCH_TABLE_READ_INTERNAL_H
#define VERNIS_MATCH_TABLE_READ_INTERNAL_H

#include "match/table/read.h"

struct reading {
    const struct table_form *form;
    struct span content;
    struct table_build *build;
    struct table_error *error;
};

int reading_fail(struct reading *r, struct table_place at, int err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a row. `at` is the place of the key, `value_at` of the value. */
int reading_add(struct reading *r, struct span key, struct table_place at, struct span value,
                struct table_place value_at);
int csv_read(struct reading *r);
int json_read(struct reading *r);

#endif
