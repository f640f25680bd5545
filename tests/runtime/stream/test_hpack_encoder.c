/* Encoding with a table: what returns takes a byte, what must not enter the table does not, and the peer's
 * decoder finds the same fields, also when it makes its table smaller. */
#include <stdlib.h>

#include "base/check.h"
#include "stream/h2/hpack_decode.h"
#include "stream/h2/hpack_encode.h"
#include "test.h"

#define TABLE_BYTES 2048u
#define BLOCK_BYTES 8192u
#define FIELDS_MAX 16u

static struct http_field
field(const char *name, const char *value)
{
    return (struct http_field){ span_str(name), span_str(value), name_lookup(span_str(name)), 0 };
}

struct expected {
    const struct http_field *fields;
    unsigned n;
};

/* Names come in lower case. */
static bool
compare(void *ctx, const struct http_field *f, unsigned marks)
{
    struct expected *e = ctx;
    (void)marks;
    EXPECT(e->n > 0 && span_eq_nocase(f->name, e->fields->name));
    EXPECT_EQ_SPAN(f->value, e->fields->value);
    e->fields++;
    e->n--;
    return true;
}

/* Encodes a block and decodes it. Returns its bytes. */
static size_t
exchange(struct hpack_encoder *e, struct hpack_decoder *d, const struct http_field *fields, unsigned n)
{
    static char text[BLOCK_BYTES * 8];
    uint8_t out[BLOCK_BYTES];
    size_t at = hpack_encoder_begin(e, out);
    for (unsigned i = 0; i < n; i++) {
        size_t bytes = hpack_encoder_field(e, out + at, sizeof out - at, &fields[i]);
        EXPECT(bytes > 0);
        at += bytes;
    }
    struct expected expected = { fields, n };
    struct hpack_text to = { .at = text, .end = text + sizeof text };
    const char *why = "";
    EXPECT_EQ_INT(hpack_decode(d, out, at, &to, compare, &expected, &why), HPACK_OK);
    EXPECT_EQ_STR(span_str(why), "");
    EXPECT_EQ_INT(expected.n, 0);
    return at;
}

static void
fields_that_return_take_one_byte(void)
{
    const struct http_field head[] = { field("Server", "nginx"), field("Via", "1.1 varnish (Varnish/7.1)"),
                                       field("X-Cache", "hit"), field("Vary", "Accept-Encoding") };
    struct hpack_encoder e;
    struct hpack_decoder d;
    hpack_encoder_init(&e, TABLE_BYTES);
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    size_t first = exchange(&e, &d, head, 4);
    EXPECT_EQ_INT(e.table.n, 0);                         /* seen once */
    EXPECT_EQ_INT(exchange(&e, &d, head, 4), first - 3); /* names of the static table take a byte less */
    EXPECT_EQ_INT(exchange(&e, &d, head, 4), 4);
    EXPECT_EQ_INT(e.table.n, 4);
    EXPECT_EQ_INT(d.table.n, 4);
    hpack_encoder_free(&e);
    hpack_decoder_free(&d);
    hpack_encoder_free(&e); /* harmless */
}

static void
secrets_and_values_that_change_stay_out_of_the_table(void)
{
    const struct http_field head[] = { field("Set-Cookie", "a=b"), field("Authorization", "x"),
                                       field("Age", "1"), field("ETag", "\"e\""), field("X-Varnish", "3 2") };
    struct hpack_encoder e;
    struct hpack_decoder d;
    hpack_encoder_init(&e, TABLE_BYTES);
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    for (unsigned i = 0; i < 4; i++)
        exchange(&e, &d, head, 5);
    EXPECT_EQ_INT(d.table.n, 0);
    hpack_encoder_free(&e);
    hpack_decoder_free(&d);
}

static void
values_that_differ_in_their_middle_are_told_apart(void)
{
    const struct http_field one[] = { field("X-Long", "same begin 1 same end") };
    const struct http_field other[] = { field("X-Long", "same begin 2 same end") };
    struct hpack_encoder e;
    struct hpack_decoder d;
    hpack_encoder_init(&e, TABLE_BYTES);
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    for (unsigned i = 0; i < 6; i++) {
        exchange(&e, &d, one, 1);
        exchange(&e, &d, i % 2 == 0 ? other : one, 1);
    }
    hpack_encoder_free(&e);
    hpack_decoder_free(&d);
}

