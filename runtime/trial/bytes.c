/* Text that grows: see bytes.h. */
#include "trial/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

void
trial_bytes_add(struct trial_bytes *b, const void *text, size_t n)
{
    if (b->n + n > TRIAL_BYTES_MAX) {
        b->cut = true;
        return;
    }
    if (b->n + n > b->cap) {
        b->cap = (b->n + n) * 2;
        b->ptr = realloc(b->ptr, b->cap);
        CHECK(b->ptr != NULL);
    }
    if (n > 0)
        memcpy(b->ptr + b->n, text, n);
    b->n += n;
}

void
trial_bytes_release(struct trial_bytes *b)
{
    free(b->ptr);
    *b = (struct trial_bytes){ 0 };
}
