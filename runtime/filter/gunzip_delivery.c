/* gunzip for delivery, with ISA-L, which takes less than half of zlib's time (docs/dependencies.md). ISA-L
 * does not report where blocks begin, and refuses gzip headers with a header CRC. So this filter takes only
 * bodies whose facts are known from storing, and skips the header itself. zlib unpacks all other bodies
 * (gzip.c). See gzip.h. */
#include <isa-l.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/size.h"
#include "filter/gzip.h"
#include "log/counters.h"

#define ZLIB_STREAM_END 1 /* log records have zlib's error numbers, as in Varnish */
#define ZLIB_DATA_ERROR (-3)

struct gunzip_delivery {
    struct filter filter;
    struct log_txn *log;
    struct gzip_facts known;
    size_t head_left;             /* bytes of the header not yet skipped */
    uint64_t in_bytes, out_bytes; /* ISA-L's own counters have only 32 bits */
    bool ended;                   /* the trailer was checked and is valid */
    struct inflate_state z;
};

static struct gunzip_delivery *
gunzip_of(struct filter *f)
{
    return container_of(f, struct gunzip_delivery, filter);
}

static int
failed(struct gunzip_delivery *g, const char *why)
{
    g->filter.why = why;
    return ERR_SYNTAX;
}

/* zlib's message for an error of ISA-L. */
static const char *
message_for(int isal_error)
{
    switch (isal_error) {
    case ISAL_INVALID_BLOCK: return "Invalid Gzip data: invalid block";
    case ISAL_INVALID_SYMBOL: return "Invalid Gzip data: invalid literal/length code";
    case ISAL_INVALID_LOOKBACK: return "Invalid Gzip data: invalid distance too far back";
    case ISAL_INCORRECT_CHECKSUM: return "Invalid Gzip data: incorrect data check";
    default: return "Invalid Gzip data";
    }
}

static int
invalid(struct gunzip_delivery *g, int isal_error)
{
    const char *why = message_for(isal_error), *detail = strchr(why, ':');
    log_printf(g->log, TAG_GZIP, "Gunzip error: %d (%s)", ZLIB_DATA_ERROR,
               detail == NULL ? "(null)" : detail + 2);
    return failed(g, why);
}

static int
junk(struct gunzip_delivery *g)
{
    log_printf(g->log, TAG_GZIP, "G(un)zip error: %d (%s)", ZLIB_STREAM_END, "junk after VGZ_END");
    return failed(g, "Junk after gzip data");
}

static int
limit_pieces(struct gunzip_delivery *g)
{
    const char *why = gunzip_over_limit(g->in_bytes, g->out_bytes);
    return why == NULL ? 0 : failed(g, why);
}

static void
skip_head(struct gunzip_delivery *g, struct filter_io *io)
{
    size_t n = min_size(g->head_left, io->in.len);
    filter_io_move(io, n, 0);
    g->head_left -= n;
    g->in_bytes += n;
}

/* Unpacks until the input is consumed or the output is full. */
static int
inflate_all(struct gunzip_delivery *g, struct filter_io *io)
{
    CHECK(io->in.len <= UINT32_MAX);
    g->z.next_in = (uint8_t *)(uintptr_t)io->in.ptr;
    g->z.avail_in = (uint32_t)io->in.len;
    g->z.next_out = (uint8_t *)io->out;
    g->z.avail_out = io->room < UINT32_MAX ? (uint32_t)io->room : UINT32_MAX;
    int r = isal_inflate(&g->z);
    /* After an error avail_in may have wrapped. */
    size_t consumed = io->in.len - min_size(g->z.avail_in, io->in.len),
           produced = (size_t)((char *)g->z.next_out - io->out);
    filter_io_move(io, consumed, produced);
    g->in_bytes += consumed;
    g->out_bytes += produced;
    g->ended = g->z.block_state == ISAL_BLOCK_FINISH;
    return r == ISAL_DECOMP_OK ? limit_pieces(g) : invalid(g, r);
}

static int
delivery_push(struct filter *f, struct filter_io *io)
{
    struct gunzip_delivery *g = gunzip_of(f);
    skip_head(g, io);
    int err = g->ended ? 0 : inflate_all(g, io);
    if (err != 0)
        return err;
    if (g->ended && io->in.len > 0)
        return junk(g);
    if (g->ended)
        return io->last ? FILTER_END : FILTER_MORE;
    if (io->last && io->in.len == 0 && io->room > 0)
        return failed(g, "Gunzip error at the very end");
    return FILTER_MORE;
}

static void
delivery_close(struct filter *f)
{
    struct gunzip_delivery *g = gunzip_of(f);
    struct gzip_facts k = g->known;
    log_printf(g->log, TAG_GZIP, "U D - %llu %llu %llu %llu %llu", (unsigned long long)g->in_bytes,
               (unsigned long long)g->out_bytes, (unsigned long long)k.start_bit,
               (unsigned long long)k.last_bit, (unsigned long long)k.stop_bit);
    free(g);
}

size_t
gunzip_delivery_bytes(void)
{
    return sizeof(struct gunzip_delivery) > gunzip_bytes() ? sizeof(struct gunzip_delivery) : gunzip_bytes();
}

int
gunzip_delivery_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = delivery_push, .close = delivery_close };
    if (wants->known == NULL || wants->known->start_bit == 0)
        return gunzip_open(wants, out);
    struct gunzip_delivery *g = malloc(sizeof *g);
    if (g == NULL)
        return ERR_NOMEM;
    g->filter = (struct filter){ .ops = &ops };
    g->log = wants->log;
    g->known = *wants->known;
    g->head_left = g->known.start_bit / 8;
    g->in_bytes = g->out_bytes = 0;
    g->ended = false;
    isal_inflate_init(&g->z);
    g->z.crc_flag = ISAL_GZIP_NO_HDR_VER;
    counters_here()->n_gunzip++;
    *out = &g->filter;
    return 0;
}
