/* The start: load the certificates of -A and the policies of the command line, accept commands (those of -I
 * first), start the worker. */
#ifndef VERNIS_MANAGER_BOOT_H
#define VERNIS_MANAGER_BOOT_H

#include "manager/cli/cli.h"
#include "manager/options.h"
#include "manager/policies/policies.h"
#include "manager/supervise.h"

struct boot_env { /* lent for the life of the daemon */
    const struct options *options;
    struct policies *policies;
    struct supervisor *supervisor;
    struct changes *certificates;
    struct cli_server *cli;
    void (*take_commands)(void *arg); /* opens the command line */
    /* called once: ok when the worker serves or none is wanted; else `why` the start failed */
    void (*over)(void *arg, bool ok, struct span why);
    void *arg;
};

struct boot {
    struct boot_env env;
    unsigned next; /* policy of the command line to load */
    char name[POLICY_NAME_BYTES];
    bool over;
};

void boot_start(struct boot *b, const struct boot_env *env);
void boot_file_done(struct boot *b, bool failed);                /* the commands of -I have run */
void boot_backend_policy(const char *backend, struct text *out); /* the text of -b */

#endif
