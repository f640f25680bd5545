/* Code common to all spaces: checks the order of calls. */
#include "storage/place.h"

#include <stdlib.h>

#include "base/check.h"

/* ---- writing ---- */

int
space_reserve(struct space *s, uint64_t bytes, struct reservation *out)
{
    int err = s->ops->reserve(s, bytes);
    *out = err == 0 ? (struct reservation){ s, bytes } : (struct reservation){ 0 };
    return err;
}

int
space_place(struct reservation *r, uint32_t bytes, struct place *out)
{
    CHECK(bytes > 0);
    if (r->space == NULL || bytes > r->bytes)
        return ERR_LIMIT;
    int err = r->space->ops->place(r->space, bytes, out);
    if (err != 0)
        return err;
    CHECK(out->bytes == bytes);
    r->bytes -= bytes;
    return 0;
}

void
space_unreserve(struct reservation *r)
{
    if (r->space != NULL && r->bytes > 0)
        r->space->ops->unreserve(r->space, r->bytes);
    *r = (struct reservation){ 0 };
}

int
place_buffer(struct space *s, const struct place *p, char **at, size_t *n)
{
    int err = s->ops->buffer(s, p, at);
    *n = err == 0 ? p->bytes : 0;
    return err;
}

void
place_commit(struct space *s, struct place *p, uint32_t bytes, uint64_t checksum)
{
    CHECK(bytes > 0 && bytes <= p->bytes);
    s->ops->commit(s, p, bytes, checksum);
    if (p->bytes != bytes) /* readers may look at it */
        p->bytes = bytes;
}

void
place_free(struct space *s, const struct place *p)
{
    s->ops->free(s, p);
}

/* ---- reading ---- */

enum pin
place_pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out)
{
    CHECK(out->space == NULL);
    enum pin result = s->ops->pin(s, p, w, out);
    CHECK((result == PIN_READY) == (out->space == s));
    return result;
}

void
place_unwait(struct space *s, struct pin_waiter *w)
{
    s->ops->unwait(s, w);
}

struct iovec
pinned_iov(const struct pinned *x)
{
    CHECK(x->space != NULL);
    return (struct iovec){ (char *)(uintptr_t)x->at, x->place.bytes };
}

bool
pinned_file(const struct pinned *x, int *fd, off_t *at)
{
    CHECK(x->space != NULL);
    return x->space->ops->file != NULL && x->space->ops->file(x->space, x, fd, at);
}

void
place_unpin(struct pinned *x)
{
    if (x->space != NULL)
        x->space->ops->unpin(x->space, x);
    *x = (struct pinned){ 0 };
}
