/* Digests of cache keys and tags: 128 bits of XXH3 under a secret. Shards, index, ghosts and invalidations use the same one; a
 * disk index and peers will. The secret is derived from a seed, which a store gets at its start, by SHA-256 alone, so a digest
 * is the same after a restart and in every process that has the seed. A random seed keeps clients from choosing keys that meet
 * in one bucket. No part of the cache takes equal digests for equal keys, only a purge does: at 128 bits that can be. */
#ifndef VERNIS_DIGEST_H
#define VERNIS_DIGEST_H

#include <stdint.h>

#include "base/span.h"

#define DIGEST_SEED_BYTES 32u
#define DIGEST_SECRET_BYTES 192u

struct digest {
    uint64_t low, high;
};

struct digest_secret {
    _Alignas(64) unsigned char bytes[DIGEST_SECRET_BYTES];
};

/* Keys and tags have secrets of their own, so that a purge by tag never means the key of the same text. */
enum digest_use { DIGEST_OF_KEYS, DIGEST_OF_TAGS };

void digest_seed_draw(uint8_t seed[DIGEST_SEED_BYTES]);
void digest_secret_make(const uint8_t seed[DIGEST_SEED_BYTES], enum digest_use use, struct digest_secret *out);
struct digest digest_of(const struct digest_secret *s, struct span text);

static inline bool
digest_eq(struct digest a, struct digest b)
{
    return a.low == b.low && a.high == b.high;
}

#endif
