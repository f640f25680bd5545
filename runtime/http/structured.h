/* Structured Field Values (RFC 9651): a strict reader of dictionaries and lists. One mistake makes the whole
 * field invalid, so a caller must read to the end before it uses any member. */
#ifndef VERNIS_HTTP_STRUCTURED_H
#define VERNIS_HTTP_STRUCTURED_H

#include <stdint.h>

#include "base/span.h"

enum sf_type {
    SF_BOOLEAN,
    SF_INTEGER,
    SF_DECIMAL,
    SF_STRING,
    SF_TOKEN,
    SF_BYTES,
    SF_DATE,
    SF_DISPLAY,
    SF_INNER_LIST
};

struct sf_item {
    enum sf_type type;
    int64_t integer;  /* for SF_INTEGER and SF_DATE; 0 or 1 for SF_BOOLEAN */
    struct span text; /* SF_STRING without its quotes, escapes left in; SF_TOKEN; else as written */
};

struct sf_reader {
    const char *at, *end;
    bool begun; /* a member was read: a comma must precede the next */
};

struct sf_reader sf_reader(struct span field);
/* Reads the next member and skips its parameters. 1; 0 at the end; ERR_SYNTAX: the whole field is invalid. */
int sf_next_of_dictionary(struct sf_reader *r, struct span *key, struct sf_item *value);
int sf_next_of_list(struct sf_reader *r, struct sf_item *value);

#endif
