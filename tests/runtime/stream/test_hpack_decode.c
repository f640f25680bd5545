/* Decoding header blocks: the examples of RFC 7541, appendix C, every kind of mistake by its reason, the
 * dynamic table and its memory, blocks whose text does not fit. */
#include <ctype.h>
#include <stdlib.h>

#include "http/fields.h"
#include "stream/h2/hpack_decode.h"
#include "test.h"

#define BLOCK_BYTES_MAX 512
#define TEXT_BYTES 4096

static char heap_text[TEXT_BYTES];

struct seen {
    char lines[TEXT_BYTES]; /* "name: value\n" of each field */
    size_t n;
    unsigned fields, wanted; /* wanted: refuse the field after so many; 0 wants all */
    unsigned marks;          /* of the last field */
    struct http_field last;
};

static bool
see(void *ctx, const struct http_field *f, unsigned marks)
{
    struct seen *s = ctx;
    if (s->wanted != 0 && s->fields == s->wanted)
        return false;
    s->n += (size_t)snprintf(s->lines + s->n, sizeof s->lines - s->n, "%.*s: %.*s\n", (int)f->name.len,
                             f->name.ptr, (int)f->value.len, f->value.ptr);
    s->fields++;
    s->marks = marks;
    s->last = *f;
    return true;
}

static unsigned
nibble(char c)
{
    return (unsigned)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);
}

/* Bytes of "8286 84 41": digits in pairs, blanks between them. */
static size_t
bytes_of(const char *hex, uint8_t out[BLOCK_BYTES_MAX])
{
    size_t n = 0;
    for (; *hex != '\0'; hex++)
        if (*hex != ' ') {
            out[n++] = (uint8_t)(nibble(hex[0]) << 4 | nibble(hex[1]));
            hex++;
        }
    return n;
}

/* The block is at the end of its memory, so that ASan sees a read behind it. */
static enum hpack_result
decode_into(struct hpack_decoder *d, const char *hex, struct seen *s, size_t room, const char **why)
{
    uint8_t block[BLOCK_BYTES_MAX];
    size_t n = bytes_of(hex, block);
    uint8_t *copy = malloc(n + 1);
    memcpy(copy + 1, block, n);
    struct hpack_text text = { .at = heap_text, .end = heap_text + room };
    s->n = s->fields = 0;
    s->lines[0] = '\0';
    *why = "";
    enum hpack_result result = hpack_decode(d, copy + 1, n, &text, see, s, why);
    free(copy);
    return result;
}

static enum hpack_result
decode(struct hpack_decoder *d, const char *hex, struct seen *s)
{
    const char *why;
    return decode_into(d, hex, s, TEXT_BYTES, &why);
}

/* ---- RFC 7541, appendix C ---- */

struct example {
    const char *block, *fields;
    unsigned n_entries, table_bytes;
};

static void
check_examples(const struct example *examples, size_t n, uint32_t table)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    hpack_table_resize(&d.table, table);
    for (size_t i = 0; i < n; i++) {
        EXPECT_EQ_INT(decode(&d, examples[i].block, &s), HPACK_OK);
        EXPECT_EQ_STR(span_str(s.lines), examples[i].fields);
        EXPECT_EQ_INT(d.table.n, examples[i].n_entries);
        EXPECT_EQ_INT(d.table.bytes, examples[i].table_bytes);
    }
    hpack_decoder_free(&d);
}
#define CHECK_EXAMPLES(list, table) check_examples(list, sizeof list / sizeof *list, table)

static void
the_forms_of_c_2_are_decoded(void)
{
    static const struct example with_indexing[] = {
        { "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key: custom-header\n",
          1, 55 },
    };
    static const struct example without_indexing[] = {
        { "040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path\n", 0, 0 },
    };
    static const struct example never_indexed[] = {
        { "1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret\n", 0, 0 },
    };
    static const struct example indexed[] = { { "82", ":method: GET\n", 0, 0 } };
    CHECK_EXAMPLES(with_indexing, HPACK_TABLE_BYTES);
    CHECK_EXAMPLES(without_indexing, HPACK_TABLE_BYTES);
    CHECK_EXAMPLES(never_indexed, HPACK_TABLE_BYTES);
    CHECK_EXAMPLES(indexed, HPACK_TABLE_BYTES);
}

