/* See memory_file.h. */
#include "storage/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/check.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define FILE_BYTES ((size_t)1 << 30) /* nearly all of it stays a hole */
/* Sizes of 4 to 16 pages are classes 0 to 12. */
#define PAGES_MIN 4u
#define PAGES_EXACT 16u
#define CLASSES_EXACT (PAGES_EXACT - PAGES_MIN + 1)
#define PER_DOUBLING 8u

/* ---- sizes ---- */

unsigned
slot_class(uint32_t bytes)
{
    uint32_t pages = (bytes + MEMFD_PAGE - 1) / MEMFD_PAGE;
    if (pages <= PAGES_EXACT)
        return pages <= PAGES_MIN ? 0 : pages - PAGES_MIN;
    /* (pages - 1) >> shift is 8 to 15 */
    unsigned shift = 28 - (unsigned)__builtin_clz(pages - 1);
    return CLASSES_EXACT + (shift - 1) * PER_DOUBLING + ((pages - 1) >> shift) - PER_DOUBLING;
}

uint32_t
slot_class_bytes(unsigned k)
{
    CHECK(k < SLOT_CLASSES);
    if (k < CLASSES_EXACT)
        return (k + PAGES_MIN) * MEMFD_PAGE;
    unsigned above = k - CLASSES_EXACT;
    return ((above % PER_DOUBLING + PER_DOUBLING + 1) << (above / PER_DOUBLING + 1)) * MEMFD_PAGE;
}

/* ---- the file ---- */

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
    return r == 0 ? 0 : ERR_SYS;
}

void
memory_file_release(struct memory_file *f)
{
    if (f->at != NULL)
        munmap(f->at, FILE_BYTES);
    if (f->fd >= 0)
        close(f->fd);
    free(f->slots);
    free(f);
}

static int
map(struct memory_file *f)
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

int
memory_file_new(unsigned class, struct memory_file **out)
{
    struct memory_file *f = calloc(1, sizeof *f);
    if (f == NULL)
        return ERR_NOMEM;
    f->class = class;
    f->fd = -1;
    f->slot_bytes = slot_class_bytes(class);
    f->n_slots = (uint32_t)(FILE_BYTES / f->slot_bytes);
    f->slots = calloc(f->n_slots, sizeof *f->slots);
    int err = f->slots == NULL ? ERR_NOMEM : map(f);
    if (err == 0)
        *out = f;
    else
        memory_file_release(f);
    return err;
}

/* Growing a file over RLIMIT_FSIZE would end the process with SIGXFSZ. */
int
memory_file_probe(void)
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

/* ---- pages ---- */

/* Linux before 5.14 lacks MADV_POPULATE_WRITE. */
int
memory_file_fill(const struct memory_file *f, uint32_t slot)
{
    uint64_t at = memory_file_offset(f, slot);
    int r;
    do
        r = madvise(f->at + at, f->slot_bytes, MADV_POPULATE_WRITE);
    while (r != 0 && errno == EINTR);
    if (r != 0 && errno == EINVAL)
        r = fallocate(f->fd, FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)f->slot_bytes);
    return r == 0 ? 0 : ERR_NOMEM;
}

int
memory_file_punch(const struct memory_file *f, uint32_t slot, uint32_t from)
{
    return from >= f->slot_bytes ? 0 : punch(f->fd, memory_file_offset(f, slot) + from, f->slot_bytes - from);
}
