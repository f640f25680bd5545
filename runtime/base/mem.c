/* Arena memory. Chunks of one size come from malloc and are recycled through a bounded list per thread; a
 * large piece gets a chunk of its own. Under ASan unused bytes are poisoned: the free tail of a chunk, red
 * zones between pieces, and all of a recycled chunk. */
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"

#if MEM_ASAN
#include <sanitizer/asan_interface.h>
#define REDZONE_BYTES 16
#else
#define REDZONE_BYTES 0
#endif

#define CACHED_CHUNKS_MAX 64 /* per thread: half a megabyte */
#define PIECE_MAX (SIZE_MAX / 2)

struct arena_chunk {
    struct arena_chunk *next;
    size_t bytes; /* header included */
    _Alignas(16) char data[];
};

static _Thread_local struct arena_chunk *cached;
static _Thread_local unsigned n_cached;

/* Not inlined: gcc mistakes the const pointer in ASan's interface for a read of uninitialised memory. */
__attribute__((noinline)) static void
memory_poison(void *p, size_t n)
{
#if MEM_ASAN
    __asan_poison_memory_region(p, n);
#else
    (void)p, (void)n;
#endif
}

__attribute__((noinline)) static void
memory_unpoison(void *p, size_t n)
{
#if MEM_ASAN
    __asan_unpoison_memory_region(p, n);
#else
    (void)p, (void)n;
#endif
}

void
arena_init(struct arena *a, size_t limit_bytes)
{
    *a = (struct arena){ .limit_bytes = limit_bytes };
}

static struct arena_chunk *
chunk_new(size_t bytes)
{
    struct arena_chunk *c;
    if (bytes == ARENA_CHUNK_BYTES && cached != NULL) {
        c = cached;
        cached = c->next;
        n_cached--;
        return c;
    }
    c = malloc(bytes);
    if (c == NULL)
        return NULL;
    c->bytes = bytes;
    memory_poison(c->data, bytes - sizeof *c);
    return c;
}

static void
chunk_release(struct arena_chunk *c)
{
    CHECK(c->bytes > sizeof *c);
    size_t room = c->bytes - sizeof *c;
    if (c->bytes == ARENA_CHUNK_BYTES && n_cached < CACHED_CHUNKS_MAX) {
        memory_poison(c->data, room);
        c->next = cached;
        cached = c;
        n_cached++;
        return;
    }
    memory_unpoison(c->data, room);
    free(c);
}

void
arena_release(struct arena *a)
{
    while (a->chunks != NULL) {
        struct arena_chunk *c = a->chunks;
        a->chunks = c->next;
        chunk_release(c);
    }
    a->at = a->end = NULL;
    a->used_bytes = 0;
    a->overflowed = false;
}

static struct arena_chunk *
arena_chunk_add(struct arena *a, size_t bytes)
{
    if (a->limit_bytes != 0 && (bytes > a->limit_bytes || a->used_bytes > a->limit_bytes - bytes)) {
        a->overflowed = true;
        return NULL;
    }
    struct arena_chunk *c = chunk_new(bytes);
    if (c != NULL)
        a->used_bytes += bytes;
    return c;
}

/* Allocates a piece too large for a common chunk. Its chunk is queued behind the newest one, whose free part
 * stays in use. */
static void *
arena_alloc_large(struct arena *a, size_t want)
{
    struct arena_chunk *c = arena_chunk_add(a, sizeof *c + want);
    if (c == NULL)
        return NULL;
    struct arena_chunk **at = a->chunks == NULL ? &a->chunks : &a->chunks->next;
    c->next = *at;
    *at = c;
    return c->data;
}

static void *
arena_take(struct arena *a, size_t want)
{
    CHECK(a->at <= a->end);
    if (want > ARENA_CHUNK_BYTES - sizeof(struct arena_chunk))
        return arena_alloc_large(a, want);
    if (want > (size_t)(a->end - a->at)) {
        struct arena_chunk *c = arena_chunk_add(a, ARENA_CHUNK_BYTES);
        if (c == NULL)
            return NULL;
        c->next = a->chunks;
        a->chunks = c;
        a->at = c->data;
        a->end = (char *)c + ARENA_CHUNK_BYTES;
    }
    void *p = a->at;
    a->at += want;
    return p;
}

