/* Digests of cache keys and tags: 128 bits of XXH3 with a secret. Shards, index, ghosts and invalidations
 * share one digest per key; a disk index and peers will use the same. SHA-256 derives the secret from a seed,
 * which a store gets at its start, so the digest is the same after a restart and in every process with that
 * seed. A random seed keeps clients from choosing keys that fall into one bucket. Lookups compare whole keys;
 * only purges treat equal digests as equal keys, which 128 bits allow. */
#ifndef VERNIS_CACHE_DIGEST_H
#define VERNIS_CACHE_DIGEST_H

#include <stdint.h>

#include "base/span.h"

#define DIGEST_SEED_BYTES 32u
#define DIGEST_SECRET_BYTES 192u

struct digest {
    uint64_t low, high;
};

/* The top 10 bits of the low half choose the shard of the index. */
#define STORE_SHARDS 1024u
#define STORE_SHARD_SHIFT 54

struct digest_secret {
    _Alignas(64) unsigned char bytes[DIGEST_SECRET_BYTES];
};

/* Keys and tags have different secrets, so that a purge by tag never matches a key of the same text. */
enum digest_use { DIGEST_OF_KEYS, DIGEST_OF_TAGS };

void digest_seed_draw(uint8_t seed[DIGEST_SEED_BYTES]);
void digest_secret_make(const uint8_t seed[DIGEST_SEED_BYTES], enum digest_use use,
                        struct digest_secret *out);
struct digest digest_of(const struct digest_secret *s, struct span text);
/* 64 bits, for a text that is compared itself if these are equal. */
uint64_t digest_short(const struct digest_secret *s, struct span text);

static inline unsigned
shard_number(struct digest d)
{
    return (unsigned)(d.low >> STORE_SHARD_SHIFT);
}

static inline bool
digest_eq(struct digest a, struct digest b)
{
    return a.low == b.low && a.high == b.high;
}

#endif
