/* Parts of bodies in gzip coding: see stitch.h. */
#include "filter/stitch.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/size.h"
#include "filter/gzip.h"

#define CRC_BYTES 4
#define BLOCK_BITS_MIN 10 /* the shortest block: header and end code of an empty block with fixed codes */
#define BLOCK_HEAD_BITS 3
#define STORED_BYTES_MAX 65535 /* limit of a stored block */
#define STORED_HEAD_BYTES 5
#define OWN_BYTES_MAX 6

struct part {
    struct filter filter;
    struct gzip_part *made;
    unsigned char own[OWN_BYTES_MAX]; /* bytes that the filter adds, on their way out */
    unsigned own_at, own_end;
    uint64_t at;       /* part_gzip: consumed bytes of the body */
    uint32_t crc;      /* part_gzip: CRC of the trailer, as far as read */
    size_t block_left; /* part_plain: bytes missing in the current stored block */
};

static void
put_le(unsigned char *out, unsigned n, uint64_t number)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = number >> (8 * i) & 0xff;
}

/* ---- bodies ---- */

struct span
stitch_head(void)
{
    static const char head[] = "\x1f\x8b\x08\0\0\0\0\0\2\3"; /* deflate, no time, best compression, Unix */
    return span_of(head, sizeof head - 1);
}

/* An empty stored block marked as last, and the trailer. */
void
stitch_tail(const struct gzip_sum *sum, char out[STITCH_TAIL_BYTES])
{
    unsigned char tail[STITCH_TAIL_BYTES] = { 1, 0, 0, 0xff, 0xff };
    put_le(tail + STORED_HEAD_BYTES, CRC_BYTES, sum->crc);
    put_le(tail + STORED_HEAD_BYTES + CRC_BYTES, GZIP_TRAILER_BYTES - CRC_BYTES, sum->bytes);
    memcpy(out, tail, sizeof tail);
}

void
gzip_sum_add(struct gzip_sum *to, const struct gzip_sum *next)
{
    to->crc = (uint32_t)crc32_combine(to->crc, next->crc, (z_off_t)next->bytes);
    to->bytes += next->bytes;
}

void
gzip_sum_bytes(struct gzip_sum *to, struct span plain)
{
    to->crc = (uint32_t)crc32_z(to->crc, (const Bytef *)plain.ptr, plain.len);
    to->bytes += plain.len;
}

/* ---- parts ---- */

static void
copy(struct filter_io *io, size_t n)
{
    memcpy(io->out, io->in.ptr, n);
    filter_io_move(io, n, n);
}

static void
give_own(struct part *p, struct filter_io *io)
{
    p->own_at += (unsigned)filter_io_put(io, p->own + p->own_at, p->own_end - p->own_at);
    if (p->own_at == p->own_end)
        p->own_at = p->own_end = 0;
}

/* ---- of a body in gzip coding ---- */

bool
stitch_fits(const struct gzip_facts *f, uint64_t stored_bytes)
{
    return f->start_bit > 0 && f->start_bit % 8 == 0 && f->last_bit >= f->start_bit &&
           f->stop_bit >= f->last_bit + BLOCK_BITS_MIN &&
           (f->stop_bit + 7) / 8 + GZIP_TRAILER_BYTES == stored_bytes;
}

static int
take_byte(struct part *p, struct filter_io *io)
{
    int byte = (unsigned char)*io->in.ptr;
    filter_io_move(io, 1, 0);
    p->at++;
    return byte;
}

static void
unmark_last(struct part *p, struct filter_io *io)
{
    p->own[p->own_end++] = (unsigned char)(take_byte(p, io) & ~(1 << p->made->facts.last_bit % 8));
}

/* Appends an empty stored block after the last one, which ends at a byte boundary. Drops the origin's padding
 * bits. */
static void
align_stop(struct part *p, struct filter_io *io)
{
    unsigned bits = p->made->facts.stop_bit % 8;
    p->own[p->own_end++] = (unsigned char)(take_byte(p, io) & ((1 << bits) - 1));
    if (bits + BLOCK_HEAD_BITS > 8)
        p->own[p->own_end++] = 0;
    put_le(p->own + p->own_end, 4, 0xffff0000);
    p->own_end += 4;
}

