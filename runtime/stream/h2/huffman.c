/* See huffman.h. Symbols of at most ten bits, which is nearly all text, are found by one look-up; the others
 * by comparing with the last code of each length, because codes of one length are neighbours (a canonical
 * code). The table of RFC 7541, appendix B, is in tests/runtime/stream/huffman_code.h: nothing here encodes.
 */
#include "stream/h2/huffman.h"

#include <endian.h>

#include "base/check.h"

#define EOS_BITS 30u
#define QUICK_BITS 10u
#define SYMBOLS_AT_ONCE 12u /* of five bits in 64 */

/* By the next ten bits: a symbol and the length of its code; 0, 0 for longer codes. */
static const struct short_code {
    uint8_t symbol, bits;
} quick[1u << QUICK_BITS] = {
    [0x000 ... 0x01f] = { '0', 5 }, [0x020 ... 0x03f] = { '1', 5 }, [0x040 ... 0x05f] = { '2', 5 },
    [0x060 ... 0x07f] = { 'a', 5 }, [0x080 ... 0x09f] = { 'c', 5 }, [0x0a0 ... 0x0bf] = { 'e', 5 },
    [0x0c0 ... 0x0df] = { 'i', 5 }, [0x0e0 ... 0x0ff] = { 'o', 5 }, [0x100 ... 0x11f] = { 's', 5 },
    [0x120 ... 0x13f] = { 't', 5 }, [0x140 ... 0x14f] = { ' ', 6 }, [0x150 ... 0x15f] = { '%', 6 },
    [0x160 ... 0x16f] = { '-', 6 }, [0x170 ... 0x17f] = { '.', 6 }, [0x180 ... 0x18f] = { '/', 6 },
    [0x190 ... 0x19f] = { '3', 6 }, [0x1a0 ... 0x1af] = { '4', 6 }, [0x1b0 ... 0x1bf] = { '5', 6 },
    [0x1c0 ... 0x1cf] = { '6', 6 }, [0x1d0 ... 0x1df] = { '7', 6 }, [0x1e0 ... 0x1ef] = { '8', 6 },
    [0x1f0 ... 0x1ff] = { '9', 6 }, [0x200 ... 0x20f] = { '=', 6 }, [0x210 ... 0x21f] = { 'A', 6 },
    [0x220 ... 0x22f] = { '_', 6 }, [0x230 ... 0x23f] = { 'b', 6 }, [0x240 ... 0x24f] = { 'd', 6 },
    [0x250 ... 0x25f] = { 'f', 6 }, [0x260 ... 0x26f] = { 'g', 6 }, [0x270 ... 0x27f] = { 'h', 6 },
    [0x280 ... 0x28f] = { 'l', 6 }, [0x290 ... 0x29f] = { 'm', 6 }, [0x2a0 ... 0x2af] = { 'n', 6 },
    [0x2b0 ... 0x2bf] = { 'p', 6 }, [0x2c0 ... 0x2cf] = { 'r', 6 }, [0x2d0 ... 0x2df] = { 'u', 6 },
    [0x2e0 ... 0x2e7] = { ':', 7 }, [0x2e8 ... 0x2ef] = { 'B', 7 }, [0x2f0 ... 0x2f7] = { 'C', 7 },
    [0x2f8 ... 0x2ff] = { 'D', 7 }, [0x300 ... 0x307] = { 'E', 7 }, [0x308 ... 0x30f] = { 'F', 7 },
    [0x310 ... 0x317] = { 'G', 7 }, [0x318 ... 0x31f] = { 'H', 7 }, [0x320 ... 0x327] = { 'I', 7 },
    [0x328 ... 0x32f] = { 'J', 7 }, [0x330 ... 0x337] = { 'K', 7 }, [0x338 ... 0x33f] = { 'L', 7 },
    [0x340 ... 0x347] = { 'M', 7 }, [0x348 ... 0x34f] = { 'N', 7 }, [0x350 ... 0x357] = { 'O', 7 },
    [0x358 ... 0x35f] = { 'P', 7 }, [0x360 ... 0x367] = { 'Q', 7 }, [0x368 ... 0x36f] = { 'R', 7 },
    [0x370 ... 0x377] = { 'S', 7 }, [0x378 ... 0x37f] = { 'T', 7 }, [0x380 ... 0x387] = { 'U', 7 },
    [0x388 ... 0x38f] = { 'V', 7 }, [0x390 ... 0x397] = { 'W', 7 }, [0x398 ... 0x39f] = { 'Y', 7 },
    [0x3a0 ... 0x3a7] = { 'j', 7 }, [0x3a8 ... 0x3af] = { 'k', 7 }, [0x3b0 ... 0x3b7] = { 'q', 7 },
    [0x3b8 ... 0x3bf] = { 'v', 7 }, [0x3c0 ... 0x3c7] = { 'w', 7 }, [0x3c8 ... 0x3cf] = { 'x', 7 },
    [0x3d0 ... 0x3d7] = { 'y', 7 }, [0x3d8 ... 0x3df] = { 'z', 7 }, [0x3e0 ... 0x3e3] = { '&', 8 },
    [0x3e4 ... 0x3e7] = { '*', 8 }, [0x3e8 ... 0x3eb] = { ',', 8 }, [0x3ec ... 0x3ef] = { ';', 8 },
    [0x3f0 ... 0x3f3] = { 'X', 8 }, [0x3f4 ... 0x3f7] = { 'Z', 8 }, [0x3f8] = { '!', 10 },
    [0x3f9] = { '"', 10 },          [0x3fa] = { '(', 10 },          [0x3fb] = { ')', 10 },
    [0x3fc] = { '?', 10 },
};

