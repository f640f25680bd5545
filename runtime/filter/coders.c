/* br and zstd, with their authors' libraries: see coders.h.
 *
 * The windows are limited to 64 and 128 KB: longer windows save only some per cent of a page, and each
 * delivery that packs on the fly has its own encoder. */
#include "filter/coders.h"

#include <brotli/encode.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/check.h"
#include "base/list.h"
#include "base/params.h"
#include "log/counters.h"

/* Measured with 3 MB of text and noise: br needs up to 2.0 MB (levels 4 to 6), zstd up to 1.5 MB (levels 3
 * and 4). Allocators round up. */
#define CODER_BYTES ((size_t)5 << 19)
#define BR_WINDOW_BITS 16
#define ZSTD_WINDOW_BITS 17
#define ZSTD_TABLE_BITS 16

struct coder {
    struct filter filter;
    struct log_txn *log;
    const char *id;         /* begins its log record */
    BrotliEncoderState *br; /* either br or zstd is set */
    ZSTD_CCtx *zstd;
    bool flushing; /* br: a flush is unfinished; br takes no input until it ends */
    uint64_t in_bytes, out_bytes;
};

static struct coder *
coder_of(struct filter *f)
{
    return container_of(f, struct coder, filter);
}

size_t
coder_bytes(void)
{
    return sizeof(struct coder) + CODER_BYTES;
}

static void
move_on(struct coder *c, struct filter_io *io, size_t consumed, size_t produced)
{
    filter_io_move(io, consumed, produced);
    c->in_bytes += consumed;
    c->out_bytes += produced;
}

/* ---- br ---- */

/* Works until the input is consumed and all output is written, or `io` has no more room. */
static int
br_step(struct coder *c, struct filter_io *io, BrotliEncoderOperation op)
{
    const uint8_t *in = (const uint8_t *)io->in.ptr;
    uint8_t *out = (uint8_t *)io->out;
    size_t in_left = op == BROTLI_OPERATION_FLUSH ? 0 : io->in.len, room = io->room, had = in_left;
    do {
        if (!BrotliEncoderCompressStream(c->br, op, &in_left, &in, &room, &out, NULL)) {
            c->filter.why = "Brotli failed";
            return ERR_NOMEM;
        }
    } while (room > 0 && (in_left > 0 || BrotliEncoderHasMoreOutput(c->br)));
    move_on(c, io, had - in_left, io->room - room);
    return 0;
}

static int
br_push(struct filter *f, struct filter_io *io)
{
    struct coder *c = coder_of(f);
    int err = c->flushing ? br_step(c, io, BROTLI_OPERATION_FLUSH) : 0;
    c->flushing = err == 0 && c->flushing && BrotliEncoderHasMoreOutput(c->br);
    if (err != 0 || c->flushing || io->room == 0)
        return err;
    if (io->in.len > 0 || io->last)
        err = br_step(c, io, io->last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS);
    if (err == 0 && io->flush && io->in.len == 0 && io->room > 0 && c->in_bytes > 0) {
        err = br_step(c, io, BROTLI_OPERATION_FLUSH);
        c->flushing = BrotliEncoderHasMoreOutput(c->br);
    }
    if (err != 0)
        return err;
    return BrotliEncoderIsFinished(c->br) ? FILTER_END : FILTER_MORE;
}

/* ---- zstd ---- */

static int
zstd_push(struct filter *f, struct filter_io *io)
{
    struct coder *c = coder_of(f);
    ZSTD_EndDirective op = io->last ? ZSTD_e_end : io->flush ? ZSTD_e_flush : ZSTD_e_continue;
    ZSTD_inBuffer in = { io->in.ptr, io->in.len, 0 };
    ZSTD_outBuffer out = { io->out, io->room, 0 };
    size_t left = 0;
    do {
        left = ZSTD_compressStream2(c->zstd, &out, &in, op);
        if (ZSTD_isError(left)) {
            f->why = "Zstandard failed";
            return ERR_NOMEM;
        }
    } while (out.pos < out.size && (in.pos < in.size || (left > 0 && op != ZSTD_e_continue)));
    move_on(c, io, in.pos, out.pos);
    return io->last && io->in.len == 0 && left == 0 ? FILTER_END : FILTER_MORE;
}

/* ---- opening and closing ---- */

static void
coder_free(struct coder *c)
{
    if (c->br != NULL)
        BrotliEncoderDestroyInstance(c->br);
    (void)ZSTD_freeCCtx(c->zstd);
    free(c);
}

static void
coder_close(struct filter *f)
{
    struct coder *c = coder_of(f);
    log_printf(c->log, TAG_GZIP, "%s %llu %llu 0 0 0", c->id, (unsigned long long)c->in_bytes,
               (unsigned long long)c->out_bytes);
    coder_free(c);
}

static struct coder *
new_coder(const struct filter_wants *wants, const struct filter_ops *ops, const char *id)
{
    struct coder *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->filter = (struct filter){ .ops = ops, .holds_back = true };
    c->log = wants->log;
    c->id = id;
    return c;
}

static bool
set_br(struct coder *c)
{
    c->br = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    return c->br != NULL &&
           BrotliEncoderSetParameter(c->br, BROTLI_PARAM_QUALITY, (uint32_t)params.brotli_level) &&
           BrotliEncoderSetParameter(c->br, BROTLI_PARAM_LGWIN, BR_WINDOW_BITS);
}

static bool
set_one(ZSTD_CCtx *z, ZSTD_cParameter which, int value)
{
    return !ZSTD_isError(ZSTD_CCtx_setParameter(z, which, value));
}

static bool
set_zstd(struct coder *c)
{
    c->zstd = ZSTD_createCCtx();
    return c->zstd != NULL && set_one(c->zstd, ZSTD_c_compressionLevel, (int)params.zstd_level) &&
           set_one(c->zstd, ZSTD_c_windowLog, ZSTD_WINDOW_BITS) &&
           set_one(c->zstd, ZSTD_c_hashLog, ZSTD_TABLE_BITS) &&
           set_one(c->zstd, ZSTD_c_chainLog, ZSTD_TABLE_BITS) && set_one(c->zstd, ZSTD_c_checksumFlag, 1);
}

static int
opened(struct coder *c, bool ready, struct filter **out)
{
    if (ready) {
        *out = &c->filter;
        return 0;
    }
    if (c != NULL)
        coder_free(c);
    return ERR_NOMEM;
}

int
br_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = br_push, .close = coder_close };
    struct coder *c = new_coder(wants, &ops, "B D -");
    counters_here()->n_br++;
    return opened(c, c != NULL && set_br(c), out);
}

int
zstd_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = zstd_push, .close = coder_close };
    struct coder *c = new_coder(wants, &ops, "Z D -");
    counters_here()->n_zstd++;
    return opened(c, c != NULL && set_zstd(c), out);
}
