/* Facts about the content of a message before it is read, the same in every protocol. How its end is marked on the wire is the
 * protocol's affair. */
#ifndef VERNIS_CONTENT_H
#define VERNIS_CONTENT_H

#include <stdint.h>

enum content_kind { CONTENT_NONE, CONTENT_KNOWN, CONTENT_UNKNOWN };

struct content {
    enum content_kind kind;
    uint64_t bytes;                     /* CONTENT_KNOWN */
};

#endif
