/* ESI pages: parsing in one piece and in pieces (of a size the first byte of the input chooses, options by
 * the second) gives the same recipe and the same messages; the recipe covers all of the page, and reads back.
 * And a recipe that is any bytes does no harm. Packed by "esi_gzip", the page has the same pieces, and what
 * is kept of it unpacks to the same bytes. */
#include <zlib.h>

#include "filter/esi_filter.h"
#include "filter/stitch.h"
#include "fuzz.h"

#define PACKED_BYTES \
    (1u << 20) /* inputs have 5000 bytes; a run has a flush of 5, and one byte of the page at least */

struct parsed {
    struct esi_sink sink;
    struct esi_recipe recipe;
    uint64_t run, at;
    uint64_t messages; /* hash */
    bool found;
};

static void
on_bytes(struct esi_sink *s, const char *p, size_t n)
{
    CHECK(n > 0);
    ((struct parsed *)s)->run += n;
}

static uint64_t
on_end_run(struct esi_sink *s, bool kept)
{
    struct parsed *r = (struct parsed *)s;
    struct esi_piece piece = { .kind = kept ? ESI_KEEP : ESI_SKIP, .bytes = r->run };
    esi_recipe_add(&r->recipe, &piece);
    r->at += r->run;
    r->run = 0;
    return r->at;
}

static void
on_include(struct esi_sink *s, const struct esi_include *inc)
{
    struct esi_piece piece = { .kind = ESI_INCLUDE, .include = *inc };
    CHECK(memchr(inc->target.ptr, '\n', inc->target.len) == NULL &&
          memchr(inc->target.ptr, '\0', inc->target.len) == NULL);
    esi_recipe_add(&((struct parsed *)s)->recipe, &piece);
}

static void
on_message(struct esi_sink *s, enum esi_severity severity, struct span text)
{
    struct parsed *r = (struct parsed *)s;
    for (size_t i = 0; i < text.len; i++)
        r->messages = (r->messages ^ (unsigned char)text.ptr[i]) * UINT64_C(0x100000001b3);
}

static struct parsed
parse(const char *text, size_t len, size_t step, unsigned bits)
{
    static const struct esi_sink_ops ops = { on_bytes, on_end_run, on_include, on_message };
    struct parsed r = { .sink.ops = &ops };
    struct esi_options o = { bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1 };
    struct esi_parser *x = malloc(sizeof *x);
    CHECK(x != NULL);
    esi_recipe_begin(&r.recipe, 0);
    esi_parser_init(x, &o, SPAN_LIT("/a/b?c"), &r.sink, 0);
    for (size_t at = 0; at < len; at += step)
        esi_parse(x, span_of(text + at, len - at < step ? len - at : step));
    r.found = esi_parse_end(x);
    CHECK(r.at == len && r.run == 0 && !r.recipe.failed);
    free(x);
    return r;
}

static uint64_t
read_recipe(struct span recipe)
{
    struct esi_piece piece;
    unsigned flags;
    uint64_t bytes = 0;
    if (esi_recipe_open(&recipe, &flags) != 0)
        return 0;
    while (esi_recipe_next(&recipe, flags, &piece) == 1)
        bytes += piece.kind != ESI_INCLUDE ? piece.bytes : 0;
    return bytes;
}

/* ---- packed ---- */

struct packed {
    char *bytes;
    size_t n;
    struct esi_page page;
};

static struct packed
pack(const char *text, size_t len, size_t step, unsigned bits)
{
    struct packed p = { .bytes = malloc(PACKED_BYTES) };
    struct filter_chain *c = NULL;
    p.page.url = SPAN_LIT("/a/b?c");
    p.page.options = (struct esi_options){ bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1 };
    struct filter_wants wants = { .side = FILTER_FETCH, .user = &p.page };
    CHECK(p.bytes != NULL && chain_open(SPAN_LIT("esi_gzip"), &wants, &c) == 0);
    int verdict = FILTER_MORE;
    for (size_t at = 0; verdict == FILTER_MORE; at += step) {
        size_t n = at < len ? len - at < step ? len - at : step : 0;
        struct filter_io io = { .in = span_of(text + (at < len ? at : len), n), .last = at + n >= len };
        do {
            size_t room = step + 1;
            CHECK(PACKED_BYTES - p.n >= room);
            io.out = p.bytes + p.n;
            io.room = room;
            verdict = chain_push(c, &io);
            p.n += room - io.room;
        } while (verdict == FILTER_MORE && (io.in.len > 0 || io.room == 0));
    }
    CHECK(verdict == FILTER_END && p.page.stored_bytes == p.n);
    chain_close(&c);
    return p;
}

