/* Rows of a table, and its life: see table.h. hash.c, trie.c and ranges.c find rows. */
#include "match/table/table.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "match/table/table_internal.h"

#define IPV4_BYTES 4u
#define IPV6_BYTES 16u

/* ---- keys of ip tables --------------------------------------------------------------------------------- */

struct span
table_network(uint8_t out[TABLE_NETWORK_BYTES], unsigned family, const uint8_t *addr, unsigned bits)
{
    unsigned bytes = family == 4 ? IPV4_BYTES : IPV6_BYTES;
    CHECK((family == 4 || family == 6) && bits <= 8 * bytes);
    for (unsigned i = 0; i < bytes; i++) {
        unsigned keep = bits >= 8 * (i + 1) ? 8 : bits > 8 * i ? bits - 8 * i : 0;
        out[i] = addr[i] & (uint8_t)(0xff00u >> keep);
    }
    out[bytes] = (uint8_t)bits;
    return span_of((const char *)out, bytes + 1);
}

/* ---- building ------------------------------------------------------------------------------------------ */

struct table_build *
table_begin(enum table_kind kind)
{
    CHECK(kind < TABLE_KINDS);
    struct table_build *b = mem_zalloc(sizeof *b);
    b->table = mem_zalloc(sizeof *b->table);
    b->table->kind = kind;
    return b;
}

static int
refuse(struct table_error *error, struct table_place at, int err, const char *why)
{
    error->at = at;
    snprintf(error->text, sizeof error->text, "%s", why);
    return err;
}

static const char *
fault_of(enum table_kind kind, struct span key)
{
    if (kind == TABLE_IP)
        return key.len == IPV4_BYTES + 1 || key.len == IPV6_BYTES + 1 ? NULL : "the key is not an address";
    if (key.len > 0 && memchr(key.ptr, '\0', key.len) != NULL)
        return "the key has a NUL byte, and no text of a request has one";
    if (kind == TABLE_SUFFIX && key.len == 0)
        return "the key is empty; `default` is the value of all other hosts";
    if (kind == TABLE_SUFFIX && key.ptr[0] == '.')
        return "the key begins with a dot; without it, the key stands for the host and all hosts below it";
    return NULL;
}

int
table_add(struct table_build *b, struct span key, struct span value, struct table_place at,
          struct table_error *error)
{
    struct table *t = b->table;
    if (key.len > TABLE_TEXT_BYTES_MAX || value.len > TABLE_TEXT_BYTES_MAX)
        return refuse(error, at, ERR_LIMIT,
                      key.len > TABLE_TEXT_BYTES_MAX ? "the key is longer than 16384 bytes"
                                                     : "the value is longer than 16384 bytes");
    if (t->n_rows == TABLE_ROWS_MAX)
        return refuse(error, at, ERR_LIMIT, "the table has more than 16000000 rows");
    const char *fault = fault_of(t->kind, key);
    if (fault != NULL)
        return refuse(error, at, ERR_SYNTAX, fault);
    struct row_head head = { .key_len = (uint16_t)key.len, .value_len = (uint16_t)value.len };
    uint32_t link = row_link_bytes(t);
    size_t bytes = (link + sizeof head + key.len + value.len + 3) & ~(size_t)3;
    if (t->rows.len + bytes > TABLE_BYTES_MAX)
        return refuse(error, at, ERR_LIMIT, "the table has more than 4 GiB of rows");
    char *to = pages_add(&t->rows, bytes);
    memset(to, 0xff, link); /* TABLE_NO_ROW */
    memcpy(to + link, &head, sizeof head);
    to += link + sizeof head;
    if (value.len > 0)
        memcpy(to, value.ptr, value.len);
    if (key.len > 0)
        memcpy(to + value.len, key.ptr, key.len);
    *(struct table_place *)pages_add(&b->places, sizeof at) = at;
    t->n_rows++;
    t->text_bytes += key.len + value.len;
    return 0;
}

static int
report_twins(const struct table_build *b, const struct twins *twins, struct table_error *error)
{
    const struct table_place *places = (const struct table_place *)(const void *)b->places.ptr;
    error->at = places[twins->second];
    snprintf(error->text, sizeof error->text, "the key occurs twice; it is also in line %u",
             (unsigned)places[twins->first].line);
    return ERR_EXISTS;
}

