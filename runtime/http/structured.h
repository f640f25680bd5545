/* Structured Field Values (RFC 9651): dictionaries and lists, read strictly. A field with one mistake in it has no value at all, so
 * callers read to the end before they believe any part. */
#ifndef VERNIS_STRUCTURED_H
#define VERNIS_STRUCTURED_H

#include <stdint.h>

#include "base/span.h"

enum sf_type { SF_BOOLEAN, SF_INTEGER, SF_DECIMAL, SF_STRING, SF_TOKEN, SF_BYTES, SF_DATE, SF_DISPLAY, SF_INNER_LIST };

struct sf_item {
    enum sf_type type;
    int64_t integer;                    /* of SF_INTEGER and SF_DATE; 0 or 1 of SF_BOOLEAN */
    struct span text;                   /* SF_STRING without its quotes, escapes left in; SF_TOKEN; else as written */
};

struct sf_reader {
    const char *at, *end;
    bool begun;                         /* a member was read: a comma has to come before the next */
};

struct sf_reader sf_reader(struct span field);
/* The next member, its parameters passed over. 1; 0 at the end; ERR_SYNTAX: the whole field has no value. */
int sf_next_of_dictionary(struct sf_reader *r, struct span *key, struct sf_item *value);
int sf_next_of_list(struct sf_reader *r, struct sf_item *value);

#endif
