/* Tables of each kind beside a search through all rows, rows that a table refuses, and large tables. */
#include <arpa/inet.h>
#include <stdlib.h>

#include "base/check.h"
#include "match/table/table.h"
#include "test.h"

#define NOTHING "-"

struct row {
    const char *key, *value;
};

static struct span
key_of(enum table_kind kind, const char *text, uint8_t out[TABLE_NETWORK_BYTES])
{
    char copy[64];
    uint8_t addr[16];
    if (kind != TABLE_IP)
        return span_str(text);
    snprintf(copy, sizeof copy, "%s", text);
    char *slash = strchr(copy, '/');
    bool six = strchr(copy, ':') != NULL;
    unsigned bits = slash == NULL ? (six ? 128 : 32) : (unsigned)atoi(slash + 1);
    if (slash != NULL)
        *slash = '\0';
    EXPECT_EQ_INT(inet_pton(six ? AF_INET6 : AF_INET, copy, addr), 1);
    return table_network(out, six ? 6 : 4, addr, bits);
}

/* The last row that table_add or table_end refuses is in `error`. */
static struct table *
make(enum table_kind kind, const struct row *rows, unsigned n, struct table_error *error)
{
    struct table_build *b = table_begin(kind);
    struct table *t = NULL;
    uint8_t network[TABLE_NETWORK_BYTES];
    int err = 0;
    *error = (struct table_error){ .text = "" };
    for (unsigned i = 0; i < n && err == 0; i++)
        err = table_add(b, key_of(kind, rows[i].key, network), span_str(rows[i].value),
                        (struct table_place){ i + 1, 7 }, error);
    if (err == 0)
        err = table_end(&b, &t, error);
    EXPECT((t != NULL) == (err == 0));
    table_cancel(&b);
    return t;
}

static uint32_t
find(const struct table *t, const char *text)
{
    uint8_t network[TABLE_NETWORK_BYTES];
    if (table_kind(t) != TABLE_IP)
        return table_find(t, span_str(text));
    struct span key = key_of(TABLE_IP, text, network);
    return table_find_ip(t, key.len == 5 ? 4 : 6, (const uint8_t *)key.ptr);
}

static struct span
value_for(const struct table *t, const char *text)
{
    uint32_t row = find(t, text);
    return row == TABLE_NO_ROW ? SPAN_LIT(NOTHING) : table_value(t, row);
}

#define N(rows) (sizeof(rows) / sizeof *(rows))
#define EXPECT_VALUE(t, text, value) EXPECT_EQ_SPAN(value_for(t, text), span_str(value))

/* ---- what each kind finds ------------------------------------------------------------------------------ */

static void
an_exact_table_finds_whole_keys(void)
{
    static const struct row rows[] = { { "/old", "/new" }, { "/a/b", "/c" }, { "", "empty" }, { "/x", "" } };
    struct table_error error;
    struct table *t = make(TABLE_EXACT, rows, N(rows), &error);
    EXPECT_VALUE(t, "/old", "/new");
    EXPECT_VALUE(t, "/a/b", "/c");
    EXPECT_VALUE(t, "", "empty");
    EXPECT_VALUE(t, "/x", "");
    EXPECT_VALUE(t, "/ol", NOTHING);
    EXPECT_VALUE(t, "/old/", NOTHING);
    EXPECT_EQ_INT(table_find(t, SPAN_NULL), TABLE_NO_ROW);
    EXPECT_EQ_INT(table_rows(t), 4);
    table_release(&t);
    EXPECT(t == NULL);
}

