/* A space in memory for tests: each place is a separate block. A pin succeeds at once, or fails because the
 * place was freed. It finds places that were never freed, and places of an older generation. */
#ifndef VERNIS_TESTS_SUPPORT_MEMORY_SPACE_H
#define VERNIS_TESTS_SUPPORT_MEMORY_SPACE_H

#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "storage/place.h"

struct block {
    char *bytes; /* NULL: this number is free */
    uint32_t capacity, pins;
    uint32_t generation;
    uint32_t next_free; /* number + 1 */
    bool committed, freed;
    uint64_t checksum;
};

struct memory_space {
    struct space space;
    pthread_mutex_t lock; /* guards all fields below */
    uint64_t limit_bytes, used_bytes;
    struct block *blocks;
    uint32_t n_blocks, cap_blocks, first_free; /* first_free: number + 1; 0: none */
};

static struct memory_space *
lock_of(struct space *s)
{
    struct memory_space *m = container_of(s, struct memory_space, space);
    pthread_mutex_lock(&m->lock);
    return m;
}

/* NULL: the block was freed. Lock held. */
static struct block *
block_of(struct memory_space *m, const struct place *p)
{
    struct block *b = p->segment < m->n_blocks ? &m->blocks[p->segment] : NULL;
    return b == NULL || b->bytes == NULL || b->freed || b->generation != p->generation ? NULL : b;
}

static int
reserve(struct space *s, uint64_t bytes)
{
    struct memory_space *m = lock_of(s);
    bool fits = m->limit_bytes == 0 || (bytes <= m->limit_bytes && m->used_bytes <= m->limit_bytes - bytes);
    if (fits)
        m->used_bytes += bytes;
    pthread_mutex_unlock(&m->lock);
    return fits ? 0 : ERR_NOMEM;
}

static void
unreserve(struct space *s, uint64_t bytes)
{
    struct memory_space *m = lock_of(s);
    CHECK(m->used_bytes >= bytes);
    m->used_bytes -= bytes;
    pthread_mutex_unlock(&m->lock);
}

/* Takes a free segment number. Lock held. */
static int
number_take(struct memory_space *m, uint32_t *out)
{
    if (m->first_free != 0) {
        *out = m->first_free - 1;
        m->first_free = m->blocks[*out].next_free;
        return 0;
    }
    if (m->n_blocks == m->cap_blocks) {
        uint32_t cap = m->cap_blocks == 0 ? 64 : 2 * m->cap_blocks;
        struct block *wider = realloc(m->blocks, cap * sizeof *wider);
        if (wider == NULL)
            return ERR_NOMEM;
        m->blocks = wider;
        m->cap_blocks = cap;
    }
    *out = m->n_blocks++;
    m->blocks[*out] = (struct block){ 0 };
    return 0;
}

static int
place(struct space *s, uint32_t bytes, struct place *out)
{
    char *memory = malloc(bytes);
    if (memory == NULL)
        return ERR_NOMEM;
    struct memory_space *m = lock_of(s);
    uint32_t number = 0;
    int err = number_take(m, &number);
    if (err == 0) {
        struct block *b = &m->blocks[number];
        *b = (struct block){ .bytes = memory, .capacity = bytes, .generation = b->generation + 1 };
        *out = (struct place){ .segment = number, .bytes = bytes, .generation = b->generation };
    }
    pthread_mutex_unlock(&m->lock);
    if (err != 0)
        free(memory);
    return err;
}

static int
buffer(struct space *s, const struct place *p, char **at)
{
    struct memory_space *m = lock_of(s);
    struct block *b = block_of(m, p);
    CHECK(b != NULL && !b->committed);
    *at = b->bytes;
    pthread_mutex_unlock(&m->lock);
    return 0;
}

static void
commit(struct space *s, const struct place *p, uint32_t bytes, uint64_t checksum)
{
    struct memory_space *m = lock_of(s);
    struct block *b = block_of(m, p);
    CHECK(b != NULL && !b->committed && bytes <= b->capacity);
    /* Pinned bytes must not move. Then, and if realloc fails, the block stays larger than needed. */
    char *exact = bytes < b->capacity && b->pins == 0 ? realloc(b->bytes, bytes) : NULL;
    if (exact != NULL)
        b->bytes = exact;
    m->used_bytes -= b->capacity - bytes;
    b->capacity = bytes;
    b->committed = true;
    b->checksum = checksum;
    pthread_mutex_unlock(&m->lock);
}

/* Lock held. */
static void
block_drop(struct memory_space *m, uint32_t number)
{
    struct block *b = &m->blocks[number];
    free(b->bytes);
    m->used_bytes -= b->capacity;
    *b = (struct block){ .generation = b->generation, .next_free = m->first_free };
    m->first_free = number + 1;
}

static enum pin
pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out)
{
    (void)w;
    struct memory_space *m = lock_of(s);
    struct block *b = block_of(m, p);
    bool there = b != NULL && p->offset == 0 && p->bytes <= b->capacity;
    if (there) {
        b->pins++;
        *out = (struct pinned){ .space = s, .place = *p, .at = b->bytes };
    }
    pthread_mutex_unlock(&m->lock);
    return there ? PIN_READY : PIN_FAILED;
}

static void
unwait(struct space *s, struct pin_waiter *w)
{
    (void)s;
    (void)w; /* pins in memory never wait */
}

static void
unpin(struct space *s, struct pinned *x)
{
    struct memory_space *m = lock_of(s);
    struct block *b = &m->blocks[x->place.segment];
    CHECK(b->pins > 0);
    b->pins--;
    if (b->freed && b->pins == 0)
        block_drop(m, x->place.segment);
    pthread_mutex_unlock(&m->lock);
}

static void
release(struct space *s, const struct place *p)
{
    struct memory_space *m = lock_of(s);
    struct block *b = block_of(m, p);
    CHECK(b != NULL);
    b->freed = true;
    if (b->pins == 0)
        block_drop(m, p->segment);
    pthread_mutex_unlock(&m->lock);
}

static const struct space_ops memory_ops = {
    .name = "memory",
    .reserve = reserve,
    .unreserve = unreserve,
    .place = place,
    .buffer = buffer,
    .commit = commit,
    .pin = pin,
    .unwait = unwait,
    .unpin = unpin,
    .free = release,
};

int
memory_space_new(uint64_t limit_bytes, struct space **out)
{
    struct memory_space *m = calloc(1, sizeof *m);
    if (m == NULL)
        return ERR_NOMEM;
    m->space.ops = &memory_ops;
    m->limit_bytes = limit_bytes;
    pthread_mutex_init(&m->lock, NULL);
    *out = &m->space;
    return 0;
}

void
memory_space_release(struct space **sp)
{
    struct space *s = *sp;
    *sp = NULL;
    if (s == NULL)
        return;
    struct memory_space *m = container_of(s, struct memory_space, space);
    CHECK(m->used_bytes == 0);
    pthread_mutex_destroy(&m->lock);
    free(m->blocks);
    free(m);
}

uint64_t
memory_space_used(struct space *s)
{
    struct memory_space *m = lock_of(s);
    uint64_t used = m->used_bytes;
    pthread_mutex_unlock(&m->lock);
    return used;
}

#endif
