/* Starts the process of the compile server for compile.c. */
#ifndef VERNIS_MANAGER_COMPILE_SERVER_H
#define VERNIS_MANAGER_COMPILE_SERVER_H

#include <sys/types.h>

#include "manager/events.h"
#include "manager/shared.h"
#include "daemon/jail.h"
#include "daemon/sandbox.h"
#include "base/text.h"

#define COMPILE_ENV "VERNIS_COMPILER" /* environment variable: path of another compiler program */

struct compiler_env { /* lent for the life of the compiler */
    struct events *events;
    const struct jail_user *user; /* NULL: the manager's user */
    const struct sandbox *sandbox;
    struct shared *shared; /* counts calls that the sandbox denies */
    const char *work_dir;
};

/* The process, and a non-blocking socket that is its standard input and output. The caller closes the socket
 * and waits for the process. ERR_SYS with a line in `why`: no process, or its user cannot reach the program.
 */
int compile_server_start(const struct compiler_env *env, pid_t *pid, int *fd, struct text *why);

#endif
