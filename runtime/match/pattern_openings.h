/* Openings: the first bytes of the texts that the patterns of a set match. Many patterns begin with the same
 * byte, such as `/`, so most places with this byte begin none of them. A look at 3 to 8 bytes rules out such
 * a place, and the automaton does not walk through its states, which are seldom in a cache.
 *
 * A place is ruled out by a filter: one bit for the hash of each opening. The bit of another text may be set
 * too; the automaton then decides. The filter folds letters to lower case, so that patterns without case have
 * few openings. Belongs together with match/pattern_nfa: the automaton has the filters, which are made from
 * its steps. */
#ifndef VERNIS_MATCH_PATTERN_OPENINGS_H
#define VERNIS_MATCH_PATTERN_OPENINGS_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OPENING_MAX 8u /* bytes; a place with fewer bytes behind it is never ruled out */
#define OPENING_MIN 3u /* shorter ones are too common */
#define OPENING_FOLD UINT64_C(0x2020202020202020)

struct nfa;

/* An opening's length, as the left shift that drops the bytes behind it, with this bit. */
#define OPENING_KNOWN 128u
#define OPENING_OF(length) (OPENING_KNOWN | 8 * (OPENING_MAX - (length)))

struct openings {
    uint64_t *bits;
    unsigned shift; /* of a hash, to get the number of its bit */
};

/* The number of the bit for an opening, which is the first of these bytes. */
static inline uint64_t
opening_bit(const struct openings *o, unsigned opening, uint64_t bytes)
{
    return (bytes << (opening & 63)) * UINT64_C(0x9e3779b97f4a7c15) >> o->shift;
}

/* May the OPENING_MAX bytes at this place begin with an opening of the length that `opening` has? */
static inline bool
openings_may_have(const struct openings *o, unsigned opening, const uint8_t *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    uint64_t bit = opening_bit(o, opening, le64toh(bytes) | OPENING_FOLD);
    return (o->bits[bit / 64] >> bit % 64 & 1) != 0;
}

/* Finds the openings of the finished patterns, while their sets still are of bytes. */
void openings_find(struct nfa *nfa);
size_t openings_bytes(const struct openings *o);

#endif
