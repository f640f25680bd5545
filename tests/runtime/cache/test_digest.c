/* Digests of keys and tags: equal in all processes with the same seed, different for different seeds and
 * uses. */
#include "fixture.h"

#include "cache/index.h"

static const uint8_t SEED[DIGEST_SEED_BYTES] = "a seed kept beside the store....";

static struct digest
digest(const uint8_t *seed, enum digest_use use, const char *text)
{
    struct digest_secret secret;
    digest_secret_make(seed, use, &secret);
    return digest_of(&secret, span_str(text));
}

/* Fixed values: a store on disk relies on them. */
static void
a_seed_gives_the_same_digests_for_ever(void)
{
    struct digest d = digest(SEED, DIGEST_OF_KEYS, "/index.html");
    EXPECT(d.low == UINT64_C(0x6796326d30bdda6a) && d.high == UINT64_C(0x8842fc694927b5d7));
}

static void
seeds_uses_and_texts_tell_digests_apart(void)
{
    static const uint8_t other[DIGEST_SEED_BYTES] = "another seed";
    struct digest d = digest(SEED, DIGEST_OF_KEYS, "/");
    EXPECT(digest_eq(d, digest(SEED, DIGEST_OF_KEYS, "/")));
    EXPECT(!digest_eq(d, digest(other, DIGEST_OF_KEYS, "/")));
    EXPECT(!digest_eq(d, digest(SEED, DIGEST_OF_TAGS, "/")));
    EXPECT(!digest_eq(d, digest(SEED, DIGEST_OF_KEYS, "/a")));
}

static void
stores_with_one_seed_agree_on_keys(void)
{
    struct arena arena;
    struct store *a, *b, *c;
    arena_init(&arena, 0);
    CHECK(store_new(&(struct store_options){ .seed = SEED }, &a) == 0);
    CHECK(store_new(&(struct store_options){ .seed = SEED }, &b) == 0);
    CHECK(store_new(NULL, &c) == 0);
    struct cache_key *k = key(&arena, "/index.html");
    EXPECT(digest_eq(index_key_digest(a, k), index_key_digest(b, k)));
    EXPECT(!digest_eq(index_key_digest(a, k), index_key_digest(c, k)));
    store_release(&a);
    store_release(&b);
    store_release(&c);
    arena_release(&arena);
}

static const struct test tests[] = {
    TEST(a_seed_gives_the_same_digests_for_ever),
    TEST(seeds_uses_and_texts_tell_digests_apart),
    TEST(stores_with_one_seed_agree_on_keys),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
