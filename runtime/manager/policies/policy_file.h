/* Policy files of the command line: where they are, and their text. The manager reads them itself, with its own rights; what
 * they include, and files of vcl.load, the compiler reads with those of its jail. */
#ifndef VERNIS_MANAGER_POLICY_FILE_H
#define VERNIS_MANAGER_POLICY_FILE_H

#include <limits.h>

#include "worker/text.h"

#define POLICY_FILE_BYTES_MAX (16u << 20)

/* A name without '/' is looked for along vcl_path only, another relative one there first. ERR_NOTFOUND: nowhere; `path` is
 * `name` then. */
int policy_file_find(const char *name, char path[PATH_MAX]);
/* Finds and reads it. ERR_NOTFOUND, ERR_SYS, ERR_LIMIT with a line in `why`. */
int policy_file_read(const char *name, char path[PATH_MAX], struct text *out, struct text *why);

#endif
