/* Parses numbers, durations, sizes and times in the forms that Varnish accepts:
 * tests/data/stock/conversions.tsv has its answers. A number is [-]digits[.digits] (RFC 8941, 3.3) with
 * blanks around it, at most 15 digits before the point, and three significant digits after it. Any other text
 * gives NaN. Private to this room. */
#ifndef VERNIS_VMOD_NUMBER_H
#define VERNIS_VMOD_NUMBER_H

#include "base/span.h"

double parse_number(struct span s);   /* also ".5" and "1." */
double parse_real(struct span s);     /* the same, within +-999999999999.999 */
double parse_duration(struct span s); /* a number and one of ms s m h d w y: seconds */
/* a number that may have up to three decimals, and none or one of B KB MB GB TB PB, or their first letters:
 * whole bytes, below 2^53 */
double parse_bytes(struct span s);
double parse_time(struct span s); /* HTTP date, ISO 8601 (YYYY-MM-DDThh:mm:ss), or seconds since the epoch */

#endif