static void
a_prefix_table_finds_the_longest_prefix(void)
{
    static const struct row rows[] = {
        { "/shop", "1" }, { "/shop/eu/", "2" }, { "/shop/eu/de", "3" }, { "/blog", "4" }
    };
    struct table_error error;
    struct table *t = make(TABLE_PREFIX, rows, N(rows), &error);
    EXPECT_VALUE(t, "/shop", "1");
    EXPECT_VALUE(t, "/shopping", "1");
    EXPECT_VALUE(t, "/shop/eu", "1");
    EXPECT_VALUE(t, "/shop/eu/", "2");
    EXPECT_VALUE(t, "/shop/eu/dx", "2");
    EXPECT_VALUE(t, "/shop/eu/de/1", "3");
    EXPECT_VALUE(t, "/blogs", "4");
    EXPECT_VALUE(t, "/sho", NOTHING);
    EXPECT_VALUE(t, "/", NOTHING);
    EXPECT_VALUE(t, "", NOTHING);
    table_release(&t);
}

static void
an_empty_prefix_covers_every_text(void)
{
    static const struct row rows[] = { { "", "all" }, { "/a", "a" } };
    struct table_error error;
    struct table *t = make(TABLE_PREFIX, rows, N(rows), &error), *one = make(TABLE_PREFIX, rows, 1, &error);
    EXPECT_VALUE(t, "", "all");
    EXPECT_VALUE(t, "/b", "all");
    EXPECT_VALUE(t, "/ab", "a");
    EXPECT_VALUE(one, "/ab", "all");
    table_release(&t);
    table_release(&one);
}

static void
a_suffix_table_finds_whole_labels(void)
{
    static const struct row rows[] = {
        { "example.com", "1" }, { "shop.example.com", "2" }, { "badexample.com", "3" }, { "com", "4" }
    };
    struct table_error error;
    struct table *t = make(TABLE_SUFFIX, rows, N(rows), &error);
    EXPECT_VALUE(t, "example.com", "1");
    EXPECT_VALUE(t, "www.example.com", "1");
    EXPECT_VALUE(t, "a.b.example.com", "1");
    EXPECT_VALUE(t, "shop.example.com", "2");
    EXPECT_VALUE(t, "eu.shop.example.com", "2");
    EXPECT_VALUE(t, "webshop.example.com", "1");
    EXPECT_VALUE(t, "badexample.com", "3");
    EXPECT_VALUE(t, "a.badexample.com", "3");
    EXPECT_VALUE(t, "verybadexample.com", "4");
    EXPECT_VALUE(t, "xcom", NOTHING);
    EXPECT_VALUE(t, "om", NOTHING);
    EXPECT_VALUE(t, "example.org", NOTHING);
    table_release(&t);
}

