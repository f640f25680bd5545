/* From HTTP/1 to HTTP/2 by `Upgrade: h2c`. */
#ifndef VERNIS_STREAM_H2_UPGRADE_H
#define VERNIS_STREAM_H2_UPGRADE_H

#include "stream/wire.h"

/* For a valid request without content. */
bool h2_upgrade_is_wanted(const struct http_message *head);
/* Hands the wire to HTTP/2. `head` and the first head_bytes of its received bytes are the request, which the
 * caller discards afterwards. Settings that cannot be read end the connection without an answer, as in
 * Varnish. */
void h2_upgrade(struct wire *w, const struct http_message *head, size_t head_bytes);

#endif
