/* Counters of a set in shared memory, read as an outsider does. Nothing is mapped and nothing believed: whoever writes a set may
 * be somebody with fewer rights than the reader (the manager reads what the worker shows). */
#ifndef VERNIS_VSC_READ_H
#define VERNIS_VSC_READ_H

#include "log/vsc.h"

struct vsc_sample {                     /* texts live during the call only */
    const char *ident, *name, *doc;
    enum vsc_kind kind;
    enum vsc_format format;
    uint64_t value;
};

typedef void vsc_sample_fn(void *arg, const struct vsc_sample *s);

/* Each counter that is shown, in the order of the index. What makes no sense is left out. ERR_SYS with errno: no such set. */
int vsc_read(const char *folder, vsc_sample_fn *fn, void *arg);

#endif
