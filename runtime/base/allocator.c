/* jemalloc, through its control interface: see allocator.h. */
#include "base/allocator.h"

#include <stdbool.h>
#include <stddef.h>

#define THREADS_MAX 4

extern int mallctl(const char *name, void *old, size_t *old_bytes, void *new, size_t new_bytes)
    __attribute__((weak));

/* jemalloc reads this text when it starts. It returns unused pages after one second instead of ten, so that
 * resident memory stays near the size given by -s. */
const char *malloc_conf = "dirty_decay_ms:1000,muzzy_decay_ms:0";

static size_t
statistic(const char *name)
{
    size_t value = 0, bytes = sizeof value;
    return mallctl(name, &value, &bytes, NULL, 0) == 0 ? value : 0;
}

uint64_t
allocator_fragment_bytes(void)
{
    uint64_t epoch = 1;
    if (mallctl == NULL || mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) != 0)
        return 0;
    size_t active = statistic("stats.active"), allocated = statistic("stats.allocated");
    return active > allocated ? active - allocated : 0;
}

void
allocator_start_threads(void)
{
    size_t most = THREADS_MAX;
    bool on = true;
    if (mallctl == NULL)
        return;
    (void)mallctl("max_background_threads", NULL, NULL, &most, sizeof most);
    (void)mallctl("background_thread", NULL, NULL, &on, sizeof on);
}
