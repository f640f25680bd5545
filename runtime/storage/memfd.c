/* Places in memfd files: see memfd.h.
 *
 * A place takes one slot of the smallest size that holds it. The state of a slot is one atomic word, so
 * readers take no lock. The lock guards the free slots and the table of files. */
#include "storage/memfd.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/size.h"
#include "storage/memory_file.h"

#define FILES_MAX 65536u /* 64 TB of address space */
#define NO_SLOT UINT32_MAX
/* Pages that wait take at most a sixteenth of the placed bytes, or this much. */
#define KEPT_PART 16u
#define KEPT_BYTES_MIN ((size_t)1 << 20)
/* A call of memfd_space_tidy gives back a quarter of the unneeded pages: the others may be needed soon.
 * Punching this many bytes takes about a millisecond. */
#define TIDY_PART 4u
#define TIDY_BYTES ((size_t)4 << 20)

/* The state word: generation, flags, number of pins. */
#define PINS_MASK 0x1fffffffu
#define PUNCH 0x20000000u /* when the place is freed, its pages go back to the kernel */
#define FREED 0x40000000u
#define USED 0x80000000u
#define GENERATION(state) ((uint32_t)((state) >> 32))

/* Free slots, the last one first. */
struct stack {
    uint32_t file, slot; /* the first; slot NO_SLOT: none */
    uint32_t n, least;   /* slots now, and at least since the last memfd_space_tidy */
};

/* The slots of one size. */
struct class {
    struct stack kept;          /* with all pages */
    struct stack empty;         /* without pages */
    uint32_t fresh_file, fresh; /* the next slot never used before */
};

struct memfd_space {
    struct space space;
    pthread_mutex_t lock;
    struct class classes[SLOT_CLASSES];             /* lock */
    uint32_t n_files;                               /* lock */
    _Atomic(struct memory_file *) files[FILES_MAX]; /* never change once set */
    atomic_ullong used_bytes, kept_bytes;
};

static struct memfd_space *
memfd_of(const struct space *s)
{
    return container_of(s, struct memfd_space, space);
}

uint64_t
memfd_cost(uint32_t bytes)
{
    return slot_class_bytes(slot_class(bytes));
}

/* ---- files ---- */

/* Adds a file for a class that has no slot left. Lock held. */
static int
file_add(struct memfd_space *m, unsigned k)
{
    struct memory_file *f = NULL;
    int err = m->n_files == FILES_MAX ? ERR_LIMIT : memory_file_new(k, &f);
    if (err != 0)
        return err;
    m->classes[k].fresh_file = m->n_files;
    m->classes[k].fresh = 0;
    atomic_store_explicit(&m->files[m->n_files++], f, memory_order_release);
    return 0;
}

static struct memory_file *
file_at(const struct memfd_space *m, uint32_t number)
{
    struct memory_file *f = number < FILES_MAX
                              ? atomic_load_explicit(&((struct memfd_space *)(uintptr_t)m)->files[number],
                                                     memory_order_acquire)
                              : NULL;
    CHECK(f != NULL);
    return f;
}

/* ---- slots ---- */

static uint32_t
slot_number(const struct memory_file *f, const struct place *p)
{
    return (uint32_t)((uint64_t)p->offset * MEMFD_PAGE / f->slot_bytes);
}

static struct slot *
slot_of(const struct memory_file *f, const struct place *p)
{
    return &f->slots[slot_number(f, p)];
}

/* Lock held. */
static void
stack_push(struct memfd_space *m, struct stack *s, uint32_t file, uint32_t number)
{
    struct slot *slot = &file_at(m, file)->slots[number];
    slot->next_file = s->file;
    slot->next = s->slot;
    s->file = file;
    s->slot = number;
    s->n++;
}

/* False: there is none. Lock held. */
static bool
stack_pop(struct memfd_space *m, struct stack *s, uint32_t *file, uint32_t *number)
{
    if (s->n == 0)
        return false;
    *file = s->file;
    *number = s->slot;
    const struct slot *slot = &file_at(m, *file)->slots[*number];
    s->file = slot->next_file;
    s->slot = slot->next;
    s->n--;
    s->least = s->n < s->least ? s->n : s->least;
    return true;
}

/* Lock held. */
static int
fresh_take(struct memfd_space *m, unsigned k, uint32_t *file, uint32_t *number)
{
    struct class *c = &m->classes[k];
    bool has_none = c->fresh == NO_SLOT || c->fresh == file_at(m, c->fresh_file)->n_slots;
    int err = has_none ? file_add(m, k) : 0;
    if (err != 0)
        return err;
    *file = c->fresh_file;
    *number = c->fresh++;
    return 0;
}

static int
slot_take(struct memfd_space *m, unsigned k, uint32_t *file, uint32_t *number, bool *has_pages)
{
    struct class *c = &m->classes[k];
    int err = 0;
    pthread_mutex_lock(&m->lock);
    *has_pages = stack_pop(m, &c->kept, file, number);
    if (*has_pages)
        atomic_fetch_sub(&m->kept_bytes, slot_class_bytes(k));
    else if (!stack_pop(m, &c->empty, file, number))
        err = fresh_take(m, k, file, number);
    pthread_mutex_unlock(&m->lock);
    return err;
}

