/* The filters "esi" and "esi_gzip" parse a page on its way into the store and make the recipe for its
 * assembly. "esi" leaves the bytes unchanged, "esi_gzip" packs them. */
#ifndef VERNIS_FILTER_ESI_FILTER_H
#define VERNIS_FILTER_ESI_FILTER_H

#include "filter/esi_recipe.h"
#include "filter/filter.h"

/* The `user` field of struct filter_wants. */
struct esi_page {
    struct span url; /* of the page; lent */
    struct esi_options options;
    struct esi_recipe recipe; /* output; the owner releases it */
    bool found;               /* the page has ended and has ESI instructions; if false, ignore the recipe */
    uint64_t stored_bytes;    /* length of the filter's output, valid after the end of the page */
};

int esi_filter_open(const struct filter_wants *wants, struct filter **out);
size_t esi_filter_bytes(void); /* memory of one filter */
int esi_gzip_open(const struct filter_wants *wants, struct filter **out);
size_t esi_gzip_bytes(void);
/* Logs and counts a message. */
void esi_log_message(const struct log_txn *log, enum esi_severity severity, struct span text);

#endif
