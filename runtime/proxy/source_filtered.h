/* A source that passes another source through a chain of filters. */
#ifndef VERNIS_PROXY_SOURCE_FILTERED_H
#define VERNIS_PROXY_SOURCE_FILTERED_H

#include "filter/filter.h"
#include "proxy/source.h"

struct storage;

/* Wraps *source in the filters of `names` (each known, and for the delivery). The new source closes the old
 * one with itself. Nothing happens if no filter changes bytes. Memory of the filters and one buffer of
 * gzip_buffer bytes are charged to `account`. ERR_NOMEM, ERR_LIMIT: *source is unchanged. */
int source_filter(struct body_source **source, struct span names, const struct filter_wants *wants,
                  struct storage *account);

#endif
