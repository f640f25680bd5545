/* Modules by third parties: libraries opened for the policies that import them. See module_abi.h. */
#ifndef VERNIS_MODULES_H
#define VERNIS_MODULES_H

#include "policy_abi.h"

struct module;

/* Shared by all policies that name the same file; a file that was replaced since is another module. ERR_SYS, ERR_SYNTAX: `error` says
 * why it cannot be used, and nothing is left behind. */
int module_open(struct span name, struct span path, struct module **out, char *error, size_t error_cap);
void module_close(struct module **m);               /* any thread; the last one unloads it */
/* What an image imports, "name.symbol"; NULL: missing, or of another signature, as `error` says. */
void *module_function(const struct module *m, const struct image_import *want, char *error, size_t error_cap);

#endif
