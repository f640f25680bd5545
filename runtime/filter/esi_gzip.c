/* The filter "esi_gzip": see esi_filter.h. It packs a page while it parses the ESI instructions. Each run of
 * the page ends at a byte boundary, and a kept run never refers to data before it, so kept runs can be copied
 * into another gzip body (stitch.h). */
#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/size.h"
#include "filter/esi_filter.h"
#include "filter/packer.h"
#include "filter/stitch.h"
#include "log/counters.h"

#define PIECE_BYTES 1024u /* parsed in one step */
#define RUNS_AT_ONCE 64u  /* runs to end in one push: each flushes the compressor */
/* Most output of one step: deflate may hold back 64 KB until a run ends, and stored blocks are slightly
 * longer than their content. */
#define OUT_BYTES (160u << 10)

struct esi_gzip {
    struct filter filter;
    struct esi_sink sink;
    struct esi_page *page;
    struct log_txn *log;
    struct packer packer;
    unsigned runs;       /* ended in this push */
    uint64_t at;         /* stored bytes before the current run */
    struct gzip_sum run; /* plain bytes of the current run */
    bool failed;
    bool packed; /* the whole page is packed */
    size_t out_at, out_end;
    struct esi_parser parser;
    char out[OUT_BYTES]; /* packed, but not yet written to the caller */
};

static struct esi_gzip *
of_sink(struct esi_sink *s)
{
    return container_of(s, struct esi_gzip, sink);
}

static struct filter_io
room_of(struct esi_gzip *e, struct span in)
{
    return (struct filter_io){ .in = in, .out = e->out + e->out_end, .room = OUT_BYTES - e->out_end };
}

static void
pack(struct esi_gzip *e, struct span in, enum pack how)
{
    struct filter_io io = room_of(e, in);
    if (e->failed)
        return;
    e->failed = packer_push(&e->packer, &io, how) != FILTER_MORE || io.room == 0;
    e->out_end = OUT_BYTES - io.room;
}

static void
on_bytes(struct esi_sink *s, const char *p, size_t n)
{
    struct esi_gzip *e = of_sink(s);
    gzip_sum_bytes(&e->run, span_of(p, n));
    pack(e, span_of(p, n), PACK_ON);
}

static uint64_t
on_end_run(struct esi_sink *s, bool kept)
{
    struct esi_gzip *e = of_sink(s);
    e->runs++;
    pack(e, SPAN_LIT(""), kept ? PACK_ALIGN : PACK_RESET);
    uint64_t end = e->packer.z.total_out;
    struct esi_piece piece = {
        .kind = kept ? ESI_KEEP : ESI_SKIP,
        .bytes = end - e->at,
        .plain_bytes = e->run.bytes,
        .crc = e->run.crc,
    };
    esi_recipe_add(&e->page->recipe, &piece);
    e->at = end;
    e->run = (struct gzip_sum){ 0 };
    return end;
}

static void
on_include(struct esi_sink *s, const struct esi_include *inc)
{
    struct esi_piece piece = { .kind = ESI_INCLUDE, .include = *inc };
    esi_recipe_add(&of_sink(s)->page->recipe, &piece);
}

static void
on_message(struct esi_sink *s, enum esi_severity severity, struct span text)
{
    esi_log_message(of_sink(s)->log, severity, text);
}

static void
leave_record(const struct esi_gzip *e)
{
    packer_record(&e->packer, e->log, "G F E", e->packer.z.total_in, e->packer.z.total_out);
}

static void
end_page(struct esi_gzip *e)
{
    e->page->found = esi_parse_end(&e->parser);
    struct filter_io io = room_of(e, SPAN_LIT(""));
    e->failed = e->failed || packer_end(&e->packer, &io) != FILTER_END;
    e->out_end = OUT_BYTES - io.room;
    e->page->stored_bytes = e->packer.z.total_out;
    leave_record(e); /* before the record of a preceding gunzip, as in Varnish */
    e->packed = true;
}

static void
give_out(struct esi_gzip *e, struct filter_io *io)
{
    e->out_at += filter_io_put(io, e->out + e->out_at, e->out_end - e->out_at);
    if (e->out_at == e->out_end)
        e->out_at = e->out_end = 0;
}

static int
verdict(struct esi_gzip *e)
{
    if (e->failed)
        e->filter.why = "ESI+Gzip failed";
    else if (e->page->recipe.failed)
        e->filter.why = "Could not allocate storage for esidata";
    return e->filter.why == NULL ? 0 : ERR_NOMEM;
}

static int
push(struct filter *f, struct filter_io *io)
{
    struct esi_gzip *e = container_of(f, struct esi_gzip, filter);
    for (e->runs = 0;;) {
        give_out(e, io);
        if (e->out_end > 0)
            return FILTER_MORE;
        if (io->in.len > 0) {
            size_t n = min_size(io->in.len, PIECE_BYTES);
            esi_parse(&e->parser, span_of(io->in.ptr, n));
            filter_io_move(io, n, 0);
        } else if (io->last && !e->packed)
            end_page(e);
        else
            return e->packed ? FILTER_END : FILTER_MORE;
        if (verdict(e) != 0)
            return ERR_NOMEM;
        if (e->runs >= RUNS_AT_ONCE)
            return FILTER_BUSY;
    }
}

static void
close_filter(struct filter *f)
{
    struct esi_gzip *e = container_of(f, struct esi_gzip, filter);
    if (!e->packed)
        leave_record(e);
    packer_stop(&e->packer);
    free(e);
}

size_t
esi_gzip_bytes(void)
{
    return sizeof(struct esi_gzip) + packer_bytes();
}

/* The gzip header is a skipped run: the page may begin with an include, and the assembled body has its own
 * header. */
static void
begin_page(struct esi_gzip *e)
{
    esi_recipe_begin(&e->page->recipe, ESI_GZIP);
    pack(e, SPAN_LIT(""), PACK_RESET);
    e->at = e->packer.z.total_out;
    esi_recipe_add(&e->page->recipe, &(struct esi_piece){ .kind = ESI_SKIP, .bytes = e->at });
    esi_parser_init(&e->parser, &e->page->options, e->page->url, &e->sink, e->at);
}

int
esi_gzip_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = push, .close = close_filter };
    static const struct esi_sink_ops sink_ops = { on_bytes, on_end_run, on_include, on_message };
    struct esi_gzip *e = malloc(sizeof *e);
    CHECK(wants->user != NULL);
    if (e == NULL)
        return ERR_NOMEM;
    e->packer = (struct packer){ .blocks = true };
    if (packer_start(&e->packer) != 0) {
        free(e);
        return ERR_NOMEM;
    }
    counters_here()->n_gzip++;
    e->filter = (struct filter){ .ops = &ops, .gzip = &e->packer.facts };
    e->sink.ops = &sink_ops;
    e->page = wants->user;
    e->log = wants->log;
    e->run = (struct gzip_sum){ 0 };
    e->failed = e->packed = false;
    e->out_at = e->out_end = 0;
    begin_page(e);
    *out = &e->filter;
    return 0;
}
