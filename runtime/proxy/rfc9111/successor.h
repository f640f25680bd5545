/* Automatic invalidations of a retiring worker, sent to the worker that serves now. Such a worker refuses the
 * invalidations that clients ask for (store_retire). It cannot refuse those that follow from a response to an
 * unsafe method, because the origin has changed already. So it asks the other worker for them, over a socket
 * in the work directory, and waits for the confirmation before it answers its client. */
#ifndef VERNIS_PROXY_RFC9111_SUCCESSOR_H
#define VERNIS_PROXY_RFC9111_SUCCESSOR_H

#include "cache/key.h"
#include "cache/store.h"

#define SUCCESSOR_SOCKET "purges.sock"  /* in the work directory: of the worker that serves */
#define SUCCESSOR_BYTES_MAX (72u << 10) /* a key of KEY_BYTES_MAX, or the fields of a response */
#define SUCCESSOR_WAIT_MS 5000          /* for the confirmation; the answer to the client waits no longer */

/* In the retiring worker, on a fiber. Logs a failure. */
void successor_purge(const struct cache_key *key);
void successor_purge_groups(struct span groups, struct span host);
/* In the worker that serves: receives one message on `fd`, a listening socket, applies and confirms it. */
void successor_serve(struct store *s, int fd);

#endif
