/* Buffers of a loop. Each holds the largest head or HTTP/2 frame that the parameters allow, and some content
 * behind it. Buffers are recycled. One thread. */
#ifndef VERNIS_STREAM_BUFFERS_H
#define VERNIS_STREAM_BUFFERS_H

#include <stddef.h>

#include "base/list.h"

#define BUFFERS_KEPT 64         /* free buffers that a pool keeps */
#define BUFFER_SPARE_BYTES 4096 /* behind the largest head, for the chunks of a request body */

struct buffer_pool {
    struct list free;
    unsigned n_free;
};

void buffers_init(struct buffer_pool *p);
void buffers_release(struct buffer_pool *p);          /* frees the buffers that are not in use */
char *buffers_take(struct buffer_pool *p);            /* NULL when memory is out */
void buffers_give(struct buffer_pool *p, char **buf); /* harmless on NULL */
/* capacity of this buffer: the parameters may have changed since it was taken */
size_t buffers_bytes(char *buf);

#endif
