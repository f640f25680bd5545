/* Who has what this process wants: names of other processes, for messages about ports and files in use. */
#ifndef VERNIS_MANAGER_HOLDER_H
#define VERNIS_MANAGER_HOLDER_H

#include <sys/socket.h>

#include "base/text.h"

#define HOLDER_NAME_BYTES 32

/* The name of a process; "another process" if this user may not know it, or if it ended. */
void holder_name(const char *pid, char name[HOLDER_NAME_BYTES]);
/* Appends " by NAME (pid N)" for the process that listens on the port of an address; nothing if this user may
 * not know it. */
void holder_of_port(const struct sockaddr *sa, struct text *out);

#endif
