/* Files of tables. The first byte of an input chooses kind, format and columns; the rest is the file. A table
 * that was read finds what a search through all its rows finds. */
#include "fuzz.h"
#include "match/table/read.h"

#define ASKED_ROWS_MAX 40u
#define TEXT_BYTES (TABLE_TEXT_BYTES_MAX + 8u)

static int
take_value(void *arg, struct span text, struct span *out, char *why, size_t cap)
{
    *out = text;
    return 0;
}

static bool
covers(enum table_kind kind, struct span key, struct span text)
{
    if (key.len > text.len || (kind == TABLE_EXACT && key.len != text.len))
        return false;
    if (kind != TABLE_SUFFIX)
        return key.len == 0 || memcmp(key.ptr, text.ptr, key.len) == 0;
    size_t before = text.len - key.len;
    return memcmp(key.ptr, text.ptr + before, key.len) == 0 && (before == 0 || text.ptr[before - 1] == '.');
}

static void
check_text(const struct table *t, struct span text)
{
    uint32_t best = TABLE_NO_ROW;
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row))
        if (covers(table_kind(t), table_key(t, row), text) &&
            (best == TABLE_NO_ROW || table_key(t, row).len > table_key(t, best).len))
            best = row;
    CHECK(table_find(t, text) == best);
}

/* The key, and texts that are a little longer or shorter. */
static void
check_around(const struct table *t, struct span key)
{
    static char text[TEXT_BYTES];
    if (key.len == 0)
        return;
    memcpy(text + 4, key.ptr, key.len);
    memcpy(text, "www.", 4);
    memcpy(text + 4 + key.len, "/a", 2);
    check_text(t, span_of(text + 4, key.len));
    check_text(t, span_of(text + 4, key.len + 2));
    check_text(t, span_of(text + 4, key.len - 1));
    check_text(t, span_of(text, key.len + 4));
    check_text(t, span_of(text + 3, key.len + 1));
    text[4 + key.len / 2] ^= 1;
    if (memchr(text, '\0', key.len + 4) == NULL)
        check_text(t, span_of(text + 4, key.len));
}

static bool
covers_address(struct span network, const uint8_t *addr)
{
    unsigned bits = (uint8_t)network.ptr[network.len - 1];
    for (unsigned i = 0; i < bits; i++)
        if ((((uint8_t)network.ptr[i / 8] ^ addr[i / 8]) >> (7 - i % 8) & 1) != 0)
            return false;
    return true;
}

static void
check_address(const struct table *t, size_t bytes, const uint8_t *addr)
{
    uint32_t best = TABLE_NO_ROW;
    int best_bits = -1;
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row)) {
        struct span key = table_key(t, row);
        int bits = (uint8_t)key.ptr[key.len - 1];
        if (key.len == bytes + 1 && bits > best_bits && covers_address(key, addr)) {
            best = row;
            best_bits = bits;
        }
    }
    CHECK(table_find_ip(t, bytes == 4 ? 4 : 6, addr) == best);
}

static void
check_network(const struct table *t, struct span key)
{
    uint8_t addr[16];
    size_t bytes = key.len - 1;
    memcpy(addr, key.ptr, bytes);
    check_address(t, bytes, addr);
    addr[bytes - 1] ^= 1;
    check_address(t, bytes, addr);
    addr[bytes / 2] ^= 0x80;
    check_address(t, bytes, addr);
}

static void
check_table(const struct table *t)
{
    uint32_t n = 0, asked = 0;
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row), n++)
        CHECK(table_find_key(t, table_key(t, row)) == row);
    CHECK(n == table_rows(t));
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW && asked < ASKED_ROWS_MAX;
         row = table_next(t, row), asked++) {
        if (table_kind(t) == TABLE_IP)
            check_network(t, table_key(t, row));
        else
            check_around(t, table_key(t, row));
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct table_form form = { .kind = data[0] & 3,
                               .format = (data[0] & 4) != 0 ? TABLE_JSON : TABLE_CSV,
                               .key_column = (data[0] & 8) != 0 ? SPAN_LIT("k") : SPAN_NULL,
                               .value_column = (data[0] & 8) != 0 ? SPAN_LIT("v") : SPAN_NULL,
                               .texts = (data[0] & 16) != 0,
                               .value = take_value };
    char *copy = fuzz_copy(data + 1, size - 1);
    struct table *t = NULL;
    struct table_error error;
    if (table_read(&form, span_of(copy, size - 1), &t, &error) != 0) {
        CHECK(t == NULL && error.text[0] != '\0');
    } else {
        check_table(t);
        table_release(&t);
    }
    free(copy);
    return 0;
}
