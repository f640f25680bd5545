/* gunzip and testgunzip with zlib; gunzip_delivery.c unpacks stored bodies. See gzip.h, and
 * docs/dependencies.md for the choice of the libraries.
 *
 * A body is one or more gzip members (RFC 1952, 2.2). Other bytes behind a member are junk and fail the body,
 * as in Varnish. A body without any byte unpacks to nothing: some origins label an empty body as gzip before
 * they know its length. Inflating stops at the end of each block (Z_BLOCK), because stitching gzip bodies
 * needs the positions of blocks; stitching needs a single member. */
#include "filter/gzip.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/params.h"
#include "log/counters.h"
#include "loop/fiber.h"

#define GZIP_FIRST_BYTE 0x1f /* of a member */
#define DATA_UNUSED_BITS 7   /* z_stream.data_type after inflate with Z_BLOCK */
#define DATA_LAST_BLOCK 64
#define DATA_AT_BOUNDARY 128

struct gunzip_filter {
    struct filter filter;
    z_stream z;
    struct log_txn *log;
    enum filter_side side;
    const char *id; /* begins its log record */
    struct gzip_facts facts;
    uint64_t block_bit;             /* start of the current block */
    bool ended;                     /* the trailer of the current member was checked and is valid */
    bool has_more;                  /* members behind the first */
    uint64_t in_before, out_before; /* bytes of the members before the current one */
    char why[96];
    char *scratch; /* testgunzip: buffer for the unpacked bytes, which it drops */
    size_t scratch_bytes;
};

static struct gunzip_filter *
gunzip_of(struct filter *f)
{
    return container_of(f, struct gunzip_filter, filter);
}

static int
failed(struct gunzip_filter *g, const char *why, const char *detail)
{
    snprintf(g->why, sizeof g->why, "%s%s", why, detail);
    g->filter.why = g->why;
    return ERR_SYNTAX;
}

static const char *
message_of(const struct gunzip_filter *g)
{
    return g->z.msg != NULL ? g->z.msg : "(null)";
}

/* ---- inflating ---- */

static uint64_t
in_bytes(const struct gunzip_filter *g)
{
    return g->in_before + g->z.total_in;
}

static uint64_t
out_bytes(const struct gunzip_filter *g)
{
    return g->out_before + g->z.total_out;
}

static void
note_block(struct gunzip_filter *g)
{
    if ((g->z.data_type & DATA_AT_BOUNDARY) == 0 || g->has_more)
        return;
    uint64_t at = (uint64_t)g->z.total_in * 8 - (unsigned)(g->z.data_type & DATA_UNUSED_BITS);
    if (g->facts.start_bit == 0)
        g->facts.start_bit = at;
    else if (g->z.data_type & DATA_LAST_BLOCK && g->facts.stop_bit == 0) {
        g->facts.last_bit = g->block_bit;
        g->facts.stop_bit = at;
    }
    g->block_bit = at;
}

const char *
gunzip_over_limit(uint64_t in_bytes, uint64_t out_bytes)
{
    if (params.gunzip_size_max_bytes > 0 && out_bytes > params.gunzip_size_max_bytes)
        return "gunzip_size_max exceeded";
    if (out_bytes > GUNZIP_RATIO_FROM && out_bytes / params.gunzip_ratio_max > in_bytes)
        return "gunzip_ratio_max exceeded";
    return NULL;
}

static int
check_size(struct gunzip_filter *g)
{
    const char *why = gunzip_over_limit(in_bytes(g), out_bytes(g));
    return why == NULL ? 0 : failed(g, why, "");
}

static int
invalid(struct gunzip_filter *g, int zlib_error)
{
    log_printf(g->log, TAG_GZIP, "Gunzip error: %d (%s)", zlib_error, message_of(g));
    return failed(g, "Invalid Gzip data: ", message_of(g));
}

static int
junk(struct gunzip_filter *g)
{
    if (g->side == FILTER_DELIVERY)
        log_printf(g->log, TAG_GZIP, "G(un)zip error: %d (%s)", Z_STREAM_END, "junk after VGZ_END");
    return failed(g, "Junk after gzip data", "");
}

/* Begins the member behind the current one. */
static int
next_member(struct gunzip_filter *g)
{
    if (*g->z.next_in != GZIP_FIRST_BYTE)
        return junk(g);
    g->in_before = in_bytes(g);
    g->out_before = out_bytes(g);
    CHECK(inflateReset(&g->z) == Z_OK);
    g->ended = false;
    g->has_more = true;
    g->facts = (struct gzip_facts){ 0 };
    return 0;
}

static int
inflate_member(struct gunzip_filter *g)
{
    int r = Z_OK;
    while (!g->ended && r == Z_OK) {
        r = inflate(&g->z, Z_BLOCK);
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
            return invalid(g, r);
        note_block(g);
        g->ended = r == Z_STREAM_END;
        int err = check_size(g);
        if (err != 0)
            return err;
        if (g->z.avail_out == 0 || (g->z.avail_in == 0 && (g->z.data_type & DATA_AT_BOUNDARY) == 0))
            break;
    }
    return 0;
}

