/* The content of a message, as known before it is read; the same in every protocol. The protocol alone knows
 * how the end of the content is marked on the wire. */
#ifndef VERNIS_STREAM_CONTENT_H
#define VERNIS_STREAM_CONTENT_H

#include <stdint.h>

enum content_kind { CONTENT_NONE, CONTENT_KNOWN, CONTENT_UNKNOWN };

struct content {
    enum content_kind kind;
    uint64_t bytes; /* CONTENT_KNOWN */
};

#endif
