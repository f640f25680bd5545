/* Sets of bytes: what one element of a pattern matches. */
#ifndef VERNIS_MATCH_PATTERN_BYTES_H
#define VERNIS_MATCH_PATTERN_BYTES_H

#include "base/span.h"

struct byte_set {
    uint64_t words[4];
};

static inline bool
byte_set_has(const struct byte_set *set, unsigned byte)
{
    return (set->words[byte / 64] >> byte % 64 & 1) != 0;
}

static inline void
byte_set_add(struct byte_set *set, unsigned byte)
{
    set->words[byte / 64] |= UINT64_C(1) << byte % 64;
}

static inline bool
ascii_is_letter(unsigned c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void byte_set_invert(struct byte_set *set);
void byte_set_unite(struct byte_set *set, const struct byte_set *other);
/* Adds the bytes, and if `caseless` the letters of the other case: only ASCII letters have one. */
void byte_set_range(struct byte_set *set, unsigned from, unsigned to, bool caseless);
/* \d, \D and their like, by the letter. false: no set has this letter. */
bool byte_set_escape(char c, struct byte_set *out);
/* [:name:]. PCRE2 reads [:lower:] and [:upper:] as [:alpha:] if `caseless`. */
bool byte_set_posix(struct span name, bool caseless, struct byte_set *out);
/* Bytes that no set tells apart are one class. Numbers the classes in the order of their first bytes, so that
 * a range of bytes is mostly one of classes. Returns their number. */
unsigned byte_classes(const struct byte_set *sets, uint32_t n_sets, uint8_t class_of[256]);
struct byte_set byte_set_of_classes(const struct byte_set *set, const uint8_t class_of[256]);

#endif
