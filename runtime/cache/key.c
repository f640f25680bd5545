/* The primary key: text collected piece by piece, its SHA-256, and a hash for tables of this process. */
#include <openssl/evp.h>
#include <pthread.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "cache/key.h"

#define KEY_BYTES_FIRST 128u

static bool
key_grow(struct cache_key *k, struct arena *a, size_t need)
{
    DEBUG_CHECK(need > k->cap && need <= KEY_BYTES_MAX);
    size_t cap = k->cap == 0 ? KEY_BYTES_FIRST : k->cap;
    while (cap < need)
        cap *= 2;
    char *bytes = arena_alloc(a, cap);
    if (bytes == NULL)
        return false;
    if (k->len > 0)
        memcpy(bytes, k->bytes, k->len);
    k->bytes = bytes;
    k->cap = (uint32_t)cap;
    return true;
}

/* Reserves room for the NUL that key_add appends. */
void
key_add_part(struct cache_key *k, struct arena *a, struct span part)
{
    DEBUG_CHECK(k->len <= k->cap);
    if (k->failed)
        return;
    size_t need = (size_t)k->len + part.len + 1;
    if (part.len > KEY_BYTES_MAX || need > KEY_BYTES_MAX || (need > k->cap && !key_grow(k, a, need))) {
        k->failed = true;
        return;
    }
    if (part.len > 0)
        memcpy(k->bytes + k->len, part.ptr, part.len);
    k->len = (uint32_t)need - 1;
}

void
key_add(struct cache_key *k, struct arena *a, struct span piece)
{
    key_add_part(k, a, piece);
    DEBUG_CHECK(k->failed || k->len < k->cap);
    if (!k->failed)
        k->bytes[k->len++] = '\0';
}

/* Random, so that clients cannot choose keys that fall into one bucket. */
static uint64_t key_seed;
static pthread_once_t key_seed_once = PTHREAD_ONCE_INIT;

static void
key_seed_draw(void)
{
    CHECK(getrandom(&key_seed, sizeof key_seed, 0) == (ssize_t)sizeof key_seed);
}

uint64_t
key_hash(const struct cache_key *k)
{
    pthread_once(&key_seed_once, key_seed_draw);
    return XXH3_64bits_withSeed(k->bytes, k->len, key_seed);
}

void
key_digest(const struct cache_key *k, uint8_t out[32])
{
    unsigned n = 0;
    CHECK(EVP_Digest(k->len > 0 ? k->bytes : "", k->len, out, &n, EVP_sha256(), NULL) == 1 && n == 32);
}