static void
an_ip_table_finds_the_longest_prefix_of_its_family(void)
{
    static const struct row rows[] = {
        { "192.0.2.0/24", "1" },       { "192.0.2.128/25", "2" },
        { "192.0.2.255", "3" },        { "2001:db8::/32", "4" },
        { "2001:db8:0:1::/64", "5" },  { "2001:db8:0:1::7", "6" },
        { "255.255.255.255/32", "7" }, { "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "8" }
    };
    struct table_error error;
    struct table *t = make(TABLE_IP, rows, N(rows), &error);
    EXPECT_VALUE(t, "192.0.2.0", "1");
    EXPECT_VALUE(t, "192.0.2.127", "1");
    EXPECT_VALUE(t, "192.0.2.128", "2");
    EXPECT_VALUE(t, "192.0.2.255", "3");
    EXPECT_VALUE(t, "192.0.3.0", NOTHING);
    EXPECT_VALUE(t, "192.0.1.255", NOTHING);
    EXPECT_VALUE(t, "2001:db8::", "4");
    EXPECT_VALUE(t, "2001:db8:0:1::", "5");
    EXPECT_VALUE(t, "2001:db8:0:1::6", "5");
    EXPECT_VALUE(t, "2001:db8:0:1::7", "6");
    EXPECT_VALUE(t, "2001:db8:0:1::8", "5");
    EXPECT_VALUE(t, "2001:db8:0:2::", "4");
    EXPECT_VALUE(t, "2001:db9::", NOTHING);
    EXPECT_VALUE(t, "255.255.255.255", "7");
    EXPECT_VALUE(t, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "8");
    EXPECT_VALUE(t, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe", NOTHING);
    EXPECT_VALUE(t, "::192.0.2.1", NOTHING);
    EXPECT_EQ_INT(table_find_ip(t, 0, (const uint8_t[16]){ 0 }), TABLE_NO_ROW);
    table_release(&t);
}

static void
prefixes_of_no_bits_cover_their_family_only(void)
{
    static const struct row rows[] = { { "0.0.0.0/0", "four" }, { "::/0", "six" } };
    struct table_error error;
    for (unsigned i = 0; i < 2; i++) {
        struct table *t = make(TABLE_IP, rows + i, 1, &error);
        EXPECT_VALUE(t, "0.0.0.0", i == 0 ? "four" : NOTHING);
        EXPECT_VALUE(t, "255.255.255.255", i == 0 ? "four" : NOTHING);
        EXPECT_VALUE(t, "::", i == 1 ? "six" : NOTHING);
        EXPECT_VALUE(t, "ffff::", i == 1 ? "six" : NOTHING);
        table_release(&t);
    }
}

static void
a_table_without_rows_finds_nothing(void)
{
    struct table_error error;
    for (int kind = 0; kind < TABLE_KINDS; kind++) {
        struct table *t = make((enum table_kind)kind, NULL, 0, &error);
        EXPECT_VALUE(t, "192.0.2.1", NOTHING);
        EXPECT_EQ_INT(table_find_key(t, SPAN_LIT("a")), TABLE_NO_ROW);
        EXPECT_EQ_INT(table_first(t), TABLE_NO_ROW);
        table_release(&t);
    }
}

/* ---- rows that a table refuses ------------------------------------------------------------------------- */

static void
expect_refused(enum table_kind kind, const struct row *rows, unsigned n, unsigned line, const char *why)
{
    struct table_error error;
    struct table *t = make(kind, rows, n, &error);
    EXPECT(t == NULL);
    EXPECT_EQ_SPAN(span_str(error.text), span_str(why));
    EXPECT_EQ_INT(error.at.line, line);
    EXPECT_EQ_INT(error.at.column, 7);
    table_release(&t);
}

static void
a_key_occurs_once(void)
{
    static const struct row texts[] = { { "a", "1" }, { "b", "2" }, { "c", "3" },
                                        { "b", "4" }, { "a", "5" }, { "b", "6" } };
    static const struct row networks[] = { { "192.0.2.0/24", "1" },
                                           { "10.0.0.0/8", "2" },
                                           { "192.0.2.7/24", "3" } };
    static const struct row six[] = { { "::/0", "1" }, { "2001:db8::1", "1" }, { "2001:db8::1/128", "1" } };
    expect_refused(TABLE_EXACT, texts, N(texts), 4, "the key occurs twice; it is also in line 2");
    expect_refused(TABLE_PREFIX, texts, N(texts), 4, "the key occurs twice; it is also in line 2");
    expect_refused(TABLE_SUFFIX, texts, N(texts), 4, "the key occurs twice; it is also in line 2");
    expect_refused(TABLE_IP, networks, N(networks), 3, "the key occurs twice; it is also in line 1");
    expect_refused(TABLE_IP, six, N(six), 3, "the key occurs twice; it is also in line 2");
}

/* Not a later one, which a sort may put before it. */
static void
the_second_place_of_a_key_is_reported(void)
{
    enum { LINES = 1000, EACH = 400 };
    static char keys[LINES][32];
    static struct row rows[LINES];
    for (unsigned i = 0; i < LINES; i++) {
        if (i % EACH == 7)
            snprintf(keys[i], sizeof keys[i], "shop-333.example-100.com");
        else
            snprintf(keys[i], sizeof keys[i], "shop-%03u.example-%03u.com", i * 7 % LINES, i);
        rows[i] = (struct row){ keys[i], "1" };
    }
    for (int kind = TABLE_EXACT; kind <= TABLE_SUFFIX; kind++)
        expect_refused((enum table_kind)kind, rows, LINES, EACH + 8,
                       "the key occurs twice; it is also in line 8");
}

static void
a_suffix_is_a_host(void)
{
    static const struct row dot[] = { { "a.b", "1" }, { ".b", "2" } }, empty[] = { { "", "1" } };
    expect_refused(
        TABLE_SUFFIX, dot, N(dot), 2,
        "the key begins with a dot; without it, the key stands for the host and all hosts below it");
    expect_refused(TABLE_SUFFIX, empty, 1, 1, "the key is empty; `default` is the value of all other hosts");
}

static void
texts_have_a_limit(void)
{
    static char longest[TABLE_TEXT_BYTES_MAX + 2];
    memset(longest, 'a', TABLE_TEXT_BYTES_MAX + 1);
    const struct row over[] = { { longest, "1" } }, value[] = { { "a", longest } };
    expect_refused(TABLE_EXACT, over, 1, 1, "the key is longer than 16384 bytes");
    expect_refused(TABLE_EXACT, value, 1, 1, "the value is longer than 16384 bytes");
    longest[TABLE_TEXT_BYTES_MAX] = '\0';
    struct table_error error;
    for (int kind = TABLE_EXACT; kind <= TABLE_SUFFIX; kind++) {
        struct table *t = make((enum table_kind)kind, over, 1, &error);
        EXPECT_VALUE(t, longest, "1");
        table_release(&t);
    }
}

static void
a_nul_byte_is_no_text(void)
{
    struct table_build *b = table_begin(TABLE_EXACT);
    struct table_error error;
    EXPECT_EQ_INT(table_add(b, SPAN_LIT("a\0b"), SPAN_LIT("1"), (struct table_place){ 3, 1 }, &error),
                  ERR_SYNTAX);
    EXPECT_EQ_SPAN(span_str(error.text),
                   SPAN_LIT("the key has a NUL byte, and no text of a request has one"));
    table_cancel(&b);
}

/* ---- beside a search through all rows ------------------------------------------------------------------ */

#define ROWS 400u
#define KEY_BYTES 12u

struct model {
    char keys[ROWS][64];
    unsigned n;
};

static uint64_t seed;

static unsigned
any(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

/* Few letters, so that keys nest and share their ends. */
static void
draw_text(char *out, unsigned letters)
{
    unsigned n = any(KEY_BYTES) + 1;
    for (unsigned i = 0; i < n; i++)
        out[i] = "ab.c/"[any(letters)];
    out[n] = '\0';
    if (out[0] == '.')
        out[0] = 'a';
}

static void
draw_address(char *out, size_t cap, bool network)
{
    if (any(2) == 0) {
        int n = snprintf(out, cap, "10.%u.%u.%u", any(2), any(3), any(256));
        if (network)
            snprintf(out + n, cap - (size_t)n, "/%u", any(33));
        return;
    }
    int n = snprintf(out, cap, "2001:db8:%x:%x:%x::%x", any(2), any(2), any(2) * 0xffff, any(3));
    if (network)
        snprintf(out + n, cap - (size_t)n, "/%u", any(129));
}

static bool
covers(enum table_kind kind, const char *key, const char *text)
{
    size_t n = strlen(key), m = strlen(text);
    uint8_t network[TABLE_NETWORK_BYTES], other[TABLE_NETWORK_BYTES], part[TABLE_NETWORK_BYTES];
    if (kind == TABLE_EXACT)
        return strcmp(key, text) == 0;
    if (kind == TABLE_PREFIX)
        return strncmp(key, text, n) == 0;
    if (kind == TABLE_SUFFIX)
        return n <= m && strcmp(text + m - n, key) == 0 && (n == m || text[m - n - 1] == '.');
    struct span a = key_of(kind, key, network), b = key_of(kind, text, other);
    if (a.len != b.len)
        return false;
    return span_eq(table_network(part, a.len == 5 ? 4 : 6, other, network[a.len - 1]), a);
}

static size_t
length_of(enum table_kind kind, const char *key)
{
    uint8_t network[TABLE_NETWORK_BYTES];
    struct span k = key_of(kind, key, network);
    return kind == TABLE_IP ? network[k.len - 1] : k.len;
}

static struct span
expected(enum table_kind kind, const struct model *m, const char *text)
{
    const char *best = NOTHING;
    bool found = false;
    for (unsigned i = 0; i < m->n; i++)
        if (covers(kind, m->keys[i], text) &&
            (!found || length_of(kind, m->keys[i]) > length_of(kind, best))) {
            best = m->keys[i];
            found = true;
        }
    return span_str(best);
}

/* The value of each row is its key as written. */
static struct table *
draw_table(enum table_kind kind, struct model *m, unsigned wanted, unsigned letters)
{
    struct table *t = NULL;
    struct table_error error;
    m->n = 0;
    for (unsigned tries = 0; tries < 4 * wanted && m->n < wanted; tries++) {
        char *key = m->keys[m->n];
        uint8_t network[TABLE_NETWORK_BYTES], other[TABLE_NETWORK_BYTES];
        kind == TABLE_IP ? draw_address(key, sizeof m->keys[0], true) : draw_text(key, letters);
        bool known = false;
        for (unsigned i = 0; i < m->n && !known; i++)
            known = span_eq(key_of(kind, m->keys[i], network), key_of(kind, key, other));
        m->n += !known;
    }
    static struct row rows[ROWS];
    for (unsigned i = 0; i < m->n; i++)
        rows[i] = (struct row){ m->keys[i], m->keys[i] };
    t = make(kind, rows, m->n, &error);
    EXPECT(t != NULL);
    return t;
}

static void
expect_all_rows(const struct table *t, const struct model *m)
{
    uint8_t network[TABLE_NETWORK_BYTES];
    unsigned i = 0;
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row), i++) {
        EXPECT_EQ_SPAN(table_value(t, row), span_str(m->keys[i]));
        EXPECT_EQ_INT(table_find_key(t, table_key(t, row)), row);
        EXPECT_EQ_SPAN(table_key(t, row), key_of(table_kind(t), m->keys[i], network));
    }
    EXPECT_EQ_INT(i, m->n);
}

static void
random_tables_find_as_a_search_does(void)
{
    static struct model m;
    for (unsigned round = 0; round < 400; round++) {
        enum table_kind kind = (enum table_kind)(round % TABLE_KINDS);
        unsigned letters = 2 + round / 4 % 4;
        seed = round + 1;
        struct table *t = draw_table(kind, &m, round % 7 == 0 ? ROWS : 1 + any(40), letters);
        expect_all_rows(t, &m);
        for (unsigned i = 0; i < 200; i++) {
            char text[64];
            kind == TABLE_IP ? draw_address(text, sizeof text, false) : draw_text(text, letters);
            struct span want = expected(kind, &m, text), got = value_for(t, text);
            if (!EXPECT_EQ_SPAN(got, want))
                fprintf(stderr, "kind %d, round %u, text %s\n", kind, round, text);
        }
        table_release(&t);
    }
}

/* ---- large tables -------------------------------------------------------------------------------------- */

#define MANY 200000u

static void
write_key(enum table_kind kind, unsigned i, char *out, size_t cap)
{
    unsigned mixed = i * 2654435761u;
    if (kind == TABLE_SUFFIX)
        snprintf(out, cap, "shop-%u.example%u.com", i, mixed % 97);
    else
        snprintf(out, cap, "/shop/%x/%u", mixed % 4096, i);
}

static void
large_tables_find_each_row(void)
{
    for (int kind = TABLE_EXACT; kind <= TABLE_SUFFIX; kind++) {
        struct table_build *b = table_begin((enum table_kind)kind);
        struct table *t = NULL;
        struct table_error error;
        char key[64];
        for (unsigned i = 0; i < MANY; i++) {
            write_key((enum table_kind)kind, i, key, sizeof key);
            uint32_t value = i;
            EXPECT_EQ_INT(table_add(b, span_str(key), span_of((const char *)&value, sizeof value),
                                    (struct table_place){ i + 1, 1 }, &error),
                          0);
        }
        EXPECT_EQ_INT(table_end(&b, &t, &error), 0);
        unsigned wrong = 0;
        for (unsigned i = 0; i < MANY; i++) {
            uint32_t value = UINT32_MAX;
            write_key((enum table_kind)kind, i, key, sizeof key);
            uint32_t row = table_find(t, span_str(key));
            if (row != TABLE_NO_ROW)
                memcpy(&value, table_value(t, row).ptr, sizeof value);
            wrong += value != i;
        }
        EXPECT_EQ_INT(wrong, 0);
        EXPECT(table_bytes(t) - table_text_bytes(t) < 48 * UINT64_C(200000) + (UINT64_C(4) << 20));
        table_release(&t);
    }
}

/* Hosts and paths that nest in one another, so that all share their first or last bytes: "a", "a.a", ... */
static void
long_keys_nest(void)
{
    enum { DEPTH = 601, STEP = 7 }; /* without a common factor: all depths occur, in no order */
    static char text[2 * DEPTH];
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = "a."[i % 2];
    for (int kind = TABLE_PREFIX; kind <= TABLE_SUFFIX; kind++) {
        struct table_build *b = table_begin((enum table_kind)kind);
        struct table *t = NULL;
        struct table_error error;
        for (uint32_t i = 0; i < DEPTH; i++) {
            uint32_t depth = i * STEP % DEPTH;
            EXPECT_EQ_INT(table_add(b, span_of(text, 2 * depth + 1),
                                    span_of((const char *)&depth, sizeof depth),
                                    (struct table_place){ i + 1, 1 }, &error),
                          0);
        }
        EXPECT_EQ_INT(table_end(&b, &t, &error), 0);
        for (uint32_t depth = 0; depth < DEPTH; depth++) {
            uint32_t row = table_find(t, span_of(text, 2 * depth + 1)), value = DEPTH;
            if (EXPECT(row != TABLE_NO_ROW))
                memcpy(&value, table_value(t, row).ptr, sizeof value);
            EXPECT_EQ_INT(value, depth);
        }
        table_release(&t);
    }
}

static const struct test tests[] = {
    { "an_exact_table_finds_whole_keys", an_exact_table_finds_whole_keys },
    { "a_prefix_table_finds_the_longest_prefix", a_prefix_table_finds_the_longest_prefix },
    { "an_empty_prefix_covers_every_text", an_empty_prefix_covers_every_text },
    { "a_suffix_table_finds_whole_labels", a_suffix_table_finds_whole_labels },
    { "an_ip_table_finds_the_longest_prefix_of_its_family",
      an_ip_table_finds_the_longest_prefix_of_its_family },
    { "prefixes_of_no_bits_cover_their_family_only", prefixes_of_no_bits_cover_their_family_only },
    { "a_table_without_rows_finds_nothing", a_table_without_rows_finds_nothing },
    { "a_key_occurs_once", a_key_occurs_once },
    { "the_second_place_of_a_key_is_reported", the_second_place_of_a_key_is_reported },
    { "a_suffix_is_a_host", a_suffix_is_a_host },
    { "texts_have_a_limit", texts_have_a_limit },
    { "a_nul_byte_is_no_text", a_nul_byte_is_no_text },
    { "random_tables_find_as_a_search_does", random_tables_find_as_a_search_does },
    { "large_tables_find_each_row", large_tables_find_each_row },
    { "long_keys_nest", long_keys_nest },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
