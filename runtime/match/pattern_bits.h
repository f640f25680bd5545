/* The result of a scan: one bit a pattern, in words behind a summary that has one bit a word. A word counts
 * only if its bit of the summary is set. So a result for 4,000 patterns is cleared by one store, and its next
 * bit is found without reading the words between. */
#ifndef VERNIS_MATCH_PATTERN_BITS_H
#define VERNIS_MATCH_PATTERN_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BITS_WORD 64u
#define BITS_NONE UINT32_MAX

static inline size_t
bits_summary_words(unsigned n_bits)
{
    return (n_bits + (size_t)BITS_WORD * BITS_WORD - 1) / (BITS_WORD * BITS_WORD);
}

static inline size_t
bits_words(unsigned n_bits)
{
    return bits_summary_words(n_bits) + (n_bits + (size_t)BITS_WORD - 1) / BITS_WORD;
}

/* `summary` is the number of words of the summary. */
static inline void
bits_clear(uint64_t *bits, size_t summary)
{
    bits[0] = 0;
    for (size_t i = 1; i < summary; i++)
        bits[i] = 0;
}

static inline bool
bits_has_word(const uint64_t *bits, size_t word)
{
    return (bits[word / BITS_WORD] >> word % BITS_WORD & 1) != 0;
}

/* Adds the bits of one word. */
static inline void
bits_add_word(uint64_t *bits, size_t summary, size_t word, uint64_t more)
{
    bits[summary + word] = bits_has_word(bits, word) ? bits[summary + word] | more : more;
    bits[word / BITS_WORD] |= UINT64_C(1) << word % BITS_WORD;
}

static inline void
bits_add(uint64_t *bits, size_t summary, unsigned i)
{
    bits_add_word(bits, summary, i / BITS_WORD, UINT64_C(1) << i % BITS_WORD);
}

static inline bool
bits_has(const uint64_t *bits, size_t summary, unsigned i)
{
    size_t word = i / BITS_WORD;
    return bits_has_word(bits, word) && (bits[summary + word] >> i % BITS_WORD & 1) != 0;
}

/* The first word from `word` on that has bits, or BITS_NONE. */
static inline size_t
bits_next_word(const uint64_t *bits, size_t summary, size_t word)
{
    uint64_t mask = ~UINT64_C(0) << word % BITS_WORD;
    for (size_t i = word / BITS_WORD; i < summary; i++, mask = ~UINT64_C(0))
        if ((bits[i] & mask) != 0)
            return i * BITS_WORD + (size_t)__builtin_ctzll(bits[i] & mask);
    return BITS_NONE;
}

/* The first bit from `from` on that is set, or BITS_NONE. */
static inline unsigned
bits_next(const uint64_t *bits, size_t summary, unsigned from)
{
    size_t word = from / BITS_WORD;
    uint64_t left = bits_has_word(bits, word) ? bits[summary + word] >> from % BITS_WORD : 0;
    if (left != 0)
        return from + (unsigned)__builtin_ctzll(left);
    word = bits_next_word(bits, summary, word + 1);
    return word == BITS_NONE ? BITS_NONE
                             : (unsigned)(word * BITS_WORD) + (unsigned)__builtin_ctzll(bits[summary + word]);
}

/* Adds all bits of `more`, a result for as many patterns. */
static inline void
bits_join(uint64_t *bits, size_t summary, const uint64_t *more)
{
    for (size_t word = bits_next_word(more, summary, 0); word != BITS_NONE;
         word = bits_next_word(more, summary, word + 1))
        bits_add_word(bits, summary, word, more[summary + word]);
}

#endif
