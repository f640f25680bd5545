/* The epoch: counts the starts of workers in a work directory, in the file _.epoch there, so that positions
 * of purges and bans grow over restarts, crashes and upgrades (cache/position.h). */
#ifndef VERNIS_MANAGER_EPOCH_H
#define VERNIS_MANAGER_EPOCH_H

#include <stdint.h>

#include "base/text.h"

/* Call before each start of a worker. Sets *epoch to the next one, greater than *epoch and than the one in
 * the file, and writes it to the file. During an upgrade two managers may call it. ERR_SYS, ERR_SYNTAX,
 * ERR_LIMIT with a line in `why`; then *epoch is the next one of this manager alone. */
int epoch_next(const char *dir, uint32_t *epoch, struct text *why);

#endif