static void
a_smaller_table_of_the_peer_is_announced_once(void)
{
    const struct http_field head[] = { field("Server", "nginx"), field("X-Cache", "hit") };
    struct hpack_encoder e;
    struct hpack_decoder d;
    uint8_t out[HPACK_UPDATE_BYTES_MAX];
    hpack_encoder_init(&e, TABLE_BYTES);
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    for (unsigned i = 0; i < 3; i++)
        exchange(&e, &d, head, 2);
    hpack_encoder_limit(&e, HPACK_TABLE_BYTES); /* no change */
    EXPECT_EQ_INT(hpack_encoder_begin(&e, out), 0);
    hpack_encoder_limit(&e, 45); /* one of the entries, 43 and 42 bytes */
    hpack_decoder_limit(&d, 45);
    EXPECT_EQ_INT(exchange(&e, &d, head + 1, 1), 2 + 1); /* update, number */
    EXPECT_EQ_INT(exchange(&e, &d, head + 1, 1), 1);
    hpack_encoder_limit(&e, 0);
    hpack_decoder_limit(&d, 0);
    hpack_encoder_limit(&e, HPACK_TABLE_BYTES); /* the smallest one in between is announced */
    hpack_decoder_limit(&d, HPACK_TABLE_BYTES);
    for (unsigned i = 0; i < 3; i++)
        exchange(&e, &d, head, 2);
    EXPECT_EQ_INT(d.table.n, 0);
    hpack_encoder_free(&e);
    hpack_decoder_free(&d);
}

static uint32_t
draw(uint32_t *seed, uint32_t n)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % n;
}

/* Sessions of random heads and table sizes: few names, values that return, and some that do not fit. */
static void
random_heads_come_back(void)
{
    static const char *const names[] = {
        "Server",     "Date", "X-Cache", "x-cache", "Content-Type", "Age", "X-Long-Name-Of-A-Field",
        "Set-Cookie", "Vary", "x"
    };
    uint32_t seed = 7;
    size_t saved = 0;
    for (unsigned session = 0; session < 300; session++) {
        struct hpack_encoder e;
        struct hpack_decoder d;
        hpack_encoder_init(&e, draw(&seed, 2) == 0 ? TABLE_BYTES : draw(&seed, 300));
        hpack_decoder_init(&d, HPACK_TABLE_BYTES);
        for (unsigned block = 0; block < 100; block++) {
            struct http_field head[FIELDS_MAX];
            static char values[FIELDS_MAX][400];
            unsigned n = draw(&seed, FIELDS_MAX + 1);
            size_t most = 0;
            for (unsigned i = 0; i < n; i++) {
                size_t bytes = draw(&seed, 20) == 0 ? draw(&seed, 400) : draw(&seed, 40);
                memset(values[i], 'a' + (int)draw(&seed, 3), bytes);
                head[i] = field(names[draw(&seed, sizeof names / sizeof *names)], "");
                head[i].value = span_of(values[i], bytes);
                most += hpack_field_max(head[i].name.len, bytes);
            }
            if (draw(&seed, 50) == 0) {
                uint32_t limit = draw(&seed, 5000);
                hpack_encoder_limit(&e, limit);
                hpack_decoder_limit(&d, limit);
            }
            saved += most - exchange(&e, &d, head, n);
        }
        hpack_encoder_free(&e);
        hpack_decoder_free(&d);
    }
    EXPECT(saved > 0);
}

static const struct test tests[] = {
    { "fields_that_return_take_one_byte", fields_that_return_take_one_byte },
    { "secrets_and_values_that_change_stay_out_of_the_table",
      secrets_and_values_that_change_stay_out_of_the_table },
    { "values_that_differ_in_their_middle_are_told_apart",
      values_that_differ_in_their_middle_are_told_apart },
    { "a_smaller_table_of_the_peer_is_announced_once", a_smaller_table_of_the_peer_is_announced_once },
    { "random_heads_come_back", random_heads_come_back },
};

int
main(int argc, char **argv)
{
    names_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