/* Unpacks until z has no more input or room. */
static int
inflate_all(struct gunzip_filter *g)
{
    int err = 0;
    do {
        if (g->ended && g->z.avail_in > 0)
            err = next_member(g);
        if (err == 0)
            err = inflate_member(g);
    } while (err == 0 && g->ended && g->z.avail_in > 0);
    g->facts.plain_bytes = out_bytes(g);
    return err;
}

/* May the body end here? */
static bool
is_whole(const struct gunzip_filter *g)
{
    return g->ended || in_bytes(g) == 0;
}

static void
set_input(struct gunzip_filter *g, struct span in)
{
    CHECK(in.len <= UINT32_MAX);
    g->z.next_in = (Bytef *)(uintptr_t)in.ptr;
    g->z.avail_in = (uInt)in.len;
}

static void
set_output(struct gunzip_filter *g, char *out, size_t room)
{
    g->z.next_out = (Bytef *)out;
    g->z.avail_out = room < UINT32_MAX ? (uInt)room : UINT32_MAX;
}

static void
move_on(const struct gunzip_filter *g, struct filter_io *io)
{
    filter_io_move(io, io->in.len - g->z.avail_in, (size_t)((char *)g->z.next_out - io->out));
}

static int
gunzip_push(struct filter *f, struct filter_io *io)
{
    struct gunzip_filter *g = gunzip_of(f);
    set_input(g, io->in);
    set_output(g, io->out, io->room);
    int err = inflate_all(g);
    move_on(g, io);
    if (err != 0)
        return err;
    bool over = io->last && io->in.len == 0;
    if (is_whole(g))
        return over ? FILTER_END : FILTER_MORE;
    if (over && io->room > 0)
        return failed(g, "Gunzip error at the very end", "");
    return FILTER_MORE;
}

static int
testgunzip_look(struct filter *f, struct span bytes, bool last)
{
    struct gunzip_filter *g = gunzip_of(f);
    set_input(g, bytes);
    do {
        set_output(g, g->scratch, g->scratch_bytes);
        int err = inflate_all(g);
        if (err != 0)
            return err;
        fiber_yield_if_due(); /* a few bytes may unpack to megabytes */
    } while (!g->ended && g->z.avail_out == 0);
    return last && !is_whole(g) ? failed(g, "tGunzip failed", "") : 0;
}

/* ---- opening and closing ---- */

/* zlib's documented need: a window of 32 KB and about 7 KB to inflate. */
size_t
gunzip_bytes(void)
{
    return sizeof(struct gunzip_filter) + (40u << 10);
}

size_t
testgunzip_bytes(void)
{
    return gunzip_bytes() + params.gzip_buffer_bytes;
}

static void
gunzip_close(struct filter *f)
{
    struct gunzip_filter *g = gunzip_of(f);
    log_printf(g->log, TAG_GZIP, "%s %llu %llu %llu %llu %llu", g->id, (unsigned long long)in_bytes(g),
               (unsigned long long)out_bytes(g), (unsigned long long)g->facts.start_bit,
               (unsigned long long)g->facts.last_bit, (unsigned long long)g->facts.stop_bit);
    (void)inflateEnd(&g->z);
    free(g->scratch);
    free(g);
}

static struct gunzip_filter *
new_filter(const struct filter_wants *wants, const struct filter_ops *ops, const char *id)
{
    struct gunzip_filter *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->filter.ops = ops;
    g->filter.gzip = &g->facts;
    g->log = wants->log;
    g->side = wants->side;
    g->id = id;
    return g;
}

static int
open_inflate(const struct filter_wants *wants, const struct filter_ops *ops, const char *id,
             struct gunzip_filter **out)
{
    struct gunzip_filter *g = new_filter(wants, ops, id);
    if (g == NULL || inflateInit2(&g->z, GZIP_WINDOW_BITS) != Z_OK) {
        free(g);
        return ERR_NOMEM;
    }
    *out = g;
    return 0;
}

int
gunzip_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = gunzip_push, .close = gunzip_close };
    struct gunzip_filter *g = NULL;
    int err = open_inflate(wants, &ops, wants->side == FILTER_FETCH ? "U F -" : "U D -", &g);
    if (err != 0)
        return err;
    counters_here()->n_gunzip++;
    *out = &g->filter;
    return 0;
}

int
testgunzip_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .look = testgunzip_look, .close = gunzip_close };
    struct gunzip_filter *g = NULL;
    int err = open_inflate(wants, &ops, "u F -", &g);
    if (err != 0)
        return err;
    g->scratch_bytes = params.gzip_buffer_bytes;
    g->scratch = malloc(g->scratch_bytes);
    if (g->scratch == NULL) {
        (void)inflateEnd(&g->z);
        free(g);
        return ERR_NOMEM;
    }
    counters_here()->n_test_gunzip++;
    *out = &g->filter;
    return 0;
}
