/* The pool of receive buffers. See buffers.h. */
#include "stream/buffers.h"

#include <stdlib.h>

#include "base/params.h"
#include "base/size.h"
#include "base/span.h"

struct buffer {
    struct list link; /* while it is free */
    size_t capacity;
    char bytes[];
};

static struct buffer *
buffer_of(char *bytes)
{
    return container_of(bytes, struct buffer, bytes);
}

/* The capacity by the present parameters. Buffers in use may have an older one. */
static size_t
wanted_bytes(void)
{
    size_t req = params.http_req_size_bytes, resp = params.http_resp_size_bytes;
    return max_size(max_size(req, resp), params.h2_max_frame_size_bytes) + BUFFER_SPARE_BYTES;
}

void
buffers_init(struct buffer_pool *p)
{
    list_init(&p->free);
    p->n_free = 0;
}

void
buffers_release(struct buffer_pool *p)
{
    for (struct list *l; (l = list_pop_front(&p->free)) != NULL;)
        free(container_of(l, struct buffer, link));
    p->n_free = 0;
}

size_t
buffers_bytes(char *buf)
{
    return buffer_of(buf)->capacity;
}

char *
buffers_take(struct buffer_pool *p)
{
    size_t n = wanted_bytes();
    struct list *l = list_pop_front(&p->free);
    struct buffer *b = l == NULL ? NULL : container_of(l, struct buffer, link);
    p->n_free -= l != NULL;
    if (b != NULL && b->capacity != n) {
        free(b); /* a parameter was changed */
        b = NULL;
    }
    if (b == NULL && (b = malloc(sizeof *b + n)) != NULL)
        b->capacity = n;
    return b == NULL ? NULL : b->bytes;
}

void
buffers_give(struct buffer_pool *p, char **buf)
{
    char *bytes = *buf;
    *buf = NULL;
    if (bytes == NULL)
        return;
    struct buffer *b = buffer_of(bytes);
    if (p->n_free >= BUFFERS_KEPT) {
        free(b);
        return;
    }
    list_push_front(&p->free, &b->link);
    p->n_free++;
}
