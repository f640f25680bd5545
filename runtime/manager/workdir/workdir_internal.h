/* Functions that the files of the work directory share. */
#ifndef VERNIS_MANAGER_WORKDIR_WORKDIR_INTERNAL_H
#define VERNIS_MANAGER_WORKDIR_WORKDIR_INTERNAL_H

#include "manager/workdir/workdir.h"

/* "what path: error" with errno; returns ERR_SYS */
int workdir_fail(struct text *why, const char *what, const char *path);
/* "dir/name" */
void workdir_join(char out[PATH_MAX], const char *dir, const char *name);
/* Whether other users could replace its folders, and whether something else is in the way. ERR_SYS. */
int workdir_check(const struct workdir *w, struct text *why);

#endif
