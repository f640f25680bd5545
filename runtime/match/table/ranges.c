/* The index of ip tables. Networks are nested or disjoint, so the addresses of a family fall into ranges with
 * one deciding row each, at most two and one for each row. The starts of the ranges are a tree of nodes that
 * fill a cache line each, in one array: a look-up reads one line a level, six for 400,000 ranges.
 *
 * The tree has the address of IPv4, or the first half of an address of IPv6. Where prefixes longer than 64
 * bits divide the addresses with one first half, the range leads to a sorted list of its own. */
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "match/table/table_internal.h"

#define NODE_KEYS 8u /* starts in a cache line */
#define LINE_BYTES 64u
#define INNER 0x80000000u /* the row of a range is a place in `inner`, in words */

/* A list in `inner`: the number of ranges, and for each the second half of its start, in two words, and its
 * row. */
#define INNER_WORDS 3u

struct network {
    uint64_t high, low;
    uint32_t row, number;
    uint8_t bits, bytes;
};

struct start { /* of a range */
    uint64_t high, low;
    uint32_t row;
};

/* ---- ranges of sorted networks ------------------------------------------------------------------------- */

static int
compare_networks(const void *a, const void *b)
{
    const struct network *x = a, *y = b;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->bits > y->bits) - (x->bits < y->bits);
}

static struct network
network_of(const struct table *t, uint32_t row, uint32_t number)
{
    struct span key = row_key(t, row);
    uint8_t addr[16] = { 0 };
    struct network net = { .row = row, .number = number, .bytes = (uint8_t)(key.len - 1) };
    memcpy(addr, key.ptr, net.bytes);
    net.bits = (uint8_t)key.ptr[net.bytes];
    unsigned half = net.bytes == 4 ? 4 : 8;
    for (unsigned i = 0; i < half; i++)
        net.high = net.high << 8 | addr[i];
    for (unsigned i = half; i < net.bytes; i++)
        net.low = net.low << 8 | addr[i];
    return net;
}

/* The first address behind the network. False: there is none. */
static bool
behind(const struct network *net, struct start *out)
{
    unsigned free_bits = 8u * net->bytes - net->bits;
    *out = (struct start){ .high = net->high, .low = net->low };
    if (net->bytes == 4) {
        out->high += UINT64_C(1) << free_bits;
        return out->high >> 32 == 0;
    }
    if (free_bits >= 64) {
        if (free_bits == 128)
            return false;
        out->high += UINT64_C(1) << (free_bits - 64);
        return out->high != 0;
    }
    out->low += UINT64_C(1) << free_bits;
    out->high += out->low == 0;
    return out->low != 0 || out->high != 0;
}

static bool
is_after(const struct start *a, uint64_t high, uint64_t low)
{
    return a->high != high ? a->high > high : a->low > low;
}

/* A start at the place of the last one replaces it. A range with the row of the one before needs no start. */
static void
add_start(struct pages *starts, struct start start)
{
    const struct start *all = (const struct start *)(const void *)starts->ptr;
    size_t n = starts->len / sizeof start;
    if (n > 0 && all[n - 1].high == start.high && all[n - 1].low == start.low)
        n--;
    starts->len = n * sizeof start;
    if (n == 0 || all[n - 1].row != start.row)
        *(struct start *)pages_add(starts, sizeof start) = start;
}

struct open_network {
    struct network net;
    struct start end;
    bool ends; /* before the last address */
};

/* Closes the networks that end at or before an address. */
static void
close_before(struct pages *starts, struct open_network *open, uint32_t *n, const struct network *next)
{
    while (*n > 0 &&
           (next == NULL || (open[*n - 1].ends && !is_after(&open[*n - 1].end, next->high, next->low)))) {
        const struct open_network *last = &open[--*n];
        struct start start = last->end;
        start.row = *n > 0 ? open[*n - 1].net.row : TABLE_NO_ROW;
        if (last->ends)
            add_start(starts, start);
    }
}

