/* Text that grows: what a client or an origin of a trial got. */
#ifndef VERNIS_TRIAL_BYTES_H
#define VERNIS_TRIAL_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#define TRIAL_BYTES_MAX (64u << 20)

struct trial_bytes { /* grows; owned */
    char *ptr;
    size_t n, cap;
    bool cut; /* bytes over TRIAL_BYTES_MAX were dropped */
};

void trial_bytes_add(struct trial_bytes *b, const void *text, size_t n);
void trial_bytes_release(struct trial_bytes *b);

#endif