#define REQUEST_1 ":method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\n"
#define REQUEST_2 REQUEST_1 "cache-control: no-cache\n"
#define REQUEST_3 \
    ":method: GET\n:scheme: https\n:path: /index.html\n:authority: www.example.com\n" \
    "custom-key: custom-value\n"

static void
the_requests_of_c_3_without_huffman_are_decoded(void)
{
    static const struct example examples[] = {
        { "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", REQUEST_1, 1, 57 },
        { "8286 84be 5808 6e6f 2d63 6163 6865", REQUEST_2, 2, 110 },
        { "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65", REQUEST_3, 3, 164 },
    };
    CHECK_EXAMPLES(examples, HPACK_TABLE_BYTES);
}

static void
the_requests_of_c_4_with_huffman_are_decoded(void)
{
    static const struct example examples[] = {
        { "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", REQUEST_1, 1, 57 },
        { "8286 84be 5886 a8eb 1064 9cbf", REQUEST_2, 2, 110 },
        { "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf", REQUEST_3, 3, 164 },
    };
    CHECK_EXAMPLES(examples, HPACK_TABLE_BYTES);
}

#define RESPONSE_1 \
    ":status: 302\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\n" \
    "location: https://www.example.com\n"
#define RESPONSE_2 \
    ":status: 307\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\n" \
    "location: https://www.example.com\n"
#define RESPONSE_3 \
    ":status: 200\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:22 GMT\n" \
    "location: https://www.example.com\ncontent-encoding: gzip\n" \
    "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1\n"

static void
the_responses_of_c_5_evict_entries_of_a_small_table(void)
{
    static const struct example examples[] = {
        { "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c"
          "2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120"
          "474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
          RESPONSE_1, 4, 222 },
        { "4803 3330 37c1 c0bf", RESPONSE_2, 4, 222 },
        { "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133"
          "2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738"
          "666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f"
          "5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765"
          "3d33 3630 303b 2076 6572 7369 6f6e 3d31",
          RESPONSE_3, 3, 215 },
    };
    CHECK_EXAMPLES(examples, 256);
}

static void
the_responses_of_c_6_with_huffman_do_the_same(void)
{
    static const struct example examples[] = {
        { "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4"
          "44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718"
          "63c7 8f0b 97c8 e9ae 82ae 43d3",
          RESPONSE_1, 4, 222 },
        { "4883 640e ffc1 c0bf", RESPONSE_2, 4, 222 },
        { "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166"
          "e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7"
          "b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
          RESPONSE_3, 3, 215 },
    };
    CHECK_EXAMPLES(examples, 256);
}

/* ---- mistakes ---- */

static void
every_mistake_has_its_reason(void)
{
    static const struct {
        const char *block, *why;
    } mistakes[] = {
        { "80", "index is 0" },
        { "be", "index is beyond the table" },
        { "7f00 0161", "index is beyond the table" }, /* the name of a literal */
        { "ff", "block ends within an integer" },
        { "ff80", "block ends within an integer" },
        { "ffff ffff ff10", "integer is too large" },
        { "ff80 8080 8080 01", "integer is too large" },   /* more bytes than 32 bits need */
        { "ff80 ffff ff0f", "index is beyond the table" }, /* 2^32 - 1 */
        { "ff81 ffff ff0f", "integer is too large" },      /* 2^32 */
        { "40", "block ends within a field" },
        { "4001 61", "block ends within a field" },
        { "4002 61", "text is longer than its block" },
        { "4001 6103 6161", "text is longer than its block" },
        { "0003 616263 8284", "text is longer than its block" }, /* coded: one byte is missing */
        { "82 20", "table size update is not at the beginning of a block" },
        { "3fe2 1f", "table size is above SETTINGS_HEADER_TABLE_SIZE" }, /* 4,097 */
        { "0483 1fff ff", "Huffman padding is longer than 7 bits" },
        { "0482 1fff", "Huffman padding is longer than 7 bits" }, /* 'a', then eleven ones */
        { "0481 18", "Huffman padding is not all ones" },         /* 'a', then 000 */
        { "0481 1e", "Huffman padding is not all ones" },         /* 'a', then 110 */
        { "0481 ff", "Huffman padding is longer than 7 bits" },
        { "0484 ffff fffc", "Huffman text contains EOS" },
        { "0485 1fff ffff ff", "Huffman text contains EOS" }, /* behind 'a' */
        { "048c ffff ffff 1f1f 1f1f 1f1f 1f1f", "Huffman text contains EOS" },
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct hpack_decoder d;
        struct seen s = { 0 };
        const char *why;
        hpack_decoder_init(&d, HPACK_TABLE_BYTES);
        EXPECT_EQ_INT(decode_into(&d, mistakes[i].block, &s, TEXT_BYTES, &why), HPACK_COMPRESSION_ERROR);
        EXPECT_EQ_STR(span_str(why), mistakes[i].why);
        /* A mistake is one also where no text is stored. */
        hpack_decoder_free(&d);
        hpack_decoder_init(&d, HPACK_TABLE_BYTES);
        EXPECT_EQ_INT(decode_into(&d, mistakes[i].block, &s, 0, &why), HPACK_COMPRESSION_ERROR);
        EXPECT_EQ_STR(span_str(why), mistakes[i].why);
        hpack_decoder_free(&d);
    }
}

