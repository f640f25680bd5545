/* Look-ups in tables of each kind: `make micro-tables`. Prints the time to build a table, its bytes a row
 * beyond the text of keys and values, and the time of a look-up: of 1,000 keys again and again (warm), and of
 * keys from all over the table, each of which waits for memory. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "match/table/table.h"

#define LOOKUPS 4000000u
#define HOT 1000u
#define TEXT_BYTES 64u

struct subject {
    char text[TEXT_BYTES];
    unsigned len;
};

static double
now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned
mixed(unsigned i)
{
    i = (i ^ i >> 16) * 0x45d9f3bu;
    i = (i ^ i >> 16) * 0x45d9f3bu;
    return i ^ i >> 16;
}

/* A key and a text that leads to it. Networks are of the lengths that the routing table of the Internet has
 * most: /24 to /18, /48 to /29. */
static void
write_row(enum table_kind kind, unsigned i, uint8_t key[TABLE_NETWORK_BYTES], struct span *key_out,
          struct subject *s)
{
    static const char *const parts[] = { "products", "categories", "blog", "news", "help", "media" };
    unsigned m = mixed(i);
    const char *form = kind == TABLE_SUFFIX ? "www.tenant-%2$u.%1$s.example" : "/%s/item-%u/view";
    if (kind == TABLE_IP) {
        bool six = i % 4 == 3;
        uint32_t place = htobe32(six ? i * 2654435761u << 4
                                     : i * 2654435761u << 11); /* different for each i */
        memset(s->text, 0, 16);
        memcpy(s->text, (const uint8_t[]){ 0x20, 1 }, 2);
        memcpy(s->text + (six ? 2 : 0), &place, 4);
        s->len = six ? 16 : 4;
        *key_out = table_network(key, six ? 6 : 4, (const uint8_t *)s->text, six ? 44 + m % 5 : 21 + m % 4);
        return;
    }
    s->len = (unsigned)snprintf(s->text, TEXT_BYTES, form, parts[m % 6], i);
    size_t skip = kind == TABLE_SUFFIX ? 4 : 0, cut = kind == TABLE_PREFIX ? 5 : 0;
    *key_out = span_of(s->text + skip, s->len - skip - cut);
}

static uint32_t
find(const struct table *t, const struct subject *s)
{
    return table_kind(t) == TABLE_IP ? table_find_ip(t, s->len == 4 ? 4 : 6, (const uint8_t *)s->text)
                                     : table_find(t, span_of(s->text, s->len));
}

static double
lookup_ns(const struct table *t, const struct subject *subjects, unsigned n)
{
    unsigned found = 0;
    double start = now_s();
    for (unsigned i = 0; i < LOOKUPS; i++)
        found += find(t, &subjects[(i * UINT64_C(2654435761)) % n]) != TABLE_NO_ROW;
    double ns = (now_s() - start) / LOOKUPS * 1e9;
    if (found != LOOKUPS)
        printf("(%u of %u found) ", found, LOOKUPS);
    return ns;
}

static void
measure(const char *name, enum table_kind kind, unsigned n)
{
    struct subject *subjects = calloc(n, sizeof *subjects);
    struct table_build *b = table_begin(kind);
    struct table *t = NULL;
    struct table_error error;
    if (subjects == NULL)
        abort();
    double start = now_s();
    for (unsigned i = 0; i < n; i++) {
        uint8_t network[TABLE_NETWORK_BYTES];
        char value[TEXT_BYTES];
        struct span key;
        write_row(kind, i, network, &key, &subjects[i]);
        int len = snprintf(value, sizeof value, "/new/%u", i);
        if (table_add(b, key, span_of(value, (size_t)len), (struct table_place){ i + 1, 1 }, &error) != 0)
            abort();
    }
    double added = now_s();
    if (table_end(&b, &t, &error) != 0) {
        printf("%s: %s\n", error.text, name);
        exit(1);
    }
    double built = now_s();
    printf("%-8s %9u %7.2f %7.2f %7.1f %7.1f %7.1f\n", name, n, added - start, built - added,
           (double)(table_bytes(t) - table_text_bytes(t)) / n, lookup_ns(t, subjects, HOT),
           lookup_ns(t, subjects, n));
    table_release(&t);
    free(subjects);
}

int
main(int argc, char **argv)
{
    unsigned rows = argc > 1 ? (unsigned)atoi(argv[1]) : 1000000u;
    printf("%-8s %9s %7s %7s %7s %7s %7s\n", "kind", "rows", "add s", "index s", "B/row", "warm ns",
           "all ns");
    measure("exact", TABLE_EXACT, rows);
    measure("prefix", TABLE_PREFIX, rows);
    measure("suffix", TABLE_SUFFIX, rows);
    measure("ip", TABLE_IP, rows / 5);
    return 0;
}
