/* A set of texts for many lookups. The hash has a random seed, so time stays linear whatever texts a client
 * chooses. The caller owns the texts. Private to this room. */
#ifndef VERNIS_VMOD_TEXT_SET_H
#define VERNIS_VMOD_TEXT_SET_H

#include "base/span.h"

struct text_set {
    struct span *slots; /* size is a power of two, at most half full; SPAN_NULL: free */
    size_t mask;
};

void text_set_init(struct text_set *set, size_t most); /* at most `most` texts */
void text_set_release(struct text_set *set);
void text_set_add(struct text_set *set, struct span text);
bool text_set_has(const struct text_set *set, struct span text);

#endif
