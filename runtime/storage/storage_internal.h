/* What the files of a storage share. */
#ifndef VERNIS_STORAGE_STORAGE_INTERNAL_H
#define VERNIS_STORAGE_STORAGE_INTERNAL_H

#include <stddef.h>

#include "storage/storage.h"

/* What a thread has counted, as words of a tally. */
struct share {
    uint64_t ahead; /* taken and not used */
    uint64_t counts[SMA_G_BYTES];
    uint64_t uses[USE_COUNT]; /* without USE_FILTERS */
    uint64_t growing;         /* bytes of bodies of unknown length; of the storage that lends the memory */
};
#define WORD(field) ((unsigned)(offsetof(struct share, field) / sizeof(uint64_t)))
#define SHARE_WORDS (sizeof(struct share) / sizeof(uint64_t))

/* storage_counters.c */
void storage_counters_make(struct storage *st);
void storage_counters_free(struct storage *st);
uint64_t storage_free_overhead(
    const struct storage *st); /* the most that may be free: see charged_overhead */

#endif
