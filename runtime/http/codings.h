/* Content codings that a client accepts (Accept-Encoding: RFC 9110, 12.5.3). Pure functions of text. */
#ifndef VERNIS_HTTP_CODINGS_H
#define VERNIS_HTTP_CODINGS_H

#include <stdbool.h>

#include "base/span.h"

enum coding { CODING_BR, CODING_ZSTD, CODING_NONE };
#define CODINGS 2 /* br and zstd; CODING_NONE has no name */

struct span coding_name(enum coding c);

/* Returns bits 1 << enum coding: the codings among br and zstd that the client ranks highest, if they rank at
 * least as high as gzip and identity. Both bits are set if both rank equally. `enabled`: the bits to
 * consider. A tie with gzip counts as a preference, because br and zstd are shorter. */
unsigned codings_preferred(struct span accept_encoding, unsigned enabled);

#endif
