/* Packs short bodies as a whole: see gzip_whole.h. */
#include "filter/gzip_whole.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"

#define COLLECT_BYTES_MIN ((size_t)8192)

static bool
make_room(struct gzip_whole *w, size_t need)
{
    size_t room = w->room < COLLECT_BYTES_MIN ? COLLECT_BYTES_MIN : w->room;
    while (room < need)
        room *= 2;
    if (room > w->max)
        room = w->max;
    char *bytes = realloc(w->bytes, room);
    if (bytes == NULL)
        return false;
    w->bytes = bytes;
    w->room = room;
    return true;
}

bool
whole_collect(struct gzip_whole *w, struct span *in)
{
    size_t need = w->end + in->len;
    CHECK(!w->packed);
    if (need > w->max || (need > w->room && !make_room(w, need)))
        return false;
    if (in->len > 0)
        memcpy(w->bytes + w->end, in->ptr, in->len);
    w->end = need;
    *in = span_of(in->ptr + in->len, 0);
    return true;
}

/* The compressor (at most 672 KB) lives only during this call, so there is at most one per loop, and its
 * memory is not charged. */
int
whole_pack(struct gzip_whole *w, int level)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
    size_t room = c == NULL ? 0 : libdeflate_gzip_compress_bound(c, w->end);
    char *out = c == NULL ? NULL : malloc(room);
    size_t n = out == NULL ? 0 : libdeflate_gzip_compress(c, w->bytes, w->end, out, room);
    if (c != NULL)
        libdeflate_free_compressor(c);
    if (n == 0) {
        free(out);
        return ERR_NOMEM;
    }
    free(w->bytes);
    *w = (struct gzip_whole){ .bytes = out, .end = n, .room = room, .packed = true };
    return 0;
}

bool
whole_give(struct gzip_whole *w, struct filter_io *io)
{
    CHECK(w->packed);
    w->at += filter_io_put(io, w->bytes + w->at, w->end - w->at);
    if (w->at < w->end)
        return false;
    whole_release(w);
    return true;
}

void
whole_release(struct gzip_whole *w)
{
    free(w->bytes);
    *w = (struct gzip_whole){ 0 };
}

/* A body that does not shrink grows by a few bytes, and the plain and packed bytes exist at the same time. */
size_t
whole_bytes(void)
{
    return 2 * params.gzip_whole_max_bytes + params.gzip_whole_max_bytes / 1024 + 256;
}