static void
check_unpacks(const char *bytes, size_t n, const char *plain, size_t n_plain)
{
    char *out = malloc(n_plain + 1);
    z_stream z = { .next_in = (Bytef *)(uintptr_t)bytes,
                   .avail_in = (uInt)n,
                   .next_out = (Bytef *)out,
                   .avail_out = (uInt)n_plain + 1 };
    CHECK(out != NULL && inflateInit2(&z, 31) == Z_OK);
    CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0 && z.total_out == n_plain &&
          memcmp(out, plain, n_plain) == 0);
    inflateEnd(&z);
    free(out);
}

/* Walks both recipes; that of the packed page has a piece for its header first. */
static void
check_kept(const char *text, size_t len, struct span plain, const struct packed *p)
{
    char *kept = malloc(len + 1), *body = malloc(PACKED_BYTES);
    size_t n_kept = 0, n_body = stitch_head().len, at = 0, in_text = 0;
    struct span rest = span_of(p->page.recipe.bytes, p->page.recipe.n);
    struct gzip_sum sum = { 0 };
    struct esi_piece a, b;
    unsigned flags, packed_flags;
    CHECK(kept != NULL && body != NULL && esi_recipe_open(&plain, &flags) == 0 &&
          esi_recipe_open(&rest, &packed_flags) == 0);
    memcpy(body, stitch_head().ptr, n_body);
    CHECK(packed_flags == ESI_GZIP && esi_recipe_next(&rest, packed_flags, &b) == 1 && b.kind == ESI_SKIP);
    for (at = (size_t)b.bytes; esi_recipe_next(&plain, flags, &a) == 1;
         at += (size_t)b.bytes, in_text += (size_t)a.bytes) {
        CHECK(esi_recipe_next(&rest, packed_flags, &b) == 1 && a.kind == b.kind);
        if (a.kind != ESI_KEEP)
            continue;
        struct gzip_sum run = { .bytes = b.plain_bytes, .crc = b.crc };
        CHECK(a.bytes == b.plain_bytes);
        memcpy(kept + n_kept, text + in_text, (size_t)a.bytes);
        memcpy(body + n_body, p->bytes + at, (size_t)b.bytes);
        n_kept += (size_t)a.bytes;
        n_body += (size_t)b.bytes;
        gzip_sum_add(&sum, &run);
    }
    CHECK(esi_recipe_next(&rest, packed_flags, &b) == 0 && in_text == len);
    stitch_tail(&sum, body + n_body);
    check_unpacks(body, n_body + STITCH_TAIL_BYTES, kept, n_kept);
    free(kept);
    free(body);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    char *text = fuzz_copy(data + 2, size - 2);
    struct parsed whole = parse(text, size - 2, size, data[1]),
                  pieces = parse(text, size - 2, 1 + data[0] % 32, data[1]);
    CHECK(whole.found == pieces.found && whole.messages == pieces.messages &&
          whole.recipe.n == pieces.recipe.n);
    CHECK(memcmp(whole.recipe.bytes, pieces.recipe.bytes, whole.recipe.n) == 0);
    CHECK(read_recipe(span_of(whole.recipe.bytes, whole.recipe.n)) == size - 2);
    (void)read_recipe(span_of(text, size - 2));
    struct packed p = pack(text, size - 2, 1 + data[0] % 32, data[1]);
    CHECK(p.page.found == whole.found);
    check_unpacks(p.bytes, p.n, text, size - 2);
    check_kept(text, size - 2, span_of(whole.recipe.bytes, whole.recipe.n), &p);
    esi_recipe_release(&p.page.recipe);
    free(p.bytes);
    esi_recipe_release(&whole.recipe);
    esi_recipe_release(&pieces.recipe);
    free(text);
    return 0;
}