int
table_end(struct table_build **build, struct table **out, struct table_error *error)
{
    static void (*const makers[])(struct table *, struct twins *) = { [TABLE_EXACT] = hash_make,
                                                                      [TABLE_PREFIX] = trie_make,
                                                                      [TABLE_SUFFIX] = trie_make,
                                                                      [TABLE_IP] = ranges_make };
    struct table_build *b = *build;
    struct twins twins = { .found = false };
    pages_fit(&b->table->rows);
    makers[b->table->kind](b->table, &twins);
    int err = twins.found ? report_twins(b, &twins, error) : 0;
    if (err == 0) {
        *out = b->table;
        b->table = NULL;
    }
    table_cancel(build);
    return err;
}

void
table_cancel(struct table_build **build)
{
    struct table_build *b = *build;
    if (b == NULL)
        return;
    *build = NULL;
    table_release(&b->table);
    pages_release(&b->places);
    free(b);
}

void
table_release(struct table **table)
{
    struct table *t = *table;
    if (t == NULL)
        return;
    *table = NULL;
    pages_release(&t->rows);
    pages_release(&t->slots);
    pages_release(&t->trie.words);
    ranges_release(&t->ipv4);
    ranges_release(&t->ipv6);
    free(t);
}

/* ---- look-up ------------------------------------------------------------------------------------------- */

uint32_t
table_find(const struct table *t, struct span text)
{
    CHECK(t->kind != TABLE_IP);
    if (t->n_rows == 0 || text.ptr == NULL)
        return TABLE_NO_ROW;
    return t->kind == TABLE_EXACT ? hash_find(t, text) : trie_find(t, text);
}

static uint64_t
big_endian(const uint8_t *bytes, unsigned n)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < n; i++)
        number = number << 8 | bytes[i];
    return number;
}

uint32_t
table_find_ip(const struct table *t, unsigned family, const uint8_t *addr)
{
    CHECK(t->kind == TABLE_IP);
    if (family == 4)
        return ranges_find(&t->ipv4, big_endian(addr, IPV4_BYTES), 0);
    if (family == 6)
        return ranges_find(&t->ipv6, big_endian(addr, IPV6_BYTES / 2),
                           big_endian(addr + IPV6_BYTES / 2, IPV6_BYTES / 2));
    return TABLE_NO_ROW;
}

/* The longest prefix that covers the network's first address, or one of the shorter prefixes around it. */
static uint32_t
find_network(const struct table *t, struct span key)
{
    uint8_t addr[IPV6_BYTES];
    if (key.len != IPV4_BYTES + 1 && key.len != IPV6_BYTES + 1)
        return TABLE_NO_ROW;
    memcpy(addr, key.ptr, key.len - 1);
    uint32_t row = table_find_ip(t, key.len == IPV4_BYTES + 1 ? 4 : 6, addr);
    while (row != TABLE_NO_ROW && !span_eq(row_key(t, row), key))
        row = row_shorter(t, row);
    return row;
}

uint32_t
table_find_key(const struct table *t, struct span key)
{
    if (t->n_rows == 0)
        return TABLE_NO_ROW;
    if (t->kind == TABLE_IP)
        return find_network(t, key);
    uint32_t row = table_find(t, key);
    return row != TABLE_NO_ROW && span_eq(row_key(t, row), key) ? row : TABLE_NO_ROW;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

struct span
table_key(const struct table *t, uint32_t row)
{
    return row_key(t, row);
}

struct span
table_value(const struct table *t, uint32_t row)
{
    struct row_head head = row_head(t, row);
    return span_of(row_at(t, row) + row_link_bytes(t) + sizeof head, head.value_len);
}

uint32_t
table_first(const struct table *t)
{
    return t->n_rows == 0 ? TABLE_NO_ROW : 0;
}

uint32_t
table_next(const struct table *t, uint32_t row)
{
    struct row_head head = row_head(t, row);
    uint32_t bytes = row_link_bytes(t) + (uint32_t)sizeof head + head.key_len + head.value_len;
    uint32_t next = row + (bytes + 3) / 4;
    return (size_t)next * 4 < t->rows.len ? next : TABLE_NO_ROW;
}

enum table_kind
table_kind(const struct table *t)
{
    return t->kind;
}

uint32_t
table_rows(const struct table *t)
{
    return t->n_rows;
}

uint64_t
table_text_bytes(const struct table *t)
{
    return t->text_bytes;
}

uint64_t
table_bytes(const struct table *t)
{
    return sizeof *t + t->rows.cap + t->slots.cap + t->trie.words.cap + ranges_bytes(&t->ipv4) +
           ranges_bytes(&t->ipv6);
}
