/* gzip by zlib, libdeflate and ISA-L: CPU time and size, for whole bodies and for bodies in pieces of 32 KB.
 *
 *     make micro-gzip [ROUNDS=41]
 *
 * Bodies are the first bytes of the files in the command line, which are pages and sources of this
 * repository. Candidates take turns in each round, so that a busy machine slows all of them. Prints the
 * median of the rounds. zlib decompresses each output, which must equal the body. */
#include <isa-l.h>
#include <libdeflate.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/check.h"

#define BODY_BYTES_MAX (1u << 20)
#define PIECE_BYTES ((size_t)32768)
#define WHOLE (SIZE_MAX / 2)
#define ROUNDS_MAX 501
#define GZIP_WINDOW (15 + 16)

struct bytes {
    unsigned char *ptr;
    size_t len;
};

/* `piece` is the size of a piece of input for compression, and of output for decompression. */
typedef size_t work_fn(struct bytes in, struct bytes out, int level, size_t piece);

struct candidate {
    const char *name;
    int level; /* 0: decompresses */
    work_fn *fn;
    size_t piece;
};

static size_t
smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- zlib ---- */

static size_t
zlib_pack(struct bytes in, struct bytes out, int level, size_t piece)
{
    z_stream z = { .next_out = out.ptr, .avail_out = (uInt)out.len };
    CHECK(deflateInit2(&z, level, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    for (size_t at = 0; at < in.len; at += smaller(piece, in.len)) {
        z.next_in = in.ptr + at;
        z.avail_in = (uInt)smaller(piece, in.len - at);
        int r = deflate(&z, in.len - at <= piece ? Z_FINISH : Z_NO_FLUSH);
        CHECK(r == Z_OK || r == Z_STREAM_END);
    }
    size_t n = z.total_out;
    (void)deflateEnd(&z);
    return n;
}

static size_t
zlib_unpack(struct bytes in, struct bytes out, int level, size_t piece)
{
    z_stream z = { .next_in = in.ptr, .avail_in = (uInt)in.len };
    CHECK(inflateInit2(&z, GZIP_WINDOW) == Z_OK);
    for (int r = Z_OK; r != Z_STREAM_END;) {
        z.next_out = out.ptr + z.total_out;
        z.avail_out = (uInt)smaller(piece, out.len - z.total_out);
        r = inflate(&z, Z_NO_FLUSH);
        CHECK(r == Z_OK || r == Z_STREAM_END);
    }
    size_t n = z.total_out;
    (void)inflateEnd(&z);
    return n;
}


/* ---- libdeflate: only whole bodies. Its state is reused, since it holds nothing between bodies. ---- */

static size_t
deflate_pack(struct bytes in, struct bytes out, int level, size_t piece)
{
    static struct libdeflate_compressor *kept[13];
    if (kept[level] == NULL)
        kept[level] = libdeflate_alloc_compressor(level);
    return libdeflate_gzip_compress(kept[level], in.ptr, in.len, out.ptr, out.len);
}

static size_t
deflate_unpack(struct bytes in, struct bytes out, int level, size_t piece)
{
    static struct libdeflate_decompressor *kept;
    size_t n = 0;
    if (kept == NULL)
        kept = libdeflate_alloc_decompressor();
    CHECK(libdeflate_gzip_decompress(kept, in.ptr, in.len, out.ptr, out.len, &n) == LIBDEFLATE_SUCCESS);
    return n;
}

/* ---- ISA-L: levels up to 3 ---- */

static size_t
isal_pack(struct bytes in, struct bytes out, int level, size_t piece)
{
    static const size_t buffers[] = { 0, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
                                      ISAL_DEF_LVL3_DEFAULT };
    struct isal_zstream *z = malloc(sizeof *z);
    isal_deflate_init(z);
    z->level = (uint32_t)level;
    z->level_buf_size = (uint32_t)buffers[level];
    z->level_buf = malloc(buffers[level]);
    z->gzip_flag = IGZIP_GZIP;
    z->next_out = out.ptr;
    z->avail_out = (uint32_t)out.len;
    for (size_t at = 0; at < in.len; at += smaller(piece, in.len)) {
        z->next_in = in.ptr + at;
        z->avail_in = (uint32_t)smaller(piece, in.len - at);
        z->end_of_stream = in.len - at <= piece;
        CHECK(isal_deflate(z) == COMP_OK);
    }
    size_t n = z->total_out;
    free(z->level_buf);
    free(z);
    return n;
}

static size_t
isal_unpack(struct bytes in, struct bytes out, int level, size_t piece)
{
    struct inflate_state *z = malloc(sizeof *z);
    isal_inflate_init(z);
    z->crc_flag = ISAL_GZIP;
    z->next_in = in.ptr;
    z->avail_in = (uint32_t)in.len;
    do {
        z->next_out = out.ptr + z->total_out;
        z->avail_out = (uint32_t)smaller(piece, out.len - z->total_out);
        CHECK(isal_inflate(z) == ISAL_DECOMP_OK);
    } while (z->block_state != ISAL_BLOCK_FINISH);
    size_t n = z->total_out;
    free(z);
    return n;
}


/* Groups of one level of zlib, each of which begins with zlib for the whole body. ISA-L's levels end at 3, so
 * level 3 is in the group of zlib's level 6. */
static struct candidate candidates[] = {
    { "zlib, whole", 1, zlib_pack, WHOLE },           { "zlib, pieces", 1, zlib_pack, PIECE_BYTES },
    { "libdeflate, whole", 1, deflate_pack, WHOLE },  { "ISA-L 1, whole", 1, isal_pack, WHOLE },
    { "ISA-L 1, pieces", 1, isal_pack, PIECE_BYTES }, { "zlib, whole", 6, zlib_pack, WHOLE },
    { "zlib, pieces", 6, zlib_pack, PIECE_BYTES },    { "libdeflate, whole", 6, deflate_pack, WHOLE },
    { "ISA-L 3, whole", 3, isal_pack, WHOLE },        { "ISA-L 3, pieces", 3, isal_pack, PIECE_BYTES },
    { "zlib, whole", 9, zlib_pack, WHOLE },           { "zlib, pieces", 9, zlib_pack, PIECE_BYTES },
    { "libdeflate, whole", 9, deflate_pack, WHOLE },  { "zlib, whole", 0, zlib_unpack, WHOLE },
    { "zlib, pieces", 0, zlib_unpack, PIECE_BYTES },  { "libdeflate, whole", 0, deflate_unpack, WHOLE },
    { "ISA-L, whole", 0, isal_unpack, WHOLE },        { "ISA-L, pieces", 0, isal_unpack, PIECE_BYTES },
};
#define N_CANDIDATES (sizeof candidates / sizeof *candidates)

static struct measured {
    double us[ROUNDS_MAX]; /* one for each round, sorted at the end */
    size_t out_bytes;
} measured[N_CANDIDATES];

static double
cpu_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Repeats small bodies, so that a turn takes much longer than the clock's resolution. */
static unsigned
repeats_for(size_t bytes)
{
    return bytes < 20000 ? 20 : bytes < 200000 ? 4 : 1;
}

static double
turn(const struct candidate *c, struct bytes in, struct bytes out, unsigned repeats, size_t *out_bytes)
{
    double from = cpu_us();
    for (unsigned i = 0; i < repeats; i++)
        *out_bytes = c->fn(in, out, c->level, c->piece);
    return (cpu_us() - from) / repeats;
}

static void
check_output(struct bytes plain, struct bytes out, bool packed)
{
    struct bytes check = { malloc(plain.len), plain.len };
    if (packed)
        CHECK(zlib_unpack(out, check, 0, WHOLE) == plain.len);
    CHECK(memcmp(packed ? check.ptr : out.ptr, plain.ptr, plain.len) == 0);
    free(check.ptr);
}

static void
measure(struct bytes plain, unsigned rounds)
{
    size_t room = plain.len * 2 + 1024;
    struct bytes packed = { malloc(room), room }, out = { malloc(room), room };
    packed.len = zlib_pack(plain, packed, 6, WHOLE);
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < N_CANDIDATES; i++) {
            const struct candidate *c = &candidates[i];
            struct measured *m = &measured[i];
            out.len = c->level > 0 ? room : plain.len;
            m->us[round] = turn(c, c->level > 0 ? plain : packed, out, repeats_for(plain.len), &m->out_bytes);
            if (round == 0)
                check_output(plain, (struct bytes){ out.ptr, m->out_bytes }, c->level > 0);
        }
    free(packed.ptr);
    free(out.ptr);
}

/* Ratios are to zlib with the whole body, the first candidate of each level. */
static void
print_table(size_t plain_bytes, unsigned rounds)
{
    size_t base = 0;
    for (size_t i = 0; i < N_CANDIDATES; i++) {
        const struct candidate *c = &candidates[i];
        struct measured *m = &measured[i];
        qsort(m->us, rounds, sizeof *m->us, by_value);
        if (c->piece == WHOLE && (c->fn == zlib_pack || c->fn == zlib_unpack))
            base = i;
        char level[16] = "unpack";
        if (c->level > 0)
            snprintf(level, sizeof level, "%d", candidates[base].level);
        printf("| %zu KB | %s | %s | %.0f | %.2f | %zu | %.3f |\n", plain_bytes >> 10, level, c->name,
               m->us[rounds / 2], m->us[rounds / 2] / measured[base].us[rounds / 2], m->out_bytes,
               (double)m->out_bytes / (double)measured[base].out_bytes);
    }
}

static struct bytes
read_files(char **names)
{
    struct bytes b = { malloc(BODY_BYTES_MAX), 0 };
    for (; *names != NULL; names++) {
        FILE *fp = fopen(*names, "r");
        if (fp == NULL)
            continue;
        b.len += fread(b.ptr + b.len, 1, BODY_BYTES_MAX - b.len, fp);
        fclose(fp);
    }
    return b;
}

int
main(int argc, char **argv)
{
    static const size_t sizes[] = { 1u << 10, 10u << 10, 100u << 10, 1u << 20 };
    if (argc < 3) {
        fprintf(stderr, "usage: micro_gzip ROUNDS FILE...\n");
        return 2;
    }
    unsigned rounds = (unsigned)strtoul(argv[1], NULL, 10);
    CHECK(rounds > 0 && rounds <= ROUNDS_MAX);
    struct bytes all = read_files(argv + 2);
    printf(
        "| Body | Level | By | CPU, us | of zlib's | Bytes | of zlib's |\n|---|---|---|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CHECK(all.len >= sizes[i]);
        measure((struct bytes){ all.ptr, sizes[i] }, rounds);
        print_table(sizes[i], rounds);
    }
    free(all.ptr);
    return 0;
}
