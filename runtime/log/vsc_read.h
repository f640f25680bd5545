/* Reads the counters of another process's set. The reader maps nothing and checks every number, because the
 * writer may have fewer rights than the reader: the manager reads the worker's set. */
#ifndef VERNIS_LOG_VSC_READ_H
#define VERNIS_LOG_VSC_READ_H

#include "log/vsc.h"

struct vsc_sample { /* the texts live only during the callback */
    const char *ident, *name, *doc;
    enum vsc_kind kind;
    enum vsc_format format;
    uint64_t value;
};

typedef void vsc_sample_fn(void *arg, const struct vsc_sample *s);

/* Calls back for each visible counter, in the order of the index. Malformed entries are left out. ERR_SYS
 * with errno: the set does not exist. */
int vsc_read(const char *folder, vsc_sample_fn *fn, void *arg);

#endif
