/* -C: compile the policy of the command line, say whether it is right, and leave nothing behind. */
#ifndef VERNIS_ADMIN_COMPILE_ONLY_H
#define VERNIS_ADMIN_COMPILE_ONLY_H

#include "admin/manager.h"

int compile_only(struct manager *m, struct text *why);      /* the exit code: 0 right, 2 not */

#endif
