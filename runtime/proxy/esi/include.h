/* An ESI include: the stream of a sub-request, whose client is a page. The sub-request is a normal request
 * (request_life.c) with the same steps. This stream drops its head and lends its content to the page, which
 * sends it to the client in its place (esi_source.c). Lent bytes are released when the stream of the page has
 * released them, so a slow client slows the sub-request, too. Everything happens on one loop. */
#ifndef VERNIS_PROXY_ESI_INCLUDE_H
#define VERNIS_PROXY_ESI_INCLUDE_H

#include "base/list.h"
#include "filter/esi_recipe.h"
#include "filter/stitch.h"
#include "stream/stream.h"

#define INCLUDE_IOV_MAX 16 /* pieces lent at once */

struct request;

struct include {
    struct stream stream;              /* the stream of the sub-request */
    struct request *page;              /* the request of the page */
    struct timer *wake;                /* lent; set when the include has news for the page */
    struct iovec iov[INCLUDE_IOV_MAX]; /* lent by the sub-request, and not taken by the page yet */
    unsigned first, n;
    bool last;             /* no bytes follow those in `iov` */
    bool failed;           /* the content is incomplete */
    bool must;             /* if the include fails, the page fails, too */
    bool over;             /* the sub-request has ended */
    bool has_turn;         /* the page before the include was sent: only now can the client be slow */
    bool packed;           /* the page is in gzip coding, and the content becomes a part of it */
    struct gzip_part part; /* for a packed page; its sum is that of all lent content */
};

/* Must the page fail when this include fails? */
bool include_must(const struct esi_include *what);
/* Starts the sub-request; its content may be there on return. NULL: no memory. `wake` is set, and runs on the
 * loop's stack, when the include has news. */
struct include *include_start(struct request *page, const struct esi_include *what, bool packed,
                              struct timer *wake);
void include_release(struct include **i); /* the include must be over */
/* The client of the page has left: ends the sub-request soon, but maybe not at once. */
void include_cancel(struct include *i);

/* Gets the content that is ready. Returns the number of iovecs. */
int include_gather(const struct include *i, struct iovec *iov, int max, size_t most);
void include_take(struct include *i, size_t n); /* the page has taken n bytes */
/* `n` taken bytes are released. The sub-request may be over when this returns */
void include_released(struct include *i, size_t n);

/* The include of a sub-request. */
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
