/* Places in memfd files: see memfd.h.
 *
 * A file has slots of one size, a power of two. A place takes one slot of the smallest size that holds it.
 * The unused rest of a slot is a hole in the file and costs no memory, only address space. The pages of a
 * place are allocated before it is written: a write to a hole would end the process with SIGBUS if there is
 * no memory.
 *
 * The state of a slot is one atomic word, so readers take no lock. The lock guards the free slots and the
 * table of files. */
#include "segment/memfd.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/check.h"
#include "base/list.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define SLOT_SHIFT_MIN 14u
#define SLOT_SHIFT_MAX 20u
#define CLASSES (SLOT_SHIFT_MAX - SLOT_SHIFT_MIN + 1)
#define FILE_SHIFT 30u /* a file is a hole of 1 GB at first */
#define FILE_BYTES ((size_t)1 << FILE_SHIFT)
#define FILES_MAX 65536u /* 64 TB of address space */
#define NO_SLOT UINT32_MAX

_Static_assert(MEMFD_PLACE_MAX >> SLOT_SHIFT_MAX == 1, "the largest slot holds the longest place");

/* The state word: generation, flags, number of pins. */
#define PINS_MASK 0x3fffffffu
#define FREED 0x40000000u
#define USED 0x80000000u
#define GENERATION(state) ((uint32_t)((state) >> 32))

struct slot {
    atomic_ullong state;
    uint64_t checksum;
    uint32_t bytes;           /* capacity; changed by the writer only */
    uint32_t next_file, next; /* the next free slot of the class; lock */
};

struct file {
    int fd;
    unsigned shift; /* log2 of the size of its slots */
    char *at;
    struct slot *slots;
    uint32_t n_slots;
};

/* The slots of one size. */
struct class {
    uint32_t free_file, free;   /* the first free slot that was used before; NO_SLOT: none */
    uint32_t fresh_file, fresh; /* the next slot never used before */
};

struct memfd_space {
    struct space space;
    pthread_mutex_t lock;
    struct class classes[CLASSES];           /* lock */
    uint32_t n_files;                        /* lock */
    _Atomic(struct file *) files[FILES_MAX]; /* never change once set */
    atomic_ullong used_bytes;
};

static struct memfd_space *
memfd_of(const struct space *s)
{
    return container_of(s, struct memfd_space, space);
}

/* ---- files ---- */

static int
memfd_open(void)
{
    int fd = memfd_create("bodies", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    /* Linux before 6.3 does not know MFD_NOEXEC_SEAL */
    return fd < 0 && errno == EINVAL ? memfd_create("bodies", MFD_CLOEXEC) : fd;
}

static int
punch(int fd, uint64_t at, uint64_t bytes)
{
    int r;
    do
        r = fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)bytes);
    while (r != 0 && errno == EINTR);
    return r;
}

static void
file_release(struct file *f)
{
    if (f->at != NULL)
        munmap(f->at, FILE_BYTES);
    if (f->fd >= 0)
        close(f->fd);
    free(f->slots);
    free(f);
}

static int
file_map(struct file *f)
{
    f->fd = memfd_open();
    if (f->fd < 0 || ftruncate(f->fd, (off_t)FILE_BYTES) != 0)
        return ERR_SYS;
    void *at = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, f->fd, 0);
    if (at == MAP_FAILED)
        return ERR_SYS;
    f->at = at;
    return 0;
}

static int
file_new(unsigned shift, struct file **out)
{
    struct file *f = calloc(1, sizeof *f);
    if (f == NULL)
        return ERR_NOMEM;
    f->shift = shift;
    f->fd = -1;
    f->n_slots = (uint32_t)(FILE_BYTES >> shift);
    f->slots = calloc(f->n_slots, sizeof *f->slots);
    int err = f->slots == NULL ? ERR_NOMEM : file_map(f);
    if (err == 0)
        *out = f;
    else
        file_release(f);
    return err;
}

