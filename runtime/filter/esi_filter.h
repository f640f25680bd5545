/* The filters "esi" and "esi_gzip": look at a page on its way into the store, and make the recipe by which it will be put together.
 * With "esi" the bytes stay as they are, "esi_gzip" packs them. */
#ifndef VERNIS_ESI_FILTER_H
#define VERNIS_ESI_FILTER_H

#include "filter/esi_recipe.h"
#include "filter/filter.h"

/* struct filter_wants has it as `user`. */
struct esi_page {
    struct span url;                    /* of the page; lent */
    struct esi_options options;
    struct esi_recipe recipe;           /* made; the owner releases it */
    bool found;                         /* all of the page was seen, and has instructions: else the recipe is of no use */
    uint64_t stored_bytes;              /* of the page as the filter leaves it, once all of it was seen */
};

int esi_filter_open(const struct filter_wants *wants, struct filter **out);
size_t esi_filter_bytes(void);          /* memory that it takes */
int esi_gzip_open(const struct filter_wants *wants, struct filter **out);
size_t esi_gzip_bytes(void);
void esi_log_message(const struct log_txn *log, enum esi_severity severity, struct span text);     /* and counts it */

#endif
