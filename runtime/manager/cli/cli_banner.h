/* The first text that a client of the command line gets. */
#ifndef VERNIS_MANAGER_CLI_CLI_BANNER_H
#define VERNIS_MANAGER_CLI_CLI_BANNER_H

#include "manager/child.h"

#define VARNISH_BANNER_VERSION "varnish-7.1.1 revision 0000000000000000000000000000000000000000"

struct banner {
    const char *jail;
    unsigned n_storages;
    const struct child *child;
};

void cli_banner(const struct banner *b, struct text *out);

#endif
