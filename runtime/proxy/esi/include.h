/* An ESI include: the stream of a sub-request, whose client is a page. The sub-request is a request like any other
 * (request_life.c) and walks the same steps; this stream swallows its head, and lends its content to the page, which gives it to
 * its own client in its place (esi_source.c). What was lent is released when the page's stream has released it, so a slow client
 * holds back the sub-request, too. Everything happens on one loop. */
#ifndef VERNIS_INCLUDE_H
#define VERNIS_INCLUDE_H

#include "base/list.h"
#include "filter/esi_recipe.h"
#include "filter/stitch.h"
#include "stream/stream.h"

#define INCLUDE_IOV_MAX 16              /* pieces that are lent at once */

struct request;

struct include {
    struct stream stream;               /* what the sub-request sees */
    struct request *page;               /* the request whose page it is a part of */
    struct timer *wake;                 /* set when there is something new for the page; lent */
    struct iovec iov[INCLUDE_IOV_MAX];  /* lent by the sub-request, not yet given away */
    unsigned first, n;
    bool last;                          /* nothing follows them */
    bool failed;                        /* the content is not whole */
    bool must;                          /* then the page cannot be completed either */
    bool over;                          /* the sub-request is gone */
    bool has_turn;                      /* all of the page before it was given away: only now its client can be slow */
    bool packed;                        /* the page is in gzip coding: the content is a part of such a body */
    struct gzip_part part;              /* of a packed page; its sum is that of all content that was lent */
};

/* The page breaks off with the include when that fails. */
bool include_must(const struct esi_include *what);
/* Starts the sub-request; its content may be there when this returns. NULL: memory is out. `wake` calls its function, on the loop's
 * stack, when something has changed since. */
struct include *include_start(struct request *page, const struct esi_include *what, bool packed, struct timer *wake);
void include_release(struct include **i);               /* it must be over */
/* The client of the page is gone. The sub-request ends soon, but maybe not at once. */
void include_cancel(struct include *i);

/* Content that can be given away now: how many iovecs. */
int include_gather(const struct include *i, struct iovec *iov, int max, size_t most);
void include_take(struct include *i, size_t n);         /* it was given away */
void include_released(struct include *i, size_t n);     /* nobody looks at it any more. The sub-request may be over when this returns */

/* The include that a sub-request is made for. */
static inline struct include *
include_of_stream(struct stream *s)
{
    return container_of(s, struct include, stream);
}

static inline bool
include_is_empty(const struct include *i)
{
    return i->first == i->n;
}

#endif