/* Adds a file for a class that has no slot left. Lock held. */
static int
file_add(struct memfd_space *m, unsigned k)
{
    struct file *f = NULL;
    int err = m->n_files == FILES_MAX ? ERR_LIMIT : file_new(SLOT_SHIFT_MIN + k, &f);
    if (err != 0)
        return err;
    m->classes[k].fresh_file = m->n_files;
    m->classes[k].fresh = 0;
    atomic_store_explicit(&m->files[m->n_files++], f, memory_order_release);
    return 0;
}

static struct file *
file_at(const struct memfd_space *m, uint32_t number)
{
    struct file *f = number < FILES_MAX
                       ? atomic_load_explicit(&((struct memfd_space *)(uintptr_t)m)->files[number],
                                              memory_order_acquire)
                       : NULL;
    CHECK(f != NULL);
    return f;
}

/* ---- slots ---- */

static unsigned
class_for(uint32_t bytes)
{
    unsigned k = 0;
    while ((uint64_t)1 << (SLOT_SHIFT_MIN + k) < bytes)
        k++;
    return k;
}

static uint32_t
slot_number(const struct file *f, const struct place *p)
{
    return (uint32_t)(((uint64_t)p->offset * MEMFD_PAGE) >> f->shift);
}

static struct slot *
slot_of(const struct file *f, const struct place *p)
{
    return &f->slots[slot_number(f, p)];
}

static uint64_t
slot_offset(const struct file *f, uint32_t number)
{
    return (uint64_t)number << f->shift;
}

static int
slot_take(struct memfd_space *m, unsigned k, uint32_t *file, uint32_t *number)
{
    struct class *c = &m->classes[k];
    int err = 0;
    pthread_mutex_lock(&m->lock);
    if (c->free != NO_SLOT) {
        *file = c->free_file;
        *number = c->free;
        const struct slot *s = &file_at(m, *file)->slots[*number];
        c->free_file = s->next_file;
        c->free = s->next;
    } else {
        if (c->fresh == NO_SLOT || c->fresh == file_at(m, c->fresh_file)->n_slots)
            err = file_add(m, k);
        *file = c->fresh_file;
        *number = err == 0 ? c->fresh++ : 0;
    }
    pthread_mutex_unlock(&m->lock);
    return err;
}

/* Gives the pages back to the kernel, then the slot to its class. If the kernel refuses, its pages may still
 * be in flight: the slot is never used again. */
static void
slot_drop(struct memfd_space *m, uint32_t file, uint32_t number)
{
    struct file *f = file_at(m, file);
    struct slot *s = &f->slots[number];
    uint32_t next = GENERATION(atomic_load(&s->state)) + 1;
    if (punch(f->fd, slot_offset(f, number), memfd_cost(s->bytes)) != 0)
        return;
    atomic_fetch_sub(&m->used_bytes, s->bytes);
    atomic_store(&s->state, (unsigned long long)next << 32);
    struct class *c = &m->classes[f->shift - SLOT_SHIFT_MIN];
    pthread_mutex_lock(&m->lock);
    s->next_file = c->free_file;
    s->next = c->free;
    c->free_file = file;
    c->free = number;
    pthread_mutex_unlock(&m->lock);
}

/* Allocates the pages, without SIGBUS if there are none. Linux before 5.14 lacks MADV_POPULATE_WRITE. */
static int
populate(const struct file *f, uint64_t offset, uint32_t bytes)
{
    int r;
    do
        r = madvise(f->at + offset, bytes, MADV_POPULATE_WRITE);
    while (r != 0 && errno == EINTR);
    if (r != 0 && errno == EINVAL)
        r = fallocate(f->fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)memfd_cost(bytes));
    return r == 0 ? 0 : ERR_NOMEM;
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
    if (bytes > MEMFD_PLACE_MAX)
        return ERR_LIMIT;
    int err = slot_take(m, class_for(bytes), &file, &number);
    if (err != 0)
        return err == ERR_LIMIT ? ERR_NOMEM : err;
    struct file *f = file_at(m, file);
    struct slot *slot = &f->slots[number];
    uint64_t offset = slot_offset(f, number);
    slot->bytes = bytes;
    slot->checksum = 0;
    atomic_fetch_add(&m->used_bytes, bytes);
    err = populate(f, offset, bytes);
    if (err != 0) {
        slot_drop(m, file, number);
        return err;
    }
    unsigned long long state = atomic_fetch_or(&slot->state, USED);
    *out = (struct place){ .segment = file,
                           .offset = (uint32_t)(offset / MEMFD_PAGE),
                           .bytes = bytes,
                           .generation = GENERATION(state) };
    return 0;
}

