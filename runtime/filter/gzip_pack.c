/* gzip: packs short bodies as a whole (gzip_whole.c), and others piece by piece with zlib (packer.c). See
 * gzip.h, and docs/dependencies.md for the choice of the libraries. */
#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/params.h"
#include "filter/gzip.h"
#include "filter/gzip_whole.h"
#include "filter/packer.h"
#include "log/counters.h"

struct gzip_filter {
    struct filter filter;
    struct log_txn *log;
    struct packer packer;
    struct gzip_whole whole; /* collects the body */
    size_t whole_bytes;      /* packed length of a body packed as a whole; 0: the packer was used */
    bool streams;            /* the packer has started */
};

static int
failed(struct gzip_filter *g)
{
    g->filter.why = "Gzip failed";
    return ERR_SYNTAX;
}

static int
pack_collected(struct gzip_filter *g, struct filter_io *io)
{
    struct gzip_whole *w = &g->whole;
    struct filter_io late = { .in = span_of(w->bytes + w->at, w->end - w->at),
                              .out = io->out,
                              .room = io->room };
    int r = packer_push(&g->packer, &late, PACK_ON);
    io->out = late.out;
    io->room = late.room;
    w->at = w->end - late.in.len;
    if (w->at == w->end)
        whole_release(w);
    return r;
}

static int
stream(struct gzip_filter *g, struct filter_io *io)
{
    if (!g->streams && packer_start(&g->packer) != 0)
        return failed(g);
    g->streams = true;
    int r = g->whole.end > 0 && io->room > 0 ? pack_collected(g, io) : FILTER_MORE;
    if (r == FILTER_MORE && g->whole.end == 0 && io->room > 0)
        r = io->last ? packer_end(&g->packer, io)
                     : packer_push(&g->packer, io, io->flush ? PACK_ALIGN : PACK_ON);
    return r < 0 ? failed(g) : r;
}

static int
gzip_push(struct filter *f, struct filter_io *io)
{
    struct gzip_filter *g = container_of(f, struct gzip_filter, filter);
    if (g->whole.packed)
        return whole_give(&g->whole, io) ? FILTER_END : FILTER_MORE;
    bool pause = io->flush && g->whole.end + io->in.len > 0;
    if (g->streams || pause || !whole_collect(&g->whole, &io->in))
        return stream(g, io);
    if (!io->last)
        return FILTER_MORE;
    size_t plain_bytes = g->whole.end;
    if (plain_bytes < WHOLE_BYTES_MIN || whole_pack(&g->whole, (int)params.gzip_level) != 0)
        return stream(g, io);
    g->packer.facts.plain_bytes = plain_bytes;
    g->whole_bytes = g->whole.end;
    return whole_give(&g->whole, io) ? FILTER_END : FILTER_MORE;
}

static void
gzip_close(struct filter *f)
{
    struct gzip_filter *g = container_of(f, struct gzip_filter, filter);
    const struct packer *p = &g->packer;
    bool whole = g->whole_bytes > 0;
    packer_record(p, g->log, "G F -", whole ? p->facts.plain_bytes : p->z.total_in,
                  whole ? g->whole_bytes : p->z.total_out);
    packer_stop(&g->packer);
    whole_release(&g->whole);
    free(g);
}

int
gzip_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = gzip_push, .close = gzip_close };
    struct gzip_filter *g = calloc(1, sizeof *g);
    if (g == NULL)
        return ERR_NOMEM;
    g->filter = (struct filter){ .ops = &ops, .gzip = &g->packer.facts, .holds_back = true };
    g->log = wants->log;
    g->packer.facts.start_bit = GZIP_HEADER_BYTES * 8;
    g->packer.blocks = wants->blocks;
    /* libdeflate does not report block positions. */
    g->whole.max = wants->blocks ? 0 : params.gzip_whole_max_bytes;
    counters_here()->n_gzip++;
    *out = &g->filter;
    return 0;
}

size_t
gzip_bytes(void)
{
    return sizeof(struct gzip_filter) + packer_bytes() + whole_bytes();
}
