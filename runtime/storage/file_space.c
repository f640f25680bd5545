/* The space in memory files that the storages of a store share: see storage.h. */
#include <errno.h>
#include <string.h>

#include "log/report.h"
#include "storage/memfd.h"
#include "storage/storage.h"

void
file_space_init(struct file_space *f)
{
    *f = (struct file_space){ 0 };
    pthread_mutex_init(&f->lock, NULL);
}

void
file_space_release(struct file_space *f)
{
    memfd_space_release(&f->space);
    pthread_mutex_destroy(&f->lock);
}

struct space *
storage_space(const struct storage *st)
{
    struct file_space *f = st->files;
    if (f == NULL)
        return NULL;
    pthread_mutex_lock(&f->lock);
    if (f->space == NULL && !f->failed) {
        f->failed = memfd_space_new(&f->space) != 0;
        if (f->failed)
            log_line(LOG_LEVEL_WARNING, "sendfile_min has no effect, bodies are copied: memfd: %s",
                     strerror(errno));
    }
    struct space *space = f->space;
    pthread_mutex_unlock(&f->lock);
    return space;
}

struct space *
file_space_so_far(struct file_space *f)
{
    pthread_mutex_lock(&f->lock);
    struct space *space = f->space;
    pthread_mutex_unlock(&f->lock);
    return space;
}
