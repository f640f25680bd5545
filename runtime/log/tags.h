/* The record kinds of the shared-memory log, by the numbers that readers of Varnish 7.1 know; log/tags.txt has them. A message's
 * records are five families of equal order: add LOG_URL to TAG_REQ and you have ReqURL. */
#ifndef VERNIS_TAGS_H
#define VERNIS_TAGS_H

#include "log_tags.h"

/* By number; index 0 is no kind, and NULL ends. */
extern const char *const log_tag_names[TAG_COUNT + 1];

int log_tag_find(const char *name);     /* in any case; 0 when there is no such kind */

_Static_assert(TAG_VDP_ACCT == 96 && TAG_BOGO_HEADER == TAG_OBJ + 8, "numbers of Varnish 7.1");

#endif