/* The codes longer than that, one row a length. A code of `bits` begins below `end`, as the top of 32 bits.
 */
static const struct {
    uint32_t first, end;
    uint8_t bits, symbols; /* symbols: index of the first one in `rare` */
} lengths[] = {
    { 0xff400000, 0xffa00000, 11, 0 },   { 0xffa00000, 0xffc00000, 12, 3 },
    { 0xffc00000, 0xfff00000, 13, 5 },   { 0xfff00000, 0xfff80000, 14, 11 },
    { 0xfff80000, 0xfffe0000, 15, 13 },  { 0xfffe0000, 0xfffe6000, 19, 16 },
    { 0xfffe6000, 0xfffee000, 20, 19 },  { 0xfffee000, 0xffff4800, 21, 27 },
    { 0xffff4800, 0xffffb000, 22, 40 },  { 0xffffb000, 0xffffea00, 23, 66 },
    { 0xffffea00, 0xfffff600, 24, 95 },  { 0xfffff600, 0xfffff800, 25, 107 },
    { 0xfffff800, 0xfffffbc0, 26, 111 }, { 0xfffffbc0, 0xfffffe20, 27, 126 },
    { 0xfffffe20, 0xfffffff0, 28, 145 }, { 0xfffffff0, 0xfffffffc, 30, 174 },
};

static const uint8_t rare[] = {
    0x27, 0x2b, 0x7c, 0x23, 0x3e, 0x00, 0x24, 0x40, 0x5b, 0x5d, 0x7e, 0x5e, 0x7d, 0x3c, 0x60, 0x7b, 0x5c,
    0xc3, 0xd0, 0x80, 0x82, 0x83, 0xa2, 0xb8, 0xc2, 0xe0, 0xe2, 0x99, 0xa1, 0xa7, 0xac, 0xb0, 0xb1, 0xb3,
    0xd1, 0xd8, 0xd9, 0xe3, 0xe5, 0xe6, 0x81, 0x84, 0x85, 0x86, 0x88, 0x92, 0x9a, 0x9c, 0xa0, 0xa3, 0xa4,
    0xa9, 0xaa, 0xad, 0xb2, 0xb5, 0xb9, 0xba, 0xbb, 0xbd, 0xbe, 0xc4, 0xc6, 0xe4, 0xe8, 0xe9, 0x01, 0x87,
    0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x8f, 0x93, 0x95, 0x96, 0x97, 0x98, 0x9b, 0x9d, 0x9e, 0xa5, 0xa6, 0xa8,
    0xae, 0xaf, 0xb4, 0xb6, 0xb7, 0xbc, 0xbf, 0xc5, 0xe7, 0xef, 0x09, 0x8e, 0x90, 0x91, 0x94, 0x9f, 0xab,
    0xce, 0xd7, 0xe1, 0xec, 0xed, 0xc7, 0xcf, 0xea, 0xeb, 0xc0, 0xc1, 0xc8, 0xc9, 0xca, 0xcd, 0xd2, 0xd5,
    0xda, 0xdb, 0xee, 0xf0, 0xf2, 0xf3, 0xff, 0xcb, 0xcc, 0xd3, 0xd4, 0xd6, 0xdd, 0xde, 0xdf, 0xf1, 0xf4,
    0xf5, 0xf6, 0xf7, 0xf8, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0b,
    0x0c, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e,
    0x1f, 0x7f, 0xdc, 0xf9, 0x0a, 0x0d, 0x16,
};

