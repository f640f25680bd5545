/* Text taken apart at separators. */
#ifndef VERNIS_SPLIT_H
#define VERNIS_SPLIT_H

#include "base/span.h"

/* The next run of bytes none of which is a separator, so words are never empty. *rest goes on behind it. False, and *word is empty,
 * when there is none any more. */
bool split_next(struct span *rest, struct span separators, struct span *word);

#endif
