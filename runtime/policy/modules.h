/* Third-party modules: libraries opened for the policies that import them. See module_abi.h. */
#ifndef VERNIS_POLICY_MODULES_H
#define VERNIS_POLICY_MODULES_H

#include "policy_abi.h"

struct module;

/* Opens a module; policies that name the same file share it. A file replaced on disk is a different module.
 * ERR_SYS or ERR_SYNTAX: `error` has the reason, and nothing stays open. */
int module_open(struct span name, struct span path, struct module **out, char *error, size_t error_cap);
void module_close(struct module **m); /* any thread; the last close unloads the library */
/* Looks up an import "name.symbol". Returns NULL and sets `error` if it is missing or has a different
 * signature. */
void *module_function(const struct module *m, const struct image_import *want, char *error, size_t error_cap);

#endif