static int
buffer(struct space *s, const struct place *p, char **at)
{
    struct file *f = file_at(memfd_of(s), p->segment);
    unsigned long long state = atomic_load(&slot_of(f, p)->state);
    CHECK((state & USED) && GENERATION(state) == p->generation);
    *at = f->at + slot_offset(f, slot_number(f, p));
    return 0;
}

static void
commit(struct space *s, const struct place *p, uint32_t bytes, uint64_t checksum)
{
    struct memfd_space *m = memfd_of(s);
    struct file *f = file_at(m, p->segment);
    struct slot *slot = slot_of(f, p);
    uint64_t old = memfd_cost(slot->bytes), now = memfd_cost(bytes);
    CHECK(bytes <= slot->bytes && GENERATION(atomic_load(&slot->state)) == p->generation);
    slot->checksum = checksum;
    if (old > now && punch(f->fd, slot_offset(f, slot_number(f, p)) + now, old - now) != 0)
        return; /* the place stays longer than needed */
    atomic_fetch_sub(&m->used_bytes, slot->bytes - bytes);
    slot->bytes = bytes;
}

static enum pin
pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out)
{
    struct file *f = file_at(memfd_of(s), p->segment);
    struct slot *slot = slot_of(f, p);
    unsigned long long state = atomic_load_explicit(&slot->state, memory_order_relaxed);
    do {
        if (GENERATION(state) != p->generation || (state & (USED | FREED)) != USED)
            return PIN_FAILED;
        CHECK((state & PINS_MASK) < PINS_MASK);
    } while (!atomic_compare_exchange_weak_explicit(&slot->state, &state, state + 1, memory_order_acquire,
                                                    memory_order_relaxed));
    *out = (struct pinned){ .space = s, .place = *p, .at = f->at + slot_offset(f, slot_number(f, p)) };
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
    struct file *f = file_at(memfd_of(s), x->place.segment);
    *fd = f->fd;
    *at = (off_t)slot_offset(f, slot_number(f, &x->place));
    return true;
}

static void
unpin(struct space *s, struct pinned *x)
{
    struct memfd_space *m = memfd_of(s);
    struct file *f = file_at(m, x->place.segment);
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
    struct file *f = file_at(m, p->segment);
    unsigned long long before = atomic_fetch_or_explicit(&slot_of(f, p)->state, FREED, memory_order_acq_rel);
    CHECK((before & (USED | FREED)) == USED && GENERATION(before) == p->generation);
    if ((before & PINS_MASK) == 0)
        slot_drop(m, p->segment, slot_number(f, p));
}

static const struct space_ops memfd_ops = {
    .name = "memfd",
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

/* Can this process make a file of this size, and holes in it? Growing a file over RLIMIT_FSIZE would end the
 * process with SIGXFSZ. */
static int
probe(void)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < FILE_BYTES) {
        errno = EFBIG;
        return ERR_SYS;
    }
    int fd = memfd_open();
    bool well = fd >= 0 && ftruncate(fd, MEMFD_PAGE) == 0 && punch(fd, 0, MEMFD_PAGE) == 0;
    int why = errno;
    if (fd >= 0)
        close(fd);
    errno = why;
    return well ? 0 : ERR_SYS;
}

int
memfd_space_new(struct space **out)
{
    int err = probe();
    struct memfd_space *m = err == 0 ? calloc(1, sizeof *m) : NULL;
    if (m == NULL)
        return err != 0 ? err : ERR_NOMEM;
    m->space.ops = &memfd_ops;
    for (unsigned k = 0; k < CLASSES; k++)
        m->classes[k] = (struct class){ .free = NO_SLOT, .fresh = NO_SLOT };
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
        file_release(file_at(m, i));
    pthread_mutex_destroy(&m->lock);
    free(m);
}

uint64_t
memfd_space_used(const struct space *s)
{
    return atomic_load(&((struct memfd_space *)(uintptr_t)memfd_of(s))->used_bytes);
}
