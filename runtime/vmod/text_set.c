/* Sets of texts: see text_set.h. Open addressing. */
#include "vmod/text_set.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <xxhash.h>

#include "base/check.h"
#include "base/mem.h"

#define SLOTS_MIN 8u

static uint64_t seed;
static pthread_once_t seed_once = PTHREAD_ONCE_INIT;

static void
seed_draw(void)
{
    CHECK(getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed);
}

void
text_set_init(struct text_set *set, size_t most)
{
    size_t slots = SLOTS_MIN;
    pthread_once(&seed_once, seed_draw);
    while (slots < 2 * most)
        slots *= 2;
    set->slots = mem_zalloc(slots * sizeof *set->slots);
    set->mask = slots - 1;
}

void
text_set_release(struct text_set *set)
{
    free(set->slots);
    set->slots = NULL;
}

/* Returns the slot of the text, or the free slot for it. */
static struct span *
slot_of(const struct text_set *set, struct span text)
{
    size_t at = XXH3_64bits_withSeed(text.ptr, text.len, seed) & set->mask;
    while (set->slots[at].ptr != NULL && !span_eq(set->slots[at], text))
        at = (at + 1) & set->mask;
    return &set->slots[at];
}

void
text_set_add(struct text_set *set, struct span text)
{
    *slot_of(set, text) = text;
}

bool
text_set_has(const struct text_set *set, struct span text)
{
    return slot_of(set, text)->ptr != NULL;
}
