/* Memory of tables: see table_internal.h. */
#include "match/table/table_internal.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/check.h"

#define MAPPED_FROM (UINT64_C(1) << 20) /* shorter pieces come from the allocator */
#define LARGE_PAGE (UINT64_C(2) << 20)

static size_t
rounded(size_t n)
{
    return n < MAPPED_FROM ? n : (n + LARGE_PAGE - 1) & ~(size_t)(LARGE_PAGE - 1);
}

static char *
map(size_t n)
{
    char *ptr = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(ptr != MAP_FAILED);
    return ptr;
}

static void
resize(struct pages *p, size_t cap)
{
    bool was_mapped = p->cap >= MAPPED_FROM, mapped = cap >= MAPPED_FROM;
    char *to;
    if (was_mapped && mapped) {
        to = mremap(p->ptr, p->cap, cap, MREMAP_MAYMOVE);
        CHECK(to != MAP_FAILED);
    } else if (!was_mapped && !mapped) {
        to = realloc(p->ptr, cap);
        CHECK(to != NULL);
    } else {
        to = mapped ? map(cap) : malloc(cap);
        CHECK(to != NULL);
        if (p->len > 0)
            memcpy(to, p->ptr, p->len);
        struct pages old = *p;
        pages_release(&old);
    }
    if (mapped)
        (void)madvise(to, cap, MADV_HUGEPAGE); /* a kernel without large pages is only slower */
    p->ptr = to;
    p->cap = cap;
}

void *
pages_add(struct pages *p, size_t n)
{
    if (n > p->cap - p->len) {
        size_t wanted = p->len + n, doubled = p->cap < 1024 ? 1024 : 2 * p->cap;
        resize(p, rounded(wanted > doubled ? wanted : doubled));
    }
    char *at = p->ptr + p->len;
    p->len += n;
    return at;
}

void
pages_fit(struct pages *p)
{
    size_t cap = rounded(p->len < MAPPED_FROM ? p->len + (p->len == 0) : p->len);
    if (p->ptr != NULL && cap < p->cap)
        resize(p, cap);
}

void
pages_release(struct pages *p)
{
    if (p->cap >= MAPPED_FROM)
        CHECK(munmap(p->ptr, p->cap) == 0);
    else
        free(p->ptr);
    *p = (struct pages){ 0 };
}