/* False: enough other pages wait already. */
static bool
slot_keep(struct memfd_space *m, unsigned k, uint32_t file, uint32_t number)
{
    uint64_t most = max_size(atomic_load(&m->used_bytes) / KEPT_PART, KEPT_BYTES_MIN);
    pthread_mutex_lock(&m->lock);
    bool keep = atomic_load(&m->kept_bytes) + slot_class_bytes(k) <= most;
    if (keep) {
        atomic_fetch_add(&m->kept_bytes, slot_class_bytes(k));
        stack_push(m, &m->classes[k].kept, file, number);
    }
    pthread_mutex_unlock(&m->lock);
    return keep;
}

/* If the kernel refuses to take the pages, they may still be in flight: the slot is never used again. */
static bool
slot_empty(struct memfd_space *m, unsigned k, uint32_t file, uint32_t number)
{
    if (memory_file_punch(file_at(m, file), number, 0) != 0)
        return false;
    pthread_mutex_lock(&m->lock);
    stack_push(m, &m->classes[k].empty, file, number);
    pthread_mutex_unlock(&m->lock);
    return true;
}

/* The pages of a freed place wait for the next one, or go back to the kernel. */
static void
slot_drop(struct memfd_space *m, uint32_t file, uint32_t number)
{
    const struct memory_file *f = file_at(m, file);
    struct slot *s = &f->slots[number];
    unsigned long long state = atomic_load(&s->state);
    uint32_t bytes = s->bytes;
    atomic_store(&s->state, ((unsigned long long)GENERATION(state) + 1) << 32);
    if (((state & PUNCH) == 0 && slot_keep(m, f->class, file, number)) ||
        slot_empty(m, f->class, file, number))
        atomic_fetch_sub(&m->used_bytes, bytes);
}

/* ---- the space ---- */

/* The storages of the cache have the budget. */
static int
reserve(struct space *s, uint64_t bytes)
{
    return 0;
}

static void
unreserve(struct space *s, uint64_t bytes)
{
}

static int
place(struct space *s, uint32_t bytes, struct place *out)
{
    struct memfd_space *m = memfd_of(s);
    uint32_t file, number;
    bool has_pages;
    if (bytes > MEMFD_PLACE_MAX)
        return ERR_LIMIT;
    int err = slot_take(m, slot_class(bytes), &file, &number, &has_pages);
    if (err != 0)
        return err == ERR_LIMIT ? ERR_NOMEM : err;
    struct memory_file *f = file_at(m, file);
    struct slot *slot = &f->slots[number];
    slot->bytes = bytes;
    slot->checksum = 0;
    atomic_fetch_add(&m->used_bytes, bytes);
    err = has_pages ? 0 : memory_file_fill(f, number);
    if (err != 0) {
        atomic_fetch_or(&slot->state, PUNCH);
        slot_drop(m, file, number);
        return err;
    }
    unsigned long long state = atomic_fetch_or(&slot->state, USED);
    *out = (struct place){ .segment = file,
                           .offset = (uint32_t)(memory_file_offset(f, number) / MEMFD_PAGE),
                           .bytes = bytes,
                           .generation = GENERATION(state) };
    return 0;
}

static int
buffer(struct space *s, const struct place *p, char **at)
{
    struct memory_file *f = file_at(memfd_of(s), p->segment);
    unsigned long long state = atomic_load(&slot_of(f, p)->state);
    CHECK((state & USED) && GENERATION(state) == p->generation);
    *at = f->at + memory_file_offset(f, slot_number(f, p));
    return 0;
}

static void
commit(struct space *s, const struct place *p, uint32_t bytes, uint64_t checksum)
{
    struct memfd_space *m = memfd_of(s);
    struct memory_file *f = file_at(m, p->segment);
    struct slot *slot = slot_of(f, p);
    uint32_t pages = (uint32_t)((bytes + MEMFD_PAGE - 1) & ~(MEMFD_PAGE - 1));
    CHECK(bytes <= slot->bytes && GENERATION(atomic_load(&slot->state)) == p->generation);
    slot->checksum = checksum;
    if (bytes == slot->bytes)
        return;
    atomic_fetch_or(&slot->state, PUNCH); /* the next place would miss pages */
    if (memory_file_punch(f, slot_number(f, p), pages) != 0)
        return; /* the place stays longer than needed */
    atomic_fetch_sub(&m->used_bytes, slot->bytes - bytes);
    slot->bytes = bytes;
}