/* ---- the dynamic table ---- */

static void
a_smaller_limit_is_due_in_the_next_block(void)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    const char *why;
    hpack_decoder_init(&d, 100);
    EXPECT_EQ_INT(decode(&d, "4001 6101 62", &s), HPACK_OK); /* the peer has not seen our SETTINGS yet */
    EXPECT_EQ_INT(d.table.n, 1);
    hpack_decoder_limit(&d, 100);
    EXPECT_EQ_INT(decode_into(&d, "be", &s, TEXT_BYTES, &why), HPACK_COMPRESSION_ERROR);
    EXPECT_EQ_STR(span_str(why), "block does not begin with the table size update that is due");
    hpack_decoder_limit(&d, 100);
    EXPECT_EQ_INT(decode(&d, "3f45 be", &s), HPACK_OK); /* 100 */
    EXPECT_EQ_STR(span_str(s.lines), "a: b\n");
    EXPECT_EQ_INT(decode_into(&d, "3f46", &s, TEXT_BYTES, &why), HPACK_COMPRESSION_ERROR); /* 101 */
    EXPECT_EQ_STR(span_str(why), "table size is above SETTINGS_HEADER_TABLE_SIZE");
    hpack_decoder_free(&d);
}

static void
a_larger_limit_allows_larger_tables(void)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES_MAX);
    EXPECT_EQ_INT(d.table.bytes_max, HPACK_TABLE_BYTES); /* until the peer says otherwise */
    EXPECT_EQ_INT(decode(&d, "3fe1 ff03", &s), HPACK_OK);
    EXPECT_EQ_INT(d.table.bytes_max, HPACK_TABLE_BYTES_MAX);
    hpack_decoder_free(&d);
}

static void
size_updates_evict_and_may_follow_each_other(void)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    EXPECT_EQ_INT(decode(&d, "4001 6101 62 4001 6301 64", &s), HPACK_OK);
    EXPECT_EQ_INT(d.table.n, 2);
    EXPECT_EQ_INT(decode(&d, "3f04 3fe1 1f be", &s), HPACK_OK); /* 35, then 4,096: the newest is left */
    EXPECT_EQ_STR(span_str(s.lines), "c: d\n");
    EXPECT_EQ_INT(d.table.n, 1);
    EXPECT_EQ_INT(decode(&d, "20", &s), HPACK_OK);
    EXPECT_EQ_INT(d.table.n, 0);
    EXPECT_EQ_INT(d.table.bytes, 0);
    hpack_decoder_free(&d);
}

static void
an_entry_may_evict_the_one_that_its_name_comes_from(void)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    hpack_table_resize(&d.table, 40);
    EXPECT_EQ_INT(decode(&d, "4003 6162 6301 64", &s), HPACK_OK);
    EXPECT_EQ_INT(decode(&d, "7e05 6566 6768 69 be", &s), HPACK_OK); /* name: entry 62 */
    EXPECT_EQ_STR(span_str(s.lines), "abc: efghi\nabc: efghi\n");
    EXPECT_EQ_INT(d.table.n, 1);
    hpack_decoder_free(&d);
}

