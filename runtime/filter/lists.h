/* Lists of filters: beresp.filters and resp.filters. Names separated by blanks, applied from left to right:
 * in a fetch from the origin to the store, in a delivery from the store to the client. Also makes the
 * filters' changes to the head of the response. */
#ifndef VERNIS_FILTER_LISTS_H
#define VERNIS_FILTER_LISTS_H

#include "base/mem.h"
#include "filter/filter.h"
#include "http/codings.h"
#include "http/message.h"

struct filter_kind {
    struct span name;
    bool fetch, delivery, part; /* sides whose lists may name the filter */
    bool changes;               /* changes the bytes, and so the length */
    size_t (*bytes)(void);      /* memory of the filter, without the chain's buffers */
    /* NULL: another room implements the filter. */
    int (*open)(const struct filter_wants *wants, struct filter **out);
    /* Fetch side: returns whether the filter applies to a response with this head. If so it changes the head
     * and the form. NULL: the filter always applies and changes neither. */
    bool (*engage)(struct http_message *head, struct body_form *form);
};

/* Does a filter of the list change bytes? */
bool filters_change(struct span list, enum filter_side side);
/* NULL: the side has no filter of that name. */
const struct filter_kind *filter_kind(struct span name, enum filter_side side);
bool filters_have(struct span list, struct span name);
/* The first unknown name, or SPAN_NULL. */
struct span filters_unknown(struct span list, enum filter_side side);

/* The lists for the do_ variables of a response with content, each name after a blank. ptr NULL: no
 * memory. */
struct span filters_of_fetch(struct arena *a, const struct http_message *beresp, bool do_esi, bool do_gzip,
                             bool do_gunzip);
struct span filters_of_delivery(bool esi, bool gunzip, bool range);
/* Filters that make this coding of a stored body. */
struct span filters_of_coding(bool gunzip, enum coding c);

/* Selects the fetch filters that apply to this response, and makes their changes to its head. ERR_NOMEM. */
int filters_engage(struct span list, struct http_message *beresp, struct body_form *form,
                   struct span *engaged);

#endif