static void
read_trailer(struct part *p, struct filter_io *io)
{
    uint64_t in_trailer = p->at - (p->made->stored_bytes - GZIP_TRAILER_BYTES);
    uint32_t byte = (uint32_t)take_byte(p, io);
    if (in_trailer < CRC_BYTES)
        p->crc |= byte << (8 * in_trailer);
}

/* Copies up to the offset `until` in the body, as far as input and room allow. */
static void
pass(struct part *p, struct filter_io *io, uint64_t until)
{
    size_t n = min_size(min_size(io->in.len, io->room), (size_t)(until - p->at));
    copy(io, n);
    p->at += n;
}

static void
member_step(struct part *p, struct filter_io *io)
{
    const struct gzip_facts *f = &p->made->facts;
    uint64_t start = f->start_bit / 8, last = f->last_bit / 8, stop = f->stop_bit / 8;
    if (p->at < start)
        (void)take_byte(p, io);
    else if (p->at < last)
        pass(p, io, last);
    else if (p->at == last)
        unmark_last(p, io);
    else if (p->at < stop)
        pass(p, io, stop);
    else if (p->at == stop && f->stop_bit % 8 != 0)
        align_stop(p, io);
    else
        read_trailer(p, io);
}

static int
part_gzip_push(struct filter *f, struct filter_io *io)
{
    struct part *p = container_of(f, struct part, filter);
    for (;;) {
        give_own(p, io);
        if (p->own_end > 0 || (io->room == 0 && io->in.len > 0))
            return FILTER_MORE;
        if (io->in.len == 0)
            break;
        if (p->at == p->made->stored_bytes) {
            f->why = "Body is longer than its object";
            return ERR_SYNTAX;
        }
        member_step(p, io);
    }
    if (!io->last)
        return FILTER_MORE;
    if (p->at < p->made->stored_bytes) {
        f->why = "Body is shorter than its object";
        return ERR_SYNTAX;
    }
    p->made->sum = (struct gzip_sum){ .bytes = p->made->facts.plain_bytes, .crc = p->crc };
    return FILTER_END;
}

/* ---- of any other body ---- */

/* Begins a block only for bytes that have arrived: the block must be complete even if the body breaks off. */
static void
begin_block(struct part *p, struct filter_io *io)
{
    size_t n = min_size(io->in.len, STORED_BYTES_MAX);
    if (io->room > STORED_HEAD_BYTES)
        n = min_size(n, io->room - STORED_HEAD_BYTES);
    p->own[0] = 0;
    put_le(p->own + 1, 2, n);
    put_le(p->own + 3, 2, ~(uint64_t)n);
    p->own_end = STORED_HEAD_BYTES;
    p->block_left = n;
    gzip_sum_bytes(&p->made->sum, span_of(io->in.ptr, n));
}

static int
part_plain_push(struct filter *f, struct filter_io *io)
{
    struct part *p = container_of(f, struct part, filter);
    while (io->room > 0 && io->in.len > 0) {
        if (p->block_left == 0)
            begin_block(p, io);
        give_own(p, io);
        size_t n = min_size(p->block_left, min_size(io->in.len, io->room));
        copy(io, n);
        p->block_left -= n;
    }
    return io->last && io->in.len == 0 ? FILTER_END : FILTER_MORE;
}

/* ---- opening and closing ---- */

static void
part_close(struct filter *f)
{
    free(container_of(f, struct part, filter));
}

static int
part_open(const struct filter_wants *wants, const struct filter_ops *ops, struct filter **out)
{
    struct part *p = calloc(1, sizeof *p);
    CHECK(wants->user != NULL);
    if (p == NULL)
        return ERR_NOMEM;
    p->filter.ops = ops;
    p->made = wants->user;
    p->made->sum = (struct gzip_sum){ 0 };
    *out = &p->filter;
    return 0;
}

int
part_gzip_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = part_gzip_push, .close = part_close };
    const struct gzip_part *made = wants->user;
    CHECK(stitch_fits(&made->facts, made->stored_bytes));
    return part_open(wants, &ops, out);
}

int
part_plain_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .push = part_plain_push, .close = part_close };
    return part_open(wants, &ops, out);
}

size_t
part_bytes(void)
{
    return sizeof(struct part);
}
