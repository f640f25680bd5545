/* A set of texts, to look many others up in: time is linear in all of them, whatever a client chooses, because the hash has a
 * random seed. The texts stay the caller's. Private to this room. */
#ifndef VERNIS_VMOD_TEXT_SET_H
#define VERNIS_VMOD_TEXT_SET_H

#include "base/span.h"

struct text_set {
    struct span *slots;                 /* a table of a power of two, at most half full; SPAN_NULL: free */
    size_t mask;
};

void text_set_init(struct text_set *set, size_t most);      /* room for that many */
void text_set_release(struct text_set *set);
void text_set_add(struct text_set *set, struct span text);
bool text_set_has(const struct text_set *set, struct span text);

#endif
