/* Splits text at separators. */
#ifndef VERNIS_BASE_SPLIT_H
#define VERNIS_BASE_SPLIT_H

#include "base/span.h"

/* Sets *word to the next run of bytes without a separator and *rest to the text after it. A word is never
 * empty. Returns false, with an empty *word, when no word is left. */
bool split_next(struct span *rest, struct span separators, struct span *word);

#endif