static void
an_entry_larger_than_the_table_empties_it(void)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    hpack_table_resize(&d.table, 40);
    EXPECT_EQ_INT(decode(&d, "4003 6162 6301 64", &s), HPACK_OK);
    EXPECT_EQ_INT(decode(&d, "7e06 6566 6768 696a", &s), HPACK_OK);
    EXPECT_EQ_STR(span_str(s.lines), "abc: efghij\n"); /* the field itself is right */
    EXPECT_EQ_INT(d.table.n, 0);
    hpack_decoder_free(&d);
}

/* Entries of all lengths through all sizes of the memory: each is found again, and the table holds those that
 * RFC 7541 counts. */
static void
text_survives_growth_and_moves(void)
{
    struct hpack_table t;
    char text[3000];
    memset(text, 'x', sizeof text);
    hpack_table_init(&t, HPACK_TABLE_BYTES);
    for (unsigned i = 0; i < 20000; i++) {
        size_t bytes = 8 + i * 7919 % (i % 17 == 0 ? 2900 : 90);
        snprintf(text, sizeof text, "%07u", i);
        const struct http_field f = { span_of(text, 7), span_of(text + 8, bytes - 8), NAME_NONE, 0 };
        hpack_table_add(&t, &f, 0);
        uint32_t counted = 0;
        for (unsigned k = 0; k < t.n; k++) {
            const struct hpack_entry *e = hpack_table_entry(&t, k);
            char want[8];
            snprintf(want, sizeof want, "%07u", i - k);
            EXPECT_EQ_SPAN(span_of(hpack_entry_text(&t, e), 7), span_of(want, 7));
            counted += HPACK_ENTRY_OVERHEAD + e->name_bytes + e->value_bytes;
        }
        EXPECT_EQ_INT(counted, t.bytes);
        EXPECT(t.n > 0 && t.bytes <= HPACK_TABLE_BYTES);
    }
    hpack_table_release(&t);
}

static void
a_decoder_without_entries_has_no_memory(void)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    EXPECT_EQ_INT(decode(&d, "8286 84 040c 2f73 616d 706c 652f 7061 7468", &s), HPACK_OK);
    EXPECT(d.table.memory == NULL);
    EXPECT(sizeof d <= 48);
    hpack_decoder_free(&d);
    hpack_decoder_free(&d); /* harmless */
}

/* ---- names and marks ---- */

static unsigned
marks_of(const char *hex)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    EXPECT_EQ_INT(decode(&d, hex, &s), HPACK_OK);
    hpack_decoder_free(&d);
    return s.marks;
}

static void
marks_tell_what_needs_a_closer_look(void)
{
    EXPECT_EQ_INT(marks_of("82"), HPACK_PSEUDO);
    EXPECT_EQ_INT(marks_of("90"), 0);
    EXPECT_EQ_INT(marks_of("0001 6101 62"), 0);
    EXPECT_EQ_INT(marks_of("1001 6101 62"), HPACK_NEVER_INDEXED);
    EXPECT_EQ_INT(marks_of("4002 3a61 0162 be"), HPACK_PSEUDO);                /* :a */
    EXPECT_EQ_INT(marks_of("4001 4101 62 be"), HPACK_ODD_NAME);                /* A */
    EXPECT_EQ_INT(marks_of("4000 0162 be"), HPACK_ODD_NAME);                   /* no name */
    EXPECT_EQ_INT(marks_of("4001 3a01 62 be"), HPACK_PSEUDO | HPACK_ODD_NAME); /* : */
    EXPECT_EQ_INT(marks_of("4003 613a 6201 62 be"), HPACK_ODD_NAME);           /* a:b */
    EXPECT_EQ_INT(marks_of("4001 6101 0a be"), HPACK_ODD_VALUE);               /* LF */
    EXPECT_EQ_INT(marks_of("4001 6101 20 be"), HPACK_ODD_VALUE);               /* a blank */
    EXPECT_EQ_INT(marks_of("4001 6102 0962 be"), HPACK_ODD_VALUE);             /* HTAB at the beginning */
    EXPECT_EQ_INT(marks_of("4001 6103 6209 62 be"), 0);                        /* HTAB within */
    EXPECT_EQ_INT(marks_of("4001 4101 0a 7e01 62"), HPACK_ODD_NAME);           /* the name of an entry */
}

