/* gunzip, testgunzip, gzip, and chains of them: bodies cut at every position give the same bytes and the same
 * result. */
#include <stdlib.h>
#include <zlib.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/lists.h"
#include "support/log_lines.h"
#include "test.h"

#define TEST(name) { #name, name }
#define OUT_BYTES (1u << 20)
#define ZEROS_BYTES (40u << 20)

static const char text[] =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.";

static struct result {
    char *bytes;
    size_t n;
    int verdict; /* FILTER_END, FILTER_MORE (incomplete), or an error */
    char why[128];
    struct gzip_facts gzip;
} r;

/* facts about a body that is decompressed on delivery; without a start: none */
static struct gzip_facts known;

static struct filter_chain *
opened(const char *names, enum filter_side side)
{
    struct filter_wants wants = { .side = side, .known = side == FILTER_DELIVERY ? &known : NULL };
    struct filter_chain *c = NULL;
    CHECK(chain_open(span_str(names), &wants, &c) == 0 && c != NULL);
    return c;
}

static void
keep_verdict(struct filter_chain *c, int verdict)
{
    r.verdict = verdict;
    snprintf(r.why, sizeof r.why, "%s", verdict < 0 ? chain_why(c) : "");
    if (verdict == FILTER_END && chain_gzip(c) != NULL)
        r.gzip = *chain_gzip(c);
}

/* Pushes one piece, with output buffers of `step` bytes. */
static int
push(struct filter_chain *c, struct filter_io io, size_t step)
{
    int verdict = FILTER_MORE;
    do {
        size_t room = OUT_BYTES - r.n < step ? OUT_BYTES - r.n : step;
        CHECK(room > 0);
        io.out = r.bytes + r.n;
        io.room = room;
        verdict = chain_push(c, &io);
        r.n += room - io.room;
    } while (verdict == FILTER_BUSY || (verdict == FILTER_MORE && (io.in.len > 0 || io.room == 0)));
    return verdict;
}

static int
push_piece(struct filter_chain *c, struct span piece, bool last, size_t step)
{
    return push(c, (struct filter_io){ .in = piece, .last = last }, step);
}

static size_t flushed_bytes; /* output bytes when the first piece was flushed */

/* Pushes the input in two pieces, cut at `cut`. In blocks of exactly their size, so that ASan sees a read
 * behind them. */
static void
run_on(enum filter_side side, bool flush, const char *names, struct span in, size_t cut, size_t step)
{
    struct filter_chain *c = opened(names, side);
    r.bytes = r.bytes == NULL ? malloc(OUT_BYTES) : r.bytes;
    char *one = malloc(cut + 1), *other = malloc(in.len - cut + 1);
    CHECK(r.bytes != NULL && one != NULL && other != NULL);
    memcpy(one, in.ptr, cut);
    memcpy(other, in.ptr + cut, in.len - cut);
    r.n = 0;
    int verdict = push_piece(c, span_of(one, cut), false, step);
    if (verdict == FILTER_MORE && flush)
        verdict = push(c, (struct filter_io){ .in = SPAN_LIT(""), .flush = true }, step);
    flushed_bytes = r.n;
    if (verdict == FILTER_MORE)
        verdict = push_piece(c, span_of(other, in.len - cut), true, step);
    keep_verdict(c, verdict);
    chain_close(&c);
    free(one);
    free(other);
}

static void
run(const char *names, struct span in, size_t cut, size_t step)
{
    run_on(FILTER_FETCH, false, names, in, cut, step);
}

static int
look_at(struct span in, size_t cut)
{
    struct filter_chain *c = opened("testgunzip", FILTER_FETCH);
    CHECK(!chain_changes(c));
    int err = chain_look(c, span_of(in.ptr, cut), false);
    if (err == 0)
        err = chain_look(c, span_of(in.ptr + cut, in.len - cut), true);
    keep_verdict(c, err < 0 ? err : FILTER_END);
    chain_close(&c);
    return err;
}