#define NESTED_MAX 129u /* prefixes of 0 to 128 bits */

static void
find_starts(struct table *t, const struct network *nets, uint32_t n, struct pages *starts,
            struct twins *twins)
{
    struct open_network open[NESTED_MAX];
    uint32_t n_open = 0;
    add_start(starts, (struct start){ .row = TABLE_NO_ROW });
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && compare_networks(&nets[i - 1], &nets[i]) == 0) {
            twins_note(twins, nets[i - 1].number, nets[i].number);
            continue;
        }
        close_before(starts, open, &n_open, &nets[i]);
        if (n_open > 0)
            row_set_shorter(t, nets[i].row, open[n_open - 1].net.row);
        CHECK(n_open < NESTED_MAX);
        struct open_network *new = &open[n_open++];
        new->net = nets[i];
        new->ends = behind(&nets[i], &new->end);
        add_start(starts, (struct start){ .high = nets[i].high, .low = nets[i].low, .row = nets[i].row });
    }
    close_before(starts, open, &n_open, NULL);
}

/* ---- the tree ------------------------------------------------------------------------------------------ */

struct outer { /* a range of the tree */
    uint64_t from;
    uint32_t row;
};

static void
add_outer(struct pages *outer, uint64_t from, uint32_t row)
{
    *(struct outer *)pages_add(outer, sizeof(struct outer)) = (struct outer){ .from = from, .row = row };
}

static void
add_inner(struct ranges *r, uint64_t low, uint32_t row)
{
    uint32_t *words = pages_add(&r->inner, INNER_WORDS * sizeof *words);
    words[0] = (uint32_t)(low >> 32);
    words[1] = (uint32_t)low;
    words[2] = row;
}

/* Turns the ranges with one first half of the address, starts[0..n), into one range of the tree. `before` is
 * the row of the range before them. Returns the row at their end. */
static uint32_t
add_half(struct ranges *r, const struct start *starts, uint32_t n, uint32_t before, struct pages *outer)
{
    if (n == 1 && starts[0].low == 0) {
        add_outer(outer, starts[0].high, starts[0].row);
        return starts[0].row;
    }
    uint32_t place = (uint32_t)(r->inner.len / sizeof(uint32_t)), whole = starts[0].low != 0;
    CHECK(place < INNER - 1);
    *(uint32_t *)pages_add(&r->inner, sizeof(uint32_t)) = n + whole;
    if (whole)
        add_inner(r, 0, before);
    for (uint32_t i = 0; i < n; i++)
        add_inner(r, starts[i].low, starts[i].row);
    add_outer(outer, starts[0].high, place | INNER);
    return starts[n - 1].row;
}

static void
split_halves(struct ranges *r, const struct start *starts, uint32_t n, struct pages *outer)
{
    uint32_t row = TABLE_NO_ROW;
    for (uint32_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && starts[next].high == starts[i].high;)
            next++;
        row = add_half(r, starts + i, next - i, row, outer);
        bool inner = next - i > 1 || starts[i].low != 0, last = starts[i].high == UINT64_MAX;
        if (inner && !last && (next == n || starts[next].high != starts[i].high + 1))
            add_outer(outer, starts[i].high + 1, row);
    }
}

/* Puts sorted ranges into the subtree of a node: the children of node k are k * 9 + 1 to k * 9 + 9, and the
 * keys of a child are below the key behind it. Ranges beyond the last repeat it. */
static void
fill(struct ranges *r, uint32_t nodes, const struct outer *sorted, uint32_t n, uint32_t *next, uint64_t node)
{
    if (node >= nodes)
        return;
    for (uint32_t i = 0; i <= NODE_KEYS; i++) {
        fill(r, nodes, sorted, n, next, node * (NODE_KEYS + 1) + i + 1);
        if (i == NODE_KEYS)
            break;
        bool beyond = *next >= n;
        r->from[node * NODE_KEYS + i] = beyond ? UINT64_MAX : sorted[*next].from;
        r->row[node * NODE_KEYS + i] = sorted[beyond ? n - 1 : *next].row;
        *next += !beyond;
    }
}