static void
names_have_their_ids(void)
{
    struct hpack_decoder d;
    struct seen s = { 0 };
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    EXPECT_EQ_INT(decode(&d, "90", &s), HPACK_OK);
    EXPECT_EQ_INT(s.last.id, NAME_ACCEPT_ENCODING);
    EXPECT_EQ_INT(decode(&d, "4004 686f 7374 0161 be", &s), HPACK_OK); /* as text, then from the table */
    EXPECT_EQ_INT(s.last.id, NAME_HOST);
    EXPECT_EQ_INT(decode(&d, "4005 782d 6e65 7701 61 be", &s), HPACK_OK);
    EXPECT_EQ_INT(s.last.id, NAME_NONE);
    name_id id = NAME_NONE;
    EXPECT_EQ_INT(name_intern(SPAN_LIT("X-New"), &id), 0);
    EXPECT_EQ_INT(decode(&d, "be", &s), HPACK_OK);
    EXPECT_EQ_INT(s.last.id, id); /* interned after the entry was added */
    hpack_decoder_free(&d);
}

static void
the_static_table_names_known_fields(void)
{
    for (unsigned i = 1; i <= HPACK_STATIC_COUNT; i++) {
        const struct http_field *f = &hpack_static[i];
        bool pseudo = i <= HPACK_STATIC_PSEUDO;
        EXPECT_EQ_INT(f->name.ptr[0] == ':', pseudo);
        EXPECT_EQ_INT(f->id, pseudo ? NAME_NONE : name_lookup(f->name));
        EXPECT(pseudo || f->id != NAME_NONE);
        EXPECT(pseudo || hpack_static_of[f->id] == i);
    }
    unsigned named = 0;
    for (unsigned i = 0; i < NAME_KNOWN_COUNT; i++)
        named += hpack_static_of[i] != 0;
    EXPECT_EQ_INT(named, HPACK_STATIC_COUNT - HPACK_STATIC_PSEUDO);
}

/* ---- text that does not fit or is not wanted ---- */

/* The next block refers to what the first one added, stored or not. */
static void
check_in_step(const char *first, size_t room, unsigned wanted, enum hpack_result result, const char *fields)
{
    static const char second[] = "be bf c0";
    struct hpack_decoder d, full;
    struct seen s = { .wanted = wanted }, want = { 0 };
    const char *why;
    hpack_decoder_init(&d, HPACK_TABLE_BYTES);
    hpack_decoder_init(&full, HPACK_TABLE_BYTES);
    EXPECT_EQ_INT(decode_into(&d, first, &s, room, &why), result);
    EXPECT_EQ_STR(span_str(s.lines), fields);
    EXPECT_EQ_INT(decode(&full, first, &want), HPACK_OK);
    EXPECT_EQ_INT(d.table.bytes, full.table.bytes);
    s.wanted = 0;
    EXPECT_EQ_INT(decode(&d, second, &s), HPACK_OK);
    EXPECT_EQ_INT(decode(&full, second, &want), HPACK_OK);
    EXPECT_EQ_STR(span_str(s.lines), want.lines);
    hpack_decoder_free(&d);
    hpack_decoder_free(&full);
}

static void
the_table_stays_in_step_when_text_does_not_fit(void)
{
    /* as text; in Huffman code; with names of earlier entries */
    static const char plain[] = "4003 6162 6303 6465 66 4003 6768 6903 6a6b 6c 4003 6d6e 6f03 7071 72 be";
    static const char coded[] = "40 82 1c64 83 90b2ff 40 83 9a737f 83 e9d68f 40 83 a6a3ff 83 afb59f be";
    static const char named[] = "4003 6162 6303 6465 66 7e03 6a6b 6c 7e03 7071 72 be";
    for (size_t room = 0; room < 24; room++) {
        const char *want = room < 6  ? ""
                         : room < 12 ? "abc: def\n"
                         : room < 18 ? "abc: def\nghi: jkl\n"
                                     : "abc: def\nghi: jkl\nmno: pqr\n";
        check_in_step(plain, room, 0, HPACK_NO_ROOM, want);
        check_in_step(coded, room, 0, HPACK_NO_ROOM, want);
    }
    check_in_step(named, 7, 0, HPACK_NO_ROOM, "abc: def\n");
    check_in_step(named, 10, 0, HPACK_NO_ROOM, "abc: def\n");
    check_in_step(plain, TEXT_BYTES, 1, HPACK_REFUSED, "abc: def\n");
    check_in_step(named, TEXT_BYTES, 2, HPACK_REFUSED, "abc: def\nabc: jkl\n");
}

