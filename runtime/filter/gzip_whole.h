/* libdeflate packs short bodies as a whole, in half of zlib's time, but cannot pack in pieces. So a body is collected until it ends. A body
 * that gets too long, or whose origin pauses, goes to zlib instead, together with the bytes collected so far. */
#ifndef VERNIS_FILTER_GZIP_WHOLE_H
#define VERNIS_FILTER_GZIP_WHOLE_H

#include "filter/filter.h"

#define WHOLE_BYTES_MIN 64              /* libdeflate leaves shorter bodies as they are; zlib packs them, as Varnish does */

struct gzip_whole {
    char *bytes;                        /* owned: of the body, then of what it became */
    size_t at, end, room;               /* at: how far they were taken */
    size_t max;                         /* gzip_whole_max when it began */
    bool packed;
};

/* Takes all of *in, and moves it on. False: it would get longer than `max`, or there is no memory. */
bool whole_collect(struct gzip_whole *w, struct span *in);
/* ERR_NOMEM: as it was. */
int whole_pack(struct gzip_whole *w, int level);
/* Moves what there is out. True: that was the last of it, and its memory is freed. */
bool whole_give(struct gzip_whole *w, struct filter_io *io);
void whole_release(struct gzip_whole *w);
/* Memory of one, at most. */
size_t whole_bytes(void);

#endif