static void
make_tree(struct ranges *r, const struct outer *sorted, uint32_t n)
{
    uint32_t nodes = (n + NODE_KEYS - 1) / NODE_KEYS, next = 0;
    size_t keys = (size_t)nodes * NODE_KEYS;
    r->n = nodes;
    r->from = aligned_alloc(LINE_BYTES, keys * sizeof *r->from);
    CHECK(r->from != NULL);
    r->row = mem_alloc(keys * sizeof *r->row);
    fill(r, nodes, sorted, n, &next, 0);
    CHECK(next == n);
}

static void
make_family(struct table *t, struct ranges *r, struct network *nets, uint32_t n, struct twins *twins)
{
    struct pages starts = { 0 }, outer = { 0 };
    if (n == 0)
        return;
    qsort(nets, n, sizeof *nets, compare_networks);
    find_starts(t, nets, n, &starts, twins);
    split_halves(r, (const struct start *)(const void *)starts.ptr,
                 (uint32_t)(starts.len / sizeof(struct start)), &outer);
    make_tree(r, (const struct outer *)(const void *)outer.ptr, (uint32_t)(outer.len / sizeof(struct outer)));
    pages_fit(&r->inner);
    pages_release(&starts);
    pages_release(&outer);
}

void
ranges_make(struct table *t, struct twins *twins)
{
    struct network *nets[2]; /* IPv4, IPv6 */
    uint32_t n[2] = { 0, 0 }, number = 0;
    for (unsigned i = 0; i < 2; i++)
        nets[i] = mem_alloc((t->n_rows + 1) * sizeof *nets[i]);
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row)) {
        struct network net = network_of(t, row, number++);
        unsigned family = net.bytes != 4;
        nets[family][n[family]++] = net;
    }
    make_family(t, &t->ipv4, nets[0], n[0], twins);
    make_family(t, &t->ipv6, nets[1], n[1], twins);
    free(nets[0]);
    free(nets[1]);
}

/* ---- look-up ------------------------------------------------------------------------------------------- */

static uint32_t
find_inner(const struct ranges *r, uint32_t place, uint64_t low)
{
    const uint32_t *list = (const uint32_t *)(const void *)r->inner.ptr + place;
    uint32_t at = 0;
    for (uint32_t n = list[0]; n > 1; n -= n / 2) {
        const uint32_t *middle = list + 1 + (size_t)(at + n / 2) * INNER_WORDS;
        at += ((uint64_t)middle[0] << 32 | middle[1]) <= low ? n / 2 : 0;
    }
    return list[1 + (size_t)at * INNER_WORDS + 2];
}

uint32_t
ranges_find(const struct ranges *r, uint64_t high, uint64_t low)
{
    uint64_t best = 0;
    if (r->n == 0)
        return TABLE_NO_ROW;
    for (uint64_t node = 0; node < r->n;) {
        const uint64_t *keys = r->from + node * NODE_KEYS;
        uint32_t below = 0;
        for (uint32_t i = 0; i < NODE_KEYS; i++)
            below += keys[i] <= high;
        if (below > 0)
            best = node * NODE_KEYS + below - 1;
        node = node * (NODE_KEYS + 1) + below + 1;
    }
    uint32_t row = r->row[best];
    return row == TABLE_NO_ROW || !(row & INNER) ? row : find_inner(r, row & ~INNER, low);
}

void
ranges_release(struct ranges *r)
{
    free(r->from);
    free(r->row);
    pages_release(&r->inner);
    *r = (struct ranges){ 0 };
}

uint64_t
ranges_bytes(const struct ranges *r)
{
    return (uint64_t)r->n * NODE_KEYS * (sizeof *r->from + sizeof *r->row) + r->inner.cap;
}
