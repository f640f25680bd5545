/* Shared only by manager.c and manager_upgrade.c. */
#ifndef VERNIS_MANAGER_MANAGER_INTERNAL_H
#define VERNIS_MANAGER_MANAGER_INTERNAL_H

#include "manager/manager.h"

/* ---- manager.c ---- */
void manager_stopped(void *arg, int status, struct span text); /* the worker has ended: ends the process */
/* Begins to accept commands. Clients that connected earlier wait in the sockets' queues. */
void manager_take_commands(struct manager *m);
void manager_serving(struct manager *m); /* tells whoever started the daemon, and the service manager */

/* ---- manager_upgrade.c ---- */
void manager_connect_upgrade(struct manager *m, char **argv);
void manager_upgrade(struct manager *m); /* by signal; logs a refusal */
/* When the start is over: notes what the next daemon of an upgrade has without being told. */
void manager_note_start(struct manager *m);

#endif
