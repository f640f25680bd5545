/* One memfd file with slots of one size, mapped as a whole. memfd.c places bytes in the slots. A file is a
 * hole at first; pages are allocated and given back by the slot. */
#ifndef VERNIS_STORAGE_MEMORY_FILE_H
#define VERNIS_STORAGE_MEMORY_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define MEMFD_PAGE 4096u

/* Sizes of slots, in pages: 4 to 16, then eight for each doubling, up to 256. So a slot that is used again
 * has all pages of the new place, and at most an eighth of a place is unused. */
#define SLOT_CLASSES 45u

unsigned slot_class(uint32_t bytes); /* of the smallest slot that holds them; at most 1 MB */
uint32_t slot_class_bytes(unsigned k);

struct slot {
    atomic_ullong state;
    uint64_t checksum;
    uint32_t bytes;           /* capacity of the place; changed by the writer only */
    uint32_t next_file, next; /* the next free slot of the class; lock of the space */
};

struct memory_file {
    int fd;
    unsigned class;
    uint32_t slot_bytes, n_slots;
    char *at;
    struct slot *slots;
};

/* ERR_SYS with errno, ERR_NOMEM. */
int memory_file_new(unsigned class, struct memory_file **out);
void memory_file_release(struct memory_file *f);
/* Can this process make such files? ERR_SYS with errno. */
int memory_file_probe(void);
/* Allocates the pages of a slot: a write to a hole would end the process with SIGBUS if there is no memory.
 * ERR_NOMEM. */
int memory_file_fill(const struct memory_file *f, uint32_t slot);
/* Gives the pages of a slot back to the kernel, from byte `from` of the slot on. ERR_SYS. */
int memory_file_punch(const struct memory_file *f, uint32_t slot, uint32_t from);

static inline uint64_t
memory_file_offset(const struct memory_file *f, uint32_t slot)
{
    return (uint64_t)slot * f->slot_bytes;
}

#endif
