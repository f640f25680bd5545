/* Header blocks of HPACK: a decoder with little room for text keeps its table in step with another one, marks
 * tell sound text, blocks of the encoder bring the same fields, and a Huffman text has one code only. The
 * first byte of an input is the room, the second the table size, the third the length of the blocks. */
#include "base/check.h"
#include "../runtime/stream/huffman_code.h"
#include "fuzz.h"
#include "http/chars.h"
#include "http/fields.h"
#include "stream/h2/hpack_decode.h"
#include "stream/h2/hpack_encode.h"
#include "stream/h2/huffman.h"

#define HEAD_BYTES 3u
#define TEXT_BYTES (1u << 20)
#define ROOM_UNIT 8u
#define TABLE_UNIT 40u
#define FIELDS_MAX 64u

struct seen {
    struct http_field fields[FIELDS_MAX]; /* the first ones */
    unsigned n, wanted;
};

static bool
see(void *ctx, const struct http_field *f, unsigned marks)
{
    struct seen *s = ctx;
    bool pseudo = f->name.len > 0 && f->name.ptr[0] == ':';
    bool soft = f->value.len > 0 &&
                (char_is_blank(f->value.ptr[0]) || char_is_blank(f->value.ptr[f->value.len - 1]));
    CHECK(((marks & HPACK_PSEUDO) != 0) == pseudo);
    CHECK((marks & HPACK_ODD_VALUE) != 0 || (is_field_value(f->value) && !soft));
    CHECK((marks & HPACK_ODD_NAME) != 0 ||
          is_token(pseudo ? span_of(f->name.ptr + 1, f->name.len - 1) : f->name));
    CHECK(f->id == (pseudo ? NAME_NONE : name_lookup(f->name)));
    if (s->n < FIELDS_MAX)
        s->fields[s->n] = *f;
    return s->n++ < s->wanted;
}

static void
check_same(const struct seen *a, const struct seen *b, unsigned n)
{
    for (unsigned i = 0; i < n && i < FIELDS_MAX; i++)
        CHECK(span_eq(a->fields[i].name, b->fields[i].name) &&
              span_eq(a->fields[i].value, b->fields[i].value));
}

/* Encoded names are in lower case. */
static void
check_encoder(const struct seen *s)
{
    struct hpack_decoder d;
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    for (unsigned i = 0; i < s->n && i < FIELDS_MAX; i++) {
        const struct http_field *f = &s->fields[i];
        size_t room = hpack_field_max(f->name.len, f->value.len);
        uint8_t *out = malloc(room);
        char *text = malloc(f->name.len + f->value.len + 1);
        struct hpack_text to = { .at = text, .end = text + f->name.len + f->value.len + 1 };
        struct seen again = { .wanted = 1 };
        const char *why;
        size_t n = hpack_encode_field(out, room, f);
        CHECK(n > 0 && n <= room);
        CHECK(hpack_decode(&d, out, n, &to, see, &again, &why) == HPACK_OK && again.n == 1 && d.table.n == 0);
        CHECK(span_eq_nocase(again.fields[0].name, f->name) && span_eq(again.fields[0].value, f->value));
        free(out);
        free(text);
    }
    hpack_decoder_free(&d);
}

static void
check_huffman(const char *in, size_t n)
{
    size_t most = HUFFMAN_DECODED_MAX(n) + 1;
    char *text = malloc(most);
    uint8_t *code = malloc(n + 1);
    const char *why = NULL;
    ssize_t len = huffman_decode((const uint8_t *)in, n, text, most, &why);
    CHECK(len < (ssize_t)most && (len >= 0) == (why == NULL));
    if (len >= 0) {
        struct span decoded = span_of(text, (size_t)len);
        CHECK(huffman_bytes(decoded) == n);
        CHECK(huffman_encode(code, decoded) == code + n && memcmp(code, in, n) == 0);
    }
    free(text);
    free(code);
}

/* Returns false at a mistake, which both decoders find. */
static bool
decode_both(struct hpack_decoder *all, struct hpack_decoder *some, const char *block, size_t n, size_t room)
{
    static char text[TEXT_BYTES];
    struct seen one = { .wanted = UINT32_MAX },
                other = { .wanted = (unsigned)(room % 13 == 0 ? 2 : UINT32_MAX) };
    struct hpack_text large = { .at = text, .end = text + sizeof text };
    char *small = malloc(room + 1);
    struct hpack_text little = { .at = small, .end = small + room };
    const char *why = NULL, *other_why = NULL;
    enum hpack_result result = hpack_decode(all, (const uint8_t *)block, n, &large, see, &one, &why);
    enum hpack_result second = hpack_decode(some, (const uint8_t *)block, n, &little, see, &other,
                                            &other_why);
    CHECK(why == other_why && (result == HPACK_COMPRESSION_ERROR) == (why != NULL));
    CHECK(second == result || second == HPACK_NO_ROOM || second == HPACK_REFUSED);
    CHECK(other.n <= one.n);
    check_same(&one, &other, other.n);
    if (why == NULL) {
        CHECK(all->table.bytes == some->table.bytes && all->table.n == some->table.n);
        CHECK(all->table.bytes <= all->table.bytes_max);
        check_encoder(&one);
    }
    free(small);
    return why == NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    names_init();
    if (size < HEAD_BYTES)
        return 0;
    size_t room = data[0] * ROOM_UNIT, step = data[2] + 1u;
    struct hpack_decoder all, some;
    hpack_decoder_init(&all, HPACK_TABLE_BYTES);
    hpack_decoder_init(&some, HPACK_TABLE_BYTES);
    hpack_table_resize(&all.table, data[1] * TABLE_UNIT);
    hpack_table_resize(&some.table, data[1] * TABLE_UNIT);
    bool sound = true;
    for (size_t at = HEAD_BYTES; sound && at < size; at += step) {
        size_t n = size - at < step ? size - at : step;
        char *block = fuzz_copy(data + at, n);
        sound = decode_both(&all, &some, block, n, room);
        check_huffman(block, n);
        free(block);
    }
    hpack_decoder_free(&all);
    hpack_decoder_free(&some);
    return 0;
}
