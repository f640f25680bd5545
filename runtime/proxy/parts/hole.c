/* See hole.h. */
#include "proxy/parts/hole.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/check.h"

int
hole_new(struct hole **out)
{
    *out = calloc(1, sizeof **out);
    return *out == NULL ? ERR_NOMEM : 0;
}

void
hole_leave(struct hole **hp)
{
    struct hole *h = *hp;
    *hp = NULL;
    if (h == NULL)
        return;
    DEBUG_CHECK(!h->left);
    h->left = true;
    if (h->state != HOLE_OPEN)
        free(h);
}

void
hole_end(struct hole **hp, enum hole_state state)
{
    struct hole *h = *hp;
    *hp = NULL;
    CHECK(state != HOLE_OPEN);
    if (h == NULL)
        return;
    DEBUG_CHECK(h->state == HOLE_OPEN);
    h->state = state;
    if (h->left)
        free(h);
}