/* Memory that grows in place, a byte more than was asked for at a time, up to its end. */
static bool
grow_in_place(struct hpack_text *text, size_t n)
{
    bool fits = n + 1 <= (size_t)(heap_text + 24 - text->at);
    text->end = fits ? text->at + n + 1 : text->end;
    return fits;
}

/* The other half of the memory for each piece. */
static bool
change_places(struct hpack_text *text, size_t n)
{
    text->at = text->at < heap_text + TEXT_BYTES / 2 ? heap_text + TEXT_BYTES / 2 : heap_text + 12;
    text->end = text->at + n;
    return true;
}

static void
text_may_take_more_memory(void)
{
    static const char *const blocks[] = {
        "4003 6162 6303 6465 66 4003 6768 6903 6a6b 6c be", /* plain */
        "40 82 1c64 83 90b2ff 40 83 9a737f 83 e9d68f be",   /* in Huffman code */
    };
    for (size_t i = 0; i < 2; i++)
        for (size_t room = 0; room < 8; room++) {
            struct hpack_decoder d;
            struct seen s = { 0 };
            const char *why = "";
            uint8_t block[BLOCK_BYTES_MAX];
            size_t n = bytes_of(blocks[i], block);
            struct hpack_text text = { heap_text, heap_text + room, grow_in_place };
            hpack_decoder_init(&d, HPACK_TABLE_BYTES);
            EXPECT_EQ_INT(hpack_decode(&d, block, n, &text, see, &s, &why), HPACK_OK);
            EXPECT_EQ_STR(span_str(s.lines), "abc: def\nghi: jkl\nghi: jkl\n");
            EXPECT_EQ_SPAN(span_of(heap_text, 18), SPAN_LIT("abcdefghijklghijkl")); /* in place */
            EXPECT_EQ_INT(hpack_decode(&d, block, n, &text, see, &s, &why), HPACK_NO_ROOM);
            struct hpack_text pieces = { heap_text, heap_text + room, change_places };
            s.n = 0;
            EXPECT_EQ_INT(hpack_decode(&d, block, n, &pieces, see, &s, &why), HPACK_OK);
            EXPECT_EQ_STR(span_str(s.lines), "abc: def\nghi: jkl\nghi: jkl\n");
            hpack_decoder_free(&d);
        }
}

static const struct test tests[] = {
    { "the_forms_of_c_2_are_decoded", the_forms_of_c_2_are_decoded },
    { "the_requests_of_c_3_without_huffman_are_decoded", the_requests_of_c_3_without_huffman_are_decoded },
    { "the_requests_of_c_4_with_huffman_are_decoded", the_requests_of_c_4_with_huffman_are_decoded },
    { "the_responses_of_c_5_evict_entries_of_a_small_table",
      the_responses_of_c_5_evict_entries_of_a_small_table },
    { "the_responses_of_c_6_with_huffman_do_the_same", the_responses_of_c_6_with_huffman_do_the_same },
    { "every_mistake_has_its_reason", every_mistake_has_its_reason },
    { "a_smaller_limit_is_due_in_the_next_block", a_smaller_limit_is_due_in_the_next_block },
    { "a_larger_limit_allows_larger_tables", a_larger_limit_allows_larger_tables },
    { "size_updates_evict_and_may_follow_each_other", size_updates_evict_and_may_follow_each_other },
    { "an_entry_may_evict_the_one_that_its_name_comes_from",
      an_entry_may_evict_the_one_that_its_name_comes_from },
    { "an_entry_larger_than_the_table_empties_it", an_entry_larger_than_the_table_empties_it },
    { "text_survives_growth_and_moves", text_survives_growth_and_moves },
    { "a_decoder_without_entries_has_no_memory", a_decoder_without_entries_has_no_memory },
    { "marks_tell_what_needs_a_closer_look", marks_tell_what_needs_a_closer_look },
    { "names_have_their_ids", names_have_their_ids },
    { "the_static_table_names_known_fields", the_static_table_names_known_fields },
    { "the_table_stays_in_step_when_text_does_not_fit", the_table_stays_in_step_when_text_does_not_fit },
    { "text_may_take_more_memory", text_may_take_more_memory },
};

int
main(int argc, char **argv)
{
    names_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
