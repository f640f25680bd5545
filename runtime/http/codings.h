/* Content codings that a client takes (Accept-Encoding: RFC 9110, 12.5.3). Pure functions of text. */
#ifndef VERNIS_HTTP_CODINGS_H
#define VERNIS_HTTP_CODINGS_H

#include <stdbool.h>

#include "base/span.h"

enum coding { CODING_BR, CODING_ZSTD, CODING_NONE };
#define CODINGS 2                       /* those that have a name */

/* "br", "zstd" */
struct span coding_name(enum coding c);

/* Those of br and zstd that the field prefers to gzip and to no coding at all, bits 1 << enum coding; of the two, the one that it prefers,
 * or both. `enabled`: bits that are of interest. A client that ranks them all alike is given them: they are shorter. */
unsigned codings_preferred(struct span accept_encoding, unsigned enabled);

#endif
