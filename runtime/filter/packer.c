/* See packer.h. zlib does not report the position of the last block. If the caller needs it, the packer
 * closes the current block first (Z_BLOCK). An empty last block follows at a known position, and costs a byte
 * or two. */
#include "filter/packer.h"

#include <assert.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/gzip.h"

#define EMPTY_BLOCK_BITS 10 /* with fixed codes */
#define FLUSH_ROOM_MIN 7u   /* with less room, zlib may write the end mark of a flush repeatedly */

static_assert(PACKER_PENDING_BYTES >= FLUSH_ROOM_MIN,
              "a flush that fills the buffer fills the room of its caller, too");

int
packer_start(struct packer *p)
{
    int memlevel = (int)params.gzip_memlevel, level = (int)params.gzip_level;
    p->facts.start_bit = GZIP_HEADER_BYTES * 8;
    bool good = deflateInit2(&p->z, level, Z_DEFLATED, GZIP_WINDOW_BITS, memlevel, Z_DEFAULT_STRATEGY) ==
                Z_OK;
    return good ? 0 : ERR_NOMEM;
}

/* FILTER_MORE, FILTER_END, ERR_SYNTAX. */
static int
run(struct packer *p, struct filter_io *io, int flush)
{
    z_stream *z = &p->z;
    uInt room = io->room < UINT32_MAX ? (uInt)io->room : UINT32_MAX;
    CHECK(io->in.len <= UINT32_MAX);
    z->next_in = (Bytef *)(uintptr_t)io->in.ptr;
    z->avail_in = (uInt)io->in.len;
    z->next_out = (Bytef *)io->out;
    z->avail_out = room;
    int r = deflate(z, flush);
    filter_io_move(io, io->in.len - z->avail_in, room - z->avail_out);
    p->facts.plain_bytes = z->total_in;
    if (r == Z_STREAM_END)
        return FILTER_END;
    return r == Z_OK || r == Z_BUF_ERROR ? FILTER_MORE : ERR_SYNTAX;
}

static void
write_pending(struct packer *p, struct filter_io *io)
{
    p->pending_at += filter_io_put(io, p->pending + p->pending_at, p->pending_end - p->pending_at);
}

/* Flushes into a buffer that has room for the end mark. If `io` has too little room, the next calls write the
 * rest. */
static int
flush_pending(struct packer *p, struct filter_io *io, int flush)
{
    struct filter_io pending = { .in = io->in, .out = p->pending, .room = sizeof p->pending };
    int r = run(p, &pending, flush);
    io->in = pending.in;
    p->pending_at = 0;
    p->pending_end = sizeof p->pending - pending.room;
    write_pending(p, io);
    return r;
}

int
packer_push(struct packer *p, struct filter_io *io, enum pack how)
{
    static const int flush[] = { [PACK_ON] = Z_NO_FLUSH,
                                 [PACK_ALIGN] = Z_SYNC_FLUSH,
                                 [PACK_RESET] = Z_FULL_FLUSH };
    write_pending(p, io);
    if (io->room == 0)
        return FILTER_MORE;
    return how == PACK_ON || io->room >= FLUSH_ROOM_MIN ? run(p, io, flush[how])
                                                        : flush_pending(p, io, flush[how]);
}

static void
note_last_block(struct packer *p)
{
    unsigned bytes = 0;
    int bits = 0;
    CHECK(deflatePending(&p->z, &bytes, &bits) == Z_OK);
    p->facts.last_bit = ((uint64_t)p->z.total_out + bytes) * 8 + (unsigned)bits;
    p->block_closed = true;
}

/* The last block is empty. It uses fixed codes; at level 0 it is stored and ends at a byte boundary. */
static void
note_stop(struct packer *p)
{
    uint64_t end = ((uint64_t)p->z.total_out - GZIP_TRAILER_BYTES) * 8,
             stop = p->facts.last_bit + EMPTY_BLOCK_BITS;
    p->facts.stop_bit = stop <= end && end - stop < 8 ? stop : end;
}

int
packer_end(struct packer *p, struct filter_io *io)
{
    write_pending(p, io);
    if (io->room == 0)
        return FILTER_MORE;
    if (p->blocks && !p->block_closed) {
        int err = run(p, io, Z_BLOCK);
        if (err != 0 || io->in.len > 0 || io->room == 0)
            return err;
        note_last_block(p);
    }
    int r = run(p, io, Z_FINISH);
    if (r == FILTER_END && p->blocks)
        note_stop(p);
    return r;
}

void
packer_record(const struct packer *p, struct log_txn *log, const char *id, uint64_t in_bytes,
              uint64_t out_bytes)
{
    log_printf(log, TAG_GZIP, "%s %llu %llu %llu %llu %llu", id, (unsigned long long)in_bytes,
               (unsigned long long)out_bytes, (unsigned long long)p->facts.start_bit,
               (unsigned long long)p->facts.last_bit, (unsigned long long)p->facts.stop_bit);
}

void
packer_stop(struct packer *p)
{
    (void)deflateEnd(&p->z);
}

/* zlib's documented need: four times the window of 32 KB, and 512 bytes doubled for each level of memory. */
size_t
packer_bytes(void)
{
    return 4 * (32u << 10) + (512u << params.gzip_memlevel) + (8u << 10);
}
