/* ESI pages: parsing in one piece and in pieces (of a size the first byte of the input chooses, options by the second) gives the same
 * recipe and the same messages; the recipe covers all of the page, and reads back. And a recipe that is any bytes does no harm. */
#include "filter/esi_recipe.h"
#include "fuzz.h"

struct parsed {
    struct esi_sink sink;
    struct esi_recipe recipe;
    uint64_t run, at;
    uint64_t messages;                  /* hash */
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
    CHECK(memchr(inc->target.ptr, '\n', inc->target.len) == NULL && memchr(inc->target.ptr, '\0', inc->target.len) == NULL);
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    char *text = fuzz_copy(data + 2, size - 2);
    struct parsed whole = parse(text, size - 2, size, data[1]), pieces = parse(text, size - 2, 1 + data[0] % 32, data[1]);
    CHECK(whole.found == pieces.found && whole.messages == pieces.messages && whole.recipe.n == pieces.recipe.n);
    CHECK(memcmp(whole.recipe.bytes, pieces.recipe.bytes, whole.recipe.n) == 0);
    CHECK(read_recipe(span_of(whole.recipe.bytes, whole.recipe.n)) == size - 2);
    (void)read_recipe(span_of(text, size - 2));
    esi_recipe_release(&whole.recipe);
    esi_recipe_release(&pieces.recipe);
    free(text);
    return 0;
}
