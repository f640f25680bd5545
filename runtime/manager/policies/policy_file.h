/* Finds and reads policy files of the command line. The manager reads these files with its own rights. The
 * compiler reads their includes, and files of vcl.load, with the rights of its jail. */
#ifndef VERNIS_MANAGER_POLICIES_POLICY_FILE_H
#define VERNIS_MANAGER_POLICIES_POLICY_FILE_H

#include <limits.h>

#include "base/text.h"

#define POLICY_FILE_BYTES_MAX (16u << 20)

/* Searches a name without '/' only in vcl_path, and any other relative name there first, then in the current
 * folder. ERR_NOTFOUND; then `path` is `name`. */
int policy_file_find(const char *name, char path[PATH_MAX]);
/* Finds and reads a file. ERR_NOTFOUND, ERR_SYS, ERR_LIMIT with a line in `why`. */
int policy_file_read(const char *name, char path[PATH_MAX], struct text *out, struct text *why);

#endif
