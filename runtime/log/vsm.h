/* Named pieces of shared memory, as readers of Varnish 7.1 find them: a set is one directory with one file a segment and a
 * text, `_.index`, that names them. The manager has one set and each worker has its own, made anew for it, so that readers
 * notice the change. Files are for the owner and the group of the directory to read: log records hold what clients sent.
 * Any thread may call; one writing process a set. */
#ifndef VERNIS_VSM_H
#define VERNIS_VSM_H

#include <stddef.h>
#include <sys/types.h>

#define VSM_MANAGER "_.vsm_mgt"
#define VSM_WORKER "_.vsm_child"

struct vsm;

/* The directory, empty and new. What is made in it belongs to `group`. uid_t and gid_t -1: our own. ERR_SYS with errno. */
int vsm_folder_new(const char *path, uid_t user, gid_t group);
void vsm_folder_remove(const char *path);           /* with all that is in it */

/* The index of a set whose directory is there. ERR_SYS with errno. */
int vsm_open(const char *path, struct vsm **out);
/* Removes the index, then all else: readers take that as the end of the set. */
void vsm_moved(struct vsm *v, const char *path);    /* the directory has this name now */
void vsm_close(struct vsm **v);
void vsm_leave(struct vsm **v);                     /* the same, but all files stay */

/* Zeroed memory, at first unknown to readers. NULL with errno: ENOSPC and the like. */
void *vsm_alloc(struct vsm *v, size_t bytes);
/* Names it in the index; `class` without blanks. Complete it before. ERR_SYS with errno. */
int vsm_publish(struct vsm *v, void *mem, const char *class, const char *ident);
/* Takes it out of the index and gives it back. Readers that have it keep their view. Harmless on NULL. */
void vsm_free(struct vsm *v, void *mem);

#endif
