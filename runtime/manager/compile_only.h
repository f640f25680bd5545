/* -C: compiles the policies of the command line with the same compile server as in service, and reports
 * errors. */
#ifndef VERNIS_MANAGER_COMPILE_ONLY_H
#define VERNIS_MANAGER_COMPILE_ONLY_H

#include "manager/compile.h"
#include "manager/options.h"
#include "manager/workdir/workdir.h"

struct compile_check {
    struct events *events;
    struct compiler *compiler;
    const struct workdir *dir;
    const struct options *options;
    unsigned next; /* policy of the command line */
    bool failed;   /* a policy has errors, which were printed */
};

/* ERR_* with lines in `why`: a policy could not be compiled. Errors of policies set check->failed instead. */
int compile_only(struct compile_check *check, struct text *why);

#endif
