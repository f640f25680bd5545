/* Digests of keys and tags: see digest.h. */
#include "cache/digest.h"

#include <openssl/evp.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"

#define SHA256_BYTES 32u

_Static_assert(DIGEST_SECRET_BYTES >= XXH3_SECRET_SIZE_MIN, "XXH3 asks for that much");
_Static_assert(DIGEST_SECRET_BYTES % SHA256_BYTES == 0, "the secret is a row of SHA-256 blocks");

void
digest_seed_draw(uint8_t seed[DIGEST_SEED_BYTES])
{
    CHECK(getrandom(seed, DIGEST_SEED_BYTES, 0) == (ssize_t)DIGEST_SEED_BYTES);
}

/* Block i of the secret is SHA-256(seed, use, i). XXH3's own generator is not used: it may differ between
 * versions of the library. */
void
digest_secret_make(const uint8_t seed[DIGEST_SEED_BYTES], enum digest_use use, struct digest_secret *out)
{
    uint8_t input[DIGEST_SEED_BYTES + 2];
    memcpy(input, seed, DIGEST_SEED_BYTES);
    input[DIGEST_SEED_BYTES] = (uint8_t)use;
    for (uint8_t i = 0; i < DIGEST_SECRET_BYTES / SHA256_BYTES; i++) {
        unsigned n = 0;
        input[DIGEST_SEED_BYTES + 1] = i;
        CHECK(EVP_Digest(input, sizeof input, out->bytes + i * SHA256_BYTES, &n, EVP_sha256(), NULL) == 1 &&
              n == SHA256_BYTES);
    }
}

struct digest
digest_of(const struct digest_secret *s, struct span text)
{
    XXH128_hash_t h = XXH3_128bits_withSecret(text.ptr, text.len, s->bytes, sizeof s->bytes);
    return (struct digest){ h.low64, h.high64 };
}

uint64_t
digest_short(const struct digest_secret *s, struct span text)
{
    return XXH3_64bits_withSecret(text.ptr, text.len, s->bytes, sizeof s->bytes);
}
