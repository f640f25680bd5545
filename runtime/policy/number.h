/* Numbers, durations, sizes and times as text, in the forms the language writes them. NaN when the text is anything else;
 * blanks around it are allowed. Private to this room. */
#ifndef VERNIS_NUMBER_H
#define VERNIS_NUMBER_H

#include "base/span.h"

double parse_real(struct span s);       /* [-+]digits[.digits] */
double parse_duration(struct span s);   /* a real and one of ms s m h d w y: seconds */
double parse_bytes(struct span s);      /* a real and none or one of B KB MB GB TB PB, or their first letters; whole bytes */
double parse_time(struct span s);       /* HTTP date, ISO 8601 (YYYY-MM-DDThh:mm:ss[.digits]), or seconds since the epoch */

#endif
