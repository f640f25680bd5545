/* gzip bodies assembled from parts, and pages compressed so that their runs can be parts: cut at every
 * position. zlib decompresses the results and checks length and CRC. */
#include <stdlib.h>
#include <zlib.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/esi_filter.h"
#include "filter/lists.h"
#include "filter/stitch.h"
#include "test.h"

#define TEST(name) { #name, name }
#define OUT_BYTES (4u << 20)
#define STEPS 4

static const size_t steps[STEPS] = { 1, 6, 61, 40000 };
static const char text[] =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.";
static const char page_text[] =
    "<p>It was the best of times<esi:include src=\"/a\"/>, it was<esi:remove> not </esi:remove> the worst of times,"
    "<!--esi it was the age of wisdom--> it was <esi:include src='/b'/><esi:comment text=\"x\"/>the best of times</p>";
static const char page_kept[] =
    "<p>It was the best of times, it was the worst of times, it was the age of wisdom it was the best of times</p>";

struct bytes {
    char *p;
    size_t n;
};

static struct bytes made, body; /* of the last chain; assembled */

static void
add(struct bytes *b, const char *p, size_t n)
{
    b->p = b->p == NULL ? malloc(OUT_BYTES) : b->p;
    CHECK(b->p != NULL && n <= OUT_BYTES - b->n);
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

/* ---- chains ---- */

static int
push_piece(struct filter_chain *c, struct span piece, bool last, size_t step)
{
    /* exact size, so that ASan sees an access behind the end */
    char *copy = malloc(piece.len + 1), *out = malloc(step);
    CHECK(copy != NULL && out != NULL);
    memcpy(copy, piece.ptr, piece.len);
    struct filter_io io = { .in = span_of(copy, piece.len), .last = last };
    int verdict = FILTER_MORE;
    do {
        io.out = out;
        io.room = step;
        verdict = chain_push(c, &io);
        add(&made, out, step - io.room);
    } while (verdict == FILTER_BUSY || (verdict == FILTER_MORE && (io.in.len > 0 || io.room == 0)));
    free(copy);
    free(out);
    return verdict;
}

static int
run(const char *names, enum filter_side side, void *user, struct span in, size_t cut, size_t step)
{
    struct filter_wants wants = { .side = side, .user = user };
    struct filter_chain *c = NULL;
    CHECK(chain_open(span_str(names), &wants, &c) == 0 && c != NULL);
    made.n = 0;
    int verdict = push_piece(c, span_of(in.ptr, cut), false, step);
    if (verdict == FILTER_MORE)
        verdict = push_piece(c, span_of(in.ptr + cut, in.len - cut), true, step);
    chain_close(&c);
    return verdict;
}

/* zlib accepts all of `in` as one gzip body, which decompresses to `plain`. */
static bool
unpacks_to(struct bytes in, const char *plain, size_t n)
{
    char *out = malloc(n + 1);
    z_stream z = {
        .next_in = (Bytef *)in.p, .avail_in = (uInt)in.n, .next_out = (Bytef *)out, .avail_out = (uInt)n + 1
    };
    CHECK(out != NULL && inflateInit2(&z, 31) == Z_OK);
    int r = inflate(&z, Z_FINISH);
    bool same = EXPECT_EQ_INT(r, Z_STREAM_END) && EXPECT_EQ_INT(z.avail_in, 0) &&
                EXPECT_EQ_INT(z.total_out, n) && EXPECT(memcmp(out, plain, n) == 0);
    inflateEnd(&z);
    free(out);
    return same;
}

/* ---- bodies in gzip coding ---- */

struct packed {
    struct bytes bytes;
    struct gzip_facts facts;
};

static struct gzip_facts
facts_of(struct bytes b)
{
    struct filter_wants wants = { .side = FILTER_FETCH };
    struct filter_chain *c = NULL;
    CHECK(chain_open(SPAN_LIT("testgunzip"), &wants, &c) == 0);
    CHECK(chain_look(c, span_of(b.p, b.n), true) == 0);
    struct gzip_facts facts = *chain_gzip(c);
    chain_close(&c);
    return facts;
}

/* As an origin compresses it, with a name in the header. */
static struct packed
packed(const char *p, size_t n, int level)
{
    static char out[1 << 16];
    gz_header head = { .name = (Bytef *)(uintptr_t)"page.html" };
    z_stream z = { .next_in = (Bytef *)(uintptr_t)p,
                   .avail_in = (uInt)n,
                   .next_out = (Bytef *)out,
                   .avail_out = sizeof out };
    CHECK(deflateInit2(&z, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
          deflateSetHeader(&z, &head) == Z_OK);
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    struct packed b = { .bytes = { out, z.total_out } };
    deflateEnd(&z);
    b.facts = facts_of(b.bytes);
    return b;
}

static void
begin_body(struct gzip_sum *sum)
{
    *sum = (struct gzip_sum){ 0 };
    body.n = 0;
    add(&body, stitch_head().ptr, stitch_head().len);
}

static void
end_body(const struct gzip_sum *sum)
{
    char tail[STITCH_TAIL_BYTES];
    stitch_tail(sum, tail);
    add(&body, tail, sizeof tail);
}

/* The part made of `b`, twice in one body. */
static bool
goes_in_twice(const struct packed *b, size_t cut, size_t step, const char *plain, size_t n)
{
    struct gzip_part part = { .facts = b->facts, .stored_bytes = b->bytes.n };
    struct gzip_sum sum;
    char twice[2 * sizeof text];
    if (!EXPECT(stitch_fits(&part.facts, part.stored_bytes)))
        return false;
    begin_body(&sum);
    for (int i = 0; i < 2; i++) {
        if (!EXPECT_EQ_INT(run("part_gzip", FILTER_PART, &part, span_of(b->bytes.p, b->bytes.n), cut, step),
                           FILTER_END))
            return false;
        add(&body, made.p, made.n);
        gzip_sum_add(&sum, &part.sum);
        memcpy(twice + (size_t)i * n, plain, n);
    }
    end_body(&sum);
    return EXPECT_EQ_INT(part.sum.bytes, n) && unpacks_to(body, twice, 2 * n);
}

static void
a_packed_body_becomes_a_part_wherever_it_is_cut(void)
{
    for (int level = 0; level <= 9; level += 3) {
        struct packed b = packed(text, sizeof text - 1, level);
        for (size_t cut = 0; cut <= b.bytes.n; cut++)
            for (int i = 0; i < STEPS; i++)
                if (!goes_in_twice(&b, cut, steps[i], text, sizeof text - 1))
                    return;
    }
}

/* Bytes whose fixed codes have 9 bits, so that each length stops at another bit. */
static const char high[] = "\x90\xa1\xb2\xc3\xd4\xe5\xf6\x97\xa8\xb9\xca\xdb\xec\xfd\x9e\xaf";

static void
a_body_may_stop_at_any_bit_of_a_byte(void)
{
    unsigned seen = 0;
    for (size_t n = 0; n < sizeof high; n++) {
        struct packed b = packed(high, n, 9);
        seen |= 1u << b.facts.stop_bit % 8;
        for (size_t cut = 0; cut <= b.bytes.n; cut++)
            if (!goes_in_twice(&b, cut, 100, high, n))
                return;
    }
    EXPECT_EQ_INT(seen, 0xff);
}

/* The bits between the last block and the trailer have no meaning, and are the origin's. */
static void
padding_of_an_origin_is_dropped(void)
{
    for (size_t n = 0; n < sizeof high; n++) {
        struct packed b = packed(high, n, 9);
        unsigned bits = b.facts.stop_bit % 8;
        if (bits == 0)
            continue;
        b.bytes.p[b.bytes.n - 9] |= (char)(0xff << bits);
        if (!goes_in_twice(&b, b.bytes.n / 2, 100, high, n))
            return;
    }
}

/* Our own gzip: the filter knows where its last block begins. */
static void
what_we_pack_becomes_a_part(void)
{
    uint64_t level = params.gzip_level;
    for (params.gzip_level = 0; params.gzip_level <= 9; params.gzip_level += 3)
        for (size_t n = 0; n < sizeof text; n++) {
            struct packed b = { 0 };
            CHECK(run("gzip", FILTER_FETCH, NULL, span_of(text, n), n / 2, 7) == FILTER_END);
            add(&b.bytes, made.p, made.n);
            b.facts = facts_of(b.bytes);
            bool good = goes_in_twice(&b, b.bytes.n / 3, 50, text, n);
            free(b.bytes.p);
            if (!good)
                return;
        }
    params.gzip_level = level;
}

static struct gzip_facts
facts_of_ours(const char *names, struct span in, size_t step, struct esi_page *page)
{
    struct filter_wants wants = { .side = FILTER_FETCH, .blocks = true, .user = page };
    struct filter_chain *c = NULL;
    CHECK(chain_open(span_str(names), &wants, &c) == 0);
    made.n = 0;
    CHECK(push_piece(c, in, true, step) == FILTER_END);
    struct gzip_facts facts = *chain_gzip(c);
    chain_close(&c);
    return facts;
}

static bool
same_facts(struct gzip_facts a, struct gzip_facts b)
{
    return EXPECT_EQ_INT(a.start_bit, b.start_bit) && EXPECT_EQ_INT(a.last_bit, b.last_bit) &&
           EXPECT_EQ_INT(a.stop_bit, b.stop_bit) && EXPECT_EQ_INT(a.plain_bytes, b.plain_bytes);
}

/* The block positions that deflate reports equal those that inflate finds. */
static void
positions_are_told_while_packing(void)
{
    static char large[300000];
    uint64_t level = params.gzip_level;
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (char)(i * i >> 7);
    for (params.gzip_level = 0; params.gzip_level <= 9; params.gzip_level++)
        for (size_t n = 0; n <= sizeof large; n = n * 5 + 1) {
            struct esi_page page = { .url = SPAN_LIT("/"), .options.disable_xml_check = true };
            struct gzip_facts told = facts_of_ours("gzip", span_of(large, n), 1000, NULL);
            if (!same_facts(told, facts_of(made)))
                return;
            told = facts_of_ours("esi_gzip", span_of(large, n), 1000, &page);
            bool same = same_facts(told, facts_of(made));
            EXPECT_EQ_INT(page.stored_bytes, made.n);
            esi_recipe_release(&page.recipe);
            if (!same)
                return;
        }
    params.gzip_level = level;
}

/* ---- other bodies ---- */

static void
any_body_becomes_a_part_wherever_it_is_cut(void)
{
    for (size_t cut = 0; cut < sizeof text; cut++)
        for (int i = 0; i < STEPS; i++) {
            struct gzip_part part = { 0 };
            begin_body(&part.sum);
            if (!EXPECT_EQ_INT(run("part_plain", FILTER_PART, &part, span_of(text, sizeof text - 1), cut,
                                   steps[i]),
                               FILTER_END))
                return;
            add(&body, made.p, made.n);
            end_body(&part.sum);
            if (!unpacks_to(body, text, sizeof text - 1))
                return;
        }
}

static void
a_long_body_needs_many_stored_blocks(void)
{
    static char large[200000];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (char)(i * i >> 9);
    for (size_t step = 5; step < 300000; step = step * 17 + 1) {
        struct gzip_part part = { 0 };
        begin_body(&part.sum);
        EXPECT_EQ_INT(run("part_plain", FILTER_PART, &part, span_of(large, sizeof large), 70000, step),
                      FILTER_END);
        add(&body, made.p, made.n);
        end_body(&part.sum);
        if (!unpacks_to(body, large, sizeof large))
            return;
    }
}

/* Facts of another body, or none: must not be used. */
static void
facts_that_do_not_fit_are_refused(void)
{
    struct packed b = packed(text, sizeof text - 1, 6);
    struct gzip_facts f = b.facts;
    EXPECT(stitch_fits(&f, b.bytes.n));
    EXPECT(!stitch_fits(&(struct gzip_facts){ 0 }, b.bytes.n));
    EXPECT(!stitch_fits(&f, b.bytes.n + 1) && !stitch_fits(&f, b.bytes.n - 1));
    f.last_bit = 0;
    EXPECT(!stitch_fits(&f, b.bytes.n));
    f = b.facts;
    f.start_bit++;
    EXPECT(!stitch_fits(&f, b.bytes.n));
    struct gzip_part part = { .facts = b.facts, .stored_bytes = b.bytes.n };
    EXPECT_EQ_INT(run("part_gzip", FILTER_PART, &part, span_of(b.bytes.p, b.bytes.n - 1), 5, 100),
                  ERR_SYNTAX);
}

/* ---- pages ---- */

static struct esi_page page;

static int
pack_page(struct span in, size_t cut, size_t step)
{
    esi_recipe_release(&page.recipe);
    page = (struct esi_page){ .url = SPAN_LIT("/dir/page"), .options = page.options };
    return run("esi_gzip", FILTER_FETCH, &page, in, cut, step);
}

/* Puts the stored runs of a page together as one body. Returns the number of includes; -1: the recipe does
 * not fit. */
static int
keep_of_page(void)
{
    struct span rest = span_of(page.recipe.bytes, page.recipe.n);
    struct esi_piece piece;
    struct gzip_sum sum;
    unsigned flags;
    uint64_t at = 0;
    int includes = 0;
    if (esi_recipe_open(&rest, &flags) != 0 || flags != ESI_GZIP)
        return -1;
    begin_body(&sum);
    while (esi_recipe_next(&rest, flags, &piece) == 1) {
        struct gzip_sum run_sum = { .bytes = piece.plain_bytes, .crc = piece.crc };
        CHECK(piece.kind == ESI_INCLUDE || piece.bytes <= made.n - at);
        if (piece.kind == ESI_KEEP) {
            add(&body, made.p + at, (size_t)piece.bytes);
            gzip_sum_add(&sum, &run_sum);
        }
        includes += piece.kind == ESI_INCLUDE;
        at += piece.kind == ESI_INCLUDE ? 0 : piece.bytes;
    }
    end_body(&sum);
    return includes;
}

static void
a_page_is_packed_in_runs_wherever_it_is_cut(void)
{
    struct span in = span_of(page_text, sizeof page_text - 1);
    for (size_t cut = 0; cut <= in.len; cut++)
        for (int i = 0; i < STEPS; i++) {
            if (!EXPECT_EQ_INT(pack_page(in, cut, steps[i]), FILTER_END) || !EXPECT(page.found) ||
                !unpacks_to(made, in.ptr, in.len))
                return;
            EXPECT_EQ_INT(page.stored_bytes, made.n);
            if (!EXPECT_EQ_INT(keep_of_page(), 2) || !unpacks_to(body, page_kept, sizeof page_kept - 1))
                return;
        }
    esi_recipe_release(&page.recipe);
}

/* The header must not belong to the first run, because an include may precede it. */
static void
a_page_may_begin_with_an_include(void)
{
    struct span in = SPAN_LIT("<esi:include src=\"/a\"/>text");
    EXPECT_EQ_INT(pack_page(in, 7, 100), FILTER_END);
    EXPECT(unpacks_to(made, in.ptr, in.len));
    EXPECT_EQ_INT(keep_of_page(), 1);
    EXPECT(unpacks_to(body, "text", 4));
    esi_recipe_release(&page.recipe);
}

static void
a_page_without_instructions_is_an_ordinary_body(void)
{
    EXPECT_EQ_INT(pack_page(span_of(text, sizeof text - 1), 7, 3), FILTER_END);
    EXPECT(!page.found && unpacks_to(made, text, sizeof text - 1));
    struct packed b = { 0 };
    add(&b.bytes, made.p, made.n);
    b.facts = facts_of(b.bytes);
    EXPECT(goes_in_twice(&b, 20, 10, text, sizeof text - 1));
    free(b.bytes.p);
    EXPECT_EQ_INT(pack_page(SPAN_LIT(""), 0, 3), FILTER_END);
    EXPECT(!page.found && unpacks_to(made, "", 0));
    esi_recipe_release(&page.recipe);
}

/* Each run costs a flush: the upper bound for a piece of the page. */
static void
many_short_runs_and_long_ones_find_room(void)
{
    static char in[600000];
    static const char one[] = "x<esi:x>";
    uint64_t level = params.gzip_level, memlevel = params.gzip_memlevel;
    page.options.disable_xml_check = true;
    for (params.gzip_memlevel = 1; params.gzip_memlevel <= 9; params.gzip_memlevel += 4)
        for (params.gzip_level = 0; params.gzip_level <= 9; params.gzip_level += 3) {
            size_t n = 0;
            for (unsigned seed = 1; n < 400000;
                 n++) /* incompressible and long, so that deflate holds back many bytes */
                in[n] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ!?"
                    [(seed = seed * 1103515245 + 12345) >> 20 & 63];
            for (; n < sizeof in - sizeof one; n += sizeof one - 1)
                memcpy(in + n, one, sizeof one - 1);
            if (!EXPECT_EQ_INT(pack_page(span_of(in, n), 100000, 30000), FILTER_END) || !EXPECT(page.found) ||
                !unpacks_to(made, in, n))
                return;
        }
    params.gzip_level = level;
    params.gzip_memlevel = memlevel;
    esi_recipe_release(&page.recipe);
    page.options.disable_xml_check = false;
}

static const struct test tests[] = {
    TEST(a_packed_body_becomes_a_part_wherever_it_is_cut),
    TEST(a_body_may_stop_at_any_bit_of_a_byte),
    TEST(padding_of_an_origin_is_dropped),
    TEST(what_we_pack_becomes_a_part),
    TEST(positions_are_told_while_packing),
    TEST(any_body_becomes_a_part_wherever_it_is_cut),
    TEST(a_long_body_needs_many_stored_blocks),
    TEST(facts_that_do_not_fit_are_refused),
    TEST(a_page_is_packed_in_runs_wherever_it_is_cut),
    TEST(a_page_may_begin_with_an_include),
    TEST(a_page_without_instructions_is_an_ordinary_body),
    TEST(many_short_runs_and_long_ones_find_room),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
