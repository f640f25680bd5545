/* br and zstd: bodies cut at every position, with output buffers of any size, with and without a flush
 * between. The libraries' decoders must return the input. */
#include <brotli/decode.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/lists.h"
#include "support/log_lines.h"
#include "test.h"

#define TEST(name) { #name, name }
#define OUT_BYTES (1u << 20)

static const char text[] =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.";

static struct {
    char bytes[OUT_BYTES];
    size_t n;
    size_t flushed; /* output bytes when the first piece was flushed */
    int verdict;
    unsigned busy; /* pushes that left work to do */
} r;

static int
push(struct filter_chain *c, struct filter_io io, size_t step)
{
    int verdict = FILTER_MORE;
    do {
        io.out = r.bytes + r.n;
        io.room = step;
        CHECK(r.n + step <= OUT_BYTES);
        verdict = chain_push(c, &io);
        r.n += step - io.room;
        r.busy += verdict == FILTER_BUSY;
    } while (verdict == FILTER_BUSY || (verdict == FILTER_MORE && (io.in.len > 0 || io.room == 0)));
    return verdict;
}

/* In blocks of exactly their size, so that ASan sees a read behind them. */
static void
run(const char *name, struct span in, size_t cut, bool flush, size_t step)
{
    struct filter_wants wants = { .side = FILTER_DELIVERY };
    struct filter_chain *c = NULL;
    char *one = malloc(cut + 1), *other = malloc(in.len - cut + 1);
    CHECK(one != NULL && other != NULL && chain_open(span_str(name), &wants, &c) == 0 && chain_holds_back(c));
    memcpy(one, in.ptr, cut);
    memcpy(other, in.ptr + cut, in.len - cut);
    r.n = 0;
    r.verdict = push(c, (struct filter_io){ .in = span_of(one, cut) }, step);
    if (flush && r.verdict == FILTER_MORE)
        r.verdict = push(c, (struct filter_io){ .in = SPAN_LIT(""), .flush = true }, step);
    r.flushed = r.n;
    if (r.verdict == FILTER_MORE)
        r.verdict = push(c, (struct filter_io){ .in = span_of(other, in.len - cut), .last = true }, step);
    chain_close(&c);
    free(one);
    free(other);
}

/* Decodes the first n bytes of the output. */
static size_t
unpacked(const char *name, size_t n, char *out, size_t room)
{
    if (strcmp(name, "br") == 0) {
        BrotliDecoderState *s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
        const uint8_t *in = (const uint8_t *)r.bytes;
        uint8_t *to = (uint8_t *)out;
        size_t left = room;
        CHECK(BrotliDecoderDecompressStream(s, &n, &in, &left, &to, NULL) != BROTLI_DECODER_RESULT_ERROR);
        BrotliDecoderDestroyInstance(s);
        return room - left;
    }
    ZSTD_DCtx *z = ZSTD_createDCtx();
    ZSTD_inBuffer in = { r.bytes, n, 0 };
    ZSTD_outBuffer to = { out, room, 0 };
    while (in.pos < in.size)
        CHECK(!ZSTD_isError(ZSTD_decompressStream(z, &to, &in)));
    (void)ZSTD_freeDCtx(z);
    return to.pos;
}

static const char *const names[] = { "br", "zstd" };

static void
a_body_is_packed_wherever_it_is_cut(void)
{
    char out[sizeof text];
    for (size_t k = 0; k < 2; k++)
        for (size_t cut = 0; cut < sizeof text; cut++)
            for (size_t step = 1; step <= 301; step += 150) {
                bool flush = cut % 2 == 1;
                run(names[k], span_of(text, sizeof text - 1), cut, flush, step);
                if (!EXPECT_EQ_INT(r.verdict, FILTER_END) ||
                    !EXPECT_EQ_INT(unpacked(names[k], r.n, out, sizeof out), sizeof text - 1) ||
                    !EXPECT(memcmp(out, text, sizeof text - 1) == 0))
                    return;
                if (flush && !EXPECT_EQ_INT(unpacked(names[k], r.flushed, out, sizeof out), cut))
                    return;
            }
}

static void
long_bodies_and_empty_ones_are_packed_at_every_level(void)
{
    static char large[300000], out[300001];
    uint64_t br = params.brotli_level, zstd = params.zstd_level;
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (char)(i * i >> 9 ^ i >> 13);
    for (unsigned level = 0; level <= 12; level++) {
        params.brotli_level = level <= 6 ? level : 6;
        params.zstd_level = level == 0 ? 1 : level;
        for (size_t k = 0; k < 2; k++) {
            run(names[k], span_of(large, sizeof large), 100000 + level, level % 2 == 0, 5000);
            if (!EXPECT_EQ_INT(unpacked(names[k], r.n, out, sizeof out), sizeof large) ||
                !EXPECT(memcmp(out, large, sizeof large) == 0))
                return;
            run(names[k], SPAN_LIT(""), 0, true, 10);
            EXPECT_EQ_INT(r.verdict, FILTER_END);
            EXPECT_EQ_INT(unpacked(names[k], r.n, out, sizeof out), 0);
        }
    }
    params.brotli_level = br;
    params.zstd_level = zstd;
}

#define ZEROS_BYTES (8u << 20)
#define WORK_MOST (256u * 1024) /* in one push; the chain's own limit is half of it */

/* A few KB of gzip decompress to 8 MB, which compress to a few bytes: the work does not show in sizes. */
static void
a_chain_does_a_bounded_amount_of_work_at_a_time(void)
{
    static char zeros[ZEROS_BYTES], packed[ZEROS_BYTES / 500], out[ZEROS_BYTES + 1];
    z_stream z = { .next_in = (Bytef *)zeros,
                   .avail_in = sizeof zeros,
                   .next_out = (Bytef *)packed,
                   .avail_out = sizeof packed };
    CHECK(deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY) == Z_OK &&
          deflate(&z, Z_FINISH) == Z_STREAM_END);
    for (size_t k = 0; k < 2; k++) {
        r.busy = 0;
        run(k == 0 ? "gunzip br" : "gunzip zstd", span_of(packed, z.total_out), 0, false, 30000);
        EXPECT_EQ_INT(r.verdict, FILTER_END);
        EXPECT(r.busy >= 2 * sizeof zeros / WORK_MOST); /* each byte leaves one filter and enters the other */
        EXPECT_EQ_INT(unpacked(names[k], r.n, out, sizeof out), sizeof zeros);
        EXPECT(memcmp(out, zeros, sizeof zeros) == 0);
    }
    (void)deflateEnd(&z);
}

static void
only_deliveries_have_them(void)
{
    EXPECT_EQ_STR(filters_unknown(SPAN_LIT("gunzip br zstd"), FILTER_FETCH), "br");
    EXPECT(filters_unknown(SPAN_LIT("gunzip br zstd"), FILTER_DELIVERY).ptr == NULL);
    EXPECT(chain_bytes(SPAN_LIT("br"), FILTER_DELIVERY) > 2000000);
}

static const struct test tests[] = {
    TEST(a_body_is_packed_wherever_it_is_cut),
    TEST(long_bodies_and_empty_ones_are_packed_at_every_level),
    TEST(a_chain_does_a_bounded_amount_of_work_at_a_time),
    TEST(only_deliveries_have_them),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
