/* Memory of one transaction: an arena that only grows and is released as a whole. A small cache per thread
 * recycles the chunks, so a request in steady state calls no malloc. An arena has one owner and is not
 * thread-safe. */
#ifndef VERNIS_BASE_MEM_H
#define VERNIS_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

#include "base/span.h"

#define MEM_SMALL_MAX 14336u /* the largest class that shares its pages */
#define MEM_PAGE_BYTES 4096u
#define CACHE_LINE_BYTES 64u
#define ARENA_CHUNK_BYTES 8192 /* larger requests get a chunk of their own */

/* Under ASan every piece gets a red zone and takes the slow path, which keeps the shadow bytes up to date. */
#if defined(__SANITIZE_ADDRESS__)
#define MEM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEM_ASAN 1
#endif
#endif
#ifndef MEM_ASAN
#define MEM_ASAN 0
#endif

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks;     /* newest first */
    char *at, *end;                 /* free part of the newest chunk */
    size_t used_bytes, limit_bytes; /* chunk bytes taken; 0 = no limit */
    const char *limit_name;         /* the parameter that sets the limit, static; NULL: none does */
    bool overflowed;                /* a piece did not fit the limit */
};

void arena_init(struct arena *a, size_t limit_bytes);
void arena_release(struct arena *a); /* harmless on a zeroed or released arena; the arena may be used again */
void *arena_alloc_slow(struct arena *a, size_t n);

/* 16-byte aligned, not zeroed. NULL when limit_bytes would be exceeded. */
static inline void *
arena_alloc(struct arena *a, size_t n)
{
    size_t want = (n + (n == 0) + 15) & ~(size_t)15;
    if (!MEM_ASAN && want >= n && want <= (size_t)(a->end - a->at)) {
        void *p = a->at;
        a->at += want;
        return p;
    }
    return arena_alloc_slow(a, n);
}

/* The free part of the newest chunk, for text of unknown length: write there, then allocate as much. The next
 * arena_alloc returns this place if the piece fits. Under ASan it is empty. */
static inline char *
arena_tail(const struct arena *a, size_t *room)
{
    *room = MEM_ASAN ? 0 : (size_t)(a->end - a->at);
    return a->at;
}

/* As arena_alloc, for callers that can go on without the memory: a failure does not set `overflowed`. */
static inline void *
arena_try(struct arena *a, size_t n)
{
    bool before = a->overflowed;
    void *p = arena_alloc(a, n);
    a->overflowed = before;
    return p;
}

void *arena_zalloc(struct arena *a, size_t n);

/* Bytes left below the limit, 0 without a limit. A piece takes more than its own bytes: alignment, and the
 * header of a new chunk. */
size_t arena_left(const struct arena *a);
/* Memory that a test withholds, to make an arena run out. */
struct arena_hold {
    size_t unclaimed; /* bytes for which no chunk exists yet */
    size_t tail;      /* bytes of the free part of `chunk` */
    const struct arena_chunk *chunk;
};
bool arena_withhold(struct arena *a, size_t n,
                    struct arena_hold *hold); /* adds to *hold; false: fewer than n bytes are left */
void arena_give_back(struct arena *a, struct arena_hold *hold); /* empties *hold */
/* The used bytes of the newest chunk. Empty without a chunk, and always under ASan, where pieces have gaps.
 */
struct span arena_newest(const struct arena *a);

struct span arena_copy(
    struct arena *a,
    struct span text); /* NUL-ended copy (NUL not counted); SPAN_NULL: arena full, text unset */
struct span arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct span arena_vprintf(struct arena *a, const char *fmt, va_list ap);

void mem_thread_release(void); /* frees this thread's cached chunks; call at thread end */

/* Rounds n up to a size class of jemalloc. Each doubling has four classes. */
static inline size_t
mem_class(size_t n)
{
    if (n <= 128)
        return n <= 8 ? 8 : (n + 15) & ~(size_t)15;
    size_t step = (size_t)1 << (8 * sizeof n - 3 - (size_t)__builtin_clzl(n - 1));
    return (n + step - 1) & ~(step - 1);
}

/* The largest size class of at most n bytes; n is over 128. */
static inline size_t
mem_class_below(size_t n)
{
    size_t step = (size_t)1 << (8 * sizeof n - 3 - (size_t)__builtin_clzl(n));
    return n & ~(step - 1);
}

/* Bytes the allocator takes for a piece of n bytes. Above 14 KB jemalloc adds a page, because the piece may
 * begin anywhere in its first page. Storages charge this figure in every build, also with another allocator,
 * so that all builds evict alike. */
static inline size_t
mem_cost(size_t n)
{
    return mem_class(n) + (n > MEM_SMALL_MAX ? MEM_PAGE_BYTES : 0);
}

/* malloc that never returns NULL: for control structures without which the process cannot go on. */
void *mem_alloc(size_t n);
void *mem_zalloc(size_t n);
char *mem_text(
    struct span text); /* NUL-ended copy (NUL not counted), empty when text is unset; the caller frees it */

/* Calls memset of the C library. For a constant size the compiler would write `rep stos`, which is slower for
 * a few KB. */
void mem_zero(void *p, size_t n);

#endif
