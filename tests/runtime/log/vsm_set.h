/* A set of segments in a new folder, named for the test program and its process. */
#ifndef VERNIS_TESTS_RUNTIME_LOG_VSM_SET_H
#define VERNIS_TESTS_RUNTIME_LOG_VSM_SET_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "log/vsc.h"
#include "log/vsm.h"

static char folder[256]; /* of the current test */

static inline struct vsm *
new_set(void)
{
    struct vsm *v;
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/%s-%ld", tmp == NULL ? "/tmp" : tmp, program_invocation_short_name,
             (long)getpid());
    CHECK(vsm_folder_new(folder, (uid_t)-1, (gid_t)-1) == 0);
    CHECK(vsm_open(folder, &v) == 0);
    return v;
}

/* The same, and the set gets new counters until it is closed. */
static inline struct vsm *
new_set_of_counters(void)
{
    struct vsm *v = new_set();
    vsc_open(v);
    return v;
}

static inline void
close_set_of_counters(struct vsm *v)
{
    vsc_open(NULL);
    vsm_close(&v);
}

#endif