/* As another compressor writes it: with a name and a comment in the header. */
static struct span
packed(const char *bytes, size_t n, int level)
{
    static char out[1 << 20];
    z_stream z = { 0 };
    gz_header head = { .name = (Bytef *)(uintptr_t)"page.html",
                       .comment = (Bytef *)(uintptr_t)"no comment",
                       .hcrc = 1 };
    CHECK(deflateInit2(&z, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
          deflateSetHeader(&z, &head) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)n;
    z.next_out = (Bytef *)out;
    z.avail_out = sizeof out;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t len = z.total_out;
    deflateEnd(&z);
    return span_of(out, len);
}

/* As for storing, by the library for whole bodies. */
static struct span
stored(const char *bytes, size_t n, int level)
{
    struct span in = packed(bytes, n, level);
    CHECK(look_at(in, in.len) == 0);
    known = r.gzip;
    return in;
}

static void
a_body_is_unpacked_wherever_it_is_cut(void)
{
    struct span in = stored(text, sizeof text - 1, 6);
    for (size_t cut = 0; cut <= in.len; cut++)
        for (size_t step = 1; step <= 301; step += 30) {
            run_on(step % 20 == 1 ? FILTER_FETCH : FILTER_DELIVERY, false, "gunzip", in, cut, step);
            if (!EXPECT_EQ_INT(r.verdict, FILTER_END) ||
                !EXPECT(r.n == sizeof text - 1 && memcmp(r.bytes, text, r.n) == 0))
                return;
        }
    run("gunzip", in, 0, 100);
    EXPECT_EQ_INT(r.gzip.plain_bytes, sizeof text - 1);
}

static void
a_body_is_packed_wherever_it_is_cut(void)
{
    for (size_t cut = 0; cut < sizeof text; cut++)
        for (size_t step = 1; step <= 301; step += 60) {
            run("gzip gunzip", span_of(text, sizeof text - 1), cut, step);
            if (!EXPECT_EQ_INT(r.verdict, FILTER_END) ||
                !EXPECT(r.n == sizeof text - 1 && memcmp(r.bytes, text, r.n) == 0))
                return;
        }
    run("gzip", span_of(text, sizeof text - 1), 5, 100);
    EXPECT_EQ_INT(r.verdict, FILTER_END);
    EXPECT_EQ_INT(r.gzip.plain_bytes, sizeof text - 1);
    EXPECT_EQ_INT(r.gzip.start_bit, 80);
    EXPECT_EQ_INT(look_at(span_of(r.bytes, r.n), 7), 0);
}

/* Collects pieces, and gives them to zlib when they get too long, or in a pause. Long bodies exceed a
 * collector's first room. */
static void
a_body_that_was_collected_is_packed_as_it_comes(void)
{
    static char large[40000];
    uint64_t max = params.gzip_whole_max_bytes;
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (char)(i * i >> 9);
    for (size_t cut = 0; cut < sizeof text; cut++)
        for (size_t step = 1; step <= 301; step += 60) {
            params.gzip_whole_max_bytes = step % 2 == 1 ? cut : max;
            run_on(FILTER_FETCH, step % 2 == 0, "gzip gunzip", span_of(text, sizeof text - 1), cut, step);
            if (!EXPECT_EQ_INT(r.verdict, FILTER_END) ||
                !EXPECT(r.n == sizeof text - 1 && memcmp(r.bytes, text, r.n) == 0))
                return;
        }
    for (params.gzip_whole_max_bytes = 0; params.gzip_whole_max_bytes < 60000;
         params.gzip_whole_max_bytes += 9999) {
        run("gzip gunzip", span_of(large, sizeof large), 20001, 1000);
        EXPECT(r.verdict == FILTER_END && r.n == sizeof large && memcmp(r.bytes, large, r.n) == 0);
    }
    params.gzip_whole_max_bytes = max;
}

static void
all_that_came_before_a_pause_goes_on(void)
{
    struct filter_chain *c = opened("gzip", FILTER_FETCH);
    EXPECT(chain_holds_back(c));
    chain_close(&c);
    for (size_t cut = 0; cut < sizeof text; cut++) {
        run_on(FILTER_FETCH, true, "gzip gunzip", span_of(text, sizeof text - 1), cut, 1 + cut);
        if (!EXPECT_EQ_INT(flushed_bytes, cut) || !EXPECT_EQ_INT(r.verdict, FILTER_END))
            return;
    }
    run_on(FILTER_FETCH, true, "gzip", span_of(text, 0), 0, 100);
    EXPECT_EQ_INT(flushed_bytes, 0); /* without input, not even the header is due */
}

static size_t
unpacked_bytes(const char *packed, size_t n)
{
    char out[sizeof text];
    z_stream z = { .next_in = (Bytef *)(uintptr_t)packed,
                   .avail_in = (uInt)n,
                   .next_out = (Bytef *)out,
                   .avail_out = sizeof out };
    CHECK(inflateInit2(&z, 31) == Z_OK);
    (void)inflate(&z, Z_SYNC_FLUSH);
    size_t there = z.total_out;
    EXPECT(memcmp(out, text, there) == 0);
    inflateEnd(&z);
    return there;
}

/* zlib writes the mark of a flush again if the mark filled the output buffer. */
static void
a_flush_ends_in_rooms_of_any_size(void)
{
    for (size_t step = 1; step < 40; step++)
        for (size_t cut = 1; cut < sizeof text; cut++) {
            run_on(FILTER_FETCH, true, "gzip", span_of(text, sizeof text - 1), cut, step);
            if (!EXPECT_EQ_INT(r.verdict, FILTER_END) ||
                !EXPECT_EQ_INT(unpacked_bytes(r.bytes, flushed_bytes), cut) ||
                !EXPECT_EQ_INT(unpacked_bytes(r.bytes, r.n), sizeof text - 1) ||
                !EXPECT(r.n < 2 * sizeof text))
                return;
        }
}

/* Bodies that pages may include need the positions of their blocks, which libdeflate does not report. */
static void
short_bodies_go_to_the_packer_that_the_use_wants(void)
{
    struct filter_wants wants = { .side = FILTER_FETCH, .blocks = true };
    struct filter_chain *c = NULL;
    size_t by_zlib = packed(text, sizeof text - 1, 6).len - sizeof "page.html" - sizeof "no comment" - 2;
    run("gzip", span_of(text, sizeof text - 1), 5, 4096);
    EXPECT_EQ_INT((unsigned char)r.bytes[9],
                  255); /* "OS" in the header: libdeflate says unknown, zlib says Unix */
    CHECK(chain_open(SPAN_LIT("gzip"), &wants, &c) == 0);
    r.n = 0;
    EXPECT_EQ_INT(push_piece(c, span_of(text, sizeof text - 1), true, 4096), FILTER_END);
    EXPECT_EQ_INT((unsigned char)r.bytes[9], 3);
    EXPECT(r.n >= by_zlib && r.n <= by_zlib + 2); /* the last block is an empty one (packer.c) */
    struct gzip_facts told = *chain_gzip(c);
    EXPECT_EQ_INT(look_at(span_of(r.bytes, r.n), 9), 0);
    EXPECT_EQ_INT(told.last_bit, r.gzip.last_bit);
    EXPECT_EQ_INT(told.stop_bit, r.gzip.stop_bit);
    chain_close(&c);
}

static void
nothing_is_packed_and_unpacked(void)
{
    run("gzip", SPAN_LIT(""), 0, 100);
    EXPECT_EQ_INT(r.verdict, FILTER_END);
    EXPECT_EQ_INT(r.n, 20);
    run("gzip", SPAN_LIT("baz"), 1, 100);
    EXPECT_EQ_INT(r.n, 23); /* as short as Varnish's */
    run("gzip gunzip gzip gunzip", SPAN_LIT(""), 0, 100);
    EXPECT_EQ_INT(r.verdict, FILTER_END);
    EXPECT_EQ_INT(r.n, 0);
}

static void
truncated_bodies_fail(void)
{
    struct span in = stored(text, sizeof text - 1, 6);
    for (size_t n = 1; n < in.len; n++) {
        run("gunzip", span_of(in.ptr, n), n / 2, 50);
        if (!EXPECT_EQ_INT(r.verdict, ERR_SYNTAX) ||
            !EXPECT_EQ_STR(span_str(r.why), "Gunzip error at the very end"))
            return;
        run_on(FILTER_DELIVERY, false, "gunzip", span_of(in.ptr, n), n / 2, 50);
        if (!EXPECT_EQ_INT(r.verdict, ERR_SYNTAX) ||
            !EXPECT_EQ_STR(span_str(r.why), "Gunzip error at the very end"))
            return;
        if (!EXPECT_EQ_INT(look_at(span_of(in.ptr, n), n / 2), ERR_SYNTAX) ||
            !EXPECT_EQ_STR(span_str(r.why), "tGunzip failed"))
            return;
    }
}

/* `n` members with the same text, and `more` behind them. */
static struct span
members(unsigned n, struct span more)
{
    static char all[8192];
    struct span one = packed(text, sizeof text - 1, 6);
    size_t len = 0;
    for (unsigned i = 0; i < n; i++, len += one.len)
        memcpy(all + len, one.ptr, one.len);
    memcpy(all + len, more.ptr, more.len);
    return span_of(all, len + more.len);
}

static void
members_are_unpacked_as_one_body_wherever_they_are_cut(void)
{
    struct span in = members(3, SPAN_LIT(""));
    known = (struct gzip_facts){ 0 };
    for (size_t cut = 0; cut <= in.len; cut++) {
        run_on(cut % 2 == 0 ? FILTER_FETCH : FILTER_DELIVERY, false, "gunzip", in, cut, 1 + cut % 60);
        if (!EXPECT_EQ_INT(r.verdict, FILTER_END) || !EXPECT_EQ_INT(r.n, 3 * (sizeof text - 1)))
            return;
        for (unsigned i = 0; i < 3; i++)
            EXPECT(memcmp(r.bytes + i * (sizeof text - 1), text, sizeof text - 1) == 0);
        if (!EXPECT_EQ_INT(look_at(in, cut), 0) || !EXPECT_EQ_INT(r.gzip.plain_bytes, 3 * (sizeof text - 1)))
            return;
        /* A part of a page needs a single member */
        EXPECT_EQ_INT(r.gzip.start_bit + r.gzip.last_bit + r.gzip.stop_bit, 0);
    }
}

static void
a_broken_member_behind_a_good_one_fails(void)
{
    static const struct {
        struct span more;
        const char *why, *tested;
    } cases[] = {
        { SPAN_LIT("\0\0\0\0"), "Junk after gzip data", "Junk after gzip data" },
        { SPAN_LIT("\x1f"), "Gunzip error at the very end", "tGunzip failed" },
        { SPAN_LIT("\x1f\x8b\x08\0"), "Gunzip error at the very end", "tGunzip failed" },
        { SPAN_LIT("\x1f\x8c\x08\0\0\0\0\0\2\3"), "Invalid Gzip data: incorrect header check",
          "Invalid Gzip data: incorrect header check" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct span in = members(2, cases[i].more);
        for (size_t cut = 0; cut <= in.len; cut++) {
            run("gunzip", in, cut, 4096);
            if (!EXPECT_EQ_INT(r.verdict, ERR_SYNTAX) || !EXPECT_EQ_STR(span_str(r.why), cases[i].why))
                return;
            if (!EXPECT_EQ_INT(look_at(in, cut), ERR_SYNTAX) ||
                !EXPECT_EQ_STR(span_str(r.why), cases[i].tested))
                return;
        }
    }
}

static void
limits_count_all_members(void)
{
    uint64_t before = params.gunzip_size_max_bytes;
    struct span in = members(3, SPAN_LIT(""));
    params.gunzip_size_max_bytes = 3 * (sizeof text - 1) - 1;
    run("gunzip", in, 0, 4096);
    EXPECT_EQ_INT(r.verdict, ERR_SYNTAX);
    EXPECT_EQ_STR(span_str(r.why), "gunzip_size_max exceeded");
    params.gunzip_size_max_bytes++;
    run("gunzip", in, 0, 4096);
    EXPECT_EQ_INT(r.verdict, FILTER_END);
    params.gunzip_size_max_bytes = before;
}

static void
a_body_without_a_byte_unpacks_to_nothing(void)
{
    run("gunzip", SPAN_LIT(""), 0, 4096);
    EXPECT_EQ_INT(r.verdict, FILTER_END);
    EXPECT_EQ_INT(r.n, 0);
    EXPECT_EQ_INT(look_at(SPAN_LIT(""), 0), 0);
    EXPECT_EQ_INT(r.gzip.start_bit + r.gzip.plain_bytes, 0);
}

static void
junk_behind_a_body_fails_wherever_it_is_cut(void)
{
    static char with_junk[4096];
    struct span in = stored(text, sizeof text - 1, 6);
    memcpy(with_junk, in.ptr, in.len);
    with_junk[in.len] = 'x';
    for (size_t cut = 0; cut <= in.len + 1; cut++) {
        run_on(cut % 2 == 0 ? FILTER_FETCH : FILTER_DELIVERY, false, "gunzip", span_of(with_junk, in.len + 1),
               cut, 50);
        if (!EXPECT_EQ_INT(r.verdict, ERR_SYNTAX) || !EXPECT_EQ_STR(span_str(r.why), "Junk after gzip data"))
            return;
        if (!EXPECT_EQ_INT(look_at(span_of(with_junk, in.len + 1), cut), ERR_SYNTAX))
            return;
    }
    log_lines_begin();
    struct filter_chain *c = opened("gunzip", FILTER_DELIVERY);
    r.n = 0;
    EXPECT_EQ_INT(push_piece(c, span_of(with_junk, in.len + 1), true, 4096), ERR_SYNTAX);
    chain_close(&c);
    log_lines_end();
}

static void
a_byte_that_is_wrong_is_found(void)
{
    static char wrong[4096];
    struct span in = stored(text, sizeof text - 1, 6);
    size_t head = 10 + sizeof "page.html" + sizeof "no comment" + 2;
    for (size_t at = head; at < in.len; at++) {
        if (at == in.len - 9) /* its upper bits are padding */
            continue;
        memcpy(wrong, in.ptr, in.len);
        wrong[at] ^= 0x10;
        if (!EXPECT_EQ_INT(look_at(span_of(wrong, in.len), in.len), ERR_SYNTAX))
            return;
        run_on(FILTER_DELIVERY, false, "gunzip", span_of(wrong, in.len), at, 50);
        if (!EXPECT_EQ_INT(r.verdict, ERR_SYNTAX))
            return;
    }
    run("gunzip", SPAN_LIT("plain text, not packed at all"), 4, 50);
    EXPECT_EQ_INT(r.verdict, ERR_SYNTAX);
    EXPECT_EQ_STR(span_str(r.why), "Invalid Gzip data: incorrect header check");
}

/* The last block begins at last_bit and has the mark of a last block; no other block has it. */
static void
positions_of_blocks_are_told(void)
{
    static char large[300000];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (char)(i * i >> 7);
    struct span in = packed(large, sizeof large, 1);
    EXPECT_EQ_INT(look_at(in, 1000), 0);
    size_t head = 10 + sizeof "page.html" + sizeof "no comment" + 2;
    EXPECT_EQ_INT(r.gzip.start_bit, head * 8);
    EXPECT(r.gzip.last_bit > r.gzip.start_bit && r.gzip.stop_bit > r.gzip.last_bit);
    EXPECT(r.gzip.stop_bit <= (in.len - 8) * 8 && r.gzip.stop_bit > (in.len - 9) * 8);
    EXPECT(((unsigned char)in.ptr[r.gzip.last_bit / 8] >> r.gzip.last_bit % 8 & 1) == 1);
    EXPECT(((unsigned char)in.ptr[head] & 1) == 0);
    EXPECT_EQ_INT(r.gzip.plain_bytes, sizeof large);
}

/* Into the same buffer, again and again. */
static int
unpacked_for_client(struct span in)
{
    struct filter_chain *c = opened("gunzip", FILTER_DELIVERY);
    struct filter_io io = { .in = in, .last = true };
    int verdict = FILTER_MORE;
    while (verdict == FILTER_MORE) {
        io.out = r.bytes;
        io.room = OUT_BYTES;
        verdict = chain_push(c, &io);
    }
    keep_verdict(c, verdict);
    chain_close(&c);
    return verdict;
}

static void
bombs_are_stopped(void)
{
    static char zeros[ZEROS_BYTES];
    uint64_t ratio = params.gunzip_ratio_max;
    struct span in = packed(zeros, sizeof zeros, 9);
    EXPECT_EQ_INT(look_at(in, 100), ERR_SYNTAX);
    EXPECT_EQ_STR(span_str(r.why), "gunzip_ratio_max exceeded");
    known = (struct gzip_facts){ .start_bit = (10 + sizeof "page.html" + sizeof "no comment" + 2) * 8 };
    EXPECT_EQ_INT(unpacked_for_client(in), ERR_SYNTAX);
    EXPECT_EQ_STR(span_str(r.why), "gunzip_ratio_max exceeded");
    params.gunzip_ratio_max = 1100;
    EXPECT_EQ_INT(unpacked_for_client(in), FILTER_END);
    EXPECT_EQ_INT(look_at(in, 100), 0);
    params.gunzip_ratio_max = ratio;
    uint64_t size = params.gunzip_size_max_bytes;
    params.gunzip_size_max_bytes = sizeof text - 2;
    EXPECT_EQ_INT(look_at(packed(text, sizeof text - 1, 6), 20), ERR_SYNTAX);
    EXPECT_EQ_STR(span_str(r.why), "gunzip_size_max exceeded");
    params.gunzip_size_max_bytes = size;
}

static void
level_memory_and_buffer_act(void)
{
    uint64_t level = params.gzip_level, memlevel = params.gzip_memlevel, buffer = params.gzip_buffer_bytes;
    size_t usual = chain_bytes(SPAN_LIT("gzip"), FILTER_FETCH);
    params.gzip_memlevel = 1;
    EXPECT(chain_bytes(SPAN_LIT("gzip"), FILTER_FETCH) < usual - 100000);
    params.gzip_memlevel = memlevel;
    params.gzip_buffer_bytes = 2048;
    EXPECT_EQ_INT(usual - chain_bytes(SPAN_LIT("gzip"), FILTER_FETCH), buffer - 2048);
    params.gzip_buffer_bytes = buffer;
    run("gzip", span_of(text, sizeof text - 1), 3, 100);
    EXPECT(r.n < sizeof text - 1);
    params.gzip_level = 0;
    run("gzip", span_of(text, sizeof text - 1), 3, 100);
    EXPECT(r.n > sizeof text - 1);
    params.gzip_level = level;
    uint64_t whole = params.gzip_whole_max_bytes;
    params.gzip_whole_max_bytes = 0;
    EXPECT_EQ_INT((usual - chain_bytes(SPAN_LIT("gzip"), FILTER_FETCH)) / whole, 2);
    params.gzip_whole_max_bytes = whole;
}

static void
lookers_see_what_passes_them(void)
{
    run("gzip testgunzip gunzip", span_of(text, sizeof text - 1), 9, 7);
    EXPECT_EQ_INT(r.verdict, FILTER_END);
    run("testgunzip gunzip", packed(text, sizeof text - 1, 6), 9, 7);
    EXPECT_EQ_INT(r.verdict, FILTER_END);
    EXPECT(r.n == sizeof text - 1 && memcmp(r.bytes, text, r.n) == 0);
    run("gzip gunzip testgunzip", span_of(text, sizeof text - 1), 9, 7);
    EXPECT_EQ_INT(r.verdict, ERR_SYNTAX);
}

static void
lists_have_limits(void)
{
    struct filter_wants wants = { .side = FILTER_FETCH };
    struct filter_chain *c = NULL;
    char names[FILTERS_MAX * 12 + 12] = "";
    for (int i = 0; i <= FILTERS_MAX; i++)
        strcat(names, "testgunzip ");
    EXPECT_EQ_INT(chain_open(span_str(names), &wants, &c), ERR_LIMIT);
    EXPECT(c == NULL);
    EXPECT_EQ_INT(chain_open(SPAN_LIT(" "), &wants, &c), 0);
    EXPECT(c == NULL);
    EXPECT_EQ_STR(filters_unknown(SPAN_LIT("gzip range"), FILTER_FETCH), "range");
    EXPECT_EQ_STR(filters_unknown(SPAN_LIT("gunzip  gzip"), FILTER_DELIVERY), "gzip");
    EXPECT(filters_unknown(SPAN_LIT(" esi gunzip range "), FILTER_DELIVERY).ptr == NULL);
}

static const struct test tests[] = {
    TEST(a_body_is_unpacked_wherever_it_is_cut),
    TEST(a_body_is_packed_wherever_it_is_cut),
    TEST(a_body_that_was_collected_is_packed_as_it_comes),
    TEST(all_that_came_before_a_pause_goes_on),
    TEST(a_flush_ends_in_rooms_of_any_size),
    TEST(short_bodies_go_to_the_packer_that_the_use_wants),
    TEST(nothing_is_packed_and_unpacked),
    TEST(truncated_bodies_fail),
    TEST(members_are_unpacked_as_one_body_wherever_they_are_cut),
    TEST(a_broken_member_behind_a_good_one_fails),
    TEST(limits_count_all_members),
    TEST(a_body_without_a_byte_unpacks_to_nothing),
    TEST(junk_behind_a_body_fails_wherever_it_is_cut),
    TEST(a_byte_that_is_wrong_is_found),
    TEST(positions_of_blocks_are_told),
    TEST(bombs_are_stopped),
    TEST(level_memory_and_buffer_act),
    TEST(lookers_see_what_passes_them),
    TEST(lists_have_limits),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