/* The next bits are inverted, so that zeros, which shifts bring in, stand for the ones of the padding. */
struct reader {
    const uint8_t *in, *end;
    uint64_t not_bits; /* from the top; those behind `have` are zero, or are those that follow in `in` */
    unsigned have;
};

static inline uint32_t
load_32(const uint8_t *in)
{
    uint32_t bytes;
    memcpy(&bytes, in, sizeof bytes);
    return be32toh(bytes);
}

static inline uint64_t
load_64(const uint8_t *in)
{
    uint64_t bytes;
    memcpy(&bytes, in, sizeof bytes);
    return be64toh(bytes);
}

/* One to seven bytes, some of them twice; zeros follow. */
static inline uint64_t
load_few(const uint8_t *in, unsigned n)
{
    if (n >= 4)
        return (uint64_t)load_32(in) << 32 | (uint64_t)load_32(in + n - 4) << (64 - 8 * n);
    return (uint64_t)in[0] << 56 | (uint64_t)in[n / 2] << (56 - 8 * (n / 2)) |
           (uint64_t)in[n - 1] << (64 - 8 * n);
}

/* Takes as many bytes as fit: more than 56 bits, or the rest of the input. Have less than that. */
static inline void
refill(struct reader *r)
{
    size_t left = (size_t)(r->end - r->in);
    if (left >= 8) {
        r->not_bits |= ~load_64(r->in) >> r->have;
        r->in += (63 - r->have) / 8;
        r->have |= 56;
    } else if (left > 0) {
        unsigned fit = (64 - r->have) / 8, n = left < fit ? (unsigned)left : fit;
        r->not_bits |= (~load_few(r->in, (unsigned)left) & ~(UINT64_MAX >> 8 * n)) >> r->have;
        r->in += n;
        r->have += 8 * n;
    }
}

static inline unsigned
next_bits(const struct reader *r, unsigned n)
{
    return (unsigned)(~r->not_bits >> (64 - n));
}

static inline void
drop_bits(struct reader *r, unsigned n)
{
    r->not_bits <<= n;
    r->have -= n;
}

/* The symbol whose code begins `bits`, which is longer than QUICK_BITS. False: only EOS begins so. */
static bool
find_rare(uint32_t bits, uint8_t *symbol, unsigned *n_bits)
{
    unsigned i = 0;
    while (i < sizeof lengths / sizeof *lengths && bits >= lengths[i].end)
        i++;
    if (i == sizeof lengths / sizeof *lengths)
        return false;
    *n_bits = lengths[i].bits;
    *symbol = rare[lengths[i].symbols + ((bits - lengths[i].first) >> (32 - *n_bits))];
    return true;
}

/* The last bits are no code. */
static int
wrong_padding(unsigned have, bool ones, const char **why)
{
    *why = !ones            ? "Huffman padding is not all ones"
         : have >= EOS_BITS ? "Huffman text contains EOS"
                            : "Huffman padding is longer than 7 bits";
    return ERR_SYNTAX;
}

ssize_t
huffman_decode(const uint8_t *in, size_t n_in, char *out, size_t room, const char **why)
{
    struct reader r = { .in = in, .end = in + n_in };
    size_t n = 0;
    for (;;) {
        if (r.have < EOS_BITS)
            refill(&r);
        struct short_code c;
        bool fits = room >= n + SYMBOLS_AT_ONCE;
        while (fits && r.have >= QUICK_BITS && (c = quick[next_bits(&r, QUICK_BITS)]).bits > 0) {
            out[n++] = (char)c.symbol;
            drop_bits(&r, c.bits);
        }
        if (r.have < EOS_BITS && r.in < r.end)
            continue;
        if (r.not_bits == 0 && r.in == r.end)
            return r.have < 8 ? (ssize_t)n : wrong_padding(r.have, true, why);
        c = quick[next_bits(&r, QUICK_BITS)];
        unsigned bits = c.bits;
        if (bits == 0 && !find_rare(next_bits(&r, 32), &c.symbol, &bits))
            return wrong_padding(r.have, true, why);
        if (bits > r.have)
            return wrong_padding(r.have, false, why);
        if (n < room)
            out[n] = (char)c.symbol;
        n++;
        drop_bits(&r, bits);
    }
}
