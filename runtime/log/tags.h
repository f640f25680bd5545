/* The tags of the shared-memory log, with the numbers of Varnish 7.1; log/tags.txt lists them. The records of
 * the five messages come in five families of equal order: TAG_REQ plus LOG_URL is ReqURL. */
#ifndef VERNIS_LOG_TAGS_H
#define VERNIS_LOG_TAGS_H

#include "log_tags.h"

/* Names by number. Index 0 is unused, and NULL ends the table. */
extern const char *const log_tag_names[TAG_COUNT + 1];

int log_tag_find(const char *name); /* ignores case; 0: unknown tag */

_Static_assert(TAG_VDP_ACCT == 96 && TAG_BOGO_HEADER == TAG_OBJ + 8,
               "readers of Varnish 7.1 know these numbers: write a new tag at the end of log/tags.txt");

#endif
