/* Values from text, strict: the whole text is one value in the form in which a policy writes it, without
 * blanks. Pure functions. They return false, and leave *out alone, for any other text. */
#ifndef VERNIS_BASE_LITERAL_H
#define VERNIS_BASE_LITERAL_H

#include "base/span.h"

bool literal_int(struct span s, int64_t *out);     /* [-] and at most 15 digits */
bool literal_real(struct span s, double *out);     /* [-]digits[.digits], within +-VCL_REAL_MAX */
bool literal_duration(struct span s, double *out); /* such a number and ms, s, m, h, d, w or y: seconds */
/* digits[.digits] and B, KB, MB, GB, TB or PB in either case; rounded down to whole bytes, but a fraction of
 * the unit B is no size. Without a unit they are bytes: so are Content-Length and the text of a size. */
bool literal_bytes(struct span s, int64_t *out);
/* An address of IPv4 or IPv6 without port and zone; *bytes becomes 4 or 16. */
bool literal_address(struct span s, uint8_t out[16], size_t *bytes);

#endif