void *
arena_alloc_slow(struct arena *a, size_t n)
{
    if (n > PIECE_MAX)
        return NULL;
    size_t want = (n + (n == 0) + 15) & ~(size_t)15;
    void *p = arena_take(a, want + REDZONE_BYTES);
    if (p != NULL)
        memory_unpoison(p, n);
    return p;
}

void *
arena_zalloc(struct arena *a, size_t n)
{
    void *p = arena_alloc(a, n);
    if (p != NULL)
        memset(p, 0, n);
    return p;
}

static size_t
unclaimed(const struct arena *a)
{
    return a->limit_bytes > a->used_bytes ? a->limit_bytes - a->used_bytes : 0;
}

size_t
arena_left(const struct arena *a)
{
    return a->limit_bytes == 0 ? 0 : unclaimed(a) + (size_t)(a->end - a->at);
}

bool
arena_withhold(struct arena *a, size_t n, struct arena_hold *hold)
{
    if (n > arena_left(a))
        return false;
    size_t first = n < unclaimed(a) ? n : unclaimed(a), rest = n - first;
    a->used_bytes += first;
    hold->unclaimed += first;
    if (rest == 0)
        return true;
    if (hold->chunk != a->chunks) /* the free tail of an older chunk is not used again */
        hold->tail = 0;
    hold->chunk = a->chunks;
    hold->tail += rest;
    a->end -= rest;
    return true;
}

void
arena_give_back(struct arena *a, struct arena_hold *hold)
{
    CHECK(a->used_bytes >= hold->unclaimed);
    a->used_bytes -= hold->unclaimed;
    if (hold->tail > 0 && hold->chunk == a->chunks)
        a->end += hold->tail;
    *hold = (struct arena_hold){ 0 };
}

struct span
arena_newest(const struct arena *a)
{
    const struct arena_chunk *c = a->chunks;
    return MEM_ASAN || c == NULL ? SPAN_LIT("") : span_of(c->data, (size_t)(a->at - c->data));
}

struct span
arena_copy(struct arena *a, struct span text)
{
    if (text.ptr == NULL || text.len > PIECE_MAX)
        return SPAN_NULL;
    char *p = arena_alloc(a, text.len + 1);
    if (p == NULL)
        return SPAN_NULL;
    memcpy(p, text.ptr, text.len);
    p[text.len] = '\0';
    return span_of(p, text.len);
}

struct span
arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    char small[256];
    struct span s = SPAN_NULL;
    int n = vsnprintf(small, sizeof small, fmt, ap);
    char *p = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
    if (p != NULL && (size_t)n < sizeof small)
        memcpy(p, small, (size_t)n + 1);
    else if (p != NULL)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    if (p != NULL)
        s = span_of(p, (size_t)n);
    va_end(again);
    return s;
}

struct span
arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct span s = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s;
}

void
mem_thread_release(void)
{
    while (cached != NULL) {
        struct arena_chunk *c = cached;
        cached = c->next;
        memory_unpoison(c->data, c->bytes - sizeof *c);
        free(c);
    }
    n_cached = 0;
}

void *
mem_alloc(size_t n)
{
    void *p = malloc(n == 0 ? 1 : n);
    CHECK(p != NULL);
    return p;
}

void *
mem_zalloc(size_t n)
{
    void *p = calloc(1, n == 0 ? 1 : n);
    CHECK(p != NULL);
    return p;
}

char *
mem_text(struct span text)
{
    char *p = mem_alloc(text.len + 1);
    if (text.len > 0)
        memcpy(p, text.ptr, text.len);
    p[text.len] = '\0';
    return p;
}

void
mem_zero(void *p, size_t n)
{
    memset(p, 0, n);
}
