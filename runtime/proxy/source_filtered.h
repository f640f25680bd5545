/* A source whose bytes are those of another one, changed by a chain of filters on the way. */
#ifndef VERNIS_SOURCE_FILTERED_H
#define VERNIS_SOURCE_FILTERED_H

#include "filter/filter.h"
#include "proxy/source.h"

struct storage;

/* Puts the filters of `names` (each known, for the delivery) around *source, which stays where it is and is closed with the new one.
 * Nothing happens if none of them changes bytes. Their memory and one buffer of gzip_buffer bytes are charged to `account`.
 * ERR_NOMEM, ERR_LIMIT: *source is as it was. */
int source_filter(struct body_source **source, struct span names, const struct filter_wants *wants, struct storage *account);

#endif
