/* Packers with pauses: the first bytes of an input choose a chain, the length of pieces, the rooms, and which
 * pieces a flush follows. What came out before each flush, and at the end, the decoders of the libraries
 * bring back to what had gone in. */
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include "filter/filter.h"
#include "fuzz.h"

#define HEAD_BYTES 4
#define OUT_BYTES (1u << 20) /* inputs have 5000 bytes, each of them may be flushed */
#define PLAIN_BYTES 8192u

static size_t
unpack_gzip(const char *in, size_t len, char *out)
{
    z_stream z = { .next_in = (Bytef *)(uintptr_t)in,
                   .avail_in = (uInt)len,
                   .next_out = (Bytef *)out,
                   .avail_out = PLAIN_BYTES };
    CHECK(inflateInit2(&z, 31) == Z_OK);
    int r = inflate(&z, Z_SYNC_FLUSH);
    CHECK(r == Z_OK || r == Z_STREAM_END || r == Z_BUF_ERROR);
    size_t n = z.total_out;
    inflateEnd(&z);
    return n;
}

static size_t
unpack_br(const char *in, size_t len, char *out)
{
    BrotliDecoderState *s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    const uint8_t *from = (const uint8_t *)in;
    uint8_t *to = (uint8_t *)out;
    size_t left = PLAIN_BYTES;
    CHECK(BrotliDecoderDecompressStream(s, &len, &from, &left, &to, NULL) != BROTLI_DECODER_RESULT_ERROR);
    BrotliDecoderDestroyInstance(s);
    return PLAIN_BYTES - left;
}

static size_t
unpack_zstd(const char *in, size_t len, char *out)
{
    ZSTD_DCtx *z = ZSTD_createDCtx();
    ZSTD_inBuffer from = { in, len, 0 };
    ZSTD_outBuffer to = { out, PLAIN_BYTES, 0 };
    while (from.pos < from.size)
        CHECK(!ZSTD_isError(ZSTD_decompressStream(z, &to, &from)));
    (void)ZSTD_freeDCtx(z);
    return to.pos;
}

static const struct kind {
    const char *names;
    enum filter_side side;
    size_t (*unpack)(const char *in, size_t len, char *out);
} kinds[] = {
    { "gzip", FILTER_FETCH, unpack_gzip },
    { "br", FILTER_DELIVERY, unpack_br },
    { "zstd", FILTER_DELIVERY, unpack_zstd },
    { "gzip gunzip gzip", FILTER_FETCH, unpack_gzip },
};

struct output {
    char bytes[OUT_BYTES];
    size_t n;
};

static int
push(struct filter_chain *c, struct filter_io io, size_t room, struct output *o)
{
    int verdict = FILTER_MORE;
    do {
        CHECK(room <= OUT_BYTES - o->n);
        io.out = o->bytes + o->n;
        io.room = room;
        verdict = chain_push(c, &io);
        o->n += room - io.room;
    } while (verdict == FILTER_MORE && (io.in.len > 0 || io.room == 0));
    return verdict;
}

static void
check(const struct kind *k, const struct output *o, const char *plain, size_t n)
{
    static char out[PLAIN_BYTES];
    CHECK(k->unpack(o->bytes, o->n, out) == n && memcmp(out, plain, n) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD_BYTES || size - HEAD_BYTES > PLAIN_BYTES)
        return 0;
    const struct kind *k = &kinds[data[0] % (sizeof kinds / sizeof *kinds)];
    size_t len = size - HEAD_BYTES, step = 1 + 16 * (size_t)data[1], room = 1 + data[2];
    char *in = fuzz_copy(data + HEAD_BYTES, len);
    struct filter_wants wants = { .side = k->side };
    static struct output o;
    struct filter_chain *c = NULL;
    int verdict = FILTER_MORE;
    unsigned pieces = 0;
    o.n = 0;
    CHECK(chain_open(span_str(k->names), &wants, &c) == 0);
    for (size_t at = 0; verdict == FILTER_MORE; at += step, pieces++) {
        size_t n = len - at < step ? len - at : step;
        bool last = at + n == len, pause = !last && data[3] >> pieces % 8 & 1;
        verdict = push(c, (struct filter_io){ .in = span_of(in + at, n), .last = last }, room, &o);
        if (!pause)
            continue;
        verdict = push(c, (struct filter_io){ .in = span_of(in + at + n, 0), .flush = true }, room, &o);
        if (pieces < 16)
            check(k, &o, in, at + n);
    }
    CHECK(verdict == FILTER_END);
    check(k, &o, in, len);
    chain_close(&c);
    free(in);
    return 0;
}
