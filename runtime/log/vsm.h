/* Named segments of shared memory, in the layout of Varnish 7.1. A set is a directory with one file per
 * segment and an index,
 * `_.index`, that names them. The manager has one set. Each worker gets a new set, so that readers notice a
 * new worker. Only the owner and the group of the directory may read the files, because log records contain
 * client data. Any thread may call; a set has one writing process. */
#ifndef VERNIS_LOG_VSM_H
#define VERNIS_LOG_VSM_H

#include <stddef.h>
#include <sys/types.h>

#define VSM_MANAGER "_.vsm_mgt"
#define VSM_WORKER "_.vsm_child"

struct vsm;

/* Makes the directory, new and empty. Files made in it belong to `group`. -1 stands for our own user or
 * group. ERR_SYS with errno. */
int vsm_folder_new(const char *path, uid_t user, gid_t group);
void vsm_folder_remove(const char *path); /* with all its files */

/* Starts a set in an existing directory and writes its index. ERR_SYS with errno. */
int vsm_open(const char *path, struct vsm **out);
void vsm_moved(struct vsm *v, const char *path); /* call after the directory was renamed to `path` */
/* Removes the index, then all segments. Readers take a missing index as the end of the set. */
void vsm_close(struct vsm **v);

/* Returns zeroed memory that readers do not know yet. NULL with errno, for example ENOSPC. */
void *vsm_alloc(struct vsm *v, size_t bytes);
/* Adds the segment to the index. Fill it before. `class` has no spaces. ERR_SYS with errno. */
int vsm_publish(struct vsm *v, void *mem, const char *class, const char *ident);
/* Removes the segment from the index and frees it. A reader that has mapped it keeps its view. Harmless on
 * NULL. */
void vsm_free(struct vsm *v, void *mem);

#endif
