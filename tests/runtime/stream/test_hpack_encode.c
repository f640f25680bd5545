/* Encoding without state: forms, byte counts of Varnish, names, sizes at their bounds, and back through the
 * decoder. */
#include <stdlib.h>

#include "base/check.h"
#include "stream/h2/hpack_decode.h"
#include "stream/h2/hpack_encode.h"
#include "test.h"

static struct http_field
field(const char *name, const char *value)
{
    return (struct http_field){ span_str(name), span_str(value), name_lookup(span_str(name)), 0 };
}

static size_t
block_bytes(unsigned status, const char *const fields[][2], size_t n)
{
    uint8_t out[1024];
    size_t at = hpack_encode_status(out, status);
    for (size_t i = 0; i < n; i++) {
        struct http_field f = field(fields[i][0], fields[i][1]);
        at += hpack_encode_field(out + at, sizeof out - at, &f);
    }
    return at;
}

/* ReqAcct of Varnish 7.1.1 counts these response heads as 106, 97 and 102 bytes: one byte for the status, two
 * for a name of the static table. */
static void
blocks_have_the_bytes_of_varnish(void)
{
    static const char *const post[][2] = {
        { "Accept-ranges", "bytes" },
        { "Content-Type", "text/plain" },
        { "Date", "Mon, 21 Oct 2013 20:13:21 GMT" },
        { "Content-Length", "8" },
        { "X-Varnish", "1001" },
        { "Age", "0" },
        { "Via", "1.1 varnish (Varnish/7.1)" },
    };
    static const char *const miss[][2] = {
        { "Content-Length", "12345" },
        { "Date", "Mon, 21 Oct 2013 20:13:21 GMT" },
        { "X-Varnish", "1001" },
        { "Age", "0" },
        { "Via", "1.1 varnish (Varnish/7.1)" },
        { "Accept-Ranges", "bytes" },
    };
    static const char *const hit[][2] = {
        { "Content-Length", "12345" },          { "Date", "Mon, 21 Oct 2013 20:13:21 GMT" },
        { "X-Varnish", "1003 1002" },           { "Age", "0" },
        { "Via", "1.1 varnish (Varnish/7.1)" }, { "Accept-Ranges", "bytes" },
    };
    EXPECT_EQ_INT(block_bytes(200, post, sizeof post / sizeof *post), 106);
    EXPECT_EQ_INT(block_bytes(200, miss, sizeof miss / sizeof *miss), 97);
    EXPECT_EQ_INT(block_bytes(200, hit, sizeof hit / sizeof *hit), 102);
}

static struct span
encoded(const char *name, const char *value)
{
    static uint8_t out[256];
    struct http_field f = field(name, value);
    return span_of((const char *)out, hpack_encode_field(out, sizeof out, &f));
}

static void
fields_are_literals_without_indexing(void)
{
    EXPECT_EQ_STR(encoded("Age", "7"), "\x0f\x06\x01"
                                       "7");
    EXPECT_EQ_SPAN(encoded("aGE", ""), SPAN_LIT("\x0f\x06\x00"));
    EXPECT_EQ_STR(encoded("WWW-Authenticate", "x"), "\x0f\x2e\x01x"); /* 61 */
    EXPECT_EQ_SPAN(encoded("X-Cache", "hit"), SPAN_LIT("\x00\x07x-cache\x03hit"));
    EXPECT_EQ_SPAN(encoded("A-B_C^Z[@", "D"), SPAN_LIT("\x00\x09"
                                                       "a-b_c^z[@\x01"
                                                       "D"));
}

static void
every_byte_of_a_name_has_its_lower_case(void)
{
    for (unsigned c = 1; c < 256; c++)
        for (unsigned n = 1; n < 20; n++) {
            char name[32] = { 0 }, want[32] = { 0 };
            memset(name, (int)c, n);
            memset(want, ascii_lower((char)c), n);
            struct span got = encoded(name, "");
            EXPECT_EQ_SPAN(span_of(got.ptr + 2, n), span_of(want, n));
        }
}

static void
statuses_of_the_static_table_take_one_byte(void)
{
    static const struct {
        unsigned status;
        uint8_t byte;
    } known[] = { { 200, 0x88 }, { 204, 0x89 }, { 206, 0x8a }, { 304, 0x8b },
                  { 400, 0x8c }, { 404, 0x8d }, { 500, 0x8e } };
    uint8_t out[HPACK_STATUS_BYTES_MAX];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        EXPECT_EQ_INT(hpack_encode_status(out, known[i].status), 1);
        EXPECT_EQ_INT(out[0], known[i].byte);
    }
    EXPECT_EQ_INT(hpack_encode_status(out, 503), 5);
    EXPECT_EQ_SPAN(span_of((char *)out, 5), SPAN_LIT("\x08\x03"
                                                     "503"));
    EXPECT_EQ_INT(hpack_encode_status(out, 100), 5);
    EXPECT_EQ_INT(hpack_encode_status(out, 999), 5);
}

struct pair {
    struct http_field want;
    unsigned seen;
};

static bool
compare(void *ctx, const struct http_field *f, unsigned marks)
{
    struct pair *p = ctx;
    EXPECT_EQ_SPAN(f->name, p->want.name);
    EXPECT_EQ_SPAN(f->value, p->want.value);
    EXPECT_EQ_INT(f->id, p->want.id);
    p->seen++;
    return true;
}

/* Lengths around the bounds of each byte of an integer. A field is refused if it may not fit. */
static void
fields_of_all_lengths_come_back(void)
{
    static const size_t lengths[] = { 0, 1, 126, 127, 128, 254, 255, 256, 16509, 16510, 16511, 20000 };
    static char name_text[20000], value_text[20000], text[40000];
    memset(name_text, 'n', sizeof name_text);
    memset(value_text, 'v', sizeof value_text);
    for (size_t i = 1; i < 12; i++)
        for (size_t k = 0; k < 12; k++) {
            struct pair p = { .want = { span_of(name_text, lengths[i]), span_of(value_text, lengths[k]),
                                        NAME_NONE, 0 } };
            size_t room = hpack_field_max(lengths[i], lengths[k]);
            uint8_t *out = malloc(room);
            EXPECT_EQ_INT(hpack_encode_field(out, room - 1, &p.want), 0);
            size_t n = hpack_encode_field(out, room, &p.want);
            EXPECT(n > 0 && n <= room);
            struct hpack_decoder d;
            const char *why = "";
            struct hpack_text to = { .at = text, .end = text + sizeof text };
            hpack_decoder_init(&d, HPACK_TABLE_BYTES);
            EXPECT_EQ_INT(hpack_decode(&d, out, n, &to, compare, &p, &why), HPACK_OK);
            EXPECT_EQ_INT(p.seen, 1);
            EXPECT_EQ_INT(d.table.n, 0);
            hpack_decoder_free(&d);
            free(out);
        }
}

static const struct test tests[] = {
    { "blocks_have_the_bytes_of_varnish", blocks_have_the_bytes_of_varnish },
    { "fields_are_literals_without_indexing", fields_are_literals_without_indexing },
    { "every_byte_of_a_name_has_its_lower_case", every_byte_of_a_name_has_its_lower_case },
    { "statuses_of_the_static_table_take_one_byte", statuses_of_the_static_table_take_one_byte },
    { "fields_of_all_lengths_come_back", fields_of_all_lengths_come_back },
};

int
main(int argc, char **argv)
{
    names_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
