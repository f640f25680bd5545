/* Lists of filters: beresp.filters and resp.filters. Names with blanks between, applied from the left to the right: in a fetch from
 * the origin to the store, in a delivery from the store to the client. And what they do to the head of the body's response. */
#ifndef VERNIS_FILTER_LISTS_H
#define VERNIS_FILTER_LISTS_H

#include "base/mem.h"
#include "filter/filter.h"
#include "http/codings.h"
#include "http/message.h"

struct filter_kind {
    struct span name;
    bool fetch, delivery, part;         /* the side on which a list may name it */
    bool changes;                       /* the bytes, and so the length */
    size_t (*bytes)(void);              /* memory it takes, without buffers of the chain */
    int (*open)(const struct filter_wants *wants, struct filter **out);         /* NULL: not a processor of this room, or not yet one */
    /* In a fetch: whether it has something to do for a response with this head. If so it changes the head, and the form. NULL: it
     * always has, and changes neither. */
    bool (*engage)(struct http_message *head, struct body_form *form);
};

/* Whether one of them changes bytes. */
bool filters_change(struct span list, enum filter_side side);
/* NULL: the side has none of that name. */
const struct filter_kind *filter_kind(struct span name, enum filter_side side);
bool filters_have(struct span list, struct span name);
struct span filters_unknown(struct span list, enum filter_side side);           /* the first that the side does not have; SPAN_NULL */

/* Lists that the do_ variables stand for, for a response with content, each name behind a blank. ptr NULL: no memory. */
struct span filters_of_fetch(struct arena *a, const struct http_message *beresp, bool do_esi, bool do_gzip, bool do_gunzip);
struct span filters_of_delivery(bool esi, bool gunzip, bool range);
struct span filters_of_coding(bool gunzip, enum coding c);     /* those that make the coding of a stored form */

/* Those of a fetch that have something to do for this response, whose head they change. ERR_NOMEM. */
int filters_engage(struct span list, struct http_message *beresp, struct body_form *form, struct span *engaged);

#endif