static enum pin
pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out)
{
    struct memory_file *f = file_at(memfd_of(s), p->segment);
    struct slot *slot = slot_of(f, p);
    unsigned long long state = atomic_load_explicit(&slot->state, memory_order_relaxed);
    do {
        if (GENERATION(state) != p->generation || (state & (USED | FREED)) != USED)
            return PIN_FAILED;
        CHECK((state & PINS_MASK) < PINS_MASK);
    } while (!atomic_compare_exchange_weak_explicit(&slot->state, &state, state + 1, memory_order_acquire,
                                                    memory_order_relaxed));
    *out = (struct pinned){ .space = s, .place = *p, .at = f->at + memory_file_offset(f, slot_number(f, p)) };
    return PIN_READY;
}

static void
unwait(struct space *s, struct pin_waiter *w)
{
    /* pins never wait */
}

static bool
file(struct space *s, const struct pinned *x, int *fd, off_t *at)
{
    struct memory_file *f = file_at(memfd_of(s), x->place.segment);
    struct slot *slot = slot_of(f, &x->place);
    if ((atomic_load_explicit(&slot->state, memory_order_relaxed) & PUNCH) == 0)
        atomic_fetch_or(&slot->state, PUNCH);
    *fd = f->fd;
    *at = (off_t)memory_file_offset(f, slot_number(f, &x->place));
    return true;
}

static void
unpin(struct space *s, struct pinned *x)
{
    struct memfd_space *m = memfd_of(s);
    struct memory_file *f = file_at(m, x->place.segment);
    unsigned long long before = atomic_fetch_sub_explicit(&slot_of(f, &x->place)->state, 1,
                                                          memory_order_acq_rel);
    CHECK((before & PINS_MASK) > 0);
    if ((before & FREED) && (before & PINS_MASK) == 1)
        slot_drop(m, x->place.segment, slot_number(f, &x->place));
}

static void
release(struct space *s, const struct place *p)
{
    struct memfd_space *m = memfd_of(s);
    struct memory_file *f = file_at(m, p->segment);
    unsigned long long before = atomic_fetch_or_explicit(&slot_of(f, p)->state, FREED, memory_order_acq_rel);
    CHECK((before & (USED | FREED)) == USED && GENERATION(before) == p->generation);
    if ((before & PINS_MASK) == 0)
        slot_drop(m, p->segment, slot_number(f, p));
}

static const struct space_ops memfd_ops = {
    .name = "memfd",
    .cost = memfd_cost,
    .reserve = reserve,
    .unreserve = unreserve,
    .place = place,
    .buffer = buffer,
    .commit = commit,
    .pin = pin,
    .unwait = unwait,
    .file = file,
    .unpin = unpin,
    .free = release,
};

int
memfd_space_new(struct space **out)
{
    int err = memory_file_probe();
    struct memfd_space *m = err == 0 ? calloc(1, sizeof *m) : NULL;
    if (m == NULL)
        return err != 0 ? err : ERR_NOMEM;
    m->space.ops = &memfd_ops;
    for (unsigned k = 0; k < SLOT_CLASSES; k++)
        m->classes[k].fresh = NO_SLOT;
    pthread_mutex_init(&m->lock, NULL);
    *out = &m->space;
    return 0;
}

void
memfd_space_release(struct space **sp)
{
    struct space *s = *sp;
    *sp = NULL;
    if (s == NULL)
        return;
    struct memfd_space *m = memfd_of(s);
    CHECK(atomic_load(&m->used_bytes) == 0);
    for (uint32_t i = 0; i < m->n_files; i++)
        memory_file_release(file_at(m, i));
    pthread_mutex_destroy(&m->lock);
    free(m);
}

uint64_t
memfd_space_used(const struct space *s)
{
    return atomic_load(&((struct memfd_space *)(uintptr_t)memfd_of(s))->used_bytes);
}

uint64_t
memfd_space_kept(const struct space *s)
{
    return atomic_load(&((struct memfd_space *)(uintptr_t)memfd_of(s))->kept_bytes);
}

/* Returns whether a slot was taken. */
static bool
unneeded_take(struct memfd_space *m, unsigned k, uint32_t *file, uint32_t *number)
{
    pthread_mutex_lock(&m->lock);
    bool taken = stack_pop(m, &m->classes[k].kept, file, number);
    if (taken)
        atomic_fetch_sub(&m->kept_bytes, slot_class_bytes(k));
    pthread_mutex_unlock(&m->lock);
    return taken;
}

/* Slots that nobody needed since the last call, a part of them. */
static uint32_t
unneeded(struct memfd_space *m, unsigned k)
{
    struct stack *s = &m->classes[k].kept;
    pthread_mutex_lock(&m->lock);
    uint32_t n = (s->least + TIDY_PART - 1) / TIDY_PART;
    s->least = s->n;
    pthread_mutex_unlock(&m->lock);
    return n;
}

void
memfd_space_tidy(struct space *s)
{
    struct memfd_space *m = memfd_of(s);
    uint32_t file, number;
    size_t bytes = 0;
    for (unsigned k = 0; k < SLOT_CLASSES; k++)
        for (uint32_t n = unneeded(m, k); n > 0 && bytes < TIDY_BYTES; n--) {
            if (unneeded_take(m, k, &file, &number))
                (void)slot_empty(m, k, file, number);
            bytes += slot_class_bytes(k);
        }
}
